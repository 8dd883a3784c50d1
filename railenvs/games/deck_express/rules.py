"""The rules of Deck EXPRESS: Tennessee Central, in the order of its rulebook.

Section names in the docstrings are the rulebook's.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from railenvs.engine.arrays import copy_to
from railenvs.engine.compile import rule
from railenvs.engine.random import below, shuffle
from railenvs.engine.state import AT_RANDOM, TERMINATED, Record
from railenvs.games.deck_express.cards import (
    ACE,
    COMPANIES,
    FACES,
    LOCOMOTIVE,
    LOCOMOTIVE_ON_TOP,
    NUM_COMPANIES,
    NUM_SHARES,
    NUM_TRACK,
    RANKS,
    SHARE_NAMES,
    TRACK_NAMES,
)
from railenvs.games.deck_express.deck import lay_draw_deck, note_windows
from railenvs.games.deck_express.state import (
    ASSIGN_LOCOMOTIVE,
    BUILD_OR_INVEST,
    CHART,
    DECK_SIZE,
    NOTHING,
    PASS_SHARE,
    REVEAL_SHARE,
    SHARES_DEALT,
    TRACK_DEALT,
)

BUILD = 0
INVEST = BUILD + NUM_TRACK
ASSIGN = INVEST + 1
REVEAL = ASSIGN + NUM_COMPANIES
PASS = REVEAL + NUM_SHARES
NUM_ACTIONS = PASS + NUM_SHARES

ACTION_NAMES = (
    *(f"build {card}" for card in TRACK_NAMES),
    "invest",
    *(f"assign locomotive to {company}" for company in COMPANIES),
    *(f"reveal {card}" for card in SHARE_NAMES),
    *(f"pass {card}" for card in SHARE_NAMES),
)


# Setup


def prepare(state: Record) -> None:
    """Setup 2 and 3, alike in every game: aces up, locomotives aside, nothing seen or chosen."""
    state.top[:] = ACE
    state.height[:] = 1
    state.assigned[:] = NOTHING
    state.choice[:] = NOTHING
    state.unseen_track[:] = 1
    state.unseen_shares[:] = 1
    note_windows(state)


@rule
def deal(state: Record) -> None:
    """Setup 1, 4, 5 and 6: three shares and five track cards each, the draw deck, who begins."""
    shares = np.empty(NUM_SHARES, np.int8)
    for card in range(NUM_SHARES):
        shares[card] = card
    shuffle(state, shares, 0, NUM_SHARES)
    track = np.empty(NUM_TRACK, np.int8)
    for card in range(NUM_TRACK):
        track[card] = card
    shuffle(state, track, 0, NUM_TRACK)
    for seat in range(state.num_players):
        for place in range(seat * SHARES_DEALT, (seat + 1) * SHARES_DEALT):
            state.shares[seat, shares[place]] = 1
            state.unseen_shares[seat, shares[place]] = 0
        for place in range(seat * TRACK_DEALT, (seat + 1) * TRACK_DEALT):
            take_track(state, seat, track[place])
    lay_draw_deck(state, track, state.num_players * TRACK_DEALT)
    state.turn = below(state, state.num_players)
    if state.first_player != AT_RANDOM:
        state.turn = state.first_player
    state.seat = state.turn


@rule
def take_track(state: Record, seat: int, card: int) -> None:
    """A track card comes into a hand, seen by its owner alone."""
    state.track[seat, card] = 1
    state.track_count[seat] += 1
    state.unseen_track[seat, card] = 0


# Gameplay


@rule
def legal(state: Record, mask: Any) -> None:
    """Which actions the seat to act may take."""
    for action in range(NUM_ACTIONS):
        mask[action] = 0
    seat = int(state.seat)
    if state.phase == BUILD_OR_INVEST:
        copy_to(mask, BUILD, state.track[seat])
        mask[INVEST] = 1
    elif state.phase == ASSIGN_LOCOMOTIVE:
        for company in range(NUM_COMPANIES):
            mask[ASSIGN + company] = 1
    elif state.phase == REVEAL_SHARE:
        copy_to(mask, REVEAL, state.shares[seat])
    else:
        copy_to(mask, PASS, state.shown[seat])


@rule
def play(state: Record, action: int) -> None:
    """Apply a legal action and everything that follows from it without a choice."""
    if state.phase == BUILD_OR_INVEST:
        if action == INVEST:
            invest(state)
        else:
            build_track(state, action)
    elif state.phase == ASSIGN_LOCOMOTIVE:
        assign_locomotive(state, action - ASSIGN)
    elif state.phase == REVEAL_SHARE:
        lay_aside(state, action - REVEAL)
    else:
        lay_aside(state, action - PASS)


@rule
def build_track(state: Record, card: int) -> None:
    """Build Track: a track card from hand onto the stack of its suit; the turn is over."""
    company = card // RANKS
    state.track[state.turn, card] = 0
    state.track_count[state.turn] -= 1
    state.built[card] = 1
    for seat in range(state.num_players):
        state.unseen_track[seat, card] = 0
    state.top[company] = card - company * RANKS + 2
    state.height[company] += 1
    end_turn(state)


@rule
def invest(state: Record) -> None:
    """Invest: draw a card. A locomotive or the last card leads on to Paying Dividends."""
    card = state.deck[state.drawn]
    if card != LOCOMOTIVE:
        state.deck[state.drawn] = NOTHING
        take_track(state, state.turn, card)
    state.drawn += 1
    if card == LOCOMOTIVE or state.setup != CHART:
        note_windows(state)
    if card == LOCOMOTIVE:
        state.phase = ASSIGN_LOCOMOTIVE
    elif state.drawn == DECK_SIZE[state.num_players]:
        reveal_last_shares(state)
    else:
        end_turn(state)


@rule
def end_turn(state: Record) -> None:
    """Play goes on clockwise."""
    state.turn = clockwise(state, state.turn)
    state.seat = state.turn
    state.phase = BUILD_OR_INVEST


@rule
def clockwise(state: Record, seat: int) -> int:
    """The next seat."""
    following = seat + 1
    return 0 if following == state.num_players else following


# Paying Dividends


@rule
def assign_locomotive(state: Record, company: int) -> None:
    """Step a: the drawer sets the locomotive on top of any stack."""
    state.assigned[state.dividends] = company
    state.top[company] = LOCOMOTIVE_ON_TOP
    state.height[company] += 1
    state.phase = REVEAL_SHARE


@rule
def lay_aside(state: Record, card: int) -> None:
    """Steps b and d: all choose in secret, the drawer first; then all choices are turned up."""
    state.choice[state.seat] = card
    state.seat = clockwise(state, state.seat)
    if state.seat != state.turn:
        return
    if state.phase == PASS_SHARE:
        pass_shares(state)
        return
    reveal_shares(state)
    pay_dividend(state)
    if state.dividends == 1:
        # The one share in front of each seat: nothing to choose.
        for seat in range(state.num_players):
            state.choice[seat] = only_card(state.shown[seat])
        pass_shares(state)
    else:
        state.phase = PASS_SHARE


@rule
def reveal_last_shares(state: Record) -> None:
    """The last card was drawn: no locomotive, all reveal their last share, and the game ends."""
    for seat in range(state.num_players):
        state.choice[seat] = only_card(state.shares[seat])
    reveal_shares(state)
    pay_dividend(state)
    state.ended = TERMINATED


@rule
def reveal_shares(state: Record) -> None:
    """Step b: the chosen shares are turned up in front of their owners."""
    for seat in range(state.num_players):
        card = state.choice[seat]
        state.shares[seat, card] = 0
        state.shown[seat, card] = 1
        for other in range(state.num_players):
            state.unseen_shares[other, card] = 0
        state.choice[seat] = NOTHING


@rule
def pay_dividend(state: Record) -> None:
    """Step c: every face-up share pays its holder what its company is worth."""
    for company in range(NUM_COMPANIES):
        worth = share_value(state, company)
        for seat in range(state.num_players):
            held = 0
            for card in range(company * FACES, (company + 1) * FACES):
                held += state.shown[seat, card]
            state.money[seat] += held * worth
    state.dividends += 1


@rule
def share_value(state: Record, company: int) -> int:
    """A share is worth its stack's top rank, or the stack's height under a locomotive."""
    top = state.top[company]
    return state.height[company] if top == LOCOMOTIVE_ON_TOP else top


@rule
def pass_shares(state: Record) -> None:
    """Step d: the chosen shares slide clockwise. Step e: the drawer's left goes on."""
    for seat in range(state.num_players):
        state.shown[seat, state.choice[seat]] = 0
    for seat in range(state.num_players):
        state.shown[clockwise(state, seat), state.choice[seat]] = 1
        state.choice[seat] = NOTHING
    end_turn(state)


@rule
def only_card(cards: Any) -> int:
    """The one card of a set that holds just one."""
    found = 0
    for card in range(NUM_SHARES):
        if cards[card]:
            found = card
    return found


# End of Game


@rule
def score(state: Record, seat: int) -> int:
    """Dividends received; at the end less one for each card left in hand (track only)."""
    kept = state.track_count[seat] if state.ended else 0
    return int(state.money[seat]) - int(kept)


@rule
def rank(state: Record, seat: int) -> int:
    """Place of a seat, 1 the best: more money, then fewer cards in hand; equals share a place."""
    place = 1
    for other in range(state.num_players):
        ahead = score(state, other) - score(state, seat)
        fewer = int(state.track_count[seat]) - int(state.track_count[other])
        if ahead > 0 or (ahead == 0 and fewer > 0):
            place += 1
    return place


@rule
def scores(state: Record, out: Any) -> None:
    """The score of each seat."""
    for seat in range(state.num_players):
        out[seat] = score(state, seat)


@rule
def winners(state: Record, out: Any) -> None:
    """1 for each seat that wins: the best place, shared by full equals."""
    for seat in range(state.num_players):
        out[seat] = rank(state, seat) == 1
