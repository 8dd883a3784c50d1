"""Wrappers of PettingZoo write into the environment they wrap: nobody is shown another's hand."""

import random
import warnings

import numpy as np
import pettingzoo.utils
import pytest
from pettingzoo.utils import wrappers
from pettingzoo.utils.conversions import turn_based_aec_to_parallel

from tests.grid import DEFAULT_CELLS
from tests.play import choose, difference, looks_closely

CELL = DEFAULT_CELLS[0]
"""What wrappers do to the environment depends on no game: every wrapper is tried around one."""

WRAPPERS = {
    "nothing": lambda env: env,
    "BaseWrapper": wrappers.BaseWrapper,
    "OrderEnforcing": wrappers.OrderEnforcingWrapper,
    "AssertOutOfBounds": wrappers.AssertOutOfBoundsWrapper,
    "TerminateIllegal": lambda env: wrappers.TerminateIllegalWrapper(env, illegal_reward=-1),
    "CaptureStdout": wrappers.CaptureStdoutWrapper,
    "MultiEpisode": lambda env: wrappers.MultiEpisodeEnv(env, num_episodes=2),
    "all the usual ones": lambda env: wrappers.OrderEnforcingWrapper(
        wrappers.AssertOutOfBoundsWrapper(wrappers.TerminateIllegalWrapper(env, illegal_reward=-1))
    ),
}
NOT_FOR_THIS = {
    "BaseParallelWrapper": "a parallel environment",
    "ClipOutOfBoundsWrapper": "actions in a Box",
    "MultiEpisodeParallelEnv": "a parallel environment",
    "RecordVideo": "pictures",
    "RecordVideoParallel": "a parallel environment",
}


class Twin:
    """The same game played beside the environment: what each seat may be shown."""

    def __init__(self, env, seed):
        self.env = env.unwrapped
        self.game = self.env.game
        self.state = self.game.deal(seed)
        self.terminated = False

    def play(self, action):
        self.game.play(self.state, action)

    def compare(self, env):
        """Whatever is asked of any agent is that agent's own."""
        over = self.game.is_over(self.state)
        for seat, agent in enumerate(env.possible_agents):
            seen, mask = self.game.look(self.state, seat)
            wanted = {"observation": seen, "action_mask": mask}
            for asked in (env, self.env):
                shown = asked.observe(agent)
                if self.env._offender or over:
                    wanted["action_mask"] = np.zeros_like(mask)
                assert not difference(shown, wanted)
            view = self.env.view(agent)
            assert not difference(view.observation, seen)
            if agent in self.env.infos:
                assert not (self.env.infos[agent]["action_mask"] > wanted["action_mask"]).any()


def play(env, twin, chance, moves=None):
    """Play at random through the wrapper, so many moves or to the end."""
    for agent in env.agent_iter():
        twin.compare(env)
        observation, _, termination, truncation, info = env.last()
        assert not difference(observation, env.observe(agent))
        assert not difference(info["action_mask"], observation["action_mask"])
        if termination or truncation or moves == 0:
            return
        action = choose(observation["action_mask"], chance)
        env.step(action)
        twin.play(action)
        if moves is not None:
            moves -= 1


def finish(env, twin):
    """Take the dead steps."""
    asked = []
    while env.unwrapped.agents:
        twin.compare(env)
        asked.append(env.agent_selection)
        env.step(None)
    twin.compare(env)
    return asked


def test_every_wrapper_is_tried():
    names = {name.removesuffix("Wrapper").removesuffix("Env") for name in wrappers.__all__}
    left_out = {name.removesuffix("Wrapper").removesuffix("Env") for name in NOT_FOR_THIS}
    assert names - left_out <= set(WRAPPERS) | {"Base"} | {"BaseWrapper"}
    assert pettingzoo.utils.wrappers is wrappers


@pytest.mark.parametrize("kind", ["env", "raw_env"])
@pytest.mark.parametrize("name", WRAPPERS)
def test_in_a_wrapper_everybody_is_shown_their_own(name, kind, capsys):
    """To the very end; then with an illegal action after some moves."""
    chance = random.Random(1)
    mode = "human" if name == "CaptureStdout" else "ansi"
    env = WRAPPERS[name](getattr(CELL, kind)(mode))
    env.reset(seed=1)
    twin = Twin(env, 1)
    play(env, twin, chance)
    if name == "MultiEpisode":
        for _ in env.possible_agents:
            env.step(None)
        twin = Twin(env, 2)  # reset from inside the last step
        play(env, twin, chance)
    assert finish(env, twin) == env.possible_agents
    for moves in (1, 2, 4):
        env.reset(seed=moves)
        twin = Twin(env, moves)
        play(env, twin, chance, moves)
        mask = env.last()[0]["action_mask"]
        illegal = int(mask.argmin())
        if kind == "raw_env" and "TerminateIllegal" not in name and "all" not in name:
            with pytest.raises(ValueError, match="illegal"):
                env.step(illegal)
            twin.compare(env)
            continue
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            env.step(illegal)
        assert sorted(env.unwrapped.rewards.values()) == [-1.0] + [0.0] * (env.num_agents - 1)
        if name == "MultiEpisode":
            twin.compare(env)
            continue
        assert sorted(finish(env, twin)) == env.possible_agents


def test_turns_as_a_parallel_environment():
    for kind in ("env", "raw_env"):
        env = turn_based_aec_to_parallel(getattr(CELL, kind)())
        observations, _ = env.reset(seed=3)
        twin = Twin(env, 3)
        chance = random.Random(3)
        paid = dict.fromkeys(env.possible_agents, 0.0)
        while env.agents:
            twin.compare(env.aec_env)
            (actor,) = [agent for agent in env.agents if observations[agent]["action_mask"].any()]
            action = choose(observations[actor]["action_mask"], chance)
            observations, rewards, *_ = env.step({**dict.fromkeys(env.agents), actor: action})
            twin.play(action)
            for agent, reward in rewards.items():
                paid[agent] += reward
        assert list(paid.values()) == twin.game.rewards(twin.state).tolist()


def test_whatever_is_written_from_outside_shows_no_hand_and_changes_no_move(default_cell):
    chance = random.Random(2)
    env, plain = (default_cell.env("ansi") for _ in range(2))
    for each in (env, plain):
        each.reset(seed=2)
    twin = Twin(env, 2)
    number = 0
    while not twin.game.is_over(twin.state):
        for agent in env.possible_agents if looks_closely(number) else ():
            env.agent_selection = agent
            twin.compare(env)
            assert f"seen by {agent}\n" in env.render()
            observation, *_, info = env.last()
            assert not difference(observation, env.observe(agent))
            assert not difference(info["action_mask"], observation["action_mask"])
        env.terminations = dict.fromkeys(env.agents, True)
        env.rewards = dict.fromkeys(env.agents, 5.0)
        env.agent_selection = env.possible_agents[number % len(env.possible_agents)]
        action = choose(plain.last()[0]["action_mask"], chance)
        if looks_closely(number):
            assert env.snapshot() == plain.snapshot()
        env.step(action)
        plain.step(action)
        twin.play(action)
        assert not difference(dict(env.infos), dict(plain.infos))
        number += 1
    assert env.rewards == plain.rewards
    for agent in env.possible_agents:
        env.agent_selection = env.possible_agents[-1]
        assert env.agents[0] == agent
        twin.compare(env)
        env.step(None)
    assert env.agents == []


def test_the_offender_is_the_seat_that_acts_by_the_record():
    env = CELL.env()
    env.reset(seed=0)
    actor = env.agent_selection
    illegal = int(env.last()[0]["action_mask"].argmin())
    env.agent_selection = next(agent for agent in env.agents if agent != actor)
    with pytest.warns(UserWarning, match=f"{actor} loses the game"):
        env.step(illegal)
    assert env.rewards[actor] == -1


def test_a_game_ended_from_outside_goes_on_where_it_was_in_copies():
    """A wrapper that ends the game takes the agents out of it; the record knows nothing of that."""
    env = wrappers.TerminateIllegalWrapper(CELL.raw_env(), illegal_reward=-1)
    env.reset(seed=0)
    before = env.unwrapped.snapshot()
    env.step(int(env.last()[0]["action_mask"].argmin()))
    env.step(None)
    assert env.unwrapped.snapshot() == before
    other = env.unwrapped.determinize("player_0", seed=1)
    assert other.agents == other.possible_agents
    env.reset(seed=0)
    assert env.unwrapped.snapshot() == before


def test_what_is_handed_out_is_the_callers_own(default_cell):
    env, other = default_cell.env(), default_cell.env()
    env.reset(seed=4)
    other.reset(seed=4)
    chance = random.Random(4)
    for _ in range(20):
        agent = other.agent_selection
        if other.terminations[agent] or other.truncations[agent]:
            break
        assert not difference(env.last(), other.last())
        action = choose(other.last()[0]["action_mask"], chance)
        observation, *_, info = env.last()
        for array in (*observation.values(), info["action_mask"]):
            array[:] = 1
        assert not difference(env.last()[0], other.last()[0])
        for name in env.possible_agents:
            assert not difference(env.observe(name), other.observe(name))
            env.infos[name]["action_mask"][:] = 1
            env.view(name).action_mask[:] = 1
        env.step(action)
        other.step(action)
        assert not difference(env.infos[env.agent_selection], other.infos[env.agent_selection])
