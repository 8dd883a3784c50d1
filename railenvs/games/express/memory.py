"""What can be known for certain of hidden cards, kept up to date from what is seen.

There is a row for each seat and one, ``PUBLIC``, for anyone who merely watches. A row holds, of
each other seat's hand,

* ``known``: cards it certainly holds, by face, and their number ``known_count``;
* ``absent``: vehicles that it certainly does not hold: from a refusal, because a card known of
  another hand went to a third one unseen, if it moved at all; or because at a shuffle, or when
  such a card moved, its other cards were certainly all newer or all older;
* ``new_at_least``, ``new_at_most``: how many of its other cards it has drawn unseen since the
  stock was last shuffled. A card in hand at that moment cannot be in the stock, and a card that was
  shuffled into the stock can only be in a hand that has drawn since.

Of the cards *unseen* by a row (in no place it knows of), it holds, by face,

* ``stock_at_most``: how many can have been in the stock since it was last shuffled;
* ``old_at_most``: how many can have been in hands all that time.

Neither is ever more than the unseen cards. At the deal everything unseen may be either; a shuffle
of the pile tells them apart. Signals and Passes blur it again: where a seat discards one that may
be old or new, the bounds allow for both.
All of this follows from public events and the row's own view.
"""

from __future__ import annotations

from railenvs.engine.compile import rule
from railenvs.engine.state import Record
from railenvs.games.express.cards import (
    COPIES,
    FIRST_CAR,
    LAST_CAR,
    NUM_FACES,
    NUM_VEHICLES,
    PASS,
    ROLES,
)
from railenvs.games.express.state import MAX_SEATS, NONE, PUBLIC, ROWS


@rule
def watches(state: Record, row: int) -> bool:
    """Whether a row belongs to a seat in play, or to the public."""
    return row < state.num_players or row == PUBLIC


@rule
def unseen(state: Record, row: int, face: int) -> int:
    """Cards of a face that are in no place a row knows of: in the stock or unknown in hands."""
    count = COPIES[face] - int(state.pile[face])
    if row != PUBLIC:
        count -= int(state.hand[row, face])
    for seat in range(MAX_SEATS):
        count -= int(state.known[row, seat, face])
        if face < NUM_VEHICLES:
            count -= int(state.train[seat, face])
    return count


@rule
def unknown_count(state: Record, row: int, seat: int) -> int:
    """Cards in a hand that a row does not know."""
    return int(state.hand_count[seat]) - int(state.known_count[row, seat])


@rule
def begin_memory(state: Record) -> None:
    """After the deal: every card that a row does not see may be in the stock or in a hand."""
    for row in range(ROWS):
        for seat in range(MAX_SEATS):
            state.known_count[row, seat] = 0
            state.new_at_least[row, seat] = 0
            state.new_at_most[row, seat] = 0
            for face in range(NUM_FACES):
                state.known[row, seat, face] = 0
            for vehicle in range(NUM_VEHICLES):
                state.absent[row, seat, vehicle] = 0
        if watches(state, row):
            for face in range(NUM_FACES):
                state.stock_at_most[row, face] = unseen(state, row, face)
                state.old_at_most[row, face] = unseen(state, row, face)


@rule
def note_shuffle(state: Record) -> None:
    """The pile, still lying there, becomes the stock: what is unseen besides is in hands."""
    keep_what_hands_lack(state)
    for row in range(ROWS):
        if watches(state, row):
            for face in range(NUM_FACES):
                state.stock_at_most[row, face] = state.pile[face]
                state.old_at_most[row, face] = unseen(state, row, face)
            for seat in range(MAX_SEATS):
                state.new_at_least[row, seat] = 0
                state.new_at_most[row, seat] = 0


@rule
def keep_what_hands_lack(state: Record) -> None:
    """Before new and old cards are told apart no more: vehicles that a hand cannot hold by them."""
    for row in range(PUBLIC, -1, -1):
        if watches(state, row):
            tighten(state, row)
            for seat in range(state.num_players):
                for vehicle in range(NUM_VEHICLES):
                    hidden = seat != row and unseen(state, row, vehicle) > 0
                    if hidden and not may_hold(state, row, seat, vehicle):
                        state.absent[row, seat, vehicle] = 1
            recall_what_is_public(state, row)


@rule
def recall_what_is_public(state: Record, row: int) -> None:
    """What all know that hands lack each seat knows."""
    for seat in range(state.num_players):
        if seat != row:
            for vehicle in range(NUM_VEHICLES):
                if state.absent[PUBLIC, seat, vehicle]:
                    state.absent[row, seat, vehicle] = 1


@rule
def note_draw(state: Record, seat: int, face: int) -> None:
    """A seat has drawn a card from the stock, which it alone sees; the hand holds it already."""
    for row in range(ROWS):
        if row == seat:
            left = unseen(state, row, face)
            state.stock_at_most[row, face] = max(int(state.stock_at_most[row, face]) - 1, 0)
            state.old_at_most[row, face] = min(int(state.old_at_most[row, face]), left)
        elif watches(state, row):
            state.new_at_least[row, seat] += 1
            state.new_at_most[row, seat] += 1
            for vehicle in range(NUM_VEHICLES):
                state.absent[row, seat, vehicle] &= state.stock_at_most[row, vehicle] == 0


@rule
def note_comes(state: Record, seat: int, face: int) -> None:
    """All see a card come into a hand."""
    for row in range(ROWS):
        if watches(state, row):
            row_sees_come(state, row, seat, face)


@rule
def note_leaves(state: Record, seat: int, face: int) -> None:
    """All see a card leave a hand; it is still there."""
    for row in range(ROWS):
        if watches(state, row):
            row_sees_leave(state, row, seat, face)


@rule
def note_pass_shown(state: Record, giver: int, asker: int) -> None:
    """Who is asked sees that the asker holds a Pass: nobody may ask without."""
    row_sees_leave(state, giver, asker, PASS)
    row_sees_come(state, giver, asker, PASS)


@rule
def note_refusal(state: Record, seat: int, start: int, stop: int) -> None:
    """A seat holds none of the vehicles it was asked for."""
    for row in range(ROWS):
        if row != seat and watches(state, row):
            for vehicle in range(start, stop):
                state.absent[row, seat, vehicle] = 1


@rule
def note_handed_over(state: Record, giver: int, asker: int, vehicle: int) -> None:
    """A vehicle is handed over: which coach or wagon it is, the two of them alone see.

    It is still in the giver's hand.
    """
    car = FIRST_CAR <= vehicle - vehicle // ROLES * ROLES <= LAST_CAR
    if car:
        keep_what_hands_lack(state)
    for row in range(PUBLIC, -1, -1):
        if watches(state, row):
            if not car or row in (giver, asker):
                row_sees_leave(state, row, giver, vehicle)
                row_sees_come(state, row, asker, vehicle)
            else:
                row_sees_car(state, row, giver, asker, vehicle // ROLES)
            recall_what_is_public(state, row)


@rule
def row_sees_come(state: Record, row: int, seat: int, face: int) -> None:
    """A row sees a card come into a hand."""
    if row != seat:
        state.known[row, seat, face] += 1
        state.known_count[row, seat] += 1
        if face < NUM_VEHICLES:
            state.absent[row, seat, face] = 0


@rule
def row_sees_leave(state: Record, row: int, seat: int, face: int) -> None:
    """A row sees a card leave a hand."""
    if row == seat:
        return
    # The signal picked up this turn stays; if no other one was known, one unknown leaves.
    stays = 1 if face == state.picked_up else 0
    if state.known[row, seat, face] > stays:
        state.known[row, seat, face] -= 1
        state.known_count[row, seat] -= 1
    else:
        row_sees_unknown_leave(state, row, seat, face)


@rule
def row_sees_unknown_leave(state: Record, row: int, seat: int, face: int) -> None:
    """A row sees a card leave a hand that it did not know there."""
    new = may_be_new(state, row, seat, face)
    old = may_be_old(state, row, seat, face)
    if new and old and face >= NUM_VEHICLES:  # A vehicle is both before the first shuffle alone.
        tighten(state, row)
        new = may_be_new(state, row, seat, face)
        old = may_be_old(state, row, seat, face)
    if new:
        note_new_left(state, row, seat, not old)
    stock = int(state.stock_at_most[row, face]) - (new and not old)
    in_hands = int(state.old_at_most[row, face]) - (old and not new)
    left = unseen(state, row, face) - 1
    state.stock_at_most[row, face] = min(stock, left)
    state.old_at_most[row, face] = min(in_hands, left)
    # One unknown card fewer.
    rest = unknown_count(state, row, seat) - 1
    state.new_at_most[row, seat] = min(int(state.new_at_most[row, seat]), rest)


@rule
def tighten(state: Record, row: int) -> None:
    """Let each bound say what follows from it together with all others.

    Every card in the stock is new, so hands hold all new cards but these, and all old ones.
    """
    stock_most, old_most = 0, 0
    for face in range(NUM_FACES):
        stock_most += int(state.stock_at_most[row, face])
        old_most += int(state.old_at_most[row, face])
    unknown, least, most = 0, 0, 0
    for seat in range(state.num_players):
        if seat != row:
            unknown += unknown_count(state, row, seat)
            least += int(state.new_at_least[row, seat])
            most += int(state.new_at_most[row, seat])
    stock = int(state.stock_count)
    if old_most == stock + unknown:
        return  # Before the first shuffle any card may be old.
    spare_new = stock_most - stock - least
    spare_old = old_most - (unknown - most)
    for seat in range(state.num_players):
        if seat != row:
            low, high = int(state.new_at_least[row, seat]), int(state.new_at_most[row, seat])
            state.new_at_least[row, seat] = max(low, high - spare_old)
            state.new_at_most[row, seat] = min(high, low + spare_new)
            least += int(state.new_at_least[row, seat]) - low
            most += int(state.new_at_most[row, seat]) - high
    # Vehicles are certainly old or certainly new.
    for face in range(NUM_VEHICLES, NUM_FACES):
        hidden = unseen(state, row, face)
        in_stock, in_hands = int(state.stock_at_most[row, face]), int(state.old_at_most[row, face])
        spare_new = stock + most - (stock + unknown - old_most)
        spare_old = unknown - least - (stock + unknown - stock_most)
        state.stock_at_most[row, face] = min(in_stock, hidden - in_hands + spare_new)
        state.old_at_most[row, face] = min(in_hands, hidden - in_stock + spare_old)
        stock_most += int(state.stock_at_most[row, face]) - in_stock
        old_most += int(state.old_at_most[row, face]) - in_hands


@rule
def note_new_left(state: Record, row: int, seat: int, certain: bool) -> None:
    """A card drawn since the last shuffle has left a hand, certainly or perhaps."""
    state.new_at_least[row, seat] = max(int(state.new_at_least[row, seat]) - 1, 0)
    if certain:
        state.new_at_most[row, seat] -= 1


@rule
def row_sees_car(state: Record, row: int, giver: int, asker: int, region: int) -> None:
    """A row sees that a coach or wagon of a Region changes hands, but not which."""
    start = region * ROLES + FIRST_CAR
    found = 0
    only = NONE
    new = False
    old = False
    for vehicle in range(start, region * ROLES + LAST_CAR + 1):
        if may_hold(state, row, giver, vehicle):
            found += 1
            only = vehicle
            state.absent[row, asker, vehicle] = 0
            if state.known[row, giver, vehicle] or state.stock_at_most[row, vehicle] == 0:
                old = True
            else:
                new |= int(state.new_at_most[row, giver]) > 0
                old |= state.old_at_most[row, vehicle] > 0
    if found == 1:
        row_sees_leave(state, row, giver, only)
        row_sees_come(state, row, asker, only)
        return
    for vehicle in range(start, region * ROLES + LAST_CAR + 1):
        if state.known[row, giver, vehicle]:
            # It may be the one that left, but is in one of the two hands.
            state.known[row, giver, vehicle] = 0
            state.known_count[row, giver] -= 1
            state.old_at_most[row, vehicle] = 1
            for seat in range(state.num_players):
                if seat != giver and seat != asker and seat != row:
                    state.absent[row, seat, vehicle] = 1
    if new:
        note_new_left(state, row, giver, not old)
        state.new_at_most[row, asker] += 1
        state.new_at_least[row, asker] += not old
    # The giver has an unknown card fewer, once the vehicle is gone; the asker one more.
    rest = unknown_count(state, row, giver) - 1
    state.new_at_most[row, giver] = min(int(state.new_at_most[row, giver]), rest)


@rule
def may_hold(state: Record, row: int, seat: int, vehicle: int) -> bool:
    """Whether, for all that a row knows, a hand may hold a vehicle."""
    if state.known[row, seat, vehicle]:
        return True
    if state.absent[row, seat, vehicle] or unseen(state, row, vehicle) == 0:
        return False
    return may_be_old(state, row, seat, vehicle) or may_be_new(state, row, seat, vehicle)


@rule
def may_be_new(state: Record, row: int, seat: int, face: int) -> bool:
    """Whether a card of a hand that a row does not know there may be a new one of this face."""
    return bool(state.new_at_most[row, seat] > 0 and state.stock_at_most[row, face] > 0)


@rule
def may_be_old(state: Record, row: int, seat: int, face: int) -> bool:
    """Whether it may be an old one."""
    old = unknown_count(state, row, seat) > int(state.new_at_least[row, seat])
    return bool(old and state.old_at_most[row, face] > 0)
