"""Cards move between the deck, the discard and hands."""

from __future__ import annotations

from railenvs.engine.compile import rule
from railenvs.engine.random import below, shuffle
from railenvs.engine.state import Record
from railenvs.games.railroad_run.cards import NUM_FACES
from railenvs.games.railroad_run.memory import (
    forget_hands,
    note_arrival,
    note_draw,
    note_found,
    note_given,
    note_moved,
    note_none_left,
    note_pile_in,
    note_played,
    note_search,
    note_shuffle,
)


@rule
def take_card(state: Record, seat: int, face: int) -> None:
    """A card comes into a hand."""
    state.hand[seat, face] += 1
    state.hand_size[seat] += 1


@rule
def lose_card(state: Record, seat: int, face: int) -> None:
    """A card leaves a hand."""
    state.hand[seat, face] -= 1
    state.hand_size[seat] -= 1


@rule
def lay_on_pile(state: Record, face: int) -> None:
    """A card goes on top of the discard, face up."""
    state.pile[state.pile_size] = face
    state.pile_size += 1
    state.discarded[face] += 1


@rule
def lay_down(state: Record, seat: int, face: int) -> None:
    """A card leaves a hand openly."""
    note_played(state, seat, face)
    lose_card(state, seat, face)


@rule
def take_openly(state: Record, seat: int, face: int) -> None:
    """A card comes openly into a hand."""
    note_arrival(state, seat, face)
    take_card(state, seat, face)


@rule
def discard(state: Record, seat: int, face: int) -> None:
    """A seat discards a card from its hand."""
    lay_down(state, seat, face)
    lay_on_pile(state, face)


@rule
def take_from_pile(state: Record, seat: int) -> None:
    """A seat takes the top card of the discard."""
    state.pile_size -= 1
    face = int(state.pile[state.pile_size])
    state.pile[state.pile_size] = 0
    state.discarded[face] -= 1
    take_openly(state, seat, face)


# Drawing


@rule
def draw(state: Record, seat: int, count: int) -> None:
    """A seat draws cards, one after the other; fewer if deck and discard run out."""
    missing = count
    while missing > 0:
        if state.deck_size == 0:
            use_discard(state)
            if state.deck_size == 0:
                return
        drawn = min(missing, int(state.deck_size))
        note_draw(state, seat, drawn)
        for _ in range(drawn):
            take_card(state, seat, pop_top(state))
        missing -= drawn


@rule
def pop_top(state: Record) -> int:
    """The top card of the deck leaves it, without a trace: worlds are dealt from this record."""
    state.deck_size -= 1
    face = int(state.deck[state.deck_size])
    state.deck[state.deck_size] = 0
    return face


@rule
def reach(state: Record, count: int) -> int:
    """See to it that so many cards lie on the deck; returns how many do, if there are not enough.

    Whoever needs more cards than are left has them in front of it while the discard is shuffled:
    they stay on top.
    """
    if state.deck_size < count:
        use_discard(state)
    return min(count, int(state.deck_size))


@rule
def use_discard(state: Record) -> None:
    """The deck runs out: shuffle the discard, which the first time takes the Civil War's hands."""
    if state.war_open:
        state.war_open = 0
        for seat in range(state.num_players):
            for face in range(NUM_FACES):
                for _ in range(state.hand[seat, face]):
                    lay_on_pile(state, face)
                state.hand[seat, face] = 0
            state.hand_size[seat] = 0
        forget_hands(state)
    shuffle(state, state.deck, 0, put_pile_under(state))


@rule
def put_pile_under(state: Record) -> int:
    """Lay the discard under what is left of the deck; returns how many cards came in."""
    added = int(state.pile_size)
    if added == 0:
        return 0
    note_pile_in(state)
    for place in range(int(state.deck_size) - 1, -1, -1):
        state.deck[place + added] = state.deck[place]
    for place in range(added):
        state.deck[place] = state.pile[place]
        state.pile[place] = 0
    state.deck_size += added
    state.pile_size = 0
    state.shuffles += 1
    for face in range(NUM_FACES):
        state.discarded[face] = 0
    return added


# Searching


@rule
def search(state: Record, seat: int, first: int, stop: int) -> bool:
    """A seat goes through the deck for one of some faces; says whether there is any.

    If none is left the discard is shuffled in. The order of the deck is lost either way. This
    shuffle is not the deck running out.
    """
    note_shuffle(state)
    if not _holds(state, first, stop):
        note_none_left(state, first, stop)
        put_pile_under(state)
        if not _holds(state, first, stop):
            shuffle(state, state.deck, 0, int(state.deck_size))
            return False
    if stop - first > 1:
        note_search(state, seat, first, stop)
    return True


@rule
def _holds(state: Record, first: int, stop: int) -> bool:
    found = False
    for place in range(state.deck_size):
        face = state.deck[place]
        found |= first <= face and face < stop
    return found


@rule
def take_found(state: Record, seat: int, face: int, first: int, stop: int) -> None:
    """A seat takes what it searched for, and the deck is shuffled.

    The other seats see that it is one of the faces from ``first`` to before ``stop``.
    """
    note_found(state, seat, face, first, stop)
    place = 0
    while state.deck[place] != face:
        place += 1
    last = pop_top(state)
    if place < state.deck_size:
        state.deck[place] = last
    shuffle(state, state.deck, 0, int(state.deck_size))
    take_card(state, seat, face)


# From hand to hand


@rule
def random_card(state: Record, seat: int) -> int:
    """The face of a card of a hand, each card as likely."""
    skip = below(state, int(state.hand_size[seat]))
    face = 0
    while skip >= state.hand[seat, face]:
        skip -= int(state.hand[seat, face])
        face += 1
    return face


@rule
def hand_over(state: Record, giver: int, taker: int, face: int) -> None:
    """A card goes from hand to hand, seen by the two alone."""
    note_given(state, giver, taker, face)
    lose_card(state, giver, face)
    take_card(state, taker, face)


@rule
def give(state: Record, giver: int, taker: int, face: int) -> None:
    """A seat gives another a card of its choice."""
    note_moved(state, giver, taker, 1)
    hand_over(state, giver, taker, face)


@rule
def steal(state: Record, thief: int, victim: int, count: int) -> None:
    """A seat steals random cards, or all there are; both see which."""
    number = min(count, int(state.hand_size[victim]))
    note_moved(state, victim, thief, number)
    for _ in range(number):
        hand_over(state, victim, thief, random_card(state, victim))
