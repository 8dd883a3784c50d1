"""stable-baselines3's wrappers, MaskablePPO and its evaluation on our VecEnv."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch
from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.evaluation import evaluate_policy as evaluate_with_masks
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.evaluation import evaluate_policy
from stable_baselines3.common.vec_env import VecCheckNan, VecMonitor, VecNormalize

from railenvs.adapters.sb3 import SelfPlayVecEnv
from tests.adapters.countdown import countdown
from tests.adapters.playing import GAMES, Hashing, by_name, first_legal, raw, until

# Networks this small gain nothing from threads, which would contend with other test processes.
torch.set_num_threads(1)

all_games = pytest.mark.parametrize("game", GAMES, ids=by_name)
OPPONENTS = ["random", Hashing(1)]


def small(env: Any, **given: Any) -> MaskablePPO:
    settings = {"n_steps": 32, "batch_size": 64, "n_epochs": 2, "seed": 0, "device": "cpu"}
    return MaskablePPO("MlpPolicy", env, **{**settings, **given})


# Wrappers


@all_games
def test_vec_monitor_counts_the_learners_returns_and_steps(game):
    plain = raw(game, 4)
    env = VecMonitor(raw(game, 4), info_keywords=("won", "opponents", "seat"))
    plain.reset()
    env.reset()
    returns, lengths = np.zeros(4), np.zeros(4, int)
    finished = 0
    for _ in until(lambda: finished > 3):
        actions = first_legal(plain)
        _, rewards, dones, infos = plain.step(actions)
        monitored = env.step(actions)[3]
        returns += rewards
        lengths += 1
        for row in range(4):
            assert "episode" not in infos[row]
            assert ("episode" in monitored[row]) == dones[row]
            if dones[row]:
                finished += 1
                episode = monitored[row]["episode"]
                assert episode["r"] == pytest.approx(returns[row])
                assert episode["l"] == lengths[row]
                assert episode["won"] == infos[row]["won"]
                assert episode["opponents"] == infos[row]["opponents"]
                returns[row] = lengths[row] = 0


@all_games
def test_vec_check_nan_and_vec_normalize(game):
    env = VecNormalize(VecCheckNan(VecMonitor(SelfPlayVecEnv(game, 4, OPPONENTS, seed=0)), True))
    assert np.isfinite(env.reset()).all()
    ended = 0
    for _ in until(lambda: ended > 3):
        observations, rewards, dones, infos = env.step(env.action_masks().argmax(axis=1))
        assert np.isfinite(observations).all()
        assert np.isfinite(rewards).all()
        for row in np.flatnonzero(dones):
            ended += 1
            assert np.abs(infos[row]["terminal_observation"]).max() <= env.clip_obs


def test_opponents_can_be_changed_through_wrappers():
    env = VecNormalize(VecMonitor(raw(countdown(), 2)))
    env.set_opponents({"random": 1, Hashing(1): 3})
    assert env.opponents == {"random": 0.25, "hashing 1": 0.75}


# Training


class Watch(BaseCallback):
    """Compares, before each update, the buffer with what the env gave and with the policy."""

    def __init__(self) -> None:
        super().__init__()
        self.masks: list[np.ndarray] = []
        self.rollouts = 0

    def _on_step(self) -> bool:
        self.masks.append(self.locals["action_masks"])
        return True

    def _on_rollout_end(self) -> None:
        buffer = self.model.rollout_buffer
        masks = np.array(self.masks)
        np.testing.assert_array_equal(buffer.action_masks, masks)
        taken = buffer.actions.astype(int)
        assert np.take_along_axis(masks, taken, axis=2).all()
        flat = [
            torch.as_tensor(array.reshape(-1, *array.shape[2:]))
            for array in (buffer.observations, buffer.actions, buffer.action_masks)
        ]
        with torch.no_grad():
            _, log_probs, _ = self.model.policy.evaluate_actions(
                flat[0], flat[1].flatten(), action_masks=flat[2]
            )
        stored = buffer.log_probs.flatten()
        np.testing.assert_allclose(log_probs.numpy(), stored, atol=1e-5)
        # Some decision left a choice, so that masks and probabilities meant something.
        assert stored.min() < -0.5
        self.masks.clear()
        self.rollouts += 1


@all_games
def test_maskable_ppo_trains_by_the_masks(game):
    env = VecMonitor(SelfPlayVecEnv(game, 8, OPPONENTS, seed=0))
    watch = Watch()
    model = small(env)
    model.learn(3 * 32 * 8, callback=watch)
    assert watch.rollouts == 3
    # Whole games are counted, once there are some.
    assert len(model.ep_success_buffer) == len(model.ep_info_buffer)


def test_training_is_reproducible():
    def weights() -> torch.Tensor:
        env = SelfPlayVecEnv(countdown(), 4, seed=5)
        model = small(env).learn(256)
        return torch.cat([part.flatten() for part in model.policy.parameters()])

    assert torch.equal(weights(), weights())


def test_maskable_ppo_learns():
    game = countdown(2)
    model = small(VecMonitor(SelfPlayVecEnv(game, 16, seed=0)), learning_rate=0.003)

    def win_rate() -> float:
        env = VecMonitor(SelfPlayVecEnv(game, 16, seed=1))
        returns, _ = evaluate_with_masks(model, env, 400, return_episode_rewards=True)
        return float(np.mean(np.array(returns) == 1))

    before = win_rate()
    model.learn(10_000)
    assert win_rate() > before + 0.1


def test_evaluation_with_masks_ends_and_without_is_an_error():
    game = GAMES[0]
    env = VecMonitor(SelfPlayVecEnv(game, 4, seed=0))
    model = small(env)
    returns, lengths = evaluate_with_masks(model, env, 8, return_episode_rewards=True)
    assert len(returns) == 8
    assert set(returns) <= {-1.0, 0.0, 1.0}
    assert min(lengths) > 1
    with pytest.raises(ValueError, match="is illegal"):
        evaluate_policy(model, env, 8)


def test_training_without_masks_is_an_error():
    model = small(SelfPlayVecEnv(GAMES[0], 4, seed=0))
    with pytest.raises(ValueError, match="is illegal"):
        model.learn(256, use_masking=False)
