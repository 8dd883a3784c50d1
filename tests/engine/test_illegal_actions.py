"""What an environment does with an action that may not be played."""

import random

import numpy as np
import pytest

from tests.play import decisions, difference, play_out, shown


@pytest.fixture
def cell(mechanics_cell):
    """What is tested here no rule takes part in."""
    return mechanics_cell


@pytest.fixture
def default_cell(mechanics_cell):
    """What is tested here no rule takes part in."""
    return mechanics_cell


WRONG_TYPES = [
    1.0,
    "0",
    None,
    True,
    np.bool_(True),
    np.float64(1),
    np.float32(0),
    float("nan"),
    1j,
    np.array([0]),
    np.array([0, 1]),
    np.array(0.0),
    np.array("0"),
    [0],
    (),
    {},
    b"\0",
]
OUT_OF_RANGE = [-1, -(2**31), -(2**63), -(2**70), 2**31, 2**63 - 1, 2**63, 2**64 - 1, 2**70]


def mid_game(cell, kind, seed=0):
    env = getattr(cell, kind)()
    env.reset(seed=seed)
    play_out(env, random.Random(seed), 4)
    return env


def masked_action(env):
    mask = env.observe(env.agent_selection)["action_mask"]
    return int(np.flatnonzero(mask == 0)[0])


@pytest.mark.parametrize("kind", ["env", "raw_env"])
@pytest.mark.parametrize("action", WRONG_TYPES, ids=repr)
def test_wrong_type_is_refused_and_nothing_changes(default_cell, kind, action):
    env = mid_game(default_cell, kind)
    before = shown(env)
    with pytest.raises(ValueError, match="action"):
        env.step(action)
    assert not difference(shown(env), before)


@pytest.mark.parametrize("kind", ["env", "raw_env"])
@pytest.mark.parametrize("action", OUT_OF_RANGE)
def test_out_of_range_is_refused_and_nothing_changes(default_cell, kind, action):
    env = mid_game(default_cell, kind)
    before = shown(env)
    with pytest.raises(ValueError, match=rf"action.*{action}"):
        env.step(action)
    assert not difference(shown(env), before)


@pytest.mark.parametrize("kind", ["env", "raw_env"])
def test_first_action_past_the_last_is_refused(cell, kind):
    env = mid_game(cell, kind)
    before = env.state_hash()
    for action in (env.game.num_actions, np.int64(env.game.num_actions), np.int8(-1)):
        with pytest.raises(ValueError, match=str(env.game.num_actions - 1)):
            env.step(action)
    assert env.state_hash() == before


@pytest.mark.parametrize("number", [int, np.int8, np.int16, np.int32, np.int64, np.uint8, np.array])
def test_every_kind_of_whole_number_plays_alike(default_cell, number):
    env, other = default_cell.env(), default_cell.env()
    env.reset(seed=0)
    other.reset(seed=0)
    # The first action of all: a number small enough for every kind.
    action = int(env.last()[0]["action_mask"].argmax())
    env.step(action)
    other.step(number(action))
    assert not difference(shown(env), shown(other))
    assert env.record() == other.record()


def test_raw_env_names_the_illegal_action_and_changes_nothing(cell):
    for seed in range(3):
        env = cell.raw_env()
        env.reset(seed=seed)
        for agent in decisions(env, random.Random(seed)):
            action = masked_action(env)
            name = env.action_name(action)
            before = env.state_hash()
            with pytest.raises(ValueError, match=f"action {action} .*illegal") as error:
                env.step(action)
            assert name in str(error.value)
            assert agent in str(error.value)
            assert env.state_hash() == before
            assert env.agent_selection == agent


def test_every_masked_action_is_refused_at_one_decision(cell):
    env = mid_game(cell, "raw_env")
    before = shown(env)
    mask = env.last()[0]["action_mask"]
    for action in np.flatnonzero(mask == 0):
        with pytest.raises(ValueError, match="illegal"):
            env.step(action)
    assert not difference(shown(env), before)


def test_env_ends_with_minus_one_for_the_offender(cell):
    env = mid_game(cell, "env")
    offender = env.agent_selection
    before = env.state_hash()
    action = masked_action(env)
    with pytest.warns(UserWarning, match=f"illegal.*{offender}") as warned:
        env.step(action)
    assert len(warned) == 1
    assert warned[0].filename == __file__
    assert env.rewards == {
        agent: -1.0 if agent == offender else 0.0 for agent in env.possible_agents
    }
    assert all(env.terminations.values())
    assert not any(env.truncations.values())
    assert env.state_hash() == before
    assert env.winners() == []
    for agent in env.possible_agents:
        assert not env.observe(agent)["action_mask"].any()
        assert not env.infos[agent]["action_mask"].any()
        assert env.view(agent).game == env.game


def test_dead_steps_after_an_illegal_action(cell):
    env = mid_game(cell, "env")
    offender = env.agent_selection
    with pytest.warns(UserWarning, match="illegal"):
        env.step(masked_action(env))
    received = {}
    for agent in env.agent_iter():
        _, reward, termination, truncation, _ = env.last()
        assert (termination, truncation) == (True, False)
        received[agent] = reward
        env.step(None)
    assert list(received) == env.possible_agents
    assert received == {agent: -1.0 if agent == offender else 0.0 for agent in env.possible_agents}


def test_record_of_a_lost_game_holds_the_moves_that_were_played(cell):
    env = mid_game(cell, "env")
    before = env.record()
    with pytest.warns(UserWarning, match="illegal"):
        env.step(masked_action(env))
    assert env.record() == before


def test_reset_clears_the_offence(cell):
    env = mid_game(cell, "env")
    with pytest.warns(UserWarning, match="illegal"):
        env.step(masked_action(env))
    env.reset(seed=5)
    play_out(env, random.Random(5))
    other = cell.env()
    other.reset(seed=5)
    play_out(other, random.Random(5))
    assert not difference(shown(env), shown(other))


def test_game_refuses_what_the_environment_refuses(default_cell):
    game = default_cell.game()
    state = game.deal(0)
    before = game.state_hash(state)
    masked = np.flatnonzero(game.legal(state) == 0).tolist()
    for action in (*WRONG_TYPES, *OUT_OF_RANGE, *masked):
        with pytest.raises(ValueError, match="action"):
            game.play(state, action)
        assert game.state_hash(state) == before
