"""The table of EXPRESS in card names: what it shows, what may be left out, what is refused."""

from __future__ import annotations

import copy
import itertools
import json
from collections import Counter

import pytest

from railenvs import express_v0
from tests.games.express.tables import COPIES, SEATS, TRAIN, Play, load, make_table
from tests.play import difference, random_states

WINDOW = {
    "phase": "claim",
    "asked": 1,
    "face_up": "ER Engine",
    "hands": ["", "Pass"],
}


@pytest.mark.parametrize("num_players", SEATS)
def test_hands_and_stock_are_hidden_from_other_seats(num_players):
    game = load(num_players)
    for state in list(random_states(game, 1))[::50]:
        whole = game.table(state)
        for seat in range(num_players):
            seen = game.table(state, seat)
            assert seen["stock"] is None
            for other, entries in enumerate(seen["seats"]):
                hand = whole["seats"][other]["hand"] if other == seat else None
                assert entries["hand"] == hand
            assert seen["public"] == whole["memory"]["public"]
            assert "random" not in json.dumps(seen)


def test_a_table_without_memory_begins_with_nothing_known():
    play = Play(4)
    for me in range(4):
        for facts in play.view(me)["memory"].values():
            assert (facts["known"], facts["absent"], facts["new_at_least"]) == ([], [], 0)
            assert facts["new_at_most"] in (7, 8)
        hidden = Counter(COPIES) - Counter(play.view(me)["pile"]) - play.hand(me)
        assert play.faces(me, "stock_at_most") == play.faces(me, "old_at_most") == hidden


def test_order_of_cards_means_nothing_but_in_the_stock():
    table = make_table(4)
    other = copy.deepcopy(table)
    other["pile"].reverse()
    for seat in other["seats"]:
        seat["hand"].reverse()
    game = load(4)
    assert not difference(game.from_table(table), game.from_table(other))
    other["stock"].reverse()
    assert difference(game.from_table(table), game.from_table(other))


def test_the_environment_starts_from_a_table():
    env = express_v0.env(num_players=3)
    env.reset(options={"table": make_table(3, hands=[", ".join([*TRAIN["SR"], "Red"])])})
    assert env.agent_selection == "player_0"
    env.step(env.game.action_names.index("lay out SR"))
    assert env.table()["seats"][0]["region"] == "SR"


def wrong(change, match, **given):
    table = make_table(given.pop("num_players", 3), **given)
    game = load(len(table["seats"]))
    game.from_table(copy.deepcopy(table))
    change(table)
    with pytest.raises(ValueError, match=match):
        game.from_table(table)


def put(table, *path):
    *path, value = path
    for key in path[:-1]:
        table = table[key]
    table[path[-1]] = value


LAID = {"trains": {1: ("ER", "")}}


@pytest.mark.parametrize(
    ("given", "path", "match"),
    [
        ({}, ("phase", "nonsense"), "'phase'"),
        ({}, ("turn", 3), "'turn'"),
        ({}, ("turn", 1), "turn"),
        ({}, ("starter", -1), "'starter'"),
        ({}, ("turns", 300), "'turns'"),
        ({}, ("turns", 4), "turn"),
        ({}, ("hands_left", 2), "'hands_left'"),
        ({}, ("moved_out", 0), "'moved_out'"),
        ({}, ("face_up", "ER Wagon"), "'face_up'"),
        ({}, ("face_up", "WR Engine"), "not in the pile"),
        ({}, ("face_up", None), "'face_up'"),
        ({}, ("face_up_is", "barred"), "Pass"),
        ({}, ("face_up_is", "turned up"), "turns"),
        ({}, ("pile", []), "'face_up'"),
        ({}, ("pile", "Red"), "'pile'"),
        ({}, ("stock", []), "'stock'"),
        ({}, ("stock", 0, "Station"), "Station"),
        ({}, ("stock", 0, "Red"), "there must be"),
        ({}, ("picked_up", "Red"), "'picked_up'"),
        ({}, ("asked", 1), "'asked'"),
        ({}, ("request", "ER Coach"), "'request'"),
        ({}, ("laying", "ER"), "'laying'"),
        ({}, ("exchanging", "Pool Coach"), "'exchanging'"),
        ({}, ("phase", "discard"), "'discard'"),
        ({}, ("phase", "draw"), "must hold 7"),
        ({}, ("seats", []), "'seats'"),
        ({}, ("seats", 1, "hand", None), "'hand'"),
        ({}, ("seats", 1, "hand", 0, "Red"), "there must be"),
        ({}, ("seats", 1, "region", "ER"), "train"),
        ({}, ("seats", 1, "position", 1), "'position'"),
        ({}, ("seats", 1, "assigned", "ER"), "'assigned'"),
        ({}, ("seats", 1, "chosen", []), "'chosen'"),
        ({}, ("seats", 1, "score", 5), "'score'"),
        ({}, ("seats", 1, "hand_size", 5), "hand_size"),
        (LAID, ("seats", 1, "region", "LMR"), "train"),
        (LAID, ("seats", 1, "region", "Pool"), "'region'"),
        (LAID, ("seats", 1, "position", 7), "'position'"),
        (LAID, ("seats", 1, "position", 6), "right out"),
        (LAID, ("seats", 1, "train", 0, "ER Guard's Van"), "train"),
        (WINDOW, ("asked", 2), "asked"),
        (WINDOW, ("asked", None), "'asked'"),
        (WINDOW, ("face_up_is", "turned up"), "turned up"),
        (WINDOW, ("phase", "hand_over"), "must hold 8"),
    ],
    ids=str,
)
def test_wrong_entries_are_named(given, path, match):
    wrong(lambda table: put(table, *path), match, **given)


@pytest.mark.parametrize(
    ("row", "key", "value"),
    [
        ("player_0", "known", ["WR Engine", "LMR Engine"]),
        ("player_0", "known", ["nonsense"]),
        ("player_0", "absent", ["LMR Third Class Coach"]),
        ("player_0", "absent", ["Red"]),
        ("player_0", "new_at_most", 9),
        ("player_0", "new_at_least", -1),
        ("player_0", "new_at_most", "x"),
        ("public", "known", ["LMR Third Class Coach"]),
    ],
)
def test_memory_must_be_true(row, key, value):
    """What all know each seat must know."""
    play = Play(3)
    table = play.table
    held = table["seats"][1]["hand"]
    assert "WR Engine" not in held or "LMR Engine" not in held
    if key == "absent" and value != ["Red"]:
        value = [next(card for card in held if card[:4] != "Pool")]
    if row == "public":
        value = [held[0]]
    table["memory"][row]["player_1"][key] = value
    with pytest.raises(ValueError, match="player_1"):
        play.game.from_table(table)


def test_bounds_of_memory_must_allow_for_the_cards_as_they_lie():
    play = Play(3)
    for bound in ("stock_at_most", "old_at_most"):
        table = play.table
        row = table["memory"]["player_0"]
        row[bound] = []
        if bound == "old_at_most":
            # Then all cards of hands were drawn since, but seat 1 has drawn none.
            row["player_1"]["new_at_most"] = 0
        with pytest.raises(ValueError, match="contradicts"):
            play.game.from_table(table)


BOUNDS = ("stock_at_most", "old_at_most")


def test_a_seat_is_shown_bounds_once_they_tell_something():
    hands = ["Green 1, Green 2", "Green 1"]
    play = Play(2, phase="draw", hands=hands, deck="ER Engine", stock_size=1, face_up="Green 1")
    assert not set(BOUNDS) & play.view(0).keys()
    play.do("draw from the pack")
    # The discards are the pack: it cannot hold what is in hands, and the other way round.
    seen = play.view(0)
    assert Counter(seen["stock_at_most"]) == Counter(play.table["stock"])
    assert "old_at_most" not in seen
    play.do("discard Green 2", "draw from the pack", "discard Green 1")
    # That one may have come from the pack, or not.
    seen = play.view(0)
    assert "Green 1" in seen["stock_at_most"]
    assert Counter(seen["old_at_most"])["Green 1"] == 1


@pytest.mark.parametrize("num_players", SEATS)
def test_bounds_may_be_given_or_left_out_where_a_seat_is_not_shown_them(num_players):
    game = load(num_players)
    left_out = 0
    for state in itertools.islice(random_states(game, 2), None, None, 20):
        table = game.table(state)
        short = copy.deepcopy(table)
        for seat in range(num_players):
            for name in set(BOUNDS) - game.table(state, seat).keys():
                del short["memory"][f"player_{seat}"][name]
                left_out += 1
        assert not difference(game.from_table(short), game.from_table(table))
        assert game.table(game.from_table(short)) == table
    assert left_out


# What a move brought to light


def news(play, *names):
    """The last move, told by the record of the game."""
    env = express_v0.raw_env(play.game.num_players)
    env.reset(options={"table": play.table})
    for name in names:
        env.step(env.game.action_names.index(name))
    return {
        key: value
        for key, value in env.record()["moves"][-1].items()
        if key not in ("seat", "action")
    }


def test_a_record_tells_what_was_drawn():
    play = Play(phase="draw", deck="ER Engine", face_up="Red")
    assert news(play, "draw from the pack") == {"drew": "ER Engine"}
    assert news(play, "take the face-up card") == {}


def test_a_record_tells_the_new_pack():
    play = Play(4, phase="draw", stock_size=1, deck="ER Engine", face_up="Red")
    told = news(play, "draw from the pack")
    assert told["drew"] == "ER Engine"
    assert Counter(told["shuffled"]) == Counter(play.table["pile"])


def test_a_record_tells_a_draw_after_a_claim_window():
    play = Play(3, phase="draw", face_up="ER Engine", hands=["", "Pass"], deck="Green 1")
    assert news(play, "draw from the pack") == {}
    assert news(play, "draw from the pack", "let it go") == {"drew": "Green 1"}
    assert news(play, "draw from the pack", "claim the face-up card") == {"drew": "Green 1"}


def test_a_record_tells_how_requests_were_answered():
    play = Play(hands=["Pass", "ER First Class Coach, ER Restaurant Car, SR Engine"])
    assert news(play, "ask seat +1 for SR Engine") == {
        "handed_over": {"card": "SR Engine", "by": 1}
    }
    assert news(play, "ask seat +1 for ER Coach") == {}
    assert news(play, "ask seat +1 for ER Coach", "choose ER Restaurant Car") == {
        "handed_over": {"card": "ER Restaurant Car", "by": 1}
    }
    assert news(play, "ask seat +2 for SR Engine") == {"refused": 2}


def test_a_record_tells_trains_and_moves():
    play = Play(hands=[", ".join([*TRAIN["SR"], "Green 2, Red, Red"])])
    assert news(play, "lay out SR") == {"laid_out": TRAIN["SR"]}
    assert news(play, "lay out SR", "discard Green 2") == {"moved": [2, 0, 0]}


def test_a_record_tells_the_winning_move_and_the_regions_of_the_next_hand():
    options = {"hands": 2, "assigned_regions": True}
    given = {"trains": {0: ("LMR", "")}, "positions": {0: 5}, "hands": ["Green 1, Red, Red"]}
    table = make_table(2, **given, hands_left=2)
    for seat, region in enumerate(("LMR", "SR")):
        table["seats"][seat]["assigned"] = region
    env = express_v0.raw_env(2, **options)
    env.reset(options={"table": table})
    env.step(env.game.action_names.index("discard Green 1"))
    told = env.record()["moves"][-1]
    assert told["moved"] == [1, 0]
    assert told["dealt"]["assigned"] == [seat["assigned"] for seat in env.table()["seats"]]


# Tables that cannot come up

START = {"phase": "draw", "turns": 0, "face_up_is": "turned up", "stock_size": 25}


def refused(match, options, num_players=3, change=lambda table: None, **given):
    table = make_table(num_players, short_trains="short_trains" in options, **given)
    change(table)
    with pytest.raises(ValueError, match=match):
        load(num_players, **options).from_table(table)


def test_the_card_turned_up_lies_alone():
    refused("turned up alone", {}, **{**START, "stock_size": 10})


def test_each_turn_adds_one_discard_at_most():
    refused("cannot hold", {}, turns=6, stock_size=10)


def test_only_a_discard_is_left_to_who_has_laid_out_or_exchanged():
    pool = "Pool Engine, Pool Coach, Pool Guard's Van, Pool Brake Van"
    given = {"trains": {1: ("SR", "")}, "phase": "discard", "pile": pool, "hands": ["Red"]}
    refused("after a lay-out", {}, **given)
    load(3).from_table(make_table(3, **{**given, "hands": ["Pool Wagon"]}))


def test_a_green_signal_has_moved_the_winners_train_out():
    given = {"phase": "over", "trains": {0: ("LMR", "")}, "positions": {0: 6}, "turns": 13}
    given |= {"moved_out": 0, "hands_left": 0, "starter": 0}

    def score(table):
        for seat, points in enumerate((15, -7, -7)):
            table["seats"][seat]["score"] = points

    table = make_table(3, **given, face_up="Green 2")
    score(table)
    load(3).from_table(table)
    refused("green signal", {}, change=score, **given, face_up="Red")


def test_no_train_stands_before_its_owners_first_turn():
    refused("first turn", {}, turns=1, turn=1, phase="draw", trains={2: ("ER", "")})
    refused("after 1 turns", {}, turns=2, turn=2, trains={1: ("ER", "")}, positions={1: 3})


def test_nothing_is_asked_or_exchanged_while_a_train_must_be_laid_out():
    hands = [
        ", ".join([*TRAIN["LMR"], "Pass, Red, Red"]),
        "ER First Class Coach, ER Restaurant Car",
    ]
    refused("must be laid out", {}, hands=hands, phase="hand_over", asked=1, request="ER Coach")
    train = "LMR Engine, LMR First Class Coach, Pool Coach, LMR Guard's Van"
    hands = [", ".join([*TRAIN["SR"], "LMR Third Class Coach, LMR Restaurant Car, Red"])]
    refused(
        "must be laid out",
        {"short_trains": True},
        hands=hands,
        phase="exchange",
        trains={1: ("LMR", train)},
        exchanging="Pool Coach",
    )


@pytest.mark.parametrize(
    ("scores", "fits"),
    [
        ([15, -7, -7], True),
        ([3, 15, -7], True),
        ([-7, -7, -7], True),
        ([15, 15, 15], False),
        ([14, -7, -7], False),
        ([5, -7, -7], False),
    ],
)
def test_scores_are_such_as_the_hands_played_can_give(scores, fits):
    def put_scores(table):
        table["hands_left"] = 2
        for seat, score in zip(table["seats"], scores, strict=True):
            seat["score"] = score

    if fits:
        table = make_table(3)
        put_scores(table)
        load(3, hands=3).from_table(table)
    else:
        refused("'score'", {"hands": 3}, change=put_scores)
