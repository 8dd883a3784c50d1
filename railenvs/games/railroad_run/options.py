"""Event Phase, options: they count as events.

Each option has up to two parts: whether it can be played (``can_...``), and what it does once the
card that it costs is discarded.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from railenvs.engine.compile import rule
from railenvs.engine.random import below
from railenvs.engine.state import Record
from railenvs.games.railroad_run.actions import OPPONENT
from railenvs.games.railroad_run.cards import (
    CITIES,
    NUM_FACES,
    RAILS,
    THE_CITY,
    THE_TOWN,
    THE_TRAIN,
    TOWNS,
    TRAINS,
)
from railenvs.games.railroad_run.choosing import choose, discard_chosen
from railenvs.games.railroad_run.deck import (
    draw,
    give,
    lay_down,
    lay_on_pile,
    pop_top,
    reach,
    search,
    steal,
    take_card,
    take_found,
    take_from_pile,
)
from railenvs.games.railroad_run.memory import (
    note_look,
    note_one_kept,
    note_turned_up,
    top_card,
)
from railenvs.games.railroad_run.state import (
    BUY_OUT_OPPONENT,
    BUY_SHARES_CARD,
    BUY_SHARES_OPPONENT,
    COAL_CHUTE_KEEP,
    INVESTMENT,
    MOST_SHARES,
    NOBODY,
    OBSOLESCENCE_OPPONENT,
    SHARE_TOKENS,
    SWITCH_CARD,
    SWITCH_OPPONENT,
    TRAIN_YARD_RAIL,
    UPGRADE_DISCARD,
)
from railenvs.games.railroad_run.turn import clockwise, finish_play, lose_income, pay, start_run

UPGRADE_COST = 5
"""Cards to discard besides the train."""
CONTRACTS_INCOME = 2
WATER_TOWER_CARDS = 2
COAL_CHUTE_CARDS = 3
GO_WEST_CARDS = 3


# Opponents that a play can be about


@rule
def may_be_target(state: Record, phase: int, seat: int) -> bool:
    """Whether an opponent can be chosen in a phase: the play must be able to do something."""
    if seat == state.turn:
        return False
    if phase == BUY_SHARES_OPPONENT:
        return shares_held(state, seat) < MOST_SHARES
    if phase == BUY_OUT_OPPONENT:
        return state.tokens[seat, state.turn] > 0
    if phase == OBSOLESCENCE_OPPONENT:
        return True
    return state.hand_size[seat] > 0


@rule
def count_targets(state: Record, phase: int) -> int:
    """How many opponents can be chosen in a phase."""
    count = 0
    for seat in range(state.num_players):
        count += may_be_target(state, phase, seat)
    return count


@rule
def legal_targets(state: Record, mask: Any) -> None:
    """The opponents to choose from, counted clockwise."""
    for steps in range(1, state.num_players):
        seat = clockwise(state, int(state.turn), steps)
        mask[OPPONENT + steps - 1] = may_be_target(state, int(state.phase), seat)


@rule
def only_target(state: Record, phase: int) -> int:
    """The opponent, where there is but one to choose; else ask, and return nobody."""
    if count_targets(state, phase) > 1:
        state.phase = phase
        return NOBODY
    target = 0
    for seat in range(state.num_players):
        if may_be_target(state, phase, seat):
            target = seat
    return target


# Trains: Upgrade and Contracts


@rule
def can_upgrade(state: Record, seat: int) -> bool:
    """A train and five other cards."""
    return state.hand[seat, THE_TRAIN] > 0 and state.hand_size[seat] > UPGRADE_COST


@rule
def upgrade(state: Record) -> None:
    """Upgrade Option: discard a train, then choose five more cards."""
    seat = int(state.turn)
    start_run(state, UPGRADE_DISCARD)
    if state.hand_size[seat] == UPGRADE_COST:
        for face in range(NUM_FACES):
            for _ in range(state.hand[seat, face]):
                choose(state, face)
        finish_upgrade(state)


@rule
def finish_upgrade(state: Record) -> None:
    """The five cards are discarded for a counter, which raises the hand limit by 1."""
    discard_chosen(state, int(state.turn))
    state.upgrades[state.turn] += 1
    finish_play(state)


@rule
def contracts(state: Record) -> None:
    """Contracts Option: a train for two points."""
    state.income[state.turn] += CONTRACTS_INCOME
    finish_play(state)


# Cities: Buy Shares and Dividends


@rule
def tokens_left(state: Record, owner: int) -> int:
    """Share tokens that an owner has not given away."""
    left = SHARE_TOKENS + (state.company[owner] == INVESTMENT)
    for holder in range(state.num_players):
        left -= int(state.tokens[owner, holder])
    return left


@rule
def shares_held(state: Record, holder: int) -> int:
    """Share tokens that a seat has been given by the others together."""
    held = 0
    for owner in range(state.num_players):
        held += int(state.tokens[owner, holder])
    return held


@rule
def can_buy_shares(state: Record, seat: int) -> bool:
    """A city, a card to give, a token left, and an opponent who may have one more."""
    return (
        state.hand[seat, THE_CITY] > 0
        and state.hand_size[seat] > 1
        and tokens_left(state, seat) > 0
        and count_targets(state, BUY_SHARES_OPPONENT) > 0
    )


@rule
def buy_shares(state: Record) -> None:
    """Buy Shares Option: discard a city; give an opponent a card and a share token."""
    target = only_target(state, BUY_SHARES_OPPONENT)
    if target != NOBODY:
        buy_shares_of(state, target)


@rule
def buy_shares_of(state: Record, target: int) -> None:
    """The opponent is chosen; now the card to give."""
    state.target = target
    state.phase = BUY_SHARES_CARD


@rule
def pay_for_shares(state: Record, face: int) -> None:
    """The card is chosen: it goes over with the token."""
    give(state, int(state.turn), int(state.target), face)
    state.tokens[state.turn, state.target] += 1
    finish_play(state)


@rule
def shareholders(state: Record, owner: int) -> int:
    """How many opponents have one of a seat's tokens or more."""
    count = 0
    for holder in range(state.num_players):
        count += state.tokens[owner, holder] > 0
    return count


@rule
def can_take_dividends(state: Record, seat: int) -> bool:
    """A city, and a token given away."""
    return state.hand[seat, THE_CITY] > 0 and shareholders(state, seat) > 0


@rule
def dividends(state: Record) -> None:
    """Dividends Option: a city; a random opponent of those with my tokens pays one point."""
    owner = int(state.turn)
    skip = below(state, shareholders(state, owner))
    payer = 0
    for holder in range(state.num_players):
        if state.tokens[owner, holder] > 0:
            if skip == 0:
                payer = holder
            skip -= 1
    pay(state, payer, owner, 1)
    finish_play(state)


# Towns


@rule
def water_tower(state: Record) -> None:
    """Water Tower Option: draw two cards."""
    draw(state, int(state.turn), WATER_TOWER_CARDS)
    finish_play(state)


@rule
def coal_chute(state: Record) -> None:
    """Coal Chute Option: draw three cards, to keep one of them."""
    seat = int(state.turn)
    state.looking = reach(state, COAL_CHUTE_CARDS)
    note_look(state, seat, int(state.looking))
    if state.looking > 1:
        start_run(state, COAL_CHUTE_KEEP)
    else:
        # The town just discarded is in the deck, if nothing else is.
        keep_one(state, top_card(state, 0))


@rule
def keep_one(state: Record, face: int) -> None:
    """The card to keep is chosen; the others are discarded."""
    seat = int(state.turn)
    count = int(state.looking)
    note_one_kept(state, seat, count, face)
    to_keep = True
    for _ in range(count):
        card = pop_top(state)
        if to_keep and card == face:
            to_keep = False
            take_card(state, seat, card)
        else:
            lay_on_pile(state, card)
    finish_play(state)


@rule
def switch(state: Record) -> None:
    """Switch: a town; steal a random card from an opponent and give one back."""
    target = only_target(state, SWITCH_OPPONENT)
    if target != NOBODY:
        switch_with(state, target)


@rule
def switch_with(state: Record, target: int) -> None:
    """The opponent is chosen: steal from it; now the card to give back."""
    steal(state, int(state.turn), target, 1)
    state.target = target
    state.phase = SWITCH_CARD


@rule
def give_back(state: Record, face: int) -> None:
    """The card to give is chosen, which may be the stolen one."""
    give(state, int(state.turn), int(state.target), face)
    finish_play(state)


@rule
def depot(state: Record) -> None:
    """Depot Option: a town for the card that was on top of the discard before it."""
    seat = int(state.turn)
    lay_down(state, seat, THE_TOWN)
    take_from_pile(state, seat)
    lay_on_pile(state, THE_TOWN)
    finish_play(state)


@rule
def train_yard(state: Record) -> None:
    """Train Yard Option: a town; search the deck for a rail."""
    seat = int(state.turn)
    if search(state, seat, RAILS[0], RAILS[1]):
        state.phase = TRAIN_YARD_RAIL
    else:
        finish_play(state)


@rule
def rails_in_deck(state: Record) -> Any:
    """Copies in the deck by face, of rails alone."""
    cards = np.zeros(NUM_FACES, np.int8)
    for place in range(state.deck_size):
        face = state.deck[place]
        if RAILS[0] <= face and face < RAILS[1]:
            cards[face] += 1
    return cards


@rule
def fetch_rail(state: Record, face: int) -> None:
    """The terrain is chosen."""
    take_found(state, int(state.turn), face, RAILS[0], RAILS[1])
    finish_play(state)


# Rails and industries


@rule
def rails_to_riches(state: Record) -> None:
    """Rails To Riches Option: a rail and a point; search the deck for a train."""
    seat = int(state.turn)
    if search(state, seat, TRAINS[0], TRAINS[1]):
        take_found(state, seat, THE_TRAIN, TRAINS[0], TRAINS[1])
    lose_income(state, seat, 1)
    finish_play(state)


@rule
def go_west(state: Record) -> None:
    """Go West Young Man Option: an industry; of three cards keep cities and towns."""
    seat = int(state.turn)
    for _ in range(reach(state, GO_WEST_CARDS)):
        face = top_card(state, 0)
        kept = CITIES[0] <= face and face < TOWNS[1]
        note_turned_up(state, seat, kept)
        pop_top(state)
        if kept:
            take_card(state, seat, face)
        else:
            lay_on_pile(state, face)
    finish_play(state)
