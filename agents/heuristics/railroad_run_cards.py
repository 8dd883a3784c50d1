"""What cards are worth to a hand of Railroad Run, and the best meld in it, compiled."""

from __future__ import annotations

from typing import Any

import numpy as np

from railenvs.engine.compile import rule
from railenvs.games.railroad_run.cards import (
    BONUS_SPAN,
    BONUSES,
    CITIES,
    EVENTS,
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
from railenvs.games.railroad_run.melds import FEWEST_PLACES, MOST_BONUSES, count

NONE = -1


# My hand


@rule
def note_hand(policy: Any) -> None:
    """Count the hand, find its best meld, and note what industries and bonuses score with it."""
    hand, points = policy.hand, policy.points
    policy.held = count(hand, 0, NUM_FACES)
    policy.rails = count(hand, RAILS[0], RAILS[1])
    policy.places = count(hand, CITIES[0], TOWNS[1])
    policy.industries = count(hand, INDUSTRIES[0], INDUSTRIES[1])
    for face in range(INDUSTRIES[0], INDUSTRIES[1]):
        rail = int(INDUSTRY_RAIL[face - INDUSTRIES[0]])
        points[face] = INCOME[face]
        if rail >= 0 and hand[rail] > 0:
            points[face] += INDUSTRY_EXTRA[face - INDUSTRIES[0]]
    note_meld(policy)


@rule
def note_meld(policy: Any) -> None:
    """The meld of the hand that scores most, by face; all 0 if there is none.

    Bonuses count the cards of the meld or, where there is none, of the hand.
    """
    hand, meld = policy.hand, policy.best_meld
    for face in range(NUM_FACES):
        meld[face] = 0
    places = min(int(policy.places), int(policy.rails) + 1)
    complete = hand[THE_TRAIN] > 0 and policy.rails > 0 and places >= FEWEST_PLACES
    if complete:
        meld[THE_TRAIN] = 1
        for face in range(RAILS[0], RAILS[1]):
            meld[face] = hand[face]
        meld[THE_CITY] = min(int(hand[THE_CITY]), places)
        meld[THE_TOWN] = places - meld[THE_CITY]
        add_best(policy, INDUSTRIES[0], INDUSTRIES[1], places)
    counted = meld if complete else hand
    for face in range(BONUSES[0], BONUSES[1]):
        first = int(BONUS_SPAN[face - BONUSES[0], 0])
        stop = int(BONUS_SPAN[face - BONUSES[0], 1])
        policy.points[face] = INCOME[face] + count(counted, first, stop)
    if complete:
        add_best(policy, BONUSES[0], BONUSES[1], MOST_BONUSES)


@rule
def add_best(policy: Any, first: int, stop: int, room: int) -> None:
    """Add to the meld the cards of some faces that score most, as many as there is room for."""
    hand, meld, points = policy.hand, policy.best_meld, policy.points
    for _ in range(room):
        best = NONE
        for face in range(first, stop):
            if hand[face] > meld[face] and (best == NONE or points[face] > points[best]):
                best = face
        if best == NONE:
            return
        meld[best] += 1


# What cards are worth


@rule
def judge_cards(policy: Any, more: int, worth: Any) -> None:
    """Write the worth, by face, of one more card (1) or of a card of the hand (0)."""
    hand = policy.hand
    trains = int(hand[THE_TRAIN]) + more
    worth[THE_TRAIN] = 2.0
    if trains == 1:
        worth[THE_TRAIN] = policy.train
    elif trains == 2:
        worth[THE_TRAIN] = policy.second_train
    judge_rails(policy, more, worth)
    places = int(policy.places) + more
    room = 1.0 if places <= policy.rails + 1 else policy.surplus
    lacking = policy.place if places <= FEWEST_PLACES else 0.0
    worth[THE_CITY] = 2 * room + lacking
    worth[THE_TOWN] = 1.2 * room + lacking
    has_room = policy.industries + more <= max(int(policy.places), FEWEST_PLACES)
    for face in range(INDUSTRIES[0], INDUSTRIES[1]):
        worth[face] = (0.9 if has_room else 0.4) * policy.points[face]
    for face in range(BONUSES[0], BONUSES[1]):
        worth[face] = 0.8 * policy.points[face]
    for face in range(EVENTS[0], EVENTS[1]):
        worth[face] = 1.5


@rule
def judge_rails(policy: Any, more: int, worth: Any) -> None:
    """The same of rails: the first ones, and the only one of a terrain that industries need."""
    hand = policy.hand
    rails = int(policy.rails) + more
    usual = policy.more_rails
    if rails == 1:
        usual = policy.rail
    elif rails == 2:
        usual = policy.second_rail
    for face in range(RAILS[0], RAILS[1]):
        worth[face] = usual
    for face in range(INDUSTRIES[0], INDUSTRIES[1]):
        rail = int(INDUSTRY_RAIL[face - INDUSTRIES[0]])
        if rail >= 0 and hand[rail] + more == 1:
            worth[rail] += 0.7 * hand[face] * INDUSTRY_EXTRA[face - INDUSTRIES[0]]


@rule
def cheapest(worth: Any, cards: Any) -> float:
    """What the least valuable of some cards is worth; 0 if there are none."""
    least = np.inf
    for face in range(NUM_FACES):
        if cards[face] > 0:
            least = min(least, worth[face])
    return least if least < np.inf else 0.0


@rule
def first_of_best(worth: Any, cards: Any, number: int, copy: float, taken: Any) -> int:
    """The first face of those to choose, in the order of the card list.

    Args:
        worth: of choosing a card, by face.
        cards: to choose from, by face.
        number: how many of them will be chosen, at least one.
        copy: how much less choosing each further copy of a face is worth.
        taken: (40,), written on.
    """
    for face in range(NUM_FACES):
        taken[face] = 0
    first = NUM_FACES
    for _ in range(number):
        best = NONE
        most = -np.inf
        for face in range(NUM_FACES):
            if cards[face] > taken[face] and worth[face] - copy * taken[face] > most:
                best = face
                most = worth[face] - copy * taken[face]
        if best != NONE:
            taken[best] += 1
            first = min(first, best)
    return first
