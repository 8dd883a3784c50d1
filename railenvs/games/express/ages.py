"""Which cards of the hands are new, said in one way that agrees with all that is public.

Each seat remembers of its own cards how many are *new*, drawn since the stock was last shuffled;
the others only know bounds (see :mod:`.memory`). So where hands are dealt afresh, someone has to
say which of their cards are new before the seats that hold them can remember it.

Every copy that may be new is a mark, given to one of the places: the hands, and ``NOBODY`` for
marks that need not be given. A place holds as many marks of a face as it has room for, and from
``least`` to ``most`` in all. Marks are laid down anyhow and then shifted, face by face, from places
that have too many to places that have too few, possibly by way of others, until all is well.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from railenvs.engine.compile import rule
from railenvs.engine.state import Record
from railenvs.games.express.cards import NUM_FACES, PACK_SIZE
from railenvs.games.express.memory import unseen
from railenvs.games.express.state import MAX_SEATS, NONE, PUBLIC

NOBODY = MAX_SEATS
PLACES = MAX_SEATS + 1


@rule
def say_new(state: Record, new: Any) -> bool:
    """Say how many cards in each hand, unknown to the public, are new.

    Args:
        state: the game, its cards dealt.
        new: (PLACES, NUM_FACES), is written: new cards of each face in each hand, in the rows of
            the seats.

    Returns:
        Whether there is a way that agrees with what is public.
    """
    room = np.zeros((PLACES, NUM_FACES), np.int64)
    if not lay_marks(state, new, room):
        return False
    count = np.zeros(PLACES, np.int64)
    least = np.zeros(PLACES, np.int64)
    most = np.full(PLACES, PACK_SIZE, np.int64)
    for place in range(PLACES):
        for face in range(NUM_FACES):
            count[place] += new[place, face]
    for seat in range(state.num_players):
        least[seat] = state.new_at_least[PUBLIC, seat]
        most[seat] = state.new_at_most[PUBLIC, seat]
    for seat in range(state.num_players):
        while count[seat] > most[seat]:
            if not shift_mark(new, room, count, np.arange(PLACES) == seat, count < most):
                return False
        while count[seat] < least[seat]:
            if not shift_mark(new, room, count, count > least, np.arange(PLACES) == seat):
                return False
    return True


@rule
def lay_marks(state: Record, new: Any, room: Any) -> bool:
    """Write the room of each place for marks of each face, and lay them down where there is room.

    Cards in the stock are new. Of the others so many are new at least as cannot be old, and so
    many at most as may have been in the stock.

    Returns:
        Whether there are such numbers for every face.
    """
    for face in range(NUM_FACES):
        at_most = int(state.stock_at_most[PUBLIC, face])
        at_least = unseen(state, PUBLIC, face) - int(state.old_at_most[PUBLIC, face])
        for card in range(state.stock_count):
            if state.stock[card] == face:
                at_most -= 1
                at_least -= 1
        room[NOBODY, face] = at_most - max(at_least, 0)
        if room[NOBODY, face] < 0:
            return False
        for seat in range(state.num_players):
            room[seat, face] = int(state.hand[seat, face]) - int(state.known[PUBLIC, seat, face])
        left = at_most
        for place in range(NOBODY, -1, -1):
            new[place, face] = min(room[place, face], left)
            left -= new[place, face]
    return True


@rule
def shift_mark(new: Any, room: Any, count: Any, starts: Any, goals: Any) -> bool:
    """Give one place a mark more and another one less, by the shortest chain of shifts.

    Args:
        new: (PLACES, NUM_FACES), marks; is changed.
        room: (PLACES, NUM_FACES), most marks.
        count: (PLACES,), marks of each place; is changed.
        starts: (PLACES,), places that may lose one.
        goals: (PLACES,), places that may get one.

    Returns:
        Whether there is such a chain.
    """
    before = np.full(PLACES, NONE, np.int64)
    reached = np.empty(PLACES, np.int64)
    found = 0
    for place in range(PLACES):
        if starts[place]:
            before[place] = place
            reached[found] = place
            found += 1
    at = 0
    while at < found:
        place = reached[at]
        at += 1
        for other in range(PLACES):
            if before[other] == NONE and movable(new, room, place, other) != NONE:
                before[other] = place
                reached[found] = other
                found += 1
                if goals[other]:
                    follow_chain(new, room, count, before, other)
                    return True
    return False


@rule
def movable(new: Any, room: Any, place: int, other: int) -> int:
    """A face of which a mark may go from one place to another, or ``NONE``."""
    for face in range(NUM_FACES):
        if new[place, face] > 0 and new[other, face] < room[other, face]:
            return face
    return NONE


@rule
def follow_chain(new: Any, room: Any, count: Any, before: Any, goal: int) -> None:
    """Shift a mark along each link of a chain, which ends at ``goal``."""
    place = goal
    count[goal] += 1
    while before[place] != place:
        giver = before[place]
        face = movable(new, room, giver, place)
        new[giver, face] -= 1
        new[place, face] += 1
        place = giver
    count[place] -= 1
