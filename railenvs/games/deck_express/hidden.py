"""What a seat cannot know, dealt afresh."""

from __future__ import annotations

import numpy as np

from railenvs.engine.compile import rule
from railenvs.engine.random import below, shuffle
from railenvs.engine.state import Record
from railenvs.games.deck_express.cards import NUM_SHARES, NUM_TRACK
from railenvs.games.deck_express.deck import lay_draw_deck
from railenvs.games.deck_express.rules import clockwise
from railenvs.games.deck_express.state import DIVIDENDS, NOTHING, PASS_SHARE


@rule
def determinize(state: Record, seat: int) -> None:
    """Deal afresh the others' track and shares, the removed shares, the deck, pending choices.

    Nothing public ties a hidden card to a place, so every deal of the hidden cards into the known
    hand sizes is as likely; where locomotives may lie follows from the setup and the draws, and is
    as likely as the setup makes it.
    """
    deal_track(state, seat)
    deal_shares(state, seat)
    take_back_choices(state, seat)
    choose_for_others(state, seat)
    for other in range(state.num_players):
        if other != seat:
            note_unseen(state, other)


@rule
def note_unseen(state: Record, seat: int) -> None:
    """Write which cards a seat has never seen: not its own, not built, not face up."""
    for card in range(NUM_TRACK):
        state.unseen_track[seat, card] = 1 - state.track[seat, card] - state.built[card]
    for card in range(NUM_SHARES):
        seen = state.shares[seat, card]
        for holder in range(state.num_players):
            seen += state.shown[holder, card]
        state.unseen_shares[seat, card] = 1 - seen


@rule
def deal_track(state: Record, seat: int) -> None:
    """Track that ``seat`` neither holds nor saw built: to the others' hands and the deck."""
    unseen = np.empty(NUM_TRACK, np.int8)
    count = 0
    for card in range(NUM_TRACK):
        if state.unseen_track[seat, card]:
            unseen[count] = card
            count += 1
    shuffle(state, unseen, 0, count)
    dealt = 0
    for other in range(state.num_players):
        if other != seat:
            for card in range(NUM_TRACK):
                state.track[other, card] = 0
            for card in unseen[dealt : dealt + state.track_count[other]]:
                state.track[other, card] = 1
            dealt += state.track_count[other]
    lay_draw_deck(state, unseen, dealt)


@rule
def deal_shares(state: Record, seat: int) -> None:
    """Shares that ``seat`` neither holds nor sees: to the others' hands; the rest is removed."""
    unseen = np.empty(NUM_SHARES, np.int8)
    count = 0
    for card in range(NUM_SHARES):
        if state.unseen_shares[seat, card]:
            unseen[count] = card
            count += 1
    shuffle(state, unseen, 0, count)
    dealt = 0
    in_hand = DIVIDENDS - state.dividends
    for other in range(state.num_players):
        if other != seat:
            for card in range(NUM_SHARES):
                state.shares[other, card] = 0
            for card in unseen[dealt : dealt + in_hand]:
                state.shares[other, card] = 1
            dealt += in_hand


@rule
def take_back_choices(state: Record, seat: int) -> None:
    """How far the others are in choosing is as secret as what they choose.

    A seat that is to act knows that those before it have chosen. One that waits knows no more than
    whether it has chosen itself, so its worlds stand where it began to wait: at the choice of the
    drawer or, after its own, at that of the next seat.
    """
    if state.seat == seat:
        return
    first = int(state.turn) if state.choice[seat] == NOTHING else clockwise(state, seat)
    other = first
    while other != state.seat:
        state.choice[other] = NOTHING
        other = clockwise(state, other)
    state.seat = first


@rule
def choose_for_others(state: Record, seat: int) -> None:
    """A share laid aside in secret may be any that its owner could have chosen."""
    for other in range(state.num_players):
        if other != seat and state.choice[other] != NOTHING:
            cards = state.shown[other] if state.phase == PASS_SHARE else state.shares[other]
            held = 0
            for card in range(NUM_SHARES):
                held += cards[card]
            skip = below(state, held)
            for card in range(NUM_SHARES):
                if cards[card]:
                    if skip == 0:
                        state.choice[other] = card
                    skip -= 1
