"""The life of a game in the AEC loop: whose turn, rewards, the end and the dead steps after it."""

import random

import gymnasium
import numpy as np
import pytest

from tests.play import choose, decisions, difference, play_out


@pytest.fixture
def cell(mechanics_cell):
    """What is tested here no rule takes part in."""
    return mechanics_cell


@pytest.fixture
def default_cell(mechanics_cell):
    """What is tested here no rule takes part in."""
    return mechanics_cell


def ended(cell, seed, kind="env"):
    """An environment whose game has just ended."""
    env = getattr(cell, kind)()
    env.reset(seed=seed)
    play_out(env, random.Random(seed))
    return env


def test_everybody_ends_at_once(cell):
    env = ended(cell, 0)
    assert env.agents == env.possible_agents
    over = [env.terminations[agent] or env.truncations[agent] for agent in env.agents]
    assert all(over)


@pytest.mark.parametrize("seed", range(2))
def test_dead_steps_come_once_each_in_seat_order(cell, seed):
    env = ended(cell, seed)
    visited = []
    for agent in env.agent_iter():
        assert agent == env.agent_selection
        _, _, termination, truncation, _ = env.last()
        assert termination or truncation
        visited.append(agent)
        env.step(None)
        assert agent not in env.agents
    assert visited == env.possible_agents
    assert env.agents == []
    for entries in (env.rewards, env.terminations, env.truncations, env.infos):
        assert entries == {}


def test_end_of_game_is_recognised_by_empty_agents(cell):
    env = cell.env()
    env.reset(seed=1)
    chance = random.Random(1)
    steps = 0
    while env.agents:
        observation, _, termination, truncation, _ = env.last()
        over = termination or truncation
        env.step(None if over else choose(observation["action_mask"], chance))
        steps += 1
    assert steps > 2 * cell.num_players


@pytest.mark.parametrize("kind", ["env", "raw_env"])
def test_done_agent_takes_none_alone(cell, kind):
    env = ended(cell, 2, kind)
    before = env.state_hash()
    for action in (0, 1.0, "invest", True):
        with pytest.raises(ValueError, match="None"):
            env.step(action)
        assert env.agents == env.possible_agents
    assert env.state_hash() == before


@pytest.mark.parametrize("kind", ["env", "raw_env"])
def test_step_and_last_after_the_end_ask_for_a_reset(cell, kind):
    env = ended(cell, 3, kind)
    while env.agents:
        env.step(None)
    for use in (lambda: env.step(None), lambda: env.step(0), env.last):
        with pytest.raises(gymnasium.error.ResetNeeded, match="reset"):
            use()
    assert list(env.agent_iter()) == []
    env.reset(seed=0)
    assert env.agents == env.possible_agents


def test_finished_game_can_still_be_looked_at(cell):
    env = ended(cell, 4)
    while env.agents:
        env.step(None)
    for agent in env.possible_agents:
        observation = env.observe(agent)
        assert env.observation_space(agent).contains(observation)
        assert not observation["action_mask"].any()
        assert not env.view(agent).legal_actions.size
        env.table(agent)
    assert env.record()["finished"]
    assert set(env.scores()) == set(env.possible_agents)


def test_two_reward_channels_agree(cell):
    """What ``env.rewards`` adds up to is what ``last()`` reports, for losers too."""
    for seed in range(10):
        env = cell.env()
        env.reset(seed=seed)
        chance = random.Random(seed)
        by_dict = dict.fromkeys(env.possible_agents, 0.0)
        by_last = dict.fromkeys(env.possible_agents, 0.0)
        owed = dict.fromkeys(env.possible_agents, 0.0)
        for agent in env.agent_iter():
            observation, reward, termination, truncation, _ = env.last()
            assert type(reward) is float
            assert reward == owed[agent]
            owed[agent] = 0.0
            by_last[agent] += reward
            over = termination or truncation
            env.step(None if over else choose(observation["action_mask"], chance))
            for other, received in env.rewards.items():
                by_dict[other] += received
                owed[other] += received
        assert by_dict == by_last
        final = env.game.rewards(ended(cell, seed)._state)
        np.testing.assert_array_equal(list(by_dict.values()), final)


def test_rewards_come_at_the_end_alone(cell):
    env = cell.env()
    env.reset(seed=5)
    for _ in decisions(env, random.Random(5)):
        assert set(env.rewards.values()) == {0.0}
        assert env.last()[1] == 0.0
        assert env.winners() == []


def test_last_agrees_with_its_parts(cell):
    env = cell.env()
    env.reset(seed=6)
    for agent in decisions(env, random.Random(6)):
        observation, reward, termination, truncation, info = env.last()
        assert not difference(observation, env.observe(agent))
        assert reward == env.rewards[agent]
        assert termination is env.terminations[agent] is False
        assert truncation is env.truncations[agent] is False
        assert info is env.infos[agent]
        assert env.last(observe=False)[0] is None


def test_info_is_a_plain_dict_with_the_mask(cell):
    env = cell.env()
    env.reset(seed=7)
    for agent in decisions(env, random.Random(7)):
        for other, info in env.infos.items():
            assert type(info) is dict
            assert not difference(info["action_mask"], env.observe(other)["action_mask"])
            assert info["action_mask"] is env.infos[other]["action_mask"]
            assert info["action_mask"].any() == (other == agent)


def test_fresh_observation_at_every_decision(cell):
    """Also within one turn of several decisions; the arrays are not those of the last one."""
    env = cell.env()
    env.reset(seed=8)
    earlier = None
    for _ in decisions(env, random.Random(8)):
        observation = env.last()[0]
        if earlier is not None:
            for name, array in observation.items():
                assert not np.shares_memory(array, earlier[name])
        earlier = observation


def test_agent_iter_stops_at_max_iter(cell):
    env = cell.env()
    env.reset(seed=9)
    chance = random.Random(9)
    count = 0
    for agent in env.agent_iter(3):
        env.step(choose(env.observe(agent)["action_mask"], chance))
        count += 1
    assert count == 3


def test_agent_iter_notices_a_forgotten_step(default_cell):
    env = default_cell.env()
    env.reset(seed=0)
    with pytest.raises(AssertionError, match="step"):
        for _ in env.agent_iter():
            pass


def test_agent_iter_goes_on_after_a_refused_action(default_cell):
    """A loop that catches the error and asks again is no forgotten step."""
    env = default_cell.raw_env()
    env.reset(seed=0)
    refused = False
    for agent in env.agent_iter(2):
        if not refused:
            refused = True
            with pytest.raises(ValueError, match="action"):
                env.step(-1)
            continue
        env.step(choose(env.observe(agent)["action_mask"], random.Random(0)))
    assert refused


def test_agent_iter_survives_resets_inside_the_loop(default_cell):
    env = default_cell.env()
    env.reset(seed=0)
    agents = [env.reset(seed=seed) or agent for seed, agent in enumerate(env.agent_iter(50))]
    assert len(agents) == 50


def test_reset_in_the_middle_of_the_dead_steps(cell):
    env = ended(cell, 0)
    env.step(None)
    env.reset(seed=11)
    fresh = cell.env()
    fresh.reset(seed=11)
    assert env.agents == env.possible_agents
    assert env.state_hash() == fresh.state_hash()
    assert env.agent_selection == fresh.agent_selection
    assert set(env.rewards.values()) == {0.0}
    assert not any(env.terminations.values())
