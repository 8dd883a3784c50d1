"""PettingZoo's own test suite, and what its users rely on beyond it."""

import random
import warnings

import gymnasium
import numpy as np
import pettingzoo
import pytest

from tests.grid import SEATINGS
from tests.play import choose, play_out
from tests.registry import needs_registry


@pytest.fixture
def default_cell(mechanics_cell):
    """What is tested here no rule takes part in."""
    return mechanics_cell


with warnings.catch_warnings():
    # PettingZoo's tests make their examples in a way that PettingZoo calls old.
    warnings.simplefilter("ignore", DeprecationWarning)
    from pettingzoo.test import api_test, render_test, seed_test

# Observations with a mask are dicts; api_test knows that of PettingZoo's own games only.
allow_dict_observations = pytest.mark.filterwarnings(
    "ignore:Observation is not a NumPy array",
    "ignore:Observation space for each agent probably should be",
)


class SeededResets:
    """Gives every unseeded ``reset()`` a seed, so that PettingZoo's tests are reproducible."""

    def __init__(self, env, first_seed):
        self._reset = env.reset
        self._seed = first_seed

    def __call__(self, seed=None, options=None):
        if seed is None:
            seed = self._seed
            self._seed += 1
        self._reset(seed=seed, options=options)


def seeded(env, first_seed):
    for agent in env.possible_agents:
        env.action_space(agent).seed(first_seed)
    env.reset = SeededResets(env, first_seed)
    return env


@allow_dict_observations
@pytest.mark.parametrize("first_seed", [0])
@pytest.mark.parametrize("kind", ["env", "raw_env"])
def test_api(cell, kind, first_seed, capsys):
    api_test(seeded(getattr(cell, kind)(), first_seed), num_cycles=100)


@pytest.mark.parametrize("kind", ["env", "raw_env"])
def test_equal_seeds_play_equal_games(cell, kind):
    seed_test(getattr(cell, kind), num_cycles=100)


def test_render(cell):
    render_test(cell.env)


@needs_registry
def test_registry_makes_the_same_environment(cell):
    made = pettingzoo.make(
        "aec", f"railenvs/{cell.game_id}", num_players=cell.num_players, **dict(cell.options)
    )
    made.reset(seed=3)
    own = cell.env()
    own.reset(seed=3)
    assert made.unwrapped.state_hash() == own.state_hash()
    assert made.unwrapped.game == own.game


def test_spaces_are_one_object_and_equal_for_all_seats(cell):
    env = cell.env()
    first, *others = env.possible_agents
    assert first == "player_0"
    spaces = env.observation_space(first), env.action_space(first)
    for _ in range(2):
        assert env.observation_space(first) is spaces[0]
        assert env.action_space(first) is spaces[1]
        for agent in others:
            assert (env.observation_space(agent), env.action_space(agent)) == spaces
        env.reset(seed=0)


def test_spaces_have_the_shape_that_tools_expect(cell):
    env = cell.env()
    space = env.observation_space("player_0")
    assert isinstance(space, gymnasium.spaces.Dict)
    assert set(space.spaces) == {"observation", "action_mask"}
    for name, size in (
        ("observation", env.game.observation_size),
        ("action_mask", env.game.num_actions),
    ):
        assert isinstance(space[name], gymnasium.spaces.Box)
        assert (space[name].shape, space[name].dtype) == ((size,), np.int8)
    action_space = env.action_space("player_0")
    assert isinstance(action_space, gymnasium.spaces.Discrete)
    assert (action_space.n, action_space.start) == (env.game.num_actions, 0)


def test_attributes_that_work_before_the_first_reset(cell):
    env = cell.env()
    assert env.possible_agents == [f"player_{seat}" for seat in range(cell.num_players)]
    assert env.max_num_agents == cell.num_players
    assert env.metadata["name"] == str(env) == cell.game_id.replace("-", "_")
    assert env.metadata["is_parallelizable"] is False
    assert "ansi" in env.metadata["render_modes"]
    assert env.render_mode is None
    assert env.unwrapped is env
    assert env.state_space.dtype == np.int8
    assert env.action_name(0) == env.game.action_names[0]
    env.close()


@pytest.mark.parametrize(
    "name",
    ["agents", "agent_selection", "rewards", "terminations", "truncations", "infos", "num_agents"],
)
def test_attributes_that_need_a_reset_say_so(default_cell, name):
    env = default_cell.env()
    assert not hasattr(env, name)
    with pytest.raises(AttributeError, match="before reset"):
        getattr(env, name)


def test_unknown_attribute_is_an_attribute_error(default_cell):
    with pytest.raises(AttributeError, match="no attribute 'nonsense'"):
        _ = default_cell.env().nonsense


@pytest.mark.parametrize(
    "use",
    [
        lambda env: env.step(0),
        lambda env: env.last(),
        lambda env: env.observe("player_0"),
        lambda env: env.agent_iter(),
        lambda env: env.state(),
        lambda env: env.render(),
        lambda env: env.table(),
        lambda env: env.view("player_0"),
        lambda env: env.scores(),
        lambda env: env.winners(),
        lambda env: env.state_hash(),
        lambda env: env.record(),
        lambda env: env.snapshot(),
        lambda env: env.determinize("player_0", 0),
    ],
    ids=lambda use: use.__code__.co_names[0],
)
@pytest.mark.parametrize("kind", ["env", "raw_env"])
def test_use_before_reset_is_an_error(default_cell, kind, use):
    env = getattr(default_cell, kind)("ansi")
    with pytest.raises(gymnasium.error.ResetNeeded, match="reset"):
        use(env)
    env.reset(seed=0)
    env.step(choose(env.last()[0]["action_mask"], random.Random(0)))


def test_state_lies_in_its_space_in_every_state(cell):
    env = cell.env()
    for seed in range(3):
        env.reset(seed=seed)
        going_on = True
        while going_on:
            state = env.state()
            assert state.dtype == np.int8
            assert env.state_space.contains(state)
            going_on = play_out(env, random.Random(seed), 1) > 0
        assert all(env.terminations.values()) or all(env.truncations.values())


def test_state_tells_deals_apart(cell):
    env = cell.env()
    states = set()
    for seed in range(20):
        env.reset(seed=seed)
        states.add(env.state().tobytes())
    assert len(states) == 20


def test_state_has_one_size_for_all_seats(game_id):
    sizes = {cell.env().state_space.shape for cell in SEATINGS if cell.game_id == game_id}
    assert len(sizes) == 1


@pytest.mark.parametrize("agent", ["player_9", "", "0", 0, None])
def test_unknown_agents_are_refused(default_cell, agent):
    env = default_cell.env()
    for look_up in (env.observation_space, env.action_space):
        with pytest.raises(ValueError, match="no agent"):
            look_up(agent)
    env.reset(seed=0)
    for look_up in (env.observe, env.view, lambda agent: env.determinize(agent, 0)):
        with pytest.raises(ValueError, match="no agent"):
            look_up(agent)


@pytest.mark.parametrize("mode", ["rgb", "ANSI", 1, True])
def test_unknown_render_mode_is_refused(default_cell, mode):
    with pytest.raises(ValueError, match="render_mode"):
        default_cell.env(mode)


def test_render_without_a_mode_warns(default_cell):
    env = default_cell.env()
    env.reset(seed=0)
    with pytest.warns(UserWarning, match="render_mode"):
        assert env.render() is None
