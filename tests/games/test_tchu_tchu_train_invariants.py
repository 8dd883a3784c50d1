"""The invariants that the long random runs check would find a wrong table."""

import numpy as np
import pytest

from railenvs import Batch
from tests.engine.soak import soak
from tests.grid import Cell


@pytest.mark.parametrize("board", ["default", "generated"])
@pytest.mark.parametrize(
    "field",
    [
        "seat",
        "ended",
        "generated",
        "hexagonal",
        "cell_row",
        "cell_column",
        "cell_card",
        "cell_area",
        "neighbours",
        "train",
        "cover",
        "crossroad",
        "station_at",
        "empty",
        "site",
        "phase",
        "starter",
        "placed",
        "this_turn",
        "reach",
        "swap_place",
        "incoming",
        "deck",
        "drawn",
        "row",
        "discards",
        "hand",
        "hand_size",
        "joker",
        "known",
        "unseen",
        "trains_left",
        "train_points",
        "rail",
        "longest",
        "rail_prize",
        "station_points",
    ],
)
def test_one_wrong_entry_in_one_game_is_noticed(field, board, monkeypatch):
    step = Batch.step

    def step_wrongly(batch, actions):
        step(batch, actions)
        batch._states[field].reshape(batch.num_games, -1)[5, 0] += np.int8(1)

    monkeypatch.setattr(Batch, "step", step_wrongly)
    with pytest.raises(AssertionError):
        soak(Cell("tchu_tchu_train-v0", 3, (("board", board),)), 6400, num_games=16)
