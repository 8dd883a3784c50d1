"""The common deck: one table that rules, names, docs and tests read.

A *face* is a kind of card; the deck holds one or more copies of each. Faces are numbered in the
order in which a meld is laid out: train, rails, cities, towns, industries, bonuses; events last.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

TRAIN, RAIL, CITY, TOWN, INDUSTRY, BONUS, EVENT = KINDS = "TRCXIBE"
"""Types of cards, by the letters of the card list."""


class Card(NamedTuple):
    """One line of the card list.

    Attributes:
        name: as people write it.
        kind: one of ``KINDS``.
        copies: how many the deck holds.
        income: points the card itself scores in a meld.
        terrain: for an industry, the terrain of rails that adds ``extra``.
        extra: points added once if the meld has such a rail.
        per: for a bonus, the kind of card of which each in the meld scores a point.
    """

    name: str
    kind: str
    copies: int
    income: int = 0
    terrain: str = ""
    extra: int = 0
    per: str = ""


TERRAINS = ("Mountains", "Plains", "Coastal", "Forest", "Desert", "Hills")

CARDS = (
    Card("Train", TRAIN, 15, 1),
    *(Card(f"Rail ({terrain})", RAIL, 5, 1) for terrain in TERRAINS),
    Card("City", CITY, 15, 2),
    Card("Town", TOWN, 15, 1),
    Card("Station", INDUSTRY, 5, 1),
    Card("Copper Mine", INDUSTRY, 1, 1, "Mountains", 1),
    Card("Gold Mine", INDUSTRY, 1, 2, "Mountains", 1),
    Card("Quarry", INDUSTRY, 1, 1, "Mountains", 1),
    Card("Fishing", INDUSTRY, 1, 1, "Coastal", 1),
    Card("Port", INDUSTRY, 1, 2, "Coastal", 1),
    Card("Coal Mine", INDUSTRY, 1, 1, "Hills", 2),
    Card("Dairy Farms", INDUSTRY, 1, 1, "Hills", 1),
    Card("Cattle Ranch", INDUSTRY, 1, 2, "Plains", 1),
    Card("Cotton", INDUSTRY, 1, 1, "Plains", 1),
    Card("Corn Fields", INDUSTRY, 1, 1, "Plains", 1),
    Card("Oil Drilling", INDUSTRY, 1, 1, "Desert", 2),
    Card("Longhorns", INDUSTRY, 1, 1, "Desert", 1),
    Card("Saw Mill", INDUSTRY, 1, 2, "Forest", 1),
    Card("Paper Mill", INDUSTRY, 1, 1, "Forest", 2),
    Card("Factory", INDUSTRY, 1, 2),
    Card("Passengers", BONUS, 2, per=CITY),
    Card("Mail", BONUS, 2, per=TOWN),
    Card("Long Haul", BONUS, 2, per=RAIL),
    Card("Express", BONUS, 2, 1),
    Card("Freight", BONUS, 2, per=INDUSTRY),
    Card("Wreck", EVENT, 1),
    Card("Sell Stocks", EVENT, 1),
    Card("Buy Out", EVENT, 1),
    Card("Survey", EVENT, 1),
    Card("Investors", EVENT, 1),
    Card("Obsolescence", EVENT, 1),
    Card("Finance Crisis", EVENT, 1),
    Card("Patent", EVENT, 1),
    Card("Politics", EVENT, 1),
    Card("Land Grants", EVENT, 1),
)

NUM_FACES = len(CARDS)
FACE_NAMES = tuple(card.name for card in CARDS)
COPIES = np.array([card.copies for card in CARDS], np.int8)
INCOME = np.array([card.income for card in CARDS], np.int8)
DECK_SIZE = int(COPIES.sum())
MOST_COPIES = int(COPIES.max())


def _span(kind: str) -> tuple[int, int]:
    """First face of a kind, and the first one after it."""
    faces = [face for face, card in enumerate(CARDS) if card.kind == kind]
    return faces[0], faces[-1] + 1


TRAINS, RAILS, CITIES, TOWNS, INDUSTRIES, BONUSES, EVENTS = (_span(kind) for kind in KINDS)
"""First face of each kind, and the first one after it."""

THE_TRAIN, THE_CITY, THE_TOWN = TRAINS[0], CITIES[0], TOWNS[0]
"""The faces of kinds that have one only."""

INDUSTRY_RAIL = np.array(
    [
        FACE_NAMES.index(f"Rail ({card.terrain})") if card.terrain else -1
        for card in CARDS[INDUSTRIES[0] : INDUSTRIES[1]]
    ],
    np.int8,
)
"""For each industry the rail that adds to it, or -1."""
INDUSTRY_EXTRA = np.array([card.extra for card in CARDS[INDUSTRIES[0] : INDUSTRIES[1]]], np.int8)
BONUS_SPAN = np.array(
    [_span(card.per) if card.per else (0, 0) for card in CARDS[BONUSES[0] : BONUSES[1]]], np.int8
)
"""For each bonus the faces of which each card in the meld scores a point."""

(
    WRECK,
    SELL_STOCKS,
    BUY_OUT,
    SURVEY,
    INVESTORS,
    OBSOLESCENCE,
    FINANCE_CRISIS,
    PATENT,
    POLITICS,
    LAND_GRANTS,
) = range(*EVENTS)
