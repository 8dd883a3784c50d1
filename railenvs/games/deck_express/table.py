"""The table in card names: written for people, read back to start a game from it.

Cards are written ``7S``, ``QD``, ``AC``; the locomotive that comes first is ``L1``, the other
``L2``; companies are ``spades``, ``hearts``, ``diamonds``, ``clubs``.

==================  ==============================================================================
``setup``           ``"chart"`` or ``"thirds"``
``phase``           ``"build_or_invest"``, ``"assign_locomotive"``, ``"reveal_share"``,
                    ``"pass_share"``; ``"over"`` at the end
``turn``            the seat whose turn it is; in a dividend and at the end, the seat that drew
``dividends``       dividends paid so far
``stacks``          per company ``top``, ``height``, ``value`` of a share and ``built`` (track)
``locomotives``     per locomotive the ``draw`` at which it came (from 1), the company it was
                    assigned ``to``, and, before it comes, its ``window``: first and last draw
                    at which it may, counted from now
``deck_left``       cards left in the draw deck
``draw_deck``       these cards in the order of drawing; hidden from seats
``removed_shares``  shares removed from the game; hidden from seats
``seats``           per seat ``track`` and ``shares`` in hand and ``choice``, the share laid aside
                    in secret (all three hidden from other seats), ``hand_size``, ``shown``
                    (shares face up), ``money``; at the end ``score`` and ``rank``
``unseen_track``    in a seat's view: track in the draw deck or in another hand
``unseen_shares``   in a seat's view: shares in another hand or removed
==================  ==============================================================================

What is hidden is null. A given table needs ``phase``, ``turn``, ``dividends``, ``stacks`` (``top``
and ``built``), ``locomotives`` (``draw`` and ``to``), ``draw_deck``, ``removed_shares`` and
``seats`` (``track``, ``shares``, ``shown``, ``choice``, ``money``); the rest follows from these and
must agree with them where it is given. Each card must be there once, and phase, draws, dividends,
locomotives, numbers of cards in hand, choices and money must fit one another: money can be no less
and no more than the shares can have paid, and right after a dividend it holds what that one paid.
Whose turn it is and who holds how many cards is not traced back through the game.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from railenvs.engine.checks import entry, every_card_once, one_of, whole_number
from railenvs.engine.state import TERMINATED, Record
from railenvs.games.deck_express.cards import (
    ACE,
    ACE_NAMES,
    COMPANIES,
    FACES,
    LOCOMOTIVE,
    LOCOMOTIVE_NAMES,
    LOCOMOTIVE_ON_TOP,
    RANKS,
    SHARE_NAMES,
    TRACK_NAMES,
)
from railenvs.games.deck_express.deck import note_windows, stretch
from railenvs.games.deck_express.hidden import note_unseen
from railenvs.games.deck_express.rules import clockwise, rank, score, share_value
from railenvs.games.deck_express.state import (
    ASSIGN_LOCOMOTIVE,
    BUILD_OR_INVEST,
    CHART,
    DECK_SIZE,
    DIVIDENDS,
    NOTHING,
    PASS_SHARE,
    PHASES,
    REVEAL_SHARE,
    SETUPS,
    SHARES_DEALT,
    TRACK_DEALT,
    least_money,
    most_money,
)

OVER = "over"


# Writing


def table(state: Record, seat: int | None) -> dict[str, Any]:
    """The whole table, or what ``seat`` sees of it."""
    whole = seat is None
    seen: dict[str, Any] = {
        "setup": SETUPS[state.setup],
        "phase": OVER if state.ended else PHASES[state.phase],
        "turn": int(state.turn),
        "dividends": int(state.dividends),
        "stacks": {company: _stack(state, index) for index, company in enumerate(COMPANIES)},
        "locomotives": _locomotives(state),
        "deck_left": int(DECK_SIZE[state.num_players] - state.drawn),
        "draw_deck": _draw_deck(state) if whole else None,
        "removed_shares": _removed_shares(state) if whole else None,
        "seats": [
            _seat(state, other, whole or other == seat) for other in range(state.num_players)
        ],
    }
    if not whole:
        seen["unseen_track"] = _names(state.unseen_track[seat], TRACK_NAMES)
        seen["unseen_shares"] = _names(state.unseen_shares[seat], SHARE_NAMES)
    return seen


def _names(cards: Any, names: tuple[str, ...]) -> list[str]:
    return [names[card] for card in np.flatnonzero(cards).tolist()]


def _stack(state: Record, company: int) -> dict[str, Any]:
    top = int(state.top[company])
    if top == LOCOMOTIVE_ON_TOP:
        last = max(order for order in range(2) if state.assigned[order] == company)
        name = LOCOMOTIVE_NAMES[last]
    elif top == ACE:
        name = ACE_NAMES[company]
    else:
        name = TRACK_NAMES[company * RANKS + top - 2]
    built = [card for card in np.flatnonzero(state.built) if card // RANKS == company]
    return {
        "top": name,
        "height": int(state.height[company]),
        "value": int(share_value(state, company)),
        "built": [TRACK_NAMES[card] for card in built],
    }


def _locomotives(state: Record) -> dict[str, dict[str, Any]]:
    draws = _locomotive_draws(state)
    locomotives = {}
    for order, name in enumerate(LOCOMOTIVE_NAMES):
        came = order < len(draws)
        company = int(state.assigned[order])
        first, last = (int(draw - state.drawn) for draw in state.locomotive_window[order])
        locomotives[name] = {
            "draw": draws[order] if came else None,
            "to": None if company == NOTHING else COMPANIES[company],
            "window": None if came else [max(first, 1), last],
        }
    return locomotives


def _locomotive_draws(state: Record) -> list[int]:
    """The draws, counted from 1, that were locomotives."""
    return [draw + 1 for draw in range(state.drawn) if state.deck[draw] == LOCOMOTIVE]


def _draw_deck(state: Record) -> list[str]:
    coming = iter(LOCOMOTIVE_NAMES[len(_locomotive_draws(state)) :])
    left = state.deck[state.drawn : DECK_SIZE[state.num_players]]
    return [next(coming) if card == LOCOMOTIVE else TRACK_NAMES[card] for card in left]


def _removed_shares(state: Record) -> list[str]:
    kept = state.shares.any(axis=0) | state.shown.any(axis=0)
    return _names(~kept, SHARE_NAMES)


def _seat(state: Record, seat: int, open_hand: bool) -> dict[str, Any]:
    choice = int(state.choice[seat])
    in_hand = int(state.shares[seat].sum())
    entries: dict[str, Any] = {
        "hand_size": int(state.track_count[seat]) + in_hand,
        "track": _names(state.track[seat], TRACK_NAMES) if open_hand else None,
        "shares": _names(state.shares[seat], SHARE_NAMES) if open_hand else None,
        "shown": _names(state.shown[seat], SHARE_NAMES),
        "choice": SHARE_NAMES[choice] if open_hand and choice != NOTHING else None,
        "money": int(state.money[seat]),
    }
    if state.ended:
        entries["score"] = int(score(state, seat))
        entries["rank"] = int(rank(state, seat))
    return entries


# Reading


def read_table(state: Record, given: Mapping[str, Any]) -> None:
    """Write a whole table into a blank record.

    Raises:
        ValueError: where an entry is missing or malformed, a card missing, doubled or unknown, or
            its parts do not fit one another as the module tells.
    """
    if "setup" in given:
        one_of(given["setup"], "'setup' (an option of the game)", [SETUPS[state.setup]])
    phase = one_of(given.get("phase"), "'phase'", [*PHASES, OVER])
    seats = entry(given, "seats", list)
    if len(seats) != state.num_players:
        raise ValueError(f"'seats' must list {state.num_players} seats, not {len(seats)}")
    state.phase = 0 if phase == OVER else PHASES.index(phase)
    state.ended = TERMINATED if phase == OVER else 0
    state.turn = whole_number(given.get("turn"), "'turn'", 0, state.num_players - 1)
    state.dividends = whole_number(given.get("dividends"), "'dividends'", 0, DIVIDENDS)
    _check_cards(given, seats)
    for index, seat in enumerate(seats):
        _read_seat(state, index, seat)
    _read_deck(state, given)
    _read_stacks(state, entry(given, "stacks", dict))
    for index in range(state.num_players):
        note_unseen(state, index)
    note_windows(state)
    _check_progress(state)
    _check_money(state)
    _read_choices(state, seats)


def _check_cards(given: Mapping[str, Any], seats: Sequence[Any]) -> None:
    stacks = entry(given, "stacks", dict)
    every_card_once(stacks, COMPANIES, "'stacks'")
    every_card_once(entry(given, "locomotives", dict), LOCOMOTIVE_NAMES, "'locomotives'")
    deck = entry(given, "draw_deck", list)
    track = [card for card in deck if card not in LOCOMOTIVE_NAMES]
    shares = [*entry(given, "removed_shares", list)]
    for company, stack in stacks.items():
        track += entry(stack, "built", list, f"the stack of {company}")
    for index, seat in enumerate(seats):
        track += entry(seat, "track", list, f"seat {index}")
        for place in ("shares", "shown"):
            shares += entry(seat, place, list, f"seat {index}")
    every_card_once(track, TRACK_NAMES, "track cards in hands, on stacks and in the draw deck")
    every_card_once(shares, SHARE_NAMES, "shares in hands, face up and removed")


def _read_seat(state: Record, seat: int, given: Mapping[str, Any]) -> None:
    for card in given["track"]:
        state.track[seat, TRACK_NAMES.index(card)] = 1
    for card in given["shares"]:
        state.shares[seat, SHARE_NAMES.index(card)] = 1
    for card in given["shown"]:
        state.shown[seat, SHARE_NAMES.index(card)] = 1
    state.track_count[seat] = len(given["track"])
    most = most_money(int(state.dividends))
    state.money[seat] = whole_number(given.get("money"), f"'money' of seat {seat}", 0, most)
    for kind, wanted in (("shares", SHARES_DEALT - state.dividends), ("shown", state.dividends)):
        if len(given[kind]) != wanted:
            raise ValueError(
                f"after {state.dividends} dividends seat {seat} must have {wanted} {kind!r}, "
                f"not {given[kind]!r}"
            )


def _read_deck(state: Record, given: Mapping[str, Any]) -> None:
    size = DECK_SIZE[state.num_players]
    deck = given["draw_deck"]
    if len(deck) > size:
        raise ValueError(f"'draw_deck' holds at most {size} cards, not {len(deck)}")
    state.drawn = size - len(deck)
    state.deck[: state.drawn] = NOTHING
    came = []
    for order, name in enumerate(LOCOMOTIVE_NAMES):
        locomotive = entry(given["locomotives"], name, dict, "'locomotives'")
        draw, company = locomotive.get("draw"), locomotive.get("to")
        if draw is not None:
            draw = whole_number(draw, f"'draw' of {name}", 1, max(int(state.drawn), 1))
            state.deck[draw - 1] = LOCOMOTIVE
            came.append((draw, name))
        if company is not None:
            state.assigned[order] = COMPANIES.index(one_of(company, f"'to' of {name}", COMPANIES))
    names = [name for _, name in sorted(came)]
    names += [name for name in deck if name in LOCOMOTIVE_NAMES]
    every_card_once(names, LOCOMOTIVE_NAMES, "locomotives drawn and in the draw deck")
    if names != list(LOCOMOTIVE_NAMES):
        raise ValueError(f"the locomotive that comes first is L1, not {names[0]}")
    _check_hands(state, TRACK_DEALT + int(state.drawn) - len(came))
    for place, card in enumerate(deck, start=int(state.drawn)):
        state.deck[place] = LOCOMOTIVE if card in LOCOMOTIVE_NAMES else TRACK_NAMES.index(card)
    _check_stretches(state)


def _check_hands(state: Record, most: int) -> None:
    for seat, count in enumerate(state.track_count):
        if count > most:
            raise ValueError(f"seat {seat} can hold at most {most} track cards by now, not {count}")


def _check_stretches(state: Record) -> None:
    places = np.flatnonzero(state.deck[: DECK_SIZE[state.num_players]] == LOCOMOTIVE)
    spans = [stretch(state, index) for index in range(2 if state.setup == CHART else 3)]
    held = [sum(start <= place < stop for place in places) for start, stop in spans]
    if sum(held) != 2 or max(held) != 1:
        windows = ", ".join(f"{start + 1} to {stop}" for start, stop in spans)
        raise ValueError(
            f"the locomotives must be one each in two of the draws {windows}, not at "
            f"{', '.join(str(place + 1) for place in places)}"
        )


def _read_stacks(state: Record, stacks: Mapping[str, Any]) -> None:
    for company, name in enumerate(COMPANIES):
        built = stacks[name]["built"]
        for card in built:
            number = TRACK_NAMES.index(card)
            if number // RANKS != company:
                raise ValueError(f"{card!r} cannot be built on the stack of {name}")
            state.built[number] = 1
        locomotives = [
            LOCOMOTIVE_NAMES[order] for order in range(2) if state.assigned[order] == company
        ]
        state.height[company] = 1 + len(built) + len(locomotives)
        tops = [*built, *locomotives[-1:]] or [ACE_NAMES[company]]
        top = one_of(stacks[name].get("top"), f"'top' of {name}", tops)
        if top in LOCOMOTIVE_NAMES:
            state.top[company] = LOCOMOTIVE_ON_TOP
        elif top in ACE_NAMES:
            state.top[company] = ACE
        else:
            state.top[company] = TRACK_NAMES.index(top) - company * RANKS + 2


def _check_progress(state: Record) -> None:
    """Phase, draws, dividends and assigned locomotives must fit one another."""
    came = len(_locomotive_draws(state))
    assigned = [order for order in range(2) if state.assigned[order] != NOTHING]
    left = int(DECK_SIZE[state.num_players] - state.drawn)
    just_drew = came > 0 and state.deck[state.drawn - 1] == LOCOMOTIVE
    paid = int(state.dividends)
    if state.ended:
        fits = paid == DIVIDENDS and left == 0 and len(assigned) == 2
    elif state.phase == BUILD_OR_INVEST:
        fits = paid == came == len(assigned) and left > 0
    elif state.phase == ASSIGN_LOCOMOTIVE:
        fits = just_drew and came == paid + 1 and len(assigned) == paid
    elif state.phase == REVEAL_SHARE:
        fits = just_drew and came == paid + 1 == len(assigned)
    else:
        fits = just_drew and came == paid == len(assigned) == 2
    if not fits or assigned != list(range(len(assigned))):
        phase = OVER if state.ended else PHASES[state.phase]
        raise ValueError(
            f"the table cannot come up: phase {phase!r}, {paid} dividends paid, "
            f"{came} locomotives drawn, {len(assigned)} assigned, {left} cards left to draw"
        )
    if not state.ended and state.phase in (REVEAL_SHARE, PASS_SHARE):
        company = int(state.assigned[came - 1])
        if state.top[company] != LOCOMOTIVE_ON_TOP:
            raise ValueError(
                f"'top' of {COMPANIES[company]} must be {LOCOMOTIVE_NAMES[came - 1]!r}, which was "
                f"just assigned, not {_stack(state, company)['top']!r}"
            )


def _check_money(state: Record) -> None:
    """What shares can have paid; right after a dividend they lie there yet that it paid."""
    just_paid = bool(state.ended) or state.phase == PASS_SHARE
    earlier = int(state.dividends) - just_paid
    for seat in range(state.num_players):
        paid = sum(
            int(share_value(state, share // FACES))
            for share in np.flatnonzero(state.shown[seat])
            if just_paid
        )
        least, most = paid + least_money(earlier), paid + most_money(earlier)
        whole_number(state.money[seat], f"'money' of seat {seat}", least, most)


def _read_choices(state: Record, seats: Sequence[Mapping[str, Any]]) -> None:
    """Choices laid aside: a run of seats from the drawer on; the next one is to act."""
    state.seat = state.turn
    choosing = not state.ended and state.phase in (REVEAL_SHARE, PASS_SHARE)
    for _ in range(state.num_players):
        chosen = seats[state.seat].get("choice")
        if chosen is None:
            break
        hand = "shares" if state.phase == REVEAL_SHARE else "shown"
        choices = seats[state.seat][hand] if choosing else [None]
        one_of(chosen, f"'choice' of seat {state.seat}", choices)
        state.choice[state.seat] = SHARE_NAMES.index(chosen)
        state.seat = clockwise(state, state.seat)
    given = sum(seat.get("choice") is not None for seat in seats)
    made = int((state.choice != NOTHING).sum())
    if given != made or made == state.num_players:
        raise ValueError(
            f"choices must run clockwise from seat {state.turn} and leave a seat to choose; "
            f"{given} are given"
        )


# Telling


def told(before: Record, action: int, after: Record) -> dict[str, Any]:
    """What a move brought to light.

    Keys, each only where it happened: ``drew`` (a card), and per seat ``revealed`` (a share),
    ``paid`` (dollars) and ``passed`` (a share).
    """
    seats = range(before.num_players)
    news: dict[str, Any] = {}
    if after.drawn != before.drawn:
        news["drew"] = _draw_deck(before)[0]
    if after.dividends != before.dividends:
        revealed = before.shares & ~after.shares
        news["revealed"] = [_names(revealed[seat], SHARE_NAMES)[0] for seat in seats]
        news["paid"] = [int(after.money[seat] - before.money[seat]) for seat in seats]
    passed = (before.shown | (before.shares & ~after.shares)) & ~after.shown
    if passed.any():
        news["passed"] = [_names(passed[seat], SHARE_NAMES)[0] for seat in seats]
    return news
