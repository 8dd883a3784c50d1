"""What a seat of Deck EXPRESS knows for certain, put together from what it sees happen.

Written from the rulebook and the rulings, not from the code under test: a seat sits at the table,
sees its own cards and whatever is turned up, and remembers. Of the states before and after a move
it is told only what happens openly, and what it does itself.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tests.games.deck_express.tables import DECK_SIZE, SHARES, TRACK, layouts_after

LOCOMOTIVE, NONE = 36, -1


def names_of(cards: Any, names: Sequence[str]) -> set[str]:
    return {name for name, held in zip(names, cards, strict=True) if held}


class Onlooker:
    """One seat's memory.

    Attributes:
        seat: who remembers.
        track: its own track cards.
        shares: its own shares in hand.
        choice: the share it has laid aside.
        built: track cards that were built, by anyone.
        shown: by seat the shares face up before it.
        cards: by seat the number of track cards in hand.
        drawn: draws so far.
        came: those of them, from 1, that were locomotives.
    """

    def __init__(self, seat: int, setup: str, dealt: Any) -> None:
        self.seat = seat
        self.setup = setup
        self.players = int(dealt["num_players"])
        self.track = names_of(dealt["track"][seat], TRACK)
        self.shares = names_of(dealt["shares"][seat], SHARES)
        self.choice: str | None = None
        self.built: set[str] = set()
        self.shown: list[set[str]] = [set() for _ in range(self.players)]
        self.cards = [5] * self.players
        self.drawn = 0
        self.came: list[int] = []

    def watch(self, before: Any, action: str, after: Any) -> None:
        """See a move."""
        mover = int(before["seat"])
        verb, _, card = action.partition(" ")
        if verb == "build":
            self.built.add(card)
            self.cards[mover] -= 1
            if mover == self.seat:
                self.track.remove(card)
        elif verb == "invest":
            self.drawn += 1
            number = int(before["deck"][self.drawn - 1])
            if number == LOCOMOTIVE:
                self.came.append(self.drawn)
            else:
                self.cards[mover] += 1
                if mover == self.seat:
                    self.track.add(TRACK[number])
        elif verb in ("reveal", "pass") and mover == self.seat:
            self.choice = card
        shown = [names_of(after["shown"][seat], SHARES) for seat in range(self.players)]
        if shown != self.shown:
            # Turned up, and perhaps passed on: all of it openly.
            self.choice = None
            self.shown = shown
            self.shares -= set().union(*shown)

    def unseen_track(self) -> set[str]:
        """Track in the deck or in another hand."""
        return set(TRACK) - self.track - self.built

    def unseen_shares(self) -> set[str]:
        """Shares in another hand or removed."""
        return set(SHARES) - self.shares - set().union(*self.shown)

    def layouts(self) -> dict[tuple[int, int], float]:
        """Where the locomotives can lie, and the chances."""
        return layouts_after(self.players, self.setup, self.drawn, self.came)

    def windows(self) -> list[list[int]]:
        """First and last draw from now at which each locomotive may come; 0, 0 once it came."""
        found = []
        for order in range(2):
            if order < len(self.came):
                found.append([0, 0])
            else:
                draws = [places[order] - self.drawn for places in self.layouts()]
                found.append([min(draws), max(draws)])
        return found

    def left(self) -> int:
        """Cards left in the deck."""
        return DECK_SIZE[self.players] - self.drawn
