"""Rules of thumb, one module a game; they play at once and without search."""

from __future__ import annotations

import importlib

import numpy as np
import numpy.typing as npt

from railenvs import Game
from railenvs.engine.agent import Agent

_HEURISTICS = {
    "deck_express": "DeckExpressHeuristic",
    "express": "ExpressHeuristic",
    "railroad_run": "RailroadRunHeuristic",
    "tchu_tchu_train": "TchuTchuTrainHeuristic",
}
"""Class in the module of the rulebook's name."""


def make_heuristic(game: Game, seed: int | None = None) -> Agent:
    """The heuristic of a game.

    Args:
        game: the game it is to play.
        seed: for breaking ties; None takes the system's entropy.

    Raises:
        ValueError: if the game has none.
    """
    name = game.rulebook.name
    if name not in _HEURISTICS:
        raise ValueError(f"no heuristic for {game.id!r}; there is one for {', '.join(_HEURISTICS)}")
    module = importlib.import_module(f"{__name__}.{name}")
    agent: Agent = getattr(module, _HEURISTICS[name])(game, seed=seed)
    return agent


def rollout_policy(game: Game) -> npt.NDArray[np.void]:
    """The heuristic of a game as a policy for the rollouts of searches, shape (1,).

    Raises:
        ValueError: if the game has no compiled one.
    """
    policy: npt.NDArray[np.void] | None = getattr(make_heuristic(game, seed=0), "policy", None)
    if policy is None:
        raise ValueError(f"the heuristic of {game.id!r} is not compiled: it can play no rollouts")
    return policy.copy()
