"""Two processes that save the machine code of one kernel at the worst moment.

``python -m tests.engine.interleaved_save FOLDER first|second [unlocked]`` compiles the kernel of
``two_records`` for one kind of records. Unless a lock keeps them apart,

1. both read the kernel's index (neither finds the other's entry, so both choose the same file);
2. the first writes its index;
3. the second writes its index and its machine code;
4. the first writes its machine code, over that of the second.

The second's index is left, and maps its kind of records to the first's machine code.
"""

from __future__ import annotations

import contextlib
import functools
import sys
import time
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import filelock
from numba.core.caching import IndexDataCacheFile

from railenvs.engine import compile as engine_compile

KIND = {"first": "short", "second": "long"}
PATIENCE = 200
"""Seconds after which the other process is taken to have died."""


class Events:
    """Named events that both processes see: files in a folder."""

    def __init__(self, folder: str) -> None:
        self._folder = Path(folder)

    def tell(self, event: str) -> None:
        (self._folder / event).touch()

    def wait_for(self, *any_of: str) -> None:
        for _ in range(PATIENCE * 100):
            if any((self._folder / event).exists() for event in any_of):
                return
            time.sleep(0.01)
        raise TimeoutError(f"none of {any_of}")


def before(owner: Any, name: str, act: Callable[[], None]) -> None:
    """Let a method begin with ``act``."""
    method = getattr(owner, name)

    @functools.wraps(method)
    def wrapped(*arguments: Any, **named: Any) -> Any:
        act()
        return method(*arguments, **named)

    setattr(owner, name, wrapped)


def after(owner: Any, name: str, act: Callable[[], None]) -> None:
    """Let a method end with ``act``."""
    method = getattr(owner, name)

    @functools.wraps(method)
    def wrapped(*arguments: Any, **named: Any) -> Any:
        returned = method(*arguments, **named)
        act()
        return returned

    setattr(owner, name, wrapped)


def as_first(events: Events) -> None:
    """Read the index, let the second read it; write the index, let the second write both; go on."""

    def meet() -> None:
        events.tell("first compiled")
        events.wait_for("second compiled")
        after(IndexDataCacheFile, "_load_index", let_the_second_read)

    def let_the_second_read() -> None:
        events.tell("first read")
        events.wait_for("second read", "second is kept waiting")

    def let_the_second_write() -> None:
        events.tell("first wrote its index")
        events.wait_for("second wrote", "second is kept waiting")

    before(engine_compile._LockedCache, "save_overload", meet)
    before(IndexDataCacheFile, "_save_data", let_the_second_write)


def as_second(events: Events) -> None:
    """Read the index once the first has; write once the first has written its index."""

    def meet() -> None:
        events.tell("second compiled")
        events.wait_for("first read")
        before(filelock.FileLock, "acquire", lambda: events.tell("second is kept waiting"))
        after(IndexDataCacheFile, "_load_index", let_the_first_write)

    def let_the_first_write() -> None:
        events.tell("second read")
        events.wait_for("first wrote its index")

    before(engine_compile._LockedCache, "save_overload", meet)
    after(IndexDataCacheFile, "_save_data", lambda: events.tell("second wrote"))


def main(folder: str, role: str, unlocked: str = "") -> None:
    """Compile and save in a role."""
    if unlocked:
        no_lock = SimpleNamespace(FileLock=lambda path: contextlib.nullcontext())
        engine_compile.filelock = no_lock
    (as_first if role == "first" else as_second)(Events(folder))

    from tests.engine import two_records

    print(two_records.told(KIND[role]))


if __name__ == "__main__":
    main(*sys.argv[1:])
