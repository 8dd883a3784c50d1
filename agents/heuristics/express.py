"""A heuristic for EXPRESS: what each legal action leaves in my hand, in cards of a train.

*Collecting.* For each Region that I may lay out I count what my hand lacks of a train, Pool cards
counted, and what there is left to fill each gap: a gap that only one card fills is worse than one
that three fill, a card that lies in a train on the table fills none, and one that another seat is
known to hold counts half. The nearest trains count most, so that a hand drifts to one of them.

*Drawing.* The face-up card is taken if it helps more than the pack does on average, over the cards
that may be in it.

*Discarding.* Away goes what the hand misses least, unless the next player would like it: a card of
the Region of which it is known to hold some, a Pool card, a green signal if it has a train.

*Passes.* A request is worth its chance: the cards a seat is known to hold or not to hold, else its
share of the places in which the card may be, old or new since the last shuffle. A discard is
claimed if it helps more than the Pass is worth.

*Signals.* With a train on the table every green one moves it; red ones are kept for trains that are
about to leave, the more so the nearer they are. Before that, greens fill the places that the train
does not need.

*Laying out.* Pool cards stay in hand where there is a choice: on the table they help others.
"""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from agents.heuristics.policy import Heuristic, best_action, field_starts, register_adviser
from railenvs import Game
from railenvs.engine.compile import rule
from railenvs.games.express.cards import (
    ENGINE,
    FIRST_CAR,
    GREEN_1,
    GREEN_2,
    LAST_CAR,
    NUM_FACES,
    NUM_POOL,
    NUM_REGIONAL,
    NUM_REGIONS,
    NUM_REQUESTS,
    NUM_VEHICLES,
    PASS,
    POOL_ENGINE,
    RED,
    ROLES,
    VAN,
    after_asked,
    first_asked,
    pool_for,
)
from railenvs.games.express.observation import fields
from railenvs.games.express.rules import (
    CHOICES,
    DISCARDS,
    EXCHANGES,
    FROM_PACK,
    LAYS,
    REQUESTS,
    TAKE,
)
from railenvs.games.express.state import FULL_TRAIN, MAX_SEATS, SHORT_TRAIN

NEVER = 30.0
"""Cards that a train lacks which can no longer be made up."""
_MOST_GAPS, _MOST_HALVES = 3, 9


@dataclass(frozen=True)
class Weights:
    """What the ideas count, in cards of the nearest train.

    Attributes:
        focus: how much more a nearer train counts than a farther one.
        scarce: how much worse a gap is that a single card fills.
        complete: for a complete train.
        spare_pass: a Pass in hand.
        spare_green: a green signal in hand, for each step, before my train stands.
        spare_red: a red signal in hand.
        step: moving my train by a step.
        green: a green signal in hand, for each step, once it stands.
        setback: moving back a train, and more for each step that it has moved.
        gift: what a card is worth to the next player, for each card of its Region it is known to
            hold; likewise a Pool card or a green signal.
    """

    focus: float = 1.3
    scarce: float = 0.6
    complete: float = 2.0
    spare_pass: float = 0.5
    spare_green: float = 0.12
    spare_red: float = 0.1
    step: float = 1.0
    green: float = 0.5
    setback: float = 0.25
    gift: float = 0.12


# The record

OWN_HAND, TOP, STOCK, OLD, STOCK_LEFT, TRAIN, REGION, POSITION = range(8)
OPEN, KNOWN, ABSENT, NEW_AT_LEAST, NEW_AT_MOST, HAND_SIZE, ASKED, PHASE = range(8, 16)
"""Fields of the observation that are read."""
_FIELDS = (
    *("own_hand", "top", "stock_at_most", "old_at_most", "stock_left", "train", "region"),
    *("position", "may_lay_out", "known", "absent", "new_at_least", "new_at_most", "hand_size"),
    *("asked", "phase"),
)
"""Their names, in the same order."""

_SEATS = range(2, MAX_SEATS + 1)
_OTHERS = MAX_SEATS - 1

POLICY = np.dtype(
    [
        ("express_heuristic", np.uint8),
        *((name, np.float64) for name in Weights.__dataclass_fields__),
        ("costs", np.float64, (_MOST_GAPS + 1, _MOST_HALVES + 1)),  # of gaps, by what fills them
        ("starts", np.int64, (len(_FIELDS),)),
        ("after_phase", np.int64),  # one past the last phase, choosing for a train
        ("seats", np.int64),
        ("length", np.int64),  # of a train
        # What the seat to act knows; the others run clockwise from it.
        ("hand", np.int64, (NUM_FACES,)),  # my cards
        ("top", np.int64),  # the face-up card
        ("stock", np.int64, (NUM_FACES,)),  # cards that the pack may hold, at most
        ("old", np.int64, (NUM_FACES,)),  # unseen cards that may be old, at most
        ("stock_left", np.int64),  # cards in the pack
        ("laid", np.int64, (NUM_FACES,)),  # vehicles on the table
        ("position", np.int64, (MAX_SEATS,)),  # steps of each train
        ("standing", np.int64, (MAX_SEATS,)),  # whether each train stands
        ("open", np.int64, (NUM_REGIONS,)),  # whether I may lay out a Region
        ("known", np.int64, (_OTHERS, NUM_FACES)),  # cards known in other hands
        ("absent", np.int64, (_OTHERS, NUM_FACES)),  # vehicles known not to be there
        ("new", np.float64, (_OTHERS,)),  # unknown cards drawn since the last shuffle, about
        ("unknown", np.int64, (_OTHERS,)),  # unknown cards
        ("laying", np.int64),  # whether I choose cards for a train
        # Room to think.
        ("lacking", np.float64, (NUM_REGIONS,)),
        ("observation", np.int8, (max(sum(f.size for f in fields(n)) for n in _SEATS),)),
        ("worth", np.float64, (REQUESTS + _OTHERS * NUM_REQUESTS + 2,)),
    ]
)
"""Weights, and a position as the seat to act knows it."""


class ExpressHeuristic(Heuristic):
    """Plays EXPRESS by the module's ideas, without search.

    Args:
        game: a game of EXPRESS.
        seed: for the random numbers; None takes the system's entropy.
        weights: what the ideas count.
    """

    def __init__(self, game: Game, seed: int | None = None, weights: Weights | None = None) -> None:
        chosen = weights or Weights()
        policy = np.zeros(1, POLICY)
        for name, value in asdict(chosen).items():
            policy[name] = value
        policy["costs"] = _gap_costs(chosen.scarce)
        policy["starts"] = field_starts(game, _FIELDS)
        policy["after_phase"] = game.fields["phase"].slice.stop
        policy["seats"] = game.num_players
        policy["length"] = SHORT_TRAIN if game.options["short_trains"] else FULL_TRAIN
        super().__init__(game, policy, seed)


def _gap_costs(scarce: float) -> np.ndarray[Any, np.dtype[np.float64]]:
    """What so many gaps cost that so many free cards can fill, by gaps and by halves of a card.

    A card that another seat is known to hold is half a card.
    """
    costs = np.zeros((_MOST_GAPS + 1, _MOST_HALVES + 1))
    for gaps in range(_MOST_GAPS + 1):
        for halves in range(_MOST_HALVES + 1):
            for number in range(gaps):
                spare = halves / 2 - number
                costs[gaps, halves] += 1 + scarce / spare if spare > 0 else NEVER
    return costs


@rule
def advise(policy: Any, observation: Any, mask: Any, generator: Any) -> int:
    """The best of the legal actions."""
    read(policy, observation)
    judge_actions(policy, mask, policy.worth)
    return best_action(policy.worth, mask, generator)


register_adviser(POLICY, advise)


@rule
def judge_actions(policy: Any, mask: Any, worth: Any) -> None:
    """Write how good each legal action is."""
    claim = REQUESTS + (int(policy.seats) - 1) * NUM_REQUESTS
    # A request spends a Pass, and all of them may be refused alike.
    asking = False
    for action in range(REQUESTS, claim):
        asking |= mask[action] > 0
    refused = 0.0
    loss = 0.0
    if asking:
        policy.hand[PASS] -= 1
        refused = hand_worth(policy)
        loss = least_loss(policy)
        policy.hand[PASS] += 1
    for action in range(mask.size):
        if mask[action]:
            if action == TAKE:
                worth[action] = with_card(policy, policy.top)
            elif action == FROM_PACK:
                worth[action] = draw(policy)
            elif action < LAYS:
                worth[action] = discard(policy, action - DISCARDS)
            elif action < EXCHANGES:
                worth[action] = lay_out(policy, action - LAYS)
            elif action < CHOICES:
                worth[action] = exchange(policy, POOL_ENGINE + action - EXCHANGES)
            elif action < REQUESTS:
                worth[action] = choose_card(policy, action - CHOICES)
            elif action < claim:
                worth[action] = ask(policy, action - REQUESTS, refused, loss)
            elif action == claim:
                worth[action] = claim_top(policy)
            else:
                worth[action] = hand_worth(policy)


@rule
def read(policy: Any, observation: Any) -> None:
    """Take in an observation."""
    starts, seats = policy.starts, int(policy.seats)
    for face in range(NUM_FACES):
        policy.hand[face] = observation[starts[OWN_HAND] + face]
        policy.stock[face] = observation[starts[STOCK] + face]
        policy.old[face] = observation[starts[OLD] + face]
        policy.laid[face] = 0
        if observation[starts[TOP] + face]:
            policy.top = face
    policy.stock_left = observation[starts[STOCK_LEFT]]
    for seat in range(seats):
        policy.position[seat] = observation[starts[POSITION] + seat]
        policy.standing[seat] = 0
        for region in range(NUM_REGIONS):
            policy.standing[seat] |= observation[starts[REGION] + seat * NUM_REGIONS + region]
        for vehicle in range(NUM_VEHICLES):
            policy.laid[vehicle] += observation[starts[TRAIN] + seat * NUM_VEHICLES + vehicle]
    asked = False
    for region in range(NUM_REGIONS):
        policy.open[region] = observation[starts[OPEN] + region]
        asked |= observation[starts[ASKED] + region] > 0
    policy.laying = observation[policy.after_phase - 1] > 0 and not asked
    for other in range(seats - 1):
        unknown = int(observation[starts[HAND_SIZE] + 1 + other])
        for face in range(NUM_FACES):
            policy.known[other, face] = observation[starts[KNOWN] + other * NUM_FACES + face]
            unknown -= int(policy.known[other, face])
        for vehicle in range(NUM_VEHICLES):
            place = starts[ABSENT] + other * NUM_VEHICLES + vehicle
            policy.absent[other, vehicle] = observation[place]
        fewest = int(observation[starts[NEW_AT_LEAST] + other])
        new = (fewest + int(observation[starts[NEW_AT_MOST] + other])) / 2
        policy.new[other] = min(new, float(unknown))
        policy.unknown[other] = unknown


# One judge for each kind of action


@rule
def with_card(policy: Any, face: int) -> float:
    """Worth of my hand with one more card."""
    policy.hand[face] += 1
    worth = hand_worth(policy)
    policy.hand[face] -= 1
    return worth


@rule
def without_card(policy: Any, face: int) -> float:
    """Worth of my hand with one card less."""
    policy.hand[face] -= 1
    worth = hand_worth(policy)
    policy.hand[face] += 1
    return worth


@rule
def draw(policy: Any) -> float:
    """The average over the cards that may be in the pack."""
    worth = 0.0
    cards = 0
    for face in range(NUM_FACES):
        if policy.stock[face] > 0:
            worth += policy.stock[face] * with_card(policy, face)
            cards += int(policy.stock[face])
    return worth / max(cards, 1)


@rule
def discard(policy: Any, face: int) -> float:
    """What is kept, and what the discard does and gives."""
    return without_card(policy, face) + effect(policy, face) - gift(policy, face)


@rule
def lay_out(policy: Any, region: int) -> float:
    """Rather the train that needs fewer Pool cards."""
    own = 0.0
    for vehicle in range(region * ROLES, (region + 1) * ROLES):
        own += policy.hand[vehicle]
    return own


@rule
def exchange(policy: Any, face: int) -> float:
    """As good as the better hand, with the best card of it discarded."""
    best = -np.inf
    for vehicle in range(NUM_REGIONAL):
        region, role = vehicle // ROLES, vehicle % ROLES
        if policy.hand[vehicle] > 0 and pool_for(region, role) == face:
            policy.hand[vehicle] -= 1
            policy.hand[face] += 1
            best = max(best, hand_worth(policy) - least_loss(policy))
            policy.hand[face] -= 1
            policy.hand[vehicle] += 1
    return best


@rule
def choose_card(policy: Any, vehicle: int) -> float:
    """Give away what I miss least; lay out no Pool card without need."""
    if policy.laying:
        return -1.0 if vehicle >= NUM_REGIONAL else 0.0
    return without_card(policy, vehicle)


@rule
def ask(policy: Any, number: int, refused: float, loss: float) -> float:
    """A request by its chance; of the coaches or wagons any helps alike, the first that I lack."""
    other, request = number // NUM_REQUESTS, number % NUM_REQUESTS
    face = 0
    for vehicle in range(after_asked(request) - 1, first_asked(request) - 1, -1):
        if policy.hand[vehicle] + policy.laid[vehicle] == 0:
            face = vehicle
    policy.hand[PASS] -= 1
    success = with_card(policy, face) - loss
    policy.hand[PASS] += 1
    likely = chance_to_get(policy, other, request)
    return likely * success + (1 - likely) * refused


@rule
def claim_top(policy: Any) -> float:
    """Worth of my hand with the face-up card for a Pass."""
    policy.hand[PASS] -= 1
    worth = with_card(policy, policy.top)
    policy.hand[PASS] += 1
    return worth


# What they have in common


@rule
def hand_worth(policy: Any) -> float:
    """What my hand is worth."""
    steps = policy.hand[GREEN_1] + 2 * policy.hand[GREEN_2]
    if policy.standing[0]:
        return policy.green * steps + policy.spare_red * policy.hand[RED]
    spares = policy.spare_pass * min(policy.hand[PASS], 2)
    spares += policy.spare_red * min(policy.hand[RED], 2)
    return collection(policy) + spares + policy.spare_green * steps


@rule
def collection(policy: Any) -> float:
    """How near the hand is to a train: minus the cards lacking, the nearest counting most."""
    nearest = np.inf
    for region in range(NUM_REGIONS):
        policy.lacking[region] = lacking_cards(policy, region)
        nearest = min(nearest, policy.lacking[region])
    total = 0.0
    for region in range(NUM_REGIONS):
        total += math.exp(-policy.focus * (policy.lacking[region] - nearest))
    near = math.log(total) / policy.focus - nearest
    return near + policy.complete * (nearest <= 0)


@rule
def lacking_cards(policy: Any, region: int) -> float:
    """Cards that a Region's train lacks, scarce ones counting more."""
    if not policy.open[region]:
        return NEVER
    first = region * ROLES
    cost = gap_cost(policy, first + ENGINE, first + ENGINE, pool_for(region, ENGINE), 1)
    cars = int(policy.length) - 2
    cost += gap_cost(policy, first + FIRST_CAR, first + LAST_CAR, pool_for(region, FIRST_CAR), cars)
    return cost + gap_cost(policy, first + VAN, first + VAN, pool_for(region, VAN), 1)


@rule
def gap_cost(policy: Any, first: int, last: int, pool_card: int, needed: int) -> float:
    """What it costs to fill a part of a train: vehicles from first to last, or a Pool card."""
    have = int(policy.hand[pool_card])
    left = free_halves(policy, pool_card)
    for vehicle in range(first, last + 1):
        have += int(policy.hand[vehicle])
        left += free_halves(policy, vehicle)
    return policy.costs[max(needed - have, 0), left]


@rule
def free_halves(policy: Any, vehicle: int) -> int:
    """How much a card may fill a gap: two halves, one if another seat is known to hold it."""
    if policy.hand[vehicle] + policy.laid[vehicle] > 0:
        return 0
    for other in range(int(policy.seats) - 1):
        if policy.known[other, vehicle]:
            return 1
    return 2


@rule
def least_loss(policy: Any) -> float:
    """What the hand loses by the discard that it misses least."""
    most = -np.inf
    for face in range(NUM_FACES):
        if policy.hand[face] > 0:
            most = max(most, without_card(policy, face))
    return hand_worth(policy) - most


@rule
def steps_of(face: int) -> int:
    """Steps that a green signal moves a train."""
    if face == GREEN_1:
        return 1
    return 2 if face == GREEN_2 else 0


@rule
def effect(policy: Any, face: int) -> float:
    """What a signal does when discarded."""
    worth = 0.0
    steps = steps_of(face)
    if policy.standing[0] and steps > 0:
        worth += policy.step * steps
        if policy.position[0] + steps > policy.length:
            worth += 100
    if face == RED:
        for other in range(1, int(policy.seats)):
            if policy.position[other] > 0:
                worth += policy.setback * (1 + policy.position[other])
    return worth


@rule
def gift(policy: Any, face: int) -> float:
    """What the next player gains from a card that it may take."""
    if policy.standing[1]:
        return policy.gift * 4 * steps_of(face)
    liked = 0
    if face < NUM_REGIONAL:
        liked = 1
        first = face // ROLES * ROLES
        for vehicle in range(first, first + ROLES):
            liked += int(policy.known[0, vehicle])
    elif face < NUM_REGIONAL + NUM_POOL:
        liked = 2
    elif face == PASS:
        liked = 1
    return policy.gift * liked


@rule
def chance_to_get(policy: Any, other: int, request: int) -> float:
    """How likely another seat holds one of the vehicles asked for."""
    all_old = 0.0
    all_new = float(policy.stock_left)
    anywhere = float(policy.stock_left)
    for seat in range(int(policy.seats) - 1):
        all_old += max(policy.unknown[seat] - policy.new[seat], 0.0)
        all_new += policy.new[seat]
        anywhere += policy.unknown[seat]
    unknown, new = float(policy.unknown[other]), policy.new[other]
    none = 1.0
    for vehicle in range(first_asked(request), after_asked(request)):
        likely = 0.0
        if policy.known[other, vehicle]:
            likely = 1.0
        elif not policy.absent[other, vehicle]:
            if policy.old[vehicle] > 0 and policy.stock[vehicle] > 0:
                likely = unknown / max(anywhere, 1.0)
            elif policy.old[vehicle] > 0:
                likely = max(unknown - new, 0.0) / max(all_old, 1.0)
            elif policy.stock[vehicle] > 0:
                likely = new / max(all_new, 1.0)
        none *= 1 - min(likely, 1.0)
    return 1 - none
