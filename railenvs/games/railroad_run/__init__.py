"""Railroad Run, by its rulebook (004), with its three optional rules."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from railenvs.engine.rulebook import Option, Rulebook, register
from railenvs.games.railroad_run import table as tables
from railenvs.games.railroad_run.actions import action_names
from railenvs.games.railroad_run.hidden import determinize
from railenvs.games.railroad_run.observation import fields, observe
from railenvs.games.railroad_run.reading import read_table
from railenvs.games.railroad_run.rules import deal, legal, play, prepare, scores, winners
from railenvs.games.railroad_run.state import COMPANIES, DTYPE, MAX_SEATS, MOST_TURNS, TURNS_A_SEAT


def _action_names(num_players: int, options: Mapping[str, Any]) -> tuple[str, ...]:
    return action_names(num_players)


RULEBOOK = register(
    Rulebook(
        name="railroad_run",
        module=__name__,
        version=0,
        title="Railroad Run",
        dtype=DTYPE,
        seats=range(2, MAX_SEATS + 1),
        default_players=4,
        options={
            "trans_continental": Option(
                (False, True), "the first meld with four rails or more scores 5 more"
            ),
            "civil_war": Option(
                (False, True), "the first time the deck is used up, all hands are discarded"
            ),
            "starting_companies": Option(
                (False, True),
                f"each seat starts with a company of its own, at most {len(COMPANIES)} seats",
                seats=range(2, len(COMPANIES) + 1),
            ),
            "trades": Option((True, False), "the seat whose turn it is may offer trades"),
            "max_turns": Option(
                range(MOST_TURNS + 1),
                "turns of all seats together after which the game is cut off; 0 stands for "
                f"{TURNS_A_SEAT} a seat",
                examples=(250,),
            ),
        },
        action_names=_action_names,
        fields=fields,
        prepare=prepare,
        deal=deal,
        legal=legal,
        play=play,
        observe=observe,
        determinize=determinize,
        scores=scores,
        winners=winners,
        table=tables.table,
        read_table=read_table,
        told=tables.told,
    )
)
