"""What a seat cannot know, dealt afresh.

Cards that a seat does not see fall into those that cannot be in the stock (*old*), those that
cannot have been in a hand when the stock was last shuffled (*new*), and the rest, which may be
either. Old cards go to hands only, new ones to the stock and to hands that have drawn since, within
the bounds of the seat's memory. Copies of a face count as cards of their own, as in the pack.

How many old cards each hand gets is drawn by lot, each number weighed by the deals it allows; then
both kinds are shuffled and dealt. A deal that breaks another fact (a refusal, a bound, a decision
that only a holder can have) is thrown away: what is left is uniform over the deals that fit.
"""

from __future__ import annotations

from math import comb
from typing import Any

import numpy as np

from railenvs.engine.compile import rule
from railenvs.engine.random import below, shuffle
from railenvs.engine.state import PLAYING, Record
from railenvs.games.express.cards import (
    NUM_FACES,
    NUM_REGIONAL,
    NUM_VEHICLES,
    PACK_SIZE,
    PASS,
    after_asked,
    first_asked,
)
from railenvs.games.express.memory import note_seen, unknown_count, unseen
from railenvs.games.express.state import (
    ACT,
    CLAIM,
    EXCHANGE,
    HAND_OVER,
    LARGEST_HAND,
    LAY_OUT,
    MAX_SEATS,
    NONE,
    PUBLIC,
)

NEW = 64
"""Added to the face of a card that has been in the stock since it was last shuffled."""
_WAYS = np.array(
    [[comb(n, k) for k in range(LARGEST_HAND + 1)] for n in range(LARGEST_HAND + 1)], np.int64
)
"""``_WAYS[n, k]``: sets of k among n cards."""


@rule
def determinize(state: Record, seat: int) -> None:
    """Deal afresh the others' hands, the stock and what others remember.

    Of a choice that another seat is making among its own cards nothing has shown: it is unmade.
    """
    if state.phase in (LAY_OUT, EXCHANGE) and state.turn != seat:
        unmake_choice(state)
    while not deal_unseen(state, seat, state.stock_count):
        pass
    for other in range(state.num_players):
        if other != seat:
            remember_what_is_public(state, other)


@rule
def unmake_choice(state: Record) -> None:
    """The turn's player has not begun to lay out or to exchange."""
    for vehicle in range(NUM_VEHICLES):
        state.picked[vehicle] = 0
    state.laying = NONE
    state.exchanging = NONE
    state.phase = ACT


@rule
def deal_unseen(state: Record, seat: int, stock_count: int) -> bool:
    """Deal all that a seat does not see; returns whether the deal fits everything it knows."""
    old = np.empty(PACK_SIZE, np.int8)
    rest = np.empty(PACK_SIZE, np.int8)
    old_count = 0
    rest_count = 0
    free = 0
    for face in range(NUM_FACES):
        hidden = unseen(state, seat, face)
        must_be_old = hidden - min(int(state.stock_at_most[seat, face]), hidden)
        must_be_new = hidden - min(int(state.old_at_most[seat, face]), hidden)
        for number in range(hidden):
            if number < must_be_old:
                old[old_count] = face
                old_count += 1
            else:
                is_new = number < must_be_old + must_be_new
                rest[rest_count] = face + NEW if is_new else face
                rest_count += 1
                free += not is_new
    share = np.zeros(MAX_SEATS, np.int64)
    if not share_out_old(state, seat, old_count, free, share):
        return False
    shuffle(state, old, 0, old_count)
    shuffle(state, rest, 0, rest_count)
    first_old = 0
    first = 0
    for other in range(state.num_players):
        if other == seat:
            continue
        for face in range(NUM_FACES):
            state.hand[other, face] = state.known[seat, other, face]
        for card in range(first_old, first_old + share[other]):
            state.hand[other, old[card]] += 1
        first_old += share[other]
        drawn = unknown_count(state, seat, other) - share[other]
        new = 0
        for card in range(first, first + drawn):
            state.hand[other, rest[card] % NEW] += 1
            new += rest[card] >= NEW
        first += drawn
        if new > state.new_at_most[seat, other] or breaks_refusal(state, seat, other):
            return False
    for card in range(stock_count):
        state.stock[card] = rest[first + card] % NEW
    return state.seat == seat or fits_pending(state)


@rule
def share_out_old(state: Record, seat: int, total: int, free: int, share: Any) -> bool:
    """Draw by lot how many of the ``total`` old cards each other hand gets.

    Args:
        state: the game.
        seat: whose memory bounds the numbers.
        total: number of old cards.
        free: number of cards that may be old or new.
        share: (MAX_SEATS,), written.

    Returns:
        Whether there is a way.
    """
    # ways[s, k]: deals of k old cards to the seats from s on.
    ways = np.zeros((MAX_SEATS + 1, PACK_SIZE + 1), np.int64)
    count = int(state.num_players)
    ways[count, 0] = 1
    for other in range(count - 1, -1, -1):
        least, most = old_bounds(state, seat, other, free)
        for cards in range(total + 1):
            for mine in range(least, min(most, cards) + 1):
                ways[other, cards] += (
                    _WAYS[unknown_count(state, seat, other), mine] * ways[other + 1, cards - mine]
                    if other != seat
                    else ways[other + 1, cards]
                )
    if ways[0, total] == 0:
        return False
    left = total
    for other in range(count):
        if other == seat:
            continue
        lot = below(state, ways[other, left])
        mine = old_bounds(state, seat, other, free)[0]
        weight = _WAYS[unknown_count(state, seat, other), mine] * ways[other + 1, left - mine]
        while lot >= weight:
            lot -= weight
            mine += 1
            weight = _WAYS[unknown_count(state, seat, other), mine] * ways[other + 1, left - mine]
        share[other] = mine
        left -= mine
    return True


@rule
def old_bounds(state: Record, seat: int, other: int, free: int) -> tuple[int, int]:
    """Fewest and most old cards that a seat's memory allows another hand; 0 for itself."""
    if other == seat:
        return 0, 0
    unknown = unknown_count(state, seat, other)
    least = max(unknown - int(state.new_at_most[seat, other]) - free, 0)
    return least, unknown - int(state.new_at_least[seat, other])


@rule
def breaks_refusal(state: Record, seat: int, other: int) -> bool:
    """Whether a hand holds a vehicle that the seat knows it does not."""
    broken = False
    for vehicle in range(NUM_REGIONAL):
        broken |= state.absent[seat, other, vehicle] > 0 and state.hand[other, vehicle] > 0
    return broken


@rule
def fits_pending(state: Record) -> bool:
    """Whether the seat to act can have the decision it has."""
    if state.ended != PLAYING:
        return True
    if state.phase == CLAIM:
        return bool(state.hand[state.seat, PASS] > 0)
    if state.phase == HAND_OVER:
        held = 0
        request = int(state.request)
        for vehicle in range(first_asked(request), after_asked(request)):
            held += int(state.hand[state.seat, vehicle])
        return held > 1
    return True


@rule
def remember_what_is_public(state: Record, seat: int) -> None:
    """A seat remembers what all know: more cannot be told by another one."""
    for face in range(NUM_FACES):
        state.stock_at_most[seat, face] = state.stock_at_most[PUBLIC, face]
        state.old_at_most[seat, face] = state.old_at_most[PUBLIC, face]
    for other in range(MAX_SEATS):
        away = other != seat
        state.known_count[seat, other] = away * state.known_count[PUBLIC, other]
        state.new_at_least[seat, other] = away * state.new_at_least[PUBLIC, other]
        state.new_at_most[seat, other] = away * state.new_at_most[PUBLIC, other]
        for face in range(NUM_FACES):
            state.known[seat, other, face] = away * state.known[PUBLIC, other, face]
        for vehicle in range(NUM_REGIONAL):
            state.absent[seat, other, vehicle] = away * state.absent[PUBLIC, other, vehicle]
    for vehicle in range(NUM_VEHICLES):
        if state.hand[seat, vehicle]:
            note_seen(state, seat, vehicle)
