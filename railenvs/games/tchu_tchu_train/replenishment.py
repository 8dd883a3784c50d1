"""2. Replenishment, with the hand refresh, and 3. the end of a turn."""

from __future__ import annotations

from typing import Any

from railenvs.engine.compile import rule
from railenvs.engine.state import TERMINATED, Record
from railenvs.games.tchu_tchu_train.action import lose_card
from railenvs.games.tchu_tchu_train.actions import DONE, DRAW, GIVE, SWAP, TAKE
from railenvs.games.tchu_tchu_train.cards import DECK_SIZE, NUM_CARDS
from railenvs.games.tchu_tchu_train.preparation import clockwise, draw_to_hand, open_card
from railenvs.games.tchu_tchu_train.scoring import points_for
from railenvs.games.tchu_tchu_train.state import (
    ACTION,
    GIVING,
    HAND_SIZE,
    NOTHING,
    NUM_CELLS,
    POINT_OR_REFRESH,
    REPLENISH,
    ROW_SIZE,
    SWAPPING,
)


@rule
def take_joker(state: Record) -> None:
    """After a station: a Joker and a Crossroad instead of a card; they never run out."""
    state.joker[state.seat] = 1
    state.hand_size[state.seat] += 1
    end_turn(state)


@rule
def end_placing(state: Record) -> None:
    """Two trains or more score at once; for a single one the seat chooses after replenishing."""
    if state.placed > 1:
        state.train_points[state.seat] += points_for(state.placed)
    state.phase = REPLENISH
    go_on_replenishing(state)


@rule
def go_on_replenishing(state: Record) -> None:
    """Ask for the next card until the hand is full or there is none to have."""
    if state.hand_size[state.seat] < HAND_SIZE and first_in_row(state, 0) != NOTHING:
        return
    # The row is only empty when the deck is.
    end_replenishment(state)


@rule
def first_in_row(state: Record, start: int) -> int:
    """The first place of the row, from ``start`` on, where a card lies."""
    for place in range(start, ROW_SIZE):
        if state.row[place] != NOTHING:
            return place
    return NOTHING


@rule
def legal_replenishing(state: Record, mask: Any) -> None:
    """An open card, or what is still missing from the deck."""
    for place in range(ROW_SIZE):
        mask[TAKE + place] = state.row[place] != NOTHING
    mask[DRAW] = state.drawn < DECK_SIZE


@rule
def take_from_row(state: Record, place: int) -> None:
    """An open card; the next one is opened at once, while the deck lasts."""
    seat = int(state.seat)
    gain_known_card(state, seat, state.row[place])
    state.row[place] = NOTHING
    if state.drawn < DECK_SIZE:
        open_card(state, place)
    go_on_replenishing(state)


@rule
def gain_known_card(state: Record, seat: int, card: int) -> None:
    """A card comes from the row into a hand before everybody's eyes."""
    state.hand[seat, card] += 1
    state.known[seat, card] += 1
    state.hand_size[seat] += 1


@rule
def draw_the_rest(state: Record) -> None:
    """Whoever draws from the deck may not turn back to the row: all missing cards are drawn."""
    seat = int(state.seat)
    while state.hand_size[seat] < HAND_SIZE and state.drawn < DECK_SIZE:
        draw_to_hand(state, seat)
    end_replenishment(state)


# Hand Refresh


@rule
def end_replenishment(state: Record) -> None:
    """After a single train: its point or a refresh, where there are cards to change."""
    if state.placed > 1:
        end_turn(state)
    elif first_in_row(state, 0) != NOTHING and cards_to_give(state) > 0:
        state.phase = POINT_OR_REFRESH
    else:
        take_point(state)


@rule
def cards_to_give(state: Record) -> int:
    """Cards that the seat holds and has not just taken; a Joker never goes into the row."""
    return int(state.hand_size[state.seat]) - int(state.joker[state.seat])


@rule
def take_point(state: Record) -> None:
    """The point for a single train."""
    state.train_points[state.seat] += points_for(1)
    end_turn(state)


@rule
def legal_swap(state: Record, mask: Any) -> None:
    """A place of the row after the one changed before, or, once one is changed, no further."""
    for place in range(ROW_SIZE):
        mask[SWAP + place] = place > state.swap_place and state.row[place] != NOTHING
    mask[DONE] = state.swap_place != NOTHING


@rule
def choose_place(state: Record, place: int) -> None:
    """The card at this place is to be taken; next, what is given for it."""
    state.swap_place = place
    state.phase = GIVING


@rule
def legal_giving(state: Record, mask: Any) -> None:
    """Any card in hand; those just taken are not there yet, since all change hands at once."""
    seat = int(state.seat)
    for card in range(NUM_CARDS):
        mask[GIVE + card] = state.hand[seat, card] > 0


@rule
def give_card(state: Record, card: int) -> None:
    """A card from hand goes to the chosen place, the card there is laid aside for the hand."""
    place = int(state.swap_place)
    lose_card(state, state.seat, card)
    state.incoming[place] = state.row[place]
    state.row[place] = card
    state.phase = SWAPPING
    if first_in_row(state, place + 1) == NOTHING or cards_to_give(state) == 0:
        end_refresh(state)


@rule
def end_refresh(state: Record) -> None:
    """The cards taken come into the hand; there is no point for the train."""
    for place in range(ROW_SIZE):
        if state.incoming[place] != NOTHING:
            gain_known_card(state, int(state.seat), state.incoming[place])
            state.incoming[place] = NOTHING
    state.swap_place = NOTHING
    end_turn(state)


# End of a turn


@rule
def end_turn(state: Record) -> None:
    """Play goes on clockwise; once a seat is out of trains, until all had as many turns."""
    state.placed = 0
    this_turn, reach = state.this_turn, state.reach
    for cell in range(NUM_CELLS):
        this_turn[cell] = 0
        reach[cell] = 1
    state.phase = ACTION
    following = clockwise(state, state.seat)
    if following == state.starter and is_last_round(state):
        state.ended = TERMINATED
    else:
        state.seat = following


@rule
def is_last_round(state: Record) -> bool:
    """Whether a seat has used up its trains."""
    out = False
    for seat in range(state.num_players):
        out |= state.trains_left[seat] == 0
    return out
