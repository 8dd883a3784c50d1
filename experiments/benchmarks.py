"""What ``experiments.throughput`` measures of railenvs: a benchmark for each way of playing.

Every benchmark counts games that end: one in which games did not advance and end would measure
nothing.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

import railenvs
from railenvs.engine import kernels
from railenvs.engine.search import Search, Settings
from railenvs.engine.state import State
from railenvs.engine.view import SeatView

if TYPE_CHECKING:
    from stable_baselines3.common.vec_env import VecEnv

SIMULATIONS = 1000
"""Of a search, ours and the peers'."""
VEC_ENVS = 256
"""Games side by side for a learner."""
BATCHES: dict[str, dict[str, Any]] = {
    "batch 1024, epochs 4": {"batch_size": 1024, "n_epochs": 4},
    "SB3's defaults": {"batch_size": 64, "n_epochs": 10},
}


class Benchmark:
    """Plays for a while and counts.

    Args:
        play: plays a little; returns how many decisions were taken and how many games ended.
    """

    def __init__(self, play: Callable[[], tuple[int, int]]) -> None:
        self._play = play
        self.ended = 0

    def rate(self, seconds: float) -> float:
        """Play for at least so many seconds; decisions a second."""
        taken, start = 0, time.perf_counter()
        while time.perf_counter() - start < seconds:
            decisions, ended = self._play()
            taken += decisions
            self.ended += ended
        return taken / (time.perf_counter() - start)


def rules_only(game: railenvs.Game) -> Benchmark:
    """Uniformly random whole games inside one compiled loop: deal, legal actions, play."""
    states, blank = game.deal(seed=1), game.blank()
    mask = np.zeros(game.num_actions, np.int8)

    def play() -> tuple[int, int]:
        return kernels.playouts(states, blank, 2000, mask), 2000

    return Benchmark(play)


def step_at_random(batch: railenvs.Batch, generator: State, actions: npt.NDArray[np.int64]) -> int:
    """Play a random legal action in every game; returns how many games ended.

    Args:
        batch: N games.
        generator: any state, for its random numbers.
        actions: (N,), written.
    """
    kernels.choose_actions(generator, batch.action_masks, actions)
    batch.step(actions)
    return int((batch.terminations | batch.truncations).sum())


def spread_over_stages(batch: railenvs.Batch, generator: State, games: int) -> float:
    """Play random games on until at least so many have ended, so that they are at all stages.

    Returns:
        Decisions for each game that ended.
    """
    actions = np.empty(batch.num_games, np.int64)
    decisions = ended = 0
    while ended < games:
        ended += step_at_random(batch, generator, actions)
        decisions += batch.num_games
    return decisions / ended


def batched(game: railenvs.Game, num_games: int) -> Benchmark:
    """Random actions in a batch, every observation and mask written out."""
    batch = railenvs.Batch(game, num_games, seed=1)
    generator = game.deal(seed=2)
    actions = np.empty(num_games, np.int64)

    def play() -> tuple[int, int]:
        ended = sum(step_at_random(batch, generator, actions) for _ in range(20))
        return 20 * num_games, ended

    return Benchmark(play)


def aec(make: Callable[[], Any]) -> Benchmark:
    """``last``, a uniform choice from ``np.flatnonzero`` of the mask, ``step``."""
    env = make()
    rng = np.random.default_rng(0)
    games = 0

    def play() -> tuple[int, int]:
        nonlocal games
        env.reset(seed=games)
        games += 1
        decisions = 0
        while env.agents:
            observation, _, terminated, truncated, _ = env.last()
            if terminated or truncated:
                env.step(None)
                continue
            legal = np.flatnonzero(observation["action_mask"])
            env.step(legal[rng.integers(len(legal))])
            decisions += 1
        return decisions, 1

    return Benchmark(play)


def own_vec_env(game: railenvs.Game) -> VecEnv:
    """The VecEnv in which a learner meets random opponents."""
    from railenvs.adapters.sb3 import SelfPlayVecEnv

    return SelfPlayVecEnv(game, VEC_ENVS, "random", seed=0)


def vec_env(make: Callable[[], VecEnv]) -> Benchmark:
    """A learner without a net: masks asked for as masked algorithms do, a random legal action."""
    env = make()
    env.reset()
    generator = np.zeros(1, [("rng", np.uint64)])
    actions = np.empty(env.num_envs, np.int64)

    def play() -> tuple[int, int]:
        ended = 0
        for _ in range(20):
            masks = np.stack(env.env_method("action_masks")).astype(np.int8)
            kernels.choose_actions(generator, masks, actions)
            dones: npt.NDArray[np.bool_] = env.step(actions)[2]
            ended += int(dones.sum())
        return 20 * env.num_envs, ended

    return Benchmark(play)


def ppo(make: Callable[[], VecEnv], frames: int, batches: Mapping[str, Any]) -> Benchmark:
    """MaskablePPO end to end: rollout and update of an MlpPolicy of SB3's default size.

    Args:
        make: makes the games.
        frames: decisions between updates.
        batches: ``batch_size`` and ``n_epochs``.
    """
    from sb3_contrib import MaskablePPO
    from stable_baselines3.common.callbacks import BaseCallback

    env = make()
    model = MaskablePPO("MlpPolicy", env, n_steps=frames // env.num_envs, seed=0, **batches)
    model.learn(1)

    class Count(BaseCallback):
        ended = 0

        def _on_step(self) -> bool:
            self.ended += int(self.locals["dones"].sum())
            return True

    def play() -> tuple[int, int]:
        count = Count()
        model.learn(frames, callback=count, reset_num_timesteps=False)
        return frames, count.ended

    return Benchmark(play)


def search(game: railenvs.Game) -> Benchmark:
    """Simulations of information-set tree search, each played out at random, from deals."""
    settings = Settings(simulations=SIMULATIONS)
    deals = 0

    def play() -> tuple[int, int]:
        nonlocal deals
        state = game.deal(deals)
        deals += 1
        Search(SeatView(game, state, game.seat(state)), settings, seed=deals).run()
        # Every simulation plays a game to its end.
        return SIMULATIONS, SIMULATIONS

    return Benchmark(play)


def growth(game: railenvs.Game, num_games: int) -> Callable[[int, float], float]:
    """Steps a second of a batch of random games; choosing the actions is not counted.

    Games first play on until as many have ended as there are, so that they are at all stages.

    Returns:
        A function of the number of threads that steps for at least so many seconds.
    """
    batch = railenvs.Batch(game, num_games, seed=1)
    generator = game.deal(seed=2)
    actions = np.empty(num_games, np.int64)

    def step() -> float:
        kernels.choose_actions(generator, batch.action_masks, actions)
        start = time.perf_counter()
        batch.step(actions)
        return time.perf_counter() - start

    spread_over_stages(batch, generator, num_games)

    def play(threads: int, seconds: float) -> float:
        batch.threads = threads
        steps, spent = 0, 0.0
        while spent < seconds:
            spent += step()
            steps += num_games
        return steps / spent

    return play
