"""Observation fields: the one table that encoder, docs, tests and agents all read."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt


@dataclass(frozen=True)
class Field:
    """One named part of an observation vector.

    Attributes:
        name: the field's name.
        shape: its shape once cut out of the vector (C order).
        high: the largest value an entry takes.
        meaning: what the entries say, in a sentence.
        low: the smallest value an entry takes.
    """

    name: str
    shape: tuple[int, ...]
    high: int
    meaning: str
    low: int = 0

    def __post_init__(self) -> None:
        if not -128 <= self.low < self.high <= 127:
            raise ValueError(
                f"field {self.name!r} must have -128 <= low < high <= 127, not low={self.low!r} "
                f"and high={self.high!r}"
            )

    @property
    def size(self) -> int:
        """Number of entries."""
        return math.prod(self.shape)


@dataclass(frozen=True)
class PlacedField(Field):
    """A field with its place in the vector."""

    start: int = 0

    @property
    def slice(self) -> slice:
        """Where the field lies in the observation vector."""
        return slice(self.start, self.start + self.size)


class Fields(Mapping[str, PlacedField]):
    """The fields of an observation in order; they tile the vector without gaps."""

    def __init__(self, fields: Sequence[Field]) -> None:
        self._fields: dict[str, PlacedField] = {}
        start = 0
        for part in fields:
            if part.name in self._fields:
                raise ValueError(f"two observation fields are named {part.name!r}")
            self._fields[part.name] = PlacedField(
                part.name, part.shape, part.high, part.meaning, part.low, start
            )
            start += part.size
        self.size = start
        low, high = self.bounds()
        self._inverse_bounds = np.float32(1) / np.maximum(high, -low.astype(np.float32))

    def __getitem__(self, name: str) -> PlacedField:
        try:
            return self._fields[name]
        except KeyError:
            raise KeyError(f"no field {name!r}; there are {', '.join(self._fields)}") from None

    def __iter__(self) -> Iterator[str]:
        return iter(self._fields)

    def __len__(self) -> int:
        return len(self._fields)

    def cut(self, observations: npt.NDArray[np.int8], name: str) -> npt.NDArray[np.int8]:
        """The named field of one observation (D,) or of many (..., D), as a view."""
        part = self[name]
        return observations[..., part.slice].reshape(observations.shape[:-1] + part.shape)

    def scale(self, observations: npt.NDArray[np.int8]) -> npt.NDArray[np.float32]:
        """Observations (..., D) as a network takes them: float32, each entry over its bound.

        The bound is the larger of ``high`` and ``-low``, so all values lie from -1 to 1.
        """
        return np.multiply(observations, self._inverse_bounds, dtype=np.float32)

    def describe(self) -> str:
        """The fields as a Markdown table: place in the vector, name, shape, range, meaning."""
        lines = ["| Index | Field | Shape | Values | Meaning |", "| --- | --- | --- | --- | --- |"]
        for part in self.values():
            last = part.start + part.size - 1
            place = f"{part.start}" if part.size == 1 else f"{part.start}-{last}"
            shape = ", ".join(map(str, part.shape))
            lines.append(
                f"| {place} | `{part.name}` | ({shape}) | {part.low}-{part.high} | {part.meaning} |"
            )
        return "\n".join(lines)

    def bounds(self) -> tuple[npt.NDArray[np.int8], npt.NDArray[np.int8]]:
        """Smallest and largest value of every entry, each int8 of shape (D,)."""
        low = np.concatenate([np.full(part.size, part.low) for part in self.values()])
        high = np.concatenate([np.full(part.size, part.high) for part in self.values()])
        return low.astype(np.int8), high.astype(np.int8)
