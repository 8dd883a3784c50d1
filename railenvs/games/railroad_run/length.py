"""How many decisions a game can take."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from railenvs.games.railroad_run.events import LAND_GRANTS_CARDS, LAND_GRANTS_OTHERS
from railenvs.games.railroad_run.state import (
    MOST_OFFERED,
    OFFERS,
    PLAYS,
    STARTING_CARDS,
    SURVEYOR_CARDS,
    TURNS_A_SEAT,
)
from railenvs.games.railroad_run.turn import MOST_INCOME_CARDS


def max_length(num_players: int, options: Mapping[str, Any]) -> int:
    """At least as many decisions as any game takes.

    Cards chosen for a meld, an upgrade or at the hand limit leave a hand, so over a game no more of
    them are chosen than come into hands. A turn brings the Income Phase's, and each play some; what
    a play itself costs leaves unasked. In cards it brings and decisions of its own no play passes
    Land Grants: one decision, and cards for all, less the one played. (Sell Stocks comes to 5,
    Survey to 4, all others to less.) A turn's other decisions are "done" with the Event Phase and
    with the meld, and offers: to make one, to whom, three cards to give (or fewer and "done"),
    three that are wanted, to send it, and the answer.
    """
    max_turns = int(options["max_turns"] or TURNS_A_SEAT * num_players)
    others = num_players - 1
    play = 1 + LAND_GRANTS_CARDS + LAND_GRANTS_OTHERS * others - 1
    offer = 1 + (others > 1) + MOST_OFFERED + MOST_OFFERED + 1 + 1
    a_turn = MOST_INCOME_CARDS + PLAYS * play + 2 + (OFFERS * offer if options["trades"] else 0)
    dealt = STARTING_CARDS * num_players
    if options["starting_companies"]:
        # One seat is dealt the Surveyor's cards; one has another play in each of its turns.
        dealt += SURVEYOR_CARDS
        dealt += play * -(-max_turns // num_players)
    return dealt + a_turn * max_turns
