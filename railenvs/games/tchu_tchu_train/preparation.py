"""Preparation: tokens, hands, the one chance to change a hand, the open row, who begins."""

from __future__ import annotations

from railenvs.engine.compile import rule
from railenvs.engine.random import below, shuffle
from railenvs.engine.state import AT_RANDOM, Record
from railenvs.games.tchu_tchu_train.cards import COPIES, DECK_SIZE, NUM_CARDS
from railenvs.games.tchu_tchu_train.generator import lay_cards
from railenvs.games.tchu_tchu_train.state import (
    ACTION,
    HAND_SIZE,
    NOTHING,
    ROW_SIZE,
    TRAINS,
)


def prepare(state: Record) -> None:
    """What is alike before every deal: an empty board, tokens handed out, nothing open."""
    state.station_at[:] = NOTHING
    state.empty[:] = 1
    state.site[:] = 1
    state.reach[:] = 1
    state.swap_place = NOTHING
    state.incoming[:] = NOTHING
    state.row[:] = NOTHING
    state.unseen[:] = COPIES
    state.trains_left[: state.num_players] = TRAINS[state.num_players]


@rule
def deal(state: Record) -> None:
    """Shuffle, deal seven cards each, draw by lot who begins; that seat is asked first."""
    if state.generated:
        lay_cards(state)
    for place in range(DECK_SIZE):
        state.deck[place] = place // COPIES
    shuffle(state, state.deck, 0, DECK_SIZE)
    for seat in range(state.num_players):
        for _ in range(HAND_SIZE):
            draw_to_hand(state, seat)
    state.starter = below(state, state.num_players)
    if state.first_player != AT_RANDOM:
        state.starter = state.first_player
    state.seat = state.starter


@rule
def draw_card(state: Record) -> int:
    """The top card of the deck, which leaves it."""
    card = int(state.deck[state.drawn])
    state.deck[state.drawn] = NOTHING
    state.drawn += 1
    return card


@rule
def draw_to_hand(state: Record, seat: int) -> None:
    """The top card of the deck comes into a hand, seen by its owner alone."""
    card = draw_card(state)
    state.hand[seat, card] += 1
    state.unseen[seat, card] -= 1
    state.hand_size[seat] += 1


@rule
def open_card(state: Record, place: int) -> None:
    """The top card of the deck is opened in the row."""
    card = draw_card(state)
    state.row[place] = card
    for seat in range(state.num_players):
        state.unseen[seat, card] -= 1


@rule
def change_hand(state: Record) -> None:
    """A hand not liked goes into the deck, which is shuffled; then seven new cards.

    The others see that it happened.
    """
    seat = int(state.seat)
    state.changed_hand[seat] = 1
    for card in range(NUM_CARDS):
        for _ in range(state.hand[seat, card]):
            state.drawn -= 1
            state.deck[state.drawn] = card
        state.hand[seat, card] = 0
        state.unseen[seat, card] = COPIES
    state.hand_size[seat] = 0
    shuffle(state, state.deck, state.drawn, DECK_SIZE)
    for _ in range(HAND_SIZE):
        draw_to_hand(state, seat)


@rule
def ask_next_hand(state: Record) -> None:
    """The next seat decides on its hand; when all have, four cards are opened and play begins."""
    state.seat = clockwise(state, state.seat)
    if state.seat == state.starter:
        for place in range(ROW_SIZE):
            open_card(state, place)
        state.phase = ACTION


@rule
def clockwise(state: Record, seat: int) -> int:
    """The next seat."""
    following = int(seat) + 1
    return 0 if following == state.num_players else following
