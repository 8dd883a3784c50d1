"""What heuristics have in common: each is a policy, compiled, over one seat's observation.

A *policy* is a record with its weights, the places of the observation's fields and room to think,
and a function over it that chooses an action. It reads the observation of the seat to act and
nothing else, and plays batches and the rollouts of searches alike.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any

import numpy as np
import numpy.typing as npt

from railenvs import Game, SeatView
from railenvs.engine.checks import seed_number
from railenvs.engine.compile import dispatch, kernel, rule
from railenvs.engine.kernel_cache import belongs_to
from railenvs.engine.random import below, fresh_seed, mix
from railenvs.engine.rulebook import observe
from railenvs.engine.state import at
from railenvs.engine.tree import register_policy, simulate
from railenvs.engine.view import check_view

Ints = npt.NDArray[np.int64]
Policy = npt.NDArray[np.void]
"""A heuristic's record, shape (1,)."""

TIE = 1e-9
"""Actions whose worth differs by less are equally good: one is drawn."""

_GENERATOR = np.dtype([("rng", np.uint64)])


def advise(policy: Any, observation: Any, mask: Any, generator: Any) -> int:
    """The legal action that a heuristic chooses; ``generator`` is a record with rng, for ties."""
    return _advisers[policy.dtype.names[0]](policy, observation, mask, generator)


_advisers: dict[str, Callable[..., int]] = {}
dispatch(advise, _advisers.__getitem__)


def register_adviser(dtype: np.dtype[np.void], function: Callable[..., int]) -> None:
    """Let a heuristic play.

    Args:
        dtype: of its record; the first field is named after the module, ``GAME_heuristic``, and it
            has an int8 field ``observation`` long enough for any number of seats.
        function: compiled by ``rule``; see :func:`advise`.
    """
    name = (dtype.names or ("",))[0]
    _advisers[name] = function
    register_policy(dtype, choose_by_view)
    game = import_module(f"railenvs.games.{name.removesuffix('_heuristic')}")
    belongs_to(name, __file__, str(game.__file__))


@rule
def choose_by_view(policy: Any, state: Any, mask: Any) -> int:
    """What a heuristic plays in a rollout, by the observation of the seat to act."""
    observe(state, state.seat, policy.observation)
    return advise(policy, policy.observation, mask, state)


@rule
def best_action(worth: Any, mask: Any, generator: Any) -> int:
    """The legal action of most worth (A,), by lot among equals."""
    most = -np.inf
    for action in range(mask.size):
        if mask[action]:
            most = max(most, worth[action])
    equals = 0
    for action in range(mask.size):
        equals += mask[action] > 0 and worth[action] >= most - TIE
    skip = 0
    if equals > 1:
        skip = below(generator, equals)
    chosen = -1
    for action in range(mask.size):
        if mask[action] and worth[action] >= most - TIE:
            if skip == 0:
                chosen = action
            skip -= 1
    return chosen


@rule
def first_set(values: Any, start: int, size: int) -> int:
    """The first entry of a part of an array that is not 0, counted from its start; -1 if none."""
    for entry in range(size):
        if values[start + entry]:
            return entry
    return -1


@kernel
def choose_rows(
    policies: Any, generators: Any, observations: Any, masks: Any, actions: Any
) -> None:
    """Write what a heuristic plays in each row; ``generators`` is one record with rng."""
    policy = at(policies, 0)
    generator = at(generators, 0)
    for row in range(actions.size):
        actions[row] = advise(policy, observations[row], masks[row], generator)


def simulate_by_heuristic(searches: Any, roots: Any, policies: Policy, *rest: Any) -> None:
    """Go on with a search whose rollouts are played by a heuristic; see :func:`run`."""
    # A search that comes from another process may be the first to name its heuristic in this one.
    name = (policies.dtype.names or ("",))[0]
    import_module(f"agents.heuristics.{name.removesuffix('_heuristic')}")
    simulate(searches, roots, policies, *rest)


class Heuristic:
    """Plays by a policy.

    Its choice depends on the observation alone, but for equally good actions, among which its
    random numbers decide.

    Args:
        game: what it plays.
        policy: the heuristic's record.
        seed: for the random numbers; None takes the system's entropy.

    Attributes:
        game: what it plays.
        policy: the heuristic's record, for the rollouts of searches too.
    """

    def __init__(self, game: Game, policy: Policy, seed: int | None = None) -> None:
        self.game = game
        self.policy = policy
        self._generator = np.zeros(1, _GENERATOR)
        self.reset(seed)

    def reset(self, seed: int | None = None) -> None:
        """Start the random numbers afresh, from the system's entropy without a seed."""
        drawn = fresh_seed() if seed is None else seed_number(seed)
        self._generator["rng"] = mix(np.uint64(drawn))

    def act(self, view: SeatView) -> int:
        """Choose one of ``view.legal_actions``.

        Raises:
            ValueError: if it is no view, or one of another game.
        """
        check_view(view, self.game)
        return int(self.act_batch(view.observation[None], view.action_mask[None])[0])

    def act_batch(
        self, observations: npt.NDArray[np.int8], action_masks: npt.NDArray[np.int8]
    ) -> Ints:
        """Choose a legal action in every row; see :class:`agents.Agent`.

        Raises:
            ValueError: if the arrays are not of the game's sizes.
        """
        # Copies, since compiled code is kept apart for arrays that may be written and others.
        seen, masks = np.array(observations, np.int8), np.array(action_masks, np.int8)
        rows = len(seen)
        wanted = (rows, self.game.observation_size), (rows, self.game.num_actions)
        if (seen.shape, masks.shape) != wanted:
            raise ValueError(
                f"observations and action_masks must have shapes {wanted[0]} and {wanted[1]}, "
                f"not {seen.shape} and {masks.shape}"
            )
        actions = np.empty(rows, np.int64)
        # The policy thinks in its record: threads that share the agent need one each.
        choose_rows(self.policy.copy(), self._generator, seen, masks, actions)
        return actions


def field_starts(game: Game, names: tuple[str, ...]) -> Ints:
    """Where fields begin in an observation of a game, (len(names),)."""
    return np.array([game.fields[name].start for name in names])
