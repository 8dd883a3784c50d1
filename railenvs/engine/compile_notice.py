"""Whoever waits for the compiler is told: once what is going on, then how long it has been.

Quiet where nobody looks: in pipes, and in worker processes.
"""

from __future__ import annotations

import multiprocessing
import sys
import threading
import time
from typing import Any

from numba.core import event

from railenvs.engine.kernel_cache import KernelCache, cache_root, record_names

PATIENCE = 2.0
"""Seconds of waiting, in all, after which something is said."""
_TICK = 0.25
_CLEAR = "\r\033[K"


class CompileNotice(event.Listener):  # type: ignore[misc]
    """Hears from numba when kernels are compiled, one after another or one for the other.

    Numba compiles in one thread at a time; beside it a thread of ours shows the clock.
    """

    def __init__(self) -> None:
        self._waited = 0.0
        self._began = 0.0
        self._kernels: list[Any] = []
        self._over = threading.Event()
        self._clock: threading.Thread | None = None
        self._told = False

    def on_start(self, event: event.Event) -> None:
        """A kernel begins to be compiled, maybe since another needs it."""
        if not _is_ours(event) or not _is_watched():
            return
        self._kernels.append(event.data)
        if self._clock is None:
            self._began = time.monotonic()
            self._over.clear()
            self._clock = threading.Thread(target=self._show, daemon=True)
            self._clock.start()

    def on_end(self, event: event.Event) -> None:
        """A kernel is compiled, or could not be."""
        if not self._kernels or event.data is not self._kernels[-1]:
            return
        self._kernels.pop()
        if not self._kernels and self._clock is not None:
            self._over.set()
            self._clock.join()
            self._clock = None
            self._waited += time.monotonic() - self._began

    def _show(self) -> None:
        """Show the clock until nothing is compiled any more."""
        shown = False
        while not self._over.wait(_TICK):
            seconds = self._waited + time.monotonic() - self._began
            kernels = self._kernels[-1:]
            if seconds < PATIENCE or not kernels:
                continue
            if not self._told:
                self._told = True
                _write(f"railenvs compiles what it needs, once; it is kept in {cache_root()}\n")
            shown = True
            _write(f"{_CLEAR}compiling {_describe(kernels[0])}, {seconds:.0f} s so far")
        if shown:
            _write(_CLEAR)


def install() -> None:
    """From now on tell whoever waits for kernels to be compiled."""
    event.register("numba:compile", CompileNotice())


def _describe(kernel: dict[str, Any]) -> str:
    """What is compiled: records and function, such as ``express: deal game``."""
    name = str(kernel["dispatcher"].py_func.__name__)
    records = " ".join(dict.fromkeys(record_names(kernel["args"])))
    return f"{records}: {name}".replace("_", " ").removeprefix(": ")


def _is_ours(heard: event.Event) -> bool:
    return isinstance(getattr(heard.data["dispatcher"], "_cache", None), KernelCache)


def _is_watched() -> bool:
    """Whether somebody looks at what this process writes on standard error."""
    told = sys.stderr
    return told is not None and told.isatty() and multiprocessing.parent_process() is None


def _write(text: str) -> None:
    sys.stderr.write(text)
    sys.stderr.flush()
