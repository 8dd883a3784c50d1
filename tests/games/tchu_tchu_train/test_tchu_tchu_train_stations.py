"""1. Action, building a station, and what follows it."""

import pytest

from tests.games.tchu_tchu_train.tables import Play


def test_a_card_builds_a_station_on_its_cell_and_brings_joker_and_crossroad():
    """The rulebook's example: the 7 of diamonds; one Joker, one Crossroad, seven cards again."""
    play = Play(hands=["7D"]).do("station r3c7")
    assert play.cell("r3c7") == "S"
    seat = play.seat(0)
    assert (seat["joker"], seat["hand_size"], seat["train_points"]) == (True, 7, 0)
    assert seat["trains_left"] == 25
    assert (play.table()["jokers_left"], play.table()["crossroads_left"]) == (3, 7)
    assert play.table()["discards"] == ["7D"]
    assert play.turn == 1
    assert play.table()["deck_left"] == Play(hands=["7D"]).table()["deck_left"]


def test_a_station_may_be_the_first_turn_of_all_and_needs_no_train_nearby():
    assert "r4c13" in Play(hands=["KC"]).legal("station")


def test_one_station_an_area():
    play = Play(hands=["AS 5S 9S 5H"], tokens={"r1c7": "S"}, jokers=[1])
    assert not {"r1c1", "r1c5", "r1c9"} & play.legal("station")
    assert {"r5c1", "r5c5", "r5c9", "r2c5"} <= play.legal("station")


def test_no_station_beside_another_in_whatever_area():
    play = Play(hands=["5H 6H"], tokens={"r1c5": "S"}, jokers=[1])
    assert "r2c5" not in play.legal("station")
    assert {"r2c6", "r6c5"} <= play.legal("station")


def test_stations_may_meet_at_a_corner():
    assert "r2c6" in Play(hands=["6H"], tokens={"r1c5": "S"}, jokers=[1]).legal("station")


def test_whoever_holds_a_joker_builds_no_station():
    play = Play(hands=["5S"], tokens={"r8c1": "S"}, jokers=[0])
    assert not play.legal("station")
    assert play.legal("joker")


def test_a_joker_builds_no_station():
    """All stations are built with cards in hand: none on cells of other cards."""
    play = Play(hands=["AS 2S 3S 4S 5S 6S 7S"])
    assert play.legal("station") == {f"r{row}c{c}" for row in (1, 5) for c in range(1, 8)}


@pytest.mark.parametrize("token", ["0", "1", "0x", "1x", "1+0", "S"])
def test_stations_come_on_empty_cells_alone(token):
    tokens = {"r1c5": token}
    jokers = [1] if token == "S" else []
    if "x" in token or "+" in token:
        tokens["r8c13"] = "S"
    play = Play(hands=["5S"], tokens=tokens, jokers=jokers)
    assert "r1c5" not in play.legal("station")
    assert "r5c5" in play.legal("station")


def test_no_area_is_left_once_eight_stations_stand():
    columns = (1, 3, 5, 7, 9, 11, 13, 2)
    tokens = {f"r{row}c{column}": "S" for row, column in enumerate(columns, start=1)}
    used = {"r1c13": "1x", "r2c13": "1x", "r3c13": "1x", "r4c13": "1x"}
    play = Play(4, tokens={**tokens, **used}, jokers=[0, 1, 2, 3])
    assert play.table()["crossroads_left"] == 0
    assert not play.legal("station")
    without = {**tokens, **used, "r5c13": "1x"}
    assert not Play(4, tokens=without, jokers=[1, 2, 3]).legal("station")


def test_a_turn_with_a_station_takes_nothing_from_row_or_deck():
    before = Play(hands=["7D"])
    after = Play(hands=["7D"]).do("station r3c7")
    assert after.table()["row"] == before.table()["row"]
    assert after.table()["draw_deck"] == before.table()["draw_deck"]
    assert len(after.seat(0)["hand"]) == 6


def test_trains_beside_a_station_are_allowed():
    play = Play(hands=["5H"], tokens={"r1c5": "S"}, jokers=[1])
    assert "r2c5" in play.legal("place")
