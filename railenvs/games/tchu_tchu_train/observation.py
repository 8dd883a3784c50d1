"""What a seat may know, as numbers: the field table and, next to it, the encoder.

Fields whose size does not depend on the number of players come first, so that their places are
constants; per-seat fields follow, me first, then clockwise.

A seat's memory is all in here: what lies on the board and in the discards, which cards others took
from the row and still hold, who changed a first hand. Left out: what a change tells (that the cards
of a hand thrown in cannot be in one that was kept, or changed before), in which order things came.
"""

from __future__ import annotations

from typing import Any

from railenvs.engine.arrays import copy_to
from railenvs.engine.compile import rule
from railenvs.engine.fields import Field, Fields
from railenvs.engine.state import PLAYING, Record
from railenvs.games.tchu_tchu_train.cards import COPIES, DECK_SIZE, NUM_CARDS, RANKS, SUITS
from railenvs.games.tchu_tchu_train.replenishment import is_last_round
from railenvs.games.tchu_tchu_train.scoring import RAIL_PRIZES, TURN_POINTS
from railenvs.games.tchu_tchu_train.state import (
    CROSSROADS,
    GIVING,
    HAND_SIZE,
    JOKERS,
    MOST_TRAINS,
    NOTHING,
    NUM_AREAS,
    NUM_CELLS,
    PHASES,
    ROW_SIZE,
    STATIONS,
)

MOST_TRAIN_POINTS = MOST_TRAINS // HAND_SIZE * TURN_POINTS[HAND_SIZE] + TURN_POINTS[2]
"""Thirty trains: four turns of seven, one of two."""

_CARDS = (SUITS, RANKS)
_TABLE = (
    Field("cell_card", (NUM_CELLS,), NUM_CARDS - 1, "card of each cell: 13 * suit + rank"),
    Field("station", (NUM_CELLS,), 1, "stations"),
    Field("crossroad", (NUM_CELLS,), 1, "Crossroads not yet covered"),
    Field("this_turn", (NUM_CELLS,), 1, "cells of the trains placed this turn"),
    Field("own_hand", _CARDS, COPIES, "copies of each card in my hand, by suit and rank"),
    Field("row", (ROW_SIZE, NUM_CARDS), 1, "the open card at each place of the row, one-hot"),
    Field("discards", _CARDS, COPIES, "copies of each card that were played"),
    Field("unseen", _CARDS, COPIES, "copies in the deck or, not known to be there, in other hands"),
    Field("incoming", _CARDS, COPIES, "cards taken in the refresh under way, not yet in hand"),
    # A change at the last place ends a refresh.
    Field("swapped", (ROW_SIZE - 1,), 1, "places of the row changed in the refresh under way"),
    Field("swapping", (ROW_SIZE,), 1, "one-hot: the place for which a card is to be given"),
    Field("phase", (len(PHASES),), 1, f"one-hot: {', '.join(PHASES)}; all 0 once the game is over"),
    Field("placed", (1,), HAND_SIZE, "trains placed this turn"),
    Field("deck_left", (1,), DECK_SIZE, "cards left in the deck"),
    Field("jokers_left", (1,), JOKERS, "Jokers in their pool"),
    Field("crossroads_left", (1,), CROSSROADS, "Crossroads in their pool"),
    Field("last_round", (1,), 1, "whether a seat has used up its trains"),
)
PER_SEAT = Fields(_TABLE).size


def fields(num_players: int) -> tuple[Field, ...]:
    """The observation's fields, in order."""
    seats = (num_players,)
    cells = (num_players, NUM_CELLS)
    return (
        *_TABLE,
        Field("train", cells, 1, "first trains on the cells, by owner (me first, then clockwise)"),
        Field("cover", cells, 1, "second trains, set on a Crossroad, by owner"),
        Field(
            "known",
            (num_players, *_CARDS),
            COPIES,
            "copies that everybody knows each hand to hold: taken from the row, neither played nor "
            "given back since",
        ),
        Field("joker", seats, 1, "who holds a Joker"),
        Field("hand_size", seats, HAND_SIZE, "cards in each hand, Joker included"),
        Field("trains_left", seats, MOST_TRAINS, "train tokens each seat has left"),
        Field("train_points", seats, MOST_TRAIN_POINTS, "points for trains placed"),
        Field("longest", seats, MOST_TRAINS, "trains in each seat's biggest mass"),
        Field("rail_prize", seats, max(map(max, RAIL_PRIZES[2:])), "what it would pay now"),
        Field("station_points", seats, STATIONS**2, "what each seat's stations would pay now"),
        Field("turn", seats, 1, "one-hot: whose turn it is; at the end, whose was the last"),
        Field("starter", seats, 1, "one-hot: who began"),
        Field("changed_hand", seats, 1, "who changed the first hand"),
    )


_AT = Fields(_TABLE)
CELL_CARD = _AT["cell_card"].start
STATION = _AT["station"].start
CROSSROAD = _AT["crossroad"].start
THIS_TURN = _AT["this_turn"].start
OWN_HAND = _AT["own_hand"].start
ROW = _AT["row"].start
DISCARDS = _AT["discards"].start
UNSEEN = _AT["unseen"].start
INCOMING = _AT["incoming"].start
SWAPPED = _AT["swapped"].start
SWAPPING = _AT["swapping"].start
PHASE = _AT["phase"].start
PLACED = _AT["placed"].start
DECK_LEFT = _AT["deck_left"].start
JOKERS_LEFT = _AT["jokers_left"].start
CROSSROADS_LEFT = _AT["crossroads_left"].start
LAST_ROUND = _AT["last_round"].start


@rule
def observe(state: Record, seat: int, out: Any) -> None:
    """Write the observation of ``seat``."""
    observe_board(state, out)
    observe_cards(state, seat, out)
    observe_progress(state, out)
    observe_seats(state, seat, out)


@rule
def observe_board(state: Record, out: Any) -> None:
    """The board and what has no owner on it."""
    copy_to(out, CELL_CARD, state.cell_card)
    for entry in range(STATION, CROSSROAD):
        out[entry] = 0
    for area in range(NUM_AREAS):
        cell = int(state.station_at[area])
        if cell != NOTHING:
            out[STATION + cell] = 1
    copy_to(out, CROSSROAD, state.crossroad)
    copy_to(out, THIS_TURN, state.this_turn)


@rule
def observe_cards(state: Record, seat: int, out: Any) -> None:
    """My hand, what lies open, what I have not seen; the refresh under way."""
    me = int(seat)
    copy_to(out, OWN_HAND, state.hand[me])
    for entry in range(ROW, DISCARDS):
        out[entry] = 0
    for place in range(ROW_SIZE):
        card = int(state.row[place])
        if card != NOTHING:
            out[ROW + place * NUM_CARDS + card] = 1
    copy_to(out, DISCARDS, state.discards)
    copy_to(out, UNSEEN, state.unseen[me])
    for entry in range(INCOMING, PHASE):
        out[entry] = 0
    for place in range(ROW_SIZE):
        card = int(state.incoming[place])
        if card != NOTHING:
            out[INCOMING + card] += 1
            out[SWAPPED + place] = 1
    if state.phase == GIVING:
        out[SWAPPING + int(state.swap_place)] = 1


@rule
def observe_progress(state: Record, out: Any) -> None:
    """Phase, the turn so far, pools."""
    for phase in range(len(PHASES)):
        out[PHASE + phase] = 0
    out[PHASE + int(state.phase)] = state.ended == PLAYING
    out[PLACED] = state.placed
    out[DECK_LEFT] = DECK_SIZE - int(state.drawn)
    held = 0
    for other in range(state.num_players):
        held += int(state.joker[other])
    out[JOKERS_LEFT] = JOKERS - held
    out[CROSSROADS_LEFT] = crossroads_left(state)
    out[LAST_ROUND] = is_last_round(state)


@rule
def crossroads_left(state: Record) -> int:
    """Crossroads in their pool: the others are with a Joker's holder or on the board."""
    left = CROSSROADS
    crossroad = state.crossroad
    for cell in range(NUM_CELLS):
        left -= crossroad[cell]
    for seat in range(state.num_players):
        left -= state.joker[seat]
    return left


@rule
def observe_seats(state: Record, seat: int, out: Any) -> None:
    """What each seat has on the board and is known to hold, me first."""
    count = int(state.num_players)
    cover = PER_SEAT + count * NUM_CELLS
    known = cover + count * NUM_CELLS
    joker = known + count * NUM_CARDS
    other = int(seat)
    for place in range(count):
        copy_to(out, PER_SEAT + place * NUM_CELLS, state.train[other])
        copy_to(out, cover + place * NUM_CELLS, state.cover[other])
        copy_to(out, known + place * NUM_CARDS, state.known[other])
        entry = joker + place
        out[entry] = state.joker[other]
        out[entry + count] = state.hand_size[other]
        out[entry + 2 * count] = state.trains_left[other]
        out[entry + 3 * count] = state.train_points[other]
        out[entry + 4 * count] = state.longest[other]
        out[entry + 5 * count] = state.rail_prize[other]
        out[entry + 6 * count] = state.station_points[other]
        out[entry + 7 * count] = other == state.seat
        out[entry + 8 * count] = other == state.starter
        out[entry + 9 * count] = state.changed_hand[other]
        other += 1
        if other == count:
            other = 0
