"""The 54 cards: 12 shares, 4 aces, 36 track and 2 locomotives, and how they are numbered."""

from __future__ import annotations

COMPANIES = ("spades", "hearts", "diamonds", "clubs")
"""The four railway companies, one a suit."""

NUM_COMPANIES = 4
RANKS = 9
"""Track cards of a company: 2 to 10."""
FACES = 3
"""Shares of a company: jack, queen, king, all alike but for the name."""

NUM_TRACK = NUM_COMPANIES * RANKS
"""Track card ``company * RANKS + rank - 2``."""
NUM_SHARES = NUM_COMPANIES * FACES
"""Share ``company * FACES + face``."""

LOCOMOTIVE = NUM_TRACK
"""A locomotive in the draw deck, where it lies among track cards."""

ACE = 1
"""The top of a stack on which nothing has been built: it pays its rank, 1."""
LOCOMOTIVE_ON_TOP = 11
"""The top of a stack that a locomotive pulls: it pays the number of cards in it."""

_SUITS = "SHDC"
TRACK_NAMES = tuple(f"{rank}{suit}" for suit in _SUITS for rank in range(2, 11))
SHARE_NAMES = tuple(f"{face}{suit}" for suit in _SUITS for face in "JQK")
ACE_NAMES = tuple(f"A{suit}" for suit in _SUITS)
LOCOMOTIVE_NAMES = ("L1", "L2")
"""In the order in which they come."""
