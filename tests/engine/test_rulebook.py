"""What a rulebook must bring, and how games find theirs."""

import numpy as np
import pytest

from railenvs.engine.checks import one_of
from railenvs.engine.game import Game
from railenvs.engine.rulebook import Option, register
from railenvs.engine.state import record_dtype
from railenvs.games import load_game, load_rulebook
from tests.engine import toy_game
from tests.engine.toy_game import rulebook, toy
from tests.grid import SEATINGS


def another(name, **changes):
    """A rulebook that differs from the toy in its name at least."""
    return rulebook(name=name, dtype=record_dtype(name, [("coin", np.int8)]), **changes)


def test_registering_twice_is_registering_once():
    assert register(toy_game.RULEBOOK) is toy_game.RULEBOOK


def test_second_rulebook_of_one_name_is_refused():
    with pytest.raises(ValueError, match=f"{toy_game.NAME!r} is registered already"):
        register(rulebook(title="Another toy"))


def test_record_that_does_not_begin_with_the_name_is_refused():
    dtype = np.dtype([("num_players", np.int8), ("wrong_first_toy", np.uint8)])
    with pytest.raises(
        ValueError, match="first field must be 'wrong_first_toy', not 'num_players'"
    ):
        register(rulebook(name="wrong_first_toy", dtype=dtype))
    with pytest.raises(ValueError, match="first field"):
        register(rulebook(name="some_other_name"))
    with pytest.raises(ValueError, match="first field"):
        register(rulebook(name="no_fields_toy", dtype=np.dtype(np.int64)))


@pytest.mark.parametrize(
    ("name", "function"),
    [
        ("deal", lambda states: None),
        ("legal", lambda state, out: None),
        ("play", lambda action, state: None),
        ("play", lambda state, action, more: None),
        ("observe", lambda state, out: None),
        ("determinize", lambda state, player: None),
        ("scores", lambda state, points: None),
        ("winners", lambda: None),
    ],
)
def test_other_names_of_arguments_are_refused(name, function):
    with pytest.raises(
        ValueError, match=rf"wrong_names_toy: {name} takes \[.*\], expected \['state'"
    ):
        register(another("wrong_names_toy", **{name: function}))


def test_refused_rulebook_leaves_no_trace():
    with pytest.raises(ValueError, match="play"):
        register(another("second_try_toy", play=lambda action, state: None))
    mended = another("second_try_toy")
    assert register(mended) is mended


def test_no_two_games_have_equal_records(game_id):
    """Compiled code is chosen by the record's type."""
    own = load_rulebook(game_id).dtype
    others = {cell.game_id for cell in SEATINGS} - {game_id}
    assert all(load_rulebook(other).dtype != own for other in others)
    assert own != toy_game.DTYPE
    assert own.names[0] == load_rulebook(game_id).name


def test_id_is_name_and_version(game_id):
    found = load_rulebook(game_id)
    assert found.id == game_id == f"{found.name}-v{found.version}"
    assert found.name.isidentifier()
    assert found.default_players in found.seats
    assert found is load_rulebook(game_id)


def test_kernels_serve_two_games_in_turn(default_cell):
    """One kernel, two rulebooks, each by its own rules."""
    game, small = default_cell.game(), toy()
    for seed in range(3):
        states = game.deal(seed), small.deal(seed)
        assert len(game.legal(states[0])) == game.num_actions
        assert small.legal(states[1]).tolist() == [1, 1, 1]
        small.play(states[1], 2)
        assert small.scores(states[1]).tolist() == [2, 0, 0]


def test_actions_may_depend_on_the_number_of_players():
    def names(num_players, options):
        return tuple(f"take {points}" for points in range(num_players + 1))

    own = rulebook(action_names=names)
    assert Game(own, 2).action_names == ("take 0", "take 1", "take 2")
    assert Game(own, 3).num_actions == 4


def test_examples_of_an_option_are_all_other_values_unless_named():
    assert Option(("a", "b", "c"), "letters").examples == ("b", "c")
    assert Option(range(1, 100), "numbers", examples=(7,)).examples == (7,)
    assert Option(("a", "b"), "letters", examples=()).examples == ()


def test_an_option_may_be_any_number_of_a_range():
    for number in (1, 7, 99):
        assert one_of(number, "hands", range(1, 100)) == number
    for value in (0, 100, "1", 1.0, True, None):
        with pytest.raises(ValueError, match="hands must be one of the whole numbers from 1 to 99"):
            one_of(value, "hands", range(1, 100))


def test_an_option_may_be_open_to_some_numbers_of_players_only():
    option = Option(("all", "half"), "how much counts", seats=range(3, 5))
    own = rulebook(options={**rulebook().options, "counts": option}, prepare=lambda *_: None)
    assert Game(own, 3, {"counts": "half"}).options["counts"] == "half"
    assert Game(own, 2, {"counts": "all"}).options["counts"] == "all"
    with pytest.raises(ValueError, match="counts must be 'all' with 2 players, not 'half'"):
        Game(own, 2, {"counts": "half"})


def test_numbers_too_large_for_the_encoded_state_saturate():
    game = load_game("express-v0", 2, max_turns=1000)
    place = game.state_fields()["max_turns"][0]
    assert game.encode_state(game.deal(0))[place].tolist() == [127]
