"""End of the game, scoring and the Railroad King."""

import itertools

import numpy as np
import pytest

from tests.games.tchu_tchu_train.tables import TRAINS, Play, load, make_table

# The last round


def nearly_out(seats, triggers, starter=0, turn=0):
    """Seats that have one train left each; the others have two or more."""
    cells = itertools.product(range(8, 2, -1), range(1, 14))
    tokens = {}
    for seat in range(seats):
        count = TRAINS[seats] - (1 if seat in triggers else 3)
        for _ in range(min(count, 78 // seats if seats > 2 else count)):
            row, column = next(cells)
            tokens[f"r{row}c{column}"] = str(seat)
    return Play(seats, tokens=tokens, turn=turn, starter=starter)


def take_turn(play):
    """Place one train and take its point."""
    play.do(f"place {sorted(play.legal('place'))[0]}")
    if "end placing" in play.legal():
        play.do("end placing")
    if play.phase == "replenish":
        play.do("draw")
    if play.phase == "point_or_refresh":
        play.do("take the point")


@pytest.mark.parametrize(("starter", "more"), [(0, 2), (2, 1), (1, 0)])
def test_the_round_is_finished_when_a_seat_is_out_of_trains(starter, more):
    """Seat 0 uses its last train as first, second and last of the round."""
    play = nearly_out(3, [0], starter=starter)
    take_turn(play)
    assert play.seat(0)["trains_left"] == 0
    for number in range(more):
        assert play.table()["last_round"]
        assert play.turn == number + 1
        assert not play.game.is_over(play.state)
        take_turn(play)
    assert play.game.is_over(play.state)
    assert play.phase == "over"


def test_nobody_out_of_trains_moves_again():
    play = nearly_out(3, [0, 1])
    take_turn(play)
    take_turn(play)
    assert (play.seat(0)["trains_left"], play.seat(1)["trains_left"]) == (0, 0)
    take_turn(play)
    assert play.game.is_over(play.state)


def test_a_seat_replenishes_and_chooses_in_its_last_turn_too():
    play = nearly_out(3, [0])
    play.do(f"place {sorted(play.legal('place'))[0]}")
    assert play.phase == "replenish"
    play.do("draw")
    assert play.legal() == {"take the point", "refresh"}


def test_the_last_round_shows():
    play = nearly_out(3, [0])
    assert play.see("last_round") == 0
    take_turn(play)
    assert play.see("last_round", 2) == 1


def test_a_finished_table_is_over():
    game = load(3)
    play = nearly_out(3, [0])
    for _ in range(3):
        take_turn(play)
    state = game.from_table(play.table())
    assert game.is_over(state)
    assert game.winners(state) == game.winners(play.state) != ()


# Longest rail


LENGTHS = {"a": 5, "b": 4, "c": 3, "d": 2}


def rails(lengths, **entries):
    """Each seat has one straight rail of the length given, in rows of its own."""
    tokens = {
        f"r{2 * seat + 1}c{column}": str(seat)
        for seat, length in enumerate(lengths)
        for column in range(1, length + 1)
    }
    return Play(len(lengths), tokens=tokens, **entries)


@pytest.mark.parametrize(
    ("lengths", "prizes"),
    [
        ((3, 2), (5, 0)),
        ((2, 2), (2, 2)),  # (5 + 0) // 2
        ((1, 0), (5, 0)),
        ((0, 0), (0, 0)),
        ((5, 4, 3), (8, 4, 2)),
        ((3, 4, 5), (2, 4, 8)),
        ((5, 5, 3), (6, 6, 2)),
        ((5, 3, 5), (6, 2, 6)),
        ((5, 5, 5), (4, 4, 4)),  # 14 // 3
        ((5, 3, 3), (8, 3, 3)),
        ((5, 0, 0), (8, 0, 0)),
        ((5, 3, 0), (8, 4, 0)),
        ((5, 4, 3, 2), (8, 4, 2, 0)),
        ((5, 5, 5, 5), (3, 3, 3, 3)),  # 14 // 4
        ((5, 5, 5, 2), (4, 4, 4, 0)),
        ((5, 5, 3, 3), (6, 6, 1, 1)),
        ((5, 3, 3, 3), (8, 2, 2, 2)),  # (4 + 2 + 0) // 3
        ((5, 3, 3, 2), (8, 3, 3, 0)),
        ((5, 4, 2, 2), (8, 4, 1, 1)),  # (2 + 0) // 2
        ((5, 4, 0, 0), (8, 4, 0, 0)),
    ],
)
def test_prizes_for_the_longest_rail(lengths, prizes):
    play = rails(lengths)
    assert [play.seat(seat)["longest"] for seat in range(len(lengths))] == list(lengths)
    assert [play.seat(seat)["rail_prize"] for seat in range(len(lengths))] == list(prizes)
    for seat in range(len(lengths)):
        around = [(seat + place) % len(lengths) for place in range(len(lengths))]
        assert play.see("rail_prize", seat).tolist() == [prizes[other] for other in around]


def test_a_mass_need_not_be_a_line():
    tokens = {"r1c2": "0", "r2c2": "0", "r2c1": "0", "r2c3": "0", "r3c2": "0"}
    assert Play(tokens=tokens).seat(0)["longest"] == 5


def test_trains_that_meet_at_a_corner_are_separate_masses():
    assert Play(tokens={"r1c1": "0", "r2c2": "0"}).seat(0)["longest"] == 1


def test_others_trains_do_not_join_masses():
    assert Play(tokens={"r1c1": "0", "r1c2": "1", "r1c3": "0"}).seat(0)["longest"] == 1


def test_two_own_trains_on_a_cell_count_two():
    """The mass counts trains: 1 + 2 + 1."""
    tokens = {"r1c1": "0", "r1c2": "0+0", "r1c3": "0", "r8c13": "S"}
    assert Play(tokens=tokens).seat(0)["longest"] == 4


def test_a_cell_of_two_owners_connects_for_both():
    tokens = {"r1c1": "0", "r1c2": "0+1", "r1c3": "1", "r2c2": "0", "r8c13": "S"}
    play = Play(tokens=tokens)
    assert (play.seat(0)["longest"], play.seat(1)["longest"]) == (3, 2)


def test_a_jokers_train_counts_uncovered():
    tokens = {"r1c1": "0", "r1c2": "0x", "r1c3": "0", "r8c13": "S"}
    assert Play(tokens=tokens).seat(0)["longest"] == 3


def test_a_station_does_not_join_two_masses():
    tokens = {"r1c1": "0", "r1c2": "S", "r1c3": "0"}
    assert Play(tokens=tokens, jokers=[1]).seat(0)["longest"] == 1


def test_placing_joins_masses_at_once():
    play = Play(hands=["2S"], tokens={"r1c1": "0", "r1c3": "0", "r2c2": "0", "r2c3": "1"})
    assert play.seat(0)["longest"] == 1
    play.do("place r1c2")
    assert play.seat(0)["longest"] == 4
    assert play.seat(0)["rail_prize"] == 8


# Stations


def station_points(tokens, seats=3):
    """Points of each seat; Jokers for the stations are spread over hands and far Crossroads."""
    stations = sum(token == "S" for token in tokens.values())
    jokers = list(range(min(stations, seats)))
    far = [f"r8c{column}" for column in range(13, 0, -2)]
    used = {far[number]: f"{seats - 1}x" for number in range(stations - len(jokers))}
    play = Play(seats, tokens={**tokens, **used}, jokers=jokers)
    return [play.seat(seat)["station_points"] for seat in range(seats)]


def test_two_stations_joined_by_own_trains_pay_four():
    assert station_points({"r1c1": "S", "r2c1": "0", "r3c1": "S"}) == [4, 0, 0]


def test_a_single_station_pays_nothing():
    assert station_points({"r1c1": "S", "r2c1": "0"}) == [0, 0, 0]
    assert station_points({"r1c1": "S", "r3c1": "S"}) == [0, 0, 0]


def test_stations_joined_through_a_station_make_one_group():
    """Station, train, station, train, station: three squared, not twice two squared."""
    tokens = {"r1c1": "S", "r2c1": "0", "r3c1": "S", "r4c1": "0", "r5c1": "S"}
    assert station_points(tokens) == [9, 0, 0]


def test_three_and_two_stations_pay_thirteen():
    """The rulebook's example: 9 + 4, and nothing for one that is not connected to another."""
    tokens = {"r1c1": "S", "r2c1": "0", "r2c2": "0", "r2c3": "S", "r3c2": "0", "r4c2": "S"}
    tokens |= {"r5c9": "S", "r6c9": "0", "r7c9": "S", "r8c5": "S", "r8c6": "0"}
    tokens |= {"r3c13": "S"}
    assert station_points(tokens, 4) == [13, 0, 0, 0]


def test_a_station_may_count_for_several_seats():
    tokens = {"r1c5": "S", "r3c5": "S", "r2c5": "0", "r1c6": "1", "r2c6": "1", "r3c6": "1"}
    assert station_points(tokens) == [4, 4, 0]


def test_others_trains_do_not_connect_stations():
    assert station_points({"r1c1": "S", "r2c1": "1", "r3c1": "S"}) == [0, 4, 0]
    tokens = {"r1c1": "S", "r2c1": "0", "r2c2": "1", "r2c3": "0", "r3c3": "S"}
    assert station_points(tokens) == [0, 0, 0]


def test_a_station_connects_only_by_its_edges():
    assert station_points({"r1c1": "S", "r2c2": "0", "r3c2": "S"}) == [0, 0, 0]


def test_a_new_station_is_joined_for_all_at_once():
    tokens = {"r1c1": "S", "r2c1": "0", "r1c2": "1", "r2c2": "1", "r3c2": "1"}
    play = Play(hands=["AD"], tokens=tokens, jokers=[1])
    assert play.seat(0)["station_points"] == play.seat(1)["station_points"] == 0
    play.do("station r3c1")
    assert play.seat(0)["station_points"] == play.seat(1)["station_points"] == 4


# The Railroad King


def over(points, lengths, seats=None):
    """A finished game: seat 0 is out of trains; single trains far apart make up its number."""
    count = len(points)
    tokens = {}
    for seat, length in enumerate(lengths):
        for number in range(length):
            tokens[f"r{2 * seat + 1 + number // 13}c{number % 13 + 1}"] = str(seat)
    return Play(count, phase="over", turn=count - 1, tokens=tokens, points=points)


@pytest.mark.parametrize(
    ("points", "lengths", "scores", "ranks"),
    [
        # Rails 25, 13 and 10 pay 8, 4 and 2.
        ((10, 16, 7), (25, 13, 10), (18, 20, 9), (2, 1, 3)),
        # Equal scores: more trains placed wins.
        ((10, 14, 1), (25, 13, 10), (18, 18, 3), (1, 2, 3)),
        ((10, 12, 14), (25, 10, 10), (18, 15, 17), (1, 3, 2)),
        # Equal scores and trains share a place.
        ((0, 9, 9), (25, 10, 10), (8, 12, 12), (3, 1, 1)),
        ((0, 2, 2), (25, 10, 10), (8, 5, 5), (1, 2, 2)),
    ],
)
def test_scores_and_places(points, lengths, scores, ranks):
    play = over(points, lengths)
    assert [play.seat(seat)["score"] for seat in range(3)] == list(scores)
    assert [play.seat(seat)["rank"] for seat in range(3)] == list(ranks)
    assert play.game.scores(play.state).tolist() == list(scores)
    assert play.game.winners(play.state) == tuple(np.flatnonzero(np.array(ranks) == 1))


def test_scores_hold_at_any_time():
    play = rails((3, 2, 1), points=[4, 2, 0])
    assert play.game.scores(play.state).tolist() == [12, 6, 2]
    assert play.game.winners(play.state) == ()


def test_no_prize_is_left_from_an_own_greater_score():
    """Every part of a score shows in the table, and they add up."""
    table = make_table(3, tokens={"r1c1": "0"}, points=[1])
    game = load(3)
    for seat in game.table(game.from_table(table))["seats"]:
        parts = (seat["train_points"], seat["rail_prize"], seat["station_points"])
        assert seat["score"] == sum(parts)
