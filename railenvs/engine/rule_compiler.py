"""How rules are compiled: for kernels to take in, and never to be called by themselves.

numba's own ``@overload`` gives each function that is called from compiled code wrappers for Python
and C, a module optimised with all that it calls, and machine code. A rulebook has hundreds of small
functions of which only kernels are ever called from outside, so most of that work is thrown away.
Here a rule is typed, lowered and simplified by itself, and that is all: the kernel that calls it
links it with the others and optimises the whole once.

A rule is also compiled once for all whole numbers it is called with: what is smaller than an int64
is widened, as every operation on it would do.
"""

from __future__ import annotations

import copy
import functools
import hashlib
import inspect
from collections.abc import Callable, Mapping
from typing import Any

import llvmlite.binding as llvm
from numba import _dynfunc as dynfunc  # type: ignore[attr-defined]
from numba.core import types as numba_types
from numba.core import typing
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import (
    CompilerBase,
    DefaultPassBuilder,
    Flags,
    _LowerResult,
    compile_extra,
)
from numba.core.compiler_machinery import register_pass
from numba.core.registry import cpu_target
from numba.core.typed_passes import NativeLowering
from numba.core.typing.templates import AbstractTemplate, fold_arguments, infer, infer_global

Function = Callable[..., Any]
Types = tuple[Any, ...]

types: Any = numba_types
_shared: dict[str, Callable[[str], Any]] = {}
"""Functions with machine code of their own: by the name of their stub, then by the record's."""


def compile_calls(stub: Function, choose: Callable[..., Function], options: Any) -> None:
    """Let compiled callers of ``stub`` run a rule, chosen by the types of the arguments.

    Args:
        stub: what Python callers run.
        choose: takes numba's types of the arguments, returns the function to compile, which takes
            the same arguments in the same order.
        options: numba's options for it.
    """

    def compile_for(given: Types) -> Any:
        return _compile(choose(*given), given, options)

    _resolve_calls(stub, compile_for)


def share_calls(stub: Function, entry: Callable[[str], Any]) -> None:
    """Let compiled callers of ``stub`` run a function with machine code of its own.

    Args:
        stub: what Python callers run; its first argument is a record.
        entry: from the name of the record's first field to the function, as numba's dispatcher.
    """
    key = f"{stub.__module__}.{stub.__qualname__}"
    _shared[key] = entry
    _resolve_calls(stub, lambda given: _link(key, given))


def _resolve_calls(stub: Function, compile_for: Callable[[Types], Any]) -> None:
    """Let numba compile calls of ``stub`` to what is compiled for the types of the arguments."""
    rules: dict[Types, Any] = {}

    class RuleTemplate(AbstractTemplate):  # type: ignore[misc]
        """The type of a call of ``stub``."""

        key = stub

        def generic(self, args: Types, kws: Mapping[str, Any]) -> Any:
            given = _widen(_fold(stub, args, kws))
            if given not in rules:
                rules[given] = compile_for(given)
            return typing.signature(rules[given].signature.return_type, *given)

        def get_impl_key(self, sig: Any) -> Any:
            return rules[sig.args].entry_point

    infer(RuleTemplate)
    infer_global(stub, types.Function(RuleTemplate))


def _fold(function: Function, args: Types, kws: Mapping[str, Any]) -> Types:
    """The types of all arguments in order, those left out included."""
    folded: Types = fold_arguments(
        inspect.signature(function),
        args,
        dict(kws),
        lambda index, parameter, value: value,
        lambda index, parameter, default: types.Omitted(default),
        lambda index, parameter, values: types.StarArgTuple(values),
    )
    return folded


def _widen(args: Types) -> Types:
    return tuple(
        types.int64 if isinstance(kind, types.Integer) and kind.signed else kind for kind in args
    )


def _compile(function: Function, args: Types, options: Mapping[str, Any]) -> Any:
    flags = Flags()
    cpu_target.options.parse_as_flags(flags, {"nopython": True, **options})
    flags.no_cpython_wrapper = flags.no_cfunc_wrapper = flags.no_compile = True
    return compile_extra(
        cpu_target.typing_context,
        cpu_target.target_context,
        function,
        args,
        None,
        flags,
        {},
        pipeline_class=_RuleCompiler,
    )


class _RuleCompiler(CompilerBase):  # type: ignore[misc]
    """numba's usual steps, the last one done in our way."""

    def define_pipelines(self) -> list[Any]:
        steps = DefaultPassBuilder.define_nopython_pipeline(self.state)
        steps.passes = [
            (_RuleLowering, said) if step is NativeLowering else (step, said)
            for step, said in steps.passes
        ]
        steps.finalize()
        return [steps]


@register_pass(mutates_CFG=True, analysis_only=False)
class _RuleLowering(NativeLowering):  # type: ignore[misc]
    """Writes a rule down in LLVM's language and lets compiled callers find it."""

    _name = "rule_lowering"

    def run_pass(self, state: Any) -> bool:
        library = _RuleLibrary(state.targetctx.codegen(), state.func_id.func_qualname)
        state.library = library
        super().run_pass(state)
        library.finalize()
        lowered = state["cr"]
        # Callers look it up by a function that Python could call; this one is never called.
        name = lowered.fndesc.qualname
        handle = dynfunc.make_function(
            lowered.fndesc.lookup_module(), name, "", 0, lowered.env, (library,)
        )
        state.targetctx.insert_user_function(handle, lowered.fndesc, library.with_all_it_calls())
        state["cr"] = _LowerResult(lowered.fndesc, lowered.call_helper, handle, lowered.env)
        return True


class _RuleLibrary(JITCodeLibrary):  # type: ignore[misc]
    """A rule in LLVM's language, to be linked into kernels."""

    def with_all_it_calls(self) -> list[Any]:
        """This library and all that a kernel must link with it."""
        found: dict[Any, None] = {self: None}
        for library in self._linking_libraries:
            found[library] = None
            if isinstance(library, _RuleLibrary):
                found.update(dict.fromkeys(library.with_all_it_calls()))
        return list(found)

    def finalize(self) -> None:
        """Neither link, nor optimise further, nor generate machine code."""
        self._raise_if_finalized()
        self._finalize_dynamic_globals()
        self._finalized = True


# Functions with machine code of their own


def _link(key: str, given: Types) -> Any:
    """Compile or load a shared function; returns what its callers need of it.

    Callers call it by a name that stands for its address in this process. Before their own machine
    code is loaded from disk, what their libraries need is loaded first: see :func:`loads`.
    """
    compiled = _load(key, given)
    descriptor = copy.copy(compiled.fndesc)
    descriptor.mangled_name = _name(key, given)
    context = cpu_target.target_context
    load = functools.partial(_load, key, given)
    library = _SharedLibrary(context.codegen(), descriptor.mangled_name, load)
    module = compiled.fndesc.lookup_module()
    handle = dynfunc.make_function(module, key, "", 0, compiled.environment, (library,))
    context.insert_user_function(handle, descriptor, [library])
    return compiled._replace(entry_point=handle)


def loads(library: Any) -> list[Callable[[], Any]]:
    """What must be called before the machine code of a kernel's library is loaded from disk."""
    found = dict.fromkeys(library._linking_libraries)
    return [other.load for other in found if isinstance(other, _SharedLibrary)]


def _load(key: str, given: Types) -> Any:
    """Let a shared function be called by name from compiled code."""
    dispatcher = _shared[key](next(iter(given[0].fields)))
    compiled = dispatcher.get_compile_result(typing.signature(None, *given))
    address = compiled.library.get_pointer_to_function(compiled.fndesc.llvm_func_name)
    llvm.add_symbol(_name(key, given), address)
    return compiled


def _name(key: str, given: Types) -> str:
    """The same in every process."""
    return f"{key} {hashlib.blake2b(repr(given).encode(), digest_size=16).hexdigest()}"


class _SharedLibrary(JITCodeLibrary):  # type: ignore[misc]
    """Nothing to link: what callers call by name is in memory already."""

    def __init__(self, codegen: Any, name: str, load: Callable[[], Any]) -> None:
        super().__init__(codegen, name)
        self._finalized = True
        self.load = load

    def _get_module_for_linking(self) -> Any:
        return self._final_module
