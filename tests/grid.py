"""The game grid: every game with every number of seats, and with every option value.

A new game is covered by being in ``railenvs.game_ids()``: all that is listed here is read from its
rulebook, and from its hooks where its random games are long.
"""

from __future__ import annotations

import importlib
import os
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

import railenvs
from railenvs.adapters.pettingzoo import RailEnv
from railenvs.engine import batch
from railenvs.engine.game import REWARD
from railenvs.engine.rulebook import WHEN_CUT_OFF
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

    @property
    def is_cut_short(self) -> bool:
        """Whether its games are cut off long before anybody could win at random."""
        short = short_games(self.game_id)
        return bool(short) and short.items() <= dict(self.options).items()


def hooks(game_id: str) -> Any:
    """What a game tells about its own tests: ``tests/games/<game>_invariants.py``."""
    return importlib.import_module(f"tests.games.{load_rulebook(game_id).name}_invariants")


def short_games(game_id: str) -> dict[str, Any]:
    """Options that cut games off where random play would take too long; mostly none."""
    return getattr(hooks(game_id), "SHORT_GAMES", {})


def seatings(game_id: str, seats: Iterable[int]) -> list[Cell]:
    """Some numbers of seats, options at their defaults but for :func:`short_games`."""
    short = tuple(short_games(game_id).items())
    return [Cell(game_id, number, short) for number in seats]


def _default(game_id: str) -> Cell:
    return seatings(game_id, [load_rulebook(game_id).default_players])[0]


def _tried(game_id: str) -> list[Cell]:
    """Every number of seats, or those that the game's hooks say are enough."""
    every = load_rulebook(game_id).seats
    return seatings(game_id, getattr(hooks(game_id), "GRID_SEATS", every))


def _whole_games(game_id: str) -> list[Cell]:
    """Where games are cut short: games played to their end, by the fewest seats."""
    fewest = Cell(game_id, load_rulebook(game_id).seats[0])
    return [fewest] if short_games(game_id) else []


def with_options(seating: Cell) -> list[Cell]:
    """A seating, then with one option of its game at a time at every other value (or examples)."""
    varied = [
        replace(seating, options=(*seating.options, (name, value)))
        for name, option in load_rulebook(seating.game_id).options.items()
        if option.is_open(seating.num_players) and name not in dict(seating.options)
        for value in option.examples
    ]
    return [seating, *varied]


def with_rewards(seating: Cell) -> list[Cell]:
    """A seating with every reward but the default."""
    return _varied(seating, "reward", REWARD.values[1:])


def with_cut_offs(seating: Cell) -> list[Cell]:
    """A seating with every value of ``cut_off`` but the default, if its game has that option."""
    if "cut_off" not in load_rulebook(seating.game_id).options:
        return []
    return _varied(seating, "cut_off", WHEN_CUT_OFF.values[1:])


def _varied(seating: Cell, name: str, values: Iterable[Any]) -> list[Cell]:
    return [replace(seating, options=(*seating.options, (name, value))) for value in values]


QUICK = "RAILENVS_QUICK" in os.environ
"""Whether the default number of seats and the default options must do: ``make test-quick``."""
DEFAULT_CELLS = [_default(game_id) for game_id in railenvs.game_ids()]
"""Every game with its default number of seats."""
SEATINGS = [cell for game_id in railenvs.game_ids() for cell in _tried(game_id)]
"""Numbers of seats of every game, options at their defaults."""
WHOLE_GAMES = [cell for game_id in railenvs.game_ids() for cell in _whole_games(game_id)]
"""Games that the other cells cut short."""
REWARDS = [
    cell for default in DEFAULT_CELLS for cell in (*with_rewards(default), *with_cut_offs(default))
]
"""Every game with each reward, and with whatever a game that is cut off may pay: for tests of what
is paid, which the engine does for all games."""
SHORT_CELLS = [
    replace(cell, options=(*cell.options, ("cut_off", "truncate")))
    for cell in DEFAULT_CELLS
    if cell.is_cut_short
][:1]
"""A game that is cut off, and says so by truncation."""
CELLS = [
    *SEATINGS,
    *(cell for default in DEFAULT_CELLS for cell in with_options(default)[1:]),
    *with_rewards(DEFAULT_CELLS[0]),
    *WHOLE_GAMES,
]
"""The grid: every seating, the default number of seats with each option of the game, and one game
with each reward."""
if QUICK:
    SEATINGS = CELLS = DEFAULT_CELLS
MECHANICS = [DEFAULT_CELLS[0], *SHORT_CELLS]
"""Two games for what the engine does alike for all: one that its rules end, and one cut off."""
