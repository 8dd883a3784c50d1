"""The table of Railroad Run as one record."""

from __future__ import annotations

import numpy as np

from railenvs.engine.state import record_dtype
from railenvs.games.railroad_run.cards import DECK_SIZE, NUM_FACES

MAX_SEATS = 8
PUBLIC = MAX_SEATS
"""The row of memory that holds what everybody knows."""
NOBODY = -1

WINNING_INCOME = 50
STARTING_INCOME = 5
STARTING_CARDS = 5
"""One train and four from the shuffled deck."""
HAND_LIMIT = 7
SHARE_TOKENS = 5
MOST_SHARES = 5
"""Tokens that a seat may have from all the others together."""
PLAYS = 2
"""Events and options that may be played in a turn."""
OFFERS = 2
MOST_OFFERED = 3
"""Cards that an offer may give, and may want."""
LOOKED_AT = 7
"""Most cards on top of the deck that a seat looks at (Survey)."""
TURNS_A_SEAT = 100
MOST_TURNS = 10_000

MONEYBAGS, EXCELSIOR, INVESTMENT, RISKY, SURVEYOR = range(5)
COMPANIES = ("Moneybags", "Excelsior", "Investment", "Risky", "Surveyor")
MONEYBAGS_INCOME = 7
SURVEYOR_CARDS = 3

PHASES = (
    "event",
    "buy_shares_card",
    "switch_card",
    "coal_chute",
    "survey",
    "train_yard",
    "upgrade",
    "offer_give",
    "offer_want",
    "answer",
    "operations",
    "accounting",
    "buy_shares_opponent",
    "switch_opponent",
    "wreck_opponent",
    "buy_out_opponent",
    "obsolescence_opponent",
    "politics_opponent",
    "offer_opponent",
)
"""Values of ``state.phase`` by name. Income is forced procedure, so no decision falls in it."""
(
    EVENT_PHASE,
    BUY_SHARES_CARD,
    SWITCH_CARD,
    COAL_CHUTE_KEEP,
    SURVEY_KEEP,
    TRAIN_YARD_RAIL,
    UPGRADE_DISCARD,
    OFFER_GIVE,
    OFFER_WANT,
    ANSWER,
    OPERATIONS_PHASE,
    ACCOUNTING_PHASE,
    BUY_SHARES_OPPONENT,
    SWITCH_OPPONENT,
    WRECK_OPPONENT,
    BUY_OUT_OPPONENT,
    OBSOLESCENCE_OPPONENT,
    POLITICS_OPPONENT,
    OFFER_OPPONENT,
) = range(len(PHASES))
OPPONENT_PHASES = BUY_SHARES_OPPONENT
"""The first phase in which an opponent is chosen: with two seats there are none of these."""


def num_phases(num_players: int) -> int:
    """Phases that come up with so many seats."""
    return len(PHASES) if num_players > 2 else OPPONENT_PHASES


_OBSERVERS = MAX_SEATS + 1

DTYPE = record_dtype(
    "railroad_run",
    [
        ("trades", np.int8),
        ("starting_companies", np.int8),
        ("bonus_open", np.int8),  # the Trans-Continental bonus is still to be had
        ("war_open", np.int8),  # the Civil War is still to come
        ("max_turns", np.int16),  # of all seats together
        ("turns", np.int16),  # finished
        ("phase", np.int8),
        ("turn", np.int8),  # whose turn it is
        ("plays_left", np.int8),  # events and options that may still be played this turn
        ("offers_left", np.int8),
        ("target", np.int8),  # the opponent that a play or an offer is about
        ("looking", np.int8),  # cards on top of the deck that the seat to act looks at
        ("chosen", np.int8, (NUM_FACES,)),  # cards of the running set; still where they were
        ("chosen_count", np.int8),
        ("last", np.int8),  # the face chosen last: a set is chosen in ascending order
        ("wanted", np.int8, (NUM_FACES,)),  # in return for the chosen ones
        ("sent", np.int8),  # the offer is made: all know its terms
        ("deck", np.int8, (DECK_SIZE,)),  # the top card last
        ("deck_size", np.int8),
        ("pile", np.int8, (DECK_SIZE,)),  # the discard, the top card last
        ("pile_size", np.int8),
        ("shuffles", np.int16),  # times that the discard went into the deck
        ("discarded", np.int8, (NUM_FACES,)),  # the same by face
        ("hand", np.int8, (MAX_SEATS, NUM_FACES)),
        ("hand_size", np.int8, (MAX_SEATS,)),
        ("income", np.int16, (MAX_SEATS,)),  # income points
        ("upgrades", np.int16, (MAX_SEATS,)),
        ("tokens", np.int8, (MAX_SEATS, MAX_SEATS)),  # share tokens, by owner and holder
        ("company", np.int8, (MAX_SEATS,)),
        # Memory, a row for each seat and one for what is public: see memory.py.
        ("known", np.int8, (_OBSERVERS, MAX_SEATS, NUM_FACES)),  # cards certainly in a hand
        ("known_size", np.int8, (_OBSERVERS, MAX_SEATS)),  # how many these are
        ("shown", np.int8, (_OBSERVERS, MAX_SEATS, NUM_FACES)),  # of these, as the holder can tell
        ("top_known", np.int8, (_OBSERVERS,)),  # cards on top of the deck, in order
        ("deck_least", np.int8, (_OBSERVERS, NUM_FACES)),  # certainly in the deck below these
        ("deck_placed", np.int8, (_OBSERVERS, NUM_FACES)),  # of the least, copies seen there
        ("deck_noted", np.int8, (_OBSERVERS,)),  # the sum of deck_least
        ("held_least", np.int8, (_OBSERVERS, NUM_FACES)),  # certainly in hands, nobody knows whose
        ("fresh_least", np.int8, (_OBSERVERS, NUM_FACES)),  # in the deck since the last refill
        ("kept_least", np.int8, (_OBSERVERS, MAX_SEATS)),  # unseen in a hand since before it
    ],
)
