"""Boards: a text that a person can read and edit, checked when read.

The first line that says anything is ``square`` or ``hex``: how cells adjoin. Every further line is
a row of cells from left to right, each a card and the letter of its area, such as ``7C/A``; ``.``
is a gap. Cells in one column lie below each other; on a ``hex`` board every second row (the 2nd,
4th, ...) is shifted half a cell to the right. ``#`` begins a comment; empty lines do not count.

Cells are named by row and column as typed, from 1: ``r3c11``.
"""

from __future__ import annotations

import functools
import os
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from importlib.resources import files
from pathlib import Path
from typing import Any

import numpy as np

from railenvs.engine.checks import one_of, seed_number
from railenvs.engine.compile import kernel
from railenvs.engine.random import seed_generator
from railenvs.engine.state import Record, at
from railenvs.games.tchu_tchu_train.cards import CARD_NAMES, COPIES, NUM_CARDS
from railenvs.games.tchu_tchu_train.generator import COLUMNS, ROWS, grid_area, lay_cards
from railenvs.games.tchu_tchu_train.state import (
    DTYPE,
    NOTHING,
    NUM_AREAS,
    NUM_CELLS,
    SIDES,
)

SQUARE, HEX = ADJACENCIES = ("square", "hex")
AREA_NAMES = "ABCDEFGH"
GAP = "."
COMMENT = "#"
MOST_COLUMNS = 127
"""Rows and columns are counted in int8."""
MOST_FAULTS = 6
"""Miscounted cards that a message names."""


@dataclass(frozen=True)
class Board:
    """A board of 104 cells, checked when made.

    Attributes:
        adjacency: ``"square"`` (cells that share an edge adjoin) or ``"hex"``.
        places: row and column of each cell, from 0, in reading order.
        cards: the card that each cell shows, by number.
        areas: the area of each cell, 0 to 7.

    Raises:
        ValueError: if it is no board to play on; the message names cell, card or area.
    """

    adjacency: str
    places: tuple[tuple[int, int], ...]
    cards: tuple[int, ...]
    areas: tuple[int, ...]

    def __post_init__(self) -> None:
        one_of(self.adjacency, "the board's adjacency", ADJACENCIES)
        self._check_types()
        self._check_places()
        self._check_cards()
        self._check_areas()
        self._check_connection()

    @classmethod
    def from_text(cls, text: str, source: str = "the board") -> Board:
        """Read a board from its text.

        Args:
            text: as this module tells.
            source: where the text comes from, for messages.

        Raises:
            ValueError: naming the line and what is wrong with it.
        """
        adjacency = None
        places: list[tuple[int, int]] = []
        cards: list[int] = []
        areas: list[int] = []
        row = 0
        for number, line in enumerate(text.splitlines(), start=1):
            words = line.split(COMMENT)[0].split()
            where = f"{source}, line {number}"
            if not words:
                continue
            if adjacency is None:
                if len(words) != 1 or words[0] not in ADJACENCIES:
                    raise ValueError(f"{where}: must be 'square' or 'hex', not {line.strip()!r}")
                adjacency = words[0]
                continue
            if max(row + 1, len(words)) > MOST_COLUMNS:
                raise ValueError(f"{where}: a board has at most {MOST_COLUMNS} rows and columns")
            for column, word in enumerate(words):
                if word != GAP:
                    card, area = read_label(word, f"{where}, cell {cell_name(row, column)}")
                    places.append((row, column))
                    cards.append(card)
                    areas.append(area)
            row += 1
        if adjacency is None:
            raise ValueError(f"{source}: is empty; it must begin with 'square' or 'hex'")
        try:
            return cls(adjacency, tuple(places), tuple(cards), tuple(areas))
        except ValueError as error:
            raise ValueError(f"{source}: {error}") from None

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Board:
        """Read a board file.

        Raises:
            ValueError: if it cannot be read, or holds no board; the message names file and line.
        """
        try:
            # Some editors begin a file with a byte order mark.
            text = Path(path).read_text(encoding="utf-8-sig")
        except (OSError, UnicodeDecodeError) as error:
            raise ValueError(f"cannot read the board {os.fspath(path)!r}: {error}") from None
        return cls.from_text(text, os.fspath(path))

    @classmethod
    def default(cls) -> Board:
        """The board that the library ships: ours, since the printed one is not to be had."""
        text = files("railenvs.games.tchu_tchu_train").joinpath("boards/default.txt")
        return cls.from_text(text.read_text(encoding="utf-8"), "the default board")

    @classmethod
    def generate(cls, seed: int) -> Board:
        """A board by lot; :mod:`railenvs.games.tchu_tchu_train.generator` tells what it keeps to.

        Args:
            seed: 0 to 2**63 - 1, fixes the board.
        """
        states = np.zeros(1, DTYPE)
        record = at(states, 0)
        lay_grid(record)
        _generate(states, seed_number(seed))
        return cls.from_record(record)

    @classmethod
    def from_record(cls, state: Record) -> Board:
        """The board that a record holds."""
        parts = (state.cell_row, state.cell_column, state.cell_card, state.cell_area)
        return _checked(HEX if state.hexagonal else SQUARE, *(part.tobytes() for part in parts))

    def to_text(self) -> str:
        """The text of the board, without comments; :meth:`from_text` reads it back."""
        lines = [self.adjacency]
        for row in range(1 + max(row for row, _ in self.places)):
            words = [(label or GAP).ljust(len("10C/A")) for label in self._row(row)]
            lines.append(" ".join(words).rstrip())
        return "\n".join(lines) + "\n"

    def write(self, state: Record) -> None:
        """Write the board into a blank record."""
        state.hexagonal = self.adjacency == HEX
        state.cell_row[:] = [row for row, _ in self.places]
        state.cell_column[:] = [column for _, column in self.places]
        state.cell_card[:] = self.cards
        state.cell_area[:] = self.areas
        state.neighbours[:] = NOTHING
        for cell, others in enumerate(self.neighbours):
            state.neighbours[cell, : len(others)] = others

    @cached_property
    def neighbours(self) -> tuple[tuple[int, ...], ...]:
        """The cells that adjoin each cell, in ascending order."""
        cells = {place: cell for cell, place in enumerate(self.places)}
        return tuple(
            tuple(sorted(cells[place] for place in self._beside(*place) if place in cells))
            for place in self.places
        )

    @cached_property
    def cell_names(self) -> tuple[str, ...]:
        """The name of each cell, such as ``"r3c11"``."""
        return tuple(cell_name(row, column) for row, column in self.places)

    @cached_property
    def labels(self) -> tuple[str, ...]:
        """Card and area of each cell as in the text, such as ``"7C/A"``."""
        return tuple(
            f"{CARD_NAMES[card]}/{AREA_NAMES[area]}"
            for card, area in zip(self.cards, self.areas, strict=True)
        )

    def _row(self, row: int) -> list[str]:
        found = {
            column: label
            for (its_row, column), label in zip(self.places, self.labels, strict=True)
            if its_row == row
        }
        return [found.get(column, "") for column in range(1 + max(found, default=0))]

    def _beside(self, row: int, column: int) -> list[tuple[int, int]]:
        beside = [(row, column - 1), (row, column + 1), (row - 1, column), (row + 1, column)]
        if self.adjacency == HEX:
            other = column + 1 if is_shifted(row) else column - 1
            beside += [(row - 1, other), (row + 1, other)]
        return beside

    def _check_types(self) -> None:
        for name in ("places", "cards", "areas"):
            value = getattr(self, name)
            if not isinstance(value, tuple):
                raise ValueError(f"the board's {name} must be a tuple, not {value!r:.60}")
            for entry in value:
                if not (_is_place(entry) if name == "places" else _is_number(entry)):
                    wanted = "pairs of whole numbers" if name == "places" else "whole numbers"
                    raise ValueError(f"the board's {name} must be {wanted}, not {entry!r:.60}")

    def _check_places(self) -> None:
        if len(set(self.places)) != len(self.places) or list(self.places) != sorted(self.places):
            raise ValueError("cells must differ and come in reading order")
        for name in ("cards", "areas"):
            if len(getattr(self, name)) != len(self.places):
                raise ValueError(
                    f"{len(self.places)} cells have as many {name}, not {len(getattr(self, name))}"
                )
        if any(not 0 <= number < MOST_COLUMNS for place in self.places for number in place):
            raise ValueError(f"a board has at most {MOST_COLUMNS} rows and columns")

    def _check_cards(self) -> None:
        for cell, card in zip(self.cell_names, self.cards, strict=True):
            if not 0 <= card < NUM_CARDS:
                raise ValueError(f"cell {cell} shows an unknown card, number {card}")
        faults = self._miscounted_cards()
        if len(faults) > MOST_FAULTS:
            faults[MOST_FAULTS:] = [f"and so on, {len(faults)} cards in all"]
        if len(self.places) != NUM_CELLS:
            faults.insert(0, f"a board has {NUM_CELLS} cells, not {len(self.places)}")
        if faults:
            raise ValueError("; ".join(faults))

    def _miscounted_cards(self) -> list[str]:
        """What is said of each card that does not stand on two cells."""
        cells: dict[int, list[str]] = {card: [] for card in range(NUM_CARDS)}
        for cell, card in zip(self.cell_names, self.cards, strict=True):
            cells[card].append(cell)
        return [
            f"{CARD_NAMES[card]} must stand on {COPIES} cells, not {len(found)}"
            + (f" ({', '.join(found)})" if found else "")
            for card, found in cells.items()
            if len(found) != COPIES
        ]

    def _check_areas(self) -> None:
        for cell, area in zip(self.cell_names, self.areas, strict=True):
            if not 0 <= area < NUM_AREAS:
                raise ValueError(f"cell {cell} lies in an unknown area, number {area}")
        missing = [name for area, name in enumerate(AREA_NAMES) if area not in self.areas]
        if missing:
            raise ValueError(f"a board has {NUM_AREAS} areas; no cell of {', '.join(missing)}")

    def _check_connection(self) -> None:
        for cell, others in zip(self.cell_names, self.neighbours, strict=True):
            if not others:
                raise ValueError(f"cell {cell} lies alone: no other cell adjoins it")
        reached = {0}
        fresh = [0]
        while fresh:
            fresh = [other for cell in fresh for other in self.neighbours[cell]]
            fresh = list(set(fresh) - reached)
            reached |= set(fresh)
        cut_off = [name for cell, name in enumerate(self.cell_names) if cell not in reached]
        if cut_off:
            raise ValueError(
                f"the board falls apart: no way leads from {self.cell_names[0]} to "
                f"{', '.join(cut_off)}"
            )


def _is_number(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _is_place(value: object) -> bool:
    return isinstance(value, tuple) and len(value) == 2 and all(map(_is_number, value))


@functools.lru_cache(maxsize=64)
def _checked(adjacency: str, rows: bytes, columns: bytes, cards: bytes, areas: bytes) -> Board:
    """The board of these parts; checked once, since a game asks for its board again and again."""
    places = tuple(zip(rows, columns, strict=True))
    return Board(adjacency, places, tuple(cards), tuple(areas))


def is_shifted(row: int) -> bool:
    """Whether a row of a hex board, counted from 0, lies half a cell to the right."""
    return row % 2 == 1


def cell_name(row: int, column: int) -> str:
    """The name of a cell."""
    return f"r{row + 1}c{column + 1}"


def read_board(value: Any) -> str:
    """The text of the board that a user asks for: a Board, a file's path, or the text itself.

    Raises:
        ValueError: if it is none of these, or the board is faulty.
    """
    if isinstance(value, Board):
        return value.to_text()
    if isinstance(value, str) and "\n" in value:
        return Board.from_text(value).to_text()
    if isinstance(value, os.PathLike) or (isinstance(value, str) and os.path.isfile(value)):  # noqa: PTH113
        return Board.load(value).to_text()
    raise ValueError(
        "board must be one of 'default', 'generated', the path of a board file, its text, or a "
        f"Board, not {value!r}"
    )


def chosen_board(options: Mapping[str, Any]) -> Board:
    """The board of a game with these options; of a generated one, the cells without the cards."""
    return _board_for(options["board"])


@functools.lru_cache(maxsize=64)
def _board_for(value: str) -> Board:
    return Board.default() if value in ("default", "generated") else Board.from_text(value)


def lay_grid(state: Record) -> None:
    """Write the cells, areas and neighbours of the grid on which boards are generated."""
    places = [(row, column) for row in range(ROWS) for column in range(COLUMNS)]
    for cell, (row, column) in enumerate(places):
        state.cell_row[cell], state.cell_column[cell] = row, column
        state.cell_area[cell] = grid_area(row, column)
        beside = [(row - 1, column), (row, column - 1), (row, column + 1), (row + 1, column)]
        others = [places.index(place) for place in beside if place in places]
        state.neighbours[cell] = others + [NOTHING] * (SIDES - len(others))


@kernel
def _generate(states: Any, seed: int) -> None:
    state = at(states, 0)
    seed_generator(state, seed)
    lay_cards(state)


def read_label(word: str, where: str) -> tuple[int, int]:
    """Card and area of a cell written such as ``7C/A``; ValueError if it is not."""
    card, slash, area = word.partition("/")
    if not slash:
        raise ValueError(f"{where}: must be a card and its area such as '7C/A', not {word!r}")
    if card not in CARD_NAMES:
        raise ValueError(
            f"{where}: unknown card {card!r}; cards are written like 'AS', '10H', 'KD'"
        )
    if len(area) != 1 or area not in AREA_NAMES:
        raise ValueError(f"{where}: unknown area {area!r}; areas are A to {AREA_NAMES[-1]}")
    return CARD_NAMES.index(card), AREA_NAMES.index(area)
