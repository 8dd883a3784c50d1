"""The state of a game: one numpy record, whose first fields every game shares.

A *state* is a structured array of length one. Rules see the record inside it (``states[0]``);
kernels, copies, batches and checkpoints see an ordinary array.
"""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from railenvs.engine.compile import compiled

State: TypeAlias = npt.NDArray[np.void]
"""Structured array, shape (1,): one game."""
States: TypeAlias = npt.NDArray[np.void]
"""Structured array, shape (N,): many games of one rulebook."""
Record: TypeAlias = Any
"""One record of such an array, fields read and set as attributes."""

PLAYING, TERMINATED, CUT_OFF = 0, 1, 2
"""Values of ``state.ended``: going on, over by the rules, cut off since it need not end by them."""

AT_RANDOM = -1
"""Value of ``state.first_player`` while the rulebook's own way decides who begins."""


def record_dtype(game: str, fields: list[tuple[Any, ...]]) -> np.dtype[np.void]:
    """The record of a rulebook: a field that bears the game's name, the shared ones, its own.

    The name comes first because rules are chosen by it, and because a record whose fields begin
    another's would count as its supertype.

    Args:
        game: short name of the game, an identifier.
        fields: the game's own fields, as ``numpy.dtype`` takes them.
    """
    shared: list[tuple[Any, ...]] = [
        (game, np.uint8),
        ("num_players", np.int8),
        ("first_player", np.int8),
        ("reward", np.int8),
        ("cut_off", np.int8),  # what a game pays that was cut off
        ("seat", np.int8),  # who acts; of no meaning once the game has ended
        ("ended", np.int8),
        ("rng", np.uint64),
    ]
    # Packed: padding between fields is not copied by numpy, and would get into state hashes.
    return np.dtype(shared + fields)


def at(states: States, index: int) -> Record:
    """The record at ``index``, a view: what is set on it is set in the array."""
    return states.view(np.recarray)[index]


def _at_body(states: Any, index: Any) -> Any:
    return states[index]


compiled(at, lambda states, index: _at_body)
