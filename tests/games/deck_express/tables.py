"""Small tables of Deck EXPRESS, written by the few cards that a test is about.

Everything here comes from the printed rules, nothing from the code under test.
"""

from __future__ import annotations

import functools
from collections.abc import Collection, Mapping, Sequence
from itertools import zip_longest
from typing import Any

from railenvs import Game, load_game

GAME_ID = "deck_express-v0"
SEATS = (2, 3, 4)
SETUPS = ("chart", "thirds")
GRID = [(seats, setup) for seats in SEATS for setup in SETUPS]

SUITS = {"spades": "S", "hearts": "H", "diamonds": "D", "clubs": "C"}
COMPANIES = tuple(SUITS)
RANKS = tuple(range(2, 11))
TRACK = [f"{rank}{suit}" for suit in SUITS.values() for rank in RANKS]
SHARES = [f"{face}{suit}" for suit in SUITS.values() for face in "JQK"]
LOCOMOTIVES = ("L1", "L2")
PHASES = ("build_or_invest", "assign_locomotive", "reveal_share", "pass_share")

TRACK_DEALT = 5
DECK_SIZE = {2: 28, 3: 23, 4: 18}
CHART_STRETCHES = {2: ((7, 12), (18, 23)), 3: ((4, 9), (14, 19)), 4: ((3, 8), (11, 16))}
"""First and last draw, counted from 1, of the two layers that hold a locomotive."""
THIRDS = {
    2: ((1, 9), (10, 18), (19, 27)),
    3: ((1, 7), (8, 15), (16, 22)),
    4: ((1, 6), (7, 12), (13, 17)),
}
"""The same for the thirds, two of which hold a locomotive; the very last card never is one."""

LEAST_MONEY = (0, 1, 3, 6)
MOST_MONEY = (0, 12, 36, 72)
"""By dividends paid: one, then two, then three shares of 1, and of 12 dollars."""

REQUIRED = {
    "": ("phase", "turn", "dividends", "stacks", "locomotives", "draw_deck", "removed_shares"),
    "stacks": ("top", "built"),
    "locomotives": ("draw", "to"),
    "seats": ("track", "shares", "shown", "choice", "money"),
}
"""What a given table needs; the rest of a table follows from it."""


@functools.cache
def load(num_players: int = 3, setup: str = "chart", **options: Any) -> Game:
    return load_game(GAME_ID, num_players, setup=setup, **options)


def layouts(num_players: int, setup: str) -> dict[tuple[int, int], float]:
    """Every pair of draws at which the two locomotives may lie, with its chance."""
    if setup == "chart":
        pairs = [CHART_STRETCHES[num_players]]
    else:
        first, second, third = THIRDS[num_players]
        pairs = [(first, second), (first, third), (second, third)]
    chances = {}
    for (start, stop), (later_start, later_stop) in pairs:
        places = (stop - start + 1) * (later_stop - later_start + 1)
        for place in range(start, stop + 1):
            for later in range(later_start, later_stop + 1):
                chances[place, later] = 1 / len(pairs) / places
    return chances


def layouts_after(
    num_players: int, setup: str, drawn: int, came: Sequence[int]
) -> dict[tuple[int, int], float]:
    """The same once ``drawn`` cards are drawn, locomotives among them at the draws ``came``."""
    left = {
        places: chance
        for places, chance in layouts(num_players, setup).items()
        if [place for place in places if place <= drawn] == list(came)
    }
    whole = sum(left.values())
    return {places: chance / whole for places, chance in left.items()}


def make_table(
    num_players: int = 3,
    *,
    setup: str = "chart",
    stacks: Mapping[str, str] = {},
    phase: str = "build_or_invest",
    turn: int = 0,
    locomotives: tuple[int, int] | None = None,
    drawn: int | None = None,
    deck: str = "",
    track: Sequence[str | int | None] = (),
    shares: Sequence[str] = (),
    shown: Sequence[str] = (),
    choices: Sequence[str | None] = (),
    money: Sequence[int] = (),
) -> dict[str, Any]:
    """A complete table; whatever is not given is filled up with spare cards in pack order.

    Track that no hand can have come to hold is built on the stacks that are not given.

    Args:
        num_players: number of seats.
        setup: the game's option.
        stacks: by company, what lies on its ace from bottom to top, such as ``"5S L1 9S"``; give
            an empty string to keep the ace on top.
        phase: as in a table; with the locomotives on the stacks it tells the dividends paid.
        turn: whose turn it is; in a dividend, who drew.
        locomotives: the draws, from 1, at which they come; by default as early as may be.
        drawn: cards drawn so far; by default up to the last locomotive that has come.
        deck: the next track cards to be drawn.
        track: per seat the track in hand, or how many; None (and seats left out) share the rest.
        shares: per seat shares in hand, filled up to the number due.
        shown: per seat shares face up, likewise.
        choices: per seat the share laid aside.
        money: per seat the dividends received; by default the least there can have been.
    """
    piles = {company: stacks.get(company, "").split() for company in COMPANIES}
    assigned = {card: company for company, pile in piles.items() for card in pile if card[0] == "L"}
    size = DECK_SIZE[num_players]
    stretches = CHART_STRETCHES if setup == "chart" else THIRDS
    places = locomotives or (stretches[num_players][0][0], stretches[num_players][1][0])
    came = 2 if phase == "over" else len(assigned) + (phase == "assign_locomotive")
    if drawn is None:
        drawn = size if phase == "over" else max((0, *places[:came]))
    dividends = {"over": 3, "assign_locomotive": came - 1, "reveal_share": came - 1}.get(
        phase, came
    )

    named = {card for company in stacks for card in TRACK if card[-1] == SUITS[company]}
    coming, hands, built = _share_out_track(
        num_players, piles, deck.split(), size - drawn - (2 - came), drawn - came, track, named
    )
    for card in built:
        piles[COMPANIES["SHDC".index(card[-1])]].append(card)
    open_hands, in_hand, removed = _share_out_shares(num_players, dividends, shown, shares)
    due = dict(zip(places, LOCOMOTIVES, strict=True))
    # Right after a dividend what it paid is there to see.
    just_paid = phase in ("pass_share", "over")
    least = [
        LEAST_MONEY[dividends - just_paid] + sum(worth(piles, share) for share in hand if just_paid)
        for hand in open_hands
    ]
    return {
        "setup": setup,
        "phase": phase,
        "turn": turn,
        "dividends": dividends,
        "stacks": {
            company: {
                "top": (pile or ["A" + SUITS[company]])[-1],
                "built": [card for card in pile if card in TRACK],
            }
            for company, pile in piles.items()
        },
        "locomotives": {
            name: {"draw": place if place <= drawn else None, "to": assigned.get(name)}
            for place, name in due.items()
        },
        "draw_deck": [due.get(draw) or coming.pop(0) for draw in range(drawn + 1, size + 1)],
        "removed_shares": removed,
        "seats": [
            {
                "track": hands[seat],
                "shares": in_hand[seat],
                "shown": open_hands[seat],
                "choice": choices[seat] if seat < len(choices) else None,
                "money": money[seat] if seat < len(money) else least[seat],
            }
            for seat in range(num_players)
        ],
    }


def worth(piles: Mapping[str, Sequence[str]], share: str) -> int:
    """What a share pays by the pile on its company's ace."""
    pile = piles[COMPANIES["SHDC".index(share[-1])]]
    if not pile:
        return 1
    return 1 + len(pile) if pile[-1][0] == "L" else int(pile[-1][:-1])


def _share_out_track(
    num_players: int,
    piles: Mapping[str, Sequence[str]],
    coming: list[str],
    deck_size: int,
    drawn: int,
    track: Sequence[str | int | None],
    kept: Collection[str],
) -> tuple[list[str], list[list[str]], list[str]]:
    """The draw deck's track, each seat's, and what has been built besides; none of ``kept``."""
    wanted = [hand for hand, _ in zip_longest(track, range(num_players))]
    hands = [hand.split() if isinstance(hand, str) else [] for hand in wanted]
    placed = {card for cards in (*piles.values(), coming, *hands) for card in cards}
    spare = [card for card in TRACK if card not in placed]
    spare.sort(key=lambda card: card not in kept)
    coming = coming + [spare.pop(0) for _ in range(deck_size - len(coming))]
    for hand, cards in zip(wanted, hands, strict=True):
        if isinstance(hand, int):
            cards += [spare.pop(0) for _ in range(hand)]
    takers = [cards for hand, cards in zip(wanted, hands, strict=True) if hand is None]
    for place in range((TRACK_DEALT + drawn) * len(takers)):
        if spare:
            takers[place % len(takers)].append(spare.pop(0))
    if set(spare) & set(kept):
        raise ValueError(f"no place for {spare} but the stacks that were given")
    return coming, hands, spare


def _share_out_shares(
    num_players: int, dividends: int, shown: Sequence[str], shares: Sequence[str]
) -> tuple[list[list[str]], list[list[str]], list[str]]:
    """The shares face up, those in hand, and those removed."""
    groups = []
    for given, count in ((shown, dividends), (shares, 3 - dividends)):
        wanted = [
            cards.split() for cards, _ in zip_longest(given, range(num_players), fillvalue="")
        ]
        groups.append((wanted, count))
    named = {card for wanted, _ in groups for cards in wanted for card in cards}
    spare = [card for card in SHARES if card not in named]
    for wanted, count in groups:
        for cards in wanted:
            cards += [spare.pop(0) for _ in range(count - len(cards))]
    return groups[0][0], groups[1][0], spare


def required(table: Mapping[str, Any]) -> dict[str, Any]:
    """What a given table needs of a table; see :data:`REQUIRED`."""

    def pick(entries: Mapping[str, Any], keys: Sequence[str]) -> dict[str, Any]:
        return {key: entries.get(key) for key in keys}

    return {
        **pick(table, REQUIRED[""]),
        "stacks": {
            name: pick(stack, REQUIRED["stacks"]) for name, stack in table["stacks"].items()
        },
        "locomotives": {
            name: pick(entries, REQUIRED["locomotives"])
            for name, entries in table["locomotives"].items()
        },
        "seats": [pick(seat, REQUIRED["seats"]) for seat in table["seats"]],
    }


class Play:
    """A game in progress, moved by the names of actions.

    Takes what :func:`make_table` takes.
    """

    def __init__(self, num_players: int = 3, *, setup: str = "chart", **entries: Any) -> None:
        self.game = load(num_players, setup)
        self.state = self.game.from_table(make_table(num_players, setup=setup, **entries))

    def do(self, *actions: str) -> Play:
        for action in actions:
            self.game.play(self.state, self.game.action_names.index(action))
        return self

    @property
    def legal(self) -> set[str]:
        mask = self.game.legal(self.state)
        return {name for name, legal in zip(self.game.action_names, mask, strict=True) if legal}

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

    @property
    def phase(self) -> str:
        return str(self.table["phase"])

    @property
    def scores(self) -> list[int]:
        return [int(score) for score in self.game.scores(self.state)]

    def each(self, entry: str) -> list[Any]:
        """One entry of every seat."""
        return [seat[entry] for seat in self.table["seats"]]
