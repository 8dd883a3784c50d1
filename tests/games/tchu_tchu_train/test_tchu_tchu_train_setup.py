"""Preparation: supplies, the one chance to change a hand, who begins."""

import random
from collections import Counter

import pytest

from tests.games.tchu_tchu_train.tables import SEATS, TRAINS, Play, load, make_table
from tests.play import choose


@pytest.mark.parametrize("seats", SEATS)
def test_supplies_by_number_of_seats(seats):
    """30, 25 or 20 trains; seven cards of two packs each; Jokers and Crossroads lie by."""
    game = load(seats)
    table = game.table(game.deal(0))
    assert [seat["trains_left"] for seat in table["seats"]] == [TRAINS[seats]] * seats
    assert [len(seat["hand"]) for seat in table["seats"]] == [7] * seats
    assert table["deck_left"] == len(table["draw_deck"]) == 104 - 7 * seats
    assert (table["jokers_left"], table["crossroads_left"]) == (4, 8)
    cards = Counter(table["draw_deck"])
    for seat in table["seats"]:
        assert (seat["joker"], seat["train_points"], seat["score"]) == (False, 0, 0)
        cards.update(seat["hand"])
    assert len(cards) == 52
    assert set(cards.values()) == {2}


@pytest.mark.parametrize("seats", SEATS)
def test_hands_are_decided_in_turn_order_before_the_row_is_opened(seats):
    for starter in range(seats):
        game = load(seats)
        state = game.deal(3, first_player=starter)
        for number in range(seats):
            assert game.table(state)["phase"] == "mulligan"
            assert game.table(state)["row"] == [None] * 4
            assert game.seat(state) == (starter + number) % seats
            assert game.table(state)["deck_left"] == 104 - 7 * seats
            game.play(state, number % 2)
        table = game.table(state)
        assert table["phase"] == "action"
        assert table["turn"] == table["starter"] == starter
        assert None not in table["row"]
        assert table["deck_left"] == 100 - 7 * seats


def test_each_seat_may_keep_or_change_once():
    play = Play(phase="mulligan")
    assert play.legal() == {"keep the hand", "change the hand"}
    play.do("change the hand")
    assert play.turn == 1
    assert play.legal() == {"keep the hand", "change the hand"}


def test_changing_throws_all_seven_cards_into_the_deck_and_draws_seven():
    play = Play(phase="mulligan", hands=["AS 2S 3S 4S 5S 6S 7S"])
    before = Counter(play.table()["draw_deck"] + play.seat(0)["hand"])
    play.do("change the hand")
    assert Counter(play.table()["draw_deck"] + play.seat(0)["hand"]) == before
    assert len(play.seat(0)["hand"]) == 7
    assert sorted(play.seat(0)["hand"]) != ["2S", "3S", "4S", "5S", "6S", "7S", "AS"]


def test_thrown_cards_may_come_again():
    """They are shuffled in before the new hand is drawn."""
    game = load(3)
    again = 0
    for seed in range(60):
        state = game.deal(seed, first_player=0)
        thrown = Counter(game.table(state)["seats"][0]["hand"])
        game.play(state, 1)
        kept = Counter(game.table(state)["seats"][0]["hand"])
        again += sum((thrown & kept).values())
    # Of 60 * 7 cards drawn from 90, 7 (or their twins) were thrown: 33 and some more.
    assert 20 < again < 120


def test_keeping_leaves_hand_and_deck():
    play = Play(phase="mulligan")
    before = play.table()
    play.do("keep the hand")
    assert play.table()["seats"] == before["seats"]
    assert not play.seat(0)["changed_hand"]
    assert play.table()["draw_deck"] == before["draw_deck"]


def test_others_see_only_that_a_hand_was_changed():
    """But for that, their observation and table are as if it had been kept."""
    kept = Play(phase="mulligan").do("keep the hand")
    changed = Play(phase="mulligan").do("change the hand")
    for seat in (1, 2):
        assert kept.see("changed_hand", seat).tolist() == [0, 0, 0]
        expected = kept.game.observe(kept.state, seat).copy()
        kept.game.fields.cut(expected, "changed_hand")[-seat % 3] = 1
        assert changed.game.observe(changed.state, seat).tolist() == expected.tolist()
        table = kept.table(seat)
        table["seats"][0]["changed_hand"] = True
        assert changed.table(seat) == table


def test_who_changed_a_hand_is_seen_to_the_end_of_the_game():
    """By seat from the observer, me first."""
    game = load(3)
    state = game.deal(0, first_player=1)
    for action in (1, 0, 1):
        game.play(state, action)
    chance = random.Random(0)
    while not game.is_over(state):
        game.play(state, choose(game.legal(state), chance))
    views = [game.observe(state, seat) for seat in range(3)]
    seen = [game.fields.cut(view, "changed_hand").tolist() for view in views]
    assert seen == [[1, 1, 0], [1, 0, 1], [0, 1, 1]]
    assert [seat["changed_hand"] for seat in game.table(state, 2)["seats"]] == [True, True, False]


def test_who_begins_is_drawn_by_lot():
    game = load(4)
    starters = Counter(game.table(game.deal(seed))["starter"] for seed in range(400))
    assert set(starters) == {0, 1, 2, 3}
    assert min(starters.values()) > 60


def test_a_given_table_before_the_row_is_opened():
    table = make_table(2, phase="mulligan", turn=1, starter=0)
    game = load(2)
    state = game.from_table(table)
    game.play(state, 0)
    assert game.table(state)["phase"] == "mulligan" or game.seat(state) == 0
