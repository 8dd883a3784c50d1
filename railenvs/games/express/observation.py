"""What a seat may know, as numbers: the field table and, next to it, the encoder.

Fields whose size does not depend on the number of players come first, so that their places are
constants; per-seat fields follow, me first, then clockwise.

A decision that another seat has only because of its hidden cards (to claim, which card to hand
over, to lay out or to exchange) shows to that seat alone; to all others the table looks as it did
before.
"""

from __future__ import annotations

from typing import Any

from railenvs.engine.arrays import copy_to
from railenvs.engine.compile import rule
from railenvs.engine.fields import Field, Fields
from railenvs.engine.state import PLAYING, Record
from railenvs.games.express.cards import (
    NUM_FACES,
    NUM_REGIONS,
    NUM_SIGNALS,
    NUM_VEHICLES,
    RED,
    REQUEST_KINDS,
)
from railenvs.games.express.state import (
    ACT,
    BARRED,
    CLAIM,
    DRAW,
    HAND_OVER,
    LARGEST_HAND,
    LARGEST_STOCK,
    LAY_OUT,
    LONGEST_WAY,
    NONE,
)
from railenvs.games.express.trains import may_lay_out

MOST_COPIES = 4
LEAST_SCORE, MOST_SCORE = -120, 120
"""The score field saturates here, near what int8 holds."""
MOST_TURNS_SHOWN = 127
MOST_HANDS_SHOWN = 4
"""Further fields that saturate."""
SHOWN_PHASES = ("draw", "act", "discard", "choose")
CHOOSE = SHOWN_PHASES.index("choose")

_TABLE = (
    Field(
        "own_hand",
        (NUM_FACES,),
        MOST_COPIES,
        "cards in my hand, by face; not those chosen so far for a train that I am laying out",
    ),
    Field(
        "picked_up",
        (NUM_SIGNALS,),
        1,
        "one-hot: the signal (Red, Green 1, Green 2) that was picked up this turn and may not be "
        "discarded",
    ),
    Field("top", (NUM_FACES,), 1, "one-hot: the face-up card"),
    Field("top_barred", (1,), 1, "the face-up card is a Pass that the next player may not take"),
    Field("pile", (NUM_FACES,), MOST_COPIES, "cards in the discard pile, by face"),
    Field("stock_left", (1,), LARGEST_STOCK, "cards in the pack"),
    Field(
        "stock_at_most",
        (NUM_FACES,),
        MOST_COPIES,
        "cards I do not see that can have been in the pack since it was last shuffled, by face; so "
        "much of each it can hold at most",
    ),
    Field(
        "old_at_most",
        (NUM_FACES,),
        MOST_COPIES,
        "cards I do not see that can have been in hands ever since then",
    ),
    Field(
        "phase",
        (len(SHOWN_PHASES),),
        1,
        f"one-hot: {', '.join(SHOWN_PHASES)}; all 0 once the game is over",
    ),
    Field(
        "asked",
        (NUM_REGIONS,),
        1,
        "one-hot: the Region of the coach or wagon that I am to hand over",
    ),
    Field("turns_left", (1,), MOST_TURNS_SHOWN, "turns until the hand is cut off (saturates)"),
    Field(
        "hands_left",
        (1,),
        MOST_HANDS_SHOWN,
        "hands still to be finished, this one included (saturates)",
    ),
)
PER_SEAT = Fields(_TABLE).size


def fields(num_players: int) -> tuple[Field, ...]:
    """The observation's fields, in order."""
    others = num_players - 1
    claim = (Field("claim", (1,), 1, "I may claim the face-up card for a Pass"),)
    return (
        *_TABLE,
        Field("hand_size", (num_players,), LARGEST_HAND, "cards in each hand, me first"),
        Field(
            "train",
            (num_players, NUM_VEHICLES),
            1,
            "vehicles in each seat's train; in mine also those chosen for it so far",
        ),
        Field("region", (num_players, NUM_REGIONS), 1, "one-hot: the Region of each train"),
        Field("position", (num_players,), LONGEST_WAY, "steps each train has moved forward"),
        Field(
            "may_lay_out",
            (num_players, NUM_REGIONS),
            1,
            "Regions of which each seat may yet lay out a train",
        ),
        Field(
            "score",
            (num_players,),
            MOST_SCORE,
            "points of the hands that have ended (saturates)",
            low=LEAST_SCORE,
        ),
        Field("turn", (num_players,), 1, "one-hot: whose turn it is"),
        Field(
            "known",
            (others, NUM_FACES),
            MOST_COPIES,
            "cards each other seat certainly holds, by face, the next seat first",
        ),
        Field(
            "absent",
            (others, NUM_VEHICLES),
            1,
            "vehicles that each other seat certainly does not hold",
        ),
        Field(
            "new_at_least",
            (others,),
            LARGEST_HAND,
            "of its other cards, drawn unseen since the pack was last shuffled: at least",
        ),
        Field("new_at_most", (others,), LARGEST_HAND, "the same: at most"),
        *(claim if num_players > 2 else ()),
    )


_AT = Fields(_TABLE)
OWN_HAND = _AT["own_hand"].start
PICKED_UP = _AT["picked_up"].start
TOP = _AT["top"].start
TOP_BARRED = _AT["top_barred"].start
PILE = _AT["pile"].start
STOCK_LEFT = _AT["stock_left"].start
STOCK_AT_MOST = _AT["stock_at_most"].start
OLD_AT_MOST = _AT["old_at_most"].start
PHASE = _AT["phase"].start
ASKED = _AT["asked"].start
TURNS_LEFT = _AT["turns_left"].start
HANDS_LEFT = _AT["hands_left"].start


@rule
def phase_seen(state: Record, seat: int) -> int:
    """The phase as a seat sees it: others' choices among hidden cards have not begun for it."""
    phase = int(state.phase)
    if phase == CLAIM and state.seat != seat:
        return DRAW
    if phase >= HAND_OVER and state.seat != seat:
        return ACT
    return phase


@rule
def observe(state: Record, seat: int, out: Any) -> None:
    """Write the observation of ``seat``."""
    observe_cards(state, seat, out)
    observe_progress(state, seat, out)
    observe_seats(state, seat, out)
    observe_others(state, seat, out)


@rule
def observe_cards(state: Record, seat: int, out: Any) -> None:
    """My hand, the pile, and what the stock may hold."""
    me = int(seat)
    for entry in range(PICKED_UP, PILE):
        out[entry] = 0
    copy_to(out, OWN_HAND, state.hand[me])
    if state.phase == LAY_OUT and state.seat == me:
        for vehicle in range(NUM_VEHICLES):
            out[OWN_HAND + vehicle] -= state.picked[vehicle]
    if state.picked_up != NONE:
        out[PICKED_UP + int(state.picked_up) - RED] = 1
    if state.top != NONE:
        out[TOP + int(state.top)] = 1
        out[TOP_BARRED] = state.top_is == BARRED
    copy_to(out, PILE, state.pile)
    out[STOCK_LEFT] = state.stock_count
    copy_to(out, STOCK_AT_MOST, state.stock_at_most[me])
    copy_to(out, OLD_AT_MOST, state.old_at_most[me])


@rule
def observe_progress(state: Record, seat: int, out: Any) -> None:
    """Phase, what I am asked for, turns and hands to come."""
    for entry in range(PHASE, TURNS_LEFT):
        out[entry] = 0
    if state.ended == PLAYING:
        phase = phase_seen(state, seat)
        if phase >= HAND_OVER:
            out[PHASE + CHOOSE] = 1
        elif phase <= CLAIM:
            out[PHASE] = 1
        else:
            out[PHASE + phase - 1] = 1
        if phase == HAND_OVER:
            out[ASKED + int(state.request) // REQUEST_KINDS] = 1
    left = int(state.max_turns) - int(state.turns)
    out[TURNS_LEFT] = min(left, MOST_TURNS_SHOWN)
    out[HANDS_LEFT] = min(int(state.hands_left), MOST_HANDS_SHOWN)


@rule
def observe_seats(state: Record, seat: int, out: Any) -> None:
    """What lies open before each seat, me first."""
    count = int(state.num_players)
    train = PER_SEAT + count
    region = train + count * NUM_VEHICLES
    position = region + count * NUM_REGIONS
    may_lay = position + count
    score = may_lay + count * NUM_REGIONS
    turn = score + count
    for entry in range(region, position):
        out[entry] = 0
    other = int(seat)
    for place in range(count):
        out[PER_SEAT + place] = state.hand_count[other]
        copy_to(out, train + place * NUM_VEHICLES, state.train[other])
        if state.region[other] != NONE:
            out[region + place * NUM_REGIONS + int(state.region[other])] = 1
        out[position + place] = state.position[other]
        for choice in range(NUM_REGIONS):
            out[may_lay + place * NUM_REGIONS + choice] = may_lay_out(state, other, choice)
        out[score + place] = max(min(int(state.score[other]), MOST_SCORE), LEAST_SCORE)
        out[turn + place] = other == int(state.turn)
        other += 1
        if other == count:
            other = 0
    if state.phase == LAY_OUT and state.seat == seat:
        for vehicle in range(NUM_VEHICLES):
            out[train + vehicle] += state.picked[vehicle]


@rule
def observe_others(state: Record, seat: int, out: Any) -> None:
    """What I know of the others' hands, the next seat first."""
    me = int(seat)
    count = int(state.num_players)
    others = count - 1
    known = PER_SEAT + count * (1 + NUM_VEHICLES + NUM_REGIONS + 1 + NUM_REGIONS + 1 + 1)
    absent = known + others * NUM_FACES
    at_least = absent + others * NUM_VEHICLES
    at_most = at_least + others
    other = me
    for place in range(others):
        other += 1
        if other == count:
            other = 0
        copy_to(out, known + place * NUM_FACES, state.known[me, other])
        copy_to(out, absent + place * NUM_VEHICLES, state.absent[me, other])
        out[at_least + place] = state.new_at_least[me, other]
        out[at_most + place] = state.new_at_most[me, other]
    if count > 2:
        asked = state.phase == CLAIM and state.seat == me and state.ended == PLAYING
        out[at_most + others] = asked
