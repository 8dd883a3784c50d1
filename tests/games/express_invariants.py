"""What holds of every EXPRESS table, checked for many games at once.

Written from the rulebook and the cards, not from the code under test: numbers are repeated here.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from railenvs import Game

Table = dict[str, npt.NDArray[np.int64]]

COPIES = np.array([1] * 25 + [4, 4, 4, 3])
"""Cards of each face: 20 vehicles of Regions, 5 of the Pool, Red, Green 1, Green 2, Pass."""
PASS, NONE, PUBLIC = 28, -1, 4
DRAW, CLAIM, ACT, DISCARD, HAND_OVER, LAY_OUT, EXCHANGE = range(7)
PHASES = 7
PHASES_NEED = {"short_trains": True}
"""Options without which not every phase comes up: a long train never lacks two cards alike."""
DISCARDED, BARRED = 1, 2
TURNS_A_SEAT = 100


def decisions(num_players: int) -> tuple[int, int]:
    """Fewest and most decisions of a game (with the options that tests try).

    A short train may lie there after the first turn and be out after three more. At most two hands
    of so many turns, each of a draw, three Passes asked for and answered, a window in which each
    Pass is let go, four choices of a train and a discard.
    """
    return 6, 2 * TURNS_A_SEAT * num_players * (1 + 6 + 3 + 5 + 1)


def check(game: Game, states: npt.NDArray[np.void]) -> None:
    """Check tables of games in progress, (N,)."""
    seats = game.num_players
    table = {name: states[name].astype(np.int64) for name in states.dtype.names or ()}
    _check_pack(table, seats)
    _check_hands(game, table, seats)
    _check_trains(game, table, seats)
    _check_top(table)
    _check_phases(table, seats)
    _check_progress(game, table, seats)
    for row in (*range(seats), PUBLIC):
        _check_memory(table, seats, row)


def _in_stock(table: Table) -> npt.NDArray[np.int64]:
    """Cards of each face in the stock, (N, 29)."""
    counts = np.zeros((len(table["turn"]), 29), np.int64)
    rows, places = np.nonzero(np.arange(25) < table["stock_count"][:, None])
    np.add.at(counts, (rows, table["stock"][rows, places]), 1)
    return counts


def _check_pack(table: Table, seats: int) -> None:
    """Each of the 40 cards is in one place."""
    counts = _in_stock(table) + table["pile"] + table["hand"].sum(axis=1)
    counts[:, :25] += table["train"].sum(axis=1)
    assert (counts == COPIES).all()
    assert (table["stock_count"] > 0).all()
    for name in ("hand", "hand_count", "train", "position", "score"):
        assert not table[name][:, seats:].any(), name
        if name not in ("position", "score"):
            assert (table[name] >= 0).all(), name


def _check_hands(game: Game, table: Table, seats: int) -> None:
    """Seven, less the cards laid out; one more between the draw and the discard."""
    length = 4 if game.options["short_trains"] else 5
    laid = table["region"][:, :seats] != NONE
    drawn = (table["phase"] != DRAW) & (table["phase"] != CLAIM)
    acts = np.arange(seats) == table["turn"][:, None]
    assert (table["hand_count"][:, :seats] == 7 - length * laid + (acts & drawn[:, None])).all()
    assert (table["hand_count"] == table["hand"].sum(axis=2)).all()


def _check_trains(game: Game, table: Table, seats: int) -> None:
    length = 4 if game.options["short_trains"] else 5
    trains, region = table["train"][:, :seats], table["region"][:, :seats]
    assert (trains.sum(axis=2) == length * (region != NONE)).all()
    assert ((region != NONE) | (table["position"][:, :seats] == 0)).all()
    assert (table["position"] >= 0).all()
    assert (table["position"] <= length).all()
    assert (table["moved_out"] == NONE).all()
    for number in range(4):
        of_region = trains[region == number]
        own = of_region[:, 5 * number : 5 * number + 5]
        pool_cars = of_region[:, 21 if number < 2 else 22]
        pool_vans = of_region[:, 23 if number < 2 else 24]
        assert (own[:, 0] + of_region[:, 20] == 1).all()
        assert (own[:, 1:4].sum(axis=1) + pool_cars == length - 2).all()
        assert (own[:, 4] + pool_vans == 1).all()
        assert (own.any(axis=1)).all()
    assigned = table["assigned"][:, :seats]
    if game.options["assigned_regions"]:
        assert (np.diff(np.sort(assigned, axis=1)) > 0).all()
        assert ((region == NONE) | (region == assigned)).all()
    else:
        assert (assigned == NONE).all()


def _check_top(table: Table) -> None:
    top, rows = table["top"], np.arange(len(table["top"]))
    assert ((top == NONE) | (table["pile"][rows, top] > 0)).all()
    assert (top[(table["phase"] == DRAW) | (table["phase"] == CLAIM)] != NONE).all()
    assert (top[(table["top_is"] == BARRED) & (top != NONE)] == PASS).all()
    picked = table["picked_up"]
    held = table["hand"][rows, table["turn"], np.maximum(picked, 0)] > 0
    assert ((picked == NONE) | ((picked >= 25) & (picked <= 27) & held & (top == NONE))).all()


def _check_phases(table: Table, seats: int) -> None:
    """Who acts, and that it can have that decision."""
    phase, rows = table["phase"], np.arange(len(table["phase"]))
    elsewhere = (phase == CLAIM) | (phase == HAND_OVER)
    assert ((table["seat"] == table["turn"]) != elsewhere).all()
    hand = table["hand"][rows, table["seat"]]
    claim = phase == CLAIM
    assert (hand[claim, PASS] > 0).all()
    assert (table["top"][claim] < 20).all()
    assert (table["top_is"][claim] == DISCARDED).all()
    steps = (table["seat"] - table["turn"])[claim] % seats
    assert ((steps >= 1) & (steps <= seats - 2)).all()
    for request in range(12):
        region, kind = divmod(request, 3)
        asked = (phase == HAND_OVER) & (table["request"] == request)
        assert kind == 1 or not asked.any()
        assert (hand[asked, 5 * region + 1 : 5 * region + 4].sum(axis=1) > 1).all()
        assert (table["hand"][rows, table["turn"], PASS][asked] > 0).all()
    assert ((table["request"] != NONE) == (phase == HAND_OVER)).all()
    assert ((table["laying"] != NONE) == (phase == LAY_OUT)).all()
    assert ((table["exchanging"] != NONE) == (phase == EXCHANGE)).all()
    assert (table["picked"] <= hand[:, :25]).all()
    assert not table["picked"][phase != LAY_OUT].any()


def _check_progress(game: Game, table: Table, seats: int) -> None:
    most = game.options["max_turns"] or TURNS_A_SEAT * seats
    assert (table["turns"] < most).all()
    assert (table["turns"] >= 0).all()
    assert (table["turn"] == (table["starter"] + table["turns"]) % seats).all()
    ended = game.options["hands"] - table["hands_left"]
    assert (ended >= 0).all()
    assert (table["hands_left"] > 0).all()
    assert (table["score"] <= 15 * ended[:, None]).all()
    assert (table["score"] >= -7 * ended[:, None]).all()


def _check_memory(table: Table, seats: int, row: int) -> None:
    """All that a row says is true."""
    others = [seat for seat in range(seats) if seat != row]
    known, absent = table["known"][:, row], table["absent"][:, row]
    assert (known <= table["hand"]).all()
    assert (known >= 0).all()
    assert (known.sum(axis=2) == table["known_count"][:, row]).all()
    assert not (absent * table["hand"][:, :, :25]).any()
    at_least, at_most = table["new_at_least"][:, row], table["new_at_most"][:, row]
    assert (at_least >= 0).all()
    assert (at_least <= at_most).all()
    unknown = table["hand_count"] - known.sum(axis=2)
    assert (at_most[:, others] <= unknown[:, others]).all()
    unseen = _in_stock(table) + (table["hand"] - known)[:, others].sum(axis=1)
    at_most_in_stock = np.minimum(table["stock_at_most"][:, row], unseen)
    at_most_old = np.minimum(table["old_at_most"][:, row], unseen)
    assert (_in_stock(table) <= at_most_in_stock).all()
    assert (at_most_in_stock + at_most_old >= unseen).all()
    assert (at_most_old >= 0).all()
    # Vehicles are unique: what can only be new, or only be old, counts for the hand it is in.
    for seat in others:
        hidden = (table["hand"] - known)[:, seat, :25]
        new = (hidden * (at_most_old[:, :25] == 0)).sum(axis=1)
        old = (hidden * (at_most_in_stock[:, :25] == 0)).sum(axis=1)
        assert (new <= at_most[:, seat]).all()
        assert (old <= unknown[:, seat] - at_least[:, seat]).all()


def check_step(game: Game, before: npt.NDArray[np.void], after: npt.NDArray[np.void]) -> None:
    """Check what one action may do to games that go on, both (k,)."""
    old, new = (
        {name: states[name].astype(np.int64) for name in states.dtype.names or ()}
        for states in (before, after)
    )
    for name in (
        "num_players",
        "first_player",
        "reward",
        "cut_off",
        "hands",
        "short_trains",
        "max_turns",
    ):
        assert (old[name] == new[name]).all(), name
    same_hand = old["hands_left"] == new["hands_left"]
    assert np.isin((old["hands_left"] - new["hands_left"])[~same_hand], (1,)).all()
    assert (old["score"] == new["score"])[same_hand].all()
    turns = (new["turns"] - old["turns"])[same_hand]
    assert np.isin(turns, (0, 1)).all()
    moved = (new["position"] - old["position"])[same_hand]
    assert ((moved >= -1) & (moved <= 2)).all()
    assert not moved[turns == 0].any()
    kept = old["region"] == new["region"]
    assert (kept | (old["region"] == NONE))[same_hand].all()


def check_end(
    game: Game,
    observations: npt.NDArray[np.int8],
    scores: npt.NDArray[np.int32],
    winners: npt.NDArray[np.int8],
) -> None:
    """Check results against what the seats saw last: (k, n, D), (k, n), (k, n)."""

    def cut(name: str) -> Any:
        return game.fields.cut(observations, name)[:, :, 0].astype(np.int64)

    assert (cut("hands_left") == 0).all()
    assert ((scores == scores.max(axis=1, keepdims=True)) == winners).all()
    if game.options["hands"] == 1:
        way_out = 5 if game.options["short_trains"] else 6
        out = cut("position") == way_out
        assert (out == winners).all()
        assert (out.sum(axis=1) == 1).all()
        points = 5 * game.fields.cut(observations, "region")[:, :, 0].sum(axis=2)
        assert (scores == np.where(out, 15, points - cut("hand_size"))).all()
