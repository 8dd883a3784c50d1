"""Tchu Tchu Train, by its rulebook; the board is ours, generated, or the user's."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from railenvs.engine.rulebook import Option, Rulebook, register
from railenvs.engine.state import Record
from railenvs.games.tchu_tchu_train import table
from railenvs.games.tchu_tchu_train.actions import action_names
from railenvs.games.tchu_tchu_train.board import chosen_board, read_board
from railenvs.games.tchu_tchu_train.hidden import determinize
from railenvs.games.tchu_tchu_train.length import max_length
from railenvs.games.tchu_tchu_train.observation import fields, observe
from railenvs.games.tchu_tchu_train.preparation import deal, prepare
from railenvs.games.tchu_tchu_train.reading import read_table
from railenvs.games.tchu_tchu_train.rules import legal, play
from railenvs.games.tchu_tchu_train.scoring import scores, winners
from railenvs.games.tchu_tchu_train.state import DTYPE


def _prepare(state: Record, options: Mapping[str, Any]) -> None:
    state.generated = options["board"] == "generated"
    chosen_board(options).write(state)
    prepare(state)


def _action_names(num_players: int, options: Mapping[str, Any]) -> tuple[str, ...]:
    return action_names(chosen_board(options))


RULEBOOK = register(
    Rulebook(
        name="tchu_tchu_train",
        module=__name__,
        version=0,
        title="Tchu Tchu Train",
        dtype=DTYPE,
        seats=range(2, 5),
        default_players=3,
        options={
            "board": Option(
                ("default", "generated"),
                "ours; or one by lot for each game; or the path of a board file, its text, or a "
                "Board",
                read=read_board,
            )
        },
        action_names=_action_names,
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
