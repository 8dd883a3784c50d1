"""How many decisions a game can take."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from railenvs.games.tchu_tchu_train.state import ROW_SIZE, STATIONS, TRAINS


def max_length(num_players: int, options: Mapping[str, Any]) -> int:
    """At least as many decisions as any game takes.

    All seats decide on their first hand. A station is a turn of one decision; all other turns place
    trains. A single one takes most: to place it, to end the placing, to take a card, to ask for a
    refresh, and four times to choose a place of the row and a card for it. Turns of k trains take
    k + 1 and the cards taken, of which there are over a game no more than trains: hands are never
    fuller than at first, and a station's card is made good by its Joker. Behind a seat's last train
    the placing ends unasked.
    """
    trains = TRAINS[num_players] * num_players
    single = 1 + 1 + 1 + 1 + 2 * ROW_SIZE
    first_hands = last_trains = num_players
    return first_hands + STATIONS + single * trains - last_trains
