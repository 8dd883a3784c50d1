"""Tables of Deck EXPRESS: what they say, and that they can be read back."""

from __future__ import annotations

import importlib
import json
import random
import re
from typing import Any

import pytest

from railenvs import deck_express_v0
from tests.games.deck_express.tables import (
    COMPANIES,
    DECK_SIZE,
    GRID,
    LOCOMOTIVES,
    PHASES,
    REQUIRED,
    SHARES,
    SUITS,
    TRACK,
    Play,
    layouts_after,
    load,
    required,
)
from tests.play import choose, play_out, random_states

DOCS = importlib.import_module("railenvs.games.deck_express.table").__doc__ or ""
HIDDEN = ("draw_deck", "removed_shares")
HIDDEN_OF_SEATS = ("track", "shares", "choice")
ONLY_IN_VIEWS = ("unseen_track", "unseen_shares")


def documented() -> dict[str, list[str]]:
    """The rows of the key table in the docs: name of the key, and the names its text explains."""
    _, rows, _ = re.split(r"^=+  =+$", DOCS, maxsplit=2, flags=re.MULTILINE)
    named: dict[str, list[str]] = {}
    for line in rows.strip().splitlines():
        words = re.findall(r"``(\w+)``", line)
        if line.startswith("``"):
            key, *words = words
            named[key] = []
        named[key] += words
    return named


def test_docs_list_every_key_and_no_other():
    """Keys of whole tables, of seats' views and of the entries inside, during a game and after."""
    game = load()
    states = list(random_states(game, 0))
    docs = documented()
    for state in states:
        for seat in (None, 0, 1, 2):
            table = game.table(state, seat)
            unlike = {*ONLY_IN_VIEWS, "random"} if seat is None else set()
            assert set(table) == set(docs) ^ unlike
            for entry in table["stacks"].values():
                assert sorted(entry) == sorted(docs["stacks"])
            for entry in table["locomotives"].values():
                assert sorted(entry) == sorted(docs["locomotives"])
            after_the_end = {"score", "rank"} if table["phase"] != "over" else set()
            for entry in table["seats"]:
                assert set(entry) == set(docs["seats"]) - after_the_end


def test_docs_list_every_phase():
    for phase in (*PHASES, "over"):
        assert f'``"{phase}"``' in DOCS


@pytest.mark.parametrize(("num_players", "setup"), GRID)
def test_what_a_table_says_hangs_together(num_players, setup):
    """Sizes, heights, values, windows and results follow from the cards as the docs say."""
    game = load(num_players, setup)
    for seed in range(2):
        for state in random_states(game, seed):
            table = game.table(state)
            assert table["setup"] == setup
            assert table["deck_left"] == len(table["draw_deck"])
            check_stacks(table)
            check_locomotives(table, num_players)
            for seat in table["seats"]:
                assert seat["hand_size"] == len(seat["track"]) + len(seat["shares"])
                if table["phase"] == "over":
                    assert seat["score"] == seat["money"] - seat["hand_size"]
                    better = [
                        other
                        for other in table["seats"]
                        if (-other["score"], other["hand_size"])
                        < (-seat["score"], seat["hand_size"])
                    ]
                    assert seat["rank"] == 1 + len(better)


def check_stacks(table: dict[str, Any]) -> None:
    for company, stack in table["stacks"].items():
        pulled = [name for name in LOCOMOTIVES if table["locomotives"][name]["to"] == company]
        assert stack["height"] == 1 + len(stack["built"]) + len(pulled)
        assert all(card[-1] == SUITS[company] for card in stack["built"])
        if stack["top"] in LOCOMOTIVES:
            assert stack["top"] == pulled[-1]
            assert stack["value"] == stack["height"]
        elif stack["top"] == "A" + SUITS[company]:
            assert (stack["height"], stack["value"]) == (1, 1)
        else:
            assert stack["top"] in stack["built"]
            assert stack["value"] == int(stack["top"][:-1])


def check_locomotives(table: dict[str, Any], num_players: int) -> None:
    drawn = DECK_SIZE[num_players] - table["deck_left"]
    entries = [table["locomotives"][name] for name in LOCOMOTIVES]
    came = [entry["draw"] for entry in entries if entry["draw"] is not None]
    possible = layouts_after(num_players, table["setup"], drawn, came)
    for order, (name, entry) in enumerate(zip(LOCOMOTIVES, entries, strict=True)):
        if entry["draw"] is None:
            places = [layout[order] - drawn for layout in possible]
            assert entry["window"] == [min(places), max(places)]
            assert entry["to"] is None
            assert name in table["draw_deck"]
        else:
            assert entry["window"] is None
            assert entry["draw"] <= drawn
            assert entry["to"] in COMPANIES or table["phase"] == "assign_locomotive"
            assert name not in table["draw_deck"]


@pytest.mark.parametrize(("num_players", "setup"), GRID)
def test_a_seats_table_shows_its_own_hand_and_what_lies_open(num_players, setup):
    """What is hidden is null; the rest is as in the whole table; what is unseen is listed."""
    game = load(num_players, setup)
    for state in random_states(game, 1):
        whole = game.table(state)
        for me in range(num_players):
            view = game.table(state, me)
            mine = whole["seats"][me]
            shown = [share for seat in whole["seats"] for share in seat["shown"]]
            built = [card for stack in whole["stacks"].values() for card in stack["built"]]
            assert view.pop("unseen_track") == [
                card for card in TRACK if card not in mine["track"] + built
            ]
            assert view.pop("unseen_shares") == [
                share for share in SHARES if share not in mine["shares"] + shown
            ]
            expected = {key: value for key, value in whole.items() if key != "random"}
            expected.update(dict.fromkeys(HIDDEN))
            expected["seats"] = [
                seat if other == me else {**seat, **dict.fromkeys(HIDDEN_OF_SEATS)}
                for other, seat in enumerate(whole["seats"])
            ]
            assert view == expected


@pytest.mark.parametrize(("num_players", "setup"), GRID)
def test_tables_of_all_states_read_back_the_same(num_players, setup):
    """Through JSON and back: same state, random state included, at every state of random games."""
    game = load(num_players, setup)
    for seed in range(2):
        for state in random_states(game, seed):
            again = game.from_table(json.loads(json.dumps(game.table(state))))
            assert game.state_hash(again) == game.state_hash(state)


@pytest.mark.parametrize("first_player", [0, 1, 2])
def test_tables_read_back_the_same_when_the_first_player_was_fixed(first_player):
    game = load()
    state = game.deal(7, first_player)
    assert game.state_hash(game.from_table(game.table(state))) == game.state_hash(state)


@pytest.mark.parametrize(("num_players", "setup"), GRID)
def test_the_needed_entries_suffice(num_players, setup):
    """The rest follows from them, but for the random state, which a seed may set."""
    game = load(num_players, setup)
    for state in random_states(game, 2):
        table = game.table(state)
        little = required(table)
        assert game.table(game.from_table(little)) == {**table, "random": f"{0:#018x}"}
        seeded = game.from_table(little, seed=5)
        assert game.state_hash(seeded) != game.state_hash(state)
        assert game.state_hash(seeded) == game.state_hash(game.from_table(little, seed=5))


@pytest.mark.parametrize(("num_players", "setup"), GRID)
@pytest.mark.parametrize("moves", [0, 7, 30])
def test_a_game_goes_on_from_a_table_as_it_would_have(num_players, setup, moves):
    """The same moves lead to the same states, whatever lies hidden included."""
    env = deck_express_v0.raw_env(num_players, setup=setup)
    env.reset(seed=3)
    play_out(env, random.Random(3), moves)
    other = deck_express_v0.raw_env(num_players, setup=setup)
    other.reset(options={"table": env.table()})
    lot = random.Random(4)
    while not env.terminations[env.agent_selection]:
        assert (other.agent_selection, other.state_hash()) == (
            env.agent_selection,
            env.state_hash(),
        )
        move = choose(env.observe(env.agent_selection)["action_mask"], lot)
        env.step(move)
        other.step(move)
    assert other.state_hash() == env.state_hash()


def test_what_can_still_come_is_told_the_same_after_a_table():
    """Setting up a table loses nothing: the locomotives' windows are those of the game."""
    play = Play(3, setup="thirds", drawn=10, locomotives=(9, 20), stacks={"clubs": "L1"})
    assert play.table["locomotives"]["L2"]["window"] == [6, 12]
    play = Play(3, setup="thirds", drawn=3, locomotives=(9, 20))
    assert play.table["locomotives"]["L1"]["window"] == [1, 12]
    assert play.table["locomotives"]["L2"]["window"] == [5, 19]


def test_builder_of_these_tests_gives_complete_tables():
    table = Play(stacks={"spades": "5S L1 9S"}, track=("10D",)).table
    assert table["stacks"]["spades"]["built"] == ["5S", "9S"]
    assert table["seats"][0]["track"] == ["10D"]
    assert set(required(table)) == {*REQUIRED[""], "seats"}
