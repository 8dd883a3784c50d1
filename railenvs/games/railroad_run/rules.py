"""The rules of Railroad Run: setup, and the decisions of a turn, phase by phase.

What the phases do stands in modules of their own: :mod:`.turn`, :mod:`.options`, :mod:`.events`,
:mod:`.trading`, :mod:`.melds`.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from railenvs.engine.compile import rule
from railenvs.engine.random import below, shuffle
from railenvs.engine.state import AT_RANDOM, Record
from railenvs.games.railroad_run.actions import (
    ACCEPT,
    BUY_SHARES,
    COAL_CHUTE,
    CONTRACTS,
    DECLINE,
    DEPOT,
    DIVIDENDS,
    DONE,
    OFFER,
    OPPONENT,
    SELL,
    SEND,
    STOCKS,
    SWITCH,
    TRAIN_YARD,
    UPGRADE,
    WATER_TOWER,
    WITHDRAW,
)
from railenvs.games.railroad_run.cards import (
    COPIES,
    EVENTS,
    INDUSTRIES,
    NUM_FACES,
    RAILS,
    SELL_STOCKS,
    THE_CITY,
    THE_TOWN,
    THE_TRAIN,
)
from railenvs.games.railroad_run.choosing import choose, discard_chosen, legal_choices
from railenvs.games.railroad_run.deck import discard, pop_top, take_card, take_openly
from railenvs.games.railroad_run.events import (
    SURVEY_KEPT,
    buy_out,
    can_play_event,
    finish_survey,
    looked_at,
    obsolescence,
    play_event,
    politics,
    sell_stocks,
    stocks_to_sell,
    wreck,
)
from railenvs.games.railroad_run.melds import finish_meld, legal_meld
from railenvs.games.railroad_run.memory import note_dealt
from railenvs.games.railroad_run.options import (
    UPGRADE_COST,
    buy_shares,
    buy_shares_of,
    can_buy_shares,
    can_take_dividends,
    can_upgrade,
    coal_chute,
    contracts,
    depot,
    dividends,
    fetch_rail,
    finish_upgrade,
    give_back,
    go_west,
    keep_one,
    legal_targets,
    pay_for_shares,
    rails_in_deck,
    rails_to_riches,
    switch,
    switch_with,
    train_yard,
    upgrade,
    water_tower,
)
from railenvs.games.railroad_run.state import (
    ACCOUNTING_PHASE,
    ANSWER,
    BUY_OUT_OPPONENT,
    BUY_SHARES_CARD,
    BUY_SHARES_OPPONENT,
    COAL_CHUTE_KEEP,
    COMPANIES,
    EVENT_PHASE,
    EXCELSIOR,
    MONEYBAGS,
    MONEYBAGS_INCOME,
    MOST_OFFERED,
    NOBODY,
    OBSOLESCENCE_OPPONENT,
    OFFER_GIVE,
    OFFER_WANT,
    OPERATIONS_PHASE,
    POLITICS_OPPONENT,
    STARTING_CARDS,
    STARTING_INCOME,
    SURVEY_KEEP,
    SURVEYOR,
    SURVEYOR_CARDS,
    SWITCH_CARD,
    SWITCH_OPPONENT,
    TRAIN_YARD_RAIL,
    TURNS_A_SEAT,
    UPGRADE_DISCARD,
    WRECK_OPPONENT,
)
from railenvs.games.railroad_run.trading import (
    accept,
    begin_offer,
    decline,
    legal_gifts,
    legal_wants,
    offer_to,
    send,
    to_wants,
    want,
    withdraw,
)
from railenvs.games.railroad_run.turn import (
    EVENT_PHASE_DONE,
    OPERATIONS_PHASE_DONE,
    TURN_DONE,
    begin_turn,
    clear_run,
    clockwise,
    hand_limit,
    leader,
    may_offer,
    move_on,
    others_with_cards,
)

# Setup


def prepare(state: Record, options: Any) -> None:
    """What is alike before every deal: options, five points each, nothing known, no company."""
    state.trades = options["trades"]
    state.starting_companies = options["starting_companies"]
    state.bonus_open = options["trans_continental"]
    state.war_open = options["civil_war"]
    state.max_turns = options["max_turns"] or TURNS_A_SEAT * int(state.num_players)
    state.income[: state.num_players] = STARTING_INCOME
    state.company[:] = NOBODY
    state.target = NOBODY


@rule
def deal(state: Record) -> None:
    """Setup: a train each, given openly, four cards from the shuffled rest, who begins."""
    size = 0
    for face in range(NUM_FACES):
        copies = int(COPIES[face]) - (int(state.num_players) if face == THE_TRAIN else 0)
        for _ in range(copies):
            state.deck[size] = face
            size += 1
    state.deck_size = size
    shuffle(state, state.deck, 0, size)
    if state.starting_companies:
        deal_companies(state)
    for seat in range(state.num_players):
        take_openly(state, seat, THE_TRAIN)
        dealt = STARTING_CARDS - 1
        if state.company[seat] == SURVEYOR:
            dealt += SURVEYOR_CARDS
        for _ in range(dealt):
            take_card(state, seat, pop_top(state))
    note_dealt(state)
    state.turn = below(state, int(state.num_players))
    if state.first_player != AT_RANDOM:
        state.turn = state.first_player
    begin_turn(state)


@rule
def deal_companies(state: Record) -> None:
    """Starting Companies: a different one each, at random."""
    companies = np.arange(len(COMPANIES))
    shuffle(state, companies, 0, len(COMPANIES))
    for seat in range(state.num_players):
        state.company[seat] = companies[seat]
        if companies[seat] == MONEYBAGS:
            state.income[seat] += MONEYBAGS_INCOME
        if companies[seat] == EXCELSIOR:
            state.upgrades[seat] += 1


# Decisions


@rule
def legal(state: Record, mask: Any) -> None:
    """Which actions the seat to act may take."""
    for action in range(mask.size):
        mask[action] = 0
    phase = int(state.phase)
    hand = state.hand[state.seat]
    if phase == EVENT_PHASE:
        legal_plays(state, mask)
    elif phase == OPERATIONS_PHASE:
        legal_meld(state, mask)
    elif phase == ACCOUNTING_PHASE:
        legal_choices(state, mask, hand, excess(state) - int(state.chosen_count))
    elif phase == UPGRADE_DISCARD:
        legal_choices(state, mask, hand, UPGRADE_COST - int(state.chosen_count))
    elif phase in (BUY_SHARES_CARD, SWITCH_CARD):
        legal_choices(state, mask, hand, 1)
    elif phase == COAL_CHUTE_KEEP:
        legal_choices(state, mask, looked_at(state), 1)
    elif phase == SURVEY_KEEP:
        legal_choices(state, mask, looked_at(state), SURVEY_KEPT - int(state.chosen_count))
    elif phase == TRAIN_YARD_RAIL:
        legal_choices(state, mask, rails_in_deck(state), 1)
    elif phase == OFFER_GIVE:
        legal_gifts(state, mask)
    elif phase == OFFER_WANT:
        legal_wants(state, mask)
    elif phase == ANSWER:
        mask[ACCEPT] = 1
        mask[DECLINE] = 1
    else:
        legal_targets(state, mask)


@rule
def legal_plays(state: Record, mask: Any) -> None:
    """Event Phase: events and options while any are left, an offer, or done."""
    seat = int(state.turn)
    mask[DONE] = 1
    mask[OFFER] = may_offer(state)
    if state.plays_left == 0:
        return
    hand = state.hand[seat]
    for face in range(RAILS[0], RAILS[1]):
        mask[face] = hand[face] > 0
    for face in range(INDUSTRIES[0], INDUSTRIES[1]):
        mask[face] = hand[face] > 0
    for face in range(EVENTS[0], EVENTS[1]):
        if hand[face] > 0:
            mask[face] = can_play_event(state, face)
    for number in range(stocks_to_sell(state, seat)):
        mask[SELL + number] = 1
    mask[UPGRADE] = can_upgrade(state, seat)
    mask[CONTRACTS] = hand[THE_TRAIN] > 0
    mask[BUY_SHARES] = can_buy_shares(state, seat)
    mask[DIVIDENDS] = can_take_dividends(state, seat)
    if hand[THE_TOWN] > 0:
        mask[WATER_TOWER] = 1
        mask[COAL_CHUTE] = 1
        mask[SWITCH] = others_with_cards(state, seat) > 0
        mask[DEPOT] = state.pile_size > 0
        mask[TRAIN_YARD] = 1


@rule
def excess(state: Record) -> int:
    """Cards that the seat whose turn it is has above its limit."""
    return int(state.hand_size[state.turn]) - hand_limit(state, int(state.turn))


@rule
def play(state: Record, action: int) -> None:
    """Apply a legal action and everything that follows from it without a choice."""
    phase = int(state.phase)
    if phase == EVENT_PHASE:
        play_in_event_phase(state, action)
    elif phase == OPERATIONS_PHASE:
        if action != DONE:
            choose(state, action)
        else:
            if state.chosen_count > 0:
                finish_meld(state)
            state.phase = OPERATIONS_PHASE_DONE
    elif phase == ACCOUNTING_PHASE:
        choose(state, action)
        if state.chosen_count == excess(state):
            discard_chosen(state, int(state.turn))
            state.phase = TURN_DONE
    elif phase >= BUY_SHARES_OPPONENT:
        choose_opponent(state, action)
    elif phase in (OFFER_GIVE, OFFER_WANT, ANSWER):
        play_in_trade(state, action)
    else:
        choose_card(state, action)
    if state.phase < 0:
        move_on(state)


@rule
def play_in_event_phase(state: Record, action: int) -> None:
    """Play an event or option, begin an offer, or go on to the Operations Phase."""
    if state.sent:
        clear_run(state)
    if action == DONE:
        state.phase = EVENT_PHASE_DONE
        return
    if action == OFFER:
        begin_offer(state)
        return
    state.plays_left -= 1
    if action != DEPOT:
        discard(state, int(state.turn), card_played(action))
    if action < NUM_FACES:
        if action < RAILS[1]:
            rails_to_riches(state)
        elif action < INDUSTRIES[1]:
            go_west(state)
        else:
            play_event(state, action)
    elif action >= SELL and action < SELL + STOCKS:
        sell_stocks(state, action - SELL + 1)
    elif action == UPGRADE:
        upgrade(state)
    elif action == CONTRACTS:
        contracts(state)
    elif action == BUY_SHARES:
        buy_shares(state)
    elif action == DIVIDENDS:
        dividends(state)
    elif action == WATER_TOWER:
        water_tower(state)
    elif action == COAL_CHUTE:
        coal_chute(state)
    elif action == SWITCH:
        switch(state)
    elif action == DEPOT:
        depot(state)
    else:
        train_yard(state)


@rule
def card_played(action: int) -> int:
    """The card that an event or option costs: a rail, an industry or an event is named itself."""
    if action < NUM_FACES:
        return action
    if action in (UPGRADE, CONTRACTS):
        return THE_TRAIN
    if action in (BUY_SHARES, DIVIDENDS):
        return THE_CITY
    if action >= SELL and action < SELL + STOCKS:
        return SELL_STOCKS
    return THE_TOWN


@rule
def choose_opponent(state: Record, action: int) -> None:
    """The opponent that a play or an offer is for."""
    phase = int(state.phase)
    target = clockwise(state, int(state.turn), action - OPPONENT + 1)
    if phase == BUY_SHARES_OPPONENT:
        buy_shares_of(state, target)
    elif phase == SWITCH_OPPONENT:
        switch_with(state, target)
    elif phase == WRECK_OPPONENT:
        wreck(state, target)
    elif phase == BUY_OUT_OPPONENT:
        buy_out(state, target)
    elif phase == OBSOLESCENCE_OPPONENT:
        obsolescence(state, target)
    elif phase == POLITICS_OPPONENT:
        politics(state, target)
    else:
        offer_to(state, target)


@rule
def choose_card(state: Record, face: int) -> None:
    """A card that completes a play, or one of several."""
    phase = int(state.phase)
    if phase == BUY_SHARES_CARD:
        pay_for_shares(state, face)
    elif phase == SWITCH_CARD:
        give_back(state, face)
    elif phase == COAL_CHUTE_KEEP:
        keep_one(state, face)
    elif phase == TRAIN_YARD_RAIL:
        fetch_rail(state, face)
    else:
        choose(state, face)
        if phase == SURVEY_KEEP and state.chosen_count == SURVEY_KEPT:
            finish_survey(state)
        elif phase == UPGRADE_DISCARD and state.chosen_count == UPGRADE_COST:
            finish_upgrade(state)


@rule
def play_in_trade(state: Record, action: int) -> None:
    """Build an offer card by card, make or withdraw it, answer it."""
    if action == WITHDRAW:
        withdraw(state)
    elif action == SEND:
        send(state)
    elif action == ACCEPT:
        accept(state)
    elif action == DECLINE:
        decline(state)
    elif action == DONE:
        to_wants(state)
    elif state.phase == OFFER_WANT:
        want(state, action)
    else:
        choose(state, action)
        if state.chosen_count == MOST_OFFERED:
            to_wants(state)


# Victory


@rule
def scores(state: Record, out: Any) -> None:
    """The income points of each seat."""
    for seat in range(state.num_players):
        out[seat] = state.income[seat]


@rule
def winners(state: Record, out: Any) -> None:
    """1 for the seat that wins."""
    best = leader(state)
    for seat in range(state.num_players):
        out[seat] = seat == best
