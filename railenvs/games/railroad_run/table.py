"""The table in card names: written for people; :mod:`.reading` starts a game from it.

Cards are written ``Train``, ``Rail (Mountains)``, ``City``, ``Town``, ``Gold Mine``, ``Long Haul``,
``Patent`` and so on.

=================  ===============================================================================
``phase``          ``"event"``, ``"operations"``, ``"accounting"``, or what is chosen in the course
                   of a play or an offer (the names are those of the observation's ``phase``);
                   ``"over"`` once someone has won, ``"cut_off"`` where the game was cut off. A
                   seat sees ``"event"`` while another builds or answers an offer
``turn``           the seat whose turn it is
``turns``          turns finished
``plays_left``     events and options that may still be played this turn
``offers_left``    offers that may still be made this turn
``bonus_open``     whether the Trans-Continental bonus is to be had
``war_open``       whether the Civil War is to come
``target``         the opponent that the running play or offer is about; null if none
``offer_sent``     whether the terms of an offer lie open: until the seat's next action
``chosen``         cards of the set being chosen, or that the offer gives; hidden from other seats
                   unless sent
``wanted``         cards that the offer wants; likewise
``looking``        cards on top of the deck that are being looked at
``shuffles``       how often the discard has been shuffled into the deck
``deck_left``      cards left in the deck
``draw_deck``      these cards in the order of drawing; hidden from seats
``discard``        the discard, the top card last
``seats``          per seat ``hand`` (hidden from other seats), ``hand_size``, ``hand_limit``,
                   ``income`` points, ``upgrades``, ``tokens`` it has given away by holder,
                   ``company``
``memory``         what is known of hidden cards, see :mod:`.memory`, in the whole table by who
                   knows it: ``"public"`` or ``"player_0"`` and so on. ``known`` cards by hand;
                   ``top_known``, so many cards on top of the deck; and by face, of the hidden
                   cards, those that the deck holds, ``deck_at_least`` and ``deck_at_most`` (where
                   less than all). Where they say more than that: ``shown``, the known cards of
                   which the holder can tell; ``deck_placed``, the copies of ``deck_at_least`` that
                   were seen to be there; ``fresh_at_least``, the cards that were in the deck since
                   the discard was last shuffled in; and ``kept_at_least``, the unseen cards of
                   each hand that have been there since before. A seat sees its own, of bounds those
                   that say something, and for ``top_known`` the ``top`` cards; under ``others``
                   what it can tell that others know, and the public: ``known`` of its own hand,
                   ``top_known``, and for the public all as above
``winner``         the seat that won, once the game is over
=================  ===============================================================================

A given table needs ``phase``, ``turn``, ``draw_deck``, ``discard`` and ``seats`` (``hand``,
``income``; ``company`` where the option is on); ``target``, ``chosen``, ``wanted`` and
``offer_sent`` where they say something. Without the others no turn is finished and nothing
shuffled, all plays and offers are left, bonus and war are open where their options are on, there
are no upgrades and tokens, and nothing is known. The rest follows from these and must agree with
them where it is given.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from railenvs.engine.state import TERMINATED, Record
from railenvs.games.railroad_run.actions import DEPOT, DONE, OFFER
from railenvs.games.railroad_run.cards import COPIES, FACE_NAMES, NUM_FACES
from railenvs.games.railroad_run.memory import top_card
from railenvs.games.railroad_run.observation import phase_seen, sees_choice, target_seen
from railenvs.games.railroad_run.rules import card_played
from railenvs.games.railroad_run.state import COMPANIES, EVENT_PHASE, NOBODY, PHASES, PUBLIC
from railenvs.games.railroad_run.turn import hand_limit, leader

OVER, OUT_OF_TURNS = "over", "cut_off"
BOUNDS = ("deck_at_least", "deck_at_most")


def table(state: Record, seat: int | None) -> dict[str, Any]:
    """The whole table, or what ``seat`` sees of it."""
    whole = seat is None
    viewer = int(state.seat) if seat is None else seat
    open_choice = whole or sees_choice(state, viewer)
    target = int(state.target) if whole else int(target_seen(state, viewer))
    seen: dict[str, Any] = {
        "phase": _phase(state, int(state.phase) if whole else int(phase_seen(state, viewer))),
        "turn": int(state.turn),
        "turns": int(state.turns),
        "plays_left": int(state.plays_left),
        "offers_left": int(state.offers_left),
        "bonus_open": bool(state.bonus_open),
        "war_open": bool(state.war_open),
        "target": None if target == NOBODY else target,
        "offer_sent": bool(state.sent),
        "chosen": names(state.chosen) if open_choice else None,
        "wanted": names(state.wanted) if open_choice else None,
        "looking": int(state.looking),
        "shuffles": int(state.shuffles),
        "deck_left": int(state.deck_size),
        "draw_deck": _top(state, int(state.deck_size)) if whole else None,
        "discard": [FACE_NAMES[face] for face in state.pile[: state.pile_size]],
        "seats": [
            _seat(state, other, whole or other == seat) for other in range(state.num_players)
        ],
        "memory": {
            row_name(row): _memory(state, row) for row in (*range(state.num_players), PUBLIC)
        }
        if whole
        else _memory_seen(state, viewer),
    }
    if state.ended == TERMINATED:
        seen["winner"] = int(leader(state))
    return seen


def names(cards: Any) -> list[str]:
    """Counts by face as a list of card names."""
    return [FACE_NAMES[face] for face in np.flatnonzero(cards) for _ in range(cards[face])]


def _counts(cards: Any) -> dict[str, int]:
    return {FACE_NAMES[face]: int(cards[face]) for face in np.flatnonzero(cards)}


def _phase(state: Record, phase: int) -> str:
    if state.ended:
        return OVER if state.ended == TERMINATED else OUT_OF_TURNS
    return PHASES[phase]


def _top(state: Record, count: int) -> list[str]:
    return [FACE_NAMES[top_card(state, place)] for place in range(count)]


def seat_name(seat: int) -> str:
    """A seat as a key."""
    return f"player_{seat}"


def row_name(row: int) -> str:
    """Whose memory a row is."""
    return "public" if row == PUBLIC else seat_name(row)


def _seat(state: Record, seat: int, open_hand: bool) -> dict[str, Any]:
    company = int(state.company[seat])
    return {
        "hand": names(state.hand[seat]) if open_hand else None,
        "hand_size": int(state.hand_size[seat]),
        "hand_limit": int(hand_limit(state, seat)),
        "income": int(state.income[seat]),
        "upgrades": int(state.upgrades[seat]),
        "tokens": _by_seat(state, state.tokens[seat]),
        "company": None if company == NOBODY else COMPANIES[company],
    }


def _by_seat(state: Record, counts: npt.NDArray[np.int8]) -> dict[str, int]:
    """Numbers that are not 0, by seat."""
    return {seat_name(seat): int(counts[seat]) for seat in range(state.num_players) if counts[seat]}


def deck_cards(state: Record, count: int | None = None) -> npt.NDArray[np.int64]:
    """Copies by face in the deck, or among so many cards on top of it."""
    size = int(state.deck_size)
    first = 0 if count is None else size - count
    return np.bincount(state.deck[first:size], minlength=NUM_FACES)


def hidden_cards(state: Record, row: int) -> npt.NDArray[np.int64]:
    """Copies by face in places that a row of memory cannot see, see :mod:`.memory`."""
    copies = COPIES.astype(np.int64) - state.discarded - state.known[row].sum(axis=0)
    if row != PUBLIC:
        copies -= state.hand[row]
    return copies - deck_cards(state, int(state.top_known[row]))


def _by_hand(state: Record, cards: npt.NDArray[np.int8]) -> dict[str, list[str]]:
    """Card names by hand, from counts (seats, faces)."""
    return {
        seat_name(seat): names(cards[seat])
        for seat in range(state.num_players)
        if cards[seat].any()
    }


def _memory(state: Record, row: int) -> dict[str, Any]:
    """All that a row of memory holds."""
    hidden = hidden_cards(state, row)
    held = state.held_least[row]
    known = _by_hand(state, state.known[row])
    shown = _by_hand(state, state.shown[row])
    least = _counts(state.deck_least[row])
    besides = {
        "shown": (shown, known),
        "deck_placed": (_counts(state.deck_placed[row]), least),
        "fresh_at_least": (_counts(state.fresh_least[row]), least),
        "kept_at_least": (_by_seat(state, state.kept_least[row]), {}),
    }
    return {
        "known": known,
        "top_known": int(state.top_known[row]),
        "deck_at_least": least,
        "deck_at_most": {
            FACE_NAMES[face]: int(hidden[face] - held[face]) for face in np.flatnonzero(held)
        },
        **{key: cards for key, (cards, default) in besides.items() if cards != default},
    }


def _memory_seen(state: Record, seat: int) -> dict[str, Any]:
    """What a seat remembers, and what it can tell that others do."""
    memory = _memory(state, seat)
    others = _others_memory(state, seat)
    return {
        "known": memory.pop("known"),
        "top": _top(state, memory.pop("top_known")),
        **{key: what for key, what in memory.items() if what or key not in BOUNDS},
        **({"others": others} if others else {}),
    }


def _others_memory(state: Record, seat: int) -> dict[str, Any]:
    others = {}
    for other in range(state.num_players):
        cards = np.maximum(state.shown[other, seat], state.known[PUBLIC, seat])
        known = {"known": names(cards), "top_known": int(state.top_known[other])}
        if other != seat and any(known.values()):
            others[seat_name(other)] = {key: what for key, what in known.items() if what}
    public = {key: what for key, what in _memory(state, PUBLIC).items() if what}
    return {**others, "public": public} if public else others


# Telling


def told(before: Record, action: int, after: Record) -> dict[str, Any]:
    """What a move brought to light.

    Keys, each only where it happened, the first three by seat: cards ``gained`` and ``lost``,
    change of ``income``; ``discarded``, the cards that came on top of the discard; ``shuffled``,
    where the discard went into the deck. The card that a play costs is lost even where the play
    brings another of its face.
    """
    seats = range(before.num_players)
    change = after.hand.astype(int) - before.hand
    cost = np.zeros_like(change)
    if before.phase == EVENT_PHASE and action not in (DONE, OFFER):
        cost[before.turn, card_played(action)] = 1
    income = after.income.astype(int) - before.income
    shuffled = after.shuffles != before.shuffles
    start = 0 if shuffled else int(before.pile_size)
    if before.phase == EVENT_PHASE and action == DEPOT:
        start -= 1
    while (after.pile[:start] != before.pile[:start]).any():
        start -= 1
    news: dict[str, dict[str, Any]] = {
        "gained": {seat_name(s): names(np.maximum(change[s] + cost[s], 0)) for s in seats},
        "lost": {seat_name(s): names(np.maximum(-change[s], cost[s])) for s in seats},
        "income": {seat_name(s): int(income[s]) for s in seats},
    }
    told_of: dict[str, Any] = {
        key: {seat: what for seat, what in entries.items() if what}
        for key, entries in news.items()
        if any(entries.values())
    }
    discarded = [FACE_NAMES[face] for face in after.pile[start : after.pile_size]]
    if discarded:
        told_of["discarded"] = discarded
    if shuffled:
        told_of["shuffled"] = True
    return told_of
