"""Checks of what users hand in: each error names the value and what was expected."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from typing import Any, TypeVar

import gymnasium
import numpy as np
import numpy.typing as npt

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


def real_number(value: Any, name: str, low: float, high: float) -> float:
    """Return ``value`` as a float.

    Raises:
        ValueError: if it is no number (a bool is none) from ``low`` to ``high``.
    """
    real = isinstance(value, (int, float, np.integer, np.floating)) and not isinstance(value, bool)
    if not real or not low <= value <= high:
        raise ValueError(f"{name} must be a number from {low:g} to {high:g}, not {value!r:.60}")
    return float(value)


def whole_numbers(values: npt.ArrayLike, name: str, size: int | None) -> npt.NDArray[np.int64]:
    """Return ``values`` as int64 of shape (size,), any (k,) where ``size`` is None.

    Raises:
        ValueError: if they are no whole numbers or of another shape.
    """
    try:
        array = np.asarray(values)
    except ValueError:
        raise ValueError(f"{name} must be whole numbers in a row, not {values!r:.60}") from None
    if array.size == 0 and array.ndim == 1:
        array = array.astype(np.int64)
    if not np.issubdtype(array.dtype, np.integer):
        raise ValueError(f"{name} must be whole numbers, not {array.dtype}")
    if array.ndim != 1 or (size is not None and array.size != size):
        wanted = "(k,)" if size is None else f"({size},)"
        raise ValueError(f"{name} must have shape {wanted}, not {array.shape}")
    return np.ascontiguousarray(array, dtype=np.int64)


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
    if isinstance(allowed, range):
        choices = f"the whole numbers from {allowed[0]} to {allowed[-1]}"
    else:
        choices = ", ".join(repr(known) for known in allowed)
    raise ValueError(f"{name} must be one of {choices}, not {value!r}")


def every_card_once(found: Iterable[Any], pack: Collection[str], what: str) -> None:
    """Check that ``found`` is the whole pack, each card once.

    Raises:
        ValueError: naming cards that are unknown, doubled or missing.
    """
    every_card(found, pack, 1, what)


def every_card(found: Iterable[Any], pack: Collection[str], copies: int, what: str) -> None:
    """Check that ``found`` is so many copies of the whole pack.

    Raises:
        ValueError: naming cards that are unknown, one too many or missing.
    """
    cards = list(found)
    counts = Counter(card for card in cards if isinstance(card, str))
    unknown = [card for card in cards if not isinstance(card, str) or card not in pack]
    surplus = [card for card, count in counts.items() if count > copies]
    missing = [card for card in pack if counts[card] < copies]
    too_many = "doubled" if copies == 1 else f"more than {copies} of"
    for fault, named in (("unknown", unknown), (too_many, surplus), ("missing", missing)):
        if named:
            raise ValueError(f"{what}: {fault} {', '.join(map(repr, named))}")


def entry(table: Any, key: str, kind: type[Value], where: str = "the table") -> Value:
    """Return ``table[key]``.

    Raises:
        ValueError: if ``table`` is no dict, lacks the key or has a value of another type there.
    """
    if not isinstance(table, Mapping):
        raise ValueError(f"{where} must be a dict with {key!r}, not {table!r}")
    if key not in table:
        raise ValueError(f"{where} lacks {key!r}")
    value = table[key]
    if not isinstance(value, kind) or isinstance(value, bool):
        raise ValueError(f"{key!r} of {where} must be a {kind.__name__}, not {value!r}")
    return value


def no_contradiction(given: Any, follows: Any, where: str) -> None:
    """Check that a table says nothing but what follows from its own cards.

    Args:
        given: the table, or a part of it, as given; it may leave entries out.
        follows: the same as written from the state that was read from it.
        where: names the part.

    Raises:
        ValueError: naming the first entry that is unknown or differs.
    """
    if isinstance(given, Mapping) and isinstance(follows, Mapping):
        for key, value in given.items():
            if key not in follows:
                raise ValueError(f"{where} has no {key!r}; it has {', '.join(map(repr, follows))}")
            no_contradiction(value, follows[key], f"{key!r} of {where}")
        return
    if isinstance(given, (list, tuple)) and isinstance(follows, list):
        given = list(given)
        if all(isinstance(value, Mapping) for value in follows) and len(given) == len(follows):
            for index, value in enumerate(given):
                no_contradiction(value, follows[index], f"{where}, number {index},")
            return
        if all(isinstance(value, str) for value in [*given, *follows]):
            given, follows = sorted(given), sorted(follows)
    if isinstance(given, np.integer):
        given = int(given)
    if type(given) is not type(follows) or given != follows:
        raise ValueError(f"{where} is given as {given!r}, but from the rest follows {follows!r}")
