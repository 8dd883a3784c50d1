"""The table of Deck EXPRESS as one record."""

from __future__ import annotations

import numpy as np

from railenvs.engine.state import record_dtype
from railenvs.games.deck_express.cards import NUM_COMPANIES, NUM_SHARES, NUM_TRACK

MAX_SEATS = 4
DECK_SIZE = (0, 0, 28, 23, 18)
"""Cards in the draw deck by number of players, locomotives included."""
LARGEST_DECK = 28
TRACK_DEALT = 5
SHARES_DEALT = 3
DIVIDENDS = 3
TALLEST_STACK = 12
"""Ace, nine track cards, two locomotives."""

BUILD_OR_INVEST, ASSIGN_LOCOMOTIVE, REVEAL_SHARE, PASS_SHARE = range(4)
"""Values of ``state.phase``."""
PHASES = ("build_or_invest", "assign_locomotive", "reveal_share", "pass_share")

CHART, THIRDS = range(2)
"""Values of ``state.setup``."""
SETUPS = ("chart", "thirds")

NOTHING = -1
"""No share laid aside (``choice``), no company yet (``assigned``), a card gone (``deck``)."""


def least_money(dividends: int) -> int:
    """The least that a seat can have received: a dollar for one share, then two, then three."""
    return dividends * (dividends + 1) // 2


def most_money(dividends: int) -> int:
    """The most that a seat can have received: the same shares, all on the tallest stacks."""
    return least_money(dividends) * TALLEST_STACK


DTYPE = record_dtype(
    "deck_express",
    [
        ("setup", np.int8),
        ("phase", np.int8),
        ("turn", np.int8),  # whose turn it is; during a dividend, who drew
        ("drawn", np.int8),  # cards drawn so far
        ("dividends", np.int8),  # dividends paid so far
        ("deck", np.int8, (LARGEST_DECK,)),  # in the order of drawing; drawn track is gone
        ("locomotive_window", np.int8, (2, 2)),  # first and last draw at which each may come
        ("assigned", np.int8, (2,)),  # the company each locomotive pulls
        ("track", np.int8, (MAX_SEATS, NUM_TRACK)),  # in hand: 0/1
        ("track_count", np.int8, (MAX_SEATS,)),
        ("shares", np.int8, (MAX_SEATS, NUM_SHARES)),  # in hand: 0/1
        ("shown", np.int8, (MAX_SEATS, NUM_SHARES)),  # face up before the seat: 0/1
        ("unseen_track", np.int8, (MAX_SEATS, NUM_TRACK)),  # the seat neither held nor saw it: 0/1
        ("unseen_shares", np.int8, (MAX_SEATS, NUM_SHARES)),
        ("choice", np.int8, (MAX_SEATS,)),  # the share laid aside in secret
        ("built", np.int8, (NUM_TRACK,)),  # played on the stacks: 0/1
        ("top", np.int8, (NUM_COMPANIES,)),
        ("height", np.int8, (NUM_COMPANIES,)),
        ("money", np.int8, (MAX_SEATS,)),
    ],
)
