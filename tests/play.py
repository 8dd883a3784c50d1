"""Random play, with random numbers of its own: nothing here comes from the engine under test."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

from railenvs import Batch, Game
from railenvs.adapters.pettingzoo import RailEnv
from railenvs.engine.state import State

ARRAYS = (
    "observations",
    "action_masks",
    "seats",
    "moves",
    "rewards",
    "terminations",
    "truncations",
    "final_scores",
    "final_winners",
    "final_observations",
    "final_states",
    "seeds",
    "states",
)
"""All that a batch shows."""

CLOSE_STEPS = 20
"""See :func:`looks_closely`."""


def choose(mask: npt.NDArray[np.int8], chance: random.Random) -> int:
    """A random legal action."""
    return chance.choice(np.flatnonzero(mask).tolist())


def random_states(game: Game, seed: int) -> Iterator[State]:
    """A copy of every state of one random game, the first and the last included."""
    chance = random.Random(seed)
    state = game.deal(seed)
    yield state.copy()
    while not game.is_over(state):
        game.play(state, choose(game.legal(state), chance))
        yield state.copy()


def decisions(env: RailEnv, chance: random.Random) -> Iterator[str]:
    """Yield the agent to act, then play at random for it, until the game is over.

    The dead steps are left to the caller.
    """
    while not env.terminations[env.agent_selection] and not env.truncations[env.agent_selection]:
        yield env.agent_selection
        env.step(choose(env.observe(env.agent_selection)["action_mask"], chance))


def looks_closely(number: int) -> bool:
    """Whether a test that compares all that is shown does so at a step: at first, then less often.

    Writing out a table takes a hundred times as long as a step.
    """
    return number < CLOSE_STEPS or number % CLOSE_STEPS == 0


def play_out(env: RailEnv, chance: random.Random, decisions_at_most: int | None = None) -> int:
    """Play at random to the end (or so far); returns the number of decisions."""
    count = 0
    for _ in decisions(env, chance):
        if count == decisions_at_most:
            break
        count += 1
    return count


def choose_rows(masks: npt.NDArray[np.int8], chance: np.random.Generator) -> npt.NDArray[np.int64]:
    """A random legal action in every row."""
    return (masks * (chance.random(masks.shape) + 1)).argmax(axis=1)


def random_steps(batch: Batch, steps: int, seed: int = 0) -> Iterator[int]:
    """Play random legal actions in all rows; yield after the deal and after every step."""
    chance = np.random.default_rng(seed)
    yield 0
    for step in range(1, steps + 1):
        batch.step(choose_rows(batch.action_masks, chance))
        yield step


def steps_for_games(batch: Batch, games: int) -> int:
    """Steps of random play in which about so many games end in every row."""
    return games * max(len(list(random_states(batch.game, seed))) for seed in range(3))


def difference(one: Any, other: Any, where: str = "") -> str:
    """The first place where two results differ, dtypes and types too; nothing if they are equal."""
    if type(one) is not type(other):
        return f"{where}: {type(one).__name__} and {type(other).__name__}"
    if isinstance(one, np.ndarray):
        same = (one.dtype, one.shape, one.tobytes()) == (other.dtype, other.shape, other.tobytes())
        return "" if same else f"{where}: {one} and {other}"
    if isinstance(one, dict):
        if list(one) != list(other):
            return f"{where}: keys {list(one)} and {list(other)}"
        return next(
            filter(None, (difference(one[k], other[k], f"{where}[{k!r}]") for k in one)), ""
        )
    if isinstance(one, (list, tuple)):
        if len(one) != len(other):
            return f"{where}: {len(one)} and {len(other)} entries"
        pairs = enumerate(zip(one, other, strict=True))
        return next(filter(None, (difference(*pair, f"{where}[{i}]") for i, pair in pairs)), "")
    return "" if one == other else f"{where}: {one!r} and {other!r}"


def shown(env: RailEnv) -> dict[str, Any]:
    """Everything an environment tells, from every seat and from none."""
    told = {
        "agents": list(env.agents),
        "selection": env.agent_selection,
        "rewards": dict(env.rewards),
        "terminations": dict(env.terminations),
        "truncations": dict(env.truncations),
        "infos": {agent: dict(info) for agent, info in env.infos.items()},
        "seen": {agent: env.observe(agent) for agent in env.possible_agents},
        "table": env.table(),
        "state": env.state(),
        "hash": env.state_hash(),
        "scores": env.scores(),
        "winners": env.winners(),
    }
    if env.agents:
        told["last"] = env.last()
    return told


def arrays(batch: Batch) -> dict[str, npt.NDArray[Any]]:
    """A copy of everything a batch shows."""
    return {name: getattr(batch, name).copy() for name in ARRAYS}
