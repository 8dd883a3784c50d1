"""The table of EXPRESS as one record."""

from __future__ import annotations

import numpy as np

from railenvs.engine.state import record_dtype
from railenvs.games.express.cards import NUM_FACES, NUM_VEHICLES

MAX_SEATS = 4
CARDS_DEALT = 7
LARGEST_HAND = 8
"""Seven cards and the one just drawn."""
LARGEST_STOCK = 25
LONGEST_WAY = 6
"""Steps right out of the station: one more than the cards of a train."""
FULL_TRAIN, SHORT_TRAIN = 5, 4
TURNS_A_SEAT = 100
"""Turns of a hand, for each seat, after which it is cut off unless ``max_turns`` is given."""
MOST_TURNS = 10_000
MOST_HANDS = 20

DRAW, CLAIM, ACT, DISCARD, HAND_OVER, LAY_OUT, EXCHANGE = range(7)
"""Values of ``state.phase``.

``ACT``: the turn's player has drawn and may still ask, lay out or exchange instead of discarding;
``DISCARD``: nothing else is left. In ``CLAIM`` and ``HAND_OVER`` another seat acts. ``HAND_OVER``,
``LAY_OUT`` and ``EXCHANGE`` ask which of several fitting cards it shall be.
"""
PHASES = ("draw", "claim", "act", "discard", "hand_over", "lay_out", "exchange")

TURNED_UP, DISCARDED, BARRED = range(3)
"""Values of ``state.top_is``: turned up at the deal, discarded, a Pass that may not be taken.

Where there is no face-up card it is ``TURNED_UP``, as in a blank record.
"""

NONE = -1
"""No card, region, seat or request."""

PUBLIC = MAX_SEATS
"""Row of the memory fields that holds what anyone watching knows; the others are the seats'."""
ROWS = MAX_SEATS + 1

DTYPE = record_dtype(
    "express",
    [
        ("hands", np.int8),  # agreed number of hands
        ("short_trains", np.int8),
        ("assigned_regions", np.int8),
        ("max_turns", np.int16),  # of all seats together, a hand
        ("hands_left", np.int8),  # the one being played included
        ("starter", np.int8),  # who began this hand
        ("turns", np.int16),  # finished in this hand
        ("turn", np.int8),  # whose turn it is
        ("phase", np.int8),
        ("stock", np.int8, (LARGEST_STOCK,)),  # faces, the last one is drawn next
        ("stock_count", np.int8),
        ("pile", np.int8, (NUM_FACES,)),  # cards of each face
        ("top", np.int8),  # face of the last discard until it is taken
        ("top_is", np.int8),
        ("hand", np.int8, (MAX_SEATS, NUM_FACES)),
        ("hand_count", np.int8, (MAX_SEATS,)),
        ("picked_up", np.int8),  # the signal that may not be discarded this turn
        ("train", np.int8, (MAX_SEATS, NUM_VEHICLES)),  # laid out: 0/1
        ("region", np.int8, (MAX_SEATS,)),  # of the train laid out
        ("position", np.int8, (MAX_SEATS,)),  # steps moved forward
        ("assigned", np.int8, (MAX_SEATS,)),  # region told to a younger player
        ("request", np.int8),  # what the seat to act is asked for, in HAND_OVER
        ("laying", np.int8),  # region being laid out, in LAY_OUT
        ("picked", np.int8, (NUM_VEHICLES,)),  # still in hand, but chosen for that train: 0/1
        ("exchanging", np.int8),  # Pool card being taken, in EXCHANGE
        ("moved_out", np.int8),  # seat that won the hand just ended
        ("score", np.int16, (MAX_SEATS,)),  # of the hands ended
        # What a seat (row) knows for certain; see memory.py.
        ("known", np.int8, (ROWS, MAX_SEATS, NUM_FACES)),
        ("known_count", np.int8, (ROWS, MAX_SEATS)),
        ("absent", np.int8, (ROWS, MAX_SEATS, NUM_VEHICLES)),
        ("stock_at_most", np.int8, (ROWS, NUM_FACES)),
        ("old_at_most", np.int8, (ROWS, NUM_FACES)),
        ("new_at_least", np.int8, (ROWS, MAX_SEATS)),
        ("new_at_most", np.int8, (ROWS, MAX_SEATS)),
    ],
)
