"""Faulty tables of Deck EXPRESS: a ValueError that names the fault, and nothing changes."""

from __future__ import annotations

import copy
import json
import random
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from railenvs import Game, deck_express_v0
from railenvs.adapters.pettingzoo import RailEnv
from railenvs.engine.state import State
from tests.games.deck_express.tables import (
    COMPANIES,
    DECK_SIZE,
    GRID,
    LOCOMOTIVES,
    PHASES,
    SETUPS,
    SHARES,
    TRACK,
    load,
    make_table,
    required,
)
from tests.play import choose, random_states

Table = dict[str, Any]


def started(num_players: int = 3, setup: str = "chart") -> RailEnv:
    """An environment some moves into a game."""
    env = deck_express_v0.raw_env(num_players, setup=setup)
    env.reset(seed=1)
    for _ in range(5):
        env.step(int(env.observe(env.agent_selection)["action_mask"].argmax()))
    return env


def refuse(env: RailEnv, table: Any, match: str = ".") -> None:
    """Expect the table to be refused, and the game in progress to be as it was."""
    before = (env.state_hash(), env.agent_selection, env.record())
    with pytest.raises(ValueError, match=match):
        env.reset(options={"table": table})
    assert (env.state_hash(), env.agent_selection, env.record()) == before


# One table for each kind of fault

STACKS = {"spades": "5S L1 9S", "hearts": "2H", "diamonds": "", "clubs": ""}


def turn_table() -> Table:
    """Three seats, a turn after the first dividend, eight cards drawn."""
    return make_table(stacks=STACKS, drawn=8, track=("10D",), shares=("QC KC",), shown=("JC",))


def reveal_table() -> Table:
    """The second dividend: seat 1 drew; it and seat 2 have chosen."""
    return make_table(
        phase="reveal_share",
        stacks={**STACKS, "hearts": "2H L2"},
        turn=1,
        shares=("QC KC", "QD KD", "QH KH"),
        shown=("JC", "JD", "JH"),
        choices=(None, "QD", "KH"),
    )


def pass_table() -> Table:
    """The second dividend, revealed and paid: seat 0 drew and has chosen what to pass."""
    return make_table(
        phase="pass_share",
        stacks={**STACKS, "hearts": "2H L2"},
        shown=("JC QC", "JD QD", "JH QH"),
        choices=("QC", None, None),
    )


def over_table() -> Table:
    return make_table(phase="over", stacks={"spades": "L1", "hearts": "L2"})


def swap(cards: list[str], one: str, other: str) -> None:
    first, second = cards.index(one), cards.index(other)
    cards[first], cards[second] = other, one


def put(*path: Any, value: Any) -> Callable[[Table], None]:
    """A change: write ``value`` at a path."""

    def change(table: Table) -> None:
        inside: Any = table
        for step in path[:-1]:
            inside = inside[step]
        inside[path[-1]] = value

    return change


def drop(*path: Any) -> Callable[[Table], None]:
    """A change: leave out what lies at a path."""

    def change(table: Table) -> None:
        inside: Any = table
        for step in path[:-1]:
            inside = inside[step]
        del inside[path[-1]]

    return change


FAULTS: dict[str, tuple[Callable[[], Table], Callable[[Table], Any], str]] = {
    # Cards
    "track missing": (
        turn_table,
        lambda table: table["seats"][0]["track"].remove("10D"),
        "missing '10D'",
    ),
    "track doubled": (turn_table, lambda table: table["draw_deck"].append("10D"), "doubled '10D'"),
    "track unknown": (turn_table, put("seats", 0, "track", 0, value="11D"), "unknown '11D'"),
    "track in lower case": (turn_table, put("seats", 0, "track", 0, value="10d"), "unknown '10d'"),
    "share missing": (turn_table, lambda table: table["removed_shares"].pop(), "missing '[JQK].'"),
    "share doubled": (turn_table, put("seats", 0, "shares", 0, value="JC"), "doubled 'JC'"),
    "share unknown": (turn_table, put("seats", 0, "shown", 0, value="TC"), "unknown 'TC'"),
    "share in the draw deck": (turn_table, put("draw_deck", -1, value="JS"), "unknown 'JS'"),
    "track among shares": (turn_table, put("removed_shares", 0, value="10D"), "unknown '10D'"),
    "ace in a hand": (turn_table, put("seats", 0, "track", 0, value="AD"), "unknown 'AD'"),
    "locomotive in a hand": (turn_table, put("seats", 0, "track", 0, value="L2"), "unknown 'L2'"),
    "locomotive on a list of built track": (
        turn_table,
        lambda table: table["stacks"]["spades"]["built"].append("L1"),
        "unknown 'L1'",
    ),
    "locomotive missing": (
        turn_table,
        lambda table: table["draw_deck"].remove("L2"),
        "missing 'L2'",
    ),
    "locomotive doubled": (
        turn_table,
        lambda table: table["draw_deck"].append("L2"),
        "doubled 'L2'",
    ),
    "locomotive both drawn and to come": (
        turn_table,
        put("locomotives", "L2", "draw", value=8),
        "doubled 'L2'",
    ),
    "third locomotive": (turn_table, put("locomotives", "L3", value={}), "unknown 'L3'"),
    "no entry for a locomotive": (turn_table, drop("locomotives", "L2"), "missing 'L2'"),
    # Seats and stacks
    "seat missing": (turn_table, lambda table: table["seats"].pop(), "3 seats, not 2"),
    "seat too many": (
        turn_table,
        lambda table: table["seats"].append(copy.deepcopy(table["seats"][0])),
        "3 seats, not 4",
    ),
    "table for other seats": (lambda: make_table(4), lambda table: None, "3 seats, not 4"),
    "company missing": (turn_table, drop("stacks", "clubs"), "missing 'clubs'"),
    "company unknown": (turn_table, put("stacks", "trams", value={}), "unknown 'trams'"),
    # Phase and turn
    "phase unknown": (turn_table, put("phase", value="bidding"), "'phase'.*not 'bidding'"),
    "phase missing": (turn_table, drop("phase"), "'phase'"),
    "phase too early": (reveal_table, put("phase", value="assign_locomotive"), "assign_locomotive"),
    "phase too late": (turn_table, put("phase", value="pass_share"), "pass_share"),
    "dividend without a locomotive": (
        turn_table,
        put("phase", value="reveal_share"),
        "reveal_share",
    ),
    "turn without its dividend": (
        reveal_table,
        put("phase", value="build_or_invest"),
        "build_or_invest",
    ),
    "over before the last card": (turn_table, put("phase", value="over"), "over"),
    "turn with no card left": (
        over_table,
        put("phase", value="build_or_invest"),
        "build_or_invest",
    ),
    "turn of nobody": (turn_table, put("turn", value=3), "'turn'.*0 to 2, not 3"),
    "turn of an agent": (turn_table, put("turn", value="player_0"), "'turn'.*'player_0'"),
    "turn a bool": (turn_table, put("turn", value=True), "'turn'.*True"),
    "turn missing": (turn_table, drop("turn"), "'turn'"),
    "dividends out of range": (turn_table, put("dividends", value=4), "'dividends'.*0 to 3, not 4"),
    "dividends before their locomotive": (turn_table, put("dividends", value=2), "2 dividends"),
    "setup of another game": (turn_table, put("setup", value="thirds"), "'setup'.*not 'thirds'"),
    # Where locomotives lie
    "first locomotive too early": (
        turn_table,
        put("locomotives", "L1", "draw", value=3),
        "4 to 9.*at 3",
    ),
    "second locomotive too early": (
        turn_table,
        lambda table: swap(table["draw_deck"], "L2", table["draw_deck"][0]),
        "14 to 19, not at 4, 9",
    ),
    "second locomotive last": (
        turn_table,
        lambda table: swap(table["draw_deck"], "L2", table["draw_deck"][-1]),
        "14 to 19, not at 4, 23",
    ),
    "locomotive drawn later than all cards": (
        turn_table,
        put("locomotives", "L1", "draw", value=9),
        "'draw' of L1.*1 to 8, not 9",
    ),
    "locomotive drawn at no draw": (
        turn_table,
        put("locomotives", "L1", "draw", value=0),
        "'draw' of L1.*1 to 8, not 0",
    ),
    "locomotives in the wrong order": (
        over_table,
        lambda table: (
            put("locomotives", "L1", "draw", value=14)(table),
            put("locomotives", "L2", "draw", value=4)(table),
        ),
        "L1.*L2|L2.*L1",
    ),
    "locomotives to come in the wrong order": (
        make_table,
        lambda table: swap(table["draw_deck"], "L1", "L2"),
        "L1.*L2|L2.*L1",
    ),
    "draw deck too long": (
        make_table,
        lambda table: table["draw_deck"].append(table["seats"][0]["track"].pop()),
        "'draw_deck'.*23 cards, not 24",
    ),
    "locomotive assigned to no company": (
        turn_table,
        put("locomotives", "L1", "to", value="trams"),
        "'to' of L1.*'trams'",
    ),
    "locomotive assigned before it came": (
        turn_table,
        put("locomotives", "L2", "to", value="clubs"),
        "'L2'|2 assigned",
    ),
    "locomotive not assigned": (
        turn_table,
        lambda table: (
            put("locomotives", "L1", "to", value=None)(table),
            put("stacks", "spades", "top", value="9S")(table),
        ),
        "0 assigned",
    ),
    # Stacks
    "top not built": (
        turn_table,
        put("stacks", "spades", "top", value="8S"),
        "'top' of spades.*not '8S'",
    ),
    "top of another company": (
        turn_table,
        put("stacks", "spades", "top", value="2H"),
        "'top' of spades.*'2H'",
    ),
    "ace on top of track": (
        turn_table,
        put("stacks", "hearts", "top", value="AH"),
        "'top' of hearts.*'AH'",
    ),
    "track on top of nothing": (
        turn_table,
        put("stacks", "clubs", "top", value="2C"),
        "'top' of clubs.*'2C'",
    ),
    "locomotive on top elsewhere": (
        turn_table,
        put("stacks", "clubs", "top", value="L1"),
        "'top' of clubs.*'L1'",
    ),
    "locomotive under the other on top": (
        lambda: make_table(phase="reveal_share", stacks={"spades": "L1 L2"}),
        put("stacks", "spades", "top", value="L1"),
        "'top' of spades.*'L1'",
    ),
    "locomotive covered before its dividend": (
        reveal_table,
        put("stacks", "hearts", "top", value="2H"),
        "'top' of hearts.*'2H'",
    ),
    "track built on another company": (
        turn_table,
        lambda table: (
            table["stacks"]["hearts"]["built"].append("10D"),
            table["seats"][0]["track"].remove("10D"),
        ),
        "'10D'.*hearts",
    ),
    # Hands
    "share kept too long": (
        turn_table,
        lambda table: table["seats"][0]["shares"].append(table["seats"][0]["shown"].pop()),
        "seat 0.*'shares'",
    ),
    "share shown too many": (
        turn_table,
        lambda table: table["seats"][0]["shown"].append(table["removed_shares"].pop()),
        "seat 0.*'shown'",
    ),
    "more track than a seat can have drawn": (
        make_table,
        lambda table: (
            table["seats"][0]["track"].extend(table["seats"][1]["track"]),
            table["seats"][1]["track"].clear(),
        ),
        "seat 0",
    ),
    # Money
    "money negative": (turn_table, put("seats", 1, "money", value=-1), "'money' of seat 1.*not -1"),
    "money before any dividend": (
        make_table,
        put("seats", 1, "money", value=1),
        "'money' of seat 1",
    ),
    "money past all dividends": (
        turn_table,
        put("seats", 1, "money", value=100),
        "'money' of seat 1.*not 100",
    ),
    "money past a byte": (
        turn_table,
        put("seats", 1, "money", value=10**6),
        "'money' of seat 1.*1000000",
    ),
    "money below what the shares must have paid": (
        turn_table,
        put("seats", 1, "money", value=0),
        "'money' of seat 1.*from 1 to 12, not 0",
    ),
    "money below what was just paid": (
        pass_table,
        put("seats", 0, "money", value=1),
        "'money' of seat 0.*from 3 to 14, not 1",
    ),
    "money above what was paid at the end": (
        over_table,
        put("seats", 0, "money", value=43),
        "'money' of seat 0.*from 9 to 42, not 43",
    ),
    "money a string": (turn_table, put("seats", 1, "money", value="5"), "'money' of seat 1.*'5'"),
    "money a fraction": (turn_table, put("seats", 1, "money", value=1.5), "'money' of seat 1.*1.5"),
    "money missing": (turn_table, drop("seats", 1, "money"), "'money' of seat 1"),
    # Choices
    "choice in a turn": (
        turn_table,
        put("seats", 0, "choice", value="QC"),
        "'choice' of seat 0.*'QC'",
    ),
    "choice while a locomotive is assigned": (
        lambda: make_table(phase="assign_locomotive", shares=("JC",)),
        put("seats", 0, "choice", value="JC"),
        "'choice' of seat 0.*'JC'",
    ),
    "choice not in hand": (
        reveal_table,
        put("seats", 1, "choice", value="KS"),
        "'choice' of seat 1.*'KS'",
    ),
    "choice already face up": (
        reveal_table,
        put("seats", 1, "choice", value="JD"),
        "'choice' of seat 1.*'JD'",
    ),
    "choice of another seat": (
        reveal_table,
        put("seats", 1, "choice", value="QC"),
        "'choice' of seat 1.*'QC'",
    ),
    "choice to pass from the hand": (
        pass_table,
        lambda table: put("seats", 0, "choice", value=table["seats"][0]["shares"][0])(table),
        "'choice' of seat 0",
    ),
    "choice out of turn": (reveal_table, put("seats", 1, "choice", value=None), "choices.*seat 1"),
    "choice by all": (reveal_table, put("seats", 0, "choice", value="QC"), "choices"),
    "choice after the end": (
        over_table,
        lambda table: put("seats", 0, "choice", value=table["seats"][0]["shown"][0])(table),
        "'choice' of seat 0",
    ),
    # Random state
    "random state no number": (turn_table, put("random", value="dice"), "'random'.*'dice'"),
    "random state too large": (turn_table, put("random", value=f"{2**64:#x}"), "'random'"),
    "random state no text": (turn_table, put("random", value=5), "'random'.*5"),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_faulty_table_is_refused_by_name_of_the_fault(fault):
    build, change, match = FAULTS[fault]
    table = build()
    load(len(table["seats"])).from_table(table)  # without the fault it is fine
    change(table)
    refuse(started(), table, match)


@pytest.mark.parametrize(
    "entry",
    [
        "phase",
        "turn",
        "dividends",
        "stacks",
        "locomotives",
        "draw_deck",
        "removed_shares",
        "seats",
    ],
)
def test_entries_that_a_table_needs(entry):
    table = turn_table()
    del table[entry]
    refuse(started(), table, f"'{entry}'")


@pytest.mark.parametrize("entry", ["track", "shares", "shown", "money"])
def test_entries_that_a_seat_needs(entry):
    table = turn_table()
    del table["seats"][1][entry]
    refuse(started(), table, f"'{entry}'")


@pytest.mark.parametrize("entry", ["top", "built"])
def test_entries_that_a_stack_needs(entry):
    table = turn_table()
    del table["stacks"]["hearts"][entry]
    refuse(started(), table, f"'{entry}'")


@pytest.mark.parametrize("table", [[], {}, "table", 5, 1.5, True, [["phase", "over"]]])
def test_what_is_no_table_is_refused(table):
    refuse(started(), table, "table|'phase'")


def test_a_seats_view_is_no_table():
    """What is hidden from the seat is null there, so no game can be set up from it."""
    game = load()
    for seat in range(3):
        refuse(started(), game.table(game.deal(0), seat), "'track'|'draw_deck'|'removed_shares'")


def test_first_player_goes_with_a_deal_not_with_a_table():
    env = started()
    before = env.state_hash()
    with pytest.raises(ValueError, match="first_player"):
        env.reset(options={"table": turn_table(), "first_player": 1})
    assert env.state_hash() == before


# Any table at all


def set_up(game: Game, table: Table) -> State | None:
    """The state of a table, or None where it is refused; no other error may come."""
    try:
        return game.from_table(table)
    except ValueError:
        return None


def sound(game: Game, table: Table) -> bool:
    """Whether a table is accepted; if so it must say what the game then says, and be playable."""
    state = set_up(game, table)
    if state is None:
        return False
    again = game.table(state)
    assert tidy(required(again)) == tidy(required(table))
    assert game.state_hash(game.from_table(json.loads(json.dumps(again)))) == game.state_hash(state)
    lot = random.Random(0)
    low, high = game.fields.bounds()
    while True:
        for seat in range(game.num_players):
            seen = game.observe(state, seat)
            assert (low <= seen).all()
            assert (seen <= high).all()
        if game.is_over(state):
            return True
        game.play(state, choose(game.legal(state), lot))


def tidy(table: Any) -> Any:
    """The same with cards in order, where their order says nothing."""
    if isinstance(table, dict):
        return {
            key: sorted(value)
            if key in ("track", "shares", "shown", "built", "removed_shares")
            else tidy(value)
            for key, value in table.items()
        }
    return [tidy(entry) for entry in table] if isinstance(table, list) else table


def paths(inside: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Every place in a table."""
    found = [path] if path else []
    if isinstance(inside, dict):
        for key, value in inside.items():
            found += paths(value, (*path, key))
    elif isinstance(inside, list):
        for index, value in enumerate(inside):
            found += paths(value, (*path, index))
    return found


JUNK = (
    None,
    True,
    -1,
    0,
    1,
    1.5,
    float("nan"),
    "",
    "2S",
    "L1",
    [],
    ["2S"],
    [[]],
    [{}],
    {},
    {"top": []},
    (),
    b"2S",
)


@pytest.mark.parametrize("build", [turn_table, reveal_table, over_table])
def test_wrong_types_anywhere_are_refused(build):
    """Every entry of a table replaced by every kind of value, nested ones too."""
    game = load()
    refused = []
    for path in paths(build()):
        for junk in JUNK:
            table = build()
            put(*path, value=copy.deepcopy(junk))(table)
            refused.append(not sound(game, table))
    # Few values are no fault: a money of 1, an empty list in place of an empty list.
    assert sum(refused) > 0.95 * len(refused)


NAMES = [*TRACK, *SHARES, *LOCOMOTIVES, *COMPANIES, *PHASES, *SETUPS, "over", "AS", "AC"]
LEAVES = (
    st.none()
    | st.booleans()
    | st.integers(-2, 130)
    | st.integers()
    | st.floats()
    | st.sampled_from(NAMES)
    | st.text(max_size=3)
)
VALUES = st.recursive(
    LEAVES,
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.text(max_size=3) | st.sampled_from(NAMES), inner, max_size=3)
    ),
    max_leaves=6,
)
GAMES = [load(*cell) for cell in GRID]
STARTS = [
    game.table(state)
    for game in GAMES
    for number, state in enumerate(random_states(game, 4))
    if number % 9 == 0
]


@settings(max_examples=400)
@given(st.data())
def test_a_table_changed_anywhere_is_refused_or_sound(data):
    """One to three changes: another value, an entry gone, an entry twice, two entries swapped."""
    table = copy.deepcopy(data.draw(st.sampled_from(STARTS)))
    for _ in range(data.draw(st.integers(1, 3))):
        mutate(table, data)
    for game in GAMES:
        seats = len(table["seats"]) if isinstance(table.get("seats"), list) else 0
        if game.num_players == seats or seats not in DECK_SIZE:
            sound(game, table)


def mutate(table: Table, data: st.DataObject) -> None:
    places = paths(table)
    if not places:
        return
    path = data.draw(st.sampled_from(places))
    *way, last = path
    inside: Any = table
    for step in way:
        inside = inside[step]
    kind = data.draw(st.sampled_from(["replace", "delete", "double", "swap"]))
    if kind == "delete":
        del inside[last]
    elif kind == "double" and isinstance(inside, list):
        inside.append(copy.deepcopy(inside[last]))
    elif kind == "swap" and isinstance(inside, list):
        other = data.draw(st.sampled_from(range(len(inside))))
        inside[last], inside[other] = inside[other], inside[last]
    else:
        inside[last] = data.draw(VALUES)


@settings(max_examples=150)
@given(data=st.data(), num_players=st.sampled_from([2, 3, 4]))
def test_a_refused_table_leaves_the_environment_as_it_was(data, num_players):
    env = started(num_players)
    table = env.table()
    before = env.state_hash()
    mutate(table, data)
    try:
        env.reset(options={"table": table})
    except ValueError:
        assert env.state_hash() == before
    else:
        assert tidy(required(env.table())) == tidy(required(table))


def test_numbers_may_be_numpys():
    table = turn_table()
    table["turn"] = np.int64(1)
    table["seats"][0]["money"] = np.int8(3)
    assert sound(load(), table)
