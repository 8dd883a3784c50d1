"""How threads share the rows of a batch."""

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from railenvs.engine.sharing import CHUNK, take
from tests.engine.sharing_kernels import count_up, mark_rows

THREADS = 4


@given(st.integers(1, 5), st.integers(0, 5 * CHUNK), st.randoms(use_true_random=False))
def test_every_row_is_taken_once_in_whatever_order_threads_come(threads, rows, random):
    taken = np.zeros(threads, np.int64)
    seen = np.zeros(rows, np.int64)
    working = list(range(threads))
    while working:
        own = random.choice(working)
        first, stop = take(taken, rows, own)
        seen[first:stop] += 1
        if first == stop:
            working.remove(own)
    assert (seen == 1).all()


def test_a_thread_begins_with_its_own_share_and_then_helps_with_the_next():
    taken = np.zeros(3, np.int64)
    rows = 3 * CHUNK
    firsts = [take(taken, rows, 1)[0] for _ in range(4)]
    assert firsts == [CHUNK, 2 * CHUNK, 0, rows]


@pytest.mark.parametrize("rows", [1, 1000, 1_000_003])
def test_threads_at_once_take_every_row_once(rows):
    marks, taken = np.zeros(rows, np.int64), np.zeros(THREADS, np.int64)
    with ThreadPoolExecutor(THREADS) as pool:
        list(pool.map(lambda own: mark_rows(marks, taken, own), range(THREADS)))
    assert (marks == 1).all()


def test_threads_that_count_at_once_miss_nothing():
    counters = np.zeros(3, np.int64)
    with ThreadPoolExecutor(THREADS) as pool:
        list(pool.map(lambda _: count_up(counters, 50_000), range(THREADS)))
    assert counters.tolist() == [0, THREADS * 50_000, 0]
