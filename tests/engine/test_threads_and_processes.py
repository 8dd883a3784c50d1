"""Batches in threads, in forked and in spawned processes."""

import copy
import multiprocessing
import threading
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from railenvs.engine.threads import Pool
from tests.children import run_python
from tests.engine.trajectory import single_game
from tests.grid import DEFAULT_CELLS
from tests.play import arrays, difference, random_steps

STEPS = 400
WORKERS = 4


def run(batch, seed):
    for _ in random_steps(batch, STEPS, seed):
        pass
    return arrays(batch)


def test_threads_that_step_their_own_batches_do_not_meet(seating):
    batches = [seating.batch(32, seed, threads=1 + seed % 2) for seed in range(WORKERS)]
    start = threading.Barrier(WORKERS)

    def together(seed):
        start.wait()
        return run(batches[seed], seed)

    with ThreadPoolExecutor(WORKERS) as pool:
        at_once = list(pool.map(together, range(WORKERS)))
    for seed in range(WORKERS):
        assert not difference(at_once[seed], run(seating.batch(32, seed), seed))


def test_threads_that_play_their_own_environments_do_not_meet(default_cell):
    with ThreadPoolExecutor(WORKERS) as pool:
        told = list(pool.map(single_game, [default_cell] * WORKERS))
    assert all(one == told[0] for one in told)


def test_a_pool_is_kept_until_another_number_of_threads_is_asked_for():
    threads = Pool("railenvs-test")
    two = threads.of(2)
    assert threads.of(2) is two
    assert copy.deepcopy(threads).of(2) is not two
    assert threads.of(3) is not two


FORK_AFTER_THREADS = """
import multiprocessing, sys, threading
from tests.engine.test_threads_and_processes import run
from tests.grid import DEFAULT_CELLS
from tests.play import difference, random_steps

cell = DEFAULT_CELLS[int(sys.argv[1])]
batch = cell.batch(64, 0, threads=2)
for _ in random_steps(batch, 20):
    pass
assert any("railenvs" in thread.name for thread in threading.enumerate())

def step_on(worker, results):
    results.put((worker, run(batch, 1)))

context = multiprocessing.get_context("fork")
results = context.SimpleQueue()
workers = [context.Process(target=step_on, args=(i, results)) for i in range(4)]
for worker in workers:
    worker.start()
told = dict(results.get() for _ in workers)
for worker in workers:
    worker.join()
    assert worker.exitcode == 0
here = run(batch, 1)
assert not any(difference(one, here) for one in told.values())
print(cell, len(told))
"""


@pytest.mark.slow
def test_forks_of_a_process_whose_batch_has_threads(default_cell):
    """The children inherit the batch without its threads and go on, as the parent does."""
    number = str(DEFAULT_CELLS.index(default_cell))
    assert run_python("-c", FORK_AFTER_THREADS, number).strip() == f"{default_cell} 4"


FORK_BEFORE_COMPILING = """
import multiprocessing
import railenvs
from tests.grid import DEFAULT_CELLS

game = DEFAULT_CELLS[0].game()

def play(results):
    batch = railenvs.Batch(game, 2, seed=0)
    batch.step(batch.action_masks.argmax(axis=1))
    results.put(batch.seats.size)

context = multiprocessing.get_context("fork")
results = context.SimpleQueue()
workers = [context.Process(target=play, args=(results,)) for _ in range(2)]
for worker in workers:
    worker.start()
for worker in workers:
    worker.join()
    assert worker.exitcode == 0
    print(results.get())
"""


def test_forks_of_a_process_that_has_compiled_nothing():
    assert run_python("-c", FORK_BEFORE_COMPILING).split() == ["2", "2"]


@pytest.mark.slow
def test_a_batch_sent_to_another_process_goes_on_there(default_cell):
    batch = default_cell.batch(8, 3, threads=2)
    for _ in random_steps(batch, 30):
        pass
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        there = pool.apply(run, (batch, 4))
    assert not difference(there, run(batch, 4))


def test_more_threads_than_rows(seating):
    one, many = seating.batch(3, 5), seating.batch(3, 5, threads=64)
    assert not difference(run(one, 6), run(many, 6))


def test_error_in_a_threaded_step_leaves_all_rows(default_cell):
    batch = default_cell.batch(40, 6, threads=4)
    before = arrays(batch)
    actions = batch.action_masks.argmax(axis=1)
    actions[39] = int(np.flatnonzero(batch.action_masks[39] == 0)[0])
    with pytest.raises(ValueError, match="game 39"):
        batch.step(actions)
    assert not difference(arrays(batch), before)
