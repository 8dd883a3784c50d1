"""Pepys' EXPRESS, by its rulebook, with the shorter and the younger players' game."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from railenvs.engine.rulebook import WHEN_CUT_OFF, Option, Rulebook, register
from railenvs.engine.state import Record
from railenvs.games.express import table
from railenvs.games.express.hidden import determinize
from railenvs.games.express.length import max_length
from railenvs.games.express.observation import fields, observe
from railenvs.games.express.reading import read_table
from railenvs.games.express.rules import (
    action_names,
    deal,
    legal,
    play,
    prepare,
    scores,
    winners,
)
from railenvs.games.express.state import DTYPE, MOST_HANDS, MOST_TURNS, TURNS_A_SEAT


def _prepare(state: Record, options: Mapping[str, Any]) -> None:
    state.hands = options["hands"]
    state.short_trains = options["short_trains"]
    state.assigned_regions = options["assigned_regions"]
    state.max_turns = options["max_turns"] or TURNS_A_SEAT * int(state.num_players)
    prepare(state)


RULEBOOK = register(
    Rulebook(
        name="express",
        module=__name__,
        version=0,
        title="EXPRESS",
        dtype=DTYPE,
        seats=range(2, 5),
        default_players=4,
        options={
            "hands": Option(
                range(1, MOST_HANDS + 1),
                "agreed number of hands; the highest total wins",
                examples=(2,),
            ),
            "short_trains": Option(
                (False, True), "the alternative shorter game: trains of four cards"
            ),
            "assigned_regions": Option(
                (False, True), "for younger players: each seat is told a Region of its own"
            ),
            "max_turns": Option(
                range(MOST_TURNS + 1),
                "turns of all seats together after which a hand is cut off; 0 stands for "
                f"{TURNS_A_SEAT} a seat",
                examples=(150,),
            ),
            "cut_off": WHEN_CUT_OFF,
        },
        action_names=action_names,
        fields=fields,
        max_length=max_length,
        prepare=_prepare,
        deal=deal,
        legal=legal,
        play=play,
        observe=observe,
        determinize=determinize,
        scores=scores,
        winners=winners,
        table=table.table,
        read_table=read_table,
        told=table.told,
    )
)
