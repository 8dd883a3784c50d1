"""What threads do to shared rows, as compiled functions of their own."""

from __future__ import annotations

from typing import Any

from railenvs.engine.compile import kernel
from railenvs.engine.sharing import add_to, take


@kernel
def count_up(counters: Any, times: int) -> None:
    for _ in range(times):
        add_to(counters, 1, 1)


@kernel
def mark_rows(marks: Any, taken: Any, own: int) -> None:
    first, stop = take(taken, marks.size, own)
    while first < stop:
        for row in range(first, stop):
            marks[row] += 1
        first, stop = take(taken, marks.size, own)
