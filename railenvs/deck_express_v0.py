"""Deck EXPRESS docs page (to be written)."""

from __future__ import annotations

from typing import Any

from railenvs.engine.aec import RailEnv, make_env

__all__ = ["env", "raw_env"]

ID = "deck_express-v0"


def env(num_players: int = 3, render_mode: str | None = None, **options: Any) -> RailEnv:
    """The environment; an illegal action in range loses the game (see the module's page)."""
    return make_env(ID, num_players, render_mode, lenient=True, options=options)


def raw_env(num_players: int = 3, render_mode: str | None = None, **options: Any) -> RailEnv:
    """The environment; an illegal action is a ValueError (see the module's page)."""
    return make_env(ID, num_players, render_mode, lenient=False, options=options)
