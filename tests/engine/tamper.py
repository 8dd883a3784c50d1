"""Changes to JSON-like values, one at a time."""

from __future__ import annotations

import copy
from typing import Any

from hypothesis import strategies as st

Path = tuple[str | int, ...]

_ODD: list[Any] = [
    None,
    True,
    False,
    -1,
    0,
    1,
    127,
    128,
    10**30,
    1.5,
    float("nan"),
    "",
    "x",
    [],
    {},
]
_ODD += [[None], [[]], ["x", "x"], {"x": 1}, [1, 2, 3]]


def paths(value: Any, start: Path = ()) -> list[Path]:
    """The places of all parts of a value."""
    found = []
    items = value.items() if isinstance(value, dict) else ()
    items = enumerate(value) if isinstance(value, list) else items
    for key, part in items:
        found += [(*start, key), *paths(part, (*start, key))]
    return found


def part(value: Any, path: Path) -> Any:
    """What lies at a place."""
    for key in path:
        value = value[key]
    return value


@st.composite
def tampered(draw: st.DrawFn, value: Any) -> tuple[str, Any]:
    """What was done, and a copy of ``value`` to which it was done."""
    changed = copy.deepcopy(value)
    places = paths(value)
    path = draw(st.sampled_from(places))
    holder, key = part(changed, path[:-1]), path[-1]
    kinds = ["replace", "exchange", "delete", "add"]
    if isinstance(holder, list) and len(holder) > 1:
        kinds += ["double", "reverse"]
    kind = draw(st.sampled_from(kinds))
    if kind == "replace":
        near = [part(value, place) for place in places if place[-1] == key and place != path]
        holder[key] = copy.deepcopy(draw(st.sampled_from(near + _ODD)))
    elif kind == "exchange":
        other = draw(st.sampled_from(places))
        holder[key] = copy.deepcopy(part(value, other))
    elif kind == "delete":
        del holder[key]
    elif kind == "double":
        holder.append(copy.deepcopy(holder[key]))
    elif kind == "reverse":
        holder.reverse()
    elif isinstance(holder, dict):
        holder["extra"] = 0
    else:
        holder.insert(int(key), draw(st.sampled_from(_ODD)))
    return f"{kind} {'.'.join(map(str, path))}", changed
