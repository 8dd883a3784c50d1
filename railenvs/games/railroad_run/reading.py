"""A game set up from a given table: everything is checked, and what is wrong is named."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from railenvs.engine.checks import entry, one_of, whole_number
from railenvs.engine.state import CUT_OFF, TERMINATED, Record
from railenvs.games.railroad_run.actions import action_names
from railenvs.games.railroad_run.cards import (
    BUY_OUT,
    COPIES,
    DECK_SIZE,
    FACE_NAMES,
    NUM_FACES,
    OBSOLESCENCE,
    POLITICS,
    RAILS,
    SURVEY,
    THE_CITY,
    THE_TOWN,
    THE_TRAIN,
    WRECK,
)
from railenvs.games.railroad_run.choosing import choose
from railenvs.games.railroad_run.deck import lay_on_pile
from railenvs.games.railroad_run.events import SURVEY_KEPT
from railenvs.games.railroad_run.memory import note_look, note_search, unseen_cards
from railenvs.games.railroad_run.options import (
    COAL_CHUTE_CARDS,
    UPGRADE_COST,
    count_targets,
    may_be_target,
    shares_held,
    tokens_left,
)
from railenvs.games.railroad_run.rules import excess, legal
from railenvs.games.railroad_run.state import (
    ACCOUNTING_PHASE,
    ANSWER,
    BUY_OUT_OPPONENT,
    BUY_SHARES_CARD,
    BUY_SHARES_OPPONENT,
    COAL_CHUTE_KEEP,
    COMPANIES,
    EVENT_PHASE,
    LOOKED_AT,
    MOST_OFFERED,
    MOST_SHARES,
    NOBODY,
    OBSOLESCENCE_OPPONENT,
    OFFER_GIVE,
    OFFER_OPPONENT,
    OFFER_WANT,
    OFFERS,
    OPERATIONS_PHASE,
    PHASES,
    POLITICS_OPPONENT,
    PUBLIC,
    SURVEY_KEEP,
    SWITCH_CARD,
    SWITCH_OPPONENT,
    TRAIN_YARD_RAIL,
    UPGRADE_DISCARD,
    WINNING_INCOME,
    WRECK_OPPONENT,
    num_phases,
)
from railenvs.games.railroad_run.table import (
    OUT_OF_TURNS,
    OVER,
    deck_cards,
    hidden_cards,
    row_name,
    seat_name,
)
from railenvs.games.railroad_run.trading import holds_wanted, want
from railenvs.games.railroad_run.turn import SMALLEST_MELD, leader, plays_a_turn

MOST_NUMBER = 1000
"""Of income points, upgrades and the like: more cannot come up in a game worth setting up."""
MOST_SHUFFLES = 32_767
"""What the record can hold: searches may shuffle the discard in at every turn."""

TARGET_PHASES = {
    BUY_SHARES_CARD: BUY_SHARES_OPPONENT,
    SWITCH_CARD: OBSOLESCENCE_OPPONENT,  # anyone: the stolen card may have been its last
    OFFER_GIVE: OFFER_OPPONENT,
    OFFER_WANT: OFFER_OPPONENT,
    ANSWER: OFFER_OPPONENT,
}
"""Phases in which an opponent has been chosen, and the phase by whose rule it may be."""
OFFER_PHASES = (OFFER_OPPONENT, OFFER_GIVE, OFFER_WANT)
PLAYED = {
    BUY_SHARES_CARD: THE_CITY,
    SWITCH_CARD: THE_TOWN,
    COAL_CHUTE_KEEP: THE_TOWN,
    SURVEY_KEEP: SURVEY,
    TRAIN_YARD_RAIL: THE_TOWN,
    UPGRADE_DISCARD: THE_TRAIN,
    BUY_SHARES_OPPONENT: THE_CITY,
    SWITCH_OPPONENT: THE_TOWN,
    WRECK_OPPONENT: WRECK,
    BUY_OUT_OPPONENT: BUY_OUT,
    OBSOLESCENCE_OPPONENT: OBSOLESCENCE,
    POLITICS_OPPONENT: POLITICS,
}
"""Phases in the course of an event or option, and the card that it cost."""
MAY_SHUFFLE = (COAL_CHUTE_KEEP, SURVEY_KEEP, TRAIN_YARD_RAIL)
"""Of these, the ones for which the discard may have been shuffled in."""


def read_table(state: Record, given: Mapping[str, Any]) -> None:
    """Write a whole table into a blank record.

    Cards, seats, phase, choice and memory must agree with each other: see what is refused. Whether
    a game can lead there is not looked into, so points, upgrades and hands may be any.

    Raises:
        ValueError: where an entry is missing or malformed, or a card missing, too many or unknown;
            where tokens are more than a seat has or may have; where phase, turns, plays and offers
            left do not go together, points do not fit the end or going on of the game, or the Civil
            War is past without a shuffle; where a play's card does not lie on the discard, or
            nobody can be meant, or a set or offer could not have been chosen so; and where what is
            remembered is not so, or a seat does not know what is public.
    """
    phases = PHASES[: num_phases(int(state.num_players))]
    name = one_of(entry(given, "phase", str), "'phase'", [*phases, OVER, OUT_OF_TURNS])
    state.phase = phases.index(name) if name in phases else EVENT_PHASE
    state.ended = {OVER: TERMINATED, OUT_OF_TURNS: CUT_OFF}.get(name, 0)
    seats = entry(given, "seats", list)
    if len(seats) != state.num_players:
        raise ValueError(f"'seats' must list {state.num_players} seats, not {len(seats)}")
    state.turn = whole_number(entry(given, "turn", int), "'turn'", 0, len(seats) - 1)
    state.seat = state.turn
    _read_cards(state, given, seats)
    _read_seats(state, seats)
    _read_progress(state, given)
    _read_memory(state, given.get("memory", {}))
    _read_choice(state, given)
    _check_end(state, name)
    if state.phase == ANSWER:
        state.seat = state.target
    if not state.ended:
        mask = np.zeros(len(action_names(len(seats))), np.int8)
        legal(state, mask)
        _need(bool(mask.any()), f"in phase {name!r} seat {state.seat} has nothing to choose from")


def _need(holds: bool, message: str) -> None:
    if not holds:
        raise ValueError(f"the table cannot come up: {message}")


def _faces(cards: Sequence[Any], where: str) -> list[int]:
    return [FACE_NAMES.index(one_of(card, f"a card of {where}", FACE_NAMES)) for card in cards]


def _number(given: Mapping[str, Any], key: str, default: int, high: int, where: str = "") -> int:
    return whole_number(given.get(key, default), f"{key!r}{where}", 0, high)


def _flag(given: Mapping[str, Any], key: str, default: bool) -> bool:
    return bool(one_of(given.get(key, default), f"{key!r}", (False, True)))


def _by_name(state: Record, given: Any, where: str, owner: int) -> Iterator[tuple[str, int, Any]]:
    """Entries by name of a seat, not the owner: what an error calls each, its seat, its value."""
    if not isinstance(given, Mapping):
        raise ValueError(f"{where} must be a dict, not {given!r}")
    others = [seat_name(seat) for seat in range(state.num_players) if seat != owner]
    for name, value in given.items():
        one_of(name, f"a seat in {where}", others)
        yield f"{name!r} of {where}", int(name.rpartition("_")[2]), value


# Cards


def _read_cards(state: Record, given: Mapping[str, Any], seats: Sequence[Any]) -> None:
    hands = [
        _faces(entry(seat, "hand", list, f"seat {index}"), f"the hand of seat {index}")
        for index, seat in enumerate(seats)
    ]
    deck = _faces(entry(given, "draw_deck", list), "'draw_deck'")
    pile = _faces(entry(given, "discard", list), "'discard'")
    found = np.bincount(
        [*deck, *pile, *(face for hand in hands for face in hand)], minlength=NUM_FACES
    )
    for fault, faces in (("missing", found < COPIES), ("too many of", found > COPIES)):
        if faces.any():
            listed = ", ".join(repr(FACE_NAMES[face]) for face in np.flatnonzero(faces))
            raise ValueError(f"cards in hands, deck and discard: {fault} {listed}")
    for index, hand in enumerate(hands):
        state.hand_size[index] = len(hand)
        for face in hand:
            state.hand[index, face] += 1
    state.deck_size = len(deck)
    for place, face in enumerate(reversed(deck)):
        state.deck[place] = face
    for face in pile:
        lay_on_pile(state, face)


# Seats


def _read_seats(state: Record, seats: Sequence[Mapping[str, Any]]) -> None:
    for index, seat in enumerate(seats):
        where = f" of seat {index}"
        income = entry(seat, "income", int, f"seat {index}")
        state.income[index] = whole_number(income, f"'income'{where}", 0, MOST_NUMBER)
        state.upgrades[index] = _number(seat, "upgrades", 0, MOST_NUMBER, where)
        company = seat.get("company")
        if state.starting_companies:
            one_of(company, f"'company'{where}", COMPANIES)
            state.company[index] = COMPANIES.index(company)
        elif company is not None:
            raise ValueError(f"'company'{where} must be None, not {company!r}: see the option")
        _read_tokens(state, index, seat.get("tokens", {}))
    held = [int(company) for company in state.company if company != NOBODY]
    _need(len(set(held)) == len(held), "two seats have the same company")
    for index in range(len(seats)):
        _need(tokens_left(state, index) >= 0, f"seat {index} has given too many tokens")
        _need(
            shares_held(state, index) <= MOST_SHARES,
            f"seat {index} has been given more than {MOST_SHARES} tokens",
        )


def _read_tokens(state: Record, owner: int, tokens: Any) -> None:
    for name, holder, count in _by_name(state, tokens, f"'tokens' of seat {owner}", owner):
        state.tokens[owner, holder] = whole_number(count, name, 1, MOST_SHARES)


# Turn


def _read_progress(state: Record, given: Mapping[str, Any]) -> None:
    turn = int(state.turn)
    plays, offers = int(plays_a_turn(state, turn)), OFFERS if state.trades else 0
    phase = int(state.phase)
    state.turns = _number(given, "turns", 0, int(state.max_turns))
    if phase in PLAYED:
        plays -= 1
    if phase == ANSWER or given.get("offer_sent") is True:
        offers -= 1
    _need(offers >= (phase in OFFER_PHASES), "offers cannot be made")
    state.plays_left = _number(given, "plays_left", plays, plays)
    state.offers_left = _number(given, "offers_left", offers, offers)
    _need(phase not in OFFER_PHASES or state.offers_left > 0, "no offer is left")
    opened = {key: bool(state[key]) for key in ("bonus_open", "war_open")}
    for key, option in opened.items():
        is_open = _flag(given, key, option)
        _need(option or not is_open, f"{key!r} without its option")
        state[key] = is_open
    state.shuffles = _number(given, "shuffles", 0, MOST_SHUFFLES)
    past = opened["war_open"] and not state.war_open
    _need(state.shuffles > 0 or not past, "the Civil War is past, and nothing was shuffled")


def _check_end(state: Record, phase: str) -> None:
    points = state.income[: state.num_players].tolist()
    won = state.income[leader(state)] >= WINNING_INCOME
    up = state.turns >= state.max_turns
    _need(won == (phase == OVER), f"phase {phase!r} with points {points}")
    _need(up == (phase == OUT_OF_TURNS), f"phase {phase!r} after {state.turns} turns")


# Sets being chosen, offers, looks


def _read_choice(state: Record, given: Mapping[str, Any]) -> None:
    phase = int(state.phase)
    sent = _flag(given, "offer_sent", False)
    target = given.get("target")
    chosen = _faces(_cards(given, "chosen"), "'chosen'")
    wanted = _faces(_cards(given, "wanted"), "'wanted'")
    state.sent = sent
    _need(not sent or phase in (EVENT_PHASE, ANSWER), "an offer is sent in this phase")
    _need(sent or phase != ANSWER, "an answer without an offer")
    _need(not (sent and state.ended), "an offer once the game is over")
    if phase in TARGET_PHASES or sent:
        state.target = whole_number(target, "'target'", 0, int(state.num_players) - 1)
        rule = TARGET_PHASES.get(phase, OFFER_OPPONENT)
        _need(may_be_target(state, rule, int(state.target)), f"{target} as 'target'")
    elif target is not None:
        raise ValueError(f"'target' must be None in this phase, not {target!r}")
    _need(phase == OFFER_WANT or sent or not wanted, "cards wanted without an offer")
    if not state.ended:
        _read_looks(state)
        _check_phase(state)
        if sent or phase == OFFER_WANT:
            _read_offer(state, chosen, wanted)
        else:
            _read_set(state, chosen)
    else:
        _need(not chosen, "cards chosen once the game is over")


def _cards(given: Mapping[str, Any], key: str) -> list[Any]:
    return entry(given, key, list) if key in given else []


def _read_looks(state: Record) -> None:
    """What the seat to act looks at follows from the phase, and so does what it learns."""
    most = {COAL_CHUTE_KEEP: COAL_CHUTE_CARDS, SURVEY_KEEP: LOOKED_AT}.get(int(state.phase), 0)
    state.looking = min(most, int(state.deck_size))
    note_look(state, int(state.turn), int(state.looking))
    if state.phase == TRAIN_YARD_RAIL:
        _need(not state.top_known.any(), "the top of a deck being searched is known")
        note_search(state, int(state.turn), RAILS[0], RAILS[1])


def _check_phase(state: Record) -> None:
    """What a phase needs beyond something to choose from."""
    phase, turn = int(state.phase), int(state.turn)
    size = int(state.hand_size[turn])
    name = PHASES[phase]
    if phase in PLAYED:
        _check_played(state)
    if phase in (BUY_SHARES_CARD, BUY_SHARES_OPPONENT):
        _need(tokens_left(state, turn) > 0, f"seat {turn} has no share token left")
    if phase in (BUY_SHARES_OPPONENT, OFFER_OPPONENT):
        _need(size > 0, f"seat {turn} has no card to give")
    if phase >= BUY_SHARES_OPPONENT:
        _need(count_targets(state, phase) > 1, f"{name!r} with less than two to choose from")
    needed = {
        UPGRADE_DISCARD: size > UPGRADE_COST,
        ACCOUNTING_PHASE: excess(state) > 0,
        OPERATIONS_PHASE: size >= SMALLEST_MELD,
        COAL_CHUTE_KEEP: state.looking > 1,
        SURVEY_KEEP: state.looking > SURVEY_KEPT,
    }
    _need(bool(needed.get(phase, True)), f"{name!r} with so few cards")


def _check_played(state: Record) -> None:
    """The card just played lies on the discard, or went into the deck with all of it."""
    phase = int(state.phase)
    card = PLAYED[phase]
    if state.pile_size == 0 and state.shuffles > 0 and phase in MAY_SHUFFLE:
        holds = deck_cards(state)[card] > 0
    else:
        holds = state.pile_size > 0 and state.pile[state.pile_size - 1] == card
    _need(bool(holds), f"{PHASES[phase]!r} without a {FACE_NAMES[card]!r} just discarded")


def _read_set(state: Record, chosen: Sequence[int]) -> None:
    """Cards chosen so far: each must have been legal, and the set not be complete."""
    phase = int(state.phase)
    most = {
        UPGRADE_DISCARD: UPGRADE_COST - 1,
        ACCOUNTING_PHASE: int(excess(state)) - 1,
        SURVEY_KEEP: SURVEY_KEPT - 1,
        OFFER_GIVE: MOST_OFFERED - 1,
        OPERATIONS_PHASE: DECK_SIZE,
    }.get(phase, 0)
    _need(len(chosen) <= most, f"{len(chosen)} cards chosen in this phase")
    _replay(state, chosen, choose)


def _replay(state: Record, faces: Sequence[int], take: Callable[[Record, int], None]) -> None:
    mask = np.zeros(len(action_names(int(state.num_players))), np.int8)
    for face in sorted(faces):
        legal(state, mask)
        _need(bool(mask[face]), f"{FACE_NAMES[face]!r} cannot be chosen")
        take(state, face)


def _read_offer(state: Record, chosen: Sequence[int], wanted: Sequence[int]) -> None:
    phase = int(state.phase)
    given = np.bincount(chosen, minlength=NUM_FACES)
    held = state.hand[state.turn]
    _need(1 <= len(chosen) <= MOST_OFFERED, f"an offer of {len(chosen)} cards")
    _need(bool((given <= held).all()), "an offer of cards not in hand")
    state.chosen[:] = given
    state.phase = OFFER_WANT
    _replay(state, wanted, want)
    state.phase = phase
    if phase != OFFER_WANT:
        _need(len(wanted) > 0, "an offer that wants nothing")
    if phase == ANSWER:
        _need(bool(holds_wanted(state)), f"seat {state.target} lacks a card that is wanted")


# Memory


def _read_memory(state: Record, memory: Any) -> None:
    rows = [PUBLIC, *range(state.num_players)]
    known_names = {row_name(row): row for row in rows}
    if not isinstance(memory, Mapping):
        raise ValueError(f"'memory' must be a dict, not {memory!r}")
    for name in memory:
        one_of(name, "a key of 'memory'", list(known_names))
    for name, row in known_names.items():
        given = memory.get(name, {})
        if not isinstance(given, Mapping):
            raise ValueError(f"'memory' of {name} must be a dict, not {given!r}")
        where = f" in the memory of {name}"
        _read_known(state, row, given, where)
        _read_bounds(state, row, given, where)
        _check_fresh(state, row, where)
        _check_public(state, row, where)


def _read_known(state: Record, row: int, given: Mapping[str, Any], where: str) -> None:
    """Cards seen in hands and on top of the deck: they must be there."""
    known = given.get("known", {})
    _read_hands(state, state.known[row], row, known, f"'known'{where}")
    _read_hands(state, state.shown[row], row, given.get("shown", known), f"'shown'{where}")
    _need(bool((state.known[row] <= state.hand).all()), f"cards not in hand{where}")
    state.known_size[row] = state.known[row].sum(axis=1)
    fits = (state.shown[row] <= state.known[row]).all()
    _need(bool(fits), f"shown cards that are not known{where}")
    most = 0 if row == PUBLIC else min(LOOKED_AT, int(state.deck_size))
    state.top_known[row] = _number(given, "top_known", 0, most, where)


def _read_bounds(state: Record, row: int, given: Mapping[str, Any], where: str) -> None:
    """What is known of hidden cards: it must be so."""
    least = given.get("deck_at_least", {})
    _read_counts(state.deck_least[row], least, f"'deck_at_least'{where}")
    _read_counts(state.deck_placed[row], given.get("deck_placed", least), f"'deck_placed'{where}")
    fresh = given.get("fresh_at_least", least)
    _read_counts(state.fresh_least[row], fresh, f"'fresh_at_least'{where}")
    hidden = hidden_cards(state, row)
    most = hidden.copy()
    _read_counts(most, given.get("deck_at_most", {}), f"'deck_at_most'{where}")
    state.held_least[row] = np.maximum(hidden - most, 0)
    state.deck_noted[row] = state.deck_least[row].sum()
    kept = given.get("kept_at_least", {})
    for name, seat, count in _by_name(state, kept, f"'kept_at_least'{where}", row):
        most_kept = int(unseen_cards(state, row, seat))
        state.kept_least[row, seat] = whole_number(count, name, 0, most_kept)
    below = deck_cards(state) - deck_cards(state, int(state.top_known[row]))
    fits = (state.deck_least[row] <= below) & (below <= most)
    _need(bool(fits.all()), f"bounds on the deck{where}")
    placed = state.deck_placed[row] <= state.deck_least[row]
    _need(bool(placed.all()), f"cards placed in the deck{where}")


def _read_hands(state: Record, out: npt.NDArray[np.int8], row: int, hands: Any, where: str) -> None:
    """Cards of other hands, into counts (seats, faces)."""
    for name, seat, cards in _by_name(state, hands, where, row):
        if not isinstance(cards, list):
            raise ValueError(f"{name} must be a list, not {cards!r}")
        counts = np.bincount(_faces(cards, name), minlength=NUM_FACES)
        out[seat] = np.minimum(counts, DECK_SIZE)


def _read_counts(out: npt.NDArray[np.int8], counts: Any, where: str) -> None:
    if not isinstance(counts, Mapping):
        raise ValueError(f"{where} must be a dict, not {counts!r}")
    for name, count in counts.items():
        face = FACE_NAMES.index(one_of(name, f"a card of {where}", FACE_NAMES))
        out[face] = whole_number(count, f"{name!r} of {where}", 0, int(COPIES[face]))


def _check_fresh(state: Record, row: int, where: str) -> None:
    """There must be as many fresh cards, in the deck or where hands have kept none."""
    below = deck_cards(state) - deck_cards(state, int(state.top_known[row]))
    hidden, fresh = hidden_cards(state, row), state.fresh_least[row]
    fits = (state.deck_least[row] <= fresh) & (fresh <= hidden)
    _need(bool(fits.all()), f"fresh cards{where}")
    seats = [seat for seat in range(state.num_players) if seat != row]
    unseen = state.hand[seats].astype(np.int64) - state.known[row, seats]
    places = unseen.sum(axis=1) - state.kept_least[row, seats]
    _need(_can_place(np.maximum(fresh - below, 0), unseen, places), f"fresh cards in hands{where}")


def _can_place(
    missing: npt.NDArray[Any], unseen: npt.NDArray[Any], places: npt.NDArray[Any]
) -> bool:
    """Whether so many cards of each face can be among those of hands, in so many places of each.

    By Hall's theorem, if the places of any hands are enough for what the other hands cannot hold.
    """
    if not missing.any():
        return True
    choices = itertools.product((False, True), repeat=len(places))
    return all(
        np.maximum(missing - unseen[~hands].sum(axis=0), 0).sum() <= places[hands].sum()
        for hands in map(np.array, choices)
    )


def _check_public(state: Record, row: int, where: str) -> None:
    """What is public, every seat knows."""
    for seat in range(state.num_players):
        fits = state.known[PUBLIC, seat] <= state.known[row, seat]
        _need(seat == row or bool(fits.all()), f"public cards missing{where}")
    on_top = deck_cards(state, int(state.top_known[row]))
    most = hidden_cards(state, row) - state.held_least[row]
    public_most = hidden_cards(state, PUBLIC) - state.held_least[PUBLIC]
    fits = (state.deck_least[row] + on_top >= state.deck_least[PUBLIC]) & (
        most + on_top <= public_most
    )
    _need(bool(fits.all()), f"public bounds on the deck missing{where}")
