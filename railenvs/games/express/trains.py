"""Trains: which cards make one up, and the choice among several that fit.

A train is an Engine, coaches or wagons, and a van, all of one Region but for Pool substitutes.
Where more cards fit than are needed, its owner settles one place after the other: the engine, then
the coaches or wagons in the order of their numbers, the Pool's last, then the van. So every train
is reached in one way, and none leads nowhere.
"""

from __future__ import annotations

from typing import Any

from railenvs.engine.compile import rule
from railenvs.engine.state import Record
from railenvs.games.express.cards import (
    ENGINE,
    FIRST_CAR,
    LAST_CAR,
    NUM_REGIONAL,
    NUM_REGIONS,
    NUM_VEHICLES,
    REGIONS,
    ROLES,
    VAN,
    pool_for,
)
from railenvs.games.express.state import FULL_TRAIN, NONE, SHORT_TRAIN

CARS = LAST_CAR - FIRST_CAR + 2
"""Coaches or wagons that fit a Region's train: its three and the Pool's."""
SETTLED = 3
"""No place of a train is open."""
ENGINE_OPEN, CARS_OPEN, VAN_OPEN = range(3)

assert len(REGIONS) == NUM_REGIONS


@rule
def train_length(state: Record) -> int:
    """Cards of a train; the Alternative Shorter Game does with one coach or wagon fewer."""
    return SHORT_TRAIN if state.short_trains else FULL_TRAIN


@rule
def car(region: int, index: int) -> int:
    """Coach or wagon number ``index`` (of ``CARS``) that fits a Region's train."""
    if index == CARS - 1:
        return pool_for(region, FIRST_CAR)
    return region * ROLES + FIRST_CAR + index


@rule
def completes(state: Record, hand: Any, region: int) -> bool:
    """Whether a hand holds a complete train of a Region, Pool cards counted."""
    engines = hand[region * ROLES + ENGINE] + hand[pool_for(region, ENGINE)]
    vans = hand[region * ROLES + VAN] + hand[pool_for(region, VAN)]
    cars = 0
    for index in range(CARS):
        cars += hand[car(region, index)]
    return engines > 0 and vans > 0 and cars >= train_length(state) - 2


@rule
def may_lay_out(state: Record, seat: int, region: int) -> bool:
    """Whether a seat could still lay out a train of a Region if it held one.

    One train a player: laying out leaves too few cards for another, and in the shorter game, where
    the card drawn may make it four again, that is a decision of ours. For Younger Players only the
    Region that the seat was told.
    """
    if state.region[seat] != NONE:
        return False
    return bool(state.assigned[seat] == NONE or state.assigned[seat] == region)


@rule
def lay_out_due(state: Record, region: int) -> bool:
    """Whether the turn's player has collected a complete train of a Region and must set it out."""
    seat = int(state.turn)
    return may_lay_out(state, seat, region) and completes(state, state.hand[seat], region)


@rule
def any_lay_out_due(state: Record) -> bool:
    """Whether the turn's player must set out a train."""
    due = False
    if state.region[state.turn] == NONE:
        for region in range(NUM_REGIONS):
            due |= lay_out_due(state, region)
    return due


# Which of several fitting cards


@rule
def open_place(state: Record) -> int:
    """The first place of the train being laid out that is not settled."""
    hand = state.hand[state.turn]
    region = int(state.laying)
    if undecided(state, hand, region, ENGINE):
        return ENGINE_OPEN
    picked = 0
    for index in range(CARS):
        picked += state.picked[car(region, index)]
    if picked < train_length(state) - 2:
        return CARS_OPEN
    if undecided(state, hand, region, VAN):
        return VAN_OPEN
    return SETTLED


@rule
def undecided(state: Record, hand: Any, region: int, role: int) -> bool:
    """Whether neither the Region's own engine (or van) nor the Pool's has been picked."""
    own, pool = region * ROLES + role, pool_for(region, role)
    return state.picked[own] == 0 and state.picked[pool] == 0


@rule
def fits_next(state: Record, place: int, vehicle: int) -> bool:
    """Whether a vehicle may be picked for the open place."""
    hand = state.hand[state.turn]
    region = int(state.laying)
    if hand[vehicle] == 0:
        return False
    if place == CARS_OPEN:
        return car_fits_next(state, hand, region, vehicle)
    role = ENGINE if place == ENGINE_OPEN else VAN
    return vehicle == region * ROLES + role or vehicle == pool_for(region, role)


@rule
def car_fits_next(state: Record, hand: Any, region: int, vehicle: int) -> bool:
    """Whether a coach or wagon comes after those picked, and enough are left behind it."""
    needed = train_length(state) - 2
    found = False
    left = 0
    for index in range(CARS):
        other = car(region, index)
        if state.picked[other]:
            needed -= 1
            if found:
                return False
        if found:
            left += hand[other]
        found |= other == vehicle
    if not found or state.picked[vehicle]:
        return False
    # None picked may stand behind it.
    return left >= needed - 1


@rule
def settle(state: Record) -> int:
    """Pick all cards that leave no choice; returns the place that needs one, or ``SETTLED``."""
    place = open_place(state)
    while place != SETTLED:
        found = 0
        only = NONE
        for vehicle in range(NUM_VEHICLES):
            if fits_next(state, place, vehicle):
                found += 1
                only = vehicle
        if found > 1:
            return place
        state.picked[only] = 1
        place = open_place(state)
    return place


# Exchanging Pool cards


@rule
def owner_of(state: Record, vehicle: int) -> int:
    """The seat in whose train on the table a vehicle runs, or ``NONE``."""
    owner = NONE
    for seat in range(state.num_players):
        if state.train[seat, vehicle]:
            owner = seat
    return owner


@rule
def is_correct_for(state: Record, pool_card: int, region: int, vehicle: int) -> bool:
    """Whether a Region's vehicle is a correct card for a Pool card in a train of that Region."""
    role = vehicle - vehicle // ROLES * ROLES
    return vehicle // ROLES == region and pool_for(region, role) == pool_card


@rule
def correct_cards(state: Record, pool_card: int) -> int:
    """How many cards in the hand of the turn's player could replace a Pool card on the table."""
    owner = owner_of(state, pool_card)
    if owner == NONE:
        return 0
    count = 0
    for vehicle in range(NUM_REGIONAL):
        if is_correct_for(state, pool_card, int(state.region[owner]), vehicle):
            count += int(state.hand[state.turn, vehicle])
    return count


@rule
def only_correct_card(state: Record, pool_card: int) -> int:
    """The one card in that hand that could, if there is just one."""
    found = NONE
    owner = owner_of(state, pool_card)
    for vehicle in range(NUM_REGIONAL):
        correct = is_correct_for(state, pool_card, int(state.region[owner]), vehicle)
        if correct and state.hand[state.turn, vehicle]:
            found = vehicle
    return found
