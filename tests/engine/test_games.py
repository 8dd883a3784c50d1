"""Loading games: ids, seats, options."""

import copy
import pickle

import numpy as np
import pytest

import railenvs
from railenvs.engine.game import REWARD
from railenvs.games import load_rulebook
from tests.grid import CELLS, SEATINGS, Cell


@pytest.fixture
def default_cell(mechanics_cell):
    """What is tested here no rule takes part in."""
    return mechanics_cell


def test_attributes_that_users_rely_on(cell):
    game = cell.game()
    assert game.id == cell.game_id
    assert game.num_players == cell.num_players
    assert game.num_actions == len(game.action_names) > 0
    assert game.observation_size == game.fields.size > 0
    assert type(game.max_length) is int
    assert game.max_length > 0
    assert {name: game.options[name] for name, _ in cell.options} == dict(cell.options)
    assert game.title
    assert repr(game).startswith(f"Game({cell.game_id!r}, num_players={cell.num_players}")


def test_defaults_are_the_first_values(game_id):
    game = railenvs.load_game(game_id)
    rulebook = load_rulebook(game_id)
    assert game.num_players == rulebook.default_players
    options = {**rulebook.options, "reward": REWARD}
    assert game.options == {name: option.values[0] for name, option in options.items()}
    assert all(option.default == option.values[0] and option.meaning for option in options.values())


def test_ids_are_those_of_the_registry():
    ids = railenvs.game_ids()
    assert "deck_express-v0" in ids
    assert len(set(ids)) == len(ids)


@pytest.mark.parametrize(
    "game_id", ["", "deck_express", "deck_express-v1", "Deck_express-v0", 3, None, [], True]
)
def test_unknown_game_is_refused(game_id):
    with pytest.raises(ValueError, match=r"game id must be one of .*deck_express-v0"):
        railenvs.load_game(game_id)
    with pytest.raises(ValueError, match="game id"):
        railenvs.make_batch(game_id, 2)


@pytest.mark.parametrize("number", [0, 1, -1, 99, 2**70, 2.0, "3", True, [3]])
def test_wrong_number_of_players_is_refused(default_cell, number):
    for make in (railenvs.load_game, lambda i, n: railenvs.make_batch(i, 2, n), cell_env):
        with pytest.raises(ValueError, match="num_players"):
            make(default_cell.game_id, number)


def cell_env(game_id, number):
    return Cell(game_id, number).env()


def test_seats_just_outside_the_rulebook_are_refused(game_id):
    seats = load_rulebook(game_id).seats
    for number in (seats[0] - 1, seats[-1] + 1):
        with pytest.raises(ValueError, match=f"num_players .*{number}"):
            railenvs.load_game(game_id, number)


@pytest.mark.parametrize("kind", [np.int8, np.int64, np.array])
def test_every_kind_of_whole_number_of_players(default_cell, kind):
    seats, options = kind(default_cell.num_players), dict(default_cell.options)
    game = railenvs.load_game(default_cell.game_id, seats, **options)
    assert type(game.num_players) is int
    assert game == default_cell.game()


@pytest.mark.parametrize(
    "value", ["nonsense", "", None, 0, 1, True, b"outcome", ["outcome"], float("nan")]
)
def test_wrong_value_of_an_option_is_refused(game_id, value):
    for name in [*load_rulebook(game_id).options, "reward"]:
        values = {**load_rulebook(game_id).options, "reward": REWARD}[name].values
        if value not in values:
            with pytest.raises(ValueError, match=f"{name} must be one of"):
                railenvs.load_game(game_id, **{name: value})


@pytest.mark.parametrize("name", ["nonsense", "Reward", "render_mod", "seeds"])
def test_unknown_option_is_refused_and_the_known_are_named(default_cell, name):
    cell = Cell(default_cell.game_id, default_cell.num_players, ((name, 1),))
    for make in (cell.game, cell.env, cell.raw_env, lambda: cell.batch(2)):
        with pytest.raises(ValueError, match=f"no option '{name}'.*reward"):
            make()


def test_games_are_equal_if_seats_and_options_are(cell):
    game = cell.game()
    assert game == cell.game()
    assert hash(game) == hash(cell.game())
    assert game != str(game)
    for other in CELLS:
        assert (other.game() == game) == (other == cell)


def test_options_written_out_make_the_same_game(cell):
    game = cell.game()
    assert railenvs.load_game(game.id, game.num_players, **game.options) == game


@pytest.mark.parametrize(
    "copied", [copy.copy, copy.deepcopy, lambda game: pickle.loads(pickle.dumps(game))]
)
def test_copies_of_games_are_equal_and_deal_alike(cell, copied):
    game = cell.game()
    other = copied(game)
    assert other == game
    assert other.state_hash(other.deal(5)) == game.state_hash(game.deal(5))


def test_states_of_different_options_differ(game_id):
    """Options live in the record, so a state is self-contained."""
    for seating in SEATINGS:
        if seating.game_id == game_id:
            cells = [
                cell
                for cell in CELLS
                if (cell.game_id, cell.num_players) == (game_id, seating.num_players)
            ]
            blanks = {cell.game().blank().tobytes() for cell in cells}
            assert len(blanks) == len(cells)


def test_looking_leaves_the_state_as_it_is(cell):
    game = cell.game()
    state = game.deal(3)
    before = state.tobytes()
    game.legal(state), game.scores(state), game.winners(state), game.rewards(state)
    game.encode_state(state), game.table(state), game.state_hash(state)
    for seat in range(game.num_players):
        game.look(state, seat), game.table(state, seat), game.determinize(state, seat, 0)
    assert state.tobytes() == before


def test_blank_of_a_game_is_not_changed_by_dealing(cell):
    game = cell.game()
    before = game.blank().tobytes()
    for seed in range(3):
        state = game.deal(seed)
        game.play(state, int(game.legal(state).argmax()))
    assert game.blank().tobytes() == before


def test_parts_of_the_encoded_state_have_their_places(cell):
    game = cell.game()
    state = game.deal(0)
    vector = game.encode_state(state)
    place = 0
    for name, (where, shape) in game.state_fields().items():
        assert where.start == place
        np.testing.assert_array_equal(
            vector[where].reshape(shape), np.clip(state[name][0], -128, 127)
        )
        place = where.stop
    assert place == len(vector) == game.state_space().shape[0]
    assert "rng" not in game.state_fields()


def test_option_for_some_numbers_of_players_is_refused_to_others(game_id):
    rulebook = load_rulebook(game_id)
    for name, option in rulebook.options.items():
        for seats in rulebook.seats:
            other = {name: (*option.examples, *option.values[1:])[0]}
            if option.is_open(seats):
                assert railenvs.load_game(game_id, seats, **other).options[name] != option.default
            else:
                assert railenvs.load_game(game_id, seats, **{name: option.default})
                with pytest.raises(ValueError, match=f"{name} must be .* with {seats} players"):
                    railenvs.load_game(game_id, seats, **other)
