"""What a seat cannot know, dealt afresh."""

from __future__ import annotations

from typing import Any

import numpy as np

from railenvs.engine.compile import rule
from railenvs.engine.random import below, shuffle
from railenvs.engine.state import Record
from railenvs.games.railroad_run.cards import DECK_SIZE, NUM_FACES, RAILS
from railenvs.games.railroad_run.memory import hidden_copies, note_search, top_card
from railenvs.games.railroad_run.state import (
    ANSWER,
    OFFER_GIVE,
    OFFER_OPPONENT,
    OFFER_WANT,
    PUBLIC,
    TRAIN_YARD_RAIL,
)
from railenvs.games.railroad_run.turn import start_run, to_event_phase

TRIES = 100_000
"""Deals tried where a pending decision tells of hidden cards; most come right at once."""


@rule
def determinize(state: Record, seat: int) -> None:
    """Deal afresh the others' hands, the deck, unfinished choices and what the others know.

    The cards a seat knows to be in a hand or on top of the deck stay there. Of the others it knows
    by face how many are in the deck below at least and at most: the former are laid there, and the
    rest of the deck is drawn from those that may be in it. Whatever is left fills the hands.
    """
    restart_hidden_choice(state, seat)
    answers = state.phase == ANSWER and state.target != seat
    searches = state.phase == TRAIN_YARD_RAIL and state.turn != seat
    for attempt in range(TRIES):
        if answers:
            dealt = deal_with_wanted(state, seat, attempt == TRIES - 1)
        else:
            deal_hidden(state, seat, np.zeros(NUM_FACES, np.int8), np.zeros(NUM_FACES, np.int8))
            # Only if the deck holds a rail is a seat asked which it takes.
            dealt = not searches or rail_in_deck(state)
        if dealt:
            break
    remember_for_others(state, seat)


@rule
def restart_hidden_choice(state: Record, seat: int) -> None:
    """A set that another seat has begun to choose is its secret: it starts again."""
    if seat == state.turn:
        return
    phase = int(state.phase)
    if phase in (OFFER_OPPONENT, OFFER_GIVE, OFFER_WANT):
        to_event_phase(state)
    elif state.chosen_count > 0 and not state.sent:
        start_run(state, phase)


@rule
def deal_hidden(state: Record, seat: int, held: Any, held_of_deck: Any) -> None:
    """Deal what ``seat`` does not see.

    Args:
        state: the table.
        seat: whose knowledge stays.
        held: by face, cards that the target of an offer holds beyond those known.
        held_of_deck: how many of these might have been in the deck.
    """
    free = np.empty(DECK_SIZE, np.int8)  # perhaps in the deck
    num_free = 0
    rest = np.empty(DECK_SIZE, np.int8)  # certainly in a hand
    num_rest = 0
    below_top = int(state.deck_size) - int(state.top_known[seat])
    laid = 0
    for face in range(NUM_FACES):
        hidden = hidden_copies(state, seat, face)
        at_most = min(int(state.deck_most[seat, face]), hidden)
        at_least = int(state.deck_least[seat, face])
        for _ in range(at_least):
            state.deck[laid] = face
            laid += 1
        for _ in range(at_most - at_least - int(held_of_deck[face])):
            free[num_free] = face
            num_free += 1
        for _ in range(hidden - at_most - (int(held[face]) - int(held_of_deck[face]))):
            rest[num_rest] = face
            num_rest += 1
    shuffle(state, free, 0, num_free)
    drawn = 0
    while laid < below_top:
        state.deck[laid] = free[drawn]
        laid += 1
        drawn += 1
    shuffle(state, state.deck, 0, below_top)
    for place in range(drawn, num_free):
        rest[num_rest] = free[place]
        num_rest += 1
    shuffle(state, rest, 0, num_rest)
    dealt = 0
    for other in range(state.num_players):
        if other == seat:
            continue
        missing = int(state.hand_size[other])
        for face in range(NUM_FACES):
            known = int(state.known[seat, other, face])
            if other == state.target:
                known += int(held[face])
            state.hand[other, face] = known
            missing -= known
        for place in range(dealt, dealt + missing):
            state.hand[other, rest[place]] += 1
        dealt += missing


@rule
def rail_in_deck(state: Record) -> bool:
    """Whether the deck holds a rail."""
    found = False
    for place in range(state.deck_size):
        found |= RAILS[0] <= state.deck[place] and state.deck[place] < RAILS[1]
    return found


@rule
def deal_with_wanted(state: Record, seat: int, last_try: bool) -> bool:
    """Deal so that the seat asked to trade holds what is wanted of it; says whether it came off.

    Single copies are picked for that seat, each alike, then the rest is dealt. A deal with more
    copies than wanted could be picked in several ways and is kept that much more rarely, so that in
    the end every deal is as likely.
    """
    held = np.zeros(NUM_FACES, np.int8)
    held_of_deck = np.zeros(NUM_FACES, np.int8)
    num_free = 0
    to_lay = int(state.deck_size) - int(state.top_known[seat])
    for face in range(NUM_FACES):
        hidden = hidden_copies(state, seat, face)
        at_least = int(state.deck_least[seat, face])
        num_free += min(int(state.deck_most[seat, face]), hidden) - at_least
        to_lay -= at_least
    for face in range(NUM_FACES):
        hidden = hidden_copies(state, seat, face)
        at_most = min(int(state.deck_most[seat, face]), hidden)
        at_least = int(state.deck_least[seat, face])
        for _ in range(int(state.wanted[face]) - int(state.known[seat, state.target, face])):
            in_hands = hidden - at_most - (int(held[face]) - int(held_of_deck[face]))
            maybe = at_most - at_least - int(held_of_deck[face])
            pick = below(state, in_hands + maybe + at_least)
            if last_try:
                pick = 0
            if pick >= in_hands:
                if not last_try and pick >= in_hands + maybe:
                    return False
                if not last_try and below(state, num_free) < to_lay:
                    return False
                held_of_deck[face] += 1
                num_free -= 1
            held[face] += 1
    deal_hidden(state, seat, held, held_of_deck)
    if last_try:
        return True
    for face in range(NUM_FACES):
        picked = int(held[face])
        more = int(state.hand[state.target, face]) - int(state.known[seat, state.target, face])
        ways = 1
        for number in range(picked):
            ways = ways * (more - number) // (number + 1)
        if ways > 1 and below(state, ways) > 0:
            return False
    return True


@rule
def remember_for_others(state: Record, seat: int) -> None:
    """The others know what is public, what they saw of my hand, and the tops they looked at."""
    for other in range(state.num_players):
        if other == seat:
            continue
        for holder in range(state.num_players):
            if holder != seat and holder != other:
                for face in range(NUM_FACES):
                    state.known[other, holder, face] = state.known[PUBLIC, holder, face]
        for face in range(NUM_FACES):
            state.deck_least[other, face] = state.deck_least[PUBLIC, face]
            state.deck_most[other, face] = state.deck_most[PUBLIC, face]
        for place in range(state.top_known[other]):
            face = top_card(state, place)
            state.deck_most[other, face] -= 1
            state.deck_least[other, face] = max(0, int(state.deck_least[other, face]) - 1)
    if state.phase == TRAIN_YARD_RAIL and state.turn != seat:
        note_search(state, int(state.turn), RAILS[0], RAILS[1])
    noted = 0
    for row in range(PUBLIC + 1):
        for face in range(NUM_FACES):
            noted |= state.deck_least[row, face] > 0
    state.least_noted = noted
