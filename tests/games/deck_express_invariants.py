"""What holds of every Deck EXPRESS table, checked for many games at once.

Written from the rulebook and the cards, not from the code under test: numbers are repeated here.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from railenvs import Game

Bools = npt.NDArray[np.bool_]
Ints = npt.NDArray[np.int64]

DECK = {2: 28, 3: 23, 4: 18}
"""Cards of the draw deck by number of players."""
CHART_WINDOWS = {2: ((7, 12), (18, 23)), 3: ((4, 9), (14, 19)), 4: ((3, 8), (11, 16))}
"""First and last draw, from 1, at which each locomotive may come by the rulebook's chart."""
LOCOMOTIVE, GONE, NONE = 36, -1, -1
ACE_ON_TOP, LOCOMOTIVE_ON_TOP = 1, 11
TURN, ASSIGN, REVEAL, PASS = range(4)
PHASES = 4
MOST_PAID = 12
"""Dollars a share pays at most: a stack of all its cards under a locomotive."""


def decisions(num_players: int) -> tuple[int, int]:
    """Fewest and most decisions of a game.

    Everyone invests, or all of the 35 track cards are built that can be; then two locomotives to
    assign, two shares each to reveal and one to pass (the third reveal and first pass are forced).
    """
    procedure = 2 + 3 * num_players
    return DECK[num_players] + procedure, DECK[num_players] + 35 + procedure


def check(game: Game, states: npt.NDArray[np.void]) -> None:
    """Check tables of games in progress, (N,)."""
    seats = game.num_players
    size = DECK[seats]
    table = {name: states[name].astype(np.int64) for name in states.dtype.names or ()}
    deck, drawn = table["deck"][:, :size], table["drawn"]
    places = np.arange(size)
    locomotive = deck == LOCOMOTIVE
    came = (locomotive & (places < drawn[:, None])).sum(axis=1)
    _check_seats_out_of_play(table, seats)
    _check_track(table, seats, deck, places >= drawn[:, None])
    _check_shares(table, seats)
    _check_locomotives(game, locomotive, places)
    _check_windows(table, locomotive, came)
    _check_stacks(table)
    _check_phases(table, came, size)
    _check_choices(table, seats)
    most = MOST_PAID * table["dividends"] * (table["dividends"] + 1) // 2
    money = table["money"][:, :seats]
    assert ((money >= table["dividends"][:, None]) | (table["dividends"][:, None] == 0)).all()
    assert (money <= most[:, None]).all()


def _check_seats_out_of_play(table: dict[str, Any], seats: int) -> None:
    for name in ("track", "track_count", "shares", "shown", "money"):
        assert not table[name][:, seats:].any(), name


def _check_track(table: dict[str, Any], seats: int, deck: Ints, undrawn: Bools) -> None:
    """Each of the 36 track cards is in one hand, on its stack or in the draw deck."""
    rows, places = np.nonzero(undrawn & (deck != LOCOMOTIVE))
    in_deck = np.zeros((len(deck), 36), np.int64)
    np.add.at(in_deck, (rows, deck[rows, places]), 1)
    held = table["track"].sum(axis=1)
    assert (held + table["built"] + in_deck == 1).all()
    assert np.isin(deck[~undrawn], (LOCOMOTIVE, GONE)).all()
    assert (table["track_count"] == table["track"].sum(axis=2)).all()
    unseen = 1 - table["track"][:, :seats] - table["built"][:, None]
    assert (table["unseen_track"][:, :seats] == unseen).all()


def _check_shares(table: dict[str, Any], seats: int) -> None:
    """Three each: one face up for every dividend, the rest in hand; no share twice."""
    shares, shown = table["shares"], table["shown"]
    assert ((shares + shown).sum(axis=1) <= 1).all()
    assert np.isin(shares, (0, 1)).all()
    assert np.isin(shown, (0, 1)).all()
    paid = table["dividends"][:, None]
    assert (shares[:, :seats].sum(axis=2) == 3 - paid).all()
    assert (shown[:, :seats].sum(axis=2) == paid).all()
    face_up = shown.sum(axis=1)[:, None]
    assert (table["unseen_shares"][:, :seats] == 1 - shares[:, :seats] - face_up).all()


def _check_locomotives(game: Game, locomotive: Bools, places: Ints) -> None:
    """Two, where the setup allows them."""
    assert (locomotive.sum(axis=1) == 2).all()
    first = locomotive.argmax(axis=1) + 1
    second = len(places) - locomotive[:, ::-1].argmax(axis=1)
    if game.options["setup"] == "chart":
        for draw, (start, stop) in zip(
            (first, second), CHART_WINDOWS[game.num_players], strict=True
        ):
            assert ((start <= draw) & (draw <= stop)).all()
    else:
        ends = [len(places) * k // 3 for k in (1, 2)]
        assert (np.searchsorted(ends, first) < np.searchsorted(ends, second)).all()
        assert (second < len(places)).all()


def _check_windows(table: dict[str, Any], locomotive: Bools, came: Ints) -> None:
    """The next locomotives come within the windows told; past ones have none."""
    window = table["locomotive_window"]
    draws = np.nonzero(locomotive)[1].reshape(-1, 2) + 1
    coming = np.arange(2) >= came[:, None]
    assert not window[~coming].any()
    assert (window[coming, 0] <= draws[coming]).all()
    assert (draws[coming] <= window[coming, 1]).all()


def _check_stacks(table: dict[str, Any]) -> None:
    built = table["built"].reshape(-1, 4, 9)
    assigned = (table["assigned"][:, :, None] == np.arange(4)).sum(axis=1)
    assert (table["height"] == 1 + built.sum(axis=2) + assigned).all()
    top = table["top"]
    bare = top == ACE_ON_TOP
    assert (table["height"][bare] == 1).all()
    pulled = top == LOCOMOTIVE_ON_TOP
    assert (assigned[pulled] > 0).all()
    rows, companies = np.nonzero(~bare & ~pulled)
    assert built[rows, companies, top[rows, companies] - 2].all()


def _check_phases(table: dict[str, Any], came: Ints, size: int) -> None:
    phase, paid = table["phase"], table["dividends"]
    assigned = (table["assigned"] != NONE).sum(axis=1)
    last_drawn = table["deck"][np.arange(len(came)), np.maximum(table["drawn"] - 1, 0)]
    just_came = (last_drawn == LOCOMOTIVE) & (table["drawn"] > 0)
    assert ((came == paid) == np.isin(phase, (TURN, PASS))).all()
    assert ((assigned == came) == (phase != ASSIGN)).all()
    assert (just_came | (phase == TURN)).all()
    assert (paid[phase == PASS] == 2).all()
    assert (paid[phase != PASS] <= 2).all()
    assert (table["drawn"] < size).all()
    drawer_acts = np.isin(phase, (TURN, ASSIGN))
    assert (table["seat"][drawer_acts] == table["turn"][drawer_acts]).all()


def _check_choices(table: dict[str, Any], seats: int) -> None:
    """The seats from the drawer to the one before the seat to act have laid a share aside."""
    choice = table["choice"][:, :seats]
    clockwise = (np.arange(seats) - table["turn"][:, None]) % seats
    made = clockwise < ((table["seat"] - table["turn"]) % seats)[:, None]
    assert ((choice != NONE) == made).all()
    rows, chosen_by = np.nonzero(made)
    cards = np.where((table["phase"] == PASS)[:, None, None], table["shown"], table["shares"])[
        rows, chosen_by, choice[rows, chosen_by]
    ]
    assert cards.all()


def check_step(game: Game, before: npt.NDArray[np.void], after: npt.NDArray[np.void]) -> None:
    """Check what one action may do to games that go on, both (k,)."""
    widened = [
        {name: states[name].astype(np.int64) for name in states.dtype.names or ()}
        for states in (before, after)
    ]
    old, new = widened
    for name in ("num_players", "first_player", "reward", "setup"):
        assert (old[name] == new[name]).all(), name
    built = new["built"] - old["built"]
    drawn = new["drawn"] - old["drawn"]
    assert np.isin(built, (0, 1)).all()
    turns = old["phase"] == TURN
    assert (built.sum(axis=1)[turns] + drawn[turns] == 1).all()
    assert not built[~turns].any()
    assert not drawn[~turns].any()
    removed = [1 - (table["shares"] + table["shown"]).sum(axis=1) for table in widened]
    assert (removed[0] == removed[1]).all()
    paid = new["dividends"] - old["dividends"]
    assert np.isin(paid, (0, 1)).all()
    received = new["money"] - old["money"]
    assert (received >= 0).all()
    assert not received[paid == 0].any()


def check_end(
    game: Game,
    observations: npt.NDArray[np.int8],
    scores: npt.NDArray[np.int32],
    winners: npt.NDArray[np.int8],
) -> None:
    """Check results against what the seats saw last: (k, n, D), (k, n), (k, n)."""
    money = game.fields.cut(observations, "money")[:, 0].astype(np.int64)
    cards = game.fields.cut(observations, "hand_size")[:, 0].astype(np.int64)
    assert (game.fields.cut(observations, "dividends") == 3).all()
    assert (game.fields.cut(observations, "deck_left") == 0).all()
    assert (game.fields.cut(observations, "shown").sum(axis=(3, 4)) == 3).all()
    assert (scores == money - cards).all()
    place = 1000 * scores.astype(np.int64) - cards
    assert ((place == place.max(axis=1, keepdims=True)) == winners).all()
