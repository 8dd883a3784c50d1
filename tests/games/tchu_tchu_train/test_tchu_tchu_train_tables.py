"""Tables: written, read back, and refused where they could not come up in a game."""

import json

import pytest

from railenvs.engine.view import SeatView
from railenvs.render.text import render_table, render_view
from tests.games.tchu_tchu_train.tables import SEATS, Play, load, make_table
from tests.play import random_states

REQUIRED = ("board", "phase", "turn", "starter", "row", "draw_deck", "seats")


@pytest.mark.parametrize("board", ["default", "generated"])
@pytest.mark.parametrize("seats", SEATS)
def test_every_table_of_a_game_is_read_back_to_the_same_state(seats, board):
    game = load(seats, board)
    for state in list(random_states(game, 1))[::9]:
        again = game.from_table(json.loads(json.dumps(game.table(state))))
        assert game.state_hash(again) == game.state_hash(state)


def test_what_is_required_is_enough():
    game = load(3)
    for state in list(random_states(game, 2))[::25]:
        table = game.table(state)
        little = {key: table[key] for key in (*REQUIRED, "memory", "swapping", "incoming")}
        little["seats"] = [
            {key: seat[key] for key in ("hand", "changed_hand", "joker", "train_points")}
            for seat in table["seats"]
        ]
        assert game.table(game.from_table(little)) == {**table, "random": f"{0:#018x}"}


@pytest.mark.parametrize("key", REQUIRED)
def test_required_entries_are_named_when_they_are_missing(key):
    table = make_table()
    del table[key]
    with pytest.raises(ValueError, match=f"'{key}'"):
        load().from_table(table)


def test_the_board_is_drawn_as_a_grid():
    tokens = {"r1c1": "0", "r1c2": "1x", "r8c1": "S", "r7c3": "S", "r2c2": "2+0"}
    play = Play(tokens=tokens, hands=["3H"], turn=0)
    text = render_view(SeatView(play.game, play.state, 0))
    lines = [line for line in text.splitlines() if line.startswith(("r1 ", "r2 ", "r8 "))]
    assert lines[0].split()[:5] == ["r1", "AS/A", "0", "2S/A", "1x"]
    assert lines[1].split()[:5] == ["r2", "AH/B", "2H/B", "2+0", "3H/B"]
    assert lines[2].split()[:4] == ["r8", "AC/H", "S", "2C/H"]
    assert "place r2c3" in text
    assert render_table(play.table())


def faults():
    """Entries of a table, and what is said of the fault in them."""
    seven = "AS 2S 3S 4S 5S 6S 7S"
    return {
        "unknown token": ({"tokens": {"r1c1": "Z"}}, "what lies there must be"),
        "owner out of range": ({"tokens": {"r1c1": "3"}}, "owner of a train must be from 0 to 2"),
        "two stations in an area": (
            {"tokens": {"r1c1": "S", "r1c5": "S"}, "jokers": [0, 1]},
            "its area has another station",
        ),
        "stations beside each other": (
            {"tokens": {"r1c1": "S", "r2c1": "S"}, "jokers": [0, 1]},
            "a station cannot adjoin another",
        ),
        "joker from nowhere": ({"jokers": [0]}, "0 stations brought as many Jokers"),
        "station without joker": ({"tokens": {"r1c1": "S"}}, "1 stations brought as many Jokers"),
        "crossroad without station": ({"tokens": {"r1c1": "0x"}}, "0 stations brought"),
        "hand too small": ({"sizes": {1: 6}}, "seat 1 must hold 7 to 7 cards, not 6"),
        "hand too large": ({"sizes": {0: 8}}, "seat 0 must hold 7 to 7 cards, not 8"),
        "row incomplete": ({"row": ["AS", None, "2S", "3S"]}, "'row' must have 4 cards"),
        "row too early": ({"phase": "mulligan", "row": "AS 2S 3S 4S"}, "'row' must be empty"),
        "row of five": ({"row": "AS 2S 3S 4S 5S"}, "'row' must list 4 places, not 5"),
        "unknown card": ({"hands": ["1S"]}, "unknown '1S'"),
        "third copy": ({"hands": ["AS AS"], "row": "AS 2S 3S 4S"}, "more than 2 of 'AS'"),
        "others' trains this turn": (
            {"tokens": {"r1c1": "1*"}, "sizes": {0: 6}},
            "marks trains of seat 0, not of seat 1",
        ),
        "turn in two parts": (
            {"tokens": {"r1c1": "0*", "r1c3": "0*"}, "sizes": {0: 5}},
            "must be connected",
        ),
        "turn joined by an old train": (
            {"tokens": {"r1c1": "0*", "r1c2": "0", "r1c3": "0*"}, "sizes": {0: 5}},
            "must be connected",
        ),
        "two jokers in a turn": (
            {"tokens": {"r1c1": "0x*", "r1c2": "0x*", "r8c1": "S", "r7c5": "S"}, "sizes": {0: 5}},
            "one Joker this turn",
        ),
        "nothing placed": ({"phase": "replenish", "sizes": {0: 6}}, "seat 0 must hold 7 to 7"),
        "refresh after two": (
            {"phase": "point_or_refresh", "tokens": {"r1c1": "0*", "r1c2": "0*"}},
            "one train placed this turn",
        ),
        "swapping outside a refresh": ({"swapping": 1}, "'swapping' goes with phase 'give'"),
        "incoming outside a refresh": (
            {"incoming": ["AS", None, None, None]},
            "'incoming' goes with phases",
        ),
        "swapping missing": (
            {"phase": "give", "tokens": {"r1c1": "0*"}},
            r"'swapping' \(a place of the row\) must be a whole number, not None",
        ),
        "refresh out of order": (
            {
                "phase": "give",
                "tokens": {"r1c1": "0*"},
                "swapping": 1,
                "incoming": [None, "AS", None, None],
                "sizes": {0: 6},
            },
            "its phase needs one train placed",
        ),
        "refresh that had ended": (
            {
                "phase": "swap",
                "tokens": {"r1c1": "0*"},
                "incoming": [None, None, None, "AS"],
                "sizes": {0: 6},
            },
            "its phase needs one train placed",
        ),
        "too many points": (
            {"tokens": {"r1c1": "0"}, "points": [2]},
            "'train_points' of seat 0 can be at most 1 for 1 trains, not 2",
        ),
        "points too early": (
            {"tokens": {"r1c1": "0*"}, "sizes": {0: 6}, "points": [1]},
            "at most 0 for 0 trains",
        ),
        "points of this turn missing": (
            {
                "phase": "replenish",
                "tokens": {"r1c1": "0*", "r1c2": "0*"},
                "sizes": {0: 5},
                "points": [1],
            },
            "'train_points' of seat 0 must be at least 2, for this turn, not 1",
        ),
        "points that no turns earn": (
            {"tokens": {f"r1c{column}": "0" for column in range(1, 8)}, "points": [12]},
            "'train_points' of seat 0 cannot be 12: no turns of 7 trains earn as much",
        ),
        "not held": ({"hands": [seven], "known": {0: "KC"}}, "known to hold KC, but does not"),
        "known too often": ({"hands": [seven], "known": {0: "AS AS"}}, "known to hold AS"),
        "over too soon": (
            {"phase": "over", "turn": 2},
            "a game is over when a seat is out of trains",
        ),
        "turn out of range": ({"turn": 3}, "'turn' must be from 0 to 2, not 3"),
        "starter out of range": ({"starter": -1}, "'starter' must be from 0 to 2, not -1"),
        "unknown phase": ({"phase": "build"}, "'phase' must be one of"),
    }


FAULTS = faults()


@pytest.mark.parametrize("fault", FAULTS)
def test_tables_that_cannot_come_up_are_refused(fault):
    entries, message = FAULTS[fault]
    with pytest.raises(ValueError, match=message):
        Play(**entries)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda table: table["board"].pop("r3"), "'board' lacks cell r3c1"),
        (lambda table: table["board"]["r1"].update(c14="AS/A"), "'board' has no cell r1c14"),
        (lambda table: table["board"]["r1"].update(c1="AS/B"), "a board is an option of the game"),
        (lambda table: table["board"]["r1"].update(c1=7), "cell r1c1 .* must be one of 'AS/A'"),
        (lambda table: table["board"].update(r1=[]), "row 'r1' of 'board' must be a dict"),
        (lambda table: table["seats"].pop(), "'seats' must list 3 seats, not 2"),
        (lambda table: table["seats"][1].pop("hand"), "seat 1 lacks 'hand'"),
        (lambda table: table["seats"][1].update(joker=1), "'joker' of seat 1 must be one of"),
        (lambda table: table["seats"][1].update(changed_hand=1), "'changed_hand' of seat 1 must"),
        (lambda table: table["seats"][1].update(train_points="3"), "'train_points' of seat 1"),
        (lambda table: table["draw_deck"].pop(), "missing"),
        (lambda table: table.update(deck_left=3), "'deck_left' of the table"),
        (lambda table: table.update(discards=["AS"]), "'discards' of the table"),
        (lambda table: table.update(adjacency="hex"), "'adjacency' of the table"),
        (lambda table: table.update(last_round=True), "'last_round' of the table"),
        (lambda table: table.update(jokers_left=3), "'jokers_left' of the table"),
        (lambda table: table["seats"][0].update(longest=1), "'longest'"),
        (lambda table: table.update(memory=[]), "'memory' must be a dict"),
        (lambda table: table.update(memory={"seat_3": []}), "a seat of 'memory' must be one of"),
        (lambda table: table.update(cards=1), "has no 'cards'"),
    ],
)
def test_malformed_tables_are_refused(change, message):
    table = make_table()
    load().from_table(table)  # without the fault it is fine
    change(table)
    with pytest.raises(ValueError, match=message):
        load().from_table(table)


def test_only_seats_that_were_asked_can_have_changed_a_hand():
    table = make_table(phase="mulligan", turn=0, starter=2)
    table["seats"][2]["changed_hand"] = True
    assert load().table(load().from_table(table))["seats"][2]["changed_hand"]
    for seat in (0, 1):
        table["seats"][seat]["changed_hand"] = True
        with pytest.raises(ValueError, match=f"seat {seat} has not been asked yet"):
            load().from_table(table)
        table["seats"][seat]["changed_hand"] = False


def test_too_many_trains_are_refused():
    names = [f"r{row}c{column}" for row in range(5, 9) for column in range(1, 14)][:26]
    with pytest.raises(ValueError, match="number of trains of seat 0 must be from 0 to 25"):
        Play(tokens=dict.fromkeys(names, "0"))


def test_a_seat_out_of_trains_is_not_to_begin_a_turn():
    names = [f"r{row}c{column}" for row in range(5, 9) for column in range(1, 14)][:25]
    tokens = dict.fromkeys(names, "0")
    for turn, starter in ((0, 0), (0, 1), (1, 1), (2, 1)):
        with pytest.raises(ValueError, match=r"out of trains|cards and trains left"):
            Play(tokens=tokens, turn=turn, starter=starter)
    assert Play(tokens=tokens, turn=1, starter=0).table()["last_round"]
