"""What may be done in each phase, and what it does.

The rules themselves stand in the order of the rulebook in ``preparation``, ``action``,
``replenishment`` and ``scoring``.
"""

from __future__ import annotations

from typing import Any

from railenvs.engine.compile import rule
from railenvs.engine.state import Record
from railenvs.games.tchu_tchu_train.action import (
    build_station,
    legal_placing,
    place_by_card,
    place_by_joker,
)
from railenvs.games.tchu_tchu_train.actions import (
    CHANGE,
    DONE,
    DRAW,
    END_PLACING,
    GIVE,
    JOKER,
    KEEP,
    NUM_ACTIONS,
    PLACE,
    POINT,
    REFRESH,
    STATION,
    SWAP,
    TAKE,
)
from railenvs.games.tchu_tchu_train.preparation import ask_next_hand, change_hand
from railenvs.games.tchu_tchu_train.replenishment import (
    choose_place,
    draw_the_rest,
    end_placing,
    end_refresh,
    give_card,
    legal_giving,
    legal_replenishing,
    legal_swap,
    take_from_row,
    take_joker,
    take_point,
)
from railenvs.games.tchu_tchu_train.state import (
    ACTION,
    MULLIGAN,
    POINT_OR_REFRESH,
    REPLENISH,
    SWAPPING,
)


@rule
def legal(state: Record, mask: Any) -> None:
    """Which actions the seat to act may take.

    There always is one. Tokens other than a Joker's train lie on the two cells of a card once for
    each copy played, so whoever holds a card finds a cell of it empty or a Crossroad to cover.
    That is why discards are never shuffled back.
    """
    for action in range(NUM_ACTIONS):
        mask[action] = 0
    if state.phase == ACTION:
        legal_placing(state, mask)
    elif state.phase == REPLENISH:
        legal_replenishing(state, mask)
    elif state.phase == POINT_OR_REFRESH:
        mask[POINT] = 1
        mask[REFRESH] = 1
    elif state.phase == SWAPPING:
        legal_swap(state, mask)
    elif state.phase == MULLIGAN:
        mask[KEEP] = 1
        mask[CHANGE] = 1
    else:
        legal_giving(state, mask)


@rule
def play(state: Record, action: int) -> None:
    """Apply a legal action and everything that follows from it without a choice."""
    if action < PLACE:
        decide_on_hand(state, action)
    elif action < STATION:
        place_train(state, action)
    elif action < END_PLACING:
        build_station(state, action - STATION)
        take_joker(state)
    elif action == END_PLACING:
        end_placing(state)
    elif action < DRAW:
        take_from_row(state, action - TAKE)
    elif action == DRAW:
        draw_the_rest(state)
    elif action == POINT:
        take_point(state)
    elif action == REFRESH:
        state.phase = SWAPPING
    elif action < DONE:
        choose_place(state, action - SWAP)
    elif action == DONE:
        end_refresh(state)
    else:
        give_card(state, action - GIVE)


@rule
def decide_on_hand(state: Record, action: int) -> None:
    """Keep the first hand, or change it all, once."""
    if action == CHANGE:
        change_hand(state)
    ask_next_hand(state)


@rule
def place_train(state: Record, action: int) -> None:
    """A train by card or Joker; without a card or a train left the placing is over."""
    if action < JOKER:
        place_by_card(state, action - PLACE)
    else:
        place_by_joker(state, action - JOKER)
    if state.hand_size[state.seat] == 0 or state.trains_left[state.seat] == 0:
        end_placing(state)
