"""1. Action, placing trains; usage of the Joker."""

import pytest

from tests.games.tchu_tchu_train.tables import Play

# Placing by card


def test_a_card_places_a_train_on_either_of_its_two_cells():
    play = Play(hands=["3S"], sizes={0: 7})
    assert {"r1c3", "r5c3"} <= play.legal("place")
    for cell, other in (("r1c3", "r5c3"), ("r5c3", "r1c3")):
        after = Play(hands=["3S"]).do(f"place {cell}")
        assert after.cell(cell) == "0*"
        assert after.cell(other) == ""


def test_only_cells_of_cards_in_hand_are_open():
    play = Play(hands=["AS 2S 3S 4S AH 2H 3H"])
    columns = {"r1": range(1, 5), "r2": range(1, 4)}
    wanted = {f"{row}c{c}" for row, span in columns.items() for c in span}
    wanted |= {f"r{int(cell[1]) + 4}{cell[2:]}" for cell in wanted}
    assert play.legal("place") == wanted
    assert not play.legal("joker")
    assert play.legal("station") == wanted


def test_occupied_cells_take_no_further_train():
    """No other train comes on a cell with a train or a station."""
    play = Play(hands=["3S 4S"], tokens={"r1c3": "1", "r5c4": "S"}, jokers=[1])
    assert {"r5c3", "r1c4"} <= play.legal("place")
    assert not {"r1c3", "r5c4"} & play.legal("place")


def test_cells_of_both_copies_in_hand_can_both_be_taken():
    play = Play(hands=["3S 3S 3H 3D 3C"]).do("place r1c3", "place r2c3", "place r3c3", "place r4c3")
    assert "r5c3" in play.legal("place")
    play.do("place r5c3")
    assert play.seat(0)["hand_size"] == 2


# Connected trains of one turn


def test_further_trains_of_a_turn_come_beside_those_before():
    play = Play(hands=["AS 2S 3S 5S AH QC KC"]).do("place r1c1")
    assert play.legal("place") == {"r1c2", "r2c1"}
    play.do("place r1c2")
    assert play.legal("place") == {"r1c3", "r2c1"}
    assert "end placing" in play.legal()


def test_cells_that_meet_at_a_corner_are_not_beside_each_other():
    play = Play(hands=["AS 2H 3S 4D 5C 7S 9H"]).do("place r1c1")
    assert play.legal("place") == set()


def test_any_shape_may_be_placed():
    """The trains of a turn need not lie in a line: a T here, from the middle outwards."""
    play = Play(hands=["2S AS 3S 2H 7D 9D JD"])
    play.do("place r1c2", "place r1c1", "place r2c2", "place r1c3")
    assert play.table()["seats"][0]["hand_size"] == 3


def test_older_trains_do_not_connect_those_of_a_turn():
    """Two cells with an own older train between them are not adjacent."""
    play = Play(hands=["AS 3S 5D 7D 9D JD KD"], tokens={"r1c2": "0", "r5c9": "1", "r5c5": "2"})
    play.do("place r1c1")
    assert "r1c3" not in play.legal("place")


def test_the_first_train_of_a_turn_may_come_far_from_older_ones():
    play = Play(hands=["KC"], tokens={"r1c1": "0"})
    assert {"r4c13", "r8c13"} <= play.legal("place")


def test_at_most_the_trains_left_can_be_placed():
    """With three trains left the placing is over after the third."""
    tokens = {f"r{row}c{c}": "0" for row in (7, 8) for c in range(1, 14)} | {"r6c13": "0"}
    tokens = dict(list(tokens.items())[:22])
    play = Play(hands=["AS 2S 3S 4S 5S 6S 7S"], tokens=tokens)
    assert play.seat(0)["trains_left"] == 3
    play.do("place r1c1", "place r1c2")
    assert play.legal("place") == {"r1c3"}
    play.do("place r1c3")
    assert play.phase == "replenish"
    assert play.seat(0)["train_points"] == 4


def test_placing_is_over_with_the_last_card():
    play = Play(hands=["AS 2S 3S 4S 5S 6S 7S"])
    play.do(*(f"place r1c{column}" for column in range(1, 8)))
    assert play.phase == "replenish"


@pytest.mark.parametrize(("placed", "points"), [(2, 2), (3, 4), (4, 6), (5, 8), (6, 10), (7, 13)])
def test_points_for_the_trains_of_a_turn(placed, points):
    play = Play(hands=["AS 2S 3S 4S 5S 6S 7S"], points=[1], tokens={"r8c1": "0"})
    play.do(*(f"place r1c{column}" for column in range(1, placed + 1)))
    assert play.seat(0)["train_points"] == (1 if placed < 7 else 14)
    if placed < 7:
        play.do("end placing")
    assert play.seat(0)["train_points"] == 1 + points


def test_a_single_train_scores_its_point_after_replenishing():
    play = Play(hands=["AS"]).do("place r1c1", "end placing")
    assert play.seat(0)["train_points"] == 0
    play.do("draw")
    assert play.legal() == {"take the point", "refresh"}
    play.do("take the point")
    assert play.seat(0)["train_points"] == 1
    assert play.turn == 1


def test_placing_cannot_end_before_it_began():
    assert "end placing" not in Play().legal()


def test_no_station_once_a_train_is_placed():
    play = Play(hands=["AS 2S"]).do("place r1c1")
    assert not play.legal("station")


def test_played_cards_are_discarded():
    play = Play(hands=["AS 2S"]).do("place r1c1", "place r1c2")
    assert play.table()["discards"] == ["AS", "2S"]
    assert (play.see("discards", 2).sum(), play.see("discards", 2)[0, 0]) == (2, 1)


# The Joker


def with_joker(**entries):
    """Seat 0 holds a Joker, which a station brought."""
    entries["tokens"] = {"r8c13": "S", **entries.get("tokens", {})}
    return Play(jokers=[0], **entries)


def test_a_joker_places_a_train_on_any_empty_cell():
    play = with_joker(tokens={"r1c1": "1", "r1c2": "0"})
    names = {f"r{row}c{column}" for row in range(1, 9) for column in range(1, 14)}
    assert play.legal("joker") == names - {"r1c1", "r1c2", "r8c13"}


def test_a_joker_connects_trains_of_a_turn():
    play = with_joker(hands=["AS 3S"]).do("place r1c1")
    assert play.legal("joker") == {"r1c2", "r2c1"}
    play.do("joker r1c2")
    assert "r1c3" in play.legal("place")
    play.do("place r1c3", "end placing")
    assert play.seat(0)["train_points"] == 4


def test_a_jokers_train_lies_under_a_crossroad_and_the_joker_goes_back():
    play = with_joker()
    assert play.table()["jokers_left"] == 3
    assert play.table()["crossroads_left"] == 7
    play.do("joker r1c2")
    assert play.cell("r1c2") == "0x*"
    assert play.table()["jokers_left"] == 4
    assert play.table()["crossroads_left"] == 7
    assert not play.seat(0)["joker"]
    assert play.table()["discards"] == ["KC"]  # the station's card alone


def test_a_joker_alone_is_a_turn_and_scores_one():
    play = with_joker().do("joker r1c2", "end placing", "draw")
    assert play.legal() == {"take the point", "refresh"}
    play.do("take the point")
    assert play.seat(0)["train_points"] == 1


def test_a_used_joker_is_replaced_like_any_card():
    """Four cards used, the Joker among them: four are drawn."""
    play = with_joker(hands=["KD 2S 5S"])
    assert play.seat(0)["hand_size"] == 7
    play = with_joker(hands=["AS 3S 4S"])
    play.do("place r1c1", "joker r1c2", "place r1c3", "place r1c4", "end placing")
    assert play.seat(0)["train_points"] == 6
    assert play.seat(0)["hand_size"] == 3
    play.do("draw")
    assert play.seat(0)["hand_size"] == 7


def test_a_joker_does_not_go_on_tokens():
    """Unoccupied means no token at all: no Crossroad, train or station below."""
    tokens = {"r1c1": "1x", "r2c2": "S", "r3c3": "2"}
    play = with_joker(tokens=tokens)
    assert not {"r1c1", "r2c2", "r3c3", "r8c13"} & play.legal("joker")


# Trains on a Crossroad


def crossroad(**entries):
    """Seat 1 placed a train by Joker on r1c2; seat 0 holds the 2 of spades."""
    tokens = {"r8c13": "S", "r1c2": "1x", **entries.pop("tokens", {})}
    return Play(hands=["2S AS"], tokens=tokens, **entries)


def test_a_card_covers_a_crossroad_of_an_earlier_turn():
    play = crossroad()
    assert play.table()["crossroads_left"] == 7
    assert "r1c2" in play.legal("place")
    play.do("place r1c2")
    assert play.cell("r1c2") == "1+0*"
    assert play.table()["crossroads_left"] == 8
    assert play.see("cover")[0].sum() == 1
    assert play.see("train", 0)[1].sum() == 1


def test_the_train_below_stays_its_owners():
    play = crossroad().do("place r1c2")
    assert play.seat(0)["longest"] == play.seat(1)["longest"] == 1
    assert [play.seat(seat)["trains_left"] for seat in range(3)] == [24, 24, 25]


def test_an_own_crossroad_may_be_covered_and_counts_two():
    tokens = {"r8c13": "S", "r1c2": "0x", "r1c1": "0"}
    play = Play(hands=["2S"], tokens=tokens).do("place r1c2")
    assert play.cell("r1c2") == "0+0*"
    assert play.seat(0)["longest"] == 3


def test_a_covered_cell_is_closed():
    play = Play(hands=["2S"], tokens={"r8c13": "S", "r1c2": "1+0"})
    assert "r1c2" not in play.legal("place")
    assert "r5c2" in play.legal("place")


def test_a_crossroad_of_this_turn_cannot_be_covered_in_it():
    play = with_joker(hands=["2S"]).do("joker r1c2")
    assert "r1c2" not in play.legal("place")
    play.do("end placing", "draw", "take the point")
    after = Play(hands=["", "2S"], tokens={"r8c13": "S", "r1c2": "0x"}, turn=1)
    assert "r1c2" in after.legal("place")


def test_own_crossroad_can_be_covered_in_the_next_turn():
    play = with_joker(hands=["2S 3S"], deck="AC")
    play.do("joker r1c2", "end placing", "draw", "take the point")
    for _ in range(2):
        play.do(f"place {sorted(play.legal('place'))[-1]}", "end placing", "draw", "take the point")
    assert "r1c2" in play.legal("place")


def test_no_station_on_a_crossroad():
    assert "r1c2" not in crossroad().legal("station")
    assert "r5c2" in crossroad().legal("station")


def test_a_cover_counts_among_the_trains_of_a_turn():
    play = crossroad().do("place r1c2")
    assert play.legal("place") == {"r1c1"}
    play.do("place r1c1", "end placing")
    assert play.seat(0)["train_points"] == 2
