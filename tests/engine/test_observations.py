"""Observations, masks and the field table that describes them."""

import random

import numpy as np
import pytest

from railenvs.engine.fields import Field, Fields
from tests.grid import Cell, with_options
from tests.play import choose, play_out, random_states, random_steps, steps_for_games

STEPS = 2000
"""Random decisions for each cell of the grid, every seat looking on."""


def test_every_observation_lies_in_its_space(cell):
    """Exact dtype and shape, all seats, the end included."""
    env = cell.env()
    steps = 0
    seed = 0
    while steps < STEPS:
        env.reset(seed=seed)
        chance = random.Random(seed)
        over = False
        while not over:
            for agent in env.possible_agents:
                observation = env.observe(agent)
                assert env.observation_space(agent).contains(observation)
                assert observation.keys() == {"observation", "action_mask"}
                for array in observation.values():
                    assert array.dtype == np.int8
            over = env.terminations[env.agent_selection] or env.truncations[env.agent_selection]
            if not over:
                mask = env.last()[0]["action_mask"]
                assert mask.any()
                env.step(choose(mask, chance))
                steps += 1
        seed += 1


def test_fields_tile_the_vector(cell):
    game = cell.game()
    place = 0
    for name, field in game.fields.items():
        assert field.name == name
        assert field.slice == slice(place, place + int(np.prod(field.shape)))
        assert field.meaning
        assert -128 <= field.low < field.high <= 127
        assert field.low <= 0
        place = field.slice.stop
    assert place == game.observation_size == game.fields.size


def test_bounds_of_the_space_are_those_of_the_fields(cell):
    game = cell.game()
    box = cell.env().observation_space("player_0")["observation"]
    for field in game.fields.values():
        assert (box.low[field.slice] == field.low).all()
        assert (box.high[field.slice] == field.high).all()


def test_fields_are_cut_out_in_their_shape(cell):
    env = cell.env()
    env.reset(seed=0)
    view = env.view(env.agent_selection)
    vector = np.arange(env.game.observation_size).astype(np.int8)
    for name, field in env.game.fields.items():
        assert view.field(name).shape == field.shape
        np.testing.assert_array_equal(view.field(name).ravel(), view.observation[field.slice])
        cut = env.game.fields.cut(np.stack([vector, vector]), name)
        assert cut.shape == (2, *field.shape)
        np.testing.assert_array_equal(cut[1].ravel(), vector[field.slice])
    with pytest.raises(KeyError, match="no field 'nonsense'"):
        view.field("nonsense")


@pytest.mark.slow
def test_no_entry_is_idle(seating):
    """Every entry of the vector takes more than one value; bounds hold and are not far off.

    An entry that changes with no option is a mistake in the encoder or in the field table.
    """
    game = seating.game()
    low = np.full(game.observation_size, 127, np.int8)
    high = np.full(game.observation_size, -128, np.int8)
    cells = with_options(seating)
    if seating.is_cut_short:
        cells.append(Cell(seating.game_id, seating.num_players))
    for seed in range(48):
        game = cells[seed % len(cells)].game()
        for state in random_states(game, seed):
            for seat in range(game.num_players):
                observation = game.observe(state, seat)
                np.minimum(low, observation, out=low)
                np.maximum(high, observation, out=high)
    # What comes up rarely: many more games, each seen by the seat to act, and at their end by all.
    for cell in cells:
        batch = cell.batch(256)
        for _ in random_steps(batch, steps_for_games(batch, 4)):
            np.minimum(low, batch.observations.min(axis=0), out=low)
            np.maximum(high, batch.observations.max(axis=0), out=high)
            for seen in batch.final_observations[batch.terminations]:
                np.minimum(low, seen.min(axis=0), out=low)
                np.maximum(high, seen.max(axis=0), out=high)
    for name, field in game.fields.items():
        part = field.slice
        assert (low[part] < high[part]).all(), name
        assert low[part].min() >= field.low, name
        assert high[part].max() <= field.high, name
        # A bound far above all values would squeeze scaled observations towards zero.
        assert 4 * high[part].astype(int).max() >= field.high, name


def test_scaled_observations_lie_within_one(cell):
    batch = cell.batch(64)
    low, high = batch.game.fields.bounds()
    bound = np.maximum(high, -low.astype(int))
    for _ in random_steps(batch, 60):
        scaled = batch.game.fields.scale(batch.observations)
        assert scaled.dtype == np.float32
        assert np.abs(scaled).max() <= 1
        np.testing.assert_allclose(scaled * bound, batch.observations, atol=1e-5)


def test_masks_hold_zeros_and_ones_and_never_none_before_the_end(cell):
    batch = cell.batch(64)
    for _ in random_steps(batch, 200):
        assert batch.action_masks.dtype == np.int8
        assert np.isin(batch.action_masks, (0, 1)).all()
        assert batch.action_masks.any(axis=1).all()


def test_every_action_is_legal_at_some_time(seating):
    batch = seating.batch(1024)
    reached = np.zeros(batch.game.num_actions, bool)
    for _ in random_steps(batch, 3000):
        reached |= batch.action_masks.any(axis=0)
        if reached.all():
            break
    assert reached.all(), np.flatnonzero(~reached)


def test_names_of_actions_are_distinct(cell):
    game = cell.game()
    assert len(set(game.action_names)) == game.num_actions == len(game.action_names)
    assert all(isinstance(name, str) and name for name in game.action_names)


def test_legal_actions_of_a_view_are_those_of_the_mask(seating):
    env = seating.env()
    env.reset(seed=1)
    play_out(env, random.Random(1), 5)
    for agent in env.possible_agents:
        view = env.view(agent)
        assert view.legal_actions.dtype == np.int64
        np.testing.assert_array_equal(view.legal_actions, np.flatnonzero(view.action_mask))


def test_no_legal_action_once_the_game_is_over(cell):
    game = cell.game()
    *_, last = random_states(game, 0)
    assert game.is_over(last)
    for seat in range(game.num_players):
        assert not game.look(last, seat)[1].any()
    assert not game.legal(last).any()
    with pytest.raises(ValueError, match="over"):
        game.play(last, 0)


def test_two_fields_of_one_name_are_refused():
    with pytest.raises(ValueError, match="'cards'"):
        Fields([Field("cards", (2,), 1, "some"), Field("cards", (3,), 1, "others")])
