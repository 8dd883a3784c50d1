"""Deck EXPRESS played slowly, straight from the rulebook: card names in lists, no cleverness.

Written from the printed rules and the rulings on them, not from the code under test, which it is
there to check.
"""

from __future__ import annotations

from collections.abc import Generator, Mapping
from typing import Any

COMPANIES = {"S": "spades", "H": "hearts", "D": "diamonds", "C": "clubs"}

Question = tuple[int, list[str]]
"""The seat to decide, and the names of its actions."""


class SlowGame:
    """A game in progress, begun from the deal that a game record tells of.

    Attributes:
        seat: the seat to decide.
        options: the names of what it may do; empty once the game is over.
        news: what the last move brought to light, as a game record tells it.
    """

    def __init__(self, deal: Mapping[str, Any]) -> None:
        seats = deal["seats"]
        self.players = range(len(seats))
        self.track = [list(seat["track"]) for seat in seats]
        self.shares = [list(seat["shares"]) for seat in seats]
        self.shown: list[list[str]] = [[] for _ in seats]
        self.chosen: list[str | None] = [None for _ in seats]
        self.money = [0 for _ in seats]
        self.stacks = {company: ["A" + suit] for suit, company in COMPANIES.items()}
        self.deck = list(deal["draw_deck"])
        self.removed = list(deal["removed_shares"])
        self.drawn: list[str] = []
        self.dividends = 0
        self.turn = int(deal["turn"])
        self.news: dict[str, Any] = {}
        self._course = self._gameplay()
        self.seat, self.options = next(self._course)

    def move(self, action: str) -> None:
        """Play one of ``options``."""
        if action not in self.options:
            raise ValueError(f"{action!r} is not among {self.options}")
        self.news = {}
        try:
            self.seat, self.options = self._course.send(action)
        except StopIteration:
            self.options = []

    # The course of the game; every question is answered with one of its options.

    def _gameplay(self) -> Generator[Question, str, None]:
        while True:
            hand = self.track[self.turn]
            action = yield self.turn, [f"build {card}" for card in hand] + ["invest"]
            if action != "invest":
                card = action.split()[1]
                hand.remove(card)
                self.stacks[COMPANIES[card[-1]]].append(card)
            else:
                card = self.deck.pop(0)
                self.drawn.append(card)
                self.news["drew"] = card
                if card in ("L1", "L2"):
                    yield from self._dividend(card)
                else:
                    hand.append(card)
                    if not self.deck:
                        self._last_dividend()
                        return
            self.turn = (self.turn + 1) % len(self.players)

    def _dividend(self, locomotive: str) -> Generator[Question, str, None]:
        places = [f"assign locomotive to {company}" for company in self.stacks]
        answer = yield self.turn, places
        self.stacks[answer.split()[-1]].append(locomotive)

        revealed = yield from self._all_choose("reveal", self.shares)
        self._reveal_and_score(revealed)

        if self.dividends == 1:
            passed = [shown[0] for shown in self.shown]
        else:
            passed = yield from self._all_choose("pass", self.shown)
        for player in self.players:
            self.shown[player].remove(passed[player])
        for player in self.players:
            self.shown[(player + 1) % len(self.players)].append(passed[player])
        self.news["passed"] = passed

    def _all_choose(self, verb: str, cards: list[list[str]]) -> Generator[Question, str, list[str]]:
        """Everyone lays a card aside, from the drawer clockwise; then all are turned up."""
        for step in self.players:
            player = (self.turn + step) % len(self.players)
            answer = yield player, [f"{verb} {card}" for card in cards[player]]
            self.chosen[player] = answer.split()[1]
        chosen = [card for card in self.chosen if card is not None]
        self.chosen = [None for _ in self.players]
        return chosen

    def _last_dividend(self) -> None:
        self._reveal_and_score([shares[0] for shares in self.shares])

    def _reveal_and_score(self, revealed: list[str]) -> None:
        for player, share in enumerate(revealed):
            self.shares[player].remove(share)
            self.shown[player].append(share)
        paid = [sum(self.worth(COMPANIES[share[-1]]) for share in shown) for shown in self.shown]
        self.money = [money + more for money, more in zip(self.money, paid, strict=True)]
        self.dividends += 1
        self.news["revealed"] = revealed
        self.news["paid"] = paid

    # Money

    def worth(self, company: str) -> int:
        """What a share of the company pays now."""
        top = self.stacks[company][-1]
        if top[0] == "L":
            return len(self.stacks[company])
        return 1 if top[0] == "A" else int(top[:-1])

    def totals(self) -> list[int]:
        """Money, less the cards left in hand once the game is over."""
        if self.options:
            return list(self.money)
        return [money - len(hand) for money, hand in zip(self.money, self.track, strict=True)]

    def ranks(self) -> list[int]:
        """Places, from 1: by total, then by fewer cards in hand; equals share a place."""
        merit = [(-total, len(hand)) for total, hand in zip(self.totals(), self.track, strict=True)]
        return [1 + sum(other < mine for other in merit) for mine in merit]

    def winners(self) -> list[int]:
        """Everyone in the first place."""
        return [player for player, rank in enumerate(self.ranks()) if rank == 1]
