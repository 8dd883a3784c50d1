"""Scoring: train points, the longest rail, station points, and who is Railroad King.

All of it holds at any time. Masses and station points are kept in the record and brought up to
date when a token is placed.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from railenvs.engine.compile import rule
from railenvs.engine.state import Record
from railenvs.games.tchu_tchu_train.state import (
    NOTHING,
    NUM_AREAS,
    NUM_CELLS,
    SIDES,
    TRAINS,
)

TURN_POINTS = (0, 1, 2, 4, 6, 8, 10, 13)
"""Train points by the number of trains placed in a turn."""
RAIL_PRIZES = ((), (), (5, 0), (8, 4, 2), (8, 4, 2, 0))
"""Points for the longest rail, from the first place down, by number of players."""
_PRIZES = np.array([(*prizes, 0, 0, 0, 0)[:4] for prizes in RAIL_PRIZES], np.int8)
_TURN_POINTS = np.array(TURN_POINTS, np.int8)


@rule
def points_for(placed: int) -> int:
    """Train points for a turn's trains."""
    return int(_TURN_POINTS[placed])


# Longest Rail Points


@rule
def note_rail(state: Record, seat: int, cell: int) -> None:
    """Join a new train to the masses beside it; keep the size of the biggest.

    A mass is known by 1 + its first cell. Two own trains on one cell count as two.
    """
    rail, first, second = state.rail[seat], state.train[seat], state.cover[seat]
    mass = int(rail[cell])
    if mass == 0:
        mass = cell + 1
        rail[cell] = mass
    for side in range(SIDES):
        other = int(state.neighbours[cell, side])
        if other != NOTHING:
            beside = int(rail[other])
            if beside != 0 and beside != mass:
                mass = join_masses(rail, mass, beside)
    size = 0
    for place in range(NUM_CELLS):
        trains = int(first[place]) + int(second[place])
        size += trains if rail[place] == mass else 0
    if size > state.longest[seat]:
        state.longest[seat] = size
        note_rail_prizes(state)


@rule
def join_masses(rail: Any, one: int, other: int) -> int:
    """Make one mass of two; returns its label."""
    joined = min(one, other)
    gone = max(one, other)
    for cell in range(NUM_CELLS):
        if rail[cell] == gone:
            rail[cell] = joined
    return joined


@rule
def note_rail_prizes(state: Record) -> None:
    """Write what each seat's longest rail pays."""
    for seat in range(state.num_players):
        state.rail_prize[seat] = rail_prize(state, seat)


@rule
def rail_prize(state: Record, seat: int) -> int:
    """Points for the longest rail: equals share the prizes of their places, rounded down."""
    own = int(state.longest[seat])
    if own == 0:
        return 0
    ahead = 0
    equal = 0
    for other in range(state.num_players):
        ahead += state.longest[other] > own
        equal += state.longest[other] == own
    total = 0
    for place in range(ahead, ahead + equal):
        total += int(_PRIZES[state.num_players, place])
    return total // equal


# Station Points


@rule
def note_station_points(state: Record, seat: int) -> None:
    """Square the number of stations in each group of two or more that own trains connect.

    A group runs through masses of own trains and through stations. Stations never adjoin each
    other, so two of them belong together if a mass adjoins both.
    """
    points = 0
    stations = 0
    for area in range(NUM_AREAS):
        stations += state.station_at[area] != NOTHING
    if stations > 1:
        group = np.arange(NUM_AREAS)
        first = np.full(NUM_CELLS + 1, NOTHING)
        for area in range(NUM_AREAS):
            if state.station_at[area] != NOTHING:
                join_groups(state, seat, area, group, first)
        for area in range(NUM_AREAS):
            size = 0
            for other in range(NUM_AREAS):
                size += group[other] == area and state.station_at[other] != NOTHING
            if size > 1:
                points += size * size
    state.station_points[seat] = points


@rule
def join_groups(state: Record, seat: int, area: int, group: Any, first: Any) -> None:
    """Join the group of an area's station with those that the masses beside it reach.

    Args:
        state: the record.
        seat: whose trains connect.
        area: the station's area.
        group: the group of each area's station, changed here.
        first: the area of the first station found at each mass, likewise.
    """
    for side in range(SIDES):
        cell = int(state.neighbours[state.station_at[area], side])
        if cell != NOTHING:
            mass = state.rail[seat, cell]
            if mass == 0:
                continue
            if first[mass] == NOTHING:
                first[mass] = area
                continue
            gone, joined = group[area], group[first[mass]]
            for other in range(NUM_AREAS):
                if group[other] == gone:
                    group[other] = joined


# Total score and Railroad King


@rule
def score(state: Record, seat: int) -> int:
    """Train points, longest rail points and station points, as if the game ended now."""
    return (
        int(state.train_points[seat])
        + int(state.rail_prize[seat])
        + int(state.station_points[seat])
    )


@rule
def scores(state: Record, out: Any) -> None:
    """The score of each seat."""
    for seat in range(state.num_players):
        out[seat] = score(state, seat)


@rule
def trains_placed(state: Record, seat: int) -> int:
    """Trains of a seat on the board."""
    return TRAINS[state.num_players] - int(state.trains_left[seat])


@rule
def rank(state: Record, seat: int) -> int:
    """Place of a seat, 1 the best: more points, then more trains placed; equals share a place."""
    place = 1
    for other in range(state.num_players):
        ahead = score(state, other) - score(state, seat)
        more = trains_placed(state, other) - trains_placed(state, seat)
        if ahead > 0 or (ahead == 0 and more > 0):
            place += 1
    return place


@rule
def winners(state: Record, out: Any) -> None:
    """1 for each Railroad King."""
    for seat in range(state.num_players):
        out[seat] = rank(state, seat) == 1
