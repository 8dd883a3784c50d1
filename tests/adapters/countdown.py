"""A tiny game for what the real ones seldom do: ending before a seat has acted, being cut off."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Any

from railenvs.engine.compile import rule
from railenvs.engine.fields import Field
from railenvs.engine.game import Game
from railenvs.engine.random import below
from railenvs.engine.rulebook import WHEN_CUT_OFF, Rulebook, register
from railenvs.engine.state import AT_RANDOM, CUT_OFF, TERMINATED, record_dtype

WAIT, AGAIN, CLAIM = range(3)

# Kernels are kept on disk by the record's type, so a changed rule needs a new name.
_NAME = "countdown_" + hashlib.blake2b(Path(__file__).read_bytes(), digest_size=4).hexdigest()


@rule
def deal(state):
    state.seat = below(state, state.num_players)
    if state.first_player != AT_RANDOM:
        state.seat = state.first_player
    state.left = 1 + below(state, 9)
    state.winner = -1
    _start_turn(state)


@rule
def _start_turn(state):
    state.open = below(state, 3) == 0
    state.balance = below(state, 9) - 5


@rule
def legal(state, mask):
    mask[WAIT] = 1
    mask[AGAIN] = 1
    mask[CLAIM] = state.open


@rule
def play(state, action):
    state.left = int(state.left) - 1
    if action == CLAIM:
        state.winner = state.seat
        state.ended = TERMINATED
    elif state.left == 0:
        state.ended = CUT_OFF
    else:
        if action == WAIT:
            state.seat = (int(state.seat) + 1) % int(state.num_players)
        _start_turn(state)


@rule
def observe(state, seat, out):
    out[0] = state.left
    out[1] = state.open
    out[2] = state.balance
    out[3] = (int(state.seat) + int(state.num_players) - seat) % int(state.num_players)


@rule
def determinize(state, seat):
    pass


@rule
def scores(state, out):
    for seat in range(state.num_players):
        out[seat] = 10 if state.winner == seat else seat


@rule
def winners(state, out):
    for seat in range(state.num_players):
        out[seat] = state.winner == seat


def _fields(num_players: int) -> list[Field]:
    return [
        Field("left", (1,), 9, "moves left"),
        Field("open", (1,), 1, "whether the win can be claimed"),
        Field("balance", (1,), 3, "of no use", low=-5),
        Field("turn", (1,), num_players - 1, "who acts"),
    ]


def _table(state: Any, seat: int | None) -> dict[str, Any]:
    return {"left": int(state.left), "seats": [{} for _ in range(state.num_players)]}


def _unsupported(*arguments: Any) -> Any:
    raise ValueError("not part of this game")


COUNTDOWN = register(
    Rulebook(
        name=_NAME,
        version=0,
        title="Countdown",
        dtype=record_dtype(
            _NAME,
            [(name, "i1") for name in ("left", "open", "balance", "winner")],
        ),
        seats=range(2, 5),
        default_players=2,
        options={"cut_off": WHEN_CUT_OFF},
        action_names=("wait", "again", "claim"),
        fields=_fields,
        deal=deal,
        legal=legal,
        play=play,
        observe=observe,
        determinize=determinize,
        scores=scores,
        winners=winners,
        prepare=lambda state, options: None,
        table=_table,
        read_table=_unsupported,
        told=_unsupported,
        max_length=lambda num_players, options: 9,
    )
)


def countdown(num_players: int = 2, **options: Any) -> Game:
    return Game(COUNTDOWN, num_players, options)
