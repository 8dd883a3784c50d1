"""Sets of cards chosen one by one, in ascending order, so that each set is reached in one way."""

from __future__ import annotations

from typing import Any

from railenvs.engine.compile import rule
from railenvs.engine.state import Record
from railenvs.games.railroad_run.cards import NUM_FACES
from railenvs.games.railroad_run.deck import discard


@rule
def choose(state: Record, face: int) -> None:
    """Add a card to the running set."""
    state.chosen[face] += 1
    state.chosen_count += 1
    state.last = face


@rule
def legal_choices(state: Record, mask: Any, cards: Any, left: int) -> None:
    """Faces that may come next if ``left`` more are to be chosen from ``cards``.

    Enough cards must remain from the face chosen on.
    """
    available = 0
    for face in range(NUM_FACES - 1, int(state.last) - 1, -1):
        copies = int(cards[face]) - int(state.chosen[face])
        available += copies
        mask[face] = copies > 0 and available >= left


@rule
def discard_chosen(state: Record, seat: int) -> None:
    """Discard the chosen cards from a hand, the highest face last."""
    for face in range(NUM_FACES):
        for _ in range(state.chosen[face]):
            discard(state, seat, face)
