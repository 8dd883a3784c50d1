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

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from agents.heuristics.judging import Floats, Ints, Judging
from railenvs import Game
from railenvs.engine.fields import Fields
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
    WITHDRAW,
)
from railenvs.games.railroad_run.cards import (
    BONUS_SPAN,
    BONUSES,
    BUY_OUT,
    COPIES,
    EVENTS,
    FINANCE_CRISIS,
    INCOME,
    INDUSTRIES,
    INDUSTRY_EXTRA,
    INDUSTRY_RAIL,
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
from railenvs.games.railroad_run.melds import MOST_BONUSES
from railenvs.games.railroad_run.state import (
    ANSWER,
    BUY_OUT_OPPONENT,
    BUY_SHARES_OPPONENT,
    COAL_CHUTE_KEEP,
    EVENT_PHASE,
    HAND_LIMIT,
    OFFER_GIVE,
    OFFER_WANT,
    OPERATIONS_PHASE,
    SURVEY_KEEP,
    TRAIN_YARD_RAIL,
    WINNING_INCOME,
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


def best_meld(hand: Ints) -> Ints:
    """The meld of a hand (40,) that scores most, by face; all 0 if there is none."""
    rails = int(hand[RAILS[0] : RAILS[1]].sum())
    meld = np.zeros(NUM_FACES, np.int64)
    cities, towns = int(hand[THE_CITY]), int(hand[THE_TOWN])
    places = min(cities + towns, rails + 1)
    if hand[THE_TRAIN] == 0 or rails == 0 or places < 2:
        return meld
    meld[THE_TRAIN] = 1
    meld[RAILS[0] : RAILS[1]] = hand[RAILS[0] : RAILS[1]]
    meld[THE_CITY] = min(cities, places)
    meld[THE_TOWN] = places - meld[THE_CITY]
    points = industry_points(hand)
    room = places
    for face in INDUSTRIES[0] + np.argsort(-points, kind="stable"):
        meld[face] = min(int(hand[face]), room)
        room -= int(meld[face])
    counts = bonus_points(meld)
    room = MOST_BONUSES
    for face in BONUSES[0] + np.argsort(-counts, kind="stable"):
        meld[face] = min(int(hand[face]), room)
        room -= int(meld[face])
    return meld


def industry_points(hand: Ints) -> Ints:
    """What each industry scores with the rails of a hand."""
    rail = np.where(INDUSTRY_RAIL >= 0, hand[INDUSTRY_RAIL], 0)
    income = INCOME[INDUSTRIES[0] : INDUSTRIES[1]].astype(np.int64)
    return np.asarray(income + INDUSTRY_EXTRA * (rail > 0))


def bonus_points(cards: Ints) -> Ints:
    """What each bonus scores with other cards."""
    income = INCOME[BONUSES[0] : BONUSES[1]].astype(np.int64)
    return np.array(
        [income[index] + cards[first:stop].sum() for index, (first, stop) in enumerate(BONUS_SPAN)]
    )


def points_of(meld: Ints) -> int:
    """What a meld scores."""
    industries = (meld[INDUSTRIES[0] : INDUSTRIES[1]] * industry_points(meld)).sum()
    bonuses = (meld[BONUSES[0] : BONUSES[1]] * bonus_points(meld)).sum()
    return int((meld * INCOME)[: INDUSTRIES[0]].sum() + industries + bonuses)


class RailroadRunHeuristic(Judging):
    """Plays Railroad Run by the module's ideas, without search.

    Its choice depends on the observation alone, but for equally good actions, among which its
    random numbers decide.

    Args:
        game: a game of Railroad Run.
        seed: for the random numbers; None takes the system's entropy.
        weights: what the ideas count.
    """

    def __init__(self, game: Game, seed: int | None = None, weights: Weights | None = None) -> None:
        super().__init__(game, seed)
        self.weights = weights or Weights()

    def worth(self, observations: npt.NDArray[np.int8], rows: Ints, actions: Ints) -> Floats:
        """How good actions are; see :class:`Judging`."""
        worth = np.zeros(actions.size)
        starts = np.searchsorted(rows, np.arange(len(observations) + 1))
        for observation, first, stop in zip(observations, starts, starts[1:], strict=False):
            if stop - first > 1:
                judge = Judge(self.weights, self.game.fields, observation)
                worth[first:stop] = judge.worth(actions[first:stop])
        return worth


class Judge:
    """How good each legal action is in one position."""

    def __init__(self, weights: Weights, fields: Fields, observation: npt.NDArray[np.int8]) -> None:
        self.weights = weights
        self.fields = fields
        self.seen = observation
        self.hand = self.read("own_hand")
        self.rails = int(self.hand[RAILS[0] : RAILS[1]].sum())
        self.places = int(self.hand[THE_CITY] + self.hand[THE_TOWN])
        self.income = self.read("income")
        self.limit = HAND_LIMIT + int(self.read("upgrades")[0])
        self.size = int(self.hand.sum())

    def read(self, name: str) -> Ints:
        """A field of the observation."""
        return self.fields.cut(self.seen, name).astype(np.int64)

    def worth(self, legal: Ints) -> Floats:
        """The worth of each legal action."""
        phase = int(self.read("phase").argmax())
        if phase == EVENT_PHASE:
            worth = self._plays()
        elif phase == OPERATIONS_PHASE:
            worth = self._meld()
        elif phase == ANSWER:
            worth = self._answer()
        elif phase in (SURVEY_KEEP, COAL_CHUTE_KEEP, TRAIN_YARD_RAIL):
            worth = self._take(legal, 2 if phase == SURVEY_KEEP else 1)
        elif phase >= BUY_SHARES_OPPONENT:
            worth = self._opponent(phase)
        elif phase == OFFER_WANT:
            worth = self._want()
        else:
            worth = self._give(legal, phase)
        return np.asarray(worth[legal])

    # What cards are worth

    def cards(self, more: int) -> Floats:
        """Worth by face of one more card (1) or of a card of the hand (0)."""
        weights, hand = self.weights, self.hand + more
        worth = np.zeros(NUM_FACES)
        trains = int(hand[THE_TRAIN])
        worth[THE_TRAIN] = (2.0, weights.train, weights.second_train)[trains if trains < 3 else 0]
        rails = self.rails + more
        first = {1: weights.rail, 2: weights.second_rail}.get(rails, weights.more_rails)
        worth[RAILS[0] : RAILS[1]] = first
        for index, rail in enumerate(INDUSTRY_RAIL):
            if rail >= 0 and hand[rail] == 1:
                worth[rail] += 0.7 * self.hand[INDUSTRIES[0] + index] * INDUSTRY_EXTRA[index]
        places = self.places + more
        room = 1.0 if places <= rails - more + 1 else weights.surplus
        lacking = weights.place if places <= 2 else 0.0
        worth[THE_CITY] = 2 * room + lacking
        worth[THE_TOWN] = 1.2 * room + lacking
        industries = int(self.hand[INDUSTRIES[0] : INDUSTRIES[1]].sum()) + more
        room = 0.9 if industries <= max(self.places, 2) else 0.4
        worth[INDUSTRIES[0] : INDUSTRIES[1]] = room * industry_points(self.hand)
        worth[BONUSES[0] : BONUSES[1]] = 0.8 * bonus_points(best_or_all(self.hand))
        worth[EVENTS[0] : EVENTS[1]] = 1.5
        return worth

    def least(self, cards: Ints, number: int) -> list[int]:
        """The faces of the least valuable cards of some, copies of a face dearer one by one."""
        worth = self.cards(0)
        # The last copies to go are those that melds need first.
        priced = [
            (worth[face] + 0.8 * copy, int(face))
            for face in np.flatnonzero(cards)
            for copy in range(cards[face])
        ]
        return sorted(face for _, face in sorted(priced)[:number])

    # Phases

    def _plays(self) -> Floats:
        weights = self.weights
        worth = np.full(OPPONENT, -1.0)
        keep, gain = self.cards(0), self.cards(1)
        mine, others = int(self.income[0]), self.income[1:]
        worth[DONE] = 0.0
        draw = weights.draw
        worth[WRECK], worth[POLITICS] = 1.0, 2 * draw
        worth[BUY_OUT], worth[SURVEY] = 0.8, 3 * draw
        worth[INVESTORS], worth[LAND_GRANTS] = 3 * draw, 3.5 * draw
        worth[OBSOLESCENCE] = min(5, int(others.max()))
        worth[FINANCE_CRISIS] = np.minimum(others, 3).max()
        worth[PATENT] = 10 + np.minimum(others, 2).sum()
        lacks_train = self.hand[THE_TRAIN] == 0
        for rail in range(*RAILS):
            worth[rail] = gain[THE_TRAIN] - 1 - keep[rail] if lacks_train else -1
        for industry in range(*INDUSTRIES):
            worth[industry] = 0.9 * draw - keep[industry]
        worth[UPGRADE] = -2
        spare_train = self.hand[THE_TRAIN] > 2 or (
            self.hand[THE_TRAIN] == 2 and self.size >= self.limit
        )
        worth[CONTRACTS] = 0.5 if spare_train else -1
        if mine + 2 * min(2, int(self.hand[THE_TRAIN])) >= WINNING_INCOME:
            worth[CONTRACTS] = 20
        town = keep[THE_TOWN]
        worth[WATER_TOWER] = 2 * draw - town - 0.6
        worth[COAL_CHUTE] = 2 * draw - town - 0.6 + (0.6 if lacks_train else -0.6)
        worth[SWITCH] = 0.2 - town
        top = self.read("discard_top")
        worth[DEPOT] = (gain * top).sum() - town - 0.4
        worth[TRAIN_YARD] = gain[RAILS[0] : RAILS[1]].max() - town - 0.4
        placed = int(self.read("tokens")[0].sum())
        if mine <= weights.early and placed < 4 and self.hand[THE_CITY] > 0:
            rest = self.hand.copy()
            rest[THE_CITY] -= 1
            gift = keep[self.least(rest, 1)].sum()
            worth[BUY_SHARES] = weights.share - placed - keep[THE_CITY] - gift
        worth[DIVIDENDS] = 0.9 - keep[THE_CITY]
        cheapest = keep[self.least(self.hand, 1)].sum()
        worth[OFFER] = 0.3 if lacks_train and cheapest < 1.5 else -1
        return worth

    def _meld(self) -> Floats:
        worth = np.full(OPPONENT, -1.0)
        meld, chosen = best_meld(self.hand), self.read("chosen")
        if not chosen.any():
            points = points_of(meld)
            wins = points + int(self.income[0]) >= WINNING_INCOME
            full = self.size > self.limit - self.weights.room
            worth[DONE] = 0.0
            worth[THE_TRAIN] = 1.0 if wins or full or points >= self.weights.meld else -1.0
            return worth
        missing = np.flatnonzero(meld > chosen)
        worth[missing[0] if missing.size else DONE] = 1.0
        return worth

    def _give(self, legal: Ints, phase: int) -> Floats:
        """Discard, give or offer the least valuable cards, in the order of the card list."""
        worth = np.full(OPPONENT, -1.0)
        if phase == OFFER_GIVE and self.read("chosen").any():
            worth[DONE] = 1.0
            return worth
        number = max(1, int(self.read("to_choose")[0]))
        left = self.hand - self.read("chosen")
        faces = legal[legal < NUM_FACES]
        left[: faces[0]] = 0
        for face in self.least(left, number)[:1]:
            worth[face] = 1.0
        return worth

    def _take(self, legal: Ints, number: int) -> Floats:
        """Keep the most useful cards, in the order of the card list."""
        worth = np.full(OPPONENT, -1.0)
        gain = self.cards(1)
        number -= int(self.read("chosen").sum())
        left = self.read("looked_at") - self.read("chosen")
        if not left.any():
            left[legal] = 1
        left[: legal[0]] = 0
        cards = np.repeat(np.arange(NUM_FACES), left)
        best = sorted(cards, key=lambda face: -gain[face])[:number]
        worth[min(best)] = 1.0
        return worth

    def _opponent(self, phase: int) -> Floats:
        """Whoever is ahead; a token is bought back from whoever is behind."""
        ahead = self.income[1:].astype(np.float64)
        if phase == BUY_OUT_OPPONENT:
            ahead = -ahead
        return np.concatenate([np.zeros(OPPONENT), ahead])

    def _want(self) -> Floats:
        """Ask for a train, once."""
        worth = np.full(OPPONENT, -1.0)
        if self.read("wanted").any():
            worth[SEND] = 1.0
        else:
            worth[:NUM_FACES] = self.cards(1) - 10
            worth[WITHDRAW] = -20
        return worth

    def _answer(self) -> Floats:
        """Accept what is worth more to me than what I give."""
        worth = np.zeros(OPPONENT)
        give, get = self.read("wanted"), self.read("chosen")
        worth[ACCEPT] = (self.cards(1) * get).sum() - (self.cards(0) * give).sum() - 0.5
        worth[DECLINE] = 0.0
        return worth


def best_or_all(hand: Ints) -> Ints:
    """The best meld of a hand, or, where it lacks one, its cards as far as a meld could hold."""
    meld = best_meld(hand)
    return meld if meld.any() else np.minimum(hand, COPIES)
