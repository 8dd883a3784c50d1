"""A search of one seat's decision: its settings, and what it found out.

What happens in it is told in :mod:`railenvs.engine.tree`.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from railenvs.engine.checks import one_of, real_number, seed_number, whole_number
from railenvs.engine.random import child_seed
from railenvs.engine.tree import MOST_NODES, NEVER, NODE, NONE, ROOT, SEARCH, UNIFORM, simulate
from railenvs.engine.view import SeatView

GROWTH = 8
"""Simulations at most before the next look at the clock, for each one so far."""
MOST = 1e9
"""The most seconds, and the largest constant of exploration."""


@dataclass(frozen=True)
class Settings:
    """How to search.

    Attributes:
        simulations: how many; with ``seconds`` at most so many, if given.
        seconds: time for a decision; what comes out then depends on the machine.
        exploration: UCB1's constant, for values from 0 to 1.
        cutoff: moves after which a rollout is cut off and judged by the scores; None plays on to
            the end.
        flat: try the legal actions in turn instead of growing a tree.

    Raises:
        ValueError: if a value is out of its range, or neither simulations nor seconds are given.
    """

    simulations: int | None = None
    seconds: float | None = None
    exploration: float = 0.7
    cutoff: int | None = None
    flat: bool = False

    def __post_init__(self) -> None:
        if self.simulations is None and self.seconds is None:
            raise ValueError("a search needs simulations or seconds")
        checked: dict[str, Any] = {"flat": one_of(self.flat, "flat", (False, True))}
        checked["exploration"] = real_number(self.exploration, "exploration", 0.0, MOST)
        if self.simulations is not None:
            checked["simulations"] = whole_number(self.simulations, "simulations", 1, 2**31 - 1)
        if self.seconds is not None:
            checked["seconds"] = real_number(self.seconds, "seconds", 1e-6, MOST)
        if self.cutoff is not None:
            checked["cutoff"] = whole_number(self.cutoff, "cutoff", 0, 2**31 - 1)
        for name, value in checked.items():
            object.__setattr__(self, name, value)


@dataclass(frozen=True)
class ActionStats:
    """What a search found out about an action.

    Attributes:
        action: the action.
        seat: who plays it (in the world where it was first tried).
        visits: simulations in which it was played.
        available: simulations in which it could have been played, since it was first tried.
        values: what each seat got of them on average: shares of the victory (less than 1 together
            where games may be lost by all), or rewards.
    """

    action: int
    seat: int
    visits: int
    available: int
    values: tuple[float, ...]


class Search:
    """A search of one seat's decision, which may be gone on with.

    Memory: ``28 + 8 n`` bytes a node for n seats, a node for each simulation and one more, at most
    :data:`~railenvs.engine.tree.MOST_NODES`.

    Args:
        view: the view of the seat to act. Nothing else is read: equal views, settings and seeds
            find the same, whatever the hidden cards are.
        settings: how to search.
        seed: 0 to 2**63 - 1. Simulation i plays in the world
            ``view.sample_world(child_seed(seed, i))``.
        policies: (1,) record of the policy that plays rollouts.
        kernel: compiled entry to :func:`run`; one of its own for policies of other packages, for
            the sake of what machine code is kept.

    Raises:
        ValueError: if the seat is not to act.
    """

    def __init__(
        self,
        view: SeatView,
        settings: Settings,
        seed: int,
        policies: npt.NDArray[np.void] | None = None,
        kernel: Callable[..., None] = simulate,
    ) -> None:
        if not view.legal_actions.size:
            raise ValueError(f"player_{view.seat} is not to act: there is nothing to search")
        game = view.game
        self.view = view
        self.settings = settings
        self._kernel = kernel
        self._policies = np.zeros(1, UNIFORM) if policies is None else policies
        self._root = view.sample_world(seed)
        self._search = np.zeros(1, SEARCH)
        self._search["seat"] = view.seat
        self._search["seed"] = seed_number(seed)
        self._search["in_turn"] = settings.flat
        self._search["exploration"] = settings.exploration
        self._search["cutoff"] = NEVER if settings.cutoff is None else settings.cutoff
        self._search["nodes"] = 1
        self._search["low"], self._search["high"] = math.inf, -math.inf
        self._nodes = np.array([(NONE, NONE, NONE, NONE, NONE, 0, 0)], NODE)
        self._sums = np.zeros((1, game.num_players))
        self._scratch = (
            np.empty(1, game.rulebook.dtype),
            np.empty(game.num_actions, np.int8),
            np.empty(game.num_actions, np.int64),
            np.empty(game.num_players, np.int32),
            np.empty(game.num_players, np.int8),
            np.empty(game.num_players, np.float64),
        )

    def run(self) -> None:
        """Search as long as the settings say; once more goes on for as long again."""
        seconds, most = self.settings.seconds, self.settings.simulations
        if seconds is None:
            assert most is not None
            self.add(most)
            return
        self.add(0)  # compiles, which is not the decision's time
        start, done, chunk = time.perf_counter(), 0, 1
        while chunk >= 1 and done != most:
            if most is not None:
                chunk = min(chunk, most - done)
            self.add(chunk)
            done += chunk
            spent = time.perf_counter() - start
            # Half of what is left by the rate so far: the clock is met closely in a few steps.
            chunk = min(int(done / spent * (seconds - spent) / 2), GROWTH * done)

    def add(self, simulations: int) -> None:
        """Add so many simulations, 0 to 2**31 - 1.

        Raises:
            ValueError: if it is no such number.
        """
        simulations = whole_number(simulations, "simulations", 0, 2**31 - 1)
        self._make_room(simulations)
        self._kernel(
            self._search,
            self._root,
            self._policies,
            simulations,
            self._nodes,
            self._sums,
            *self._scratch,
        )

    def _make_room(self, simulations: int) -> None:
        size = min(self.num_nodes + simulations, MOST_NODES)
        if self.settings.flat:
            size = 1 + self.view.legal_actions.size
        if size > self._nodes.size:
            kept = self._nodes.size
            nodes, sums = np.zeros(size, NODE), np.zeros((size, self._sums.shape[1]))
            nodes[:kept], sums[:kept] = self._nodes, self._sums
            self._nodes, self._sums = nodes, sums

    @property
    def simulations(self) -> int:
        """Simulations so far."""
        return int(self._search["simulations"][0])

    @property
    def num_nodes(self) -> int:
        """Nodes of the tree, the root included."""
        return int(self._search["nodes"][0])

    @property
    def bytes_a_node(self) -> int:
        """Memory of a node in bytes."""
        return self._nodes.itemsize + self._sums[0].nbytes

    def actions(self) -> list[ActionStats]:
        """What was found about each action tried, the best first.

        The best is the one most often played (in a flat search all are, alike); among equals what
        gave the seat most, then by a lot that the seed fixes.
        """
        return [self._stats(node) for node in self._ranked(ROOT)]

    @property
    def action(self) -> int:
        """The best action.

        Raises:
            ValueError: if nothing has been searched yet.
        """
        if not self.simulations:
            raise ValueError("nothing has been searched yet: run() the search first")
        return int(self._nodes["action"][self._ranked(ROOT)[0]])

    def principal_line(self) -> list[ActionStats]:
        """The best action, the most played answer to it, and so on down the tree."""
        line: list[ActionStats] = []
        ranked = self._ranked(ROOT)
        while ranked:
            line.append(self._stats(ranked[0]))
            ranked = self._ranked(ranked[0])
        return line

    def _ranked(self, parent: int) -> list[int]:
        """The children of a node that were visited, the best first."""
        found = []
        child = int(self._nodes["first_child"][parent])
        while child != NONE:
            if self._nodes["visits"][child]:
                found.append(child)
            child = int(self._nodes["sibling"][child])
        if not found:
            return found
        children = np.array(found)
        seat = self.view.seat if parent == ROOT else self._nodes["seat"][found[-1]]
        visits = self._nodes["visits"][children]
        means = self._sums[children, seat] / visits
        lots = child_seed(int(self._search["seed"][0]), _LOTS + children)
        keys = (lots, -means) if self.settings.flat else (lots, -means, -visits)
        ranked: list[int] = children[np.lexsort(keys)].tolist()
        return ranked

    def _stats(self, number: int) -> ActionStats:
        node = self._nodes[number]
        values = self._sums[number] / node["visits"]
        return ActionStats(
            int(node["action"]),
            int(node["seat"]),
            int(node["visits"]),
            int(node["available"]),
            tuple(values.tolist()),
        )


_LOTS = 1 << 40
"""Where the children of a seed begin that break ties; those before deal worlds."""
