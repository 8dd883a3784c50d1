"""Deck EXPRESS: Tennessee Central, by its rulebook and its overview."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from railenvs.engine.rulebook import Option, Rulebook, register
from railenvs.engine.state import Record
from railenvs.games.deck_express import table
from railenvs.games.deck_express.hidden import determinize
from railenvs.games.deck_express.length import max_length
from railenvs.games.deck_express.observation import fields, observe
from railenvs.games.deck_express.rules import (
    ACTION_NAMES,
    deal,
    legal,
    play,
    prepare,
    scores,
    winners,
)
from railenvs.games.deck_express.state import DTYPE, SETUPS


def _prepare(state: Record, options: Mapping[str, Any]) -> None:
    state.setup = SETUPS.index(options["setup"])
    prepare(state)


RULEBOOK = register(
    Rulebook(
        name="deck_express",
        module=__name__,
        version=0,
        title="Deck EXPRESS: Tennessee Central",
        dtype=DTYPE,
        seats=range(2, 5),
        default_players=3,
        options={
            "setup": Option(
                SETUPS,
                "the rulebook's deck chart, or the overview's: each locomotive at a random place "
                "in a different third of the draw deck, never the very last card",
            )
        },
        action_names=ACTION_NAMES,
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
        read_table=table.read_table,
        told=table.told,
    )
)
