"""How many decisions a game can take."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from railenvs.games.deck_express.cards import NUM_TRACK
from railenvs.games.deck_express.state import DECK_SIZE


def max_length(num_players: int, options: Mapping[str, Any]) -> int:
    """The most decisions of a game.

    A turn draws a card of the deck or builds one of the track cards; the last card drawn, which is
    never a locomotive, ends the game in its drawer's hand. Each locomotive is assigned; then all
    reveal a share, and at the second dividend all pass one. (The first pass and the last reveal are
    forced.)
    """
    turns = DECK_SIZE[num_players] + NUM_TRACK - 1
    assigned = 2
    return turns + assigned + (2 + 1) * num_players
