"""The sets of cells that a hand can cover in Tchu Tchu Train, searched and judged, compiled."""

from __future__ import annotations

from typing import Any

import numpy as np

from railenvs.engine.compile import rule
from railenvs.games.tchu_tchu_train.scoring import TURN_POINTS
from railenvs.games.tchu_tchu_train.state import HAND_SIZE, NOTHING, NUM_CELLS, SIDES

_POINTS = np.array(TURN_POINTS, np.float64)
_MOST_SETS = 3000
"""Sets searched at most from one first cell; far more than hands usually allow."""

TRAIN, MASS, USE_JOKER, BUILD, NEAR, EXCHANGE, BESIDE, CLOSE, DRAW, KEEP = range(10)
"""Places of the weights in an array."""
OF_USE_LATER = [TRAIN, USE_JOKER]
"""Weights of what is kept for later turns: nothing, in the last."""


CARD, EMPTY, VACANT, OWN, STATION, TURN = range(6)
"""Rows of a board: a card, flags, own trains, flags, per cell."""
LABEL, SIZE, LINKED = range(3)
"""Rows of the masses: label by cell; trains and stations (one bit an eighth) by label."""


@rule
def note_masses(board: Any, neighbours: Any, mass: Any) -> None:
    """Find my masses: a label for each cell (0: none), trains and adjoining stations by label."""
    numbers = np.zeros(NUM_CELLS, np.int64)
    found = 0
    for cell in range(NUM_CELLS):
        mass[LABEL, cell] = 0
        if board[STATION, cell]:
            numbers[cell] = found
            found += 1
    stack = np.empty(NUM_CELLS, np.int64)
    label = 0
    for cell in range(NUM_CELLS):
        if board[OWN, cell] == 0 or mass[LABEL, cell] != 0:
            continue
        label += 1
        mass[SIZE, label] = 0
        mass[LINKED, label] = 0
        mass[LABEL, cell] = label
        stack[0] = cell
        height = 1
        while height > 0:
            height -= 1
            at = stack[height]
            mass[SIZE, label] += board[OWN, at]
            for side in range(SIDES):
                other = neighbours[at, side]
                if other == NOTHING:
                    continue
                if board[STATION, other]:
                    mass[LINKED, label] |= 1 << numbers[other]
                if board[OWN, other] and mass[LABEL, other] == 0:
                    mass[LABEL, other] = label
                    stack[height] = other
                    height += 1


@rule
def paid(stations: int) -> int:
    """What a group of stations (bits) pays."""
    count = 0
    while stations:
        stations &= stations - 1
        count += 1
    return count * count if count > 1 else 0


@rule
def station_gain(mass: Any, neighbours: Any, cell: int) -> int:
    """What a new station would add to the station points, by the masses beside it."""
    joined = np.int64(0)
    stations = np.int64(0)
    before = 0
    for side in range(SIDES):
        other = neighbours[cell, side]
        if other == NOTHING:
            continue
        label = mass[LABEL, other]
        if label > 0 and not (joined >> label) & 1:
            joined |= np.int64(1) << label
            stations |= mass[LINKED, label]
            before += paid(mass[LINKED, label])
    # Eight stations at most take the bits 0 to 7.
    return max(paid(stations | np.int64(1) << 8) - before, 0)


QUEUE, SEEN, TAKEN, USED = range(4)
"""Rows of the search: cells to decide on, marks, the set's places in the queue, cards used."""


@rule
def best_set(
    board: Any,
    mass: Any,
    neighbours: Any,
    hand: Any,
    joker: int,
    longest: int,
    left: int,
    weights: Any,
    lots: Any,
    search: Any,
    best: Any,
) -> tuple[float, int]:
    """The most worth of a connected set that a hand can add to this turn's cells.

    The sets are those with a first cell, each later one decided on in the order in which it comes
    up; ``best`` receives the cells in an order in which they can be placed.

    Returns:
        Its worth, and how many cells it has (0: better place none).
    """
    started = 0
    for cell in range(NUM_CELLS):
        search[SEEN, cell] = board[TURN, cell]
        search[USED, cell] = 0
        started += board[TURN, cell]
    most = 0.0
    size = 0
    if started > 0:
        length = 0
        for cell in range(NUM_CELLS):
            if board[TURN, cell]:
                length = queue_beside(board, neighbours, search, hand, joker, cell, length)
        return grow(
            board,
            mass,
            neighbours,
            hand,
            joker,
            longest,
            left,
            started,
            length,
            weights,
            lots,
            search,
            best,
            most,
        )
    for first in range(NUM_CELLS):
        if search[SEEN, first] or not board[VACANT, first] or hand[board[CARD, first]] == 0:
            continue
        search[SEEN, first] = 1
        search[QUEUE, 0] = first
        worth, found = grow(
            board,
            mass,
            neighbours,
            hand,
            joker,
            longest,
            left,
            0,
            1,
            weights,
            lots,
            search,
            best,
            most,
        )
        if found > 0:
            most = worth
            size = found
    return most, size


@rule
def queue_beside(
    board: Any, neighbours: Any, search: Any, hand: Any, joker: int, cell: int, length: int
) -> int:
    """Append the cells beside one that the hand could cover; returns the queue's new length."""
    for side in range(SIDES):
        other = neighbours[cell, side]
        if other == NOTHING or search[SEEN, other]:
            continue
        by_card = board[VACANT, other] and hand[board[CARD, other]] > 0
        if by_card or (joker and board[EMPTY, other]):
            search[SEEN, other] = 1
            search[QUEUE, length] = other
            length += 1
    return length


@rule
def grow(
    board: Any,
    mass: Any,
    neighbours: Any,
    hand: Any,
    joker: int,
    longest: int,
    left: int,
    started: int,
    length: int,
    weights: Any,
    lots: Any,
    search: Any,
    best: Any,
    most: float,
) -> tuple[float, int]:
    """Go through all sets made of queued cells and what comes up beside them.

    ``search[TAKEN]`` keeps, for each taken cell, its place in the queue; ``search[4]`` the queue's
    length before it, ``search[5]`` whether the Joker covers it.
    """
    taken = 0
    at = 0
    with_joker = 0
    size = 0
    sets = 0
    while True:
        if at < length and sets < _MOST_SETS and taken < min(left, HAND_SIZE):
            cell = search[QUEUE, at]
            card = board[CARD, cell]
            by_card = board[VACANT, cell] and search[USED, card] < hand[card]
            by_joker = not by_card and joker and not with_joker and board[EMPTY, cell]
            if by_card or by_joker:
                search[TAKEN, taken] = at
                search[4, taken] = length
                search[5, taken] = by_joker
                with_joker |= by_joker
                if by_card:
                    search[USED, card] += 1
                taken += 1
                length = queue_beside(board, neighbours, search, hand, joker, cell, length)
                sets += 1
                worth = set_worth(
                    board,
                    mass,
                    neighbours,
                    longest,
                    started,
                    taken,
                    with_joker,
                    weights,
                    search,
                )
                worth += lots[search[QUEUE, search[TAKEN, 0]]]
                if worth > most:
                    most = worth
                    size = taken
                    for index in range(taken):
                        best[index] = search[QUEUE, search[TAKEN, index]]
            at += 1
            continue
        if taken == 0:
            break
        # Take the last cell back and go on without it.
        taken -= 1
        at = search[TAKEN, taken]
        cell = search[QUEUE, at]
        if search[5, taken]:
            with_joker = 0
        else:
            search[USED, board[CARD, cell]] -= 1
        for index in range(search[4, taken], length):
            search[SEEN, search[QUEUE, index]] = 0
        length = search[4, taken]
        at += 1
    return most, size


@rule
def set_worth(
    board: Any,
    mass: Any,
    neighbours: Any,
    longest: int,
    started: int,
    taken: int,
    with_joker: int,
    weights: Any,
    search: Any,
) -> float:
    """Worth of the set taken: points, mass, stations, less what its trains would earn elsewhere."""
    joined = np.int64(0)
    stations = np.int64(0)
    before = 0
    size = taken
    for index in range(taken):
        cell = search[QUEUE, search[TAKEN, index]]
        for side in range(SIDES):
            other = neighbours[cell, side]
            if other == NOTHING:
                continue
            label = mass[LABEL, other]
            if label > 0 and not (joined >> label) & 1:
                joined |= np.int64(1) << label
                size += mass[SIZE, label]
                stations |= mass[LINKED, label]
                before += paid(mass[LINKED, label])
            if board[STATION, other]:
                number = 0
                for station in range(other):
                    number += board[STATION, station]
                stations |= np.int64(1) << number
    earned = _POINTS[min(started + taken, HAND_SIZE)] - _POINTS[started]
    worth = earned - weights[TRAIN] * taken
    worth += weights[MASS] * max(size - longest, 0)
    # Masses that meet in one station already were one group: a train never costs station points.
    worth += max(paid(stations) - before, 0)
    return worth - weights[USE_JOKER] * with_joker
