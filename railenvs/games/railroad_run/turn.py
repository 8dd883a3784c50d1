"""The course of a turn: Income, Event, Operations and Accounting Phase, and who has won."""

from __future__ import annotations

from railenvs.engine.compile import rule
from railenvs.engine.state import CUT_OFF, TERMINATED, Record
from railenvs.games.railroad_run.cards import NUM_FACES
from railenvs.games.railroad_run.deck import draw
from railenvs.games.railroad_run.state import (
    ACCOUNTING_PHASE,
    EVENT_PHASE,
    HAND_LIMIT,
    NOBODY,
    OFFERS,
    OPERATIONS_PHASE,
    PLAYS,
    RISKY,
    WINNING_INCOME,
)

SMALLEST_MELD = 4
"""Cards: a train, a rail, two cities or towns."""

MOST_INCOME_CARDS = 5
"""The last column of the Income Chart."""

PLAY_DONE, EVENT_PHASE_DONE, OPERATIONS_PHASE_DONE, TURN_DONE = -1, -2, -3, -4
"""Values of ``state.phase`` between a decision and the next, see :func:`move_on`."""


@rule
def clockwise(state: Record, seat: int, steps: int) -> int:
    """The seat so many places on, at most once around."""
    following = seat + steps
    return following - int(state.num_players) if following >= state.num_players else following


@rule
def cards_by_income(income: int) -> int:
    """Income Chart: cards drawn in the Income Phase."""
    if income <= 10:
        return 2
    if income <= 20:
        return 3
    if income <= 35:
        return 4
    return MOST_INCOME_CARDS


@rule
def plays_a_turn(state: Record, seat: int) -> int:
    """Events and options that a seat may play in its Event Phase."""
    return PLAYS + (state.company[seat] == RISKY)


@rule
def hand_limit(state: Record, seat: int) -> int:
    """Cards that a seat may keep at the end of its turn."""
    return HAND_LIMIT + int(state.upgrades[seat])


@rule
def begin_turn(state: Record) -> None:
    """Income Phase, on to the Event Phase."""
    seat = int(state.turn)
    draw(state, seat, cards_by_income(int(state.income[seat])))
    state.plays_left = plays_a_turn(state, seat)
    state.offers_left = OFFERS if state.trades else 0
    to_event_phase(state)


@rule
def clear_run(state: Record) -> None:
    """No set is being chosen, no offer stands, no opponent is meant."""
    state.target = NOBODY
    state.looking = 0
    state.sent = 0
    state.chosen_count = 0
    state.last = 0
    for face in range(NUM_FACES):
        state.chosen[face] = 0
        state.wanted[face] = 0


@rule
def start_run(state: Record, phase: int) -> None:
    """A seat is to choose a set of cards."""
    state.phase = phase
    state.chosen_count = 0
    state.last = 0
    for face in range(NUM_FACES):
        state.chosen[face] = 0


@rule
def to_event_phase(state: Record) -> None:
    """The seat whose turn it is may play or offer."""
    clear_run(state)
    state.phase = EVENT_PHASE
    state.seat = state.turn


@rule
def finish_play(state: Record) -> None:
    """An event or option is complete."""
    state.phase = PLAY_DONE


@rule
def may_offer(state: Record) -> bool:
    """Whether the seat whose turn it is can trade: both sides must have a card."""
    return (
        state.offers_left > 0
        and state.hand_size[state.turn] > 0
        and others_with_cards(state, int(state.turn)) > 0
    )


@rule
def others_with_cards(state: Record, seat: int) -> int:
    """How many of the others have cards in hand."""
    count = 0
    for other in range(state.num_players):
        count += other != seat and state.hand_size[other] > 0
    return count


@rule
def move_on(state: Record) -> None:
    """Where a play or a phase is done, go on to the next decision.

    Victory is checked whenever an effect is complete.
    """
    if state.phase == PLAY_DONE:
        to_event_phase(state)
        if not end_if_won(state) and state.plays_left == 0 and not may_offer(state):
            state.phase = EVENT_PHASE_DONE
    if state.phase == EVENT_PHASE_DONE:
        clear_run(state)
        enough = state.hand_size[state.turn] >= SMALLEST_MELD
        state.phase = OPERATIONS_PHASE if enough else OPERATIONS_PHASE_DONE
    if state.phase == OPERATIONS_PHASE_DONE and not end_if_won(state):
        clear_run(state)
        over = state.hand_size[state.turn] > hand_limit(state, int(state.turn))
        state.phase = ACCOUNTING_PHASE if over else TURN_DONE
    if state.phase == TURN_DONE:
        clear_run(state)
        state.turns += 1
        if state.turns >= state.max_turns:
            state.ended = CUT_OFF
        else:
            state.turn = clockwise(state, int(state.turn), 1)
            begin_turn(state)
    if state.ended:
        state.phase = EVENT_PHASE


@rule
def leader(state: Record) -> int:
    """Who wins if the game ends now.

    With enough points the seat whose turn it is comes first; then more points, then nearest
    clockwise.
    """
    turn = int(state.turn)
    best = turn
    if state.income[turn] < WINNING_INCOME:
        for steps in range(1, state.num_players):
            seat = clockwise(state, turn, steps)
            if state.income[seat] > state.income[best]:
                best = seat
    return best


@rule
def end_if_won(state: Record) -> bool:
    """Victory: an effect is complete, and the game is over if anyone has enough points."""
    if state.income[leader(state)] < WINNING_INCOME:
        return False
    clear_run(state)
    state.ended = TERMINATED
    return True


@rule
def pay(state: Record, payer: int, payee: int, points: int) -> None:
    """A seat pays another, as far as it can."""
    paid = min(points, int(state.income[payer]))
    state.income[payer] -= paid
    state.income[payee] += paid


@rule
def lose_income(state: Record, seat: int, points: int) -> None:
    """A seat loses points, as far as it can."""
    state.income[seat] -= min(points, int(state.income[seat]))
