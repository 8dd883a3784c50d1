"""How rules and kernels are compiled.

Four tools, all leaving functions callable as plain Python when ``NUMBA_DISABLE_JIT=1``:

* :func:`rule` marks a function of a rulebook: kernels take it in, Python calls it as it stands.
* :func:`kernel` compiles an entry point and keeps its machine code on disk.
* :func:`compiled` gives a Python function another body for compiled callers.
* :func:`dispatch` chooses that body by the record that is passed, and shares its machine code among
  all kernels that call it.

How rules become part of a kernel is told in :mod:`railenvs.engine.rule_compiler`, where machine
code is kept in :mod:`railenvs.engine.kernel_cache`.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar, cast

import numba
from numba.core import config as numba_config

from railenvs.engine import compile_notice
from railenvs.engine.kernel_cache import KernelCache
from railenvs.engine.rule_compiler import compile_calls, share_calls

config: Any = numba_config  # its settings are set at run time, so type checkers miss them

Function = TypeVar("Function", bound=Callable[..., Any])

_OPTIONS: Any = {"error_model": "numpy", "no_cfunc_wrapper": True}
_RULE: Any = {**_OPTIONS, "_nrt": True}
"""Rules may make arrays, also where those who call them may not."""
_KERNEL: Any = {**_OPTIONS, "_nrt": False, "nogil": True}
"""Kernels make no arrays, so they need not count who holds those that they are given."""

compile_notice.install()


def rule(function: Function) -> Function:
    """Mark a function of a rulebook: taken in by kernels, plain Python when called from Python."""
    compile_calls(function, lambda *types: function, _RULE)
    return function


def compiled(stub: Callable[..., Any], choose: Callable[..., Callable[..., Any]]) -> None:
    """Let compiled callers of ``stub`` run another body, chosen by the types of its arguments.

    Args:
        stub: what Python callers run.
        choose: takes numba's types of the arguments, returns the body, which takes the same
            arguments in the same order.
    """
    compile_calls(stub, choose, _RULE)


def dispatch(
    stub: Callable[..., Any], find: Callable[[str], Callable[..., Any]], shared: bool = True
) -> None:
    """Let compiled callers of ``stub`` run the function that its first argument asks for.

    Args:
        stub: what Python callers run; its first argument is a record.
        find: from the name of the record's first field to the function.
        shared: compile it by itself, once for all kernels, and keep it on disk like them; if not
            it is taken in by each kernel, as rules are, which is for the small ones.
    """
    if not shared:
        compiled(stub, lambda *types: find(next(iter(types[0].fields))))
        return
    made: dict[Callable[..., Any], Any] = {}

    def entry(record: str) -> Any:
        function = find(record)
        if function not in made:
            made[function] = _entry(function, _RULE | {"no_cpython_wrapper": True})
        return made[function]

    share_calls(stub, entry)


def kernel(function: Function) -> Function:
    """Compile an entry point, release the GIL while it runs, keep the machine code on disk.

    It returns numbers or nothing, and writes on the arrays that it is given.
    """
    if config.DISABLE_JIT:
        return function
    return cast(Function, _entry(function, _KERNEL))


def _entry(function: Callable[..., Any], options: Any) -> Any:
    dispatcher: Any = numba.njit(**options)(function)
    source = inspect.getsourcefile(function) or ""
    if Path(source).is_file():
        dispatcher._cache = KernelCache(function, source)
    return dispatcher
