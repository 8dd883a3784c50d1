"""Array operations that compiled code should do in one go."""

from __future__ import annotations

from typing import Any

from numba.core import cgutils, types
from numba.extending import intrinsic

from railenvs.engine.compile import compiled


def copy_to(out: Any, start: int, source: Any) -> None:
    """Write all of ``source`` (a part of a record) into ``out[start:]``; both hold single bytes.

    A loop does the same, but the compiler unrolls it before it would use vector moves, since it
    cannot know that record and output do not overlap.
    """
    out[start : start + source.size] = source.ravel()


@intrinsic
def _copy_bytes(typing_context: Any, out: Any, start: Any, source: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        to = context.make_array(signature.args[0])(context, builder, arguments[0])
        of = context.make_array(signature.args[2])(context, builder, arguments[2])
        place = builder.gep(to.data, [arguments[1]])
        cgutils.raw_memcpy(builder, place, of.data, of.nitems, 1)
        return context.get_dummy_value()

    return types.void(out, start, source), generate


def _choose_copy(out: Any, start: Any, source: Any) -> Any:
    if out.dtype != types.int8 or source.dtype != types.int8 or source.layout != "C":
        raise TypeError(f"copy_to copies int8 to int8 in C order, not {source} to {out}")
    copy_bytes: Any = _copy_bytes
    return lambda out, start, source: copy_bytes(out, start, source)


compiled(copy_to, _choose_copy)
