"""Tables as dicts: what they tell of moves and memory, and which given ones are refused."""

from __future__ import annotations

import pytest

from railenvs.engine.state import at
from tests.games.railroad_run.tables import Play, load, make_table


def told(play: Play, action: str) -> dict:
    before = play.state.copy()
    play.do(action)
    game = play.game
    return game.rulebook.told(at(before, 0), game.action_names.index(action), at(play.state, 0))


def test_depot_that_takes_a_town_tells_of_both_towns():
    play = Play(2, hands=["Town"], discard="Patent, Town")
    assert told(play, "depot") == {
        "gained": {"player_0": ["Town"]},
        "lost": {"player_0": ["Town"]},
        "discarded": ["Town"],
    }


def test_card_played_is_told_even_where_its_like_is_drawn():
    play = Play(2, hands=["Town"], deck="Town, Patent")
    assert told(play, "water tower") == {
        "gained": {"player_0": ["Town", "Patent"]},
        "lost": {"player_0": ["Town"]},
        "discarded": ["Town"],
    }


def test_view_leaves_out_bounds_that_say_nothing():
    play = Play(2, hands=["", "3 Train, Patent"], deck_size=0)
    assert play.game.table(play.state, 0)["memory"] == {"known": {}, "top": []}
    play.do("done")
    assert play.game.table(play.state, 0)["memory"]["deck_at_most"]["Train"] == 12


def test_error_of_a_finished_game_shows_the_points_of_its_seats_alone():
    with pytest.raises(ValueError, match=r"phase 'event' with points \[50, 5, 5\]$"):
        Play(3, income=[50])


@pytest.mark.parametrize("key", ["phase", "turn", "seats", "draw_deck", "discard"])
def test_what_a_table_lacks_is_named(key):
    table = make_table(2)
    del table[key]
    with pytest.raises(ValueError, match=f"the table lacks {key!r}"):
        load(2).from_table(table)


def test_seat_without_income_is_named():
    table = make_table(2)
    del table["seats"][1]["income"]
    with pytest.raises(ValueError, match="seat 1 lacks 'income'"):
        load(2).from_table(table)


PLAYED = [
    ("coal_chute", "Town"),
    ("survey", "Survey"),
    ("train_yard", "Town"),
    ("upgrade", "Train"),
    ("wreck_opponent", "Wreck"),
]


@pytest.mark.parametrize(("phase", "card"), PLAYED)
def test_card_of_the_running_play_lies_on_the_discard(phase, card):
    hands = ["7 City", "2 City", "City"]
    Play(3, hands=hands, phase=phase, discard=f"Patent, {card}")
    for discard in ("", f"{card}, Patent"):
        with pytest.raises(ValueError, match=f"{phase!r} without a {card!r} just discarded"):
            Play(3, hands=hands, phase=phase, discard=discard)


def test_card_of_the_running_play_may_have_been_shuffled_in():
    Play(2, phase="coal_chute", shuffles=1)
    with pytest.raises(ValueError, match="'coal_chute' without a 'Town' just discarded"):
        Play(2, hands=["15 Town"], phase="coal_chute", shuffles=1)
    with pytest.raises(ValueError, match="'switch_card' without a 'Town' just discarded"):
        Play(2, hands=["City", "Patent"], phase="switch_card", target=1, shuffles=1)
