"""What ``experiments.throughput`` compares with: the same kinds of playing in other libraries.

Games differ, so these are comparisons of what a user waits for, not of rules: the peers' smallest
card game, Leduc hold'em, stands where there is one. All come with the extra ``bench``; each
function raises ImportError where its library is missing.
"""

from __future__ import annotations

import random
from functools import partial
from typing import Any

import gymnasium
import numpy as np
import numpy.typing as npt

from experiments.benchmarks import SIMULATIONS, Benchmark, aec

CONNECT_FOUR_ENVS = 8
EXPLORATION = 0.7
"""UCB1's constant in ours too."""


def classic(name: str) -> Any:
    """One of PettingZoo's classic games, as its registry makes them."""
    import pettingzoo
    from pettingzoo.env_registry.exceptions import FailedToImport

    try:
        return pettingzoo.make("aec", f"classic/{name}")
    except FailedToImport as missing:
        raise ImportError(missing) from missing


def pettingzoo_leduc() -> Benchmark:
    """PettingZoo's Leduc hold'em through its ``env()``, by the same loop as ours."""
    return aec(partial(classic, "leduc_holdem-v4"))


def rlcard_leduc() -> Benchmark:
    """RLCard's Leduc hold'em: its states hold observation and legal actions."""
    import rlcard

    env: Any = rlcard.make("leduc-holdem", {"seed": 0})
    rng = np.random.default_rng(0)

    def play() -> tuple[int, int]:
        state, _ = env.reset()
        decisions = 0
        while not env.is_over():
            legal = list(state["legal_actions"])
            state, _ = env.step(legal[rng.integers(len(legal))])
            decisions += 1
        return decisions, 1

    return Benchmark(play)


def open_spiel_leduc() -> Benchmark:
    """OpenSpiel's Leduc poker in C++, stepped from Python, with observation and mask."""
    import pyspiel

    game: Any = pyspiel.load_game("leduc_poker")
    rng = np.random.default_rng(0)

    def play() -> tuple[int, int]:
        state = game.new_initial_state()
        decisions = 0
        while not state.is_terminal():
            if state.is_chance_node():
                outcomes, chances = zip(*state.chance_outcomes(), strict=True)
                state.apply_action(random.choices(outcomes, chances)[0])
                continue
            np.asarray(state.observation_tensor(), np.float32)
            legal = np.flatnonzero(state.legal_actions_mask())
            state.apply_action(int(legal[rng.integers(len(legal))]))
            decisions += 1
        return decisions, 1

    return Benchmark(play)


def open_spiel_hearts_search() -> Benchmark:
    """OpenSpiel's information-set tree search in C++, on hearts, with one random rollout each."""
    import pyspiel

    game: Any = pyspiel.load_game("hearts")
    evaluator = pyspiel.RandomRolloutEvaluator(1, 0)
    bot = pyspiel.ISMCTSBot(0, evaluator, EXPLORATION, SIMULATIONS)
    rng = random.Random(0)

    def play() -> tuple[int, int]:
        state = game.new_initial_state()
        while state.is_chance_node():
            outcomes, chances = zip(*state.chance_outcomes(), strict=True)
            state.apply_action(rng.choices(outcomes, chances)[0])
        bot.step(state)
        return SIMULATIONS, SIMULATIONS

    return Benchmark(play)


def pgx_leduc(num_games: int) -> Benchmark:
    """Pgx's Leduc hold'em: a compiled loop of random actions over a batch with automatic reset."""
    import jax
    import jax.numpy as jnp
    import pgx
    from pgx.experimental import auto_reset

    env: Any = pgx.make("leduc_holdem")
    step: Any = auto_reset(env.step, env.init)

    @jax.jit
    def steps(state: Any, key: Any) -> Any:
        def body(carry: Any, _: None) -> Any:
            state, key = carry
            key, chooser, dealer = jax.random.split(key, 3)
            legal = jnp.log(state.legal_action_mask.astype(jnp.float32))
            actions = jax.random.categorical(chooser, legal, axis=-1)
            state = jax.vmap(step)(state, actions, jax.random.split(dealer, num_games))
            return (state, key), state.terminated.sum()

        (state, key), ended = jax.lax.scan(body, (state, key), None, length=20)
        return state, key, ended.sum()

    state = jax.jit(jax.vmap(env.init))(jax.random.split(jax.random.key(0), num_games))
    key = jax.random.key(1)

    def play() -> tuple[int, int]:
        nonlocal state, key
        state, key, ended = steps(state, key)
        return 20 * num_games, int(ended)

    return Benchmark(play)


class ConnectFourSeat(gymnasium.Env[npt.NDArray[np.float32], int]):
    """PettingZoo's connect four for one learner, against a player that moves at random.

    What the tutorials of its users build: the environment behind a single-agent interface.
    """

    def __init__(self) -> None:
        self._env = classic("connect_four-v3")
        self._env.reset(seed=0)
        first: Any = self._env.observation_space("player_0")["observation"]
        size = int(np.prod(first.shape))
        self.observation_space = gymnasium.spaces.Box(0, 1, (size,), np.float32)
        self.action_space = self._env.action_space("player_0")
        self._rng = np.random.default_rng(0)
        self._seat = "player_0"

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[npt.NDArray[np.float32], dict[str, Any]]:
        """Begin a game in a seat drawn at random."""
        super().reset(seed=seed)
        self._env.reset(seed=seed)
        self._seat = self._env.possible_agents[self._rng.integers(2)]
        self._reply()
        return self._observation(), {}

    def step(
        self, action: int
    ) -> tuple[npt.NDArray[np.float32], float, bool, bool, dict[str, Any]]:
        """Play, and let the other reply."""
        self._env.step(action)
        self._reply()
        over = self._env.terminations[self._seat]
        return self._observation(), float(self._env.rewards[self._seat]), over, False, {}

    def action_masks(self) -> npt.NDArray[np.int8]:
        """The columns that are not full."""
        mask: npt.NDArray[np.int8] = self._env.observe(self._seat)["action_mask"]
        return mask

    def _observation(self) -> npt.NDArray[np.float32]:
        seen = self._env.observe(self._seat)["observation"]
        return np.asarray(seen, np.float32).ravel()

    def _reply(self) -> None:
        if self._env.agent_selection == self._seat or any(self._env.terminations.values()):
            return
        legal = np.flatnonzero(self._env.last()[0]["action_mask"])
        self._env.step(legal[self._rng.integers(len(legal))])


def connect_four_vec_env() -> Any:
    """stable-baselines3's DummyVecEnv over single-agent connect four."""
    from stable_baselines3.common.vec_env import DummyVecEnv

    return DummyVecEnv([ConnectFourSeat] * CONNECT_FOUR_ENVS)
