"""The table as text: any game's, drawn from the shape of the dict that ``table()`` returns."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from railenvs.engine.view import SeatView

HIDDEN = "?"
NONE = "-"


def render_view(view: SeatView) -> str:
    """The table as a seat sees it, with the actions open to it.

    Args:
        view: the seat's view; nothing else is read.
    """
    title = f"{view.game.title}, seen by player_{view.seat}"
    parts = [title, "=" * len(title), render_table(_mark_seats(view.table(), view.seat))]
    if view.legal_actions.size:
        names = [f"{action} {view.game.action_names[action]}" for action in view.legal_actions]
        parts.append("Your actions: " + ", ".join(names))
    return "\n".join(parts) + "\n"


def render_table(table: Mapping[str, Any]) -> str:
    """A table dict as text: plain entries a line each, groups of alike entries as grids."""
    plain = []
    grids = []
    for key, value in table.items():
        rows = _grid_rows(key, value)
        if rows:
            grids.append(_grid(rows))
        elif value is not None:
            plain.append(f"{_words(key)}: {_cell(value)}")
    return "\n\n".join(["\n".join(plain), *grids]) + "\n"


def _mark_seats(table: Mapping[str, Any], seat: int) -> dict[str, Any]:
    """Name the seats, and the viewer among them."""
    seats = {
        f"player_{other}" + (" (you)" if other == seat else ""): entries
        for other, entries in enumerate(table["seats"])
    }
    turn = table.get("turn")
    named = {**table, "seats": seats}
    if isinstance(turn, int):
        named["turn"] = f"player_{turn}"
    return named


def _grid_rows(title: str, value: Any) -> list[list[str]]:
    """Header and rows of a group of alike entries; nothing for any other value."""
    if not isinstance(value, Mapping) or not value:
        return []
    entries = list(value.values())
    if not all(isinstance(entry, Mapping) and list(entry) == list(entries[0]) for entry in entries):
        return []
    header = [_words(title), *(_words(key) for key in entries[0])]
    return [header] + [
        [name, *(_cell(cell) for cell in entry.values())] for name, entry in value.items()
    ]


def _grid(rows: Sequence[Sequence[str]]) -> str:
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    lines = [
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
        for row in rows
    ]
    return "\n".join([lines[0], "-" * max(map(len, lines)), *lines[1:]])


def _words(key: str) -> str:
    return key.replace("_", " ")


def _cell(value: Any) -> str:
    if value is None:
        return HIDDEN
    if isinstance(value, Mapping):
        return ", ".join(f"{key} {_cell(entry)}" for key, entry in value.items()) or NONE
    if isinstance(value, (list, tuple)):
        return " ".join(_cell(entry) for entry in value) or NONE
    return str(value)
