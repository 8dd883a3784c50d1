"""What an agent is, and how agents are named by short strings."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Sequence
from typing import Protocol, runtime_checkable

import numpy as np
import numpy.typing as npt

from railenvs.engine.batch import Batch
from railenvs.engine.checks import seed_number, whole_numbers
from railenvs.engine.game import Game
from railenvs.engine.kernels import choose_actions
from railenvs.engine.random import fresh_seed, mix
from railenvs.engine.view import SeatView, check_view


@runtime_checkable
class Agent(Protocol):
    """A player of one game. It sees what its seat may know and nothing else."""

    def reset(self, seed: int | None = None) -> None:
        """Start its random numbers afresh: from a seed, or from the system's entropy."""

    def act(self, view: SeatView) -> int:
        """Choose one of ``view.legal_actions``."""


@runtime_checkable
class BatchAgent(Agent, Protocol):
    """An agent that needs no more than observations, and takes those of many games at once."""

    def act_batch(
        self, observations: npt.NDArray[np.int8], action_masks: npt.NDArray[np.int8]
    ) -> npt.NDArray[np.int64]:
        """Choose for many games at once.

        Args:
            observations: int8 (k, D), each the view of its game's seat to act.
            action_masks: int8 (k, A), at least one action legal in each row.

        Returns:
            One legal action a row, int64 of shape (k,).
        """


@runtime_checkable
class ViewsAgent(Agent, Protocol):
    """An agent that needs views, since it plays on in worlds dealt from them."""

    def act_views(self, views: Sequence[SeatView]) -> npt.NDArray[np.int64]:
        """Choose for many games at once.

        Args:
            views: (k,) of the seats to act.

        Returns:
            A legal action for each, int64 of shape (k,).
        """


def ask_agent(agent: Agent, batch: Batch, rows: npt.NDArray[np.int64]) -> npt.ArrayLike:
    """What an agent chooses in ``rows`` (k,) of a batch for the seats to act, in the way it can.

    Whatever way that is, it sees what these seats may know and nothing else.
    """
    if isinstance(agent, BatchAgent):
        return agent.act_batch(batch.observations[rows], batch.action_masks[rows])
    views = [
        SeatView(batch.game, batch.states[row : row + 1], int(batch.seats[row]))
        for row in rows.tolist()
    ]
    if isinstance(agent, ViewsAgent):
        return agent.act_views(views)
    return [agent.act(view) for view in views]


def let_play(
    agent: Agent, who: str, batch: Batch, rows: npt.NDArray[np.int64]
) -> npt.NDArray[np.int64]:
    """Let an agent play a move in each of ``rows`` (k,) of a batch.

    Args:
        agent: the agent.
        who: names it as it was given, where it plays what may not be played.
        batch: the games.
        rows: those that move.

    Returns:
        What it played, int64 (k,).

    Raises:
        ValueError: if what it chooses is no action or illegal; no game has moved then. The message
            tells who, the action, game, seat, deal and move.
    """
    chosen = ask_agent(agent, batch, rows)
    try:
        if isinstance(chosen, list):
            for row, action in zip(rows.tolist(), chosen, strict=True):
                _check_answer(batch, row, action)
        actions = whole_numbers(chosen, f"actions in {batch.game!r}", rows.size)
        batch.step(actions, rows)
    except ValueError as error:
        raise ValueError(f"{who}: {error}") from error
    return actions


def _check_answer(batch: Batch, row: int, action: object) -> None:
    try:
        batch.game.check_action(action)
    except ValueError as error:
        # The decision is described only now: most answers are sound, and a game is long to name.
        raise ValueError(f"{batch.describe(row)}: {error}") from None


class RandomAgent:
    """Plays uniformly random legal actions."""

    def __init__(self, game: Game, seed: int | None = None) -> None:
        self.game = game
        self._generator = np.zeros(1, game.rulebook.dtype)
        self.reset(seed)

    def reset(self, seed: int | None = None) -> None:
        """Start the random numbers afresh."""
        drawn = fresh_seed() if seed is None else seed_number(seed)
        self._generator["rng"] = mix(np.uint64(drawn))

    def act(self, view: SeatView) -> int:
        """Choose a legal action.

        Raises:
            ValueError: if it is no view, or one of another game.
        """
        check_view(view, self.game)
        return int(self.act_batch(view.observation[None], view.action_mask[None])[0])

    def act_batch(
        self, observations: npt.NDArray[np.int8], action_masks: npt.NDArray[np.int8]
    ) -> npt.NDArray[np.int64]:
        """Choose a legal action in every row.

        Raises:
            ValueError: if a row has no legal action.
        """
        if not action_masks.any(axis=-1).all():
            raise ValueError("each row of action_masks must allow an action; is the seat to act?")
        actions = np.empty(len(action_masks), np.int64)
        choose_actions(self._generator, action_masks, actions)
        return actions


Factory = Callable[[Game, "int | None", str], Agent]
"""Makes an agent of a game, with a seed, from what follows the colon of its name."""


def _make_random(game: Game, seed: int | None, argument: str) -> Agent:
    if argument:
        raise ValueError(f"'random' takes nothing after a colon, not {argument!r}")
    return RandomAgent(game, seed)


_factories: dict[str, Factory] = {"random": _make_random}


def register_agent(kind: str, factory: Factory) -> None:
    """Let :func:`make_agent` make agents named ``kind`` or ``kind:ARGUMENT``."""
    _factories[kind] = factory


def make_agent(name: str, game: Game, seed: int | None = None) -> Agent:
    """The agent that a short string names.

    Args:
        name: a registered kind such as ``"random"``, with its argument after a colon where it
            takes one; or ``"module:Class"``, called as ``Class(game, seed=seed)``.
        game: the game it is to play.
        seed: for its random numbers; None takes the system's entropy.

    Raises:
        ValueError: if there is no such agent.
    """
    if not isinstance(name, str):
        raise ValueError(f"an agent is named by a string, not {name!r}")
    if not isinstance(game, Game):
        raise ValueError(f"game must be a Game as load_game() makes it, not {game!r}")
    kind, _, argument = name.partition(":")
    if kind in _factories:
        return _factories[kind](game, seed, argument)
    known = (
        f"there are {', '.join(_factories)} and 'module:Class' "
        "(importing the checkout's package 'agents' adds more)"
    )
    if not argument:
        raise ValueError(f"no agent {name!r}; {known}")
    try:
        agent = getattr(importlib.import_module(kind), argument)(game, seed=seed)
    except ImportError as error:
        raise ValueError(f"no agent {name!r}: {error}; {known}") from error
    except (AttributeError, TypeError) as error:
        raise ValueError(f"no agent {name!r}: {error}") from error
    if not isinstance(agent, Agent):
        raise ValueError(f"{name!r} is no agent: it must have reset() and act()")
    return agent
