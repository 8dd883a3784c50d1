"""The actions and how they are numbered."""

from __future__ import annotations

from railenvs.games.tchu_tchu_train.board import Board
from railenvs.games.tchu_tchu_train.cards import CARD_NAMES, NUM_CARDS
from railenvs.games.tchu_tchu_train.state import NUM_CELLS, ROW_SIZE

KEEP = 0
CHANGE = KEEP + 1
PLACE = CHANGE + 1
JOKER = PLACE + NUM_CELLS
STATION = JOKER + NUM_CELLS
END_PLACING = STATION + NUM_CELLS
TAKE = END_PLACING + 1
DRAW = TAKE + ROW_SIZE
POINT = DRAW + 1
REFRESH = POINT + 1
SWAP = REFRESH + 1
DONE = SWAP + ROW_SIZE
GIVE = DONE + 1
NUM_ACTIONS = GIVE + NUM_CARDS


def action_names(board: Board) -> tuple[str, ...]:
    """The name of every action on a board."""
    row = range(1, ROW_SIZE + 1)
    return (
        "keep the hand",
        "change the hand",
        *(f"place {cell}" for cell in board.cell_names),
        *(f"joker {cell}" for cell in board.cell_names),
        *(f"station {cell}" for cell in board.cell_names),
        "end placing",
        *(f"take row {place}" for place in row),
        "draw",
        "take the point",
        "refresh",
        *(f"swap row {place}" for place in row),
        "done",
        *(f"give {card}" for card in CARD_NAMES),
    )
