"""Random numbers that live in the game's record.

splitmix64 (Steele, Lea and Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014):
a counter and a mixing function, so the same seed gives the same game on every platform, in every
process, with and without the compiler. Whole numbers below a bound are drawn without bias by
Lemire's method ("Fast random integer generation in an interval", TOMACS 2019).
"""

from __future__ import annotations

import os
from typing import Any

import numpy as np

from railenvs.engine.compile import compiled, rule

GAMMA = np.uint64(0x9E3779B97F4A7C15)
_MIX_1 = np.uint64(0xBF58476D1CE4E5B9)
_MIX_2 = np.uint64(0x94D049BB133111EB)
_27, _30, _31, _32, _11 = (np.uint64(shift) for shift in (27, 30, 31, 32, 11))
_LOW = np.uint64(0xFFFFFFFF)
_RANGE = np.uint64(0x100000000)


def _mix_body(x: Any) -> Any:
    x = (x ^ (x >> _30)) * _MIX_1
    x = (x ^ (x >> _27)) * _MIX_2
    return x ^ (x >> _31)


def _plus_gamma_body(x: Any) -> Any:
    return x + GAMMA


def mix(x: Any) -> Any:
    """Scramble 64 bits: splitmix64's output function, a bijection."""
    with np.errstate(over="ignore"):
        return _mix_body(x)


def _plus_gamma(x: Any) -> Any:
    with np.errstate(over="ignore"):
        return _plus_gamma_body(x)


compiled(mix, lambda x: _mix_body)
compiled(_plus_gamma, lambda x: _plus_gamma_body)


@rule
def next_u64(state: Any) -> Any:
    """The next 64 random bits of the record's generator ``state.rng``."""
    state.rng = _plus_gamma(state.rng)
    return mix(state.rng)


@rule
def below(state: Any, bound: int) -> Any:
    """A whole number from 0 to ``bound - 1``, each equally likely (bound at most 2**32)."""
    wide = np.uint64(bound)
    product = (next_u64(state) >> _32) * wide
    if (product & _LOW) < wide:
        # Rare: the first (2**32 mod bound) products of each number are one too many.
        surplus = (_RANGE - wide) % wide
        while (product & _LOW) < surplus:
            product = (next_u64(state) >> _32) * wide
    return np.int64(product >> _32)


@rule
def shuffle(state: Any, cards: Any, start: int, stop: int) -> None:
    """Shuffle ``cards[start:stop]`` in place (Fisher and Yates)."""
    for last in range(stop - 1, start, -1):
        other = start + below(state, last - start + 1)
        cards[last], cards[other] = cards[other], cards[last]


@rule
def next_seed(state: Any) -> Any:
    """A seed for another game, from 0 to 2**53 - 1, drawn from the record's generator."""
    return np.int64(next_u64(state) >> _11)


@rule
def seed_generator(state: Any, seed: int) -> None:
    """Set ``state.rng`` from a seed; neighbouring seeds give unrelated games."""
    state.rng = mix(np.uint64(seed))


def fresh_seed() -> int:
    """A seed from the system's entropy, from 0 to 2**48 - 1."""
    return int.from_bytes(os.urandom(6), "little")


@rule
def child_seed(seed: int, index: Any) -> Any:
    """Seed number ``index`` of the family that ``seed`` fixes, from 0 to 2**53 - 1.

    Outside of kernels, ``index`` may be an array of numbers too.
    """
    return np.int64(mix(mix(_plus_gamma(np.uint64(seed))) ^ np.uint64(index)) >> _11)
