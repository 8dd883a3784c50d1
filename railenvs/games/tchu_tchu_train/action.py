"""1. Action: placing trains, or building a station."""

from __future__ import annotations

from typing import Any

from railenvs.engine.compile import rule
from railenvs.engine.state import Record
from railenvs.games.tchu_tchu_train.actions import END_PLACING, JOKER, PLACE, STATION
from railenvs.games.tchu_tchu_train.scoring import note_rail, note_station_points
from railenvs.games.tchu_tchu_train.state import NOTHING, NUM_CELLS, SIDES


@rule
def legal_placing(state: Record, mask: Any) -> None:
    """Trains by card or Joker; as a turn's first token also a station; else the end of placing.

    A train by card goes on a cell of that card which is empty, or where a Crossroad of an earlier
    turn lies uncovered; one by Joker on any empty cell. This turn's cells must be connected among
    themselves (``reach``).
    """
    seat = int(state.seat)
    joker = int(state.joker[seat])
    station = int(state.placed == 0) & (1 - joker)
    hand, cards, site = state.hand[seat], state.cell_card, state.site
    empty, reach = state.empty, state.reach
    crossroad, this_turn = state.crossroad, state.this_turn
    for cell in range(NUM_CELLS):
        held = int(hand[cards[cell]] > 0)
        vacant = empty[cell] | (crossroad[cell] & (1 - this_turn[cell]))
        mask[PLACE + cell] = held & vacant & reach[cell]
        mask[STATION + cell] = held & site[cell] & station
    for cell in range(NUM_CELLS):
        mask[JOKER + cell] = empty[cell] & reach[cell] & joker
    mask[END_PLACING] = state.placed > 0


# Placing trains


@rule
def place_by_card(state: Record, cell: int) -> None:
    """A card places a train on its cell; one that lies there by Joker stays, its Crossroad goes."""
    lose_card(state, state.seat, state.cell_card[cell])
    state.discards[state.cell_card[cell]] += 1
    if state.crossroad[cell]:
        state.crossroad[cell] = 0
        state.cover[state.seat, cell] = 1
    else:
        state.train[state.seat, cell] = 1
    note_train(state, cell)


@rule
def place_by_joker(state: Record, cell: int) -> None:
    """The Joker sets a train on an empty cell and goes back to its pool; a Crossroad marks it."""
    state.joker[state.seat] = 0
    state.hand_size[state.seat] -= 1
    state.crossroad[cell] = 1
    state.train[state.seat, cell] = 1
    note_train(state, cell)


@rule
def note_train(state: Record, cell: int) -> None:
    """Write what follows from a new train: supply, masses, and where the turn may go on."""
    seat = int(state.seat)
    close_cell(state, cell)
    state.trains_left[seat] -= 1
    reach = state.reach
    if state.placed == 0:
        for other in range(NUM_CELLS):
            reach[other] = 0
    for side in range(SIDES):
        other = int(state.neighbours[cell, side])
        if other != NOTHING:
            reach[other] = 1
    state.this_turn[cell] = 1
    state.placed += 1
    note_rail(state, seat, cell)
    note_station_points(state, seat)


@rule
def close_cell(state: Record, cell: int) -> None:
    """A cell with a token on it takes neither a Joker's train nor a station."""
    state.empty[cell] = 0
    state.site[cell] = 0


@rule
def lose_card(state: Record, seat: int, card: int) -> None:
    """A card leaves a hand in the open: where a copy was known to be there, it is that one."""
    state.hand[seat, card] -= 1
    state.hand_size[seat] -= 1
    if state.known[seat, card] > 0:
        state.known[seat, card] -= 1
        return
    for other in range(state.num_players):
        if other != seat:
            state.unseen[other, card] -= 1


# Building a station


@rule
def build_station(state: Record, cell: int) -> None:
    """A card builds a station on its cell: one an area, none beside another, no colours."""
    card = int(state.cell_card[cell])
    area = int(state.cell_area[cell])
    lose_card(state, state.seat, card)
    state.discards[card] += 1
    state.station_at[area] = cell
    close_cell(state, cell)
    note_sites(state, cell)
    for seat in range(state.num_players):
        note_station_points(state, seat)


@rule
def note_sites(state: Record, cell: int) -> None:
    """Close a new station's area and neighbours to further ones."""
    area, site = state.cell_area, state.site
    for other in range(NUM_CELLS):
        if area[other] == area[cell]:
            site[other] = 0
    for side in range(SIDES):
        other = int(state.neighbours[cell, side])
        if other != NOTHING:
            site[other] = 0
