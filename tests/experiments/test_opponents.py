"""Shares of fixed agents, and how earlier selves share theirs."""

from __future__ import annotations

import pickle

import pytest

from experiments.opponents import REMEMBERED, OpponentPool, read_shares

SHARES = {"random": 0.1, "heuristic": 0.3, "self": 0.6}


def pool(sampling="uniform", selves=("ppo:a", "ppo:b", "ppo:c"), **settings) -> OpponentPool:
    made = OpponentPool(SHARES, sampling, even=0.5, **settings)
    for name in selves:
        made.add(name)
    return made


def test_shares_are_read_from_words():
    assert read_shares(["random=1", "ppo:runs/a=b/player.zip=0.25"]) == {
        "random": 1.0,
        "ppo:runs/a=b/player.zip": 0.25,
    }


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["random"], "NAME=WEIGHT, not 'random'"),
        (["=1"], "NAME=WEIGHT, not '=1'"),
        (["random=1", "random=2"], "'random' is given twice"),
        (["random=much"], "weight of 'random' must be a number from 0 up, not 'much'"),
        (["random=-1"], "weight of 'random' must be a number from 0 up, not '-1'"),
        (["random=inf"], "weight of 'random' must be a number from 0 up, not 'inf'"),
        (["self=1"], "at first there is no earlier self"),
        (["self=1", "random=0"], "at first there is no earlier self"),
        ([], "at first there is no earlier self"),
    ],
)
def test_wrong_shares_are_named(words, message):
    with pytest.raises(ValueError, match=message):
        read_shares(words)


@pytest.mark.parametrize("sampling", ["recency", "uniform", "difficulty"])
def test_fixed_agents_keep_their_shares_as_the_pool_grows(sampling):
    assert pool(sampling, selves=()).weights() == {"random": 0.1, "heuristic": 0.3}
    for size in range(1, 12):
        weights = pool(sampling, selves=[f"ppo:{n}" for n in range(size)]).weights()
        assert (weights.pop("random"), weights.pop("heuristic")) == (0.1, 0.3)
        assert len(weights) == size
        assert sum(weights.values()) == pytest.approx(0.6)


def test_uniform_sampling_takes_all_selves_alike():
    weights = pool("uniform").weights()
    assert weights["ppo:a"] == weights["ppo:b"] == weights["ppo:c"] == pytest.approx(0.2)


def test_sampling_by_recency_prefers_the_latest():
    weights = pool("recency").weights()
    assert weights["ppo:b"] == pytest.approx(0.8 * weights["ppo:c"])
    assert weights["ppo:a"] == pytest.approx(0.8 * weights["ppo:b"])


def test_sampling_by_difficulty_prefers_those_that_the_learner_beats_least():
    selves = pool("difficulty")
    equal = selves.weights()
    assert equal["ppo:a"] == equal["ppo:c"]
    for game in range(200):
        selves.count(["ppo:a"], won=1.0)
        selves.count(["ppo:b"], won=game % 2)
        selves.count(["ppo:c"], won=0.0)
    weights = selves.weights()
    assert weights["ppo:a"] < weights["ppo:b"] < weights["ppo:c"]
    # (1 - x) squared, with 20 games assumed to have been even: x is 210, 110 and 10 of 220.
    assert weights["ppo:b"] / weights["ppo:c"] == pytest.approx((110 / 210) ** 2)


def test_an_opponent_that_always_loses_is_still_met():
    selves = pool("difficulty", selves=["ppo:a", "ppo:b"])
    for _ in range(10_000):
        selves.count(["ppo:a", "ppo:b"], won=1.0)
    assert selves.weights()["ppo:a"] == pytest.approx(0.3)


def test_difficulty_is_that_of_the_latest_games():
    selves = pool("difficulty", selves=["ppo:a", "ppo:b"])
    for won in (0.0, 1.0):
        for _ in range(REMEMBERED):
            selves.count(["ppo:a"], won=won)
    assert selves.selves[0].games == 2 * REMEMBERED
    assert selves.weights()["ppo:a"] < selves.weights()["ppo:b"]


def test_a_self_in_two_seats_counts_once_a_game():
    selves = pool("difficulty")
    selves.count(["ppo:a", "random", "ppo:a"], won=1.0)
    assert [each.games for each in selves.selves] == [1, 0, 0]


def test_only_the_latest_selves_are_kept_if_asked():
    selves = pool(most=2)
    assert [each.name for each in selves.selves] == ["ppo:b", "ppo:c"]
    selves.count(["ppo:a"], won=1.0)
    assert selves.kind("ppo:a") == "self"
    assert selves.kind("random") == "random"


def test_a_pool_is_saved_with_all_it_knows():
    selves = pool("difficulty")
    selves.count(["ppo:b"], won=1.0)
    again = pickle.loads(pickle.dumps(selves))
    assert again.weights() == selves.weights()
    assert again.as_list() == selves.as_list()
