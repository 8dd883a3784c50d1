"""The rulebooks: one folder each, and nothing else in the package knows a rule."""

from __future__ import annotations

import functools
import importlib
from typing import Any

from railenvs.engine.checks import one_of
from railenvs.engine.game import Game
from railenvs.engine.rulebook import Rulebook

_FOLDERS = {
    "deck_express-v0": "deck_express",
    "express-v0": "express",
    "railroad_run-v0": "railroad_run",
    "tchu_tchu_train-v0": "tchu_tchu_train",
}


def game_ids() -> tuple[str, ...]:
    """The ids of all games, such as ``"deck_express-v0"``."""
    return tuple(_FOLDERS)


def load_game(id: str, num_players: int | None = None, **options: Any) -> Game:  # noqa: A002
    """A game with players and options applied.

    Args:
        id: one of :func:`game_ids`.
        num_players: number of seats; by default the game's own.
        **options: the game's options and ``reward``, listed on the game's page.

    Raises:
        ValueError: if the id, the number of seats, an option or its value is unknown.
    """
    return Game(load_rulebook(id), num_players, options)


@functools.cache
def _rulebook(folder: str) -> Rulebook:
    rulebook: Rulebook = importlib.import_module(f"railenvs.games.{folder}").RULEBOOK
    return rulebook


def load_rulebook(id: str) -> Rulebook:  # noqa: A002
    """The rulebook of a game id; games are imported when first asked for."""
    return _rulebook(_FOLDERS[one_of(id, "game id", _FOLDERS)])
