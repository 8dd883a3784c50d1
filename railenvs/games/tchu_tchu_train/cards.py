"""The cards: two packs of 52, four Jokers beside them, and how they are numbered.

The two copies of a card are alike: hands, discards and memory count copies.
"""

from __future__ import annotations

SUITS = 4
RANKS = 13
NUM_CARDS = SUITS * RANKS
"""Different cards; card ``suit * RANKS + rank``, suits spades, hearts, diamonds, clubs."""
COPIES = 2
DECK_SIZE = NUM_CARDS * COPIES
"""Cards of both packs, Jokers apart: they have a pool of their own."""

RANK_NAMES = ("A", *(str(rank) for rank in range(2, 11)), "J", "Q", "K")
SUIT_NAMES = "SHDC"
CARD_NAMES = tuple(f"{rank}{suit}" for suit in SUIT_NAMES for rank in RANK_NAMES)
