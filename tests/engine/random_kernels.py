"""The engine's random numbers as compiled functions of their own."""

from __future__ import annotations

from typing import Any

import numpy as np

from railenvs.engine import random as engine_random
from railenvs.engine.compile import kernel
from railenvs.engine.state import States, at

RECORD = np.dtype([("random_numbers_test", np.uint8), ("rng", np.uint64)])


def generator(state: int) -> States:
    """A record with nothing but a generator in a given state."""
    record = np.zeros(1, RECORD)
    record["rng"] = np.uint64(state)
    return record


@kernel
def compiled_next(states: Any) -> Any:
    return engine_random.next_u64(at(states, 0))


@kernel
def compiled_below(states: Any, bound: Any) -> Any:
    return engine_random.below(at(states, 0), bound)


@kernel
def compiled_many_below(states: Any, bound: Any, out: Any) -> None:
    for index in range(out.size):
        out[index] = engine_random.below(at(states, 0), bound)


@kernel
def compiled_seed(states: Any, seed: Any) -> None:
    engine_random.seed_generator(at(states, 0), seed)


@kernel
def compiled_shuffle(states: Any, cards: Any, start: int, stop: int) -> None:
    engine_random.shuffle(at(states, 0), cards, start, stop)


@kernel
def compiled_child(seed: Any, index: Any) -> Any:
    return engine_random.child_seed(seed, index)
