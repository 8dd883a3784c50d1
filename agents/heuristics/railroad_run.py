"""A heuristic for Railroad Run: what each card is worth to the hand it is in.

*Melds.* The best meld of a hand takes a train, all rails, as many cities and towns as these carry,
the industries that score most with these rails, and the two best bonuses. It is laid when it scores
enough, when the hand is so full that cards would be lost, or when it wins; else it is saved for.

*Cards.* A card is worth what the next melds gain by it: a first train or rail more than a third
one, a city or town while there is room for it, an industry more with a rail of its terrain, a bonus
by the number of cards that it counts. The least valuable card of the hand is what is discarded,
given or offered; the most useful one is what is kept, searched or asked for.

*Plays.* Each event and option is judged by the points and cards that it brings, less the worth of
the card it costs: trains beyond need become contracts, towns beyond need draw cards, a hand without
a train looks for one, shares are placed early. Whoever is ahead is whom events are for. With fifty
points in reach the points come first.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from agents.heuristics.policy import (
    Heuristic,
    best_action,
    field_starts,
    first_set,
    register_adviser,
)
from agents.heuristics.railroad_run_cards import (
    NONE,
    cheapest,
    first_of_best,
    judge_cards,
    note_hand,
)
from railenvs import Game
from railenvs.engine.compile import rule
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
    SEND,
    SWITCH,
    TRAIN_YARD,
    UPGRADE,
    WATER_TOWER,
)
from railenvs.games.railroad_run.cards import (
    BUY_OUT,
    FINANCE_CRISIS,
    INDUSTRIES,
    INVESTORS,
    LAND_GRANTS,
    NUM_FACES,
    OBSOLESCENCE,
    PATENT,
    POLITICS,
    RAILS,
    SURVEY,
    THE_CITY,
    THE_TOWN,
    THE_TRAIN,
    WRECK,
)
from railenvs.games.railroad_run.melds import count, meld_income
from railenvs.games.railroad_run.observation import fields
from railenvs.games.railroad_run.options import CONTRACTS_INCOME
from railenvs.games.railroad_run.state import (
    ANSWER,
    BUY_OUT_OPPONENT,
    COAL_CHUTE_KEEP,
    EVENT_PHASE,
    HAND_LIMIT,
    MAX_SEATS,
    OFFER_GIVE,
    OFFER_WANT,
    OPERATIONS_PHASE,
    OPPONENT_PHASES,
    PLAYS,
    SURVEY_KEEP,
    TRAIN_YARD_RAIL,
    WINNING_INCOME,
    num_phases,
)


@dataclass(frozen=True)
class Weights:
    """What the ideas count, in points.

    Attributes:
        meld: a meld that scores so much is laid at once.
        room: cards below the hand limit from which on any meld is laid.
        train, second_train: worth of the first and the second train of a hand.
        rail, second_rail, more_rails: the same for rails.
        place: worth of a city or town, beyond its points, while a meld lacks one.
        surplus: share of its points that a card without room in a meld is worth.
        draw: worth of a card drawn.
        share: worth of a share token placed early.
        early: points up to which it is early.
    """

    meld: float = 9.0
    room: int = 2
    train: float = 6.0
    second_train: float = 2.4
    rail: float = 4.0
    second_rail: float = 2.5
    more_rails: float = 1.4
    place: float = 1.5
    surplus: float = 0.5
    draw: float = 1.4
    share: float = 4.5
    early: int = 18


# The record

OWN_HAND, DISCARD_TOP, LOOKED_AT, CHOSEN, WANTED, TO_CHOOSE, INCOME, UPGRADES = range(8)
TOKENS, PHASE = 8, 9
"""Fields of the observation that are read."""
_FIELDS = (
    *("own_hand", "discard_top", "looked_at", "chosen", "wanted", "to_choose", "income"),
    *("upgrades", "tokens", "phase"),
)
"""Their names, in the same order."""

_SEATS = range(2, MAX_SEATS + 1)

POLICY = np.dtype(
    [
        ("railroad_run_heuristic", np.uint8),
        *((name, np.float64) for name in Weights.__dataclass_fields__),
        ("starts", np.int64, (len(_FIELDS),)),
        ("seats", np.int64),
        ("phases", np.int64),
        # What the seat to act knows; cards by face.
        ("phase", np.int64),
        ("hand", np.int64, (NUM_FACES,)),  # my cards
        ("looked_at", np.int64, (NUM_FACES,)),  # to choose from
        ("chosen", np.int64, (NUM_FACES,)),  # of the running set; what an offer gives
        ("wanted", np.int64, (NUM_FACES,)),  # what an offer wants
        ("top", np.int64),  # top card of the discard, or NONE
        ("to_choose", np.int64),  # cards still missing from the running set, at least one
        ("income", np.int64, (MAX_SEATS,)),  # points, me first
        ("limit", np.int64),  # of my hand
        ("placed", np.int64),  # share tokens that I have given
        # What follows for my hand.
        ("held", np.int64),  # cards
        ("rails", np.int64),
        ("places", np.int64),  # cities and towns
        ("industries", np.int64),
        ("best_meld", np.int64, (NUM_FACES,)),
        ("points", np.int64, (NUM_FACES,)),  # that industries and bonuses score
        ("keep", np.float64, (NUM_FACES,)),  # worth of a card of the hand
        ("gain", np.float64, (NUM_FACES,)),  # worth of one more card
        # Room to think.
        ("cards", np.int64, (NUM_FACES,)),
        ("taken", np.int64, (NUM_FACES,)),
        ("observation", np.int8, (max(sum(f.size for f in fields(n)) for n in _SEATS),)),
        ("worth", np.float64, (OPPONENT + MAX_SEATS - 1,)),
    ]
)
"""Weights, and a position as the seat to act knows it."""


class RailroadRunHeuristic(Heuristic):
    """Plays Railroad Run by the module's ideas, without search.

    Args:
        game: a game of Railroad Run.
        seed: for the random numbers; None takes the system's entropy.
        weights: what the ideas count.
    """

    def __init__(self, game: Game, seed: int | None = None, weights: Weights | None = None) -> None:
        policy = np.zeros(1, POLICY)
        for name, value in asdict(weights or Weights()).items():
            policy[name] = value
        policy["starts"] = field_starts(game, _FIELDS)
        policy["seats"] = game.num_players
        policy["phases"] = num_phases(game.num_players)
        super().__init__(game, policy, seed)


@rule
def advise(policy: Any, observation: Any, mask: Any, generator: Any) -> int:
    """The best of the legal actions."""
    read(policy, observation)
    note_hand(policy)
    judge_cards(policy, 0, policy.keep)
    judge_cards(policy, 1, policy.gain)
    judge_actions(policy, mask, policy.worth)
    return best_action(policy.worth, mask, generator)


register_adviser(POLICY, advise)


@rule
def read(policy: Any, observation: Any) -> None:
    """Take in an observation."""
    starts = policy.starts
    for face in range(NUM_FACES):
        policy.hand[face] = observation[starts[OWN_HAND] + face]
        policy.looked_at[face] = observation[starts[LOOKED_AT] + face]
        policy.chosen[face] = observation[starts[CHOSEN] + face]
        policy.wanted[face] = observation[starts[WANTED] + face]
    policy.top = first_set(observation, starts[DISCARD_TOP], NUM_FACES)
    policy.phase = first_set(observation, starts[PHASE], policy.phases)
    policy.to_choose = max(1, int(observation[starts[TO_CHOOSE]]))
    policy.limit = HAND_LIMIT + int(observation[starts[UPGRADES]])
    policy.placed = count(observation, starts[TOKENS], starts[TOKENS] + policy.seats - 1)
    for seat in range(policy.seats):
        policy.income[seat] = observation[starts[INCOME] + seat]


@rule
def judge_actions(policy: Any, mask: Any, worth: Any) -> None:
    """Write how good each action is that may be legal."""
    for action in range(mask.size):
        worth[action] = -1.0
    phase = policy.phase
    if phase == EVENT_PHASE:
        judge_cards_to_play(policy, worth)
        judge_options(policy, worth)
        worth[DONE] = 0.0
    elif phase == OPERATIONS_PHASE:
        judge_meld(policy, worth)
    elif phase == ANSWER:
        worth[ACCEPT] = trade(policy) - 0.5
        worth[DECLINE] = 0.0
    elif phase in (SURVEY_KEEP, COAL_CHUTE_KEEP, TRAIN_YARD_RAIL):
        take(policy, mask, worth)
    elif phase >= OPPONENT_PHASES:
        judge_opponents(policy, worth)
    elif phase == OFFER_WANT:
        ask(policy, worth)
    else:
        give(policy, mask, worth)


# Event Phase


@rule
def judge_cards_to_play(policy: Any, worth: Any) -> None:
    """Events, rails and industries, by what they bring, less the card where melds could use it."""
    draw = policy.draw
    most = 0
    patent = 10
    for seat in range(1, policy.seats):
        most = max(most, int(policy.income[seat]))
        patent += min(2, int(policy.income[seat]))
    worth[WRECK] = 1.0
    worth[POLITICS] = 2 * draw
    worth[BUY_OUT] = 0.8
    worth[SURVEY] = 3 * draw
    worth[INVESTORS] = 3 * draw
    worth[LAND_GRANTS] = 3.5 * draw
    worth[OBSOLESCENCE] = min(5, most)
    worth[FINANCE_CRISIS] = min(3, most)
    worth[PATENT] = patent
    if policy.hand[THE_TRAIN] == 0:
        for face in range(RAILS[0], RAILS[1]):
            worth[face] = policy.gain[THE_TRAIN] - 1 - policy.keep[face]
    for face in range(INDUSTRIES[0], INDUSTRIES[1]):
        worth[face] = 0.9 * draw - policy.keep[face]


@rule
def judge_options(policy: Any, worth: Any) -> None:
    """Options by what they bring, less the card that they cost; an offer where I lack a train."""
    hand, keep, gain = policy.hand, policy.keep, policy.gain
    draw, town, city = policy.draw, keep[THE_TOWN], keep[THE_CITY]
    trains = int(hand[THE_TRAIN])
    worth[UPGRADE] = -2.0
    if trains > 2 or (trains == 2 and policy.held >= policy.limit):
        worth[CONTRACTS] = 0.5
    if policy.income[0] + CONTRACTS_INCOME * min(PLAYS, trains) >= WINNING_INCOME:
        worth[CONTRACTS] = 20.0
    worth[WATER_TOWER] = 2 * draw - town - 0.6
    worth[COAL_CHUTE] = 2 * draw - town - 0.6 + (-0.6 if trains else 0.6)
    worth[SWITCH] = 0.2 - town
    worth[DEPOT] = (gain[policy.top] if policy.top != NONE else 0.0) - town - 0.4
    rail = gain[RAILS[0]]
    for face in range(RAILS[0], RAILS[1]):
        rail = max(rail, gain[face])
    worth[TRAIN_YARD] = rail - town - 0.4
    if policy.income[0] <= policy.early and policy.placed < 4 and hand[THE_CITY] > 0:
        hand[THE_CITY] -= 1
        gift = cheapest(keep, hand)
        hand[THE_CITY] += 1
        worth[BUY_SHARES] = policy.share - policy.placed - city - gift
    worth[DIVIDENDS] = 0.9 - city
    if trains == 0 and cheapest(keep, hand) < 1.5:
        worth[OFFER] = 0.3


# The other phases


@rule
def judge_meld(policy: Any, worth: Any) -> None:
    """Lay the best meld now or not; card by card once it is begun."""
    missing = NONE
    begun = False
    for face in range(NUM_FACES - 1, -1, -1):
        begun |= policy.chosen[face] > 0
        if policy.best_meld[face] > policy.chosen[face]:
            missing = face
    if begun:
        worth[missing if missing != NONE else DONE] = 1.0
        return
    points = meld_income(policy.best_meld)
    wins = points + policy.income[0] >= WINNING_INCOME
    full = policy.held > policy.limit - policy.room
    worth[DONE] = 0.0
    if wins or full or points >= policy.meld:
        worth[THE_TRAIN] = 1.0


@rule
def give(policy: Any, mask: Any, worth: Any) -> None:
    """Discard, give or offer the least valuable cards, in the order of the card list."""
    if policy.phase == OFFER_GIVE and count(policy.chosen, 0, NUM_FACES) > 0:
        worth[DONE] = 1.0
        return
    first = first_set(mask, 0, NUM_FACES)
    for face in range(NUM_FACES):
        policy.cards[face] = policy.hand[face] - policy.chosen[face] if face >= first else 0
        # From here on, what I gain by giving; the last copies to go are those melds need first.
        policy.gain[face] = -policy.keep[face]
    face = first_of_best(policy.gain, policy.cards, policy.to_choose, 0.8, policy.taken)
    worth[face] = 1.0


@rule
def take(policy: Any, mask: Any, worth: Any) -> None:
    """Keep the most useful cards, in the order of the card list."""
    first = first_set(mask, 0, NUM_FACES)
    looking = False
    for face in range(NUM_FACES):
        policy.cards[face] = policy.looked_at[face] - policy.chosen[face] if face >= first else 0
        looking |= policy.looked_at[face] > policy.chosen[face]
    if not looking:
        for face in range(NUM_FACES):
            policy.cards[face] = mask[face]
    face = first_of_best(policy.gain, policy.cards, policy.to_choose, 0.0, policy.taken)
    worth[face] = 1.0


@rule
def judge_opponents(policy: Any, worth: Any) -> None:
    """Whoever is ahead; a token is bought back from whoever is behind."""
    sign = -1 if policy.phase == BUY_OUT_OPPONENT else 1
    for other in range(policy.seats - 1):
        worth[OPPONENT + other] = sign * policy.income[1 + other]


@rule
def ask(policy: Any, worth: Any) -> None:
    """Ask for the card that I can use best, once."""
    if count(policy.wanted, 0, NUM_FACES) > 0:
        worth[SEND] = 1.0
        return
    for face in range(NUM_FACES):
        worth[face] = policy.gain[face]


@rule
def trade(policy: Any) -> float:
    """What an offer brings me, less what it takes."""
    worth = 0.0
    for face in range(NUM_FACES):
        worth += policy.gain[face] * policy.chosen[face]
        worth -= policy.keep[face] * policy.wanted[face]
    return worth
