"""What the tests of training adapters share: games, policies, and how a run is written down."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from railenvs.adapters.sb3 import SelfPlayVecEnv
from railenvs.engine.game import Game
from railenvs.engine.random import child_seed
from railenvs.engine.rulebook import WHEN_CUT_OFF
from tests.adapters.countdown import COUNTDOWN, countdown
from tests.grid import SEATINGS

REAL_GAMES = [cell.game() for cell in SEATINGS]
"""Every game with its numbers of seats."""
GAMES = REAL_GAMES + [
    countdown(seats, cut_off=value)
    for seats, value in zip(COUNTDOWN.seats, WHEN_CUT_OFF.values, strict=True)
]
"""The same and one that may end early and be cut off, with each value of ``cut_off``."""


def by_name(game: Game) -> str:
    """How a test's id names a game."""
    return f"{game.title} {game.num_players}p"


class Hashing:
    """Plays any game by its view alone: a legal action picked by a hash of the observation."""

    def __init__(self, salt: int = 0) -> None:
        self.name = f"hashing {salt}"
        self.salt = salt
        self.seeds: list[int | None] = []

    def reset(self, seed: int | None = None) -> None:
        self.seeds.append(seed)

    def act(self, view: Any) -> int:
        return int(self.act_batch(view.observation[None], view.action_mask[None])[0])

    def act_batch(self, observations: np.ndarray, action_masks: np.ndarray) -> np.ndarray:
        assert observations.dtype == action_masks.dtype == np.int8
        places = np.arange(1, observations.shape[1] + 1)
        hashes = (observations * (places * 7919 + self.salt * 104729) ** 2).sum(axis=1)
        ranks = hashes % action_masks.sum(axis=1)
        return (action_masks.cumsum(axis=1) > ranks[:, None]).argmax(axis=1)


@dataclass
class Episode:
    """One game of one row as the learner saw it."""

    observations: list[np.ndarray] = field(default_factory=list)
    masks: list[np.ndarray] = field(default_factory=list)
    actions: list[int] = field(default_factory=list)
    rewards: list[float] = field(default_factory=list)
    info: dict[str, Any] = field(default_factory=dict)

    def add(self, observation: np.ndarray, mask: np.ndarray, action: int, reward: float) -> None:
        self.observations.append(observation)
        self.masks.append(mask)
        self.actions.append(int(action))
        self.rewards.append(float(reward))


def until(enough: Callable[[], bool], at_most: int = 20_000) -> Iterator[int]:
    """Count steps until there is enough to look at, however long games last."""
    for step in range(at_most):
        if enough():
            return
        yield step
    raise AssertionError(f"still not enough after {at_most} steps")


def play(env: SelfPlayVecEnv, steps: int, learner: Any = None) -> list[list[Episode]]:
    """Reset and play ``steps`` steps of an env with scale=False; the finished games by row."""
    finished, _ = _play(env, range(steps), [[] for _ in range(env.num_envs)], learner)
    return finished


def play_games(
    env: SelfPlayVecEnv, games: int, learner: Any = None
) -> tuple[list[list[Episode]], int]:
    """The same until every row has finished so many games; tells how many steps that took."""
    finished: list[list[Episode]] = [[] for _ in range(env.num_envs)]
    return _play(env, until(lambda: min(map(len, finished)) >= games), finished, learner)


def _play(
    env: SelfPlayVecEnv, turns: Iterable[int], finished: list[list[Episode]], learner: Any
) -> tuple[list[list[Episode]], int]:
    learner = learner or Hashing(99)
    observations = env.reset()
    running = [Episode() for _ in range(env.num_envs)]
    steps = 0
    for _ in turns:
        steps += 1
        seen, masks = observations, env.action_masks()
        actions = learner.act_batch(seen, masks)
        observations, rewards, dones, infos = env.step(actions)
        for row, episode in enumerate(running):
            episode.add(seen[row], masks[row], actions[row], rewards[row])
            if dones[row]:
                episode.info = infos[row]
                finished[row].append(episode)
                running[row] = Episode()
    return finished, steps


def episodes_of(rows: list[list[Episode]]) -> list[Episode]:
    return [episode for row in rows for episode in row]


def first_legal(env: SelfPlayVecEnv) -> np.ndarray:
    return env.action_masks().argmax(axis=1)


def seeds_of_row(seed: int, row: int) -> Iterator[int]:
    """The seeds of the games that a row deals one after the other."""
    family = child_seed(seed, row)
    return (int(child_seed(family, number)) for number in itertools.count())


def raw(game: Game, num_envs: int, opponents: Any = "random", **given: Any) -> SelfPlayVecEnv:
    """Seeded unless ``seed`` says otherwise, with plain int8 observations."""
    return SelfPlayVecEnv(game, num_envs, opponents, **{"seed": 0, "scale": False, **given})
