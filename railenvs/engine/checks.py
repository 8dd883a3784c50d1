"""Checks of what users hand in: each error names the value and what was expected."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from typing import Any, TypeVar

import gymnasium
import numpy as np

Value = TypeVar("Value")

LARGEST_SEED = 2**63 - 1


class ResetNeeded(gymnasium.error.ResetNeeded, AssertionError):  # noqa: N818
    """An environment was used before its first ``reset()`` or after its game was over.

    Also an AssertionError, which is what PettingZoo's wrapper raises.
    """


def whole_number(value: Any, name: str, low: int, high: int) -> int:
    """Return ``value`` as an int.

    Raises:
        ValueError: if it is no whole number (a bool is none) from ``low`` to ``high``.
    """
    if isinstance(value, np.ndarray) and value.ndim == 0:
        value = value[()]
    if not isinstance(value, (int, np.integer)) or isinstance(value, bool):
        raise ValueError(f"{name} must be a whole number, not {value!r} ({type(value).__name__})")
    if not low <= value <= high:
        raise ValueError(f"{name} must be from {low} to {high}, not {value}")
    return int(value)


def seed_number(seed: Any) -> int:
    """Return a seed as an int from 0 to 2**63 - 1, or raise ValueError."""
    return whole_number(seed, "seed", 0, LARGEST_SEED)


def one_of(value: Any, name: str, allowed: Collection[Any]) -> Any:
    """Return ``value`` if it is among ``allowed``, equal and of the same type.

    Raises:
        ValueError: if not.
    """
    for known in allowed:
        if type(value) is type(known) and value == known:
            return value
    choices = ", ".join(repr(known) for known in allowed)
    raise ValueError(f"{name} must be one of {choices}, not {value!r}")


def every_card_once(found: Iterable[Any], pack: Collection[str], what: str) -> None:
    """Check that ``found`` is the whole pack, each card once.

    Raises:
        ValueError: naming cards that are unknown, doubled or missing.
    """
    counts = Counter(found)
    unknown = [card for card in counts if card not in pack]
    doubled = [card for card, count in counts.items() if count > 1]
    missing = [card for card in pack if card not in counts]
    for fault, cards in (("unknown", unknown), ("doubled", doubled), ("missing", missing)):
        if cards:
            raise ValueError(f"{what}: {fault} {', '.join(map(repr, cards))}")


def entry(table: Mapping[str, Any], key: str, kind: type[Value]) -> Value:
    """Return ``table[key]``.

    Raises:
        ValueError: if the key is missing or its value of another type.
    """
    if key not in table:
        raise ValueError(f"the table lacks {key!r}")
    value = table[key]
    if not isinstance(value, kind) or isinstance(value, bool):
        raise ValueError(f"{key!r} must be a {kind.__name__}, not {value!r}")
    return value
