"""The invariants that the long random runs check would find a wrong table."""

import pytest

from railenvs import Batch
from tests.engine.soak import soak
from tests.grid import Cell


@pytest.mark.parametrize(
    "field",
    [
        "seat",
        "turn",
        "turns",
        "ended",
        "stock",
        "stock_count",
        "pile",
        "top",
        "hand",
        "hand_count",
        "train",
        "region",
        "score",
        "known",
        "known_count",
        "new_at_least",
    ],
)
def test_one_wrong_entry_in_one_game_is_noticed(field, monkeypatch):
    step = Batch.step

    def step_wrongly(batch, actions):
        step(batch, actions)
        batch._states[field].reshape(batch.num_games, -1)[5, 0] += 1

    monkeypatch.setattr(Batch, "step", step_wrongly)
    with pytest.raises(AssertionError):
        soak(Cell("express-v0", 3), 800, num_games=16)
