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

from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from agents.heuristics.judging import Floats, Ints, Judging
from railenvs import Game
from railenvs.engine.fields import Fields
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
from railenvs.games.express.rules import (
    CHOICES,
    DISCARDS,
    EXCHANGES,
    FROM_PACK,
    LAYS,
    REQUESTS,
    TAKE,
)
from railenvs.games.express.state import FULL_TRAIN, SHORT_TRAIN

NEVER = 30.0
"""Cards that a train lacks which can no longer be made up."""

# Faces that fill each place of each Region's train.
_ENGINES = np.zeros((NUM_REGIONS, NUM_FACES))
_CARS = np.zeros((NUM_REGIONS, NUM_FACES))
_VANS = np.zeros((NUM_REGIONS, NUM_FACES))
for _region in range(NUM_REGIONS):
    _own = _region * ROLES
    _ENGINES[_region, [_own + ENGINE, pool_for(_region, ENGINE)]] = 1
    _CARS[_region, [*range(_own + FIRST_CAR, _own + LAST_CAR + 1), pool_for(_region, 1)]] = 1
    _VANS[_region, [_own + VAN, pool_for(_region, VAN)]] = 1
_PLACES = np.concatenate([_ENGINES, _CARS, _VANS])
_EYE = np.eye(NUM_FACES)
_ASKED = np.zeros((NUM_REQUESTS, NUM_FACES))
for _request in range(NUM_REQUESTS):
    _ASKED[_request, first_asked(_request) : after_asked(_request)] = 1


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


@dataclass(frozen=True)
class Position:
    """What the seat to act knows, in k rows; the others run clockwise from it.

    Attributes:
        hand: (k, 29) my cards.
        top: (k, 29) the face-up card, one-hot.
        stock: (k, 29) cards that the pack may hold, at most.
        old: (k, 29) unseen cards that may be old.
        stock_left: (k,) cards in the pack.
        laid: (k, 29) vehicles on the table.
        mine: (k,) whether my train stands.
        position: (k, n) steps of each train.
        standing: (k, n) whether each train stands.
        open: (k, 4) Regions that I may lay out.
        known: (k, n - 1, 29) cards known in other hands.
        absent: (k, n - 1, 29) vehicles known not to be there.
        new: (k, n - 1) unknown cards drawn since the last shuffle, about.
        unknown: (k, n - 1) unknown cards.
        laying: (k,) whether I choose cards for a train.
    """

    hand: Floats
    top: Floats
    stock: Floats
    old: Floats
    stock_left: Floats
    laid: Floats
    mine: npt.NDArray[np.bool_]
    position: Floats
    standing: npt.NDArray[np.bool_]
    open: npt.NDArray[np.bool_]
    known: Floats
    absent: Floats
    new: Floats
    unknown: Floats
    laying: npt.NDArray[np.bool_]

    @classmethod
    def read(cls, layout: Fields, observations: npt.NDArray[np.int8]) -> Position:
        """Take in observations (k, D)."""

        def cut(name: str) -> Floats:
            return layout.cut(observations, name).astype(np.float64)

        train = cut("train")
        others = train.shape[1] - 1
        rows = len(observations)
        known = cut("known")
        laid = np.zeros((rows, NUM_FACES))
        laid[:, :NUM_VEHICLES] = train.sum(axis=1)
        absent = np.zeros((rows, others, NUM_FACES))
        absent[:, :, :NUM_VEHICLES] = cut("absent")
        standing = np.asarray(cut("region").sum(axis=2) > 0)
        asked = cut("asked").any(axis=1)
        choosing = layout.cut(observations, "phase")[:, -1] > 0
        unknown = cut("hand_size")[:, 1:] - known.sum(axis=2)
        new = (cut("new_at_least") + cut("new_at_most")) / 2
        return cls(
            hand=cut("own_hand"),
            top=cut("top"),
            stock=cut("stock_at_most"),
            old=cut("old_at_most"),
            stock_left=cut("stock_left")[:, 0],
            laid=laid,
            mine=standing[:, 0],
            position=cut("position"),
            standing=standing,
            open=cut("may_lay_out")[:, 0] > 0,
            known=known,
            absent=absent,
            new=np.minimum(new, unknown),
            unknown=unknown,
            laying=choosing & ~asked,
        )

    def take(self, rows: Ints) -> Position:
        """These rows, in this order; a row may come more than once."""
        return Position(**{name: value[rows] for name, value in vars(self).items()})

    def changed(self, gone: Floats | float = 0.0, come: Floats | float = 0.0) -> Position:
        """The same with cards gone from my hand and others come into it."""
        return replace(self, hand=self.hand - gone + come)


class ExpressHeuristic(Judging):
    """Plays EXPRESS by the module's ideas, without search.

    Its choice depends on the observation alone, but for equally good actions, among which its
    random numbers decide.

    Args:
        game: a game of EXPRESS.
        seed: for the random numbers; None takes the system's entropy.
        weights: what the ideas count.
    """

    def __init__(self, game: Game, seed: int | None = None, weights: Weights | None = None) -> None:
        super().__init__(game, seed)
        self.weights = weights or Weights()
        self._length = SHORT_TRAIN if game.options["short_trains"] else FULL_TRAIN
        self._needed = np.repeat([1, self._length - 2, 1], NUM_REGIONS)
        self._costs = _gap_costs(self.weights.scarce)
        self._claim = REQUESTS + (game.num_players - 1) * NUM_REQUESTS

    def worth(self, observations: npt.NDArray[np.int8], rows: Ints, actions: Ints) -> Floats:
        """How good each legal action is; comparable within a row."""
        position = Position.read(self.game.fields, observations)
        judges = (
            (TAKE, FROM_PACK, self._take),
            (FROM_PACK, DISCARDS, self._draw),
            (DISCARDS, LAYS, self._discard),
            (LAYS, EXCHANGES, self._lay_out),
            (EXCHANGES, CHOICES, self._exchange),
            (CHOICES, REQUESTS, self._choose),
            (REQUESTS, self._claim, self._ask),
            (self._claim, self._claim + 2, self._answer),
        )
        worth = np.empty(rows.size)
        for start, stop, judge in judges:
            lines = np.flatnonzero((actions >= start) & (actions < stop))
            if lines.size:
                worth[lines] = judge(position.take(rows[lines]), actions[lines] - start)
        return worth

    # One judge for each kind of action

    def _take(self, position: Position, _: Ints) -> Floats:
        return self._hand(position.changed(come=position.top))

    def _draw(self, position: Position, _: Ints) -> Floats:
        """The average over the cards that may be in the pack."""
        chance = position.stock / position.stock.sum(axis=1, keepdims=True)
        rows, faces = np.nonzero(chance)
        drawn = self._hand(position.take(rows).changed(come=_one(faces)))
        first_of_row = np.flatnonzero(np.diff(rows, prepend=-1))
        return np.asarray(np.add.reduceat(chance[rows, faces] * drawn, first_of_row))

    def _discard(self, position: Position, faces: Ints) -> Floats:
        after = self._hand(position.changed(gone=_one(faces)))
        return after + self._effect(position, faces) - self._gift(position, faces)

    def _lay_out(self, position: Position, regions: Ints) -> Floats:
        """Rather the train that needs fewer Pool cards."""
        own = (position.hand[:, :NUM_REGIONAL]).reshape(-1, NUM_REGIONS, ROLES).sum(axis=2)
        return np.asarray(own[np.arange(len(regions)), regions])

    def _exchange(self, position: Position, pool_cards: Ints) -> Floats:
        """As good as the better hand, with the best card of it discarded."""
        faces = POOL_ENGINE + pool_cards
        best = np.full(len(faces), -np.inf)
        for vehicle in range(NUM_REGIONAL):
            region, role = divmod(vehicle, ROLES)
            fits = (faces == pool_for(region, role)) & (position.hand[:, vehicle] > 0)
            rows = np.flatnonzero(fits)
            if rows.size:
                gone = _one(np.full(rows.size, vehicle))
                hand = position.take(rows).changed(gone=gone, come=_one(faces[rows]))
                best[rows] = np.maximum(best[rows], self._hand(hand) - self._least_loss(hand))
        return best

    def _choose(self, position: Position, vehicles: Ints) -> Floats:
        """Give away what I miss least; lay out no Pool card without need."""
        kept = self._hand(position.changed(gone=_one(vehicles)))
        return np.where(position.laying, np.where(vehicles >= NUM_REGIONAL, -1.0, 0.0), kept)

    def _ask(self, position: Position, requests: Ints) -> Floats:
        step, request = np.divmod(requests, NUM_REQUESTS)
        # All requests are open to a row or none: the first twelve are to the next seat.
        row = np.arange(len(requests)) // (self._claim - REQUESTS)
        first = np.flatnonzero(step == 0)
        passes = _one(np.full(len(requests), PASS))
        one_seat = position.take(first).changed(gone=passes[first])
        alone = one_seat.take(np.flatnonzero(request[first] == 0))
        refused, loss = self._hand(alone), self._least_loss(alone)
        # Any of the coaches or wagons helps alike: take the first that I lack.
        lacking = np.where(one_seat.hand + one_seat.laid > 0, 0, _ASKED[request[first]])
        got = self._hand(one_seat.changed(come=_one(lacking.argmax(axis=1))))
        success = got[NUM_REQUESTS * row + request] - loss[row]
        chance = self._chance(position, step, _ASKED[request])
        return np.asarray(chance * success + (1 - chance) * refused[row])

    def _answer(self, position: Position, answers: Ints) -> Floats:
        spent = _one(np.full(len(answers), PASS))
        claimed = self._hand(position.changed(gone=spent, come=position.top))
        return np.where(answers == 0, claimed, self._hand(position))

    # What they have in common

    def _hand(self, position: Position) -> Floats:
        """What my hand is worth."""
        weights, hand = self.weights, position.hand
        steps = hand[:, GREEN_1] + 2 * hand[:, GREEN_2]
        spares = weights.spare_pass * np.minimum(hand[:, PASS], 2)
        spares = spares + weights.spare_red * np.minimum(hand[:, RED], 2)
        running = weights.green * steps + weights.spare_red * hand[:, RED]
        collecting = self._collection(position) + spares + weights.spare_green * steps
        return np.where(position.mine, running, collecting)

    def _collection(self, position: Position) -> Floats:
        """How near the hand is to a train: minus the cards lacking, the nearest counting most."""
        lacking = self._lacking(position)
        focus = self.weights.focus
        near = np.logaddexp.reduce(-focus * lacking, axis=1) / focus
        complete = (lacking <= 0).any(axis=1)
        return np.asarray(near + self.weights.complete * complete)

    def _lacking(self, position: Position) -> Floats:
        """Cards that each Region's train lacks, scarce ones counting more, (k, 4)."""
        hand = position.hand
        held = position.known.sum(axis=1) > 0
        halves = np.where(hand + position.laid > 0, 0, np.where(held, 1, 2))
        have = (hand @ _PLACES.T).astype(np.int64)
        left = (halves @ _PLACES.T).astype(np.int64)
        gaps = np.maximum(self._needed - have, 0)
        cost = self._costs[gaps, left].reshape(-1, 3, NUM_REGIONS).sum(axis=1)
        return np.where(position.open, cost, NEVER)

    def _least_loss(self, position: Position) -> Floats:
        """What the hand loses by the discard that it misses least."""
        rows, faces = np.nonzero(position.hand)
        after = self._hand(position.take(rows).changed(gone=_one(faces)))
        first_of_row = np.flatnonzero(np.diff(rows, prepend=-1))
        return self._hand(position) - np.maximum.reduceat(after, first_of_row)

    def _effect(self, position: Position, faces: Ints) -> Floats:
        """What a signal does when discarded."""
        weights = self.weights
        steps = np.select([faces == GREEN_1, faces == GREEN_2], [1, 2], 0)
        out = position.position[:, 0] + steps > self._length
        forward = np.where(position.mine, weights.step * steps + 100 * (out & (steps > 0)), 0)
        theirs = position.position[:, 1:]
        back = np.where(theirs > 0, weights.setback * (1 + theirs), 0).sum(axis=1)
        return forward + np.where(faces == RED, back, 0)

    def _gift(self, position: Position, faces: Ints) -> Floats:
        """What the next player gains from a card that it may take."""
        rows = np.arange(len(faces))
        known = position.known[:, 0, :NUM_REGIONAL].reshape(-1, NUM_REGIONS, ROLES).sum(axis=2)
        regional = faces < NUM_REGIONAL
        of_region = known[rows, np.where(regional, faces // ROLES, 0)]
        collects = ~position.standing[:, 1]
        liked = np.where(regional, 1 + of_region, 0)
        liked = np.where((faces >= NUM_REGIONAL) & (faces < NUM_REGIONAL + NUM_POOL), 2, liked)
        liked = np.where(faces == PASS, 1, liked) * collects
        steps = np.select([faces == GREEN_1, faces == GREEN_2], [1, 2], 0)
        return np.asarray(self.weights.gift * (liked + 4 * steps * ~collects))

    def _chance(self, position: Position, step: Ints, wanted: Floats) -> Floats:
        """How likely the asked seat holds one of the wanted cards that I lack."""
        rows = np.arange(len(step))
        unknown, new = position.unknown, position.new
        old_slots = np.maximum(unknown - new, 0)
        all_new = position.stock_left + new.sum(axis=1)
        share_old = old_slots[rows, step] / np.maximum(old_slots.sum(axis=1), 1)
        share_new = new[rows, step] / np.maximum(all_new, 1)
        anywhere = position.stock_left + unknown.sum(axis=1)
        share = unknown[rows, step] / np.maximum(anywhere, 1)
        may_be_old, may_be_new = position.old > 0, position.stock > 0
        chances = np.select(
            [may_be_old & may_be_new, may_be_old, may_be_new],
            [share[:, None], share_old[:, None], share_new[:, None]],
            0.0,
        )
        chances = np.where(position.absent[rows, step] > 0, 0, np.minimum(chances, 1))
        chances = np.where(position.known[rows, step] > 0, 1, chances)
        return np.asarray(1 - np.prod(1 - chances * wanted, axis=1))


def _gap_costs(scarce: float) -> Floats:
    """What so many gaps cost that so many free cards can fill, by gaps and by halves of a card.

    A card that another seat is known to hold is half a card.
    """
    costs = np.zeros((4, 10))
    for gaps in range(4):
        for halves in range(10):
            for number in range(gaps):
                spare = halves / 2 - number
                costs[gaps, halves] += 1 + scarce / spare if spare > 0 else NEVER
    return costs


def _one(faces: Ints) -> Floats:
    """One card of a face in each row, (k, 29)."""
    return _EYE[faces]
