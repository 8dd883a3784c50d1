"""What a seat cannot know, dealt afresh."""

from __future__ import annotations

from typing import Any

import numpy as np

from railenvs.engine.compile import rule
from railenvs.engine.random import next_seed, shuffle
from railenvs.engine.state import Record
from railenvs.games.railroad_run.cards import DECK_SIZE, NUM_FACES, RAILS
from railenvs.games.railroad_run.memory import (
    conclude,
    hidden_copies,
    lower_least,
    note_search,
    top_card,
    unseen_cards,
)
from railenvs.games.railroad_run.state import (
    ANSWER,
    MAX_SEATS,
    OFFER_GIVE,
    OFFER_OPPONENT,
    OFFER_WANT,
    PUBLIC,
    TRAIN_YARD_RAIL,
)
from railenvs.games.railroad_run.trading import decline
from railenvs.games.railroad_run.turn import start_run, to_event_phase

TRIES = 100_000
"""Deals tried where the deck must hold a card of some face; most come right at once."""


@rule
def determinize(state: Record, seat: int) -> None:
    """Deal afresh the others' hands, the deck, unfinished choices and what the others know.

    The cards a seat knows to be in a hand or on top of the deck stay there, and the copies that it
    has placed in the deck below are laid there. Of the others it knows by face how many are in
    hands, and how many have been in the deck since the discard was last shuffled in: these do not
    go where a hand holds a card from before. Each way to lay them is as likely; they are laid again
    until the deck holds the least of each face. In the second half of the tries that is laid first.
    """
    if state.seat != seat:
        restart_hidden_choice(state)
    for attempt in range(TRIES):
        deal_hidden(state, seat, attempt >= TRIES // 2)
        # Only if the deck holds a rail is a seat asked which it takes.
        rail_needed = state.phase == TRAIN_YARD_RAIL and state.turn != seat
        if holds_least(state, seat) and (not rail_needed or rail_in_deck(state)):
            break
    remember_for_others(state, seat)


@rule
def restart_hidden_choice(state: Record) -> None:
    """What another seat is choosing is its secret: a set starts again, nobody is asked to trade.

    A seat that is asked holds what is wanted, and one that lacks it declines unasked: to all others
    both look alike, so worlds are those after a refusal.
    """
    phase = int(state.phase)
    if phase == ANSWER:
        decline(state)
    elif phase in (OFFER_OPPONENT, OFFER_GIVE, OFFER_WANT):
        to_event_phase(state)
    elif state.chosen_count > 0 and not state.sent:
        start_run(state, phase)


@rule
def deal_hidden(state: Record, seat: int, lay_least: bool) -> None:
    """Deal what ``seat`` does not see."""
    fresh = np.empty(DECK_SIZE, np.int8)  # in the deck, or drawn since the refill
    free = np.empty(DECK_SIZE, np.int8)  # in the deck or any hand
    drawn = np.empty(DECK_SIZE, np.int8)  # in a hand, drawn since the refill
    held = np.empty(DECK_SIZE, np.int8)  # in any hand
    num_fresh, num_free, num_drawn, num_held = 0, 0, 0, 0
    laid = 0
    for face in range(NUM_FACES):
        hidden = hidden_copies(state, seat, face)
        at_most = hidden - int(state.held_least[seat, face])
        placed = int(state.deck_placed[seat, face])
        if lay_least or state.deck_least[seat, face] == at_most:
            placed = int(state.deck_least[seat, face])
        to_draw = max(0, int(state.fresh_least[seat, face]) - placed)
        both = min(to_draw, at_most - placed)
        laid = add(state.deck, laid, face, placed)
        num_fresh = add(fresh, num_fresh, face, both)
        num_free = add(free, num_free, face, at_most - placed - both)
        num_drawn = add(drawn, num_drawn, face, to_draw - both)
        num_held = add(held, num_held, face, hidden - max(at_most, to_draw + placed))
    unseen = np.zeros(MAX_SEATS, np.int64)
    places = np.empty(DECK_SIZE, np.int8)  # in hands, for cards that may be fresh: whose
    num_places, num_kept = 0, 0
    for other in range(state.num_players):
        if other != seat:
            kept = int(state.kept_least[seat, other])
            unseen[other] = unseen_cards(state, seat, other)
            num_places = add(places, num_places, other, int(unseen[other]) - kept)
            num_kept += kept
    below_top = int(state.deck_size) - int(state.top_known[seat])
    missing = below_top - laid
    if num_places < num_drawn + max(0, num_fresh - missing):
        # No deal fits: so may a given table's memory have it, which tells too much to the public.
        for other in range(state.num_players):
            if other != seat:
                num_places = add(places, num_places, other, int(state.kept_least[seat, other]))
        num_kept = 0
    to_hands = fresh_to_hands(state, num_fresh, num_free, missing, num_places - num_drawn, num_kept)
    shuffle(state, fresh, 0, num_fresh)
    for card in range(num_fresh):
        if card < to_hands:
            num_drawn = add(drawn, num_drawn, fresh[card], 1)
        else:
            laid = add(state.deck, laid, fresh[card], 1)
    shuffle(state, free, 0, num_free)
    for card in range(num_free):
        if laid < below_top:
            laid = add(state.deck, laid, free[card], 1)
        else:
            num_held = add(held, num_held, free[card], 1)
    shuffle(state, state.deck, 0, below_top)
    for other in range(state.num_players):
        if other != seat:
            for face in range(NUM_FACES):
                state.hand[other, face] = state.known[seat, other, face]
    shuffle(state, places, 0, num_places)
    for card in range(num_drawn):
        state.hand[places[card], drawn[card]] += 1
        unseen[places[card]] -= 1
    shuffle(state, held, 0, num_held)
    dealt = 0
    for other in range(state.num_players):
        for card in range(dealt, dealt + unseen[other]):
            state.hand[other, held[card]] += 1
        dealt += unseen[other]


@rule
def add(cards: Any, size: int, face: int, count: int) -> int:
    """Append copies of a face to a list of cards; returns its size."""
    for _ in range(count):
        cards[size] = face
        size += 1
    return size


@rule
def fresh_to_hands(
    state: Record, fresh: int, free: int, missing: int, places: int, kept: int
) -> int:
    """How many of the cards that lie in the deck, or were drawn from it, hands get.

    Each way to lay all cards is as likely, so a number comes up as often as there are ways to
    choose them, the free ones for the ``missing`` cards of the deck, and the places of all.

    Args:
        state: the game.
        fresh: number of these cards.
        free: cards that may be in the deck or in any place of a hand.
        missing: cards that the deck still needs.
        places: places of hands that these cards may have.
        kept: the other places of hands.
    """
    least = max(0, fresh - missing)
    most = min(fresh, places, fresh + free - missing)
    if least == most:
        return least
    ways = np.ones(DECK_SIZE + 1)
    total = 1.0
    for number in range(least, most):
        more = (fresh - number) * (fresh + free - missing - number) * (places - number)
        fewer = (number + 1) * (missing - fresh + number + 1) * (places + kept - number)
        ways[number + 1] = ways[number] * more / fewer
        total += ways[number + 1]
    left = total * next_seed(state) / 2.0**53
    number = least
    while number < most and left >= ways[number]:
        left -= ways[number]
        number += 1
    return number


@rule
def holds_least(state: Record, seat: int) -> bool:
    """Whether the deck below what ``seat`` knows on top holds the least of each face."""
    if state.deck_noted[seat] == 0:
        return True
    lacking = state.deck_least[seat].copy()
    for place in range(int(state.deck_size) - int(state.top_known[seat])):
        lacking[state.deck[place]] -= 1
    return bool(lacking.max() <= 0)


@rule
def rail_in_deck(state: Record) -> bool:
    """Whether the deck holds a rail."""
    found = False
    for place in range(state.deck_size):
        found |= RAILS[0] <= state.deck[place] and state.deck[place] < RAILS[1]
    return found


@rule
def remember_for_others(state: Record, seat: int) -> None:
    """The others know what is public, what they saw of my hand, and the tops they looked at.

    What else they have concluded of my hand follows from what they know of other hands or the deck,
    which would tell me of these.
    """
    for other in range(state.num_players):
        if other == seat:
            continue
        for holder in range(state.num_players):
            for face in range(NUM_FACES):
                public = int(state.known[PUBLIC, holder, face])
                if holder == seat:
                    public = max(int(state.shown[other, holder, face]), public)
                if holder != other:
                    more = public - int(state.known[other, holder, face])
                    conclude(state, other, holder, face, more)
                    state.shown[other, holder, face] = public
        conclude_as_public(state, other)
    if state.phase == TRAIN_YARD_RAIL and state.turn != seat:
        note_search(state, int(state.turn), RAILS[0], RAILS[1])


@rule
def conclude_as_public(state: Record, row: int) -> None:
    """A row concludes from what it sees what the public does of the deck and what hands kept."""
    state.deck_noted[row] = state.deck_noted[PUBLIC]
    for face in range(NUM_FACES):
        state.deck_least[row, face] = state.deck_least[PUBLIC, face]
        state.deck_placed[row, face] = state.deck_placed[PUBLIC, face]
    for place in range(state.top_known[row]):
        lower_least(state, row, top_card(state, place), 1)
    for face in range(NUM_FACES):
        seen = hidden_copies(state, PUBLIC, face) - hidden_copies(state, row, face)
        # Of the copies that it sees and the public does not, as many as can be were held, or fresh.
        held = int(state.held_least[PUBLIC, face])
        on_top = 0
        for place in range(state.top_known[row]):
            on_top += top_card(state, place) == face
        state.held_least[row, face] = max(0, held - seen + on_top)
        fresh = int(state.fresh_least[PUBLIC, face])
        state.fresh_least[row, face] = max(int(state.deck_least[row, face]), fresh - seen)
    for holder in range(state.num_players):
        kept = 0
        if holder != row:
            known_besides = unseen_cards(state, PUBLIC, holder) - unseen_cards(state, row, holder)
            kept = max(0, int(state.kept_least[PUBLIC, holder]) - known_besides)
        state.kept_least[row, holder] = kept
