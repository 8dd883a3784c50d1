"""The table as text: any game's, drawn from the shape of the dict that ``table()`` returns.

An entry ``shifted_rows`` is not drawn: it lists the rows of grids whose cells lie half a cell to
the right of those above and below, as on a board of hexagons.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from railenvs.engine.search import ActionStats, Search
from railenvs.engine.view import SeatView

NULL = "·"
"""Stands for null: hidden from the viewer, or not yet."""
EMPTY = "-"
SHIFTED_ROWS = "shifted_rows"
SPACE = "  "
"""Between the cells of a grid."""


def render_view(view: SeatView, search: Search | None = None) -> str:
    """The table as a seat sees it, with the actions open to it.

    Args:
        view: the seat's view; nothing else is read.
        search: a search of it, told below.

    Raises:
        ValueError: if the search is of another view.
    """
    if search is not None and search.view != view:
        raise ValueError(
            f"search must be of this view of {view.game!r}, player_{view.seat}, not of another: "
            f"{search.view.game!r}, player_{search.view.seat}"
        )
    title = f"{view.game.title}, seen by player_{view.seat}"
    parts = [title, "=" * len(title), render_table(_mark_seats(view.table(), view.seat))]
    if view.legal_actions.size:
        names = [f"{action} {view.game.action_names[action]}" for action in view.legal_actions]
        parts.append("Your actions: " + ", ".join(names))
    if search is not None:
        parts.append("\n" + render_search(search).rstrip())
    return "\n".join(parts) + "\n"


def render_search(search: Search) -> str:
    """What a search found: each action, the best first, and the line it expects.

    ``of`` tells how often the action could have been played; what the seats got of the simulations
    is their share of the victory (of a game that nobody wins nothing, or an even share, by the
    option ``cut_off``), or their reward.
    """
    names = search.view.game.action_names
    seats = [_seat_name(seat, search.view.seat) for seat in range(search.view.game.num_players)]

    def told(line: ActionStats) -> list[str]:
        return [str(line.visits), str(line.available), *(f"{each:.3f}" for each in line.values)]

    rows = [["action", "visits", "of", *seats]]
    rows += [[f"{line.action} {names[line.action]}", *told(line)] for line in search.actions()]
    line = ", ".join(
        f"{seats[each.seat]}: {names[each.action]} ({each.visits})"
        for each in search.principal_line()
    )
    title = f"Search of {search.simulations} simulations, {search.num_nodes} nodes"
    return f"{title}\n{_grid(rows, ())}\nExpected: {line}\n"


def _seat_name(seat: int, viewer: int) -> str:
    return f"player_{seat}" + (" (you)" if seat == viewer else "")


def render_table(table: Mapping[str, Any]) -> str:
    """A table dict as text: plain entries a line each, groups of alike entries as grids."""
    plain = []
    grids = []
    shifted = table.get(SHIFTED_ROWS, ())
    for key, value in table.items():
        rows = _grid_rows(key, value)
        if rows:
            grids.append(_grid(rows, shifted))
        elif value is not None and key != SHIFTED_ROWS:
            plain.append(f"{_words(key)}: {_cell(value)}")
    return "\n\n".join(["\n".join(plain), *grids]) + "\n"


def render_changes(before: Mapping[str, Any], after: Mapping[str, Any], seat: int) -> str:
    """What differs between two tables of one game, as ``seat`` sees them, a line for each entry.

    Nothing at all where no more happened than that what was hidden turned out to be empty.
    """
    changes = _changes("", _mark_seats(before, seat), _mark_seats(after, seat))
    lines = [f"  {_words(name)}: {_change(old, new)}" for name, old, new in changes]
    return "".join(f"{line}\n" for line in lines)


def _change(old: Any, new: Any) -> str:
    if not isinstance(old, list) or not isinstance(new, list):
        return f"{_cell(old)} -> {_cell(new)}"
    gone = [f"-{_cell(entry)}" for entry in _without(old, new)]
    come = [f"+{_cell(entry)}" for entry in _without(new, old)]
    return " ".join(gone + come) or f"{_cell(old)} -> {_cell(new)}"


def _without(entries: Sequence[Any], others: Sequence[Any]) -> list[Any]:
    """Entries that are left when each of the others has taken away one that equals it."""
    left = list(entries)
    for other in others:
        if other in left:
            left.remove(other)
    return left


def _changes(name: str, before: Any, after: Any) -> Iterator[tuple[str, Any, Any]]:
    """Name, old and new value of each entry that differs."""
    if isinstance(before, Mapping) and isinstance(after, Mapping):
        for key in dict.fromkeys([*before, *after]):
            inner = key if name == "seats" else f"{name} {key}".strip()
            yield from _changes(inner, before.get(key), after.get(key))
    elif _are_groups(before) and _are_groups(after) and len(before) == len(after):
        for index, (old, new) in enumerate(zip(before, after, strict=True)):
            yield from _changes(f"{name} {index}", old, new)
    elif before != after and not (_says_nothing(before) and _says_nothing(after)):
        yield name, before, after


def _says_nothing(value: Any) -> bool:
    return value is None or value in ([], {})


def _are_groups(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(entry, Mapping) for entry in value)


def _mark_seats(table: Mapping[str, Any], seat: int) -> dict[str, Any]:
    """Name the seats, and the viewer among them."""
    seats = {_seat_name(other, seat): entries for other, entries in enumerate(table["seats"])}
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


def _grid(rows: Sequence[Sequence[str]], shifted: Sequence[str]) -> str:
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    half = 0
    if any(row[0] in shifted for row in rows):
        # Cells are of one width, an even one, so that half a cell is the same everywhere.
        widest = max(widths[1:])
        widest += widest % 2
        widths[1:] = [widest] * len(widths[1:])
        half = (widest + len(SPACE)) // 2
    lines = [_grid_line(row, widths, half if row[0] in shifted else 0) for row in rows]
    return "\n".join([lines[0], "-" * max(map(len, lines)), *lines[1:]])


def _grid_line(row: Sequence[str], widths: Sequence[int], shift: int) -> str:
    title, *cells = (cell.ljust(width) for cell, width in zip(row, widths, strict=True))
    return SPACE.join([title + " " * shift, *cells]).rstrip()


def _words(key: str) -> str:
    """A key as words; names of seats, such as ``player_0``, stay."""
    return re.sub(r"_(?!\d)", " ", key)


def _cell(value: Any) -> str:
    if value is None:
        return NULL
    if isinstance(value, Mapping):
        return ", ".join(f"{_words(key)} {_cell(entry)}" for key, entry in value.items()) or EMPTY
    if isinstance(value, (list, tuple)):
        cells = [_cell(entry) for entry in value]
        # Names of several words need a comma between them.
        return (", " if any(" " in cell for cell in cells) else " ").join(cells) or EMPTY
    return str(value)
