"""Games so small that the right move is known, for players that search.

``nim``: each seat in turn takes one to three stones; who takes the last one wins.
``trap``: seat 0 goes left or right. Right, a coin decides. Left, seat 1 wins by one of its three
replies and loses by the two others.
``call``: one of four cards lies before seat 1. Seat 0 calls "three" or "less"; who is right wins.
``pay``: seat 0 takes 0 to 2 points, seat 1 then has 1; the most points win. The rewards differ.
``stall``: one of four cards is hidden. Seat 0 goes left, which cuts the game off, or right, which
wins by the last card alone.
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
from railenvs.engine.state import CUT_OFF, TERMINATED, record_dtype

KINDS = ("nim", "trap", "call", "pay", "stall")
NIM, TRAP, CALL, PAY, STALL = range(5)
LEFT, RIGHT = 0, 1
THREE, LESS = 0, 1
MOST_SEATS = 3

# Kernels are kept on disk by the record's type, so a changed rule needs a new name.
NAME = "puzzle_" + hashlib.blake2b(Path(__file__).read_bytes(), digest_size=6).hexdigest()

DTYPE = record_dtype(
    NAME,
    [
        ("kind", np.int8),
        ("stones", np.int8),
        ("moves", np.int8),
        ("card", np.int8),
        ("points", np.int8, (MOST_SEATS,)),
    ],
)


@rule
def deal(state: Any) -> None:
    state.card = below(state, 4)
    state.seat = 0


@rule
def legal(state: Any, mask: Any) -> None:
    for action in range(3):
        mask[action] = 1
        if state.kind == NIM:
            mask[action] = action < state.stones
        elif state.kind == CALL or state.kind == STALL or (state.kind == TRAP and state.moves == 0):
            mask[action] = action < 2


@rule
def play(state: Any, action: int) -> None:
    state.moves += 1
    if state.kind == NIM:
        state.stones -= action + 1
        if state.stones == 0:
            state.points[state.seat] = 1
            state.ended = TERMINATED
        state.seat = (state.seat + 1) % state.num_players
    elif state.kind == CALL:
        right = (action == THREE) == (state.card == 3)
        state.points[0 if right else 1] = 1
        state.ended = TERMINATED
    elif state.kind == STALL:
        state.points[0 if state.card == 3 else 1] = action == RIGHT
        state.ended = TERMINATED if action == RIGHT else CUT_OFF
    elif state.kind == PAY:
        state.points[0] = action
        state.points[1] = 1
        state.ended = TERMINATED
    elif state.seat == 0:
        state.seat = 1
        if action == RIGHT:
            state.points[below(state, 2)] = 1
            state.ended = TERMINATED
    else:
        state.points[1 if action == 0 else 0] = 1
        state.ended = TERMINATED


@rule
def observe(state: Any, seat: int, out: Any) -> None:
    out[0] = state.stones
    out[1] = state.card if seat == 1 else 0


@rule
def determinize(state: Any, seat: int) -> None:
    if seat != 1:
        state.card = below(state, 4)


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
        out[seat] = state.points[seat] == best


def prepare(state: Any, options: Mapping[str, Any]) -> None:
    state.kind = KINDS.index(options["kind"])
    state.stones = options["stones"]


def table(state: Any, seat: int | None) -> dict[str, Any]:
    return {"stones": int(state.stones), "seats": [{} for _ in range(state.num_players)]}


def unsupported(*arguments: Any) -> Any:
    raise ValueError("not part of this game")


RULEBOOK = register(
    Rulebook(
        name=NAME,
        version=0,
        title="Puzzle",
        dtype=DTYPE,
        seats=range(2, MOST_SEATS + 1),
        default_players=2,
        options={
            "kind": Option(KINDS, "which puzzle"),
            "stones": Option(range(1, 100), "stones to take"),
            "cut_off": WHEN_CUT_OFF,
        },
        action_names=("first", "second", "third"),
        fields=lambda num_players: (
            Field("stones", (1,), 100, "stones left"),
            Field("card", (1,), 3, "the card"),
        ),
        prepare=prepare,
        deal=deal,
        legal=legal,
        play=play,
        observe=observe,
        determinize=determinize,
        scores=scores,
        winners=winners,
        table=table,
        read_table=unsupported,
        told=unsupported,
        max_length=lambda num_players, options: options["stones"] + 2,
    )
)


def puzzle(kind: str, num_players: int = 2, **options: Any) -> Game:
    """A puzzle by its kind."""
    return Game(RULEBOOK, num_players, {"kind": kind, **options})
