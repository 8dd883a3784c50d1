"""Boards by lot: the cards of the grid, laid so that play is even all over the board.

The grid has 8 rows of 13 cells. Each pair of rows holds two interlocking areas, 7 + 6 and 6 + 7
cells. What every generated board keeps to:

* each rank stands once in every area;
* no two neighbouring cells show the same rank;
* the two copies of a card are at least ``APART`` steps apart;
* every row has three or four cells of each suit;
* the cards of the rulebook's example, KD, 7C, 2S and 5S, form a connected group.

Everything is drawn with the record's own generator, so a game's seed fixes its board.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from railenvs.engine.compile import rule
from railenvs.engine.random import below, shuffle
from railenvs.engine.state import Record
from railenvs.games.tchu_tchu_train.cards import CARD_NAMES, RANKS, SUITS
from railenvs.games.tchu_tchu_train.state import NOTHING, NUM_AREAS, NUM_CELLS, SIDES

ROWS = 8
COLUMNS = RANKS
APART = 5
EXAMPLE = tuple(CARD_NAMES.index(card) for card in ("KD", "7C", "2S", "5S"))

_LEFT = (7, 6)
"""Cells of the left area in the upper and the lower row of a pair."""
_FEWEST, _MOST = COLUMNS // SUITS, COLUMNS // SUITS + 1
"""Cells of one suit in a row."""
_TRIES = 1000
"""Attempts at one step before everything is begun anew; hardly ever reached."""


def grid_area(row: int, column: int) -> int:
    """The area of a cell of the grid."""
    return 2 * (row // 2) + (0 if column < _LEFT[row % 2] else 1)


@rule
def lay_cards(state: Record) -> None:
    """Lay the cards of a board; the record holds the grid's cells, areas and neighbours."""
    ranks = np.empty(NUM_CELLS, np.int8)
    suits = np.empty(NUM_CELLS, np.int8)
    fixed = np.empty(NUM_CELLS, np.int8)
    places = np.empty((NUM_AREAS, RANKS), np.int8)
    note_places(state, places)
    laid = False
    while not laid:
        lay_example(state, ranks, suits, fixed)
        laid = lay_ranks(state, ranks, fixed, places)
        # From here on the cells of a rank, one an area, are what counts.
        laid = laid and lay_suits(state, ranks, suits, fixed, places)
    for cell in range(NUM_CELLS):
        state.cell_card[cell] = suits[cell] * RANKS + ranks[cell]


@rule
def note_places(state: Record, places: Any) -> None:
    """Write the cells of each area."""
    count = np.zeros(NUM_AREAS, np.int64)
    for cell in range(NUM_CELLS):
        area = int(state.cell_area[cell])
        places[area, count[area]] = cell
        count[area] += 1


@rule
def lay_example(state: Record, ranks: Any, suits: Any, fixed: Any) -> None:
    """Lay the example's cards, in any order, on a connected group that grows by lot."""
    for cell in range(NUM_CELLS):
        ranks[cell] = NOTHING
        fixed[cell] = 0
    cards = np.array(EXAMPLE)
    shuffle(state, cards, 0, len(EXAMPLE))
    group = np.empty(len(EXAMPLE), np.int64)
    group[0] = below(state, NUM_CELLS)
    grown = 0
    while grown < len(EXAMPLE):
        cell = group[0]
        if grown > 0:
            cell = int(state.neighbours[group[below(state, grown)], below(state, SIDES)])
        if cell != NOTHING and not fixed[cell]:
            group[grown] = cell
            fixed[cell] = 1
            suits[cell] = cards[grown] // RANKS
            ranks[cell] = cards[grown] % RANKS
            grown += 1


@rule
def lay_ranks(state: Record, ranks: Any, fixed: Any, places: Any) -> bool:
    """Lay every rank once in each area, then part neighbours of one rank by swaps."""
    left = np.empty(RANKS, np.int8)
    for area in range(NUM_AREAS):
        count = 0
        for rank in range(RANKS):
            there = False
            for place in range(RANKS):
                there |= ranks[places[area, place]] == rank
            if not there:
                left[count] = rank
                count += 1
        shuffle(state, left, 0, count)
        for place in range(RANKS):
            cell = places[area, place]
            if not fixed[cell]:
                count -= 1
                ranks[cell] = left[count]
    for _ in range(_TRIES):
        alike = 0
        for cell in range(NUM_CELLS):
            now = same_rank_beside(state, ranks, cell)
            alike += now
            if now == 0 or fixed[cell]:
                continue
            other = int(places[state.cell_area[cell], below(state, RANKS)])
            if fixed[other]:
                continue
            now += same_rank_beside(state, ranks, other)
            ranks[cell], ranks[other] = ranks[other], ranks[cell]
            then = same_rank_beside(state, ranks, cell) + same_rank_beside(state, ranks, other)
            if then > now:
                ranks[cell], ranks[other] = ranks[other], ranks[cell]
        if alike == 0:
            return True
    return False


@rule
def same_rank_beside(state: Record, ranks: Any, cell: int) -> int:
    """How many neighbours of a cell show its rank."""
    count = 0
    for side in range(SIDES):
        other = state.neighbours[cell, side]
        if other != NOTHING:
            count += ranks[other] == ranks[cell]
    return count


@rule
def lay_suits(state: Record, ranks: Any, suits: Any, fixed: Any, places: Any) -> bool:
    """Give the cells of each rank every suit twice, far apart, then even out the rows."""
    cells = np.empty((RANKS, NUM_AREAS), np.int8)
    for area in range(NUM_AREAS):
        for place in range(RANKS):
            cell = places[area, place]
            cells[ranks[cell], area] = cell
    for rank in range(RANKS):
        if not pair_suits(state, cells[rank], suits, fixed):
            return False
    return even_out_rows(state, cells, suits, fixed)


@rule
def pair_suits(state: Record, cells: Any, suits: Any, fixed: Any) -> bool:
    """Give the cells of one rank their suits so that copies lie apart."""
    lot = np.empty(NUM_AREAS, np.int8)
    for area in range(NUM_AREAS):
        lot[area] = area % SUITS
    for _ in range(_TRIES):
        shuffle(state, lot, 0, NUM_AREAS)
        fits = True
        for area in range(NUM_AREAS):
            fits &= not fixed[cells[area]] or suits[cells[area]] == lot[area]
            for other in range(area):
                if lot[other] == lot[area]:
                    fits &= distance(state, cells[area], cells[other]) >= APART
        if fits:
            for area in range(NUM_AREAS):
                suits[cells[area]] = lot[area]
            return True
    return False


@rule
def even_out_rows(state: Record, cells: Any, suits: Any, fixed: Any) -> bool:
    """Swap suits between cells of one rank until each row has three or four of each suit."""
    held = np.zeros((ROWS, SUITS), np.int64)
    for cell in range(NUM_CELLS):
        held[state.cell_row[cell], suits[cell]] += 1
    uneven = 0
    for row in range(ROWS):
        for suit in range(SUITS):
            uneven += unevenness(held[row, suit])
    for _ in range(_TRIES * RANKS):
        if uneven == 0:
            return True
        of_rank = cells[below(state, RANKS)]
        one = int(of_rank[below(state, NUM_AREAS)])
        other = int(of_rank[below(state, NUM_AREAS)])
        suit, new_suit = suits[one], suits[other]
        if suit == new_suit or fixed[one] or fixed[other]:
            continue
        if not (
            stays_apart(state, of_rank, suits, one, other)
            and stays_apart(state, of_rank, suits, other, one)
        ):
            continue
        change = shift(held, state.cell_row[one], suit, new_suit)
        change += shift(held, state.cell_row[other], new_suit, suit)
        if change > 0:
            shift(held, state.cell_row[one], new_suit, suit)
            shift(held, state.cell_row[other], suit, new_suit)
        else:
            suits[one], suits[other] = new_suit, suit
            uneven += change
    return False


@rule
def stays_apart(state: Record, of_rank: Any, suits: Any, taker: int, giver: int) -> bool:
    """Whether a cell that took another's suit would be far enough from its other copy."""
    apart = True
    for area in range(NUM_AREAS):
        cell = of_rank[area]
        if cell != giver and suits[cell] == suits[giver]:
            apart &= distance(state, cell, taker) >= APART
    return apart


@rule
def shift(held: Any, row: int, suit: int, new_suit: int) -> int:
    """Count a cell of a row under another suit; returns the change in unevenness."""
    before = unevenness(held[row, suit]) + unevenness(held[row, new_suit])
    held[row, suit] -= 1
    held[row, new_suit] += 1
    return unevenness(held[row, suit]) + unevenness(held[row, new_suit]) - before


@rule
def unevenness(count: int) -> int:
    """How far a number of cells of one suit is from what a row should have."""
    return max(_FEWEST - count, 0) + max(count - _MOST, 0)


@rule
def distance(state: Record, cell: int, other: int) -> int:
    """Steps from one cell of the grid to another."""
    rows = int(state.cell_row[cell]) - int(state.cell_row[other])
    columns = int(state.cell_column[cell]) - int(state.cell_column[other])
    return abs(rows) + abs(columns)
