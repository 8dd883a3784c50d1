"""The actions: 40 that name a face, with a meaning by phase, and those with names of their own."""

from __future__ import annotations

from railenvs.games.railroad_run.cards import FACE_NAMES, NUM_FACES

STOCKS = 5
"""Most cards that Sell Stocks draws."""

_NAMED = (
    "done",
    "upgrade",
    "contracts",
    "buy shares",
    "dividends",
    "water tower",
    "coal chute",
    "switch",
    "depot",
    "train yard",
    *(f"sell stocks for {number}" for number in range(1, STOCKS + 1)),
    "offer",
    "send",
    "withdraw",
    "accept",
    "decline",
)
(
    DONE,
    UPGRADE,
    CONTRACTS,
    BUY_SHARES,
    DIVIDENDS,
    WATER_TOWER,
    COAL_CHUTE,
    SWITCH,
    DEPOT,
    TRAIN_YARD,
    SELL,
) = range(NUM_FACES, NUM_FACES + 11)
OFFER, SEND, WITHDRAW, ACCEPT, DECLINE = range(SELL + STOCKS, SELL + STOCKS + 5)
OPPONENT = DECLINE + 1
"""The next seat clockwise; the ones after it follow. With two seats nobody needs to choose."""


def action_names(num_players: int) -> tuple[str, ...]:
    """The name of every action."""
    opponents = num_players - 1 if num_players > 2 else 0
    return (
        *FACE_NAMES,
        *_NAMED,
        *(f"opponent {place}" for place in range(1, opponents + 1)),
    )
