"""How threads share the rows of a batch.

Each thread has a share of its own, so that games stay in the memory nearest to it, and takes
chunks from others when it has finished: one that wakes up late, or runs on a slower core, holds
nobody up.
"""

from __future__ import annotations

import threading
from typing import Any

from numba.core import types
from numba.extending import intrinsic

from railenvs.engine.compile import compiled, rule

CHUNK = 512
"""Rows that are taken at one go."""
PATIENCE = 20_000
"""Looks at what the others have done before a thread goes to sleep: waking it up would take as long
as a chunk does."""


def add_to(counters: Any, index: int, amount: int) -> int:
    """Add to ``counters[index]`` (int64) whatever other threads do; returns what it was before."""
    with _lock:
        before = int(counters[index])
        counters[index] = before + amount
    return before


_lock = threading.Lock()


@intrinsic
def _add_atomically(typing_context: Any, counters: Any, index: Any, amount: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        numbers = context.make_array(signature.args[0])(context, builder, arguments[0])
        place = builder.gep(numbers.data, [arguments[1]])
        added = context.cast(builder, arguments[2], signature.args[2], types.int64)
        return builder.atomic_rmw("add", place, added, "acq_rel")

    return types.int64(counters, index, amount), generate


def _choose_add(counters: Any, index: Any, amount: Any) -> Any:
    if counters.dtype != types.int64:
        raise TypeError(f"add_to counts in int64, not in {counters}")
    add_atomically: Any = _add_atomically
    return lambda counters, index, amount: add_atomically(counters, index, amount)


compiled(add_to, _choose_add)


@rule
def take(taken: Any, rows: int, own: int) -> tuple[int, int]:
    """Take the next chunk, of the thread's own share first.

    Args:
        taken: (threads,) int64, how much of each share has been taken.
        rows: how many there are to share.
        own: the thread's number.

    Returns:
        The first row of the chunk and the first beyond it; both ``rows`` if nothing is left.
    """
    threads = taken.size
    for turn in range(threads):
        share = (own + turn) % threads
        start = rows * share // threads
        stop = rows * (share + 1) // threads
        first = start + add_to(taken, share, CHUNK)
        if first < stop:
            return first, min(first + CHUNK, stop)
    return rows, rows


@rule
def wait_for(done: Any, rows: int) -> None:
    """Wait a moment until ``done[0]`` says that so many rows are done."""
    for _ in range(PATIENCE):
        if add_to(done, 0, 0) >= rows:
            break
