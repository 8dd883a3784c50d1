"""What every agent does alike, in every game."""

from __future__ import annotations

import random

import numpy as np
import pytest
from scipy import stats

import agents
import railenvs
from agents.heuristics import make_heuristic
from agents.heuristics.policy import choose_rows
from railenvs.engine.agent import RandomAgent
from railenvs.engine.view import SeatView
from tests.engine.toy_game import toy
from tests.play import random_states, random_steps

NAMES = ("random", "heuristic")
all_agents = pytest.mark.parametrize("name", NAMES)


def decisions(cell, games=3):
    """Observations and masks of the decisions of some random games."""
    game = cell.game()
    looks = [
        game.look(state, game.seat(state))
        for seed in range(games)
        for state in random_states(game, seed)
        if not game.is_over(state)
    ]
    observations, masks = zip(*looks, strict=True)
    return np.array(observations), np.array(masks)


@all_agents
def test_plays_legal_actions_only(cell, name):
    batch = cell.batch(64, seed=1)
    agent = agents.make(name, batch.game, seed=1)
    assert isinstance(agent, agents.Agent)
    for _ in random_steps(batch, 60):
        actions = agent.act_batch(batch.observations, batch.action_masks)
        assert (actions.shape, actions.dtype) == ((64,), np.int64)
        assert batch.action_masks[np.arange(64), actions].all()


@all_agents
def test_a_batch_chooses_as_single_views_do(seating, name):
    game = seating.game()
    one, other = (agents.make(name, game, seed=2) for _ in range(2))
    views = [
        SeatView(game, state, game.seat(state))
        for state in random_states(game, 5)
        if not game.is_over(state)
    ]
    singles = [one.act(view) for view in views]
    assert all(type(action) is int for action in singles)
    observations = np.array([view.observation for view in views])
    masks = np.array([view.action_mask for view in views])
    assert other.act_batch(observations, masks).tolist() == singles


@all_agents
def test_seed_fixes_the_choices_and_reset_starts_afresh(seating, name):
    observations, masks = decisions(seating)
    agent = agents.make(name, seating.game(), seed=3)
    first = agent.act_batch(observations, masks).tolist()
    again = agents.make(name, seating.game(), seed=3)
    assert again.act_batch(observations, masks).tolist() == first
    agent.reset(3)
    assert agent.act_batch(observations, masks).tolist() == first
    assert (
        agents.make(name, seating.game(), seed=4).act_batch(observations, masks).tolist() != first
    )
    agent.reset()
    assert agent.act_batch(observations, masks).tolist() != first


@all_agents
def test_an_empty_batch_gives_no_actions(default_cell, name):
    game = default_cell.game()
    nothing = np.zeros((0, game.observation_size), np.int8)
    masks = np.zeros((0, game.num_actions), np.int8)
    assert agents.make(name, game, seed=0).act_batch(nothing, masks).shape == (0,)


@all_agents
def test_inputs_stay_as_they_were(default_cell, name):
    observations, masks = decisions(default_cell)
    kept = observations.copy(), masks.copy()
    agents.make(name, default_cell.game(), seed=0).act_batch(observations, masks)
    np.testing.assert_array_equal(observations, kept[0])
    np.testing.assert_array_equal(masks, kept[1])


@all_agents
def test_choices_do_not_depend_on_what_a_seat_cannot_know(seating, name):
    game = seating.game()
    worlds_differ = False
    for state in random_states(game, 6):
        if game.is_over(state):
            break
        seat = game.seat(state)
        other = game.determinize(state, seat, seed=99)
        worlds_differ |= game.state_hash(other) != game.state_hash(state)
        true, dealt = (agents.make(name, game, seed=7) for _ in range(2))
        assert true.act(SeatView(game, state, seat)) == dealt.act(SeatView(game, other, seat))
    assert worlds_differ


@all_agents
@pytest.mark.parametrize("seed", [-1, 2**63, 1.0, "1", True])
def test_wrong_seed_is_refused(default_cell, name, seed):
    with pytest.raises(ValueError, match="seed"):
        agents.make(name, default_cell.game(), seed=seed)
    with pytest.raises(ValueError, match="seed"):
        agents.make(name, default_cell.game()).reset(seed)


def test_random_is_uniform_over_the_legal_actions_of_each_decision(default_cell):
    _, masks = decisions(default_cell)
    agent = agents.make("random", default_cell.game(), seed=8)
    chance = random.Random(8)
    for mask in chance.sample(list(masks[masks.sum(axis=1) > 1]), 10):
        many = np.repeat(mask[None], 10_000, axis=0)
        actions = agent.act_batch(np.zeros((10_000, 1), np.int8), many)
        counts = np.bincount(actions, minlength=mask.size)
        assert not counts[mask == 0].any()
        assert stats.chisquare(counts[mask == 1]).pvalue > 1e-6


def test_module_and_class_name_an_agent(default_cell):
    agent = agents.make("railenvs.engine.agent:RandomAgent", default_cell.game(), seed=1)
    assert isinstance(agent, RandomAgent)


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("nobody", "no agent 'nobody'; there are random, .*heuristic, .*ppo"),
        ("heuristic:strong", "nothing after a colon, not 'strong'"),
        ("ppo", "no saved model at ''"),
        ("ppo:no/such/file", "no saved model at 'no/such/file'"),
    ],
)
def test_wrong_names_are_refused(default_cell, name, message):
    with pytest.raises(ValueError, match=message):
        agents.make(name, default_cell.game())


def test_heuristics_choose_alike_with_and_without_the_compiler(default_cell):
    game = default_cell.game()
    observations, masks = (part[::4] for part in decisions(default_cell, games=1))
    compiled, plain = (make_heuristic(game, seed=3) for _ in range(2))
    actions = np.empty(len(masks), np.int64)
    without_compiler = getattr(choose_rows, "py_func", choose_rows)
    without_compiler(plain.policy, plain._generator, observations, masks, actions)
    assert compiled.act_batch(observations, masks).tolist() == actions.tolist()


def test_records_of_heuristics_have_no_field_that_numpy_takes_for_its_own(default_cell):
    # In plain Python ``policy.size`` is numpy's, whatever the field of that name holds.
    policy = make_heuristic(default_cell.game()).policy
    assert set(policy.dtype.names).isdisjoint(dir(np.record))


def test_a_game_without_heuristic_says_so():
    with pytest.raises(ValueError, match=r"no heuristic for 'toy_.*there is one for deck_express"):
        make_heuristic(toy())


def test_heuristics_think_apart_in_threads_that_share_one(default_cell):
    """Nothing is written on the record that they share."""
    agent = agents.make("heuristic", default_cell.game(), seed=0)
    before = agent.policy.tobytes()
    agent.act_batch(*decisions(default_cell))
    assert agent.policy.tobytes() == before


@pytest.mark.parametrize("name", ["random", "heuristic", "ismcts:5,cutoff=5"])
def test_what_is_no_view_of_the_game_is_refused(name):
    game, other = (railenvs.load_game("deck_express-v0", seats) for seats in (2, 3))
    agent = agents.make(name, game, seed=0)
    with pytest.raises(ValueError, match="view must be a SeatView, not None"):
        agent.act(None)
    state = other.deal(0)
    with pytest.raises(ValueError, match="was given a view of"):
        agent.act(SeatView(other, state, other.seat(state)))


def test_heuristics_refuse_arrays_of_other_sizes():
    game = railenvs.load_game("deck_express-v0", 2)
    agent = agents.make("heuristic", game, seed=0)
    batch = railenvs.Batch(game, 3, seed=0)
    for observations, masks in (
        (batch.observations[:, 1:], batch.action_masks),
        (batch.observations, batch.action_masks[:2]),
        (batch.observations[0], batch.action_masks[0]),
    ):
        with pytest.raises(ValueError, match="observations and action_masks must have shapes"):
            agent.act_batch(observations, masks)
