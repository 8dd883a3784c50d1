"""What searches find, to compare between processes and settings.

``python -m tests.engine.searches`` prints it for the first decisions of every game.
"""

from __future__ import annotations

import json
import sys
from dataclasses import astuple
from typing import Any

from railenvs.engine.search import Search, Settings
from railenvs.engine.view import SeatView
from tests.engine.puzzles import puzzle
from tests.grid import DEFAULT_CELLS


def found(search: Search | None) -> list[Any]:
    """All that a search tells; nothing if there was none."""
    if search is None:
        return []
    return [search.simulations, search.num_nodes, search.actions(), search.principal_line()]


def first_searches() -> dict[str, Any]:
    """What short searches find at the first decision of every game, as lists of numbers."""
    told = {}
    for game in [*(cell.game() for cell in DEFAULT_CELLS), puzzle("nim", 3, stones=9)]:
        state = game.deal(1)
        view = SeatView(game, state, game.seat(state))
        for flat in (False, True):
            search = Search(view, Settings(simulations=12, cutoff=8, flat=flat), seed=3)
            search.run()
            lines = [astuple(line) for line in (*search.actions(), *search.principal_line())]
            told[f"{game!r} {flat}"] = [search.num_nodes, *lines]
    return told


if __name__ == "__main__":
    json.dump(first_searches(), sys.stdout)
