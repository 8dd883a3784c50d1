"""What a seat of Tchu Tchu Train knows for certain, put together from what it sees happen.

Written from the rules and the rulings, not from the code under test: a seat sits at the table, sees
its own cards and whatever happens openly, and remembers. From the states before and after a move it
reads only what lies open, how many cards there are, and its own hand.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

from tests.games.tchu_tchu_train.tables import PACK

ROW = 4
COPIES = 2
NONE = -1


def hand_of(state: Any, seat: int) -> Counter[str]:
    copies = state["hand"][seat].tolist()
    return Counter({PACK[card]: count for card, count in enumerate(copies) if count})


def row_of(state: Any) -> list[str | None]:
    return [None if card == NONE else PACK[card] for card in state["row"].tolist()]


class Onlooker:
    """One seat's memory.

    Attributes:
        seat: who remembers.
        hand: its own cards.
        known: by seat the cards that it is known to hold, by all.
        row: the open cards.
        aside: cards taken in the refresh under way.
        played: cards that are out of the game.
    """

    def __init__(self, seat: int, dealt: Any) -> None:
        self.seat = seat
        self.hand = hand_of(dealt, seat)
        self.known = [Counter[str]() for _ in range(int(dealt["num_players"]))]
        self.row = row_of(dealt)
        self.aside: list[str] = []
        self.played = Counter[str]()

    def watch(self, before: Any, action: str, after: Any) -> None:
        """See a move."""
        mover = int(before["seat"])
        verb, _, rest = action.partition(" ")
        if verb in ("place", "station"):
            cell = action.split()[-1]
            self._leaves(mover, self._card_on(before, cell))
            self.played[self._card_on(before, cell)] += 1
        elif verb == "take" and rest.startswith("row"):
            self._comes(mover, self._open(rest))
        elif verb == "give":
            self._leaves(mover, rest)
            place = int(before["swap_place"])
            taken = self.row[place]
            assert taken is not None
            self.aside.append(taken)
        elif verb in ("draw", "change") and mover == self.seat:
            self.hand = hand_of(after, mover)
        if after["ended"] or int(after["seat"]) != mover:
            self._end_refresh(mover)
        # What lies open, lies open.
        self.row = row_of(after)

    def unseen(self) -> Counter[str]:
        """Copies that may be in the deck or in another hand."""
        located = Counter(self.played)
        located.update(self.hand)
        located.update(card for card in self.row if card is not None)
        located.update(self.aside)
        for seat, cards in enumerate(self.known):
            if seat != self.seat:
                located.update(cards)
        left = {card: COPIES - located[card] for card in PACK}
        assert min(left.values()) >= 0
        return Counter({card: count for card, count in left.items() if count})

    def _card_on(self, state: Any, cell: str) -> str:
        row, column = (int(number) - 1 for number in cell[1:].split("c"))
        there = (state["cell_row"] == row) & (state["cell_column"] == column)
        return PACK[int(state["cell_card"][there][0])]

    def _open(self, place: str) -> str:
        card = self.row[int(place.split()[-1]) - 1]
        assert card is not None
        return card

    def _comes(self, seat: int, card: str) -> None:
        """A card comes openly into a hand."""
        self.known[seat][card] += 1
        if seat == self.seat:
            self.hand[card] += 1

    def _leaves(self, seat: int, card: str) -> None:
        """A card leaves a hand openly: it may be the one that was known to be there."""
        self.known[seat][card] = max(0, self.known[seat][card] - 1)
        if seat == self.seat:
            self.hand[card] -= 1

    def _end_refresh(self, seat: int) -> None:
        for card in self.aside:
            self._comes(seat, card)
        self.aside = []
