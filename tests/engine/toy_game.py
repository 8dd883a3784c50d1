"""A small game, to try what no real one needs: cut-off games, shared wins, wins by nobody.

Each seat in turn takes 0 to 2 points, a fixed number of times. Each holds a secret coin that
decides nothing. The option ``end`` tells how the game ends.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from railenvs.engine.compile import rule
from railenvs.engine.fields import Field
from railenvs.engine.game import Game
from railenvs.engine.random import below
from railenvs.engine.rulebook import WHEN_CUT_OFF, Option, Rulebook, register
from railenvs.engine.state import CUT_OFF, PLAYING, TERMINATED, record_dtype

MOST_SEATS = 5
ROUNDS = 3
ENDS = ("terminated", "cut off", "nobody wins")
NOBODY_WINS = ENDS.index("nobody wins")

# Kernels compiled for this game are kept on disk like any other's, in a folder that changes with
# the package's sources and not with this file: so its name does.
NAME = "toy_" + hashlib.blake2b(Path(__file__).read_bytes(), digest_size=6).hexdigest()

DTYPE = record_dtype(
    NAME,
    [
        ("end", np.int8),
        ("moves", np.int8),
        ("coin", np.int8, (MOST_SEATS,)),
        ("points", np.int8, (MOST_SEATS,)),
    ],
)


@rule
def deal(state: Any) -> None:
    for seat in range(state.num_players):
        state.coin[seat] = below(state, 2)
    state.seat = max(0, state.first_player)


@rule
def legal(state: Any, mask: Any) -> None:
    for action in range(3):
        mask[action] = 1


@rule
def play(state: Any, action: int) -> None:
    state.points[state.seat] += action
    state.moves += 1
    state.seat = (state.seat + 1) % state.num_players
    if state.moves == ROUNDS * state.num_players:
        state.ended = CUT_OFF if state.end == 1 else TERMINATED


@rule
def observe(state: Any, seat: int, out: Any) -> None:
    out[0] = state.coin[seat]
    for place in range(state.num_players):
        out[1 + place] = state.points[(seat + place) % state.num_players]


@rule
def determinize(state: Any, seat: int) -> None:
    for other in range(state.num_players):
        if other != seat:
            state.coin[other] = below(state, 2)


@rule
def scores(state: Any, out: Any) -> None:
    for seat in range(state.num_players):
        out[seat] = state.points[seat]


@rule
def winners(state: Any, out: Any) -> None:
    best = 0
    for seat in range(state.num_players):
        best = max(best, state.points[seat])
    for seat in range(state.num_players):
        out[seat] = state.points[seat] == best and state.end != NOBODY_WINS


def prepare(state: Any, options: Mapping[str, Any]) -> None:
    state.end = ENDS.index(options["end"])


def table(state: Any, seat: int | None) -> dict[str, Any]:
    coins = state.coin.tolist()
    return {
        "turn": int(state.seat),
        "over": bool(state.ended != PLAYING),
        "seats": [
            {"coin": coins[other] if seat in (None, other) else None, "points": int(points)}
            for other, points in enumerate(state.points[: state.num_players])
        ],
    }


def read_table(state: Any, given: Mapping[str, Any]) -> None:
    raise ValueError("no table can be given")


def told(before: Any, action: int, after: Any) -> dict[str, Any]:
    return {"points": int(after.points[before.seat])}


def fields(num_players: int) -> tuple[Field, ...]:
    return (
        Field("coin", (1,), 1, "my coin"),
        Field("points", (num_players,), 2 * ROUNDS, "points of each seat, me first"),
    )


def rulebook(**changes: Any) -> Rulebook:
    """The toy's rulebook, or one that differs from it."""
    parts: dict[str, Any] = {
        "name": NAME,
        "version": 0,
        "title": "Toy",
        "dtype": DTYPE,
        "seats": range(2, MOST_SEATS + 1),
        "default_players": 3,
        "options": {"end": Option(ENDS, "how the game ends"), "cut_off": WHEN_CUT_OFF},
        "action_names": ("take 0", "take 1", "take 2"),
        "fields": fields,
        "prepare": prepare,
        "deal": deal,
        "legal": legal,
        "play": play,
        "observe": observe,
        "determinize": determinize,
        "scores": scores,
        "winners": winners,
        "table": table,
        "read_table": read_table,
        "told": told,
        "max_length": lambda num_players, options: ROUNDS * num_players,
    }
    return Rulebook(**{**parts, **changes})


RULEBOOK = register(rulebook())


def toy(num_players: int = 3, **options: Any) -> Game:
    """The toy with players and options fixed."""
    return Game(RULEBOOK, num_players, options)
