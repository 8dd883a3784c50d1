"""How many decisions a game can take."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from railenvs.games.express.cards import COPIES, PASS
from railenvs.games.express.state import FULL_TRAIN, TURNS_A_SEAT


def max_length(num_players: int, options: Mapping[str, Any]) -> int:
    """At least as many decisions as any game takes.

    A turn takes the face-up card or draws, and discards. Between the two every Pass Card can cost
    two decisions at most: in one hand the card is asked for and chosen by its giver, who then has
    the Pass, in another its holder lets the face-up card go (a single decision). Besides, each seat
    lays out one train a hand: which one, and a choice for each of its cards at most. Of the Pool
    cards in it (an engine, a coach or wagon, a van) each can be exchanged once, for a card of
    choice.
    """
    max_turns = int(options["max_turns"] or TURNS_A_SEAT * num_players)
    a_turn = 1 + 2 * COPIES[PASS] + 1
    lay_out = 1 + FULL_TRAIN
    exchanges = 3 * 2
    return int(options["hands"]) * (a_turn * max_turns + (lay_out + exchanges) * num_players)
