"""A short run of ``tests/engine/soak.py``; the long one is a command of its own."""

import numpy as np
import pytest

from railenvs import Batch
from tests.engine.soak import PLAYED_CELLS, soak

STEPS = 40_000


@pytest.mark.parametrize("cell_of_game", PLAYED_CELLS, ids=str)
def test_random_steps_keep_every_invariant(cell_of_game):
    report = soak(cell_of_game, STEPS, num_games=256)
    assert report.steps >= STEPS
    assert report.games > 100
    assert (report.wins > 0).all()


@pytest.mark.parametrize("cell_of_game", PLAYED_CELLS[:1], ids=str)
@pytest.mark.parametrize("field", ["seat", "ended", "track", "shown", "money", "height", "built"])
def test_checks_notice_a_wrong_table(cell_of_game, field, monkeypatch):
    """The invariants have teeth: one entry changed in one row of the batch is found."""
    step = Batch.step

    def step_wrongly(batch, actions):
        step(batch, actions)
        batch._states[field].reshape(batch.num_games, -1)[5, 0] += np.int8(1)

    monkeypatch.setattr(Batch, "step", step_wrongly)
    with pytest.raises(AssertionError):
        soak(cell_of_game, 200, num_games=16)
