"""What holds of every Tchu Tchu Train table, checked for many games at once.

Written from the rulebook and the board, not from the code under test: numbers are repeated here,
and masses and station groups are searched for anew.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from railenvs import Game

Bools = npt.NDArray[np.bool_]
Ints = npt.NDArray[np.int64]

TRAINS = {2: 30, 3: 25, 4: 20}
PRIZES = {2: [5, 0], 3: [8, 4, 2], 4: [8, 4, 2, 0]}
POINTS = np.array([0, 1, 2, 4, 6, 8, 10, 13])
CARDS, CELLS, SIDES = 52, 104, 6
HAND, ROW, STATIONS = 7, 4, 8
NOTHING = -1
MULLIGAN, ACTION, REPLENISH, POINT_OR_REFRESH, SWAP, GIVE = range(6)
PHASES = 6
SEARCHED = 6
"""Tables, the first of all, in which masses and groups are searched for."""


def decisions(num_players: int) -> tuple[int, int]:
    """Fewest and most decisions of a game.

    A seat places all its trains one by one. At most, every train is a turn of its own: place it,
    end, one card to take, ask for a refresh, change four places with two decisions each; and eight
    turns build stations.
    """
    trains = TRAINS[num_players]
    return num_players + trains, num_players + num_players * trains * 12 + STATIONS


def check(game: Game, states: npt.NDArray[np.void]) -> None:
    """Check tables of games in progress, (N,)."""
    seats = game.num_players
    table = {name: states[name].astype(np.int64) for name in states.dtype.names or ()}
    _check_seats_out_of_play(table, seats)
    _check_board(game, table)
    _check_cards(table)
    _check_knowledge(table, seats)
    _check_tokens(table, seats)
    _check_sites(table)
    _check_turn(table)
    _check_phases(table, seats)
    _check_points(table, seats)
    _search_masses(table, seats)
    _check_prizes(table, seats)


def _check_seats_out_of_play(table: dict[str, Any], seats: int) -> None:
    for name in ("hand", "hand_size", "joker", "known", "train", "cover", "rail"):
        assert not table[name][:, seats:].any(), name
    for name in ("trains_left", "train_points", "longest", "rail_prize", "station_points"):
        assert not table[name][:, seats:].any(), name
    assert not table["changed_hand"][:, seats:].any()
    assert ((table["starter"] >= 0) & (table["starter"] < seats)).all()


def _check_board(game: Game, table: dict[str, Any]) -> None:
    """Each card on two cells; cells, areas and neighbours as they were before the deal."""
    count = (table["cell_card"][:, :, None] == np.arange(CARDS)).sum(axis=1)
    assert (count == 2).all()
    blank = game.blank()
    kept = ["generated", "hexagonal", "cell_row", "cell_column", "cell_area", "neighbours"]
    if game.options["board"] != "generated":
        kept.append("cell_card")
    for name in kept:
        assert (table[name] == blank[name][0]).all(), name


def _copies(cards: Ints) -> Ints:
    """(N, k) cards, some nothing: copies of each, (N, 52)."""
    return (cards[:, :, None] == np.arange(CARDS)).sum(axis=1)


def _by_card(table: dict[str, Any], cells: Ints) -> Ints:
    """(N, 104) tokens by cell: the same by card, (N, 52)."""
    rows = np.repeat(np.arange(len(cells)), CELLS)
    found = np.zeros((len(cells), CARDS), np.int64)
    np.add.at(found, (rows, table["cell_card"].ravel()), cells.ravel())
    return found


def _stations(table: dict[str, Any]) -> Bools:
    """Whether a station stands on each cell, (N, 104)."""
    return (table["station_at"][:, :, None] == np.arange(CELLS)).any(axis=1)


def _check_cards(table: dict[str, Any]) -> None:
    """Two copies of each card, in hands, deck, row, on the way, or played."""
    places = np.arange(2 * CARDS)
    undrawn = places >= table["drawn"][:, None]
    assert ((table["deck"] == NOTHING) == ~undrawn).all()
    found = table["hand"].sum(axis=1) + _copies(table["deck"]) + _copies(table["row"])
    found += _copies(table["incoming"]) + table["discards"]
    assert (found == 2).all()
    for name in ("hand", "discards"):
        assert (table[name] >= 0).all()
    assert (table["hand_size"] == table["hand"].sum(axis=2) + table["joker"]).all()
    # A token other than a Joker's train for each card played: no card is ever dead.
    first = table["train"].sum(axis=1)
    second = table["cover"].sum(axis=1)
    by_joker = np.maximum(table["crossroad"], second)
    played = _by_card(table, first - by_joker + second + _stations(table))
    assert (played == table["discards"]).all()


def _check_knowledge(table: dict[str, Any], seats: int) -> None:
    assert (table["known"] >= 0).all()
    assert (table["known"] <= table["hand"]).all()
    open_cards = _copies(table["row"]) + _copies(table["incoming"]) + table["discards"]
    known = table["known"].sum(axis=1)
    for seat in range(seats):
        located = table["hand"][:, seat] + open_cards + known - table["known"][:, seat]
        assert (table["unseen"][:, seat] == 2 - located).all()
    assert (table["unseen"] >= 0).all()


def _check_tokens(table: dict[str, Any], seats: int) -> None:
    """What may lie on a cell; supplies of trains, Jokers and Crossroads."""
    first, second = table["train"].sum(axis=1), table["cover"].sum(axis=1)
    station = _stations(table)
    for name in ("train", "cover", "crossroad", "this_turn", "joker"):
        assert np.isin(table[name], (0, 1)).all(), name
    assert (first + station <= 1).all()
    assert (second + table["crossroad"] <= first).all()
    assert (table["empty"] == 1 - first - station).all()
    placed = (table["train"] + table["cover"]).sum(axis=2)[:, :seats]
    assert (table["trains_left"][:, :seats] == TRAINS[seats] - placed).all()
    assert (placed <= TRAINS[seats]).all()
    jokers_used = (table["crossroad"] + second).sum(axis=1)
    assert (station.sum(axis=1) == jokers_used + table["joker"].sum(axis=1)).all()


def _beside(table: dict[str, Any], cells: Ints) -> Bools:
    """(N, 104) marks: whether a neighbour of each cell is marked."""
    padded = np.concatenate([cells, np.zeros((len(cells), 1), np.int64)], axis=1)
    rows = np.arange(len(cells))[:, None, None]
    return np.asarray(padded[rows, table["neighbours"]].any(axis=2))


def _check_sites(table: dict[str, Any]) -> None:
    """Stations: one an area, none beside another; where the next may come."""
    station = _stations(table).astype(np.int64)
    assert not (_beside(table, station) & (station > 0)).any()
    rows, areas = np.nonzero(table["station_at"] != NOTHING)
    cells = table["station_at"][rows, areas]
    assert (table["cell_area"][rows, cells] == areas).all()
    assert (station.sum(axis=1) == (table["station_at"] != NOTHING).sum(axis=1)).all()
    rows = np.arange(len(station))[:, None]
    area_taken = (table["station_at"] != NOTHING)[rows, table["cell_area"]]
    free = (table["empty"] > 0) & ~area_taken & ~_beside(table, station)
    assert (table["site"] == free).all()


def _check_turn(table: dict[str, Any]) -> None:
    """This turn's cells carry the seat's trains; the next must be beside one of them."""
    rows = np.arange(len(table["seat"]))
    this_turn = table["this_turn"]
    assert (table["placed"] == this_turn.sum(axis=1)).all()
    own = table["train"][rows, table["seat"]] + table["cover"][rows, table["seat"]]
    assert (own >= this_turn).all()
    beside = _beside(table, this_turn)
    started = table["placed"][:, None] > 0
    assert (table["reach"] == np.where(started, beside, True)).all()
    assert (beside | (this_turn == 0) | (table["placed"][:, None] == 1)).all()
    assert ((this_turn * table["crossroad"]).sum(axis=1) <= 1).all()


def _check_phases(table: dict[str, Any], seats: int) -> None:
    phase, placed = table["phase"], table["placed"]
    deck = table["drawn"] < 2 * CARDS
    rows = np.arange(len(phase))
    hand = table["hand_size"][rows, table["seat"]]
    away = (table["incoming"] != NOTHING).sum(axis=1)
    opening = phase == MULLIGAN
    in_row = (table["row"] != NOTHING).sum(axis=1)
    assert np.isin(phase, range(6)).all()
    assert (in_row[opening] == 0).all()
    assert (in_row[~opening & deck] == ROW).all()
    assert (placed[opening] == 0).all()
    assert not table["train"][opening].any()
    assert not table["train_points"][opening].any()
    waiting = np.arange(seats) != table["seat"][:, None]
    sizes = table["hand_size"][:, :seats]
    assert (sizes <= HAND).all()
    assert ((sizes == HAND) | ~waiting | ~deck[:, None]).all()
    assert (placed <= HAND).all()
    acts = phase == ACTION
    assert (hand[acts] > 0).all()
    assert (table["trains_left"][rows, table["seat"]][acts] > 0).all()
    assert ((hand + placed == HAND) | ~acts | ~deck).all()
    draws = phase == REPLENISH
    assert ((hand < HAND) & (placed > 0) & (in_row > 0))[draws].all()
    single = phase >= POINT_OR_REFRESH
    assert (placed[single] == 1).all()
    assert ((hand + away == HAND) | ~deck)[single].all()
    assert (away[phase < SWAP] == 0).all()
    last = np.where(table["incoming"] != NOTHING, np.arange(ROW), NOTHING).max(axis=1)
    place = table["swap_place"]
    assert (place[phase < SWAP] == NOTHING).all()
    assert (place == last)[phase == SWAP].all()
    assert (place > last)[phase == GIVE].all()
    out = table["trains_left"][:, :seats] == 0
    turn = (np.arange(seats) - table["starter"][:, None]) % seats
    now = (table["seat"] - table["starter"])[:, None] % seats
    assert (~out | (turn < now) | ((turn == now) & (placed > 0)[:, None])).all()


def _check_points(table: dict[str, Any], seats: int) -> None:
    """At most sevens all along."""
    placed = TRAINS[seats] - table["trains_left"][:, :seats]
    most = placed // HAND * POINTS[HAND] + POINTS[placed % HAND]
    assert (table["train_points"][:, :seats] >= 0).all()
    assert (table["train_points"][:, :seats] <= most).all()


def _search_masses(table: dict[str, Any], seats: int) -> None:
    """The biggest mass and the groups of stations, searched for from scratch."""
    for row in range(min(SEARCHED, len(table["seat"]))):
        beside = [
            [int(cell) for cell in cells if cell != NOTHING] for cells in table["neighbours"][row]
        ]
        stations = {int(cell) for cell in table["station_at"][row] if cell != NOTHING}
        for seat in range(seats):
            trains = table["train"][row, seat] + table["cover"][row, seat]
            own = set(np.flatnonzero(trains).tolist())
            masses = _components(own, beside)
            longest = max((int(trains[list(mass)].sum()) for mass in masses), default=0)
            assert table["longest"][row, seat] == longest
            rail = np.zeros(CELLS, np.int64)
            for mass in masses:
                rail[list(mass)] = 1 + min(mass)
            assert (table["rail"][row, seat] == rail).all()
            groups = _components(own | stations, beside)
            linked = [len(group & stations) for group in groups]
            paid = sum(size * size for size in linked if size > 1)
            assert table["station_points"][row, seat] == paid


def _components(cells: set[int], beside: list[list[int]]) -> list[set[int]]:
    left = set(cells)
    found = []
    while left:
        group = {left.pop()}
        fresh = list(group)
        while fresh:
            fresh = [other for cell in fresh for other in beside[cell] if other in left]
            left -= set(fresh)
            group |= set(fresh)
        found.append(group)
    return found


def prizes(longest: list[int]) -> list[int]:
    """What the longest rails pay: shares of the places that equals take up together."""
    paid = []
    for own in longest:
        places = [place for place, size in enumerate(sorted(longest, reverse=True)) if size == own]
        total = sum(PRIZES[len(longest)][place] for place in places)
        paid.append(total // len(places) if own else 0)
    return paid


def _check_prizes(table: dict[str, Any], seats: int) -> None:
    for longest, paid in zip(table["longest"], table["rail_prize"], strict=True):
        assert prizes(longest[:seats].tolist()) == paid[:seats].tolist()


def check_step(game: Game, before: npt.NDArray[np.void], after: npt.NDArray[np.void]) -> None:
    """Check what one action may do to games that go on, both (k,)."""
    widened = [
        {name: states[name].astype(np.int64) for name in states.dtype.names or ()}
        for states in (before, after)
    ]
    old, new = widened
    for name in ("num_players", "first_player", "reward", "starter", "cell_card"):
        assert (old[name] == new[name]).all(), name
    changed = new["changed_hand"] != old["changed_hand"]
    rows = np.arange(len(changed))
    assert (changed.sum(axis=1) == changed[rows, old["seat"]]).all()
    assert not changed[old["phase"] != MULLIGAN].any()
    for name in ("train", "cover", "discards", "station_at", "longest", "train_points"):
        assert (new[name] >= old[name]).all(), name
    assert ((new["drawn"] >= old["drawn"]) | (old["phase"] == MULLIGAN)).all()
    trains = [(table["train"] + table["cover"]).sum(axis=(1, 2)) for table in widened]
    stations = [(table["station_at"] != NOTHING).sum(axis=1) for table in widened]
    come = trains[1] - trains[0] + stations[1] - stations[0]
    assert np.isin(come, (0, 1)).all()
    assert not come[old["phase"] != ACTION].any()
    earned = new["train_points"] - old["train_points"]
    assert np.isin(earned, POINTS).all()
    assert (np.count_nonzero(earned, axis=1) <= 1).all()
    assert (earned.sum(axis=1) == earned[rows, old["seat"]]).all()
    # A seat other than the one that moved only ever moves next after a whole turn or decision.
    passed = new["seat"] != old["seat"]
    assert (new["seat"] == (old["seat"] + passed) % game.num_players).all()
    assert not new["placed"][passed].any()


def check_end(
    game: Game,
    observations: npt.NDArray[np.int8],
    scores: npt.NDArray[np.int32],
    winners: npt.NDArray[np.int8],
) -> None:
    """Check results against what the seats saw last: (k, n, D), (k, n), (k, n)."""

    def seen(name: str) -> Ints:
        return game.fields.cut(observations, name)[:, 0].astype(np.int64)

    left = seen("trains_left")
    assert (left == 0).any(axis=1).all()
    assert (seen("last_round") == 1).all()
    total = seen("train_points") + seen("rail_prize") + seen("station_points")
    assert (scores == total).all()
    place = 1000 * scores.astype(np.int64) - left
    assert ((place == place.max(axis=1, keepdims=True)) == winners).all()
