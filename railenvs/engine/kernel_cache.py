"""Where machine code is kept: one file a kernel and signature, named by all that it depends on.

A kernel depends on the versions of Python, numba and NumPy, on the processor, on the sources beside
its own and the engine's, and on those of the records it is compiled for (a game, a heuristic). The
name of its file is a hash of their contents: neither the place of a checkout nor the age of a file
gets in, and an edit elsewhere changes nothing.

Files are written aside and put in place in one go, and begin with a hash of what follows: whatever
processes do at the same time, and whatever happens to a file, what is read is whole or does not
count.
"""

from __future__ import annotations

import functools
import hashlib
import os
import pickle
import platform
import threading
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numba
import numpy as np
import platformdirs
from numba.core import serialize, types
from numba.core.caching import _Cache
from numba.core.compiler import CompileResult

from railenvs.engine.rule_compiler import loads

CACHE_VARIABLE = "RAILENVS_CACHE_DIR"
"""Environment variable that moves the folder of compiled kernels."""

_CHECK = 16
"""Bytes of the hash with which a file begins."""
_warned: set[Path] = set()
_contents_of: dict[str, tuple[bytes, ...]] = {}
"""By a record's name, what the functions chosen by it depend on."""


def belongs_to(record: str, *sources: str) -> None:
    """Say which sources the functions chosen by a record depend on.

    Args:
        record: the name of the record's first field.
        sources: files, each standing for all Python files of its folder.
    """
    _contents_of[record] = tuple(_contents(Path(source).resolve().parent) for source in sources)


class KernelCache(_Cache):  # type: ignore[misc]
    """Machine code of one kernel, as numba's dispatchers ask for it.

    Args:
        function: the kernel.
        sources: files that it depends on beside the engine and what its records bring, each
            standing for its folder.
    """

    def __init__(self, function: Callable[..., Any], *sources: str) -> None:
        self._function = function
        # Now, when the function has just been read: a file may be edited before it is compiled.
        beside = [_contents(Path(source).resolve().parent) for source in (__file__, *sources)]
        self._own = frozenset(beside)
        self._enabled = True

    @property
    def cache_path(self) -> str:
        """The folder of all kernels."""
        return str(cache_root())

    def enable(self) -> None:
        """Load and save from now on."""
        self._enabled = True

    def disable(self) -> None:
        """Neither load nor save from now on."""
        self._enabled = False

    def flush(self) -> None:
        """Forget what is kept: nothing to do, since another source has another name."""

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """The kernel compiled for a signature; None if it is not kept, or not whole."""
        if not self._enabled:
            return None
        try:
            content = self._path(sig, target_context.codegen()).read_bytes()
        except OSError:
            return None
        kept = content[_CHECK:]
        if content[:_CHECK] != _check(kept):
            return None
        target_context.refresh()  # what machine code calls of numba must be in memory before it
        try:
            first, reduced = pickle.loads(kept)
            for load in first:
                load()
            return CompileResult._rebuild(target_context, *reduced)
        except ImportError:
            # Saved when its file was imported under another name.
            return None

    def save_overload(self, sig: Any, data: Any) -> None:
        """Keep what was compiled for a signature."""
        if not self._enabled or data.library.has_dynamic_globals:
            return
        path = self._path(sig, data.codegen)
        kept = serialize.dumps((loads(data.library), data._reduce()))
        try:
            _write(path, _check(kept) + kept)
        except OSError as error:
            # It is in memory: this process can do without.
            _warn_once(cache_root(), f"{type(error).__name__}: {error.strerror}")

    def _path(self, sig: Any, codegen: Any) -> Path:
        """The file for a signature."""
        args = sig if isinstance(sig, tuple) else sig.args
        records = sorted(set(record_names(args)))
        contents = set(self._own)
        for record in records:
            contents.update(_contents_of[record])
        code = self._function.__code__
        digest = hashlib.blake2b(digest_size=12)
        digest.update(repr((_versions(), codegen.magic_tuple(), args)).encode())
        digest.update(f"{self._function.__module__} {code.co_firstlineno}".encode() + code.co_code)
        for content in sorted(contents):
            digest.update(content)
        folder = cache_root() / ("-".join(records) or "any")
        return folder / f"{self._function.__name__}-{digest.hexdigest()}.kernel"


def record_names(args: Any) -> Iterator[str]:
    """The names of the records among a signature's types, in order."""
    for kind in args:
        inner = kind.dtype if isinstance(kind, types.Array) else kind
        if isinstance(inner, types.Record):
            name = next(iter(inner.fields))
            if name in _contents_of:
                yield name


def cache_root() -> Path:
    """The folder that holds all kernels: of the user's caches, or where ``CACHE_VARIABLE`` says."""
    kept = os.environ.get(CACHE_VARIABLE)
    return Path(kept or platformdirs.user_cache_dir("railenvs", appauthor=False)).absolute()


def _check(kept: bytes) -> bytes:
    return hashlib.blake2b(kept, digest_size=_CHECK).digest()


def _write(path: Path, content: bytes) -> None:
    """Write a file that is there whole or not at all, and can be read by all who see its folder."""
    path.parent.mkdir(parents=True, exist_ok=True)
    aside = path.with_name(f"{path.name}.{os.getpid()}.{threading.get_ident()}")
    try:
        aside.write_bytes(content)
        aside.replace(path)
    except OSError:
        aside.unlink(missing_ok=True)
        raise


def _warn_once(root: Path, why: str) -> None:
    if root in _warned:
        return
    _warned.add(root)
    warnings.warn(
        f"compiled kernels cannot be kept in {root} ({why}); set {CACHE_VARIABLE}",
        RuntimeWarning,
        stacklevel=2,
    )


@functools.cache
def _versions() -> tuple[str, ...]:
    return platform.python_version(), numba.__version__, np.__version__


@functools.cache
def _contents(folder: Path) -> bytes:
    """A hash of the Python files of a folder, by their names and what they hold."""
    digest = hashlib.blake2b(digest_size=16)
    for path in sorted(folder.rglob("*.py")):
        content = path.read_bytes()
        digest.update(f"{path.relative_to(folder)} {len(content)} ".encode() + content)
    return digest.digest()
