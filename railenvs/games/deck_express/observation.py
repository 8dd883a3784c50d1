"""What a seat may know, as numbers: the field table and, next to it, the encoder.

Fields whose size does not depend on the number of players come first, so that their places are
constants; per-seat fields follow, me first, then clockwise.

A seat's memory is all in here: which track was built, which shares lie face up, which locomotives
came and where they went. Left out, since nothing hidden or to come hangs on it: in which order and
by whom track was built, who held a share before, at which draw a locomotive came.
"""

from __future__ import annotations

from typing import Any

from railenvs.engine.arrays import copy_to
from railenvs.engine.compile import rule
from railenvs.engine.fields import Field, Fields
from railenvs.engine.state import PLAYING, Record
from railenvs.games.deck_express.cards import (
    FACES,
    LOCOMOTIVE_ON_TOP,
    NUM_COMPANIES,
    NUM_SHARES,
    RANKS,
)
from railenvs.games.deck_express.rules import share_value
from railenvs.games.deck_express.state import (
    DECK_SIZE,
    DIVIDENDS,
    LARGEST_DECK,
    NOTHING,
    PHASES,
    TALLEST_STACK,
    most_money,
)

MOST_TRACK_IN_HAND = LARGEST_DECK + 3
"""Five dealt and the whole deck without its locomotives."""

_TABLE = (
    Field("own_track", (NUM_COMPANIES, RANKS), 1, "track cards in my hand, by company and rank"),
    Field("built", (NUM_COMPANIES, RANKS), 1, "track cards played on the stacks"),
    Field(
        "unseen_track",
        (NUM_COMPANIES, RANKS),
        1,
        "track cards in the draw deck or in another hand",
    ),
    Field("own_shares", (NUM_COMPANIES, FACES), 1, "shares in my hand (jack, queen, king)"),
    Field(
        "unseen_shares",
        (NUM_COMPANIES, FACES),
        1,
        "shares in another hand or removed from the game",
    ),
    Field(
        "own_choice",
        (NUM_COMPANIES, FACES),
        1,
        "the share I have laid aside to reveal or pass while others still choose",
    ),
    Field(
        "top",
        (NUM_COMPANIES, LOCOMOTIVE_ON_TOP),
        1,
        "top of each stack, one-hot: ace, 2 to 10, locomotive",
    ),
    Field("height", (NUM_COMPANIES,), TALLEST_STACK, "cards in each stack"),
    Field("value", (NUM_COMPANIES,), TALLEST_STACK, "dollars a share of the company pays now"),
    Field("phase", (len(PHASES),), 1, f"one-hot: {', '.join(PHASES)}; all 0 once the game is over"),
    Field("dividends", (1,), DIVIDENDS, "dividends paid so far"),
    Field("deck_left", (1,), LARGEST_DECK, "cards left in the draw deck"),
    Field(
        "locomotive_window",
        (2, 2),
        LARGEST_DECK,
        "first and last draw, counted from now (1 the next), at which each locomotive may come; "
        "0, 0 once it came",
    ),
)
PER_SEAT = Fields(_TABLE).size


def fields(num_players: int) -> tuple[Field, ...]:
    """The observation's fields, in order."""
    return (
        *_TABLE,
        Field(
            "shown",
            (num_players, NUM_COMPANIES, FACES),
            1,
            "shares face up before each seat (me first, then clockwise)",
        ),
        Field("hand_size", (num_players,), MOST_TRACK_IN_HAND + DIVIDENDS, "cards in each hand"),
        Field("money", (num_players,), most_money(DIVIDENDS), "dividends each seat has received"),
        Field(
            "turn",
            (num_players,),
            1,
            "one-hot: whose turn it is; in a dividend and at the end, who drew",
        ),
    )


_AT = Fields(_TABLE)
OWN_TRACK = _AT["own_track"].start
BUILT = _AT["built"].start
UNSEEN_TRACK = _AT["unseen_track"].start
OWN_SHARES = _AT["own_shares"].start
UNSEEN_SHARES = _AT["unseen_shares"].start
OWN_CHOICE = _AT["own_choice"].start
TOP = _AT["top"].start
HEIGHT = _AT["height"].start
VALUE = _AT["value"].start
PHASE = _AT["phase"].start
PAID = _AT["dividends"].start
DECK_LEFT = _AT["deck_left"].start
WINDOW = _AT["locomotive_window"].start


@rule
def observe(state: Record, seat: int, out: Any) -> None:
    """Write the observation of ``seat``."""
    observe_cards(state, seat, out)
    observe_stacks(state, out)
    observe_progress(state, out)
    observe_seats(state, seat, out)


@rule
def observe_cards(state: Record, seat: int, out: Any) -> None:
    """Track and shares: mine, played, and those I have not seen."""
    me = int(seat)
    copy_to(out, OWN_TRACK, state.track[me])
    copy_to(out, BUILT, state.built)
    copy_to(out, UNSEEN_TRACK, state.unseen_track[me])
    copy_to(out, OWN_SHARES, state.shares[me])
    copy_to(out, UNSEEN_SHARES, state.unseen_shares[me])
    for card in range(NUM_SHARES):
        out[OWN_CHOICE + card] = 0
    choice = int(state.choice[me])
    if choice != NOTHING:
        out[OWN_CHOICE + choice] = 1


@rule
def observe_stacks(state: Record, out: Any) -> None:
    """The four stacks and what they pay."""
    for entry in range(TOP, HEIGHT):
        out[entry] = 0
    for company in range(NUM_COMPANIES):
        top = int(state.top[company])
        out[TOP + company * LOCOMOTIVE_ON_TOP + top - 1] = 1
        out[HEIGHT + company] = state.height[company]
        out[VALUE + company] = share_value(state, company)


@rule
def observe_progress(state: Record, out: Any) -> None:
    """Phase, dividends, draw deck."""
    for phase in range(len(PHASES)):
        out[PHASE + phase] = 0
    out[PHASE + int(state.phase)] = state.ended == PLAYING
    out[PAID] = state.dividends
    drawn = int(state.drawn)
    out[DECK_LEFT] = DECK_SIZE[state.num_players] - drawn
    for order in range(2):
        first = int(state.locomotive_window[order, 0])
        last = int(state.locomotive_window[order, 1])
        out[WINDOW + 2 * order] = max(first - drawn, 1) if last else 0
        out[WINDOW + 2 * order + 1] = last - drawn if last else 0


@rule
def observe_seats(state: Record, seat: int, out: Any) -> None:
    """What lies open before each seat, me first."""
    count = int(state.num_players)
    hand_size = PER_SEAT + count * NUM_SHARES
    money = hand_size + count
    turn = money + count
    shares_in_hand = DIVIDENDS - int(state.dividends)
    whose_turn = int(state.turn)
    other = int(seat)
    for place in range(count):
        copy_to(out, PER_SEAT + place * NUM_SHARES, state.shown[other])
        out[hand_size + place] = state.track_count[other] + shares_in_hand
        out[money + place] = state.money[other]
        out[turn + place] = other == whose_turn
        other += 1
        if other == count:
            other = 0
