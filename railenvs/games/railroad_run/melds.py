"""Operations Phase: what a meld may hold, and what it scores."""

from __future__ import annotations

from typing import Any

from railenvs.engine.compile import rule
from railenvs.engine.state import Record
from railenvs.games.railroad_run.actions import DONE
from railenvs.games.railroad_run.cards import (
    BONUS_SPAN,
    BONUSES,
    CITIES,
    INCOME,
    INDUSTRIES,
    INDUSTRY_EXTRA,
    INDUSTRY_RAIL,
    NUM_FACES,
    RAILS,
    THE_CITY,
    THE_TOWN,
    THE_TRAIN,
    TOWNS,
)
from railenvs.games.railroad_run.choosing import discard_chosen
from railenvs.games.railroad_run.turn import clockwise, pay

FEWEST_PLACES = 2
"""Cities and towns together; at most one more than rails."""
MOST_BONUSES = 2
LONG_MELD = 4
"""Rails of a meld that takes the Trans-Continental bonus."""
TRANS_CONTINENTAL_BONUS = 5


@rule
def count(cards: Any, first: int, stop: int) -> int:
    """Cards of some faces."""
    total = 0
    for face in range(first, stop):
        total += int(cards[face])
    return total


@rule
def legal_meld(state: Record, mask: Any) -> None:
    """What may be added to the running meld so that it can still be completed.

    Exactly one train; rails, at least one; cities and towns, at least two but at most one more than
    rails; industries, at most as many as cities and towns; at most two bonuses.
    """
    hand = state.hand[state.turn]
    chosen = state.chosen
    rails_held = count(hand, RAILS[0], RAILS[1])
    places_held = count(hand, CITIES[0], TOWNS[1])
    if state.chosen_count == 0:
        mask[DONE] = 1
        enough = rails_held > 0 and places_held >= FEWEST_PLACES
        mask[THE_TRAIN] = hand[THE_TRAIN] > 0 and enough
        return
    last = int(state.last)
    rails = count(chosen, RAILS[0], RAILS[1])
    places = count(chosen, CITIES[0], TOWNS[1])
    for face in range(max(last, RAILS[0]), RAILS[1]):
        mask[face] = hand[face] > chosen[face]
    if rails == 0:
        return
    if places <= rails:
        towns_left = int(hand[THE_TOWN]) - int(chosen[THE_TOWN])
        cities_left = int(hand[THE_CITY]) - int(chosen[THE_CITY])
        if last <= THE_CITY:
            enough = places + cities_left + towns_left >= FEWEST_PLACES
            mask[THE_CITY] = cities_left > 0 and enough
        if last <= THE_TOWN:
            mask[THE_TOWN] = towns_left > 0 and places + towns_left >= FEWEST_PLACES
    if places < FEWEST_PLACES:
        return
    mask[DONE] = 1
    if count(chosen, INDUSTRIES[0], INDUSTRIES[1]) < places:
        for face in range(max(last, INDUSTRIES[0]), INDUSTRIES[1]):
            mask[face] = hand[face] > chosen[face]
    if count(chosen, BONUSES[0], BONUSES[1]) < MOST_BONUSES:
        for face in range(max(last, BONUSES[0]), BONUSES[1]):
            mask[face] = hand[face] > chosen[face]


@rule
def meld_income(cards: Any) -> int:
    """What the cards of a meld score together, without the Trans-Continental bonus."""
    total = 0
    for face in range(NUM_FACES):
        total += int(cards[face]) * int(INCOME[face])
    for face in range(INDUSTRIES[0], INDUSTRIES[1]):
        rail = int(INDUSTRY_RAIL[face - INDUSTRIES[0]])
        if rail >= 0 and cards[rail] > 0:
            total += int(cards[face]) * int(INDUSTRY_EXTRA[face - INDUSTRIES[0]])
    for face in range(BONUSES[0], BONUSES[1]):
        if cards[face] > 0:
            first = int(BONUS_SPAN[face - BONUSES[0], 0])
            stop = int(BONUS_SPAN[face - BONUSES[0], 1])
            total += int(cards[face]) * count(cards, first, stop)
    return total


@rule
def finish_meld(state: Record) -> None:
    """The meld is revealed, scored and discarded; then shares are paid."""
    seat = int(state.turn)
    points = meld_income(state.chosen)
    if state.bonus_open and count(state.chosen, RAILS[0], RAILS[1]) >= LONG_MELD:
        state.bonus_open = 0
        points += TRANS_CONTINENTAL_BONUS
    state.income[seat] += points
    discard_chosen(state, seat)
    pay_shares(state, seat)


@rule
def pay_shares(state: Record, seat: int) -> None:
    """For each token that a seat has been given it pays the owner a point, clockwise."""
    for steps in range(1, state.num_players):
        owner = clockwise(state, seat, steps)
        pay(state, seat, owner, int(state.tokens[owner, seat]))
