"""How rules and kernels are compiled, and where the machine code is kept.

Four tools, all leaving functions callable as plain Python when ``NUMBA_DISABLE_JIT=1``:

* :func:`rule` marks a function of a rulebook: kernels inline it, Python calls it as it stands.
* :func:`kernel` compiles an entry point and keeps its machine code on disk.
* :func:`compiled` gives a Python function another body for compiled callers.
* :func:`dispatch` chooses that body by the record that is passed.

numba's own cache does not notice that a function in *another* file changed, and two processes that
save at once can mix up each other's entries. So the cache folder is named by a hash of everything
the code depends on, and a file lock is held around every load and save.
"""

from __future__ import annotations

import functools
import hashlib
import inspect
import os
import platform
import tempfile
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar, cast

import filelock
import numba
import numpy as np
import platformdirs
from numba.core import config as numba_config
from numba.core.caching import FunctionCache
from numba.extending import overload, register_jitable

config: Any = numba_config  # its settings are set at run time, so type checkers miss them

Function = TypeVar("Function", bound=Callable[..., Any])

CACHE_VARIABLE = "RAILENVS_CACHE_DIR"
"""Environment variable that moves the folder of compiled kernels."""

_OPTIONS: Any = {"error_model": "numpy"}
_PACKAGE = Path(__file__).resolve().parents[1]


def rule(function: Function) -> Function:
    """Mark a function of a rulebook: inlined by kernels, plain Python when called from Python."""
    marked: Function = register_jitable(**_OPTIONS)(function)
    return marked


def compiled(stub: Callable[..., Any], choose: Callable[..., Callable[..., Any]]) -> None:
    """Let compiled callers of ``stub`` run another body, chosen by the types of its arguments.

    Args:
        stub: what Python callers run.
        choose: takes numba's types of the arguments, returns the body. Arguments are passed in
            order; numba's own check of names and annotations is left to the caller.
    """
    overload(stub, jit_options=_OPTIONS, strict=False)(choose)


def dispatch(stub: Callable[..., Any], find: Callable[[str], Callable[..., Any]]) -> None:
    """Let compiled callers of ``stub`` run the function that its first argument asks for.

    Args:
        stub: what Python callers run; its first argument is a record.
        find: from the name of the record's first field to the function.
    """

    def choose(*types: Any) -> Callable[..., Any]:
        return find(next(iter(types[0].fields)))

    compiled(stub, choose)


def kernel(function: Function, source: str | None = None) -> Function:
    """Compile an entry point, release the GIL while it runs, keep the machine code on disk.

    Args:
        function: the entry point.
        source: the file whose folder holds all that the code depends on beside this package; by
            default the function's own.
    """
    if config.DISABLE_JIT:
        return function
    dispatcher: Any = numba.njit(nogil=True, **_OPTIONS)(function)
    source = source or inspect.getsourcefile(function) or ""
    folder = _cache_folder(source) if Path(source).is_file() else None
    if folder is not None:
        dispatcher._cache = _lay_cache(function, folder)
    return cast(Function, dispatcher)


class _LockedCache(FunctionCache):
    """numba's on-disk cache, with one process at a time reading or writing it."""

    def __init__(self, function: Callable[..., Any], lock: Path) -> None:
        super().__init__(function)  # type: ignore[no-untyped-call]
        self._lock = lock

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        # A lock of its own each time: one made before a fork refuses to work in the child.
        with filelock.FileLock(self._lock):
            try:
                return super().load_overload(sig, target_context)  # type: ignore[no-untyped-call]
            except ImportError:
                # Saved when its file was imported under another name: as good as not saved.
                return None

    def save_overload(self, sig: Any, data: Any) -> None:
        with filelock.FileLock(self._lock):
            super().save_overload(sig, data)  # type: ignore[no-untyped-call]


def _lay_cache(function: Callable[..., Any], folder: Path) -> _LockedCache:
    """Point numba's cache at ``folder`` for this one function only."""
    elsewhere = config.CACHE_DIR
    config.CACHE_DIR = str(folder)
    try:
        return _LockedCache(function, folder / "lock")
    finally:
        config.CACHE_DIR = elsewhere


@functools.cache
def _cache_folder(source: str) -> Path | None:
    """The folder for kernels defined in ``source``, or None where nothing can be written."""
    root = os.environ.get(CACHE_VARIABLE) or platformdirs.user_cache_dir(
        "railenvs", appauthor=False
    )
    folder = Path(root) / _fingerprint(source)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            pass
    except OSError as error:
        _warn_once(f"compiled kernels cannot be kept in {root} ({error}); set {CACHE_VARIABLE}")
        return None
    return folder


@functools.cache
def _warn_once(message: str) -> None:
    warnings.warn(message, RuntimeWarning, stacklevel=2)


def _fingerprint(source: str) -> str:
    """A name for everything compiled code depends on: versions and all sources."""
    digest = hashlib.blake2b(digest_size=12)
    digest.update(_package_fingerprint())
    if _PACKAGE not in Path(source).resolve().parents:
        # A kernel may call rules of the modules beside it.
        for path in sorted(Path(source).parent.glob("*.py")):
            digest.update(path.read_bytes())
    return digest.hexdigest()


@functools.cache
def _package_fingerprint() -> bytes:
    digest = hashlib.blake2b(digest_size=12)
    digest.update(f"{platform.python_version()} {numba.__version__} {np.__version__}".encode())
    for path in sorted(_PACKAGE.rglob("*.py")):
        digest.update(f"{path.relative_to(_PACKAGE)}".encode())
        digest.update(path.read_bytes())
    return digest.digest()
