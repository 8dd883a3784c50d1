"""Tables as dicts: what they tell of moves and memory, and which given ones are refused."""

from __future__ import annotations

from typing import Any

import pytest

from railenvs import SeatView
from railenvs.engine.state import at
from tests.games.railroad_run.tables import Play, load, make_table
from tests.play import random_states


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


@pytest.mark.parametrize(
    ("memory", "message"),
    [
        ({"top_known": 8}, "'top_known' in the memory of player_0 must be"),
        ({"known": {"player_1": ["Train"] * 257}}, "cards not in hand"),
        ({"known": {"player_0": []}}, "a seat in 'known' in the memory of player_0"),
        ({"shown": {"player_1": ["City"]}}, "shown cards that are not known"),
        ({"deck_at_least": {"Patent": 1}}, "bounds on the deck"),
        ({"deck_at_most": {"Mail": 1}}, "bounds on the deck"),
        ({"deck_placed": {"Mail": 1}}, "cards placed in the deck"),
        ({"deck_at_least": {"Mail": 2}, "fresh_at_least": {"Mail": 1}}, "fresh cards"),
        ({"kept_at_least": {"player_1": 3}}, "'player_1' of 'kept_at_least'"),
        (
            {"fresh_at_least": {"Patent": 1}, "kept_at_least": {"player_1": 2, "player_2": 1}},
            "fresh cards in hands",
        ),
    ],
)
def test_memory_that_is_not_so_is_refused(memory, message):
    hands = ["", "City, Patent", "City"]
    with pytest.raises(ValueError, match=message):
        Play(3, hands=hands, memory={"player_0": memory})


@pytest.mark.slow
@pytest.mark.parametrize(
    ("num_players", "options"),
    [(2, {"civil_war": True}), (3, {"starting_companies": True}), (8, {"trades": False})],
)
def test_one_state_is_one_record_and_one_view(num_players, options):
    """A table gives back its state; two views are equal if and only if they show the same."""
    game = load(num_players, **options)
    before: list[Any] = []
    for number, state in enumerate(random_states(game, 3)):
        again = game.from_table(game.table(state))
        assert game.state_hash(again) == game.state_hash(state)
        if number % 5 > 1:
            continue
        views = [SeatView(game, state, seat) for seat in range(num_players)]
        shown = [
            (view.observation.tolist(), view.action_mask.tolist(), view.table()) for view in views
        ]
        if number % 5 == 1:
            for old, new, old_shown, new_shown in zip(
                before[0], views, before[1], shown, strict=True
            ):
                assert (old == new) == (old_shown == new_shown)
        before = [views, shown]
        if number > 300:
            break


def test_civil_war_that_is_past_has_been_a_shuffle():
    Play(2, options={"civil_war": True}, war_open=False, shuffles=1)
    with pytest.raises(ValueError, match="the Civil War is past, and nothing was shuffled"):
        Play(2, options={"civil_war": True}, war_open=False)


def test_the_pages_pointer_to_the_tables_keys_leads_to_them():
    from railenvs.games.railroad_run import table

    assert "``draw_deck``" in table.__doc__
