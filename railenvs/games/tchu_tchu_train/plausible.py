"""Whether the parts of a table fit one another: each check names what does not."""

from __future__ import annotations

import functools

from railenvs.engine.state import Record
from railenvs.games.tchu_tchu_train.cards import DECK_SIZE
from railenvs.games.tchu_tchu_train.preparation import clockwise
from railenvs.games.tchu_tchu_train.replenishment import cards_to_give, first_in_row
from railenvs.games.tchu_tchu_train.scoring import TURN_POINTS, trains_placed
from railenvs.games.tchu_tchu_train.state import (
    ACTION,
    GIVING,
    HAND_SIZE,
    MULLIGAN,
    NOTHING,
    POINT_OR_REFRESH,
    REPLENISH,
    ROW_SIZE,
    SWAPPING,
)


def check_plausible(state: Record) -> None:
    """Check what a table says of the turn, the supplies and the points.

    Raises:
        ValueError: naming what does not fit.
    """
    _check_jokers(state)
    _check_hands(state)
    _check_this_turn(state)
    _check_phase(state)
    _check_changed_hands(state)
    _check_order(state)
    _check_points(state)


def _check_jokers(state: Record) -> None:
    """Every Joker came with a station; one that was used left a train on a cell of its own."""
    stations = int((state.station_at != NOTHING).sum())
    used = int(state.crossroad.sum() + state.cover.sum())
    held = int(state.joker.sum())
    if stations != used + held:
        raise ValueError(
            f"{stations} stations brought as many Jokers, but {held} are in hand and {used} were "
            "used ('x' or '+' on the board)"
        )


def _check_hands(state: Record) -> None:
    """Hands and row are full while the deck lasts."""
    over = bool(state.ended)
    for seat in range(state.num_players):
        missing = 0
        if seat == state.seat and not over:
            missing = int((state.incoming != NOTHING).sum())
            if state.phase in (ACTION, REPLENISH):
                missing += int(state.placed)
        most = HAND_SIZE
        if seat == state.seat and not over and state.phase != REPLENISH:
            most -= missing
        fewest = HAND_SIZE - missing if state.drawn < DECK_SIZE else 0
        if not fewest <= state.hand_size[seat] <= most:
            raise ValueError(
                f"seat {seat} must hold {fewest} to {most} cards, not {state.hand_size[seat]}"
            )
    missing = int((state.row == NOTHING).sum())
    if state.phase == MULLIGAN:
        if missing != ROW_SIZE:
            raise ValueError("'row' must be empty before all have decided on their first hands")
    elif missing and state.drawn < DECK_SIZE:
        raise ValueError(f"'row' must have {ROW_SIZE} cards while the deck lasts")


def _check_this_turn(state: Record) -> None:
    """This turn's trains are the seat's, one of them at most by Joker, and connected."""
    cells = state.this_turn.nonzero()[0].tolist()
    if not cells:
        return
    if state.ended or state.phase == MULLIGAN:
        raise ValueError("nobody has placed trains this turn ('*' on the board)")
    for cell in cells:
        covers = state.cover[:, cell].nonzero()[0]
        (last,) = covers if covers.size else state.train[:, cell].nonzero()[0]
        if last != state.seat:
            raise ValueError(f"'*' marks trains of seat {state.seat}, not of seat {last}")
    jokers = int(state.crossroad[cells].sum())
    if jokers + int(state.joker[state.seat]) > 1:
        raise ValueError(f"seat {state.seat} can have had one Joker this turn, not more")
    reached = {cells[0]}
    while True:
        beside = {int(other) for cell in reached for other in state.neighbours[cell]}
        fresh = beside & set(cells) - reached
        if not fresh:
            break
        reached |= fresh
    if len(reached) < len(cells):
        raise ValueError("the trains placed this turn ('*' on the board) must be connected")


def _check_phase(state: Record) -> None:
    """What the phase asks must be there to be decided."""
    if state.ended:
        return
    placed = int(state.placed)
    hand = int(state.hand_size[state.seat])
    place = int(state.swap_place)
    open_cards = first_in_row(state, 0) != NOTHING
    if state.phase == MULLIGAN:
        placed = sum(trains_placed(state, seat) for seat in range(state.num_players))
        fits = placed + state.train_points.sum() + state.known.sum() + state.joker.sum() == 0
        wanted = "nothing placed, scored or known yet"
    elif state.phase == ACTION:
        fits = hand > 0 and state.trains_left[state.seat] > 0 and placed < HAND_SIZE
        wanted = "cards and trains left to play"
    elif state.phase == REPLENISH:
        fits = 1 <= placed <= HAND_SIZE and hand < HAND_SIZE and open_cards
        wanted = "trains placed this turn, a card missing in hand and one open"
    else:
        fits = placed == 1 and open_cards and cards_to_give(state) > 0
        wanted = "one train placed this turn, open cards and cards to give for them"
        if state.phase == POINT_OR_REFRESH:
            fits = fits and place == NOTHING
        elif state.phase == SWAPPING:
            fits = fits and first_in_row(state, place + 1) != NOTHING
        elif state.phase == GIVING:
            fits = fits and state.row[place] != NOTHING
            fits = fits and not (state.incoming[place:] != NOTHING).any()
    if not fits:
        raise ValueError(f"the table cannot come up: its phase needs {wanted}")


def _check_changed_hands(state: Record) -> None:
    """First hands are changed in turn order: only seats that were asked can have done so."""
    if state.phase != MULLIGAN or state.ended:
        return
    seat = int(state.seat)
    while True:
        if state.changed_hand[seat]:
            raise ValueError(f"seat {seat} has not been asked yet: it cannot have changed its hand")
        seat = clockwise(state, seat)
        if seat == state.starter:
            return


def _check_order(state: Record) -> None:
    """A seat out of trains has had its last turn; the round goes on to the last seat's."""
    count = int(state.num_players)
    out = [seat for seat in range(count) if state.trains_left[seat] == 0]
    if state.ended:
        if not out or clockwise(state, state.seat) != state.starter:
            raise ValueError(
                "a game is over when a seat is out of trains and the last seat of the round has "
                f"had its turn; seat {state.seat} had the last, {state.starter} began"
            )
        return
    now = (int(state.seat) - int(state.starter)) % count
    for seat in out:
        turn = (seat - int(state.starter)) % count
        if turn > now or (turn == now and state.placed == 0):
            raise ValueError(f"seat {seat} is out of trains: the game would be over by now")


def _check_points(state: Record) -> None:
    """What turns with as many trains can have earned; the turn under way where it has scored."""
    for seat in range(state.num_players):
        trains = trains_placed(state, seat)
        earned = 0
        if seat == state.seat and state.placed:
            trains -= int(state.placed)
            if state.phase != ACTION and state.placed > 1:
                earned = TURN_POINTS[state.placed]
        points = int(state.train_points[seat])
        name = f"'train_points' of seat {seat}"
        if points < earned:
            raise ValueError(f"{name} must be at least {earned}, for this turn, not {points}")
        possible = _possible_points(trains)
        most = max(possible) + earned
        if points > most:
            counted = trains + int(state.placed) if earned else trains
            raise ValueError(f"{name} can be at most {most} for {counted} trains, not {points}")
        if points - earned not in possible:
            raise ValueError(f"{name} cannot be {points}: no turns of {trains} trains earn as much")


@functools.cache
def _possible_points(trains: int) -> frozenset[int]:
    """The points that a seat can have for its trains: a single one may have brought a refresh."""
    if trains == 0:
        return frozenset({0})
    turns = {(1, 0), *((size, TURN_POINTS[size]) for size in range(1, HAND_SIZE + 1))}
    return frozenset(
        points + earlier
        for size, points in turns
        if size <= trains
        for earlier in _possible_points(trains - size)
    )
