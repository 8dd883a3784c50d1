"""Reading a whole table back; ``table`` tells what it holds."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from railenvs.engine.checks import entry, every_card, one_of, whole_number
from railenvs.engine.state import TERMINATED, Record
from railenvs.games.tchu_tchu_train.action import close_cell, note_sites
from railenvs.games.tchu_tchu_train.board import GAP, Board, read_label
from railenvs.games.tchu_tchu_train.cards import CARD_NAMES, COPIES, DECK_SIZE
from railenvs.games.tchu_tchu_train.hidden import note_unseen
from railenvs.games.tchu_tchu_train.plausible import check_plausible
from railenvs.games.tchu_tchu_train.scoring import note_rail, note_station_points
from railenvs.games.tchu_tchu_train.state import (
    GIVING,
    HAND_SIZE,
    MOST_TRAINS,
    NOTHING,
    NUM_CELLS,
    PHASES,
    ROW_SIZE,
    SWAPPING,
    TRAINS,
)
from railenvs.games.tchu_tchu_train.table import OVER

_TOKENS = re.compile(r"(?:(S)|(\d)(?:(x)|\+(\d))?(\*)?)?")
_MOST_POINTS = MOST_TRAINS // HAND_SIZE * 13 + 2


def read_table(state: Record, given: Mapping[str, Any]) -> None:
    """Write a whole table into a blank record.

    Raises:
        ValueError: where an entry is missing or malformed, a card missing, one too many or
            unknown, or its parts do not fit one another as :mod:`.plausible` checks.
    """
    phase = one_of(given.get("phase"), "'phase'", [*PHASES, OVER])
    last = state.num_players - 1
    state.ended = TERMINATED if phase == OVER else 0
    state.phase = PHASES.index("action" if phase == OVER else phase)
    state.seat = whole_number(given.get("turn"), "'turn'", 0, last)
    state.starter = whole_number(given.get("starter"), "'starter'", 0, last)
    seats = entry(given, "seats", list)
    if len(seats) != state.num_players:
        raise ValueError(f"'seats' must list {state.num_players} seats, not {len(seats)}")
    _read_board(state, entry(given, "board", dict))
    _read_refresh(state, given)
    _read_cards(state, given, seats)
    _read_memory(state, given.get("memory", {}))
    for seat, entries in enumerate(seats):
        state.train_points[seat] = whole_number(
            entries.get("train_points"), f"'train_points' of seat {seat}", 0, _MOST_POINTS
        )
    for seat in range(state.num_players):
        note_unseen(state, seat)
    check_plausible(state)


# The board


def _read_board(state: Record, given: Mapping[str, Any]) -> None:
    found = {}
    for row, cells in given.items():
        if not isinstance(cells, Mapping):
            raise ValueError(f"row {row!r} of 'board' must be a dict of cells, not {cells!r}")
        found.update({f"{row}{column}": cell for column, cell in cells.items() if cell != GAP})
    board = Board.from_record(state)
    for name in [*board.cell_names, *found]:
        if name not in found or name not in board.cell_names:
            fault = "lacks" if name not in found else "has no"
            raise ValueError(f"'board' {fault} cell {name}")
    words = [str(found[name]).partition(" ") for name in board.cell_names]
    labels = [label for label, _, _ in words]
    if state.generated:
        _read_generated(state, board, labels)
    else:
        for name, wanted, label in zip(board.cell_names, board.labels, labels, strict=True):
            one_of(label, f"cell {name} (a board is an option of the game)", [wanted])
    for cell, (name, (_, _, tokens)) in enumerate(zip(board.cell_names, words, strict=True)):
        _read_tokens(state, cell, f"cell {name}", tokens)
    _note_what_follows(state)


def _read_generated(state: Record, grid: Board, labels: Sequence[str]) -> None:
    cells = [read_label(label, name) for name, label in zip(grid.cell_names, labels, strict=True)]
    cards, areas = zip(*cells, strict=True)
    if areas != grid.areas:
        raise ValueError("'board' must have the areas that generated boards have")
    Board(grid.adjacency, grid.places, cards, areas).write(state)


def _read_tokens(state: Record, cell: int, where: str, tokens: str) -> None:
    match = _TOKENS.fullmatch(tokens)
    if match is None:
        raise ValueError(
            f"{where}: what lies there must be '', 'S', '0', '0x' or '0+1', trains perhaps with "
            f"'*', not {tokens!r}"
        )
    station, train, crossroad, cover, this_turn = match.groups()
    area = int(state.cell_area[cell])
    if station:
        if state.station_at[area] != NOTHING:
            raise ValueError(f"{where}: its area has another station already")
        if not state.site[cell]:
            raise ValueError(f"{where}: a station cannot adjoin another")
        state.station_at[area] = cell
        state.discards[state.cell_card[cell]] += 1
        note_sites(state, cell)
    if train:
        state.train[_owner(state, train, where), cell] = 1
        state.crossroad[cell] = crossroad is not None
        state.this_turn[cell] = this_turn is not None
        state.discards[state.cell_card[cell]] += crossroad is None
    if cover:
        state.cover[_owner(state, cover, where), cell] = 1


def _owner(state: Record, digit: str, where: str) -> int:
    return whole_number(int(digit), f"{where}: the owner of a train", 0, state.num_players - 1)


def _note_what_follows(state: Record) -> None:
    """Supplies, masses, station points, and where a token may still come."""
    for cell in range(NUM_CELLS):
        if state.train[:, cell].any() or (state.station_at == cell).any():
            close_cell(state, cell)
    state.placed = state.this_turn.sum()
    if state.placed:
        state.reach[:] = 0
        for cell in state.this_turn.nonzero()[0]:
            beside = state.neighbours[cell]
            state.reach[beside[beside != NOTHING]] = 1
    most = TRAINS[state.num_players]
    for seat in range(state.num_players):
        for cell in (state.train[seat] | state.cover[seat]).nonzero()[0].tolist():
            note_rail(state, seat, cell)
        note_station_points(state, seat)
        placed = int(state.train[seat].sum() + state.cover[seat].sum())
        whole_number(placed, f"the number of trains of seat {seat}", 0, most)
        state.trains_left[seat] = most - placed


# Cards


def _read_refresh(state: Record, given: Mapping[str, Any]) -> None:
    state.row[:] = _places(given, "row")
    if given.get("incoming") is not None:
        state.incoming[:] = _places(given, "incoming")
    taken = (state.incoming != NOTHING).nonzero()[0]
    swapping = given.get("swapping")
    if state.phase == GIVING and not state.ended:
        place = whole_number(swapping, "'swapping' (a place of the row)", 1, ROW_SIZE)
        state.swap_place = place - 1
    elif swapping is not None:
        raise ValueError(f"'swapping' goes with phase 'give'; it must be null, not {swapping!r}")
    elif taken.size:
        state.swap_place = taken[-1]
    if taken.size and (state.phase not in (SWAPPING, GIVING) or state.ended):
        raise ValueError("'incoming' goes with phases 'swap' and 'give'")


def _places(given: Mapping[str, Any], key: str) -> list[int]:
    cards = entry(given, key, list)
    if len(cards) != ROW_SIZE:
        raise ValueError(f"{key!r} must list {ROW_SIZE} places, not {len(cards)}")
    allowed = [None, *CARD_NAMES]
    named = [one_of(card, f"a card of {key!r}", allowed) for card in cards]
    return [NOTHING if card is None else CARD_NAMES.index(card) for card in named]


def _read_cards(state: Record, given: Mapping[str, Any], seats: Sequence[Any]) -> None:
    deck = entry(given, "draw_deck", list)
    hands = [entry(seat, "hand", list, f"seat {index}") for index, seat in enumerate(seats)]
    played = [
        name for card, name in enumerate(CARD_NAMES) for _ in range(int(state.discards[card]))
    ]
    laid = [CARD_NAMES[card] for card in [*state.row, *state.incoming] if card != NOTHING]
    found = [*deck, *played, *laid, *(card for hand in hands for card in hand)]
    every_card(found, CARD_NAMES, COPIES, "cards in hands, on the board, open and in the deck")
    state.drawn = DECK_SIZE - len(deck)
    state.deck[: state.drawn] = NOTHING
    state.deck[state.drawn :] = [CARD_NAMES.index(card) for card in deck]
    for seat, hand in enumerate(hands):
        for card in hand:
            state.hand[seat, CARD_NAMES.index(card)] += 1
        state.joker[seat] = _read_flag(seats[seat].get("joker"), "joker", seat)
        changed = seats[seat].get("changed_hand", False)
        state.changed_hand[seat] = _read_flag(changed, "changed_hand", seat)
        state.hand_size[seat] = len(hand) + int(state.joker[seat])


def _read_flag(value: Any, name: str, seat: int) -> bool:
    return bool(one_of(value, f"{name!r} of seat {seat}", (True, False)))


def _read_memory(state: Record, given: Any) -> None:
    if not isinstance(given, Mapping):
        raise ValueError(f"'memory' must be a dict of seats, not {given!r}")
    seats = [f"seat_{seat}" for seat in range(state.num_players)]
    for name in given:
        seat = seats.index(one_of(name, "a seat of 'memory'", seats))
        for card in entry(given, name, list, "'memory'"):
            number = CARD_NAMES.index(one_of(card, f"a card of {name} in 'memory'", CARD_NAMES))
            state.known[seat, number] += 1
            if state.known[seat, number] > state.hand[seat, number]:
                raise ValueError(f"{name} of 'memory' is known to hold {card}, but does not")
