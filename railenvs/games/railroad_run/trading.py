"""Event Phase, trading: an offer to one opponent, who accepts or declines."""

from __future__ import annotations

from typing import Any

from railenvs.engine.compile import rule
from railenvs.engine.state import Record
from railenvs.games.railroad_run.actions import DONE, SEND, WITHDRAW
from railenvs.games.railroad_run.cards import COPIES, NUM_FACES
from railenvs.games.railroad_run.choosing import legal_choices
from railenvs.games.railroad_run.deck import lay_down, take_openly
from railenvs.games.railroad_run.memory import note_shown
from railenvs.games.railroad_run.options import only_target
from railenvs.games.railroad_run.state import (
    ANSWER,
    EVENT_PHASE,
    MOST_OFFERED,
    NOBODY,
    OFFER_GIVE,
    OFFER_OPPONENT,
    OFFER_WANT,
)
from railenvs.games.railroad_run.turn import start_run, to_event_phase


@rule
def begin_offer(state: Record) -> None:
    """Choose the opponent first."""
    target = only_target(state, OFFER_OPPONENT)
    if target != NOBODY:
        offer_to(state, target)


@rule
def offer_to(state: Record, target: int) -> None:
    """The opponent is chosen; now the cards to give."""
    state.target = target
    start_run(state, OFFER_GIVE)


@rule
def legal_gifts(state: Record, mask: Any) -> None:
    """One to three cards of my hand."""
    legal_choices(state, mask, state.hand[state.turn], 1)
    mask[DONE] = state.chosen_count > 0
    mask[WITHDRAW] = 1


@rule
def to_wants(state: Record) -> None:
    """The cards to give are chosen; now those wanted for them."""
    state.phase = OFFER_WANT
    state.chosen_count = 0
    state.last = 0


@rule
def legal_wants(state: Record, mask: Any) -> None:
    """One to three cards, no more than the opponent holds, that are not all in the discard.

    My own hand does not count, for what I may want would tell of it.
    """
    more = state.chosen_count < min(MOST_OFFERED, int(state.hand_size[state.target]))
    for face in range(int(state.last), NUM_FACES):
        in_play = int(COPIES[face]) - int(state.discarded[face])
        mask[face] = more and in_play > state.wanted[face]
    mask[SEND] = state.chosen_count > 0
    mask[WITHDRAW] = 1


@rule
def want(state: Record, face: int) -> None:
    """Add a card to those wanted."""
    state.wanted[face] += 1
    state.chosen_count += 1
    state.last = face


@rule
def withdraw(state: Record) -> None:
    """The offer is not made after all; it counts as one of the turn's."""
    state.offers_left -= 1
    to_event_phase(state)


@rule
def send(state: Record) -> None:
    """All learn the terms; the opponent answers, but declines unasked if it lacks a card."""
    state.offers_left -= 1
    state.sent = 1
    note_shown(state, int(state.turn), state.chosen)
    if holds_wanted(state):
        state.phase = ANSWER
        state.seat = state.target
    else:
        decline(state)


@rule
def holds_wanted(state: Record) -> bool:
    """Whether the opponent has all that is wanted."""
    lacking = 0
    for face in range(NUM_FACES):
        lacking += state.wanted[face] > state.hand[state.target, face]
    return lacking == 0


@rule
def decline(state: Record) -> None:
    """Nothing changes; the terms stay in sight until the next action."""
    state.phase = EVENT_PHASE
    state.seat = state.turn


@rule
def accept(state: Record) -> None:
    """The cards change hands, for all to see."""
    seat, target = int(state.turn), int(state.target)
    note_shown(state, target, state.wanted)
    for face in range(NUM_FACES):
        for _ in range(state.chosen[face]):
            trade_card(state, seat, target, face)
        for _ in range(state.wanted[face]):
            trade_card(state, target, seat, face)
    to_event_phase(state)


@rule
def trade_card(state: Record, giver: int, taker: int, face: int) -> None:
    """A card goes openly from hand to hand."""
    lay_down(state, giver, face)
    take_openly(state, taker, face)
