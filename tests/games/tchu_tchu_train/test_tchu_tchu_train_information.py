"""What is known of hands: cards from the row, and what playing or giving one does to that."""

import random
from collections import Counter

import pytest

from tests.games.tchu_tchu_train.tables import PACK, Play, card_index, load
from tests.play import choose

ROW = "AD 2D 3D 4D"


def known(play, seat=0):
    return play.table()["memory"][f"seat_{seat}"]


def taken(*places, hand="AS 2S", used=2):
    play = Play(hands=[hand], row=ROW, deck="KC QC JC")
    play.do(*(f"place r1c{column}" for column in range(1, used + 1)), "end placing")
    return play.do(*(f"take row {place}" for place in places))


def test_cards_from_the_row_are_known_to_be_in_hand():
    play = taken(1, 2)
    assert known(play) == ["AD", "2D"]
    for seat in range(3):
        field = play.see("known", seat)[(0 - seat) % 3].ravel()
        assert field.sum() == 2
        assert field[card_index("AD")] == field[card_index("2D")] == 1
        assert play.table(seat)["memory"]["seat_0"] == ["AD", "2D"]


def test_cards_dealt_and_drawn_are_not_known():
    play = taken(1)
    play.do("draw")
    assert known(play) == ["AD"]
    assert known(play, 1) == known(play, 2) == []


def test_a_known_card_that_is_played_is_known_no_more():
    play = Play(hands=["AD"], known={0: "AD"}).do("place r3c1")
    assert known(play) == []
    assert "AD" in play.table()["discards"]


def test_of_two_copies_the_known_one_counts_as_played():
    """What stays certain is one copy less: the other may or may not be there."""
    play = Play(hands=["AD AD"], known={0: "AD"}).do("place r3c1")
    assert known(play) == []
    play = Play(hands=["AD AD"], known={0: "AD AD"}).do("place r3c1")
    assert known(play) == ["AD"]


def test_a_card_not_known_leaves_the_others_unseen_pool_when_played():
    play = Play(hands=["AD"])
    assert play.see("unseen", 1)[2, 0] == 2
    play.do("place r3c1")
    assert play.see("unseen", 1)[2, 0] == 1
    assert play.see("discards", 1)[2, 0] == 1


def test_a_known_card_spent_on_a_station_is_known_no_more():
    play = Play(hands=["AD"], known={0: "AD"}).do("station r3c1")
    assert known(play) == []


def test_given_cards_are_known_no_more_and_cards_taken_for_them_are():
    play = Play(hands=["AS 7C"], row=ROW, known={0: "7C"})
    play.do("place r1c1", "end placing", "draw", "refresh", "swap row 2", "give 7C")
    assert known(play) == []
    assert play.see("incoming", 2)[2, 1] == 1
    assert play.see("swapped", 2).tolist() == [0, 1, 0]
    play.do("swap row 3")
    assert play.see("swapping", 1).tolist() == [0, 0, 1, 0]
    play.do(sorted(play.legal())[0], "done")
    assert known(play) == ["2D", "3D"]


def test_unseen_is_all_but_own_cards_open_cards_and_known_ones():
    play = Play(hands=["AS 2S 3S 4S 5S 6S 7S", "AD 8C"], row="9C 9C JC QC", known={1: "AD"})
    unseen = Counter(play.table(0)["unseen"])
    gone = Counter(["AS", "2S", "3S", "4S", "5S", "6S", "7S", "AD", "9C", "9C", "JC", "QC"])
    assert unseen == Counter(PACK * 2) - gone
    assert sum(unseen.values()) == play.see("unseen").sum()
    assert "8C" in unseen


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_knowledge_follows_from_what_everybody_saw(seats):
    """The memory of a random game is what an onlooker of its moves would keep."""
    game = load(seats, "default")
    chance = random.Random(seats)
    state = game.deal(seats)
    memory = [Counter() for _ in range(seats)]
    pending = []
    while not game.is_over(state):
        seat, table = game.seat(state), game.table(state)
        action = choose(game.legal(state), chance)
        game.play(state, action)
        kind, _, rest = game.action_names[action].partition(" ")
        if kind in ("place", "station"):
            row, column = rest.split("c")
            card = table["board"][row][f"c{column}"].split("/")[0]
            memory[seat][card] -= memory[seat][card] > 0
        elif kind == "take" and rest.startswith("row"):
            memory[seat][table["row"][int(rest[-1]) - 1]] += 1
        elif kind == "give":
            memory[seat][rest] -= memory[seat][rest] > 0
            pending.append(table["row"][table["swapping"] - 1])
        if pending and (game.seat(state) != seat or game.is_over(state)):
            memory[seat].update(pending)
            pending = []
        told = game.table(state)["memory"]
        for other in range(seats):
            assert +memory[other] == Counter(told[f"seat_{other}"])
