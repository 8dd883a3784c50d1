"""Small tables of EXPRESS, written by the few cards that a test is about.

Everything here comes from the printed rules, nothing from the code under test.
"""

from __future__ import annotations

import functools
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from railenvs import Game, load_game

GAME_ID = "express-v0"
SEATS = (2, 3, 4)

REGIONS = ("LMR", "ER", "SR", "WR")
CARS = {
    "LMR": ("First Class Coach", "Third Class Coach", "Restaurant Car"),
    "ER": ("First Class Coach", "Third Class Coach", "Restaurant Car"),
    "SR": ("Gas Cylinder Wagon", "Grain Wagon", "High Open Wagon"),
    "WR": ("Low Open Wagon", "Bogie Bolster Wagon", "Covered Wagon"),
}
VAN = {"LMR": "Guard's Van", "ER": "Guard's Van", "SR": "Brake Van", "WR": "Brake Van"}
TRAIN = {
    region: [f"{region} {name}" for name in ("Engine", *CARS[region], VAN[region])]
    for region in REGIONS
}
POOL = ["Pool Engine", "Pool Coach", "Pool Wagon", "Pool Guard's Van", "Pool Brake Van"]
SIGNALS = ["Red", "Green 1", "Green 2"]
VEHICLES = [card for region in REGIONS for card in TRAIN[region]] + POOL
FACES = [*VEHICLES, *SIGNALS, "Pass"]
COPIES = {**dict.fromkeys(VEHICLES, 1), **dict.fromkeys(SIGNALS, 4), "Pass": 3}
REQUESTS = [
    f"{region} {name}"
    for region in REGIONS
    for name in ("Engine", CARS[region][0].split()[-1], VAN[region])
]

_FILLERS = [TRAIN[region][role] for role in range(5) for region in REGIONS] + POOL
_FILLERS += [face for face in SIGNALS for _ in range(4)] + ["Pass"] * 3
"""The pack in an order in which no run of seven makes a train, and Passes come last."""


@functools.cache
def load(num_players: int = 3, **options: Any) -> Game:
    return load_game(GAME_ID, num_players, **options)


def listed(cards: str) -> list[str]:
    """``"Red, LMR Engine"`` as a list."""
    return [card.strip() for card in cards.split(",") if card.strip()]


def pool_van(region: str) -> str:
    return f"Pool {VAN[region]}"


def pool_car(region: str) -> str:
    return "Pool Coach" if region in ("LMR", "ER") else "Pool Wagon"


def make_table(
    num_players: int = 3,
    *,
    hands: Sequence[str] = (),
    phase: str = "act",
    turn: int = 0,
    trains: Mapping[int, tuple[str, str]] = {},
    positions: Mapping[int, int] = {},
    face_up: str | None = "Red",
    face_up_is: str = "discarded",
    pile: str = "",
    deck: str = "",
    turns: int | None = None,
    short_trains: bool = False,
    stock_size: int | None = None,
    **entries: Any,
) -> dict[str, Any]:
    """A complete table; whatever is not given is filled up with spare cards.

    Args:
        num_players: number of seats.
        hands: per seat cards in hand, filled up to the number due.
        phase: as in a table.
        turn: whose turn it is; the first turn of the hand was so long ago that it fits.
        trains: by seat, the region and the cards of the train laid out (``""``: its own).
        positions: by seat, how far it has moved.
        face_up: the face-up card.
        face_up_is: what it is.
        pile: further discards.
        deck: the next cards of the pack.
        turns: turns finished; by default the fewest that make it ``turn``'s turn, but 0, or
            enough for trains to have moved and for so many discards.
        short_trains: the option.
        stock_size: cards in the pack; the rest of the spare cards lies in the pile.
        **entries: entries of the table besides, or instead.
    """
    fewest = turn + 4 * num_players if trains else turn or num_players
    length = 4 if short_trains else 5
    laid = {
        seat: (region, listed(cards) or list(TRAIN[region]))
        for seat, (region, cards) in trains.items()
    }
    named = [listed(hands[seat]) if seat < len(hands) else [] for seat in range(num_players)]
    discards = ([face_up] if face_up else []) + listed(pile)
    coming = listed(deck)
    spare = list(_FILLERS)
    for cards in (*named, discards, coming, *(cards for _, cards in laid.values())):
        for card in cards:
            spare.remove(card)
    for seat, hand in enumerate(named):
        due = 7 - (length if seat in laid else 0)
        due += seat == turn and phase not in ("draw", "claim", "over")
        while len(hand) < due:
            hand.append(spare.pop(0))
        assert len(hand) == due, (seat, hand)
    if stock_size is not None:
        while len(coming) + len(spare) > stock_size:
            discards.append(spare.pop())
    coming += spare
    while len(coming) > 25:
        discards.append(coming.pop())
    if turns is None:
        turns = fewest
        while turns + 1 < len(discards):
            turns += num_players
    table = {
        "phase": phase,
        "turn": turn,
        "starter": (turn - turns) % num_players,
        "turns": turns,
        "face_up": face_up,
        "face_up_is": face_up_is if face_up else None,
        "pile": discards,
        "stock": coming,
        "seats": [
            {
                "hand": hand,
                "train": laid[seat][1] if seat in laid else [],
                "region": laid[seat][0] if seat in laid else None,
                "position": positions.get(seat, 0),
            }
            for seat, hand in enumerate(named)
        ],
    }
    return {**table, **entries}


class Play:
    """A game in progress, moved by the names of actions.

    Takes what :func:`make_table` takes, and the game's options.
    """

    def __init__(
        self,
        num_players: int = 3,
        *,
        options: Mapping[str, Any] = {},
        **given: Any,
    ) -> None:
        short = bool(options.get("short_trains"))
        self.game = load(num_players, **options)
        table = make_table(num_players, short_trains=short, **given)
        self.state = self.game.from_table(table)

    def do(self, *names: str) -> Play:
        """Play actions in turn."""
        for name in names:
            self.game.play(self.state, self.game.action_names.index(name))
        return self

    @property
    def legal(self) -> set[str]:
        """Names of the legal actions."""
        mask = self.game.legal(self.state)
        return {name for name, legal in zip(self.game.action_names, mask, strict=True) if legal}

    def legal_like(self, word: str) -> set[str]:
        """What follows ``word`` in the names of legal actions that begin with it."""
        return {name.removeprefix(word + " ") for name in self.legal if name.startswith(word)}

    @property
    def seat(self) -> int:
        """The seat to act."""
        return self.game.seat(self.state)

    @property
    def over(self) -> bool:
        return self.game.is_over(self.state)

    @property
    def table(self) -> dict[str, Any]:
        return self.game.table(self.state)

    def view(self, seat: int) -> dict[str, Any]:
        """The table as a seat sees it."""
        return self.game.table(self.state, seat)

    @property
    def phase(self) -> str:
        return str(self.table["phase"])

    @property
    def scores(self) -> list[int]:
        return [int(score) for score in self.game.scores(self.state)]

    def hand(self, seat: int) -> Counter[str]:
        return Counter(self.table["seats"][seat]["hand"])

    def each(self, entry: str) -> list[Any]:
        """One entry of every seat."""
        return [seat[entry] for seat in self.table["seats"]]

    def field(self, seat: int, name: str) -> Any:
        """A field of a seat's observation, as nested lists."""
        return self.game.fields.cut(self.game.observe(self.state, seat), name).tolist()

    def faces(self, seat: int, name: str, place: int | None = None) -> Counter[str]:
        """A field that counts faces, as cards."""
        counts = self.field(seat, name)
        counts = counts if place is None else counts[place]
        return Counter({FACES[face]: count for face, count in enumerate(counts) if count})
