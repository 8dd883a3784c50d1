"""The random agent, and agents named by strings."""

import random

import numpy as np
import pytest
from scipy import stats

from railenvs.engine.agent import Agent, RandomAgent, make_agent, register_agent
from tests.play import random_steps


def views(cell, seed, steps=30):
    """Views of the seats to act in a random game."""
    env = cell.env()
    env.reset(seed=seed)
    chance = random.Random(seed)
    for _ in range(steps):
        if env.terminations[env.agent_selection] or env.truncations[env.agent_selection]:
            break
        view = env.view(env.agent_selection)
        yield view
        env.step(chance.choice(view.legal_actions.tolist()))


def test_random_agent_plays_legal_actions(cell):
    agent = RandomAgent(cell.game(), seed=0)
    assert isinstance(agent, Agent)
    for view in views(cell, 0):
        action = agent.act(view)
        assert type(action) is int
        assert view.action_mask[action] == 1
    batch = cell.batch(32)
    for _ in random_steps(batch, 30):
        actions = agent.act_batch(batch.observations, batch.action_masks)
        assert (actions.shape, actions.dtype) == ((32,), np.int64)
        assert batch.action_masks[np.arange(32), actions].all()


def test_equal_seeds_choose_alike_and_others_differ(default_cell):
    game = default_cell.game()
    seen = list(views(default_cell, 1))

    def chosen(agent):
        return [agent.act(view) for view in seen]

    agent = RandomAgent(game, seed=5)
    first = chosen(agent)
    assert chosen(RandomAgent(game, seed=5)) == first
    assert chosen(agent) != first
    agent.reset(5)
    assert chosen(agent) == first
    assert chosen(RandomAgent(game, seed=6)) != first
    assert len({tuple(chosen(RandomAgent(game))) for _ in range(5)}) == 5
    agent.reset()
    assert chosen(agent) != first


def test_one_view_and_a_batch_of_one_choose_alike(default_cell):
    one, other = (RandomAgent(default_cell.game(), seed=7) for _ in range(2))
    for view in views(default_cell, 2):
        actions = other.act_batch(view.observation[None], view.action_mask[None])
        assert [one.act(view)] == actions.tolist()


def test_random_agent_is_uniform_over_legal_actions(default_cell):
    batch = default_cell.batch(4096, seed=3)
    agent = RandomAgent(batch.game, seed=3)
    row = batch.action_masks[0]
    masks = np.repeat(row[None], 40_000, axis=0)
    actions = agent.act_batch(np.zeros((len(masks), 1), np.int8), masks)
    counts = np.bincount(actions, minlength=row.size)
    assert not counts[row == 0].any()
    assert stats.chisquare(counts[row == 1]).pvalue > 1e-6


def test_agents_neither_read_nor_write_global_random_state(default_cell):
    np.random.seed(0)  # noqa: NPY002
    before = np.random.get_state()[1].tobytes()  # noqa: NPY002
    agent = RandomAgent(default_cell.game(), seed=1)
    for view in views(default_cell, 3):
        agent.act(view)
    assert np.random.get_state()[1].tobytes() == before  # noqa: NPY002


@pytest.mark.parametrize("seed", [-1, 2**63, 1.0, "1", True])
def test_wrong_seed_is_refused(default_cell, seed):
    with pytest.raises(ValueError, match="seed"):
        RandomAgent(default_cell.game(), seed=seed)
    with pytest.raises(ValueError, match="seed"):
        make_agent("random", default_cell.game(), seed=seed)


def test_agents_by_name(default_cell):
    game = default_cell.game()
    made = make_agent("random", game, seed=4)
    own = RandomAgent(game, seed=4)
    path = make_agent("railenvs.engine.agent:RandomAgent", game, seed=4)
    for view in views(default_cell, 4):
        assert made.act(view) == own.act(view) == path.act(view)


@pytest.mark.parametrize(
    "name",
    ["", "nobody", ":", "random_agent", "no_such_module:Agent", "railenvs:NoSuchClass", None, 3],
)
def test_unknown_agent_is_refused(default_cell, name):
    with pytest.raises(ValueError, match="agent"):
        make_agent(name, default_cell.game())


def test_an_unknown_kind_with_an_argument_is_told_what_there_is(default_cell):
    with pytest.raises(ValueError, match=r"no agent 'search:20'.*there are random.* adds more"):
        make_agent("search:20", default_cell.game())


def test_registered_kind_gets_its_argument(default_cell):
    made = []

    def factory(game, seed, argument):
        made.append((game, seed, argument))
        return RandomAgent(game, seed)

    register_agent("kind_of_a_test", factory)
    game = default_cell.game()
    assert isinstance(make_agent("kind_of_a_test:some:thing", game, seed=3), RandomAgent)
    make_agent("kind_of_a_test", game)
    assert made == [(game, 3, "some:thing"), (game, None, "")]


def test_agents_play_whole_batches(default_cell):
    batch = default_cell.batch(16, seed=5)
    agent = RandomAgent(batch.game, seed=5)
    ended = 0
    for _ in range(1000):
        batch.step(agent.act_batch(batch.observations, batch.action_masks))
        ended += int((batch.terminations | batch.truncations).sum())
    assert ended > 0
