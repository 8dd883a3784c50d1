"""Agents that search: ``ismcts`` and ``flat``; see :mod:`railenvs.engine.search`.

An argument is a number of simulations, or options by name: ``ismcts:100``,
``ismcts:seconds=0.5,rollouts=heuristic``. The options are those of
:class:`~railenvs.engine.search.Settings`, ``rollouts`` and ``threads``.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from agents.heuristics import make_heuristic
from agents.heuristics.policy import simulate_by_heuristic
from railenvs import Game, SeatView
from railenvs.engine.checks import one_of, seed_number, whole_number
from railenvs.engine.random import child_seed, fresh_seed
from railenvs.engine.search import Search, Settings
from railenvs.engine.threads import Pool
from railenvs.engine.tree import simulate
from railenvs.engine.view import check_view

SIMULATIONS = 1000
"""Where nothing else is asked for."""

RANDOM, HEURISTIC = ROLLOUTS = "random", "heuristic"
"""Who plays rollouts."""


def _whole(text: str) -> int:
    if not re.fullmatch("-?[0-9]+", text):
        raise ValueError  # int() takes spaces, underscores and other alphabets' digits too
    return int(text)


_READERS: dict[str, tuple[Callable[[str], Any], str]] = {
    "simulations": (_whole, "a whole number"),
    "seconds": (float, "a number"),
    "exploration": (float, "a number"),
    "cutoff": (_whole, "a whole number"),
    "rollouts": (str, "a word"),
    "threads": (_whole, "a whole number"),
}
"""What an argument may set, how its words are read, and what they must be."""


class SearchAgent:
    """Plays what a search of its view finds best; a decision without choice is not searched.

    The search of decision number i since the last reset depends on the view, the seed and i alone,
    not on the number of threads.

    Args:
        game: what it plays.
        settings: how to search.
        seed: for the random numbers; None takes the system's entropy.
        rollouts: who plays them, ``"random"`` or ``"heuristic"``.
        threads: how many decisions are searched at once where many are asked for.

    Attributes:
        last: the search of the latest :meth:`act`, to be looked into; None before, where there
            was no choice, and in copies.
    """

    def __init__(
        self,
        game: Game,
        settings: Settings,
        seed: int | None = None,
        rollouts: str = RANDOM,
        threads: int = 1,
    ) -> None:
        self.game = game
        self.settings = settings
        heuristic = one_of(rollouts, "rollouts", ROLLOUTS) == HEURISTIC
        self._policy = make_heuristic(game, seed=0).policy if heuristic else None
        self._kernel = simulate_by_heuristic if heuristic else simulate
        self.threads = whole_number(threads, "threads", 1, 1024)
        self._pool = Pool("railenvs-search")
        self.last: Search | None = None
        self.reset(seed)

    def reset(self, seed: int | None = None) -> None:
        """Start the random numbers afresh, from the system's entropy without a seed."""
        self._seed = fresh_seed() if seed is None else seed_number(seed)
        self._decisions = 0

    def act(self, view: SeatView) -> int:
        """Choose one of ``view.legal_actions``.

        Raises:
            ValueError: if it is no view, or one of another game or of a seat that is not to act.
        """
        action, self.last = self._choose(view, self._next_seed())
        return action

    def act_views(self, views: Sequence[SeatView]) -> npt.NDArray[np.int64]:
        """Choose for many games at once; see :class:`railenvs.engine.agent.ViewsAgent`."""
        views = list(views)
        seeds = [self._next_seed() for _ in views]
        each = map if self.threads == 1 else self._pool.of(self.threads).map
        return np.array(list(each(self._best, views, seeds)), np.int64)

    def _best(self, view: SeatView, seed: int) -> int:
        # The search is dropped here: of many, no more trees are kept than are being grown.
        return self._choose(view, seed)[0]

    def _choose(self, view: SeatView, seed: int) -> tuple[int, Search | None]:
        check_view(view, self.game)
        if view.legal_actions.size == 1:
            return int(view.legal_actions[0]), None
        # A policy writes on its record: each search needs its own.
        policy = None if self._policy is None else self._policy.copy()
        search = Search(view, self.settings, seed, policy, self._kernel)
        search.run()
        return search.action, search

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "last": None}

    def _next_seed(self) -> int:
        self._decisions += 1
        return int(child_seed(self._seed, self._decisions))


def make_ismcts(game: Game, seed: int | None, argument: str) -> SearchAgent:
    """The agent ``ismcts`` or ``ismcts:ARGUMENT``; see :func:`read_argument`."""
    return _make(game, seed, argument, flat=False)


def make_flat(game: Game, seed: int | None, argument: str) -> SearchAgent:
    """The agent ``flat`` or ``flat:ARGUMENT``; see :func:`read_argument`."""
    return _make(game, seed, argument, flat=True)


def _make(game: Game, seed: int | None, argument: str, flat: bool) -> SearchAgent:
    options = read_argument(argument)
    own = {name: options.pop(name) for name in ("rollouts", "threads") if name in options}
    return SearchAgent(game, Settings(**options, flat=flat), seed, **own)


def read_argument(argument: str) -> dict[str, Any]:
    """Options from what follows the colon of an agent's name.

    Args:
        argument: words such as ``"seconds=0.5,threads=2"``, where a number alone is the number of
            simulations; or nothing.

    Raises:
        ValueError: if a word is no option, comes twice or has no number.
    """
    options: dict[str, Any] = {}
    for word in argument.split(",") if argument else []:
        name, equals, text = word.partition("=")
        if not equals:
            name, text = "simulations", word
        if name not in _READERS:
            raise ValueError(f"a search has no option {name!r}; it has {', '.join(_READERS)}")
        read, kind = _READERS[name]
        try:
            value = read(text)
        except ValueError:
            raise ValueError(f"{name} of a search must be {kind}, not {text!r}") from None
        if name in options:
            raise ValueError(f"option {name!r} of a search is given twice")
        options[name] = value
    if "seconds" not in options:
        options.setdefault("simulations", SIMULATIONS)
    return options
