"""The game grid: every game with every number of seats, and with every option value.

A new game is covered by being in ``railenvs.game_ids()``: all that is listed here is read from its
rulebook.
"""

from __future__ import annotations

import importlib
from dataclasses import dataclass, replace
from typing import Any

import railenvs
from railenvs.adapters.pettingzoo import RailEnv
from railenvs.engine import batch
from railenvs.engine.game import REWARD
from railenvs.games import load_rulebook

# Tests' batches are small; their threads share them all the same.
batch.ROWS_A_THREAD = 1


@dataclass(frozen=True)
class Cell:
    """One game with seats and options fixed."""

    game_id: str
    num_players: int
    options: tuple[tuple[str, Any], ...] = ()

    def __str__(self) -> str:
        options = (f"{name}={value}" for name, value in self.options)
        return "-".join([self.game_id, f"{self.num_players}p", *options])

    def game(self) -> railenvs.Game:
        return railenvs.load_game(self.game_id, self.num_players, **dict(self.options))

    def env(self, render_mode: str | None = None) -> RailEnv:
        return self._module().env(self.num_players, render_mode, **dict(self.options))

    def raw_env(self, render_mode: str | None = None) -> RailEnv:
        return self._module().raw_env(self.num_players, render_mode, **dict(self.options))

    def batch(self, num_games: int, seed: int | None = 0, threads: int = 1) -> railenvs.Batch:
        return railenvs.make_batch(
            self.game_id, num_games, self.num_players, seed, threads, **dict(self.options)
        )

    def _module(self) -> Any:
        return importlib.import_module(f"railenvs.{self.game_id.replace('-', '_')}")


def _cells(game_id: str) -> list[Cell]:
    """Every number of seats with the options' defaults; the default number with each option."""
    rulebook = load_rulebook(game_id)
    default = Cell(game_id, rulebook.default_players)
    return [*(Cell(game_id, seats) for seats in rulebook.seats), *with_options(default)[1:]]


def with_options(seating: Cell) -> list[Cell]:
    """All options at their defaults, then one at a time at every other value (or examples)."""
    options = {**load_rulebook(seating.game_id).options, "reward": REWARD}
    varied = [
        replace(seating, options=((name, value),))
        for name, option in options.items()
        if option.is_open(seating.num_players)
        for value in option.examples
    ]
    return [seating, *varied]


CELLS = [cell for game_id in railenvs.game_ids() for cell in _cells(game_id)]
SEATINGS = [cell for cell in CELLS if not cell.options]
"""Every number of seats, options at their defaults."""
DEFAULT_CELLS = [
    Cell(game_id, load_rulebook(game_id).default_players) for game_id in railenvs.game_ids()
]
