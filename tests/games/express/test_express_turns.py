"""EXPRESS: the deal, drawing and discarding, signals, the end and the scores."""

from __future__ import annotations

import itertools
import random
from collections import Counter

import numpy as np
import pytest

from tests.games.express.tables import COPIES, FACES, SEATS, Play, load
from tests.play import random_states

LMR = {0: ("LMR", "")}


# The deal


@pytest.mark.parametrize("num_players", SEATS)
def test_seven_cards_each_one_turned_up_the_rest_is_the_pack(num_players):
    table = load(num_players).table(load(num_players).deal(3))
    assert [len(seat["hand"]) for seat in table["seats"]] == [7] * num_players
    assert table["pile"] == [table["face_up"]]
    assert table["face_up_is"] == "turned up"
    assert len(table["stock"]) == 40 - 7 * num_players - 1 == {2: 25, 3: 18, 4: 11}[num_players]


def test_the_pack_is_forty_cards_of_29_faces():
    """Stations are no part of it."""
    table = load(4).table(load(4).deal(0))
    cards = Counter(table["pile"] + table["stock"])
    for seat in table["seats"]:
        cards.update(seat["hand"])
    assert cards == COPIES
    assert sum(cards.values()) == 40
    assert len(FACES) == 29


def test_any_card_may_be_turned_up():
    game = load(4)
    assert {game.table(game.deal(seed))["face_up"] for seed in range(400)} == set(FACES)


@pytest.mark.parametrize("num_players", SEATS)
def test_every_seat_may_be_the_dealers_left(num_players):
    game = load(num_players)
    assert {game.seat(game.deal(seed)) for seed in range(60)} == set(range(num_players))
    assert [game.seat(game.deal(0, seat)) for seat in range(num_players)] == list(
        range(num_players)
    )


# Drawing and discarding


def test_a_turn_begins_with_the_face_up_card_or_the_pack():
    play = Play(phase="draw", face_up="ER Engine")
    assert play.legal == {"take the face-up card", "draw from the pack"}


def test_the_face_up_card_goes_into_the_hand():
    play = Play(phase="draw", face_up="ER Engine", pile="Red")
    play.do("take the face-up card")
    assert play.hand(0)["ER Engine"] == 1
    assert play.table["pile"] == ["Red"]
    assert play.table["face_up"] is None


def test_the_top_card_of_the_pack_goes_into_the_hand():
    play = Play(phase="draw", face_up="Red", deck="ER Engine, Pass")
    play.do("draw from the pack")
    assert play.hand(0)["ER Engine"] == 1
    assert play.table["stock"][0] == "Pass"
    assert play.table["face_up"] == "Red"


def test_the_first_player_may_take_the_card_turned_up_at_the_deal_whatever_it_is():
    for face in ("Pass", "Green 1", "Pool Coach", "WR Brake Van"):
        play = Play(phase="draw", face_up=face, face_up_is="turned up", turns=0)
        assert "take the face-up card" in play.legal


def test_any_card_in_hand_may_be_discarded_and_the_turn_passes_to_the_left():
    play = Play(hands=["Red, Green 1, Pass, LMR Engine, Pool Coach"])
    assert play.legal_like("discard") == set(play.hand(0))
    play.do("discard Pool Coach")
    assert (play.table["turn"], play.phase, play.seat) == (1, "draw", 1)
    assert play.table["face_up"] == "Pool Coach"
    assert play.hand(0)["Pool Coach"] == 0
    assert sum(play.hand(0).values()) == 7


@pytest.mark.parametrize("face", ["Red", "Green 1", "Green 2"])
def test_a_signal_picked_up_may_not_be_discarded_until_the_next_turn(face):
    play = Play(2, phase="draw", face_up=face, hands=["LMR Engine, Pass"])
    play.do("take the face-up card")
    assert face not in play.legal_like("discard")
    assert play.field(0, "picked_up") == [int(face == one) for one in ("Red", "Green 1", "Green 2")]
    play.do("discard Pass", "draw from the pack", "discard LMR Third Class Coach")
    play.do("draw from the pack")
    assert face in play.legal_like("discard")
    assert play.field(0, "picked_up") == [0, 0, 0]


def test_the_bar_holds_too_for_a_signal_turned_up_at_the_deal():
    play = Play(phase="draw", face_up="Green 1", face_up_is="turned up", turns=0)
    assert "Green 1" not in play.do("take the face-up card").legal_like("discard")


def test_a_twin_of_the_signal_picked_up_may_be_discarded():
    play = Play(phase="draw", face_up="Green 1", hands=["Green 1"]).do("take the face-up card")
    assert "Green 1" in play.legal_like("discard")


def test_a_signal_drawn_from_the_pack_may_be_discarded_at_once():
    play = Play(phase="draw", face_up="ER Engine", deck="Green 1").do("draw from the pack")
    assert "Green 1" in play.legal_like("discard")


def test_other_cards_picked_up_may_be_discarded_at_once():
    for face in ("ER Engine", "Pool Coach", "Pass"):
        play = Play(phase="draw", face_up=face).do("take the face-up card")
        assert face in play.legal_like("discard")


def test_the_pack_is_replaced_at_once_by_all_discards_the_top_one_too():
    """Who drew the last card discards onto an empty pile, and that card may be taken."""
    play = Play(4, phase="draw", stock_size=1, deck="ER Engine", face_up="Red")
    pile = Counter(play.table["pile"])
    assert sum(pile.values()) == 11
    play.do("draw from the pack")
    assert Counter(play.table["stock"]) == pile
    assert play.table["pile"] == []
    assert play.table["face_up"] is None
    assert play.hand(0)["ER Engine"] == 1
    play.do("discard ER Engine")
    assert play.table["pile"] == ["ER Engine"]
    assert "take the face-up card" in play.legal


def test_the_new_pack_comes_in_any_order():
    orders = set()
    for seed in range(20):
        play = Play(4, phase="draw", stock_size=1, deck="ER Engine", face_up="Red")
        play.state = play.game.from_table(play.table, seed)
        orders.add(tuple(play.do("draw from the pack").table["stock"]))
    assert len(orders) == 20


# Signals


def test_a_green_signal_moves_the_discarders_train_alone():
    for face, steps in (("Green 1", 1), ("Green 2", 2)):
        play = Play(trains={0: ("LMR", ""), 1: ("SR", "")}, hands=[face], turn=0)
        play.do(f"discard {face}")
        assert play.each("position") == [steps, 0, 0]


def test_a_green_signal_on_the_start_brings_the_engine_or_the_first_car_alongside():
    """1: the engine stands by the Station; 2: the first coach or wagon."""
    assert Play(trains=LMR, hands=["Green 1"]).do("discard Green 1").each("position")[0] == 1
    assert Play(trains=LMR, hands=["Green 2"]).do("discard Green 2").each("position")[0] == 2


def test_signals_may_be_discarded_before_any_train_stands():
    for face in ("Green 1", "Green 2", "Red"):
        play = Play(hands=[face]).do(f"discard {face}")
        assert play.each("position") == [0, 0, 0]
        assert play.table["turn"] == 1


def test_red_moves_all_other_trains_back_one_but_none_behind_its_start():
    trains = {0: ("LMR", ""), 1: ("ER", ""), 2: ("SR", ""), 3: ("WR", "")}
    positions = {0: 2, 1: 0, 2: 1, 3: 4}
    play = Play(4, trains=trains, positions=positions, hands=["Red"], face_up="Pass")
    play.do("discard Red")
    assert play.each("position") == [2, 0, 0, 3]


def test_red_works_for_a_player_without_a_train():
    play = Play(trains={1: ("ER", "")}, positions={1: 3}, hands=["Red"], face_up="Pass")
    assert play.do("discard Red").each("position") == [0, 2, 0]


@pytest.mark.parametrize(("short", "length"), [(False, 5), (True, 4)])
def test_a_train_is_out_after_one_step_more_than_it_has_cards(short, length):
    """Every start and both green signals; overshooting wins as well."""
    train = "LMR Engine, LMR First Class Coach, LMR Third Class Coach, LMR Guard's Van"
    for position, (face, steps) in itertools.product(
        range(length + 1), (("Green 1", 1), ("Green 2", 2))
    ):
        play = Play(
            options={"short_trains": short},
            trains={0: ("LMR", train if short else "")},
            positions={0: position},
            hands=[face],
        )
        play.do(f"discard {face}")
        assert play.over == (position + steps > length)
        assert play.each("position")[0] == min(position + steps, length + 1)


# The end and the scores


def test_winner_scores_15_a_train_5_and_cards_in_hand_cost_1_each():
    """15 with no deduction; a train and two cards 3; seven cards -7."""
    play = Play(
        trains={0: ("LMR", ""), 1: ("ER", "")}, positions={0: 5}, hands=["Green 1"], face_up="Pass"
    )
    play.do("discard Green 1")
    assert play.over
    assert play.scores == [15, 3, -7]
    assert play.game.winners(play.state) == (0,)
    assert play.game.rewards(play.state).tolist() == [1, -0.5, -0.5]


def test_in_the_shorter_game_a_hand_of_three_is_left():
    train = "LMR Engine, LMR First Class Coach, LMR Third Class Coach, LMR Guard's Van"
    other = "ER Engine, ER First Class Coach, ER Third Class Coach, ER Guard's Van"
    play = Play(
        options={"short_trains": True},
        trains={0: ("LMR", train), 1: ("ER", other)},
        positions={0: 4},
        hands=["Green 1"],
    )
    assert play.do("discard Green 1").scores == [15, 2, -7]


def test_a_hand_that_does_not_end_is_cut_off():
    """Nobody wins; trains count 5, cards are deducted."""
    play = Play(
        options={"max_turns": 30},
        turns=29,
        turn=0,
        trains={0: ("LMR", "")},
        positions={0: 3},
        hands=["Green 1"],
    )
    play.do("discard Green 1")
    assert play.over
    assert play.game.is_cut_off(play.state)
    assert play.game.winners(play.state) == ()
    assert play.scores == [5 - 2, -7, -7]
    assert play.game.rewards(play.state).tolist() == [-0.5, -0.5, -0.5]


def test_the_last_turn_may_still_win():
    play = Play(
        options={"max_turns": 30}, turns=29, trains=LMR, positions={0: 5}, hands=["Green 1"]
    )
    play.do("discard Green 1")
    assert not play.game.is_cut_off(play.state)
    assert play.game.winners(play.state) == (0,)


@pytest.mark.parametrize("num_players", SEATS)
def test_by_default_a_hand_is_cut_off_after_100_turns_a_seat(num_players):
    game = load(num_players)
    chance = random.Random(0)
    state = game.deal(0)
    while not game.is_over(state):
        legal = game.legal(state)
        # Nobody lays out or asks: only draws and discards of the first card that goes.
        actions = [a for a in np.flatnonzero(legal).tolist() if a < 31] or [
            int(np.flatnonzero(legal)[0])
        ]
        game.play(state, chance.choice(actions))
    if game.is_cut_off(state):
        assert game.table(state)["turns"] == 100 * num_players


# Several hands


def last_discard(hands_left, hands=3, **given):
    return Play(
        options={"hands": hands},
        hands_left=hands_left,
        trains={0: ("LMR", "")},
        positions={0: 5},
        hands=["Green 1"],
        face_up="Pass",
        turns=9,
        **given,
    )


def test_after_a_hand_the_next_is_dealt_and_the_deal_passes_to_the_left():
    play = last_discard(3)
    assert play.table["starter"] == 0
    play.do("discard Green 1")
    table = play.table
    assert not play.over
    assert (table["starter"], table["turn"], table["turns"]) == (1, 1, 0)
    assert table["hands_left"] == 2
    assert play.each("score") == [15, -7, -7]
    assert play.each("hand_size") == [7, 7, 7]
    assert play.each("region") == [None] * 3
    assert play.each("position") == [0] * 3
    assert table["face_up_is"] == "turned up"
    assert all(
        not facts["known"] and facts["new_at_most"] == 0
        for row in table["memory"].values()
        for facts in row.values()
        if isinstance(facts, dict)
    )


def test_scores_add_up_and_the_highest_total_wins():
    play = last_discard(1)
    table = play.table
    for seat, score in zip(table["seats"], (-14, 8, 18), strict=True):
        seat["score"] = score
    play.state = play.game.from_table(table)
    play.do("discard Green 1")
    assert play.over
    assert play.scores == [1, 1, 11]
    assert play.game.winners(play.state) == (2,)


def test_the_highest_total_is_shared():
    play = last_discard(1)
    table = play.table
    for seat, score in zip(table["seats"], (-14, 8, -4), strict=True):
        seat["score"] = score
    play.state = play.game.from_table(table)
    assert play.do("discard Green 1").scores == [1, 1, -11]
    assert play.game.winners(play.state) == (0, 1)
    np.testing.assert_allclose(play.game.rewards(play.state), [0.25, 0.25, -0.5])


def test_a_hand_cut_off_is_followed_by_the_next():
    play = Play(options={"hands": 2, "max_turns": 9}, hands_left=2, turns=8, turn=0)
    play.do(sorted(play.legal)[0])
    assert not play.over
    assert play.each("score") == [-7, -7, -7]
    assert play.table["hands_left"] == 1


def test_when_the_last_of_several_hands_is_cut_off_the_totals_decide():
    play = Play(options={"hands": 2, "max_turns": 9}, hands_left=1, turns=8, turn=0)
    table = play.table
    for seat, score in zip(table["seats"], (-7, 15, -7), strict=True):
        seat["score"] = score
    play.state = play.game.from_table(table)
    play.do(sorted(play.legal)[0])
    assert play.over
    assert not play.game.is_cut_off(play.state)
    assert play.game.winners(play.state) == (1,)


def test_dealers_follow_each_other_through_a_game():
    game = load(3, hands=4, max_turns=5)
    starters = []
    for state in random_states(game, 1):
        table = game.table(state)
        if not starters or table["hands_left"] != starters[-1][0]:
            starters.append((table["hands_left"], table["starter"]))
    begins = [starter for left, starter in starters if left]
    assert begins == [(begins[0] + step) % 3 for step in range(4)]


# Throughout


@pytest.mark.parametrize("num_players", SEATS)
def test_forty_cards_at_every_step_through_several_packs(num_players):
    game = load(num_players)
    shuffles = 0
    before = 0
    for state in random_states(game, 2):
        table = game.table(state)
        cards = Counter(table["pile"] + table["stock"])
        for seat in table["seats"]:
            cards.update(seat["hand"] + seat["train"])
        assert cards == COPIES
        shuffles += len(table["stock"]) > before > 0
        before = len(table["stock"])
    assert shuffles >= 3
