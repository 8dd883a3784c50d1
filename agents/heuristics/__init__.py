"""Rules of thumb, one module a game; they play at once and without search."""

from __future__ import annotations

import importlib

from agents.heuristics.policy import Heuristic
from railenvs import Game

_HEURISTICS = {
    "deck_express": "DeckExpressHeuristic",
    "express": "ExpressHeuristic",
    "railroad_run": "RailroadRunHeuristic",
    "tchu_tchu_train": "TchuTchuTrainHeuristic",
}
"""Class in the module of the rulebook's name."""


def make_heuristic(game: Game, seed: int | None = None) -> Heuristic:
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
    heuristic: Heuristic = getattr(module, _HEURISTICS[name])(game, seed=seed)
    return heuristic
