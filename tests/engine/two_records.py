"""One kernel for two kinds of records, whose machine code differs."""

from __future__ import annotations

from typing import Any

import numpy as np

from railenvs.engine.compile import kernel

KINDS = {
    "short": np.dtype([("short_game", np.int64), ("value", np.int64)]),
    "long": np.dtype([("long_game", np.int64), ("zeros", np.int64, (9,)), ("value", np.int64)]),
}
VALUE = 7


@kernel
def read_value(states: Any) -> Any:
    return states[0].value


def told(kind: str) -> int:
    """What the kernel reads from a record that holds ``VALUE``."""
    states = np.zeros(1, KINDS[kind])
    states["value"] = VALUE
    return int(read_value(states))
