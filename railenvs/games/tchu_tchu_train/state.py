"""The table of Tchu Tchu Train as one record, its board included."""

from __future__ import annotations

import numpy as np

from railenvs.engine.state import record_dtype
from railenvs.games.tchu_tchu_train.cards import DECK_SIZE, NUM_CARDS

MAX_SEATS = 4
NUM_CELLS = DECK_SIZE
"""A cell for every card of the deck."""
SIDES = 6
"""Most neighbours of a cell (four on a square board)."""
NUM_AREAS = 8

TRAINS = (0, 0, 30, 25, 20)
"""Train tokens of a seat by number of players."""
MOST_TRAINS = 30
HAND_SIZE = 7
ROW_SIZE = 4
"""Open cards beside the deck."""
JOKERS = 4
CROSSROADS = 8
STATIONS = NUM_AREAS
"""As many as may be built: one an area."""

PHASES = ("mulligan", "action", "replenish", "point_or_refresh", "swap", "give")
MULLIGAN, ACTION, REPLENISH, POINT_OR_REFRESH, SWAPPING, GIVING = range(len(PHASES))
"""Values of ``state.phase``."""

NOTHING = -1
"""No neighbour, no card (row, deck, ``incoming``), no station, no place of the row."""

DTYPE = record_dtype(
    "tchu_tchu_train",
    [
        # The board
        ("generated", np.int8),  # whether every game gets a board of its own
        ("hexagonal", np.int8),  # how neighbours follow from rows and columns
        ("cell_row", np.int8, (NUM_CELLS,)),  # from 0
        ("cell_column", np.int8, (NUM_CELLS,)),
        ("cell_card", np.int8, (NUM_CELLS,)),
        ("cell_area", np.int8, (NUM_CELLS,)),
        ("neighbours", np.int8, (NUM_CELLS, SIDES)),  # cells; NOTHING fills up
        # What lies on it
        ("train", np.int8, (MAX_SEATS, NUM_CELLS)),  # first trains on the cells, by owner: 0/1
        ("cover", np.int8, (MAX_SEATS, NUM_CELLS)),  # second trains, set on a Crossroad: 0/1
        ("crossroad", np.int8, (NUM_CELLS,)),  # 0/1
        ("station_at", np.int8, (NUM_AREAS,)),  # the cell of each area's station
        ("empty", np.int8, (NUM_CELLS,)),  # no token at all: 0/1
        ("site", np.int8, (NUM_CELLS,)),  # a station may be built here: 0/1
        # The turn
        ("phase", np.int8),
        ("starter", np.int8),  # who began
        ("placed", np.int8),  # trains placed this turn
        ("this_turn", np.int8, (NUM_CELLS,)),  # where: 0/1
        ("reach", np.int8, (NUM_CELLS,)),  # this turn's next train may come here: 0/1
        ("swap_place", np.int8),  # place of the row that a refresh came to
        ("incoming", np.int8, (ROW_SIZE,)),  # cards taken in the refresh under way, by place
        # Cards
        ("deck", np.int8, (DECK_SIZE,)),  # in the order of drawing; drawn cards are gone
        ("drawn", np.int8),
        ("row", np.int8, (ROW_SIZE,)),
        ("discards", np.int8, (NUM_CARDS,)),  # copies
        ("hand", np.int8, (MAX_SEATS, NUM_CARDS)),  # copies
        ("hand_size", np.int8, (MAX_SEATS,)),  # Joker included
        ("joker", np.int8, (MAX_SEATS,)),  # 0/1
        ("changed_hand", np.int8, (MAX_SEATS,)),  # whether the first hand was changed: 0/1
        ("known", np.int8, (MAX_SEATS, NUM_CARDS)),  # copies that all know to be in hand
        ("unseen", np.int8, (MAX_SEATS, NUM_CARDS)),  # copies that the seat has not located
        # Tokens and points
        ("trains_left", np.int8, (MAX_SEATS,)),
        ("train_points", np.int8, (MAX_SEATS,)),
        ("rail", np.int8, (MAX_SEATS, NUM_CELLS)),  # 1 + the first cell of each mass; 0: no train
        ("longest", np.int8, (MAX_SEATS,)),  # trains in the biggest mass
        ("rail_prize", np.int8, (MAX_SEATS,)),  # what it would pay now
        ("station_points", np.int8, (MAX_SEATS,)),
    ],
)
