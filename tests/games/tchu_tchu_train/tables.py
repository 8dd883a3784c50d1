"""Small tables of Tchu Tchu Train, written by what a test is about.

Everything here comes from the printed rules, nothing from the code under test. The board of most
tests is ``PLAIN``: one suit a row, ace to king, rows 5 to 8 like rows 1 to 4, each row an area. So
``r1c3`` and ``r5c3`` show the 3 of spades.
"""

from __future__ import annotations

import functools
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from railenvs import Game, load_game

GAME_ID = "tchu_tchu_train-v0"
SEATS = (2, 3, 4)
TRAINS = {2: 30, 3: 25, 4: 20}
RANKS = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")
SUITS = "SHDC"
PACK = [f"{rank}{suit}" for suit in SUITS for rank in RANKS]
AREAS = "ABCDEFGH"

PLAIN_ROWS = [[f"{rank}{suit}" for rank in RANKS] for suit in SUITS * 2]
PLAIN = "square\n" + "".join(
    " ".join(f"{card}/{area}" for card in row) + "\n"
    for row, area in zip(PLAIN_ROWS, AREAS, strict=True)
)


@functools.cache
def load(num_players: int = 3, board: str = PLAIN, **options: Any) -> Game:
    return load_game(GAME_ID, num_players, board=board, **options)


def cells_of(board: str) -> dict[str, str]:
    """The label of each cell, by its name, read from a board's text."""
    rows = [line.split() for line in board.splitlines()[1:]]
    return {
        f"r{row}c{column}": label
        for row, labels in enumerate(rows, start=1)
        for column, label in enumerate(labels, start=1)
        if label != "."
    }


def make_table(
    num_players: int = 3,
    *,
    board: str = PLAIN,
    tokens: Mapping[str, str] = {},
    phase: str = "action",
    turn: int = 0,
    starter: int = 0,
    hands: Sequence[str] = (),
    sizes: Mapping[int, int] = {},
    jokers: Sequence[int] = (),
    row: Sequence[str | None] | str | None = None,
    incoming: Sequence[str | None] | None = None,
    swapping: int | None = None,
    deck: str | None = None,
    points: Sequence[int] = (),
    known: Mapping[int, str] = {},
) -> dict[str, Any]:
    """A complete table; cards not given fill up hands, row and deck in pack order.

    Args:
        num_players: number of seats.
        board: the board's text.
        tokens: by cell what lies there, such as ``"0x"``; stations are ``"S"``.
        phase: as in a table.
        turn: whose turn it is.
        starter: who began.
        hands: per seat cards in hand, separated by blanks.
        sizes: cards in hand, Joker included, where they are not seven.
        jokers: the seats that hold a Joker.
        row: the open cards; by default the first that are spare.
        incoming: cards taken in a refresh under way.
        swapping: the place for which a card is to be given.
        deck: the cards drawn next; all that are spare follow.
        points: train points per seat.
        known: cards that all know a seat to hold.
    """
    labels = cells_of(board)
    spare = Counter(dict.fromkeys(PACK, 2))

    def use(cards: Sequence[str | None]) -> list[str | None]:
        spare.subtract(card for card in cards if card is not None)
        return list(cards)

    for cell, token in tokens.items():
        if "x" not in token:
            use([labels[cell].split("/")[0]])
    given = [use(hand.split()) for hand in [*hands, *[""] * num_players][:num_players]]
    opened = use(row.split() if isinstance(row, str) else row) if row is not None else None
    taken = None if incoming is None else use(incoming)
    ahead = use((deck or "").split())
    rest = list(spare.elements())
    if opened is None:
        opened = [None] * 4 if phase == "mulligan" else [rest.pop(0) for _ in range(4)]
    for seat, hand in enumerate(given):
        size = sizes.get(seat, 7) - (seat in jokers)
        hand += [rest.pop(0) for _ in range(size - len(hand))]
    grid: dict[str, dict[str, str]] = {}
    for cell, label in labels.items():
        line, column = cell[1:].split("c")
        grid.setdefault(f"r{line}", {})[f"c{column}"] = f"{label} {tokens.get(cell, '')}".strip()
    points = [*points, *[0] * num_players]
    return {
        "board": grid,
        "phase": phase,
        "turn": turn,
        "starter": starter,
        "row": opened,
        "swapping": swapping,
        "incoming": taken,
        "draw_deck": ahead + rest,
        "seats": [
            {"hand": hand, "joker": seat in jokers, "train_points": points[seat]}
            for seat, hand in enumerate(given)
        ],
        "memory": {f"seat_{seat}": cards.split() for seat, cards in known.items()},
    }


class Play:
    """A game that goes on from a table, by the names of actions."""

    def __init__(self, num_players: int = 3, *, board: str = PLAIN, **entries: Any) -> None:
        self.game = load(num_players, board)
        self.state = self.game.from_table(make_table(num_players, board=board, **entries))

    @classmethod
    def on(cls, table: Mapping[str, Any], num_players: int = 3, board: str = PLAIN) -> Play:
        """The game that goes on from a whole table."""
        play = cls.__new__(cls)
        play.game = load(num_players, board)
        play.state = play.game.from_table(table)
        return play

    def legal(self, kind: str = "") -> set[str]:
        """Names of the legal actions; with ``kind`` what follows that word."""
        names = [self.game.action_names[a] for a in np.flatnonzero(self.game.legal(self.state))]
        return {name.removeprefix(f"{kind} ") for name in names if name.startswith(kind)}

    def do(self, *names: str) -> Play:
        """Play these actions."""
        for name in names:
            self.game.play(self.state, self.game.action_names.index(name))
        return self

    def table(self, seat: int | None = None) -> dict[str, Any]:
        return self.game.table(self.state, seat)

    def seat(self, seat: int) -> dict[str, Any]:
        entries: dict[str, Any] = self.table()["seats"][seat]
        return entries

    def cell(self, name: str) -> str:
        """What lies on a cell."""
        row, column = name.split("c")
        text: str = self.table()["board"][row][f"c{column}"]
        return text.partition(" ")[2]

    def see(self, name: str, seat: int = 0) -> Any:
        """A field of a seat's observation."""
        return self.game.fields.cut(self.game.observe(self.state, seat), name)

    @property
    def turn(self) -> int:
        return self.game.seat(self.state)

    @property
    def phase(self) -> str:
        phase: str = self.table()["phase"]
        return phase


def card_index(card: str) -> int:
    """A card's number by suit and rank."""
    return PACK.index(card)
