"""The table in card names: written for people; :mod:`.reading` starts a game from it.

Cards are written ``LMR Engine``, ``ER Restaurant Car``, ``Pool Wagon``, ``Green 2``, ``Red``,
``Pass``; the order of cards in a list means nothing but in ``stock``.

==================  ==============================================================================
``phase``           ``"draw"``, ``"claim"``, ``"act"`` (ask, lay out, exchange or discard),
                    ``"discard"``; ``"hand_over"``, ``"lay_out"``, ``"exchange"`` where a seat
                    chooses which of several cards; ``"over"`` at the end. A seat sees ``"draw"``
                    for another's ``"claim"``, and ``"act"`` for another's choice of a card
``turn``            the seat whose turn it is
``asked``           the seat asked to claim or to hand over; a seat sees itself alone
``request``         what it is asked to hand over; hidden from other seats
``laying``          the Region being laid out while its owner chooses; hidden from other seats
``exchanging``      the Pool card being taken while its taker chooses; hidden from other seats
``starter``         the seat that began this hand
``turns``           turns finished in this hand
``hands_left``      hands still to be finished, this one included
``moved_out``       at the end, the seat whose train moved out in the last hand
``face_up``         the face-up card; null where it was just taken
``face_up_is``      ``"turned up"`` (at the deal), ``"discarded"``, ``"barred"`` (a Pass that the
                    next player may not take) or null
``picked_up``       the signal that was picked up this turn and may not be discarded
``pile``            all discards, the face-up card included
``stock_left``      cards in the pack
``stock``           these in the order of drawing; hidden from seats
``seats``           per seat ``hand`` and ``chosen`` (cards of the train being laid out, still in
                    hand), both hidden from other seats, ``hand_size``, ``train``, its ``region``,
                    ``position``, the Region ``assigned`` to a younger player, ``score``
``memory``          what is known of hidden cards, see :mod:`.memory`: in a seat's view per other
                    seat ``known``, ``absent``, ``new_at_least``, ``new_at_most``; in the whole
                    table the same by who knows it (``"public"``, ``"player_0"``...), with
                    ``stock_at_most`` and ``old_at_most``
``public``          in a seat's view: of that, what all know
``stock_at_most``   in a seat's view: unseen cards that may have been in the pack; left out where
                    that is all of them
``old_at_most``     in a seat's view: unseen cards that may have been in hands all the time; left
                    out where that is all of them or, if some cannot have been in the pack, these
==================  ==============================================================================

A given table needs ``phase``, ``turn``, ``starter``, ``turns``, ``face_up``, ``face_up_is``,
``pile``, ``stock`` and ``seats`` (``hand``, ``train``, ``region``, ``position``); ``hands_left``
(else all of them), ``score`` (else 0), ``assigned`` where Regions are assigned, and ``asked``,
``request``, ``laying``, ``chosen``, ``exchanging``, ``picked_up``, ``moved_out`` where they are
not null. Without ``memory`` nothing is known; in it ``stock_at_most`` and ``old_at_most`` may be
left out as in a seat's view. The rest follows and must agree where it is given.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from railenvs.engine.state import Record
from railenvs.games.express.cards import (
    COPIES,
    FACE_NAMES,
    GREEN_2,
    NUM_REQUESTS,
    NUM_VEHICLES,
    RED,
    REGIONS,
    REQUEST_NAMES,
    VEHICLE_NAMES,
)
from railenvs.games.express.observation import phase_seen
from railenvs.games.express.rules import (
    DISCARDS,
    FROM_PACK,
    REQUESTS,
    claim_action,
    obey_signal,
    seat_after,
)
from railenvs.games.express.state import (
    CLAIM,
    HAND_OVER,
    LAY_OUT,
    NONE,
    PHASES,
    PUBLIC,
)

OVER = "over"
TOPS = ("turned up", "discarded", "barred")
BOUNDS = ("stock_at_most", "old_at_most")

Counts = npt.NDArray[np.int64]
"""Cards of each face."""


def table(state: Record, seat: int | None) -> dict[str, Any]:
    """The whole table, or what ``seat`` sees of it."""
    whole = seat is None
    phase = int(state.phase) if seat is None else int(phase_seen(state, seat))
    asked = phase in (CLAIM, HAND_OVER) and not state.ended
    seen: dict[str, Any] = {
        "phase": OVER if state.ended else PHASES[phase],
        "turn": int(state.turn),
        "asked": int(state.seat) if asked else None,
        "request": name_or_none(REQUEST_NAMES, state.request if phase == HAND_OVER else NONE),
        "laying": name_or_none(REGIONS, state.laying if phase == LAY_OUT else NONE),
        "exchanging": name_or_none(FACE_NAMES, state.exchanging if phase > LAY_OUT else NONE),
        "starter": int(state.starter),
        "turns": int(state.turns),
        "hands_left": int(state.hands_left),
        "moved_out": None if state.moved_out == NONE else int(state.moved_out),
        "face_up": name_or_none(FACE_NAMES, state.top),
        "face_up_is": None if state.top == NONE else TOPS[state.top_is],
        "picked_up": name_or_none(FACE_NAMES, state.picked_up),
        "pile": cards(state.pile),
        "stock_left": int(state.stock_count),
        "stock": stock(state) if whole else None,
        "seats": [
            _seat(state, other, whole or other == seat) for other in range(state.num_players)
        ],
    }
    if seat is None:
        rows = {"public": PUBLIC, **{player(row): row for row in range(state.num_players)}}
        seen["memory"] = {name: _memory(state, row) for name, row in rows.items()}
    else:
        seen.update(_telling_bounds(state, seat))
        seen["memory"] = _hands(state, seat)
        seen["public"] = _memory(state, PUBLIC)
    return seen


def player(seat: int) -> str:
    """How a seat is named as a key."""
    return f"player_{seat}"


def cards(counts: Any) -> list[str]:
    """Names of so many cards of each face."""
    faces = np.flatnonzero(counts)
    return [FACE_NAMES[face] for face in faces.tolist() for _ in range(int(counts[face]))]


def name_or_none(names: tuple[str, ...], number: Any) -> str | None:
    """A name, or None for ``NONE``."""
    return None if number == NONE else names[number]


def stock(state: Record) -> list[str]:
    """The pack in the order of drawing."""
    return [FACE_NAMES[face] for face in state.stock[: state.stock_count][::-1].tolist()]


def all_unseen(state: Record, row: int) -> Counts:
    """Cards, by face, that are in no place a row knows of: memory.unseen, for all faces."""
    counts = np.array(COPIES) - state.pile - state.known[row].sum(axis=0, dtype=np.int64)
    counts[:NUM_VEHICLES] -= state.train.sum(axis=0)
    if row != PUBLIC:
        counts -= state.hand[row]
    return np.asarray(counts, np.int64)


def _seat(state: Record, seat: int, open_hand: bool) -> dict[str, Any]:
    return {
        "hand_size": int(state.hand_count[seat]),
        "hand": cards(state.hand[seat]) if open_hand else None,
        "chosen": cards(state.picked) if open_hand and _chooses(state, seat) else None,
        "train": [VEHICLE_NAMES[vehicle] for vehicle in np.flatnonzero(state.train[seat]).tolist()],
        "region": name_or_none(REGIONS, state.region[seat]),
        "position": int(state.position[seat]),
        "assigned": name_or_none(REGIONS, state.assigned[seat]),
        "score": int(state.score[seat]),
    }


def _chooses(state: Record, seat: int) -> bool:
    return bool(state.phase == LAY_OUT and state.turn == seat and not state.ended)


def old_unless_told(unseen: Counts, stock_at_most: Counts) -> Counts:
    """What ``old_at_most`` is where a table leaves it out.

    While every unseen card may have been in the pack, each may have been in a hand as well; after a
    shuffle, those that cannot have been in the pack.
    """
    return unseen - stock_at_most if (stock_at_most < unseen).any() else unseen


def _telling_bounds(state: Record, row: int) -> dict[str, list[str]]:
    """The bounds that do not follow from what else the row sees."""
    unseen = all_unseen(state, row)
    stock, old = (state[name][row] for name in BOUNDS)
    telling = {"stock_at_most": (stock < unseen).any()}
    telling["old_at_most"] = (old != old_unless_told(unseen, stock)).any()
    return {name: cards(state[name][row]) for name in BOUNDS if telling[name]}


def _memory(state: Record, row: int) -> dict[str, Any]:
    return {**{name: cards(state[name][row]) for name in BOUNDS}, **_hands(state, row)}


def _hands(state: Record, row: int) -> dict[str, dict[str, Any]]:
    return {
        player(other): {
            "known": cards(state.known[row, other]),
            "absent": cards(state.absent[row, other]),
            "new_at_least": int(state.new_at_least[row, other]),
            "new_at_most": int(state.new_at_most[row, other]),
        }
        for other in range(state.num_players)
        if other != row
    }


def told(before: Record, action: int, after: Record) -> dict[str, Any]:
    """What a move brought to light.

    Keys, each only where it happened: ``drew`` (a card), ``handed_over`` (the card and the seat it
    came from), ``refused`` (the seat that did not hold it), ``laid_out`` (cards), ``moved`` (each
    seat's steps), ``shuffled`` (the new pack in the order of drawing), ``scored`` (each seat's
    points in a hand that ended), ``dealt`` (the next hand's cards, and Regions ``assigned``).
    """
    seats = range(before.num_players)
    news: dict[str, Any] = {}
    new_hand = after.hands_left != before.hands_left
    if _draws(before, action, after):
        news["drew"] = stock(before)[0]
        if before.stock_count == 1:
            news["shuffled"] = stock(after)
    news.update(_answer(before, action, after))
    if not new_hand:
        laid = after.train.any(axis=1) & ~before.train.any(axis=1)
        if laid.any():
            news["laid_out"] = cards(after.train[int(laid.argmax())])
    moved = _moved(before, action)
    if any(moved):
        news["moved"] = moved
    if new_hand:
        news["scored"] = [int(after.score[seat]) - int(before.score[seat]) for seat in seats]
        if after.hands_left:
            news["dealt"] = {
                "hands": [cards(after.hand[seat]) for seat in seats],
                "face_up": FACE_NAMES[after.top],
                "stock": stock(after),
            }
            if after.assigned_regions:
                assigned = [name_or_none(REGIONS, after.assigned[seat]) for seat in seats]
                news["dealt"]["assigned"] = assigned
    return news


def _moved(before: Record, action: int) -> list[int]:
    """Steps that a discarded signal moves each train; the next hand has cleared the table since."""
    signalled = before.copy()
    if DISCARDS + RED <= action <= DISCARDS + GREEN_2:
        obey_signal(signalled, action - DISCARDS)
    return [
        int(signalled.position[seat]) - int(before.position[seat])
        for seat in range(before.num_players)
    ]


def _draws(before: Record, action: int, after: Record) -> bool:
    """Whether the turn's player has drawn from the pack: at once, or after a claim window."""
    in_window = before.phase == CLAIM or action == FROM_PACK
    return bool(in_window and after.phase != CLAIM)


def _answer(before: Record, action: int, after: Record) -> dict[str, Any]:
    """How a request was answered."""
    if before.phase == HAND_OVER:
        giver = int(before.seat)
    elif REQUESTS <= action < claim_action(before):
        steps = (action - REQUESTS) // NUM_REQUESTS + 1
        giver = int(seat_after(before, before.turn, steps))
        if after.phase == HAND_OVER:
            return {}
        if after.turns != before.turns or after.hands_left != before.hands_left:
            return {"refused": giver}
    else:
        return {}
    given = before.hand[giver].astype(int) - after.hand[giver]
    return {"handed_over": {"card": cards(given > 0)[0], "by": giver}}
