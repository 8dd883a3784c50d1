"""Small tables of Railroad Run, written by the few cards that a test is about.

Everything here comes from the printed card list, nothing from the code under test.
"""

from __future__ import annotations

import functools
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from railenvs import Game, load_game

GAME_ID = "railroad_run-v0"
TERRAINS = ("Mountains", "Plains", "Coastal", "Forest", "Desert", "Hills")
RAILS = tuple(f"Rail ({terrain})" for terrain in TERRAINS)
INDUSTRIES = {
    "Station": 5,
    **dict.fromkeys(("Copper Mine", "Gold Mine", "Quarry", "Fishing", "Port", "Coal Mine"), 1),
    **dict.fromkeys(("Dairy Farms", "Cattle Ranch", "Cotton", "Corn Fields"), 1),
    **dict.fromkeys(("Oil Drilling", "Longhorns", "Saw Mill", "Paper Mill", "Factory"), 1),
}
BONUSES = ("Passengers", "Mail", "Long Haul", "Express", "Freight")
EVENTS = (
    "Wreck",
    "Sell Stocks",
    "Buy Out",
    "Survey",
    "Investors",
    "Obsolescence",
    "Finance Crisis",
    "Patent",
    "Politics",
    "Land Grants",
)
PACK = {
    "Train": 15,
    **dict.fromkeys(RAILS, 5),
    "City": 15,
    "Town": 15,
    **INDUSTRIES,
    **dict.fromkeys(BONUSES, 2),
    **dict.fromkeys(EVENTS, 1),
}
"""Copies by name, in the order of the card list."""
ORDER = tuple(PACK)


def cards(text: str) -> list[str]:
    """Card names from a text such as ``"2 Train, City, Mountains"`` (a terrain is its rail)."""
    found: list[str] = []
    for part in filter(None, (part.strip() for part in text.split(","))):
        number, _, name = part.partition(" ")
        count, name = (int(number), name) if number.isdigit() else (1, part)
        found += [f"Rail ({name})" if name in TERRAINS else name] * count
    return found


def all_but(*texts: str) -> str:
    """The text of all cards of the pack but those of some texts."""
    left = Counter(PACK) - Counter(card for text in texts for card in cards(text))
    return ", ".join(f"{count} {name}" for name, count in left.items())


@functools.cache
def load(num_players: int = 3, **options: Any) -> Game:
    return load_game(GAME_ID, num_players, **options)


def make_table(
    num_players: int,
    *,
    hands: Sequence[str] = (),
    deck: str = "",
    discard: str = "",
    deck_size: int | None = None,
    income: Sequence[int] = (),
    tokens: Mapping[tuple[int, int], int] = {},
    upgrades: Sequence[int] = (),
    companies: Sequence[str | None] = (),
    turn: int = 0,
    phase: str = "event",
    **entries: Any,
) -> dict[str, Any]:
    """A whole table.

    Args:
        num_players: number of seats.
        hands: the cards of each seat, see :func:`cards`; none by default.
        deck: the cards that will be drawn next; the others come after them, in pack order.
        discard: the discard, the top card last.
        deck_size: cards in the deck; what is over goes to the bottom of the discard. By default
            all that is left.
        income: points of each seat; 5 by default.
        tokens: share tokens by owner and holder.
        upgrades: counters of each seat.
        companies: of each seat, where the option is on.
        turn: whose turn it is.
        phase: as in a table.
        entries: further entries of the table.
    """
    in_hands = [cards(hands[seat]) if seat < len(hands) else [] for seat in range(num_players)]
    first, pile = cards(deck), cards(discard)
    left = Counter(PACK)
    for name in [*first, *pile, *(card for hand in in_hands for card in hand)]:
        left[name] -= 1
    assert min(left.values()) >= 0, left
    rest = [name for name in ORDER for _ in range(left[name])]
    if deck_size is not None:
        keep = deck_size - len(first)
        pile = rest[keep:] + pile
        rest = rest[:keep]

    def of(given: Sequence[Any], seat: int, default: Any) -> Any:
        return given[seat] if seat < len(given) else default

    return {
        "phase": phase,
        "turn": turn,
        "draw_deck": [*first, *rest],
        "discard": pile,
        "seats": [
            {
                "hand": in_hands[seat],
                "income": of(income, seat, 5),
                "upgrades": of(upgrades, seat, 0),
                "company": of(companies, seat, None),
                "tokens": {
                    f"player_{holder}": count
                    for (owner, holder), count in tokens.items()
                    if owner == seat
                },
            }
            for seat in range(num_players)
        ],
        **entries,
    }


class Play:
    """A game in progress, moved by the names of actions.

    Takes the options of the game under ``options`` and what :func:`make_table` takes.
    """

    def __init__(
        self,
        num_players: int = 3,
        *,
        options: Mapping[str, Any] = {},
        seed: int = 0,
        **entries: Any,
    ) -> None:
        self.game = load(num_players, **options)
        self.state = self.game.from_table(make_table(num_players, **entries), seed)

    def do(self, *actions: str) -> Play:
        for action in actions:
            name = f"Rail ({action})" if action in TERRAINS else action
            self.game.play(self.state, self.game.action_names.index(name))
        return self

    def meld(self, text: str) -> Play:
        """Go on to the Operations Phase and lay a meld."""
        return self.do("done").choose(text).do("done")

    def choose(self, text: str) -> Play:
        """Choose cards one by one in the order of the card list."""
        return self.do(*sorted(cards(text), key=ORDER.index))

    @property
    def legal(self) -> set[str]:
        mask = self.game.legal(self.state)
        return {name for name, legal in zip(self.game.action_names, mask, strict=True) if legal}

    @property
    def seat(self) -> int:
        """The seat to act."""
        return self.game.seat(self.state)

    @property
    def table(self) -> dict[str, Any]:
        return self.game.table(self.state)

    @property
    def phase(self) -> str:
        return str(self.table["phase"])

    @property
    def winner(self) -> int | None:
        winners = self.game.winners(self.state)
        return winners[0] if winners else None

    @property
    def income(self) -> list[int]:
        return [int(points) for points in self.game.scores(self.state)]

    def hand(self, seat: int) -> Counter[str]:
        return Counter(self.table["seats"][seat]["hand"])

    def each(self, entry: str) -> list[Any]:
        """One entry of every seat."""
        return [seat[entry] for seat in self.table["seats"]]

    @property
    def deck(self) -> list[str]:
        return list(self.table["draw_deck"])

    @property
    def discard(self) -> list[str]:
        return list(self.table["discard"])

    def known(self, seat: int, of: int) -> Counter[str]:
        """Cards that a seat knows another to hold."""
        return Counter(self.memory(seat)["known"].get(f"player_{of}", []))

    def memory(self, seat: int) -> dict[str, Any]:
        """What a seat's table tells of hidden cards, with what is left out filled in."""
        nothing: dict[str, Any] = {"known": {}, "top": [], "deck_at_least": {}, "deck_at_most": {}}
        return nothing | self.game.table(self.state, seat)["memory"]

    def hidden(self, seat: int) -> Counter[str]:
        """Cards of which a seat does not know the place."""
        counts = self.game.observe(self.state, seat)[self.game.fields["hidden"].slice]
        return Counter(dict(zip(ORDER, counts.tolist(), strict=True)))
