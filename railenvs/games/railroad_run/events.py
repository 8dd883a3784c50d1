"""Event Phase, the ten event cards, in the order of the card list."""

from __future__ import annotations

from typing import Any

import numpy as np

from railenvs.engine.compile import rule
from railenvs.engine.state import Record
from railenvs.games.railroad_run.actions import STOCKS
from railenvs.games.railroad_run.cards import (
    BUY_OUT,
    FINANCE_CRISIS,
    INVESTORS,
    NUM_FACES,
    OBSOLESCENCE,
    PATENT,
    POLITICS,
    SELL_STOCKS,
    SURVEY,
    THE_TRAIN,
    WRECK,
)
from railenvs.games.railroad_run.choosing import choose
from railenvs.games.railroad_run.deck import discard, draw, pop_top, reach, steal, take_card
from railenvs.games.railroad_run.memory import note_hand, note_look, note_some_kept, top_card
from railenvs.games.railroad_run.options import count_targets, only_target
from railenvs.games.railroad_run.state import (
    BUY_OUT_OPPONENT,
    LOOKED_AT,
    NOBODY,
    OBSOLESCENCE_OPPONENT,
    POLITICS_OPPONENT,
    SURVEY_KEEP,
    WRECK_OPPONENT,
)
from railenvs.games.railroad_run.turn import (
    clockwise,
    finish_play,
    lose_income,
    pay,
    start_run,
)

SURVEY_KEPT = 2
INVESTORS_CARDS = 3
OBSOLESCENCE_COST = 5
FINANCE_CRISIS_COST = 3
PATENT_INCOME = 2
POLITICS_CARDS = 2
LAND_GRANTS_CARDS = 4
LAND_GRANTS_OTHERS = 2


@rule
def can_play_event(state: Record, event: int) -> bool:
    """Whether an event has an effect at all; that nobody can pay never forbids one.

    Sell Stocks has actions of its own, see :func:`stocks_to_sell`.
    """
    if event == WRECK:
        return count_targets(state, WRECK_OPPONENT) > 0
    if event == POLITICS:
        return count_targets(state, POLITICS_OPPONENT) > 0
    if event == BUY_OUT:
        return count_targets(state, BUY_OUT_OPPONENT) > 0
    return event != SELL_STOCKS


@rule
def play_event(state: Record, event: int) -> None:
    """Carry out an event that has been discarded, or ask which opponent it is for."""
    seat = int(state.turn)
    if event == WRECK:
        target = only_target(state, WRECK_OPPONENT)
        if target != NOBODY:
            wreck(state, target)
    elif event == BUY_OUT:
        target = only_target(state, BUY_OUT_OPPONENT)
        if target != NOBODY:
            buy_out(state, target)
    elif event == SURVEY:
        survey(state)
    elif event == INVESTORS:
        draw(state, seat, INVESTORS_CARDS)
        finish_play(state)
    elif event == OBSOLESCENCE:
        target = only_target(state, OBSOLESCENCE_OPPONENT)
        if target != NOBODY:
            obsolescence(state, target)
    elif event == FINANCE_CRISIS:
        finance_crisis(state)
    elif event == PATENT:
        patent(state)
    elif event == POLITICS:
        target = only_target(state, POLITICS_OPPONENT)
        if target != NOBODY:
            politics(state, target)
    else:
        land_grants(state)


@rule
def wreck(state: Record, target: int) -> None:
    """Wreck: look at a hand; its owner discards a train, if it has one."""
    note_hand(state, int(state.turn), target)
    if state.hand[target, THE_TRAIN] > 0:
        discard(state, target, THE_TRAIN)
    finish_play(state)


@rule
def stocks_to_sell(state: Record, seat: int) -> int:
    """Sell Stocks: the most that can be sold, which is no more than the seat can lose."""
    if state.hand[seat, SELL_STOCKS] == 0:
        return 0
    return min(STOCKS, int(state.income[seat]))


@rule
def sell_stocks(state: Record, number: int) -> None:
    """Sell Stocks: lose so many points and draw as many cards."""
    seat = int(state.turn)
    lose_income(state, seat, number)
    draw(state, seat, number)
    finish_play(state)


@rule
def buy_out(state: Record, owner: int) -> None:
    """Buy Out: return a share token to its owner, and pay it a point."""
    state.tokens[owner, state.turn] -= 1
    pay(state, int(state.turn), owner, 1)
    finish_play(state)


@rule
def survey(state: Record) -> None:
    """Survey: look at the next seven cards, to keep two; the others stay on top, in order."""
    seat = int(state.turn)
    state.looking = reach(state, LOOKED_AT)
    note_look(state, seat, int(state.looking))
    start_run(state, SURVEY_KEEP)
    if state.looking <= SURVEY_KEPT:
        for place in range(state.looking):
            choose(state, top_card(state, place))
        finish_survey(state)


@rule
def looked_at(state: Record) -> Any:
    """Copies by face among the cards being looked at."""
    cards = np.zeros(NUM_FACES, np.int8)
    for place in range(state.looking):
        cards[top_card(state, place)] += 1
    return cards


@rule
def finish_survey(state: Record) -> None:
    """The cards to keep are chosen; of equal ones those nearer the top."""
    seat = int(state.turn)
    note_some_kept(state, seat, int(state.looking), int(state.chosen_count))
    top = int(state.deck_size)
    kept = np.empty(LOOKED_AT, np.int8)
    rest = 0
    for place in range(state.looking):
        face = int(state.deck[top - 1 - place])
        if state.chosen[face] > 0:
            state.chosen[face] -= 1
            take_card(state, seat, face)
        else:
            kept[rest] = face
            rest += 1
    for _ in range(state.chosen_count):
        pop_top(state)
    for place in range(rest):
        state.deck[int(state.deck_size) - 1 - place] = kept[place]
    finish_play(state)


@rule
def obsolescence(state: Record, target: int) -> None:
    """Obsolescence: an opponent loses five points."""
    lose_income(state, target, OBSOLESCENCE_COST)
    finish_play(state)


@rule
def finance_crisis(state: Record) -> None:
    """Finance Crisis: all the others lose three points each."""
    for steps in range(1, state.num_players):
        lose_income(state, clockwise(state, int(state.turn), steps), FINANCE_CRISIS_COST)
    finish_play(state)


@rule
def patent(state: Record) -> None:
    """Patent: all the others pay two points each."""
    for steps in range(1, state.num_players):
        payer = clockwise(state, int(state.turn), steps)
        pay(state, payer, int(state.turn), PATENT_INCOME)
    finish_play(state)


@rule
def politics(state: Record, target: int) -> None:
    """Politics: steal two random cards from an opponent."""
    steal(state, int(state.turn), target, POLITICS_CARDS)
    finish_play(state)


@rule
def land_grants(state: Record) -> None:
    """Land Grants: draw four cards; then the others, clockwise, two each."""
    draw(state, int(state.turn), LAND_GRANTS_CARDS)
    for steps in range(1, state.num_players):
        draw(state, clockwise(state, int(state.turn), steps), LAND_GRANTS_OTHERS)
    finish_play(state)
