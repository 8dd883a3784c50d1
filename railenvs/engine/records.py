"""Game records: what was dealt, played and won, as JSON that a person can read.

A record is a dict:

==============  ================================================================================
``game``        the game's id
``num_players`` number of seats
``options``     value of every option
``seed``        the seed that dealt the game; null if it began from a given table
``first_player``  the seat that was told to begin; null if the rulebook's own way decided
``deal``        the whole table at the start, in card names
``moves``       per move the ``seat``, the ``action`` by name, and what the move brought to light
``scores``      each seat's score at the end (or so far)
``winners``     the seats that won
``payoffs``     each seat's reward, as the option ``reward`` pays it (0 so far)
``finished``    ``"terminated"``, ``"cut_off"``, ``"truncated"`` (a game cut off that the option
                ``cut_off`` truncates) or null for a game still going on
==============  ================================================================================

A record holds everything, hidden cards included: it is for analysts, not for seats.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from railenvs.engine.game import Game
from railenvs.engine.kernels import play_legal
from railenvs.engine.state import State, at

KEYS = (
    "game",
    "num_players",
    "options",
    "seed",
    "first_player",
    "deal",
    "moves",
    "scores",
    "winners",
    "payoffs",
    "finished",
)


@dataclass(frozen=True)
class Start:
    """How a game began: from a seed, or from a given table."""

    table: dict[str, Any] | None
    state: State
    seed: int | None = None
    first_player: int | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "state", self.state.copy())


def write_record(game: Game, start: Start, moves: Sequence[int]) -> dict[str, Any]:
    """The record of the game that began with ``start`` and went on with ``moves``."""
    state = start.state.copy()
    written = [write_move(game, state, int(move)) for move in moves]
    finished = None
    if game.is_over(state):
        finished = "cut_off" if game.is_cut_off(state) else "terminated"
        if game.is_truncated(state):
            finished = "truncated"
    return {
        "game": game.id,
        "num_players": game.num_players,
        "options": dict(game.options),
        "seed": start.seed,
        "first_player": start.first_player,
        "deal": game.table(start.state),
        "moves": written,
        "scores": [int(score) for score in game.scores(state)],
        "winners": list(game.winners(state)),
        "payoffs": [float(reward) for reward in game.rewards(state)],
        "finished": finished,
    }


def write_move(game: Game, state: State, action: int) -> dict[str, Any]:
    """Play a move and tell of it."""
    before = state.copy()
    play_legal(state, action)
    return {
        "seat": game.seat(before),
        "action": game.action_names[action],
        **game.rulebook.told(at(before, 0), action, at(state, 0)),
    }
