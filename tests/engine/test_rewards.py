"""What seats receive at the end, by the reward option; cut-off games; shared wins."""

import itertools
import random

import numpy as np
import pytest

from railenvs import Batch
from railenvs.adapters.pettingzoo import RailEnv
from tests.engine.toy_game import ROUNDS, toy
from tests.grid import REWARDS, SEATINGS
from tests.play import choose_rows, play_out, random_states


def outcome(winners, num_players):
    """Zero-sum: (N w - 1) / (N - 1), where winners share w = 1."""
    if not winners:
        return [0.0] * num_players
    shares = [1 / len(winners) if seat in winners else 0.0 for seat in range(num_players)]
    return [(num_players * share - 1) / (num_players - 1) for share in shares]


def margin(scores):
    return [
        score - sum(scores[:seat] + scores[seat + 1 :]) / (len(scores) - 1)
        for seat, score in enumerate(scores)
    ]


def wanted(reward, scores, winners):
    if reward == "outcome":
        return outcome(winners, len(scores))
    return margin(scores) if reward == "margin" else scores


@pytest.mark.parametrize("paid", [*SEATINGS, *REWARDS], ids=str)
def test_rewards_of_finished_games(paid):
    game = paid.game()
    for seed in range(20):
        *_, state = random_states(game, seed)
        scores, winners = game.scores(state).tolist(), game.winners(state)
        rewards = game.rewards(state)
        assert rewards.dtype == np.float64
        expected = wanted(game.options["reward"], scores, winners)
        np.testing.assert_allclose(rewards, expected, rtol=1e-12)
        if game.options["reward"] != "score":
            assert abs(rewards.sum()) < 1e-9


def test_winners_have_the_best_score(cell):
    """Ties among the best may be broken, and nobody below the best wins."""
    game = cell.game()
    for seed in range(50):
        *_, state = random_states(game, seed)
        scores, winners = game.scores(state), game.winners(state)
        if not game.is_truncated(state):
            assert winners
            assert all(scores[seat] == scores.max() for seat in winners)


def test_nothing_is_paid_and_nobody_has_won_before_the_end(cell):
    game = cell.game()
    *states, _ = random_states(game, 0)
    for state in states:
        assert not game.rewards(state).any()
        assert game.winners(state) == ()


def test_scores_and_winners_of_the_environment_are_the_games(cell):
    env = cell.env()
    env.reset(seed=1)
    play_out(env, random.Random(1))
    *_, state = random_states(cell.game(), 1)
    assert list(env.scores().values()) == cell.game().scores(state).tolist()
    assert env.winners() == [f"player_{seat}" for seat in cell.game().winners(state)]


# Any number of winners, by the toy


def played(game, points):
    """A toy game in which each seat takes so many points."""
    state = game.deal(0)
    left = list(points)
    while not game.is_over(state):
        seat = game.seat(state)
        action = min(2, left[seat])
        left[seat] -= action
        game.play(state, action)
    assert not any(left)
    return state


@pytest.mark.parametrize("reward", ["outcome", "margin", "score"])
@pytest.mark.parametrize("num_players", [2, 3, 4, 5])
def test_every_pattern_of_points(num_players, reward):
    game = toy(num_players, reward=reward)
    for points in itertools.product((0, 1, 2 * ROUNDS), repeat=num_players):
        state = played(game, points)
        winners = tuple(seat for seat in range(num_players) if points[seat] == max(points))
        assert game.winners(state) == winners
        expected = wanted(reward, list(points), winners)
        np.testing.assert_allclose(game.rewards(state), expected, rtol=1e-12, atol=1e-12)
        if reward != "score":
            assert abs(sum(game.rewards(state).tolist())) < 1e-9


@pytest.mark.parametrize("reward", ["outcome", "margin"])
def test_what_is_paid_sums_to_zero_everywhere(reward):
    """As strictly as checks of zero-sum games ask: thirds in single precision are too coarse."""
    game = toy(4, reward=reward)
    batch = Batch(game, 16, seed=0)
    env = RailEnv(game)
    env.reset(seed=0)
    play_out(env, random.Random(0))
    assert abs(sum(env.rewards.values())) < 1e-9
    chance = np.random.default_rng(0)
    paid = np.zeros(4)
    for _ in range(3 * 4 * ROUNDS):
        batch.step(choose_rows(batch.action_masks, chance))
        assert np.abs(batch.rewards.sum(axis=1)).max() < 1e-9
        paid += np.abs(batch.rewards).sum(axis=0)
    assert paid.all()


def test_two_players_win_and_lose_one():
    game = toy(2)
    assert game.rewards(played(game, (3, 1))).tolist() == [1, -1]
    assert game.rewards(played(game, (0, 4))).tolist() == [-1, 1]
    assert game.rewards(played(game, (2, 2))).tolist() == [0, 0]


@pytest.mark.parametrize("num_players", [2, 3, 4, 5])
def test_nobody_wins_pays_nothing(num_players):
    game = toy(num_players, end="nobody wins")
    state = played(game, range(num_players))
    assert game.winners(state) == ()
    assert not game.rewards(state).any()


# Cut-off games


def test_cut_off_game_has_no_winner_and_pays_nothing():
    game = toy(3, end="truncated")
    state = played(game, (1, 2, 3))
    assert game.is_over(state)
    assert game.is_truncated(state)
    assert game.winners(state) == ()
    assert game.rewards(state).tolist() == [0, 0, 0]
    assert game.scores(state).tolist() == [1, 2, 3]


@pytest.mark.parametrize(("reward", "received"), [("margin", [-1.5, 0, 1.5]), ("score", [1, 2, 3])])
def test_cut_off_game_still_pays_by_score(reward, received):
    game = toy(3, end="truncated", reward=reward)
    assert game.rewards(played(game, (1, 2, 3))).tolist() == received


def test_cut_off_game_in_the_environment():
    env = RailEnv(toy(3, end="truncated"))
    env.reset(seed=0)
    play_out(env, random.Random(0))
    assert env.truncations == dict.fromkeys(env.possible_agents, True)
    assert env.terminations == dict.fromkeys(env.possible_agents, False)
    assert env.record()["finished"] == "truncated"
    assert env.record()["winners"] == []
    restored = RailEnv(toy(3, end="truncated"))
    restored.restore(env.snapshot())
    assert restored.truncations == env.truncations
    for agent in env.agent_iter():
        observation, reward, termination, truncation, _ = env.last()
        assert (reward, termination, truncation) == (0.0, False, True)
        assert not observation["action_mask"].any()
        with pytest.raises(ValueError, match="None"):
            env.step(0)
        env.step(None)
        assert agent not in env.agents
    assert env.agents == []


def test_cut_off_games_in_a_batch():
    batch = Batch(toy(3, end="truncated"), 4, seed=0)
    chance = np.random.default_rng(0)
    for number in range(1, 2 * 3 * ROUNDS + 1):
        batch.step(choose_rows(batch.action_masks, chance))
        over = number % (3 * ROUNDS) == 0
        assert batch.truncations.tolist() == [over] * 4
        assert not batch.terminations.any()
        assert not batch.rewards.any()
        assert not batch.final_winners.any()
    assert batch.final_scores.any()
