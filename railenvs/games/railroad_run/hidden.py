"""What a seat cannot know, dealt afresh."""

from __future__ import annotations

import numpy as np

from railenvs.engine.compile import rule
from railenvs.engine.random import shuffle
from railenvs.engine.state import Record
from railenvs.games.railroad_run.cards import DECK_SIZE, NUM_FACES, RAILS
from railenvs.games.railroad_run.memory import (
    hidden_copies,
    leave_seen,
    note_search,
    top_card,
)
from railenvs.games.railroad_run.state import (
    ANSWER,
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

    The cards a seat knows to be in a hand or on top of the deck stay there. Of the others it knows
    by face how many are in the deck below at least and at most: the copies that it has placed there
    are laid there, and the rest of the deck is drawn from those that may be in it, again until it
    holds the least of each face. Whatever is left fills the hands. In the second half of the tries
    the least is laid as well.
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
    free = np.empty(DECK_SIZE, np.int8)  # perhaps in the deck
    num_free = 0
    rest = np.empty(DECK_SIZE, np.int8)  # certainly in a hand
    num_rest = 0
    below_top = int(state.deck_size) - int(state.top_known[seat])
    laid = 0
    for face in range(NUM_FACES):
        hidden = hidden_copies(state, seat, face)
        at_most = min(int(state.deck_most[seat, face]), hidden)
        placed = int(state.deck_placed[seat, face])
        if lay_least or state.deck_least[seat, face] == at_most:
            placed = int(state.deck_least[seat, face])
        for _ in range(placed):
            state.deck[laid] = face
            laid += 1
        for _ in range(at_most - placed):
            free[num_free] = face
            num_free += 1
        for _ in range(hidden - at_most):
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
            state.hand[other, face] = known
            missing -= known
        for place in range(dealt, dealt + missing):
            state.hand[other, rest[place]] += 1
        dealt += missing


@rule
def holds_least(state: Record, seat: int) -> bool:
    """Whether the deck below what ``seat`` knows on top holds the least of each face."""
    if not state.least_noted[seat]:
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
                    shown = int(state.shown[other, holder, face])
                    state.known[other, holder, face] = max(shown, public)
                elif holder != other:
                    state.known[other, holder, face] = public
                    state.shown[other, holder, face] = public
        for face in range(NUM_FACES):
            state.deck_least[other, face] = state.deck_least[PUBLIC, face]
            state.deck_placed[other, face] = state.deck_placed[PUBLIC, face]
            state.deck_most[other, face] = state.deck_most[PUBLIC, face]
        for place in range(state.top_known[other]):
            leave_seen(state, other, top_card(state, place))
    if state.phase == TRAIN_YARD_RAIL and state.turn != seat:
        note_search(state, int(state.turn), RAILS[0], RAILS[1])
    for row in range(PUBLIC + 1):
        noted = 0
        for face in range(NUM_FACES):
            noted |= state.deck_least[row, face] > 0
        state.least_noted[row] = noted
