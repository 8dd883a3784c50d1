"""The invariants that the long random runs check would find a wrong table."""

import numpy as np
import pytest

from railenvs import Batch
from tests.engine.soak import soak
from tests.grid import Cell


@pytest.mark.parametrize("setup", ["chart", "thirds"])
@pytest.mark.parametrize(
    "field",
    [
        "seat",
        "turn",
        "ended",
        "drawn",
        "dividends",
        "deck",
        "track",
        "track_count",
        "shares",
        "shown",
        "unseen_track",
        "unseen_shares",
        "choice",
        "built",
        "top",
        "height",
        "money",
    ],
)
def test_one_wrong_entry_in_one_game_is_noticed(field, setup, monkeypatch):
    step = Batch.step

    def step_wrongly(batch, actions):
        step(batch, actions)
        batch._states[field].reshape(batch.num_games, -1)[5, 0] += np.int8(1)

    monkeypatch.setattr(Batch, "step", step_wrongly)
    with pytest.raises(AssertionError):
        soak(Cell("deck_express-v0", 3, (("setup", setup),)), 800, num_games=16)
