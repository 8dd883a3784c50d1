"""What the commands share: options of a game as words, errors without tracebacks."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any


@contextmanager
def plain_errors() -> Iterator[None]:
    """Turn an error about what the user asked for into one line and exit status 2."""
    try:
        yield
    except (ValueError, OSError) as error:
        print(f"error: {error}", file=sys.stderr)
        raise SystemExit(2) from None


def read_options(words: Sequence[str]) -> dict[str, Any]:
    """A game's options from words such as ``"setup=thirds"`` or ``"max_turns=200"``.

    Values are read as JSON where they are JSON, else taken as strings.

    Raises:
        ValueError: if a word has no ``=``, or names an option twice.
    """
    options: dict[str, Any] = {}
    for word in words:
        name, equals, value = word.partition("=")
        if not name or not equals:
            raise ValueError(f"an option must be given as NAME=VALUE, not {word!r}")
        if name in options:
            raise ValueError(f"option {name!r} is given twice")
        try:
            options[name] = json.loads(value)
        except json.JSONDecodeError:
            options[name] = value
    return options
