"""What is the same is equal: one state has one record, and one knowledge one view.

States come from random games; in each, every seat's view and worlds are compared with those of the
same state read back from its table, and of a world dealt for that seat.
"""

from __future__ import annotations

import json
import random
from itertools import islice
from typing import Any

import numpy as np
import pytest

import railenvs
from railenvs import Game, SeatView
from railenvs.engine.state import State
from railenvs.games import load_rulebook
from tests.grid import Cell, seatings, with_options
from tests.play import random_states

SEEDS = (3, 1_000_003)
STATES = 16
"""States of a game that are tried one by one."""
MOST_MOVES = 6
"""Moves of a state that are compared with one another."""
MOST_STATES = 80
"""States of a game that are compared with one another."""


def tried(game_id: str) -> list[Cell]:
    """The fewest, the usual and the most seats; with the usual number, each option."""
    rulebook = load_rulebook(game_id)
    usual = seatings(game_id, [rulebook.default_players])[0]
    edges = seatings(game_id, [rulebook.seats[0], rulebook.seats[-1]])
    return [edges[0], *with_options(usual), edges[1]]


CELLS = [cell for game_id in railenvs.game_ids() for cell in tried(game_id)]


@pytest.fixture(params=CELLS, ids=str)
def game(request: pytest.FixtureRequest) -> Game:
    return request.param.game()


def some_states(game: Game, seed: int = 0, count: int = STATES) -> list[State]:
    """States of a random game, the first and the last ones among them."""
    states = list(random_states(game, seed))
    inner = random.Random(seed).sample(range(len(states)), min(count, len(states)))
    return [states[index] for index in sorted({0, *inner, len(states) - 2, len(states) - 1})]


def worlds(view: SeatView) -> list[bytes]:
    return [view.sample_world(seed).tobytes() for seed in SEEDS]


def parts_that_differ(game: Game, one: State, other: State) -> dict[str, Any]:
    return {
        name: (one[name][0].tolist(), other[name][0].tolist())
        for name in (game.rulebook.dtype.names or ())[1:]
        if not np.array_equal(one[name], other[name])
    }


def test_a_state_read_back_from_its_table_is_the_same(game):
    """Record, every seat's view and the worlds dealt from it."""
    for state in some_states(game):
        again = game.from_table(game.table(state))
        assert not parts_that_differ(game, again, state)
        assert game.state_hash(again) == game.state_hash(state)
        for seat in range(game.num_players):
            view, same = SeatView(game, state, seat), SeatView(game, again, seat)
            assert view == same
            assert worlds(view) == worlds(same)


def test_a_seat_knows_the_same_in_its_worlds(game):
    """Nothing that a seat cannot know is left in a world: not even whom the rules ask next."""
    for state in some_states(game):
        for seat in range(game.num_players):
            view = SeatView(game, state, seat)
            for seed in SEEDS:
                world = view.sample_world(seed)
                same = SeatView(game, world, seat)
                assert view == same, parts_that_differ(game, view._world, same._world)
                assert worlds(view) == worlds(same)
                assert world.tobytes() == game.determinize(state, seat, seed).tobytes()


class Shown:
    """Views by what they show: those that show the same must be the same."""

    def __init__(self, game: Game, seat: int) -> None:
        self.game = game
        self.seat = seat
        self.found: dict[Any, SeatView] = {}

    def add(self, state: State) -> None:
        view = SeatView(self.game, state, self.seat)
        table = json.dumps(view.table())
        shown = table, view.observation.tobytes(), view.action_mask.tobytes()
        before = self.found.setdefault(shown, view)
        assert view == before, parts_that_differ(self.game, view._world, before._world)
        assert hash(view) == hash(before)
        assert worlds(view) == worlds(before)


@pytest.mark.slow
def test_views_that_show_the_same_are_equal(game):
    """A seat's table, observation and mask hold all that it knows, whenever they come up."""
    for seat in range(game.num_players):
        shown = Shown(game, seat)
        for state in islice(random_states(game, 1), MOST_STATES):
            shown.add(state)


def test_moves_that_look_alike_leave_equal_views(game):
    """Whatever another seat has done, or not yet: where no difference shows there is none."""
    chance = random.Random(2)
    for state in some_states(game, 2):
        moves = np.flatnonzero(game.legal(state)).tolist()
        after = []
        for action in chance.sample(moves, min(len(moves), MOST_MOVES)):
            after.append(state.copy())
            game.play(after[-1], action)
        for seat in range(game.num_players):
            if seat != game.seat(state):
                shown = Shown(game, seat)
                for each in (state, *after):
                    shown.add(each)
