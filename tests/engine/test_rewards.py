"""What seats receive at the end, by the reward option; cut-off games; shared wins."""

import itertools
import random

import numpy as np
import pytest

import railenvs
from railenvs import Batch
from railenvs.adapters.pettingzoo import RailEnv
from tests.engine.toy_game import ROUNDS, toy
from tests.grid import REWARDS, SEATINGS
from tests.play import choose_rows, play_out, random_states


def outcome(winners, num_players, cut_off="loss"):
    """Zero-sum: (N w - 1) / (N - 1), where winners share w = 1; without a winner all lose."""
    if not winners and cut_off != "loss":
        return [0.0] * num_players
    shares = [1 / len(winners) if seat in winners else 0.0 for seat in range(num_players)]
    return [(num_players * share - 1) / (num_players - 1) for share in shares]


def margin(scores):
    return [
        score - sum(scores[:seat] + scores[seat + 1 :]) / (len(scores) - 1)
        for seat, score in enumerate(scores)
    ]


def wanted(options, scores, winners):
    reward = options["reward"]
    if reward == "outcome":
        return outcome(winners, len(scores), options.get("cut_off"))
    return margin(scores) if reward == "margin" else scores


@pytest.mark.parametrize("paid", [*SEATINGS, *REWARDS], ids=str)
def test_rewards_of_finished_games(paid):
    game = paid.game()
    for seed in range(20):
        *_, state = random_states(game, seed)
        scores, winners = game.scores(state).tolist(), game.winners(state)
        rewards = game.rewards(state)
        assert rewards.dtype == np.float64
        np.testing.assert_allclose(rewards, wanted(game.options, scores, winners), rtol=1e-12)
        assert bool(winners) != game.is_cut_off(state)
        if game.options["reward"] == "score":
            continue
        lost_by_all = not winners and game.options["cut_off"] == "loss"
        if game.options["reward"] == "outcome" and lost_by_all:
            assert rewards.sum() == pytest.approx(-game.num_players / (game.num_players - 1))
        else:
            assert abs(rewards.sum()) < 1e-9


def test_winners_have_the_best_score(cell):
    """Ties among the best may be broken, and nobody below the best wins."""
    game = cell.game()
    for seed in range(50):
        *_, state = random_states(game, seed)
        scores, winners = game.scores(state), game.winners(state)
        if not game.is_cut_off(state):
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
        expected = wanted(game.options, list(points), winners)
        np.testing.assert_allclose(game.rewards(state), expected, rtol=1e-12, atol=1e-12)
        if game.options["reward"] != "score":
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


# Games that nobody wins: cut off, or ended so by their rules

LOST = {seats: -1 / (seats - 1) for seats in (2, 3, 4, 5)}
PAID = {"loss": LOST, "draw": dict.fromkeys(LOST, 0), "truncate": dict.fromkeys(LOST, 0)}
by_cut_off = pytest.mark.parametrize("cut_off", PAID)


@by_cut_off
@pytest.mark.parametrize("end", ["cut off", "nobody wins"])
def test_where_nobody_wins_all_get_what_the_option_says(end, cut_off):
    for num_players, paid in PAID[cut_off].items():
        game = toy(num_players, end=end, cut_off=cut_off)
        state = played(game, range(num_players))
        assert game.is_over(state)
        assert game.is_cut_off(state) == (end == "cut off")
        assert game.is_truncated(state) == (end == "cut off" and cut_off == "truncate")
        assert game.winners(state) == ()
        assert game.scores(state).tolist() == list(range(num_players))
        assert game.rewards(state) == pytest.approx([paid] * num_players)


@by_cut_off
@pytest.mark.parametrize(("reward", "received"), [("margin", [-1.5, 0, 1.5]), ("score", [1, 2, 3])])
def test_margin_and_score_stand_in_a_game_cut_off(reward, received, cut_off):
    game = toy(3, end="cut off", reward=reward, cut_off=cut_off)
    assert game.rewards(played(game, (1, 2, 3))).tolist() == received


@by_cut_off
def test_cut_off_game_in_the_environment(cut_off):
    truncates, paid = cut_off == "truncate", PAID[cut_off][3]
    env = RailEnv(toy(3, end="cut off", cut_off=cut_off))
    env.reset(seed=0)
    play_out(env, random.Random(0))
    assert env.truncations == dict.fromkeys(env.possible_agents, truncates)
    assert env.terminations == dict.fromkeys(env.possible_agents, not truncates)
    assert env.rewards == dict.fromkeys(env.possible_agents, paid)
    assert env.winners() == []
    assert env.record()["finished"] == ("truncated" if cut_off == "truncate" else "cut_off")
    assert env.record()["winners"] == []
    assert env.record()["options"]["cut_off"] == cut_off
    restored = RailEnv(toy(3, end="cut off", cut_off=cut_off))
    restored.restore(env.snapshot())
    assert restored.truncations == env.truncations
    assert restored.terminations == env.terminations
    for agent in env.agent_iter():
        observation, reward, termination, truncation, _ = env.last()
        assert (reward, termination, truncation) == (paid, not truncates, truncates)
        assert not observation["action_mask"].any()
        with pytest.raises(ValueError, match="None"):
            env.step(0)
        env.step(None)
        assert agent not in env.agents
    assert env.agents == []


@by_cut_off
def test_cut_off_games_in_a_batch(cut_off):
    batch = Batch(toy(3, end="cut off", cut_off=cut_off), 4, seed=0)
    chance = np.random.default_rng(0)
    for number in range(1, 2 * 3 * ROUNDS + 1):
        batch.step(choose_rows(batch.action_masks, chance))
        over = number % (3 * ROUNDS) == 0
        assert batch.truncations.tolist() == [over and cut_off == "truncate"] * 4
        assert batch.terminations.tolist() == [over and cut_off != "truncate"] * 4
        assert (batch.rewards == (PAID[cut_off][3] if over else 0)).all()
        assert not batch.final_winners.any()
    assert batch.final_scores.any()


def test_only_games_that_can_be_cut_off_have_the_option(game_id):
    options = railenvs.load_game(game_id).options
    assert ("cut_off" in options) == ("max_turns" in options)
    assert options.get("cut_off", "loss") == "loss"
    if "cut_off" not in options:
        with pytest.raises(ValueError, match="no option 'cut_off'"):
            railenvs.load_game(game_id, cut_off="draw")
