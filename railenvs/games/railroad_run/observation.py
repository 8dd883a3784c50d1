"""What a seat may know, as numbers: the field table and, next to it, the encoder.

Fields whose size does not depend on the number of players come first, so that their places are
constants; the others follow, seats counted from me, then clockwise.
"""

from __future__ import annotations

from typing import Any

from railenvs.engine.arrays import copy_to
from railenvs.engine.compile import rule
from railenvs.engine.fields import Field, Fields
from railenvs.engine.state import PLAYING, Record
from railenvs.games.railroad_run.cards import COPIES, DECK_SIZE, MOST_COPIES, NUM_FACES
from railenvs.games.railroad_run.events import SURVEY_KEPT
from railenvs.games.railroad_run.memory import top_card
from railenvs.games.railroad_run.options import UPGRADE_COST
from railenvs.games.railroad_run.state import (
    ACCOUNTING_PHASE,
    ANSWER,
    BUY_SHARES_CARD,
    COMPANIES,
    EVENT_PHASE,
    LOOKED_AT,
    MOST_OFFERED,
    MOST_SHARES,
    NOBODY,
    OFFER_GIVE,
    OFFER_OPPONENT,
    OFFER_WANT,
    OFFERS,
    PHASES,
    PLAYS,
    SURVEY_KEEP,
    SWITCH_CARD,
    UPGRADE_DISCARD,
    num_phases,
)
from railenvs.games.railroad_run.turn import hand_limit

MOST_SHOWN = 127
"""Where a number may grow past this, the field stays at it."""
CARDS_SHOWN = 40
UPGRADES_SHOWN = 10
TO_CHOOSE_SHOWN = 10
SEATS_WITH_COMPANIES = len(COMPANIES)

_FACES = (NUM_FACES,)
_TABLE = (
    Field("own_hand", _FACES, MOST_COPIES, "cards in my hand, by face"),
    Field("discard", _FACES, MOST_COPIES, "cards in the discard, by face"),
    Field("discard_top", _FACES, 1, "top card of the discard, one-hot; all 0 if there is none"),
    Field(
        "hidden",
        _FACES,
        MOST_COPIES,
        "cards by face of which I do not know the place: in the deck or in another hand",
    ),
    Field("deck_least", _FACES, MOST_COPIES, "of these, cards that are certainly in the deck"),
    Field("deck_most", _FACES, MOST_COPIES, "of these, cards that may be in the deck"),
    Field(
        "fresh_least",
        _FACES,
        MOST_COPIES,
        "of these, cards that were certainly in the deck since the discard was last shuffled in "
        "(or since the deal)",
    ),
    Field(
        "looked_at",
        _FACES,
        LOOKED_AT,
        "cards on top of the deck that I am looking at, to choose from them, by face",
    ),
    Field(
        "chosen",
        _FACES,
        MOST_COPIES,
        "cards of the set that I am choosing (meld, discard, Survey); cards that an offer gives",
    ),
    Field("wanted", _FACES, MOST_OFFERED, "cards that an offer wants"),
    Field(
        "known_top",
        (LOOKED_AT,),
        NUM_FACES,
        "the next cards of the deck as far as I know them, in order: number of the face, from 1; "
        "0 for an unknown card",
    ),
    Field("offer_sent", (1,), 1, "1 while the terms of an offer lie open"),
    Field("bonus_open", (1,), 1, "1 while the Trans-Continental bonus is to be had"),
    Field("war_open", (1,), 1, "1 while the Civil War is to come"),
    Field("deck_size", (1,), DECK_SIZE, "cards left in the deck"),
    Field("looking", (1,), LOOKED_AT, "cards on top of the deck that someone is looking at"),
    Field("plays_left", (1,), PLAYS + 1, "events and options that may still be played this turn"),
    Field("offers_left", (1,), OFFERS, "offers that may still be made this turn"),
    Field(
        "to_choose",
        (1,),
        TO_CHOOSE_SHOWN,
        "cards still missing from the set that I am choosing, if its size is fixed (Survey, "
        f"upgrade, discards), else 0; {TO_CHOOSE_SHOWN} also stands for more",
    ),
    Field(
        "rounds_left",
        (1,),
        MOST_SHOWN,
        f"turns left to each seat before the game is cut off; {MOST_SHOWN} also stands for more",
    ),
)
_AT = Fields(_TABLE)
PER_SEAT = _AT.size


def fields(num_players: int) -> tuple[Field, ...]:
    """The observation's fields, in order."""
    phases = PHASES[: num_phases(num_players)]
    companies = (
        Field("company", (num_players, len(COMPANIES)), 1, f"one-hot: {', '.join(COMPANIES)}"),
    )
    return (
        *_TABLE,
        Field(
            "known",
            (num_players - 1, NUM_FACES),
            MOST_COPIES,
            "cards that I know to be in each other hand (next seat first), by face",
        ),
        Field(
            "kept_least",
            (num_players - 1,),
            CARDS_SHOWN,
            "of the other cards of these hands, those certainly there since before that shuffle; "
            f"{CARDS_SHOWN} also stands for more",
        ),
        Field(
            "hand_size",
            (num_players,),
            CARDS_SHOWN,
            f"cards in each hand; {CARDS_SHOWN} also stands for more",
        ),
        Field(
            "income",
            (num_players,),
            MOST_SHOWN,
            f"income points of each seat; {MOST_SHOWN} also stands for more",
        ),
        Field(
            "upgrades",
            (num_players,),
            UPGRADES_SHOWN,
            f"upgrade counters of each seat; {UPGRADES_SHOWN} also stands for more",
        ),
        Field(
            "tokens",
            (num_players, num_players - 1),
            MOST_SHARES,
            "share tokens that each seat has given to each of the seats clockwise from it",
        ),
        Field("turn", (num_players,), 1, "one-hot: whose turn it is"),
        Field(
            "target",
            (num_players,),
            1,
            "one-hot: the opponent that the running play or offer is about; all 0 if none",
        ),
        *(companies if num_players <= SEATS_WITH_COMPANIES else ()),
        Field(
            "phase",
            (len(phases),),
            1,
            f"one-hot: {', '.join(phases)}; all 0 once the game is over",
        ),
    )


OWN_HAND = _AT["own_hand"].start
DISCARD = _AT["discard"].start
DISCARD_TOP = _AT["discard_top"].start
HIDDEN = _AT["hidden"].start
DECK_LEAST = _AT["deck_least"].start
DECK_MOST = _AT["deck_most"].start
FRESH_LEAST = _AT["fresh_least"].start
LOOKED = _AT["looked_at"].start
CHOSEN = _AT["chosen"].start
WANTED = _AT["wanted"].start
KNOWN_TOP = _AT["known_top"].start
PROGRESS = _AT["offer_sent"].start


# What others must not see of a seat's choices


@rule
def phase_seen(state: Record, seat: int) -> int:
    """The phase as a seat sees it: who builds or answers an offer is seen by that seat alone."""
    phase = int(state.phase)
    if seat != state.seat and (phase in (OFFER_OPPONENT, OFFER_GIVE, OFFER_WANT, ANSWER)):
        return EVENT_PHASE
    return phase


@rule
def sees_choice(state: Record, seat: int) -> bool:
    """Whether a seat sees the set being chosen: its own, or the terms of an offer once sent."""
    return seat == state.turn or state.sent == 1


@rule
def target_seen(state: Record, seat: int) -> int:
    """The opponent that a play or offer is about, as far as a seat sees it."""
    phase = int(state.phase)
    if sees_choice(state, seat) or phase in (BUY_SHARES_CARD, SWITCH_CARD):
        return int(state.target)
    return NOBODY


@rule
def left_to_choose(state: Record) -> int:
    """Cards that complete the set being chosen, where their number is fixed."""
    phase = int(state.phase)
    chosen = int(state.chosen_count)
    if phase == SURVEY_KEEP:
        return SURVEY_KEPT - chosen
    if phase == UPGRADE_DISCARD:
        return UPGRADE_COST - chosen
    if phase == ACCOUNTING_PHASE:
        turn = int(state.turn)
        return int(state.hand_size[turn]) - hand_limit(state, turn) - chosen
    return 0


@rule
def observe(state: Record, seat: int, out: Any) -> None:
    """Write the observation of ``seat``."""
    me = int(seat)
    observe_cards(state, me, out)
    observe_memory(state, me, out)
    observe_choice(state, me, out)
    observe_progress(state, me, out)
    observe_seats(state, me, out)


@rule
def observe_cards(state: Record, me: int, out: Any) -> None:
    """My hand and the discard."""
    copy_to(out, OWN_HAND, state.hand[me])
    copy_to(out, DISCARD, state.discarded)
    for face in range(NUM_FACES):
        out[DISCARD_TOP + face] = 0
    size = int(state.pile_size)
    if size > 0:
        out[DISCARD_TOP + int(state.pile[size - 1])] = 1


@rule
def observe_memory(state: Record, me: int, out: Any) -> None:
    """Cards I have not placed, and where they can be; the top of the deck."""
    for face in range(NUM_FACES):
        out[HIDDEN + face] = COPIES[face] - state.hand[me, face] - state.discarded[face]
    count = int(state.num_players)
    for other in range(count):
        for face in range(NUM_FACES):
            out[HIDDEN + face] -= state.known[me, other, face]
    known = int(state.top_known[me])
    for place in range(LOOKED_AT):
        out[KNOWN_TOP + place] = 0
    for place in range(known):
        face = top_card(state, place)
        out[HIDDEN + face] -= 1
        out[KNOWN_TOP + place] = face + 1
    copy_to(out, DECK_LEAST, state.deck_least[me])
    for face in range(NUM_FACES):
        out[DECK_MOST + face] = out[HIDDEN + face] - state.held_least[me, face]
    copy_to(out, FRESH_LEAST, state.fresh_least[me])
    place = PER_SEAT
    kept = PER_SEAT + (count - 1) * NUM_FACES
    other = me + 1
    for _ in range(count - 1):
        if other == count:
            other = 0
        copy_to(out, place, state.known[me, other])
        out[kept] = min(int(state.kept_least[me, other]), CARDS_SHOWN)
        place += NUM_FACES
        kept += 1
        other += 1


@rule
def observe_choice(state: Record, me: int, out: Any) -> None:
    """Cards I choose from, and the set being chosen."""
    for entry in range(LOOKED, LOOKED + NUM_FACES):
        out[entry] = 0
    if me == state.turn:
        for place in range(int(state.looking)):
            out[LOOKED + top_card(state, place)] += 1
    if sees_choice(state, me):
        copy_to(out, CHOSEN, state.chosen)
        copy_to(out, WANTED, state.wanted)
    else:
        for entry in range(CHOSEN, CHOSEN + 2 * NUM_FACES):
            out[entry] = 0


@rule
def observe_progress(state: Record, me: int, out: Any) -> None:
    """How far turn and game have come."""
    out[PROGRESS] = state.sent
    out[PROGRESS + 1] = state.bonus_open
    out[PROGRESS + 2] = state.war_open
    out[PROGRESS + 3] = state.deck_size
    out[PROGRESS + 4] = state.looking
    out[PROGRESS + 5] = state.plays_left
    out[PROGRESS + 6] = state.offers_left
    out[PROGRESS + 7] = min(left_to_choose(state), TO_CHOOSE_SHOWN) if me == state.turn else 0
    rounds = (int(state.max_turns) - int(state.turns)) // int(state.num_players)
    out[PROGRESS + 8] = min(rounds, MOST_SHOWN)


@rule
def observe_seats(state: Record, me: int, out: Any) -> None:
    """What lies open before each seat, me first; whose turn it is, and the phase."""
    count = int(state.num_players)
    hand_size = PER_SEAT + (count - 1) * (NUM_FACES + 1)
    income = hand_size + count
    upgrades = income + count
    tokens = upgrades + count
    turn = tokens + count * (count - 1)
    target = turn + count
    end = target + count
    whose_turn = int(state.turn)
    meant = target_seen(state, me)
    seat = me
    for place in range(count):
        out[hand_size + place] = min(int(state.hand_size[seat]), CARDS_SHOWN)
        out[income + place] = min(int(state.income[seat]), MOST_SHOWN)
        out[upgrades + place] = min(int(state.upgrades[seat]), UPGRADES_SHOWN)
        out[turn + place] = seat == whose_turn
        out[target + place] = seat == meant
        holder = seat + 1
        for step in range(count - 1):
            if holder == count:
                holder = 0
            out[tokens + step] = state.tokens[seat, holder]
            holder += 1
        tokens += count - 1
        seat += 1
        if seat == count:
            seat = 0
    if count <= SEATS_WITH_COMPANIES:
        for entry in range(end, end + count * len(COMPANIES)):
            out[entry] = 0
        for _ in range(count):
            company = int(state.company[seat])
            if company != NOBODY:
                out[end + company] = 1
            end += len(COMPANIES)
            seat += 1
            if seat == count:
                seat = 0
    for entry in range(end, out.size):
        out[entry] = 0
    if state.ended == PLAYING:
        out[end + phase_seen(state, me)] = 1
