"""A heuristic for Tchu Tchu Train: the best set of trains the hand can place, or a station.

At each decision the best turn is looked for anew, and its next step played.

*Placing.* All connected sets of cells that the hand can cover are searched, with the Joker on any
one empty cell among them. A set is worth its train points (thirteen for seven), so much for each
train by which my biggest mass grows, and what the stations pay that it joins, less what its trains
would earn elsewhere: they are few, so large turns are what they are kept for.

*Stations.* A station brings a Joker, which makes large sets, and costs no train. It is built with
the card that the hand misses least, on the cell with most own trains and stations two steps away.

*Refresh.* A single train with little to gain is placed for the refresh that it allows.

*The last turn.* Once a seat is out of trains, only points count: every train that can be placed is,
a station is built only for what it pays, and a single train takes its point.

*Cards.* What a hand promises is its best set and how close to each other its cells lie. From the
row, the card is taken that promises most; where none adds much, cards come from the deck. A refresh
exchanges cards as long as that promises more. A first hand that promises little is changed.
"""

from __future__ import annotations

from dataclasses import astuple, dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from agents.heuristics.tchu_tchu_train_sets import (
    BESIDE,
    BUILD,
    CARD,
    CLOSE,
    DRAW,
    EMPTY,
    EXCHANGE,
    KEEP,
    LABEL,
    MASS,
    NEAR,
    OF_USE_LATER,
    OWN,
    SIZE,
    STATION,
    TRAIN,
    TURN,
    VACANT,
    best_set,
    note_masses,
    station_gain,
)
from railenvs import Game, SeatView
from railenvs.engine.checks import seed_number
from railenvs.engine.compile import kernel, rule
from railenvs.games.tchu_tchu_train import actions as act
from railenvs.games.tchu_tchu_train.state import (
    ACTION,
    HAND_SIZE,
    MULLIGAN,
    NOTHING,
    NUM_CELLS,
    POINT_OR_REFRESH,
    REPLENISH,
    ROW_SIZE,
    SIDES,
    SWAPPING,
)

Ints = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Weights:
    """What the ideas count, in points.

    Attributes:
        train: what a train would earn elsewhere.
        mass: a train by which the biggest mass grows.
        joker: keeping the Joker.
        station: building a station.
        near: a train or station of use two steps from a new station.
        refresh: a refresh, before the cards for it are compared.
        beside: two cells of a hand beside each other.
        close: two cells of a hand two steps from each other.
        draw: what a card from the row must promise more than one from the deck.
        keep: what a first hand must promise to be kept.
    """

    train: float = 0.5
    mass: float = 0.3
    joker: float = 1.3
    station: float = 1.6
    near: float = 0.3
    refresh: float = 0.9
    beside: float = 0.5
    close: float = 0.1
    draw: float = 0.5
    keep: float = 3.0


class TchuTchuTrainHeuristic:
    """Plays Tchu Tchu Train by the module's ideas, without looking at other hands.

    Its choice depends on the observation alone, but for equally good cells, among which its random
    numbers decide.

    Args:
        game: a game of Tchu Tchu Train.
        seed: for the random numbers; None takes the system's entropy.
        weights: what the ideas count.
    """

    def __init__(self, game: Game, seed: int | None = None, weights: Weights | None = None) -> None:
        self.game = game
        self._weights = np.array(astuple(weights or Weights()))
        self._last_weights = self._weights.copy()
        self._last_weights[OF_USE_LATER] = 0
        # Which cells adjoin is the same for every board of a game.
        self._neighbours = game.blank()["neighbours"][0].astype(np.int64)
        self.reset(seed)

    def reset(self, seed: int | None = None) -> None:
        """Start the random numbers afresh, from the system's entropy without a seed."""
        self._random = np.random.default_rng(None if seed is None else seed_number(seed))

    def act(self, view: SeatView) -> int:
        """Choose one of ``view.legal_actions``."""
        return int(self.act_batch(view.observation[None], view.action_mask[None])[0])

    def act_batch(
        self, observations: npt.NDArray[np.int8], action_masks: npt.NDArray[np.int8]
    ) -> Ints:
        """Choose a legal action in every row; see :class:`agents.Agent`."""

        def cut(name: str) -> Ints:
            return observations[:, self.game.fields[name].slice].astype(np.int64)

        chosen = np.empty(len(observations), np.int64)
        trains = self.game.fields.cut(observations, "train")
        covers = self.game.fields.cut(observations, "cover")
        own = (trains[:, 0] + covers[:, 0]).astype(np.int64)
        _choose(
            action_masks,
            cut("phase").argmax(axis=1),
            cut("cell_card"),
            own,
            trains.any(axis=1).astype(np.int64),
            cut("station"),
            cut("crossroad"),
            cut("this_turn"),
            cut("own_hand") + cut("incoming"),
            cut("own_hand"),
            open_cards(self.game.fields.cut(observations, "row")),
            cut("joker")[:, 0],
            cut("longest")[:, 0],
            cut("trains_left")[:, 0],
            cut("last_round")[:, 0],
            cut("swapping").argmax(axis=1),
            self._neighbours,
            self._weights,
            self._last_weights,
            self._random.random((len(observations), NUM_CELLS)) * 1e-3,
            chosen,
        )
        return chosen


def open_cards(row: npt.NDArray[np.int8]) -> Ints:
    """The card at each place of rows given one-hot; ``NOTHING`` where none is open."""
    return np.where(row.any(axis=2), row.argmax(axis=2), NOTHING)


@kernel
def _choose(
    masks: Any,
    phases: Any,
    cards: Any,
    own: Any,
    trains: Any,
    stations: Any,
    crossroads: Any,
    this_turn: Any,
    hands: Any,
    to_give: Any,
    rows: Any,
    jokers: Any,
    longest: Any,
    trains_left: Any,
    last_rounds: Any,
    places: Any,
    neighbours: Any,
    usual_weights: Any,
    last_weights: Any,
    lots: Any,
    chosen: Any,
) -> None:
    """Write an action for each row; see ``act_batch`` for the arguments."""
    search = np.empty((6, NUM_CELLS), np.int64)
    mass = np.zeros((3, NUM_CELLS + 1), np.int64)
    best = np.empty(HAND_SIZE, np.int64)
    board = np.empty((6, NUM_CELLS), np.int64)
    for row in range(chosen.size):
        for cell in range(NUM_CELLS):
            token = trains[row, cell] | stations[row, cell]
            board[CARD, cell] = cards[row, cell]
            board[EMPTY, cell] = 1 - token
            board[VACANT, cell] = (1 - token) | (crossroads[row, cell] & (1 - this_turn[row, cell]))
            board[OWN, cell] = own[row, cell]
            board[STATION, cell] = stations[row, cell]
            board[TURN, cell] = this_turn[row, cell]
        note_masses(board, neighbours, mass)
        hand, joker, left = hands[row], jokers[row], trains_left[row]
        # Whoever is to act in the last round has no turn after this one.
        last = last_rounds[row]
        weights = last_weights if last else usual_weights
        phase = phases[row]
        mask = masks[row]
        if phase == MULLIGAN:
            promise = hand_promise(board, mass, neighbours, hand, 0, left, weights, search, best)
            chosen[row] = act.KEEP if promise >= weights[KEEP] else act.CHANGE
        elif phase == ACTION:
            chosen[row] = choose_turn(
                mask,
                board,
                mass,
                neighbours,
                hand,
                joker,
                longest[row],
                left,
                last,
                weights,
                lots[row],
                search,
                best,
            )
        elif phase == REPLENISH:
            chosen[row] = choose_card(
                mask, board, mass, neighbours, hand, rows[row], joker, left, weights, search, best
            )
        elif phase == POINT_OR_REFRESH and last:
            chosen[row] = act.POINT
        else:
            chosen[row] = choose_exchange(
                mask,
                phase,
                board,
                mass,
                neighbours,
                hand,
                to_give[row],
                rows[row],
                places[row],
                joker,
                left,
                weights,
                search,
                best,
            )
        if not mask[chosen[row]]:
            chosen[row] = mask.argmax()


@rule
def hand_promise(
    board: Any,
    mass: Any,
    neighbours: Any,
    hand: Any,
    joker: int,
    left: int,
    weights: Any,
    search: Any,
    best: Any,
) -> float:
    """What a hand may bring: its best set next turn, and how close its cells lie."""
    lots = np.zeros(NUM_CELLS)
    # As if nothing were placed this turn.
    turn = board[TURN].copy()
    board[TURN, :] = 0
    worth, size = best_set(
        board, mass, neighbours, hand, joker, NUM_CELLS, left, weights, lots, search, best
    )
    board[TURN, :] = turn
    promise = worth + weights[TRAIN] * size
    for cell in range(NUM_CELLS):
        card = board[CARD, cell]
        if hand[card] == 0 or not board[VACANT, cell]:
            continue
        for side in range(SIDES):
            other = neighbours[cell, side]
            if other == NOTHING:
                continue
            if hand[board[CARD, other]] > 0 and board[VACANT, other]:
                promise += weights[BESIDE] / 2
            if not board[EMPTY, other]:
                continue
            for further in range(SIDES):
                beyond = neighbours[other, further]
                if beyond != NOTHING and beyond != cell and board[VACANT, beyond]:
                    promise += weights[CLOSE] / 2 * (hand[board[CARD, beyond]] > 0)
    return promise


@rule
def choose_turn(
    mask: Any,
    board: Any,
    mass: Any,
    neighbours: Any,
    hand: Any,
    joker: int,
    longest: int,
    left: int,
    last: int,
    weights: Any,
    lots: Any,
    search: Any,
    best: Any,
) -> int:
    """Place the next train of the best set, end, or build a station."""
    worth, size = best_set(
        board, mass, neighbours, hand, joker, longest, left, weights, lots, search, best
    )
    if mask[act.END_PLACING]:
        if size == 0:
            return act.END_PLACING
        return place(board, hand, best[0])
    first = best[0] if size > 0 else NOTHING
    if not last and left > 1:
        single, single_worth = best_single(mask, board, mass, neighbours, longest, weights, lots)
        if single_worth > worth:
            worth = single_worth
            first = single
    site, site_worth = best_site(mask, board, mass, neighbours, hand, last, weights, lots)
    if site_worth > worth or first == NOTHING:
        return act.STATION + site if site != NOTHING else act.PLACE + first
    return place(board, hand, first)


@rule
def best_single(
    mask: Any,
    board: Any,
    mass: Any,
    neighbours: Any,
    longest: int,
    weights: Any,
    lots: Any,
) -> tuple[int, float]:
    """The best cell for a single train that allows a refresh instead of its point, its worth."""
    single = NOTHING
    most = -1e9
    for cell in range(NUM_CELLS):
        if mask[act.PLACE + cell]:
            touching = 0
            for side in range(SIDES):
                other = neighbours[cell, side]
                if other != NOTHING and board[OWN, other] > 0:
                    touching = max(touching, mass[SIZE, mass[LABEL, other]])
            gain = max(touching + 1 - longest, 0) * weights[MASS]
            gain += weights[EXCHANGE] - weights[TRAIN] + lots[cell]
            gain += 0.05 * (touching > 0)
            if gain > most:
                most = gain
                single = cell
    return single, most


@rule
def place(board: Any, hand: Any, cell: int) -> int:
    """The action that sets a train on a cell: by card if there is one."""
    if hand[board[CARD, cell]] > 0 and board[VACANT, cell]:
        return act.PLACE + cell
    return act.JOKER + cell


@rule
def best_site(
    mask: Any,
    board: Any,
    mass: Any,
    neighbours: Any,
    hand: Any,
    last: int,
    weights: Any,
    lots: Any,
) -> tuple[int, float]:
    """The best cell for a station, and its worth: in a last turn, what it pays at once."""
    site = NOTHING
    most = -1e9
    for cell in range(NUM_CELLS):
        if not mask[act.STATION + cell]:
            continue
        if last:
            worth = station_gain(mass, neighbours, cell) + lots[cell]
        else:
            worth = site_promise(board, neighbours, hand, cell, weights) + lots[cell]
        if worth > most:
            most = worth
            site = cell
    return site, most


@rule
def site_promise(board: Any, neighbours: Any, hand: Any, cell: int, weights: Any) -> float:
    """What a station on a cell may bring in later turns."""
    worth = weights[BUILD]
    for side in range(SIDES):
        other = neighbours[cell, side]
        if other == NOTHING:
            continue
        worth += weights[NEAR] * (board[OWN, other] > 0)
        # Cards that fit beside are better placed together with this one.
        worth -= weights[BESIDE] * (hand[board[CARD, other]] > 0 and board[VACANT, other])
        if not board[EMPTY, other] and not board[OWN, other]:
            continue
        for further in range(SIDES):
            beyond = neighbours[other, further]
            if beyond != NOTHING and beyond != cell:
                worth += weights[NEAR] * board[STATION, beyond]
    return worth


@rule
def choose_card(
    mask: Any,
    board: Any,
    mass: Any,
    neighbours: Any,
    hand: Any,
    row: Any,
    joker: int,
    left: int,
    weights: Any,
    search: Any,
    best: Any,
) -> int:
    """The open card that promises most, or the deck."""
    now = hand_promise(board, mass, neighbours, hand, joker, left, weights, search, best)
    choice = act.DRAW
    most = now + weights[DRAW]
    for place_in_row in range(ROW_SIZE):
        if mask[act.TAKE + place_in_row]:
            hand[row[place_in_row]] += 1
            promise = hand_promise(
                board, mass, neighbours, hand, joker, left, weights, search, best
            )
            hand[row[place_in_row]] -= 1
            if promise > most or (choice == act.DRAW and not mask[act.DRAW]):
                most = promise
                choice = act.TAKE + place_in_row
    return choice


@rule
def choose_exchange(
    mask: Any,
    phase: int,
    board: Any,
    mass: Any,
    neighbours: Any,
    hand: Any,
    to_give: Any,
    row: Any,
    chosen_place: int,
    joker: int,
    left: int,
    weights: Any,
    search: Any,
    best: Any,
) -> int:
    """Point or refresh; the place of the row to change; the card to give for it."""
    now = hand_promise(board, mass, neighbours, hand, joker, left, weights, search, best)
    most = -1e9
    best_place = NOTHING
    first_place = NOTHING
    give = NOTHING
    for place_in_row in range(ROW_SIZE):
        asked = phase == POINT_OR_REFRESH or place_in_row == chosen_place
        if phase == SWAPPING:
            asked = mask[act.SWAP + place_in_row] > 0
        if not asked or row[place_in_row] == NOTHING:
            continue
        for card in range(hand.size):
            # Cards just taken are in the hand to come, but cannot be given.
            if to_give[card] == 0 or card == row[place_in_row]:
                continue
            hand[card] -= 1
            hand[row[place_in_row]] += 1
            promise = hand_promise(
                board, mass, neighbours, hand, joker, left, weights, search, best
            )
            hand[card] += 1
            hand[row[place_in_row]] -= 1
            if promise > now and first_place == NOTHING:
                first_place = place_in_row
            if promise > most:
                most = promise
                best_place = place_in_row
                give = card
    if phase == POINT_OR_REFRESH:
        return act.REFRESH if most > now + weights[EXCHANGE] else act.POINT
    if phase == SWAPPING:
        if first_place != NOTHING:
            return act.SWAP + first_place
        if mask[act.DONE]:
            return act.DONE
        return act.SWAP + max(best_place, 0)
    return act.GIVE + max(give, 0)
