"""Threads that stay ready between calls."""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor


class Pool:
    """Threads that are started when they are first needed, and kept.

    A forked child inherits the pool without its threads: it starts its own, as copies do.

    Args:
        name: how the threads are named.
    """

    def __init__(self, name: str) -> None:
        self._name = name
        self._kept: tuple[tuple[int, int], ThreadPoolExecutor] | None = None

    def of(self, count: int) -> ThreadPoolExecutor:
        """So many threads, the same as last time unless their number changed."""
        wanted = os.getpid(), count
        if self._kept is None or self._kept[0] != wanted:
            self._kept = wanted, ThreadPoolExecutor(count, self._name)
        return self._kept[1]

    def __reduce__(self) -> tuple[type[Pool], tuple[str]]:
        return Pool, (self._name,)
