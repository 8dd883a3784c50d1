"""The draw deck: where its two locomotives may lie, and how they are placed.

The deck has three *stretches*, runs of draws in which one locomotive may come; two of them hold
one. The rulebook's chart fixes which two and where they lie; with the overview's thirds a lot
decides which third stays empty.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from railenvs.engine.compile import rule
from railenvs.engine.random import below
from railenvs.engine.state import Record
from railenvs.games.deck_express.cards import LOCOMOTIVE
from railenvs.games.deck_express.state import CHART, DECK_SIZE, LARGEST_DECK

CHART_TRACK = (0, 0, 5, 4, 2)
"""The deck setup chart: track cards in each of the two plain layers, by number of players."""
WITH_LOCOMOTIVE = 6
"""Cards of a layer that holds a locomotive: five track cards and it."""
STRETCHES = 3


@rule
def stretch(state: Record, index: int) -> tuple[int, int]:
    """First draw of a stretch, counted from 0, and the first one after it."""
    size = DECK_SIZE[state.num_players]
    if state.setup == CHART:
        # From the top: the rest, with locomotive, plain, with locomotive, plain. The third
        # stretch lies past the bottom.
        layers = WITH_LOCOMOTIVE + CHART_TRACK[state.num_players]
        start = size - (2 - index) * layers
        return start, start + WITH_LOCOMOTIVE
    # A locomotive is never the very last card.
    return size * index // STRETCHES, min(size * (index + 1) // STRETCHES, size - 1)


@rule
def places_left(state: Record, index: int) -> int:
    """Undrawn places of a stretch."""
    start, stop = stretch(state, index)
    return max(0, stop - max(start, int(state.drawn)))


@rule
def locomotive_came(state: Record, index: int) -> bool:
    """Whether a stretch's locomotive has been drawn."""
    start, stop = stretch(state, index)
    came = False
    for draw in range(start, min(stop, state.drawn)):
        came |= state.deck[draw] == LOCOMOTIVE
    return came


@rule
def ways_without(state: Record, empty: int) -> int:
    """In how many ways, given the draws so far, ``empty`` can be the stretch without locomotive.

    By thirds each stretch is as likely to be the empty one and each locomotive as likely at each
    place of its stretch; the numbers are exact relative to one another.
    """
    if state.setup == CHART:
        return 1 if empty == STRETCHES - 1 else 0
    ways = 1
    for index in range(STRETCHES):
        came = locomotive_came(state, index)
        if index == empty:
            start, stop = stretch(state, index)
            ways *= 0 if came else stop - start
        elif not came:
            ways *= places_left(state, index)
    return ways


@rule
def draw_empty_stretch(state: Record) -> int:
    """Draw by lot the stretch without a locomotive."""
    ways = 0
    for index in range(STRETCHES):
        ways += ways_without(state, index)
    lot = below(state, ways)
    empty = 0
    while lot >= ways_without(state, empty):
        lot -= ways_without(state, empty)
        empty += 1
    return empty


@rule
def lay_draw_deck(state: Record, track: npt.NDArray[np.int8], first: int) -> None:
    """Lay the undrawn deck: locomotives by lot, the track cards of ``track[first:]`` around them.

    Serves the deal and ``determinize`` alike: of the deck, only the draws so far are read.
    """
    size = DECK_SIZE[state.num_players]
    for place in range(state.drawn, size):
        state.deck[place] = 0
    empty = draw_empty_stretch(state)
    for index in range(STRETCHES):
        if index != empty and not locomotive_came(state, index):
            left = places_left(state, index)
            state.deck[stretch(state, index)[1] - left + below(state, left)] = LOCOMOTIVE
    card = first
    for place in range(state.drawn, size):
        if state.deck[place] != LOCOMOTIVE:
            state.deck[place] = track[card]
            card += 1


@rule
def note_windows(state: Record) -> None:
    """Write the first and last draw (from 1) at which each locomotive may come; 0, 0 if past.

    All of it is public: the setup, the number of draws, and which of them were locomotives. Draws
    already made count as well: whoever reads a window leaves them out.
    """
    came = 0
    for index in range(STRETCHES):
        came += locomotive_came(state, index)
    for order in range(2):
        state.locomotive_window[order, 0] = 0 if order < came else LARGEST_DECK
        state.locomotive_window[order, 1] = 0
    for empty in range(STRETCHES):
        if ways_without(state, empty) == 0:
            continue
        order = came
        for index in range(STRETCHES):
            if index != empty and not locomotive_came(state, index):
                start, stop = stretch(state, index)
                window = state.locomotive_window[order]
                window[0] = min(window[0], start + 1)
                window[1] = max(window[1], stop)
                order += 1
