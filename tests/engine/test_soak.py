"""A short run of ``tests/engine/soak.py``; the long one is a command of its own."""

import pytest

from tests.engine.soak import PLAYED_CELLS, soak

STEPS = 12_000
GAMES = 100


@pytest.mark.slow
@pytest.mark.parametrize("cell_of_game", PLAYED_CELLS, ids=str)
def test_random_steps_keep_every_invariant(cell_of_game):
    report = soak(cell_of_game, STEPS, num_games=64, games=GAMES)
    assert report.steps >= STEPS
    assert report.games >= GAMES
    assert (report.wins > 0).all() or cell_of_game.is_cut_short
