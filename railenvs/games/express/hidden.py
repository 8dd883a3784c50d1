"""What a seat cannot know, dealt afresh.

Cards that a seat does not see fall into those that cannot be in the stock (*old*), those that
cannot have been in a hand when the stock was last shuffled (*new*), and the rest, which may be
either (*free*). Old cards go to hands only, new ones to the stock and to hands that have drawn
since, within the bounds of the seat's memory; and a hand that certainly lacks a vehicle does not
get it. Copies of a face count as cards of their own, as in the pack.

The deals that fit are counted: for each kind, and for every number of its cards that each hand may
get, in how many ways that can come about. The numbers are drawn by these weights, and then the
cards by the same counts, backwards. So each deal that fits is as likely as any other, and one is
found at once, however much is known.

A seat that was shown a Pass knows more than the public, but has lost which bound of the public's
that Pass counts for. Deals that no longer agree with what is public are dealt again.
"""

from __future__ import annotations

from math import comb
from typing import Any

import numpy as np

from railenvs.engine.compile import rule
from railenvs.engine.random import next_u64, shuffle
from railenvs.engine.state import Record
from railenvs.games.express.ages import PLACES, say_new
from railenvs.games.express.cards import NUM_FACES, NUM_VEHICLES, PACK_SIZE
from railenvs.games.express.memory import unknown_count, unseen
from railenvs.games.express.state import (
    ACT,
    CLAIM,
    DRAW,
    HAND_OVER,
    LARGEST_HAND,
    MAX_SEATS,
    NONE,
    PUBLIC,
)

OLD, NEW, FREE = range(3)
KINDS = 3
OTHERS = MAX_SEATS - 1
"""Hands that a seat does not see; with fewer seats some have no room."""
STOCK = OTHERS
"""Where a card goes that no hand gets."""
MOST_DEALS = 1000
"""Deals tried until one agrees with what is public; few do not, unless a seat knows less than all
do, in a given table."""
_ONE = np.uint64(1)
_WAYS = np.array(
    [[comb(n, k) for k in range(LARGEST_HAND + 1)] for n in range(PACK_SIZE + 1)], np.int64
)
"""``_WAYS[n, k]``: sets of k among n cards."""


@rule
def determinize(state: Record, seat: int) -> None:
    """Deal afresh the others' hands, the stock and what others remember.

    Of a decision that another seat has only because of its own cards nothing has shown: it is
    unmade, and worlds are the same whether there was one or not.
    """
    if state.seat != seat:
        unmake_hidden_decision(state)
    new = np.zeros((PLACES, NUM_FACES), np.int64)
    for _ in range(MOST_DEALS):
        deal_unseen(state, seat)
        if say_new(state, new):
            break
    for other in range(state.num_players):
        if other != seat:
            remember_what_is_public(state, other, new)


@rule
def unmake_hidden_decision(state: Record) -> None:
    """The turn's player has not yet drawn, asked, begun to lay out or to exchange."""
    if state.phase == CLAIM:
        state.phase = DRAW
    elif state.phase >= HAND_OVER:
        state.phase = ACT
    state.seat = state.turn
    state.request = NONE
    for vehicle in range(NUM_VEHICLES):
        state.picked[vehicle] = 0
    state.laying = NONE
    state.exchanging = NONE


# The cards


@rule
def deal_unseen(state: Record, seat: int) -> None:
    """Deal all that a seat does not see, uniformly over the deals that fit what it knows."""
    cards = np.empty((KINDS, PACK_SIZE), np.int8)
    count = np.zeros(KINDS, np.int64)
    sort_unseen(state, seat, cards, count)
    barred = np.zeros(KINDS, np.int64)
    for kind in range(KINDS):
        barred[kind] = barred_first(state, seat, cards[kind], int(count[kind]))
    room = np.zeros(OTHERS, np.int64)
    for place in range(int(state.num_players) - 1):
        room[place] = unknown_count(state, seat, seat_at(state, seat, place))
    old = ways_to_deal(state, seat, room, cards[OLD], int(count[OLD]), int(barred[OLD]), False)
    new = ways_to_deal(state, seat, room, cards[NEW], int(count[NEW]), int(barred[NEW]), True)
    free = ways_to_deal(state, seat, room, cards[FREE], int(count[FREE]), int(barred[FREE]), True)
    heed_bounds(state, seat, room, old[barred[OLD]], new[barred[NEW]])
    shares = draw_shares(state, room, old[barred[OLD]], new[barred[NEW]], free[barred[FREE]])
    clear_unseen(state, seat)
    state.stock_count = 0
    deal_kind(state, seat, room, cards[OLD], int(count[OLD]), old, int(shares[OLD]))
    deal_kind(state, seat, room, cards[NEW], int(count[NEW]), new, int(shares[NEW]))
    deal_kind(state, seat, room, cards[FREE], int(count[FREE]), free, int(shares[FREE]))
    shuffle(state, state.stock, 0, int(state.stock_count))


@rule
def seat_at(state: Record, seat: int, place: int) -> int:
    """The other seat number ``place``, from the next one on."""
    other = int(seat) + place + 1
    return other - int(state.num_players) if other >= state.num_players else other


@rule
def sort_unseen(state: Record, seat: int, cards: Any, count: Any) -> None:
    """Write the unseen cards by kind, (KINDS, PACK_SIZE), and their numbers, (KINDS,)."""
    for face in range(NUM_FACES):
        hidden = unseen(state, seat, face)
        must_be_old = hidden - int(state.stock_at_most[seat, face])
        must_be_new = hidden - int(state.old_at_most[seat, face])
        for number in range(hidden):
            kind = FREE
            if number < must_be_old:
                kind = OLD
            elif number < must_be_old + must_be_new:
                kind = NEW
            cards[kind, count[kind]] = face
            count[kind] += 1


@rule
def may_get(state: Record, seat: int, place: int, face: int) -> bool:
    """Whether another hand may be dealt a card, by what the seat knows it lacks."""
    if place >= state.num_players - 1:
        return False
    other = seat_at(state, seat, place)
    return bool(face >= NUM_VEHICLES or state.absent[seat, other, face] == 0)


@rule
def barred_first(state: Record, seat: int, cards: Any, count: int) -> int:
    """Put the cards that some hand may not get before the others; returns their number."""
    barred = 0
    for card in range(count):
        anywhere = True
        for place in range(int(state.num_players) - 1):
            anywhere &= may_get(state, seat, place, int(cards[card]))
        if not anywhere:
            cards[barred], cards[card] = cards[card], cards[barred]
            barred += 1
    return barred


# Counting. Numbers of cards that each hand gets, its share, make up one index.


@rule
def step_of(room: Any, place: int) -> int:
    """How much one card more for a hand adds to the index of a share."""
    step = 1
    for later in range(place + 1, OTHERS):
        step *= room[later] + 1
    return int(step)


@rule
def cards_for(room: Any, share: int, place: int) -> int:
    """Cards that a hand gets in a share."""
    return int(share // step_of(room, place) % (room[place] + 1))


@rule
def ways_to_deal(
    state: Record, seat: int, room: Any, cards: Any, count: int, barred: int, may_stay: bool
) -> Any:
    """In how many ways cards of a kind can be dealt.

    Args:
        state: the game.
        seat: whose memory says which hand may not get which card.
        room: (OTHERS,), cards that each hand needs.
        cards: the cards, those that some hand may not get first.
        count: number of cards.
        barred: number of those that some hand may not get.
        may_stay: whether cards of this kind may be in the stock.

    Returns:
        (barred + 1, shares): the ways to deal the unbarred cards and so many of the others, for
        each share of the hands.
    """
    shares = step_of(room, 0) * (int(room[0]) + 1)
    ways = np.zeros((barred + 1, shares), np.int64)
    for share in range(shares):
        left = count - barred
        found = 1
        for place in range(OTHERS):
            mine = cards_for(room, share, place)
            found *= _WAYS[max(left, 0), mine]
            left -= mine
        if left == 0 or may_stay:
            ways[0, share] = found
    for number in range(barred):
        for share in range(shares):
            found = ways[number, share] if may_stay else 0
            for place in range(OTHERS):
                found += ways_with(state, seat, room, ways[number], cards[number], share, place)
            ways[number + 1, share] = found
    return ways


@rule
def ways_with(
    state: Record, seat: int, room: Any, ways: Any, face: int, share: int, place: int
) -> int:
    """Of the ways to deal a share, those in which a hand gets this card, after the ``ways``."""
    if cards_for(room, share, place) == 0 or not may_get(state, seat, place, int(face)):
        return 0
    return int(ways[share - step_of(room, place)])


@rule
def heed_bounds(state: Record, seat: int, room: Any, old: Any, new: Any) -> None:
    """No ways for shares of old and of new cards that the seat's memory rules out."""
    for share in range(old.size):
        for place in range(int(state.num_players) - 1):
            other = seat_at(state, seat, place)
            mine = cards_for(room, share, place)
            if mine > room[place] - state.new_at_least[seat, other]:
                old[share] = 0
            if mine > state.new_at_most[seat, other]:
                new[share] = 0


@rule
def draw_shares(state: Record, room: Any, old: Any, new: Any, free: Any) -> Any:
    """Draw by lot the share of old, of new and of free cards; together they fill the hands."""
    total = np.int64(0)
    for old_share in range(old.size):
        if old[old_share] > 0:
            for new_share in range(old.size - old_share):
                total += ways_together(room, old, new, free, old_share, new_share)
    lot = lot_below(state, total)
    shares = np.zeros(KINDS, np.int64)
    for old_share in range(old.size):
        if old[old_share] > 0:
            for new_share in range(old.size - old_share):
                found = ways_together(room, old, new, free, old_share, new_share)
                if lot < found:
                    shares[OLD] = old_share
                    shares[NEW] = new_share
                    shares[FREE] = old.size - 1 - old_share - new_share
                    return shares
                lot -= found
    raise ValueError("what a seat remembers contradicts itself")


@rule
def ways_together(room: Any, old: Any, new: Any, free: Any, old_share: int, new_share: int) -> Any:
    """The ways to fill all hands with these shares of old and new cards."""
    if new[new_share] == 0:
        return np.int64(0)
    rest = free[free.size - 1 - old_share - new_share]
    if rest == 0:
        return np.int64(0)
    for place in range(OTHERS):
        mine = cards_for(room, old_share, place) + cards_for(room, new_share, place)
        if mine > room[place]:
            return np.int64(0)
    return old[old_share] * new[new_share] * rest


@rule
def lot_below(state: Record, bound: int) -> Any:
    """A whole number from 0 to ``bound - 1``, each as likely, where there may be very many."""
    mask = np.int64(1)
    while mask < bound:
        mask *= 2
    lot = np.int64(next_u64(state) >> _ONE) & (mask - 1)
    while lot >= bound:
        lot = np.int64(next_u64(state) >> _ONE) & (mask - 1)
    return lot


# Dealing


@rule
def clear_unseen(state: Record, seat: int) -> None:
    """Leave the other hands what the seat knows them to hold."""
    for place in range(int(state.num_players) - 1):
        other = seat_at(state, seat, place)
        for face in range(NUM_FACES):
            state.hand[other, face] = state.known[seat, other, face]


@rule
def deal_kind(
    state: Record, seat: int, room: Any, cards: Any, count: int, ways: Any, share: int
) -> None:
    """Deal the cards of a kind so that each hand gets its share: see :func:`ways_to_deal`."""
    left = int(share)
    barred = ways.shape[0] - 1
    for number in range(barred - 1, -1, -1):
        lot = lot_below(state, ways[number + 1, left])
        goes_to = STOCK
        for place in range(OTHERS):
            found = ways_with(state, seat, room, ways[number], cards[number], left, place)
            if goes_to == STOCK and lot < found:
                goes_to = place
            if goes_to == STOCK:
                lot -= found
        if goes_to != STOCK:
            left -= step_of(room, goes_to)
        put(state, seat, goes_to, int(cards[number]))
    shuffle(state, cards, barred, count)
    card = barred
    for place in range(OTHERS):
        for _ in range(cards_for(room, left, place)):
            put(state, seat, place, int(cards[card]))
            card += 1
    for rest in range(card, count):
        put(state, seat, STOCK, int(cards[rest]))


@rule
def put(state: Record, seat: int, place: int, face: int) -> None:
    """A card goes to another hand or to the stock."""
    if place == STOCK:
        state.stock[state.stock_count] = face
        state.stock_count += 1
    else:
        state.hand[seat_at(state, seat, place), face] += 1


# Memory


@rule
def remember_what_is_public(state: Record, seat: int, new: Any) -> None:
    """A seat remembers what all know, and its own cards: more cannot be told by another one.

    Args:
        state: the game.
        seat: whose memory is written.
        new: (PLACES, NUM_FACES), new cards of each face in each hand, of those the public does not
            know. Neither these nor the old ones are among the cards that the seat does not see.
    """
    for other in range(MAX_SEATS):
        away = other != seat
        state.known_count[seat, other] = away * state.known_count[PUBLIC, other]
        state.new_at_least[seat, other] = away * state.new_at_least[PUBLIC, other]
        state.new_at_most[seat, other] = away * state.new_at_most[PUBLIC, other]
        for face in range(NUM_FACES):
            state.known[seat, other, face] = away * state.known[PUBLIC, other, face]
        for vehicle in range(NUM_VEHICLES):
            state.absent[seat, other, vehicle] = away * state.absent[PUBLIC, other, vehicle]
    for face in range(NUM_FACES):
        mine = int(state.hand[seat, face]) - int(state.known[PUBLIC, seat, face])
        stock = int(state.stock_at_most[PUBLIC, face]) - int(new[seat, face])
        in_hands = int(state.old_at_most[PUBLIC, face]) - (mine - int(new[seat, face]))
        state.stock_at_most[seat, face] = min(stock, unseen(state, seat, face))
        state.old_at_most[seat, face] = min(in_hands, unseen(state, seat, face))
