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
        "ended",
        "phase",
        "plays_left",
        "offers_left",
        "target",
        "looking",
        "deck",
        "deck_size",
        "pile_size",
        "discarded",
        "hand",
        "hand_size",
        "income",
        "upgrades",
        "tokens",
        "company",
        "known",
        "known_size",
        "shown",
        "top_known",
        "deck_least",
        "deck_placed",
        "deck_noted",
        "held_least",
        "fresh_least",
        "kept_least",
    ],
)
def test_one_wrong_entry_in_one_game_is_noticed(field, monkeypatch):
    step = Batch.step

    def step_wrongly(batch, actions):
        step(batch, actions)
        states = batch._states[field].reshape(batch.num_games, -1)
        states[5, 0] += states.dtype.type(1)

    monkeypatch.setattr(Batch, "step", step_wrongly)
    with pytest.raises(AssertionError):
        soak(Cell("railroad_run-v0", 3), 2000, num_games=16)
