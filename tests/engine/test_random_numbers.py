"""The engine's random numbers against a reference in Python's unbounded integers."""

import itertools

import numpy as np
import pytest
from scipy import stats

from railenvs.engine import kernels
from railenvs.engine import random as engine_random
from railenvs.engine.state import at
from tests.children import run_python
from tests.engine.random_kernels import (
    compiled_below,
    compiled_child,
    compiled_many_below,
    compiled_next,
    compiled_seed,
    compiled_shuffle,
    generator,
)

BITS = 2**64
EDGES = [0, 1, 2**31 - 1, 2**31, 2**32 - 1, 2**32, 2**53, 2**63 - 1, 2**63, 2**64 - 2, 2**64 - 1]
SEEDS = [edge for edge in EDGES if edge < 2**63]
BOUNDS = [1, 2, 3, 5, 7, 12, 36, 54, 127, 128, 1000, 2**16, 2**31 - 1, 2**31, 3 * 2**30, 2**32 - 1]
UNLIKELY = 1e-6
"""A fair generator falls below this p-value once in a million tests; the seeds here are fixed."""

# The reference


def reference_mix(x):
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9 % BITS
    x = (x ^ (x >> 27)) * 0x94D049BB133111EB % BITS
    return x ^ (x >> 31)


class Reference:
    """splitmix64 with Lemire's bounded numbers, from 32 bits at a time."""

    def __init__(self, state):
        self.state = state

    def next_u64(self):
        self.state = (self.state + 0x9E3779B97F4A7C15) % BITS
        return reference_mix(self.state)

    def below(self, bound):
        while True:
            product = (self.next_u64() >> 32) * bound
            if product % 2**32 >= 2**32 % bound:
                return product >> 32


def reference_child(seed, index):
    return reference_mix(reference_mix((seed + 0x9E3779B97F4A7C15) % BITS) ^ index) >> 11


# The engine's


def in_python(function, states, *arguments):
    """Call a rule as plain Python, as a debugger would."""
    return function(at(states, 0), *arguments)


@pytest.mark.parametrize("state", EDGES)
def test_random_bits_equal_the_reference(state):
    reference = Reference(state)
    wanted = [reference.next_u64() for _ in range(100)]
    states, others = generator(state), generator(state)
    assert [int(compiled_next(states)) for _ in range(100)] == wanted
    assert [int(in_python(engine_random.next_u64, others)) for _ in range(100)] == wanted
    assert int(states["rng"][0]) == int(others["rng"][0]) == reference.state


def test_published_numbers():
    """The first outputs of splitmix64 for the seed 1234567, as its authors' code prints them."""
    states = generator(1234567)
    assert [int(compiled_next(states)) for _ in range(5)] == [
        6457827717110365317,
        3203168211198807973,
        9817491932198370423,
        4593380528125082431,
        16408922859458223821,
    ]


@pytest.mark.parametrize("bound", [*BOUNDS, 2**32])
def test_bounded_numbers_equal_the_reference(bound):
    for state in EDGES:
        reference = Reference(state)
        wanted = [reference.below(bound) for _ in range(30)]
        states, others = generator(state), generator(state)
        assert [int(compiled_below(states, bound)) for _ in range(30)] == wanted
        assert [int(in_python(engine_random.below, others, bound)) for _ in range(30)] == wanted
        assert 0 <= min(wanted) <= max(wanted) < bound
        assert states.tobytes() == others.tobytes()


@pytest.mark.parametrize(
    "kind", [np.uint8, np.int8, np.int16, np.uint16, np.int32, np.uint32, np.int64, np.uint64, int]
)
def test_type_of_the_bound_does_not_matter(kind):
    wanted = [Reference(state).below(100) for state in EDGES]
    assert [int(compiled_below(generator(state), kind(100))) for state in EDGES] == wanted
    assert [
        int(in_python(engine_random.below, generator(state), kind(100))) for state in EDGES
    ] == wanted


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("kind", [int, np.int64, np.uint64])
def test_seeds_set_the_reference_state(seed, kind):
    states, others = generator(1), generator(1)
    compiled_seed(states, kind(seed))
    in_python(engine_random.seed_generator, others, kind(seed))
    assert int(states["rng"][0]) == int(others["rng"][0]) == reference_mix(seed)


@pytest.mark.parametrize("seed", SEEDS)
def test_child_seeds_equal_the_reference(seed):
    for index in (0, 1, 2, 1000, 2**31, 2**32, 2**62):
        wanted = reference_child(seed, index)
        assert int(compiled_child(seed, index)) == wanted
        assert int(engine_random.child_seed(seed, index)) == wanted
        assert 0 <= wanted < 2**53


@pytest.mark.parametrize("state", EDGES)
def test_seed_of_the_next_game_equals_the_reference(default_cell, state):
    deal = default_cell.game().blank()
    deal["rng"] = np.uint64(state)
    reference = Reference(state)
    assert int(kernels.draw_seed(deal)) == reference.next_u64() >> 11
    assert int(deal["rng"][0]) == reference.state


def test_generator_of_a_dealt_game_is_a_function_of_the_seed(default_cell):
    states = default_cell.game().from_table(
        default_cell.game().table(default_cell.game().deal(0)), 7
    )
    assert int(states["rng"][0]) == reference_mix(7)


@pytest.mark.parametrize(("start", "stop"), [(0, 7), (2, 7), (0, 5), (3, 4), (4, 4), (0, 0)])
def test_shuffle_equals_the_reference_and_stays_in_its_stretch(start, stop):
    for state in EDGES:
        reference = Reference(state)
        wanted = list(range(7))
        for last in range(stop - 1, start, -1):
            other = start + reference.below(last - start + 1)
            wanted[last], wanted[other] = wanted[other], wanted[last]
        cards, others = (np.arange(7).astype(np.int8) for _ in range(2))
        compiled_shuffle(generator(state), cards, start, stop)
        in_python(engine_random.shuffle, generator(state), others, start, stop)
        assert cards.tolist() == others.tolist() == wanted


# Their quality


@pytest.mark.parametrize("bound", [2, 3, 5, 12, 36, 54])
def test_bounded_numbers_are_uniform(bound):
    drawn = np.empty(200_000, np.int64)
    compiled_many_below(generator(42), bound, drawn)
    counts = np.bincount(drawn, minlength=bound)
    assert len(counts) == bound
    assert stats.chisquare(counts).pvalue > UNLIKELY


@pytest.mark.parametrize("bound", [3 * 2**30, 5 * 2**29, 2**32 - 1])
def test_large_bounds_have_no_bias(bound):
    """Without rejection one remainder in three would come up twice as often below 3 * 2**30."""
    drawn = np.empty(200_000, np.int64)
    compiled_many_below(generator(43), bound, drawn)
    assert 0 <= drawn.min() <= drawn.max() < bound
    for modulus in (3, 5):
        assert stats.chisquare(np.bincount(drawn % modulus)).pvalue > UNLIKELY
    assert stats.chisquare(np.bincount(drawn * 10 // bound)).pvalue > UNLIKELY


def test_shuffles_are_uniform():
    states = generator(44)
    counts = dict.fromkeys(itertools.permutations(range(4)), 0)
    for _ in range(24_000):
        cards = np.arange(4).astype(np.int8)
        compiled_shuffle(states, cards, 0, 4)
        counts[tuple(cards.tolist())] += 1
    assert stats.chisquare(list(counts.values())).pvalue > UNLIKELY


def test_neighbouring_seeds_are_unrelated():
    """First numbers below 36 of ten thousand seeds in a row are uniform, and so are their pairs."""
    firsts = []
    for seed in range(10_000):
        states = generator(0)
        compiled_seed(states, seed)
        firsts.append(int(compiled_below(states, 36)))
    assert stats.chisquare(np.bincount(firsts, minlength=36)).pvalue > UNLIKELY
    pairs = np.array(firsts[:-1]) // 6 * 6 + np.array(firsts[1:]) // 6
    assert stats.chisquare(np.bincount(pairs, minlength=36)).pvalue > UNLIKELY


def test_families_of_seeds_are_distinct():
    families = [kernels.family_seeds(seed, 5_000) for seed in (0, 1, 2, 2**63 - 1)]
    together = np.concatenate(families)
    assert len(np.unique(together)) == len(together)
    assert together.min() >= 0
    assert together.max() < 2**53
    for family in families:
        tenths = np.bincount(family * 10 // 2**53, minlength=10)
        assert stats.chisquare(tenths).pvalue > UNLIKELY


def test_a_larger_family_begins_with_the_smaller():
    np.testing.assert_array_equal(kernels.family_seeds(5, 10), kernels.family_seeds(5, 1000)[:10])


def test_choice_of_an_action_is_uniform_over_the_legal_ones(default_cell):
    masks = np.zeros((60_000, 9), np.int8)
    legal = [0, 3, 4, 8]
    masks[:, legal] = 1
    states = default_cell.game().deal(0)
    actions = np.empty(len(masks), np.int64)
    kernels.choose_actions(states, masks, actions)
    counts = np.bincount(actions, minlength=9)
    assert counts.nonzero()[0].tolist() == legal
    assert stats.chisquare(counts[legal]).pvalue > UNLIKELY


WITHOUT_COMPILER = f"""
from tests.engine.random_kernels import compiled_below, compiled_next, generator

for state in {EDGES}:
    states = generator(state)
    print([int(compiled_next(states)) for _ in range(5)])
    print([int(compiled_below(states, bound)) for bound in {BOUNDS}])
"""


def test_uncompiled_numbers_are_the_same():
    told = [run_python("-c", WITHOUT_COMPILER, NUMBA_DISABLE_JIT=switch) for switch in "01"]
    assert told[0] == told[1]
