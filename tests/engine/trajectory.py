"""Digests of random games, to compare between processes and settings.

``python -m tests.engine.trajectory`` prints one line a cell of the game grid.
"""

from __future__ import annotations

import hashlib
import json
import random
import sys
from typing import Any

import numpy as np

from tests.grid import CELLS, Cell
from tests.play import choose, random_steps, shown

ROWS, BATCH_STEPS = 3, 30


def digest(told: Any) -> str:
    """A short hash of anything made of dicts, lists, numbers, strings and arrays."""

    def plain(value: Any) -> Any:
        if isinstance(value, np.ndarray):
            return [value.dtype.str, value.shape, value.tobytes().hex()]
        return value.item() if isinstance(value, np.generic) else repr(value)

    text = json.dumps(told, default=plain)
    return hashlib.blake2b(text.encode(), digest_size=8).hexdigest()


MOST_STEPS = 30
"""Steps of a game: without the compiler they take their time."""


def single_game(cell: Cell) -> list[str]:
    """Everything shown at the first steps of a random game, worlds and record included."""
    env = cell.env()
    env.reset(seed=0)
    chance = random.Random(0)
    told = []
    while env.agents and len(told) < MOST_STEPS:
        over = env.terminations[env.agent_selection] or env.truncations[env.agent_selection]
        world = env.determinize(env.agent_selection, len(told)).state_hash()
        told.append(digest([shown(env), world]))
        env.step(None if over else choose(env.last()[0]["action_mask"], chance))
    told.append(digest(env.record()))
    env.reset()
    return [*told, env.state_hash()]


def batched_games(cell: Cell) -> list[str]:
    """Every array at every step of a batch."""
    batch = cell.batch(ROWS)
    return [
        digest(
            [
                *(batch.observations, batch.action_masks, batch.seats, batch.rewards),
                *(batch.terminations, batch.truncations, batch.final_scores),
                *(batch.final_winners, batch.final_observations, batch.seeds),
                batch.states.tobytes().hex(),
            ]
        )
        for _ in random_steps(batch, BATCH_STEPS)
    ]


def trajectories() -> dict[str, dict[str, list[str]]]:
    """Digests by cell."""
    return {
        str(cell): {"single": single_game(cell), "batch": batched_games(cell)} for cell in CELLS
    }


if __name__ == "__main__":
    json.dump(trajectories(), sys.stdout)
