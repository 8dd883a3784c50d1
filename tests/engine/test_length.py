"""``game.max_length``: no game takes more decisions, and games that are drawn out come near it."""

from __future__ import annotations

import importlib
import random
import re
from dataclasses import replace

import numpy as np
import pytest

import railenvs
from railenvs import Game
from railenvs.engine.state import State
from railenvs.games import load_rulebook
from tests.grid import Cell, with_options
from tests.play import choose

REST = ""
"""Stands for all actions that are not named."""
STALLS = {
    "deck_express": ("build",),
    "express": ("let it go", "choose", "exchange", "lay out", "ask", "draw", "discard Red"),
    "railroad_run": (
        *("decline", "offer", "sell stocks for 5", "Land Grants", "Survey", "switch", REST),
        *("upgrade", "Train", "done", "send", "accept", "withdraw"),
    ),
    "tchu_tchu_train": (
        *("give", "swap row 1", "swap row 2", "swap row 3", "swap row 4", "refresh", "take row"),
        *("end placing", "station", "place"),
    ),
}
"""By game, the beginnings of action names: what draws a game out most comes first."""
DRAWN_OUT = {"deck_express": 0.95, "express": 0.4, "railroad_run": 0.5, "tchu_tchu_train": 0.95}
"""The part of the bound that such a game takes at least, with the fewest seats: bounds are no
vainly large numbers."""
TURNS = 40
"""Turns after which games are cut off that need not end: bounds grow with them."""


def tried(game_id: str) -> list[Cell]:
    """The fewest and the most seats with each option; long games cut short."""
    rulebook = load_rulebook(game_id)
    ends = [rulebook.seats[0], rulebook.seats[-1]]
    cells = [cell for seats in ends for cell in with_options(Cell(game_id, seats))]
    return [short(cell) for cell in cells if "max_turns" not in dict(cell.options)]


def short(cell: Cell) -> Cell:
    if "max_turns" not in load_rulebook(cell.game_id).options:
        return cell
    return replace(cell, options=(*cell.options, ("max_turns", TURNS)))


CELLS = [cell for game_id in railenvs.game_ids() for cell in tried(game_id)]
LONGEST = [short(Cell(game_id, load_rulebook(game_id).seats[0])) for game_id in railenvs.game_ids()]


def draws_out(game: Game, state: State, wanted: dict[int, int], chance: random.Random) -> int:
    """An action after which the game goes on, in the same turn if there is one, by ``wanted``.

    It looks at hidden cards, as no player can.
    """

    def dislike(action: int) -> tuple[bool, bool, int, float]:
        after = state.copy()
        game.play(after, action)
        turn = "turn" if "turn" in (state.dtype.names or ()) else "seat"
        passed = bool(after[turn] != state[turn])
        return game.is_over(after), passed, wanted[action], chance.random()

    return min(np.flatnonzero(game.legal(state)).tolist(), key=dislike)


def length(game: Game, seed: int, stalls: bool) -> int:
    """Decisions of one game."""
    chance = random.Random(seed)
    order = STALLS[game.rulebook.name]
    rest = order.index(REST) if REST in order else len(order)
    wanted = {
        action: next((i for i, start in enumerate(order) if start and name.startswith(start)), rest)
        for action, name in enumerate(game.action_names)
    }
    state = game.deal(seed)
    count = 0
    while not game.is_over(state):
        mask = game.legal(state)
        game.play(state, draws_out(game, state, wanted, chance) if stalls else choose(mask, chance))
        count += 1
    return count


@pytest.mark.parametrize("cell", CELLS, ids=str)
def test_no_game_takes_more_decisions_than_its_bound(cell):
    """Neither at random nor where everybody plays for time."""
    game = cell.game()
    for seed in range(3):
        for stalls in (False, True):
            assert length(game, seed, stalls) <= game.max_length


@pytest.mark.parametrize("cell", LONGEST, ids=str)
def test_bounds_are_no_larger_than_they_need_be(cell):
    game = cell.game()
    longest = max(length(game, seed, stalls=True) for seed in range(4))
    assert longest >= DRAWN_OUT[game.rulebook.name] * game.max_length


def test_bounds_of_games_that_are_cut_off_grow_with_their_turns(game_id):
    if "max_turns" in load_rulebook(game_id).options:
        bounds = [railenvs.load_game(game_id, max_turns=turns).max_length for turns in (10, 20, 30)]
        assert 0 < bounds[1] - bounds[0] == bounds[2] - bounds[1]


def test_pages_tell_the_bounds(game_id):
    rulebook = load_rulebook(game_id)
    page = importlib.import_module(f"railenvs.{rulebook.name}_v0").__doc__
    bounds = [railenvs.load_game(game_id, seats).max_length for seats in rulebook.seats]
    told = page.partition("A game takes at most")[2].partition("\n\n")[0]
    assert "`game.max_length`" in told
    numbers = [int(number) for number in re.findall(r"\d+", told)]
    assert [number for number in numbers if number > 12] == bounds
