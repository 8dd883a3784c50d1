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

from agents.heuristics.policy import Heuristic, field_starts, first_set, register_adviser
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
from railenvs import Game
from railenvs.engine.compile import rule
from railenvs.engine.random import next_seed
from railenvs.games.tchu_tchu_train import actions as act
from railenvs.games.tchu_tchu_train.cards import NUM_CARDS
from railenvs.games.tchu_tchu_train.observation import fields
from railenvs.games.tchu_tchu_train.state import (
    ACTION,
    HAND_SIZE,
    MAX_SEATS,
    MULLIGAN,
    NOTHING,
    NUM_CELLS,
    PHASES,
    POINT_OR_REFRESH,
    REPLENISH,
    ROW_SIZE,
    SIDES,
    SWAPPING,
)


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


# The record

CELL_CARD, STATION_AT, CROSSROAD, THIS_TURN, OWN_HAND, ROW, INCOMING, SWAPPED_PLACE = range(8)
PHASE, LAST_ROUND, TRAIN_ON, COVER, HAS_JOKER, TRAINS_LEFT, LONGEST = range(8, 15)
"""Fields of the observation that are read."""
_FIELDS = (
    *("cell_card", "station", "crossroad", "this_turn", "own_hand", "row", "incoming"),
    *("swapping", "phase", "last_round", "train", "cover", "joker", "trains_left", "longest"),
)
"""Their names, in the same order."""

LOTTERY = 1e-3
"""What chance adds to a cell at most, so that equals are chosen by lot."""

POLICY = np.dtype(
    [
        ("tchu_tchu_train_heuristic", np.uint8),
        ("usual_weights", np.float64, (10,)),
        ("last_weights", np.float64, (10,)),
        ("neighbours", np.int64, (NUM_CELLS, SIDES)),
        ("starts", np.int64, (len(_FIELDS),)),
        ("seats", np.int64),
        # What the seat to act knows.
        ("board", np.int64, (6, NUM_CELLS)),
        ("hand", np.int64, (NUM_CARDS,)),  # my cards, those just taken included
        ("to_give", np.int64, (NUM_CARDS,)),  # without them
        ("row", np.int64, (ROW_SIZE,)),  # the open cards
        # Room to think.
        ("mass", np.int64, (3, NUM_CELLS + 1)),
        ("search", np.int64, (6, NUM_CELLS)),
        ("best", np.int64, (HAND_SIZE,)),
        ("lots", np.float64, (NUM_CELLS,)),
        ("observation", np.int8, (sum(field.size for field in fields(MAX_SEATS)),)),
    ]
)
"""Weights, and a position as the seat to act knows it."""


class TchuTchuTrainHeuristic(Heuristic):
    """Plays Tchu Tchu Train by the module's ideas, without looking at other hands.

    Args:
        game: a game of Tchu Tchu Train.
        seed: for the random numbers; None takes the system's entropy.
        weights: what the ideas count.
    """

    def __init__(self, game: Game, seed: int | None = None, weights: Weights | None = None) -> None:
        policy = np.zeros(1, POLICY)
        policy["usual_weights"] = astuple(weights or Weights())
        policy["last_weights"] = policy["usual_weights"]
        policy["last_weights"][0, OF_USE_LATER] = 0
        # Which cells adjoin is the same for every board of a game.
        policy["neighbours"] = game.blank()["neighbours"]
        policy["starts"] = field_starts(game, _FIELDS)
        policy["seats"] = game.num_players
        super().__init__(game, policy, seed)


@rule
def read(policy: Any, observation: Any) -> None:
    """Take in an observation: the board, my cards, the open ones."""
    starts = policy.starts
    for cell in range(NUM_CELLS):
        station = int(observation[starts[STATION_AT] + cell])
        turn = int(observation[starts[THIS_TURN] + cell])
        crossroad = int(observation[starts[CROSSROAD] + cell])
        token = station
        for seat in range(policy.seats):
            token |= observation[starts[TRAIN_ON] + seat * NUM_CELLS + cell]
        policy.board[CARD, cell] = observation[starts[CELL_CARD] + cell]
        policy.board[EMPTY, cell] = 1 - token
        policy.board[VACANT, cell] = (1 - token) | (crossroad & (1 - turn))
        own = int(observation[starts[TRAIN_ON] + cell]) + int(observation[starts[COVER] + cell])
        policy.board[OWN, cell] = own
        policy.board[STATION, cell] = station
        policy.board[TURN, cell] = turn
    for card in range(NUM_CARDS):
        held = int(observation[starts[OWN_HAND] + card])
        policy.to_give[card] = held
        policy.hand[card] = held + int(observation[starts[INCOMING] + card])
    for place in range(ROW_SIZE):
        start = starts[ROW] + place * NUM_CARDS
        policy.row[place] = first_set(observation, start, NUM_CARDS)


@rule
def advise(policy: Any, observation: Any, mask: Any, generator: Any) -> int:
    """The next step of the best turn, or the best card."""
    read(policy, observation)
    for cell in range(NUM_CELLS):
        policy.lots[cell] = next_seed(generator) * 2.0**-53 * LOTTERY
    choice = choose(policy, observation, mask)
    return choice if mask[choice] else first_set(mask, 0, mask.size)


register_adviser(POLICY, advise)


@rule
def choose(policy: Any, observation: Any, mask: Any) -> int:
    """What the phase asks for."""
    starts, board, mass = policy.starts, policy.board, policy.mass
    neighbours, search, best = policy.neighbours, policy.search, policy.best
    hand, row = policy.hand, policy.row
    joker = int(observation[starts[HAS_JOKER]])
    left = int(observation[starts[TRAINS_LEFT]])
    # Whoever is to act in the last round has no turn after this one.
    last = int(observation[starts[LAST_ROUND]])
    weights = policy.last_weights if last else policy.usual_weights
    phase = first_set(observation, starts[PHASE], len(PHASES))
    note_masses(board, neighbours, mass)
    if phase == MULLIGAN:
        promise = hand_promise(board, mass, neighbours, hand, 0, left, weights, search, best)
        return act.KEEP if promise >= weights[KEEP] else act.CHANGE
    if phase == ACTION:
        longest = int(observation[starts[LONGEST]])
        return choose_turn(
            mask,
            board,
            mass,
            neighbours,
            hand,
            joker,
            longest,
            left,
            last,
            weights,
            policy.lots,
            search,
            best,
        )
    if phase == REPLENISH:
        return choose_card(
            mask, board, mass, neighbours, hand, row, joker, left, weights, search, best
        )
    if phase == POINT_OR_REFRESH and last:
        return act.POINT
    return choose_exchange(
        mask,
        phase,
        board,
        mass,
        neighbours,
        hand,
        policy.to_give,
        row,
        first_set(observation, starts[SWAPPED_PLACE], ROW_SIZE),
        joker,
        left,
        weights,
        search,
        best,
    )


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
