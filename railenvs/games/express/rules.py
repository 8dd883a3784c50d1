"""The rules of EXPRESS, in the order of its rulebook.

Section names in the docstrings are the rulebook's.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from railenvs.engine.compile import rule
from railenvs.engine.random import below, shuffle
from railenvs.engine.state import AT_RANDOM, CUT_OFF, TERMINATED, Record
from railenvs.games.express.cards import (
    COPIES,
    FACE_NAMES,
    GREEN_1,
    GREEN_2,
    NUM_FACES,
    NUM_POOL,
    NUM_REGIONAL,
    NUM_REGIONS,
    NUM_REQUESTS,
    NUM_VEHICLES,
    PACK_SIZE,
    PASS,
    POOL_ENGINE,
    POOL_NAMES,
    RED,
    REGIONS,
    REQUEST_NAMES,
    VEHICLE_NAMES,
    after_asked,
    first_asked,
)
from railenvs.games.express.memory import (
    begin_memory,
    note_comes,
    note_draw,
    note_handed_over,
    note_leaves,
    note_pass_shown,
    note_refusal,
    note_shuffle,
)
from railenvs.games.express.state import (
    ACT,
    BARRED,
    CARDS_DEALT,
    CLAIM,
    DISCARD,
    DISCARDED,
    DRAW,
    EXCHANGE,
    HAND_OVER,
    LAY_OUT,
    NONE,
    TURNED_UP,
)
from railenvs.games.express.trains import (
    SETTLED,
    any_lay_out_due,
    correct_cards,
    fits_next,
    is_correct_for,
    lay_out_due,
    only_correct_card,
    open_place,
    owner_of,
    settle,
    train_length,
)

TAKE = 0
FROM_PACK = TAKE + 1
DISCARDS = FROM_PACK + 1
LAYS = DISCARDS + NUM_FACES
EXCHANGES = LAYS + NUM_REGIONS
CHOICES = EXCHANGES + NUM_POOL
REQUESTS = CHOICES + NUM_VEHICLES
"""Requests to the next seat, then to the one after it, and so on; behind them, with more than two
seats, the two answers in a claim window."""

FIRST_POINTS, WIN_POINTS = 5, 10
"""For a train laid out; besides, for moving it out first."""


def action_names(num_players: int, options: Mapping[str, Any]) -> tuple[str, ...]:
    """Name of each action; with two seats there is nothing to claim."""
    return (
        "take the face-up card",
        "draw from the pack",
        *(f"discard {card}" for card in FACE_NAMES),
        *(f"lay out {region}" for region in REGIONS),
        *(f"exchange {card}" for card in POOL_NAMES),
        *(f"choose {card}" for card in VEHICLE_NAMES),
        *(
            f"ask seat +{step} for {card}"
            for step in range(1, num_players)
            for card in REQUEST_NAMES
        ),
        *(("claim the face-up card", "let it go") if num_players > 2 else ()),
    )


@rule
def claim_action(state: Record) -> int:
    """Number of the action that claims the face-up card; the next one lets it go."""
    return REQUESTS + (int(state.num_players) - 1) * NUM_REQUESTS


# The Deal


@rule
def deal(state: Record) -> None:
    """A game: the dealer, who sits to the right of who begins, is drawn by lot."""
    state.hands_left = state.hands
    state.starter = below(state, state.num_players)
    if state.first_player != AT_RANDOM:
        state.starter = state.first_player
    deal_hand(state)


@rule
def deal_hand(state: Record) -> None:
    """Seven cards each, one turned up, the rest face down."""
    pack = np.empty(PACK_SIZE, np.int8)
    place = 0
    for face in range(NUM_FACES):
        for _ in range(COPIES[face]):
            pack[place] = face
            place += 1
    shuffle(state, pack, 0, PACK_SIZE)
    clear_table(state)
    seats = int(state.num_players)
    for place in range(seats * CARDS_DEALT):
        state.hand[place // CARDS_DEALT, pack[place]] += 1
    for seat in range(seats):
        state.hand_count[seat] = CARDS_DEALT
    state.top = pack[seats * CARDS_DEALT]
    state.top_is = TURNED_UP
    state.pile[state.top] = 1
    state.stock_count = PACK_SIZE - seats * CARDS_DEALT - 1
    for place in range(state.stock_count):
        state.stock[place] = pack[seats * CARDS_DEALT + 1 + place]
    if state.assigned_regions:
        assign_regions(state)
    begin_memory(state)
    state.turns = 0
    begin_turn(state, state.starter)


@rule
def clear_table(state: Record) -> None:
    """No cards in hands, on the pile or laid out."""
    for face in range(NUM_FACES):
        state.pile[face] = 0
    for seat in range(state.num_players):
        state.region[seat] = NONE
        state.position[seat] = 0
        for face in range(NUM_FACES):
            state.hand[seat, face] = 0
        for vehicle in range(NUM_VEHICLES):
            state.train[seat, vehicle] = 0


@rule
def assign_regions(state: Record) -> None:
    """For Younger Players: each is told a Region of its own, by lot."""
    regions = np.arange(NUM_REGIONS)
    shuffle(state, regions, 0, NUM_REGIONS)
    for seat in range(state.num_players):
        state.assigned[seat] = regions[seat]


# The Play: which actions are legal


@rule
def legal(state: Record, mask: Any) -> None:
    """Which actions the seat to act may take."""
    for action in range(mask.size):
        mask[action] = 0
    phase = int(state.phase)
    if phase == DRAW:
        mask[TAKE] = state.top != NONE and state.top_is != BARRED
        mask[FROM_PACK] = 1
    elif phase == ACT:
        legal_before_discarding(state, mask)
    elif phase == DISCARD:
        legal_discards(state, mask)
    elif phase == CLAIM:
        mask[claim_action(state)] = 1
        mask[claim_action(state) + 1] = 1
    else:
        legal_choices(state, mask)


@rule
def legal_before_discarding(state: Record, mask: Any) -> None:
    """After drawing: a complete train is laid out; else ask, exchange or discard."""
    if any_lay_out_due(state):
        for region in range(NUM_REGIONS):
            mask[LAYS + region] = lay_out_due(state, region)
        return
    legal_discards(state, mask)
    if state.hand[state.turn, PASS] > 0:
        for action in range(REQUESTS, claim_action(state)):
            mask[action] = 1
    for pool_card in range(NUM_POOL):
        mask[EXCHANGES + pool_card] = correct_cards(state, POOL_ENGINE + pool_card) > 0


@rule
def legal_discards(state: Record, mask: Any) -> None:
    """Any card in hand, but for a signal just picked up; its twin in hand may go."""
    for face in range(NUM_FACES):
        mask[DISCARDS + face] = state.hand[state.turn, face] > 0
    if state.picked_up != NONE and state.hand[state.turn, state.picked_up] == 1:
        mask[DISCARDS + state.picked_up] = 0


@rule
def legal_choices(state: Record, mask: Any) -> None:
    """Which of several fitting cards to hand over, to lay out or to exchange."""
    if state.phase == HAND_OVER:
        for vehicle in range(first_asked(int(state.request)), after_asked(int(state.request))):
            mask[CHOICES + vehicle] = state.hand[state.seat, vehicle]
    elif state.phase == LAY_OUT:
        place = open_place(state)
        for vehicle in range(NUM_VEHICLES):
            mask[CHOICES + vehicle] = fits_next(state, place, vehicle)
    else:
        region = int(state.region[owner_of(state, int(state.exchanging))])
        for vehicle in range(NUM_REGIONAL):
            if is_correct_for(state, int(state.exchanging), region, vehicle):
                mask[CHOICES + vehicle] = state.hand[state.seat, vehicle]


@rule
def play(state: Record, action: int) -> None:
    """Apply a legal action and everything that follows from it without a choice."""
    if action == TAKE:
        take_face_up_card(state)
    elif action == FROM_PACK:
        refuse_face_up_card(state)
    elif action < LAYS:
        discard(state, action - DISCARDS)
    elif action < EXCHANGES:
        begin_laying_out(state, action - LAYS)
    elif action < CHOICES:
        begin_exchange(state, POOL_ENGINE + action - EXCHANGES)
    elif action < REQUESTS:
        choose(state, action - CHOICES)
    elif action < claim_action(state):
        opponent = (action - REQUESTS) // NUM_REQUESTS
        ask(state, seat_after(state, state.turn, opponent + 1), (action - REQUESTS) % NUM_REQUESTS)
    elif action == claim_action(state):
        claim(state)
    else:
        let_go(state)


@rule
def choose(state: Record, vehicle: int) -> None:
    """Settle which of several fitting cards it shall be."""
    if state.phase == HAND_OVER:
        hand_over(state, vehicle)
    elif state.phase == LAY_OUT:
        state.picked[vehicle] = 1
        go_on_laying_out(state)
    else:
        exchange(state, int(state.exchanging), vehicle)


@rule
def seat_after(state: Record, seat: int, steps: int) -> int:
    """The seat so many places clockwise; play goes to the left."""
    after = int(seat) + steps
    return after - int(state.num_players) if after >= state.num_players else after


# 1. Drawing and Discarding


@rule
def begin_turn(state: Record, seat: int) -> None:
    """A seat's turn: it takes the face-up card or draws from the pack."""
    state.turn = seat
    state.seat = seat
    state.phase = DRAW


@rule
def take_face_up_card(state: Record) -> None:
    """The face-up card goes into the hand; a signal must stay there this turn."""
    face = int(state.top)
    take_top(state, state.turn)
    if RED <= face <= GREEN_2:
        state.picked_up = face
    state.phase = ACT


@rule
def take_top(state: Record, seat: int) -> None:
    """The face-up card comes into a hand."""
    state.pile[state.top] -= 1
    note_comes(state, seat, int(state.top))
    state.hand[seat, state.top] += 1
    state.hand_count[seat] += 1
    clear_top(state)


@rule
def clear_top(state: Record) -> None:
    """No card lies face up."""
    state.top = NONE
    state.top_is = TURNED_UP


@rule
def draw_from_pack(state: Record) -> None:
    """The top card of the pack goes into the hand; a pack used up is replaced at once."""
    state.stock_count -= 1
    face = int(state.stock[state.stock_count])
    seat = int(state.turn)
    state.stock[state.stock_count] = 0
    state.hand[seat, face] += 1
    state.hand_count[seat] += 1
    note_draw(state, seat, face)
    if state.stock_count == 0:
        shuffle_discards(state)
    state.seat = seat
    state.phase = ACT


@rule
def shuffle_discards(state: Record) -> None:
    """All discards, the top one too, are shuffled and become the pack."""
    note_shuffle(state)
    count = 0
    for face in range(NUM_FACES):
        for _ in range(state.pile[face]):
            state.stock[count] = face
            count += 1
        state.pile[face] = 0
    shuffle(state, state.stock, 0, count)
    state.stock_count = count
    clear_top(state)


@rule
def discard(state: Record, face: int) -> None:
    """A card goes face up on the pile; a signal takes effect; the turn is over."""
    note_leaves(state, int(state.turn), face)
    state.hand[state.turn, face] -= 1
    state.hand_count[state.turn] -= 1
    put_on_pile(state, face, DISCARDED)
    if RED <= face <= GREEN_2:
        obey_signal(state, face)
    end_turn(state)


@rule
def put_on_pile(state: Record, face: int, how: int) -> None:
    """A card becomes the face-up card."""
    state.pile[face] += 1
    state.top = face
    state.top_is = how


@rule
def end_turn(state: Record) -> None:
    """The turn passes to the left, unless the hand has ended."""
    state.turns += 1
    state.picked_up = NONE
    if state.moved_out != NONE or state.turns >= state.max_turns:
        end_hand(state)
    else:
        begin_turn(state, seat_after(state, state.turn, 1))


# 2. Pass Cards


@rule
def ask(state: Record, giver: int, request: int) -> None:
    """2 (a): ask a player for a card; several that fit leave the choice to the giver."""
    start, stop = first_asked(request), after_asked(request)
    found = 0
    only = NONE
    for vehicle in range(start, stop):
        if state.hand[giver, vehicle]:
            found += 1
            only = vehicle
    if found == 0:
        lose_pass(state, giver, start, stop)
    elif found == 1:
        state.seat = giver
        hand_over(state, only)
    else:
        note_pass_shown(state, giver, int(state.turn))
        state.seat = giver
        state.request = request
        state.phase = HAND_OVER


@rule
def lose_pass(state: Record, giver: int, start: int, stop: int) -> None:
    """The wanted card is not there: the Pass is discarded, out of the next player's reach."""
    note_refusal(state, giver, start, stop)
    note_leaves(state, int(state.turn), PASS)
    state.hand[state.turn, PASS] -= 1
    state.hand_count[state.turn] -= 1
    put_on_pile(state, PASS, BARRED)
    end_turn(state)


@rule
def hand_over(state: Record, vehicle: int) -> None:
    """The seat to act gives a card to the turn's player and gets the Pass in exchange."""
    giver, asker = int(state.seat), int(state.turn)
    note_leaves(state, asker, PASS)
    state.hand[asker, PASS] -= 1
    state.hand_count[asker] -= 1
    note_handed_over(state, giver, asker, vehicle)
    state.hand[giver, vehicle] -= 1
    state.hand[asker, vehicle] += 1
    state.hand_count[asker] += 1
    state.hand_count[giver] -= 1
    note_comes(state, giver, PASS)
    state.hand[giver, PASS] += 1
    state.hand_count[giver] += 1
    state.request = NONE
    state.seat = asker
    state.phase = ACT


@rule
def refuse_face_up_card(state: Record) -> None:
    """2 (b): who draws from the pack leaves the last discard to the holders of a Pass."""
    seat = NONE
    if state.top != NONE and state.top < NUM_REGIONAL and state.top_is == DISCARDED:
        seat = next_holder(state, seat_after(state, state.turn, 1))
    ask_claimer(state, seat)


@rule
def next_holder(state: Record, first: int) -> int:
    """The first seat from ``first`` on, clockwise, with a Pass; the discarder is not asked."""
    seat = int(first)
    discarder = seat_after(state, state.turn, int(state.num_players) - 1)
    while seat != discarder:
        if state.hand[seat, PASS] > 0:
            return seat
        seat = seat_after(state, seat, 1)
    return NONE


@rule
def ask_claimer(state: Record, seat: int) -> None:
    """A seat may claim the face-up card; if none is left, play goes on."""
    if seat == NONE:
        draw_from_pack(state)
    else:
        state.seat = seat
        state.phase = CLAIM


@rule
def claim(state: Record) -> None:
    """The card for a Pass, which lies on top now; the turn's player draws from the pack."""
    seat = int(state.seat)
    take_top(state, seat)
    note_leaves(state, seat, PASS)
    state.hand[seat, PASS] -= 1
    state.hand_count[seat] -= 1
    put_on_pile(state, PASS, BARRED)
    draw_from_pack(state)


@rule
def let_go(state: Record) -> None:
    """The next holder of a Pass may claim."""
    ask_claimer(state, next_holder(state, seat_after(state, state.seat, 1)))


# 3. Setting out Complete Trains


@rule
def begin_laying_out(state: Record, region: int) -> None:
    """A complete train is set out; where several cards fit, its owner chooses."""
    state.laying = region
    state.phase = LAY_OUT
    go_on_laying_out(state)


@rule
def go_on_laying_out(state: Record) -> None:
    """Once all its cards are settled the train stands; then its owner discards as usual."""
    if settle(state) != SETTLED:
        return
    seat = int(state.turn)
    for vehicle in range(NUM_VEHICLES):
        if state.picked[vehicle]:
            state.picked[vehicle] = 0
            note_leaves(state, seat, vehicle)
            state.hand[seat, vehicle] = 0
            state.hand_count[seat] -= 1
            state.train[seat, vehicle] = 1
    state.region[seat] = state.laying
    state.laying = NONE
    state.phase = DISCARD


# 4. Exchanging Pool Cards for correct cards


@rule
def begin_exchange(state: Record, pool_card: int) -> None:
    """A Pool card in a train on the table is replaced by a correct one from the hand."""
    if correct_cards(state, pool_card) > 1:
        state.exchanging = pool_card
        state.phase = EXCHANGE
    else:
        exchange(state, pool_card, only_correct_card(state, pool_card))


@rule
def exchange(state: Record, pool_card: int, vehicle: int) -> None:
    """The two cards change places; only a discard is left to the turn."""
    owner, seat = owner_of(state, pool_card), int(state.turn)
    note_leaves(state, seat, vehicle)
    state.hand[seat, vehicle] = 0
    state.hand_count[seat] -= 1
    state.train[owner, vehicle] = 1
    state.train[owner, pool_card] = 0
    note_comes(state, seat, pool_card)
    state.hand[seat, pool_card] = 1
    state.hand_count[seat] += 1
    state.exchanging = NONE
    state.phase = DISCARD


# 5. Signal Cards


@rule
def obey_signal(state: Record, face: int) -> None:
    """(a) Green moves the discarder's train forward. (b) Red moves all others back one."""
    seat = int(state.turn)
    way_out = train_length(state) + 1
    if face == RED:
        for other in range(state.num_players):
            if other != seat and state.position[other] > 0:
                state.position[other] -= 1
    elif state.region[seat] != NONE:
        steps = 1 if face == GREEN_1 else 2
        state.position[seat] = min(int(state.position[seat]) + steps, way_out)
        if state.position[seat] == way_out:
            state.moved_out = seat


# End of Game, the Winner; Scoring


@rule
def end_hand(state: Record) -> None:
    """A train is right out of its station, or the hand is cut off."""
    for seat in range(state.num_players):
        state.score[seat] += hand_score(state, seat)
    state.hands_left -= 1
    state.phase = DRAW
    if state.hands_left > 0:
        state.moved_out = NONE
        state.starter = seat_after(state, state.starter, 1)
        deal_hand(state)
    elif state.hands == 1 and state.moved_out == NONE:
        state.ended = CUT_OFF
    else:
        state.ended = TERMINATED


@rule
def hand_score(state: Record, seat: int) -> int:
    """5 for a train laid out, 10 for moving it out first; others lose 1 a card in hand."""
    points = FIRST_POINTS if state.region[seat] != NONE else 0
    if seat == state.moved_out:
        return points + WIN_POINTS
    return points - int(state.hand_count[seat])


@rule
def scores(state: Record, out: Any) -> None:
    """Each seat's score of the hands that have ended."""
    for seat in range(state.num_players):
        out[seat] = state.score[seat]


@rule
def winners(state: Record, out: Any) -> None:
    """1 for each seat that wins: the highest score after all hands, ties share.

    In a single hand that is the seat whose train moved out.
    """
    best = int(state.score[0])
    for seat in range(state.num_players):
        best = max(best, int(state.score[seat]))
    for seat in range(state.num_players):
        out[seat] = state.score[seat] == best


def prepare(state: Record) -> None:
    """What is alike before every deal: nothing asked, laid out or won."""
    for name in ("request", "laying", "exchanging", "moved_out", "picked_up", "top"):
        state[name] = NONE
    state.region[:] = NONE
    state.assigned[:] = NONE
