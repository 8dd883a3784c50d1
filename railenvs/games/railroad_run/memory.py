"""What seats know of hidden cards, and how it changes as cards move.

Every seat has a row of memory, and so has the public (what everybody can tell). A row holds

* ``known``: cards by face that are certainly in each other seat's hand: seen there, or seen to go
  there;
* ``shown``: of these, cards of which the holder can tell that they are known, since it saw that
  they were seen; it knows nothing of what another has concluded;
* ``top_known``: how many cards on top of the deck it knows, in their order.

All other cards that it does not see are *hidden* from it: in the deck below these, or unseen in
another hand. Of the hidden copies of each face a row holds, each the least that is certain,

* ``deck_least``: how many are in the deck;
* ``deck_placed``: how many of these are copies whose place is known, since they were seen to be
  there. The others only follow: there is one of a face, but any of its copies may be it;
* ``held_least``: how many are in hands: a card that was in a hand when the discard became the deck
  is not in the deck;
* ``fresh_least``: how many were in the deck at some time since the discard was last shuffled in.

And of each other hand ``kept_least``: how many of its unseen cards have been there since before
that shuffle (or since the deal). A fresh card is none of these.

Facts are kept face by face, and only as long as they are certain: where one of several cards leaves
unseen, each face loses a copy. Copies of a face cannot be told apart.
"""

from __future__ import annotations

from typing import Any

from railenvs.engine.compile import rule
from railenvs.engine.state import Record
from railenvs.games.railroad_run.cards import COPIES, NUM_FACES
from railenvs.games.railroad_run.state import PUBLIC


@rule
def row_of(state: Record, index: int) -> int:
    """The row of a seat's memory; the index after the last seat is the public's."""
    return PUBLIC if index == state.num_players else index


@rule
def top_card(state: Record, place: int) -> int:
    """A card of the deck, counted from the top, 0 the next to be drawn."""
    return int(state.deck[int(state.deck_size) - 1 - place])


@rule
def hidden_copies(state: Record, row: int, face: int) -> int:
    """Copies of a face that are hidden from a row."""
    copies = int(COPIES[face]) - int(state.discarded[face])
    if row != PUBLIC:
        copies -= int(state.hand[row, face])
    for seat in range(state.num_players):
        copies -= int(state.known[row, seat, face])
    for place in range(state.top_known[row]):
        copies -= top_card(state, place) == face
    return copies


@rule
def unseen_cards(state: Record, row: int, holder: int) -> int:
    """Cards of a hand that a row does not know."""
    return int(state.hand_size[holder]) - int(state.known_size[row, holder])


# What is known of a hand


@rule
def learn(state: Record, row: int, holder: int, face: int, count: int) -> None:
    """The row learns that a hand holds more copies of a face, and the holder can tell."""
    conclude(state, row, holder, face, count)
    state.shown[row, holder, face] += count


@rule
def conclude(state: Record, row: int, holder: int, face: int, count: int) -> None:
    """The row knows of more copies of a face in a hand."""
    state.known[row, holder, face] += count
    state.known_size[row, holder] += count


@rule
def unlearn(state: Record, row: int, holder: int, face: int, count: int) -> None:
    """As many copies of a face may have left a hand."""
    conclude(state, row, holder, face, -min(count, int(state.known[row, holder, face])))
    state.shown[row, holder, face] = max(0, int(state.shown[row, holder, face]) - count)


@rule
def find(state: Record, row: int, holder: int, face: int) -> None:
    """The row is about to see a card in a hand, or leaving it, that was hidden from it."""
    fresh = int(state.fresh_least[row, face])
    kept = int(state.kept_least[row, holder])
    if fresh > 0 and (kept == 0 or kept < unseen_cards(state, row, holder)):
        # Perhaps it was fresh, and certainly so if all copies are.
        state.fresh_least[row, face] = max(int(state.deck_least[row, face]), fresh - 1)
        if kept > 0 and fresh < hidden_copies(state, row, face):
            state.kept_least[row, holder] = kept - 1
    else:
        state.kept_least[row, holder] = max(0, kept - 1)
    state.held_least[row, face] = max(0, int(state.held_least[row, face]) - 1)


@rule
def see(state: Record, row: int, holder: int, face: int, count: int) -> None:
    """The row sees that a hand holds so many copies of a face, and the holder can tell."""
    for _ in range(int(state.known[row, holder, face]), count):
        find(state, row, holder, face)
        conclude(state, row, holder, face, 1)
    state.shown[row, holder, face] = max(int(state.shown[row, holder, face]), count)


# Cards leave the deck


@rule
def leave_seen(state: Record, row: int, face: int) -> None:
    """A card that the row sees leaves the deck below its known top."""
    lower_least(state, row, face, 1)
    lower_fresh(state, row, face, 1)


@rule
def lower_least(state: Record, row: int, face: int, count: int) -> None:
    """As many copies of a face may have left the deck below the known top."""
    lost = min(count, int(state.deck_least[row, face]))
    state.deck_least[row, face] -= lost
    state.deck_noted[row] -= lost
    state.deck_placed[row, face] = max(0, int(state.deck_placed[row, face]) - count)


@rule
def lower_fresh(state: Record, row: int, face: int, count: int) -> None:
    """As many copies that were in the deck are no longer hidden."""
    state.fresh_least[row, face] = max(0, int(state.fresh_least[row, face]) - count)


@rule
def leave_unseen(state: Record, row: int, taker: int, count: int, size: int) -> None:
    """Of ``size`` cards below the known top, ``count`` go into a hand, the row not seeing which."""
    if state.deck_noted[row] == 0:
        return
    least, placed = state.deck_least[row], state.deck_placed[row]
    if state.deck_noted[row] > size - count:
        for face in range(NUM_FACES):
            certain = count - (size - int(least[face]))
            if certain > 0:
                conclude(state, row, taker, face, certain)
                lower_fresh(state, row, face, certain)
    noted = 0
    for face in range(NUM_FACES):
        least[face] = max(0, int(least[face]) - count)
        placed[face] = max(0, int(placed[face]) - count)
        noted += int(least[face])
    state.deck_noted[row] = noted


@rule
def note_draw(state: Record, seat: int, count: int) -> None:
    """Cards on top are about to be drawn into a hand, seen by their drawer alone."""
    for index in range(state.num_players + 1):
        row = row_of(state, index)
        remembered = min(int(state.top_known[row]), count)
        below_top = int(state.deck_size) - int(state.top_known[row])
        state.top_known[row] -= remembered
        if row == seat:
            for place in range(remembered, count):
                leave_seen(state, row, top_card(state, place))
        else:
            for place in range(remembered):
                learn(state, row, seat, top_card(state, place), 1)
            if remembered < count:
                leave_unseen(state, row, seat, count - remembered, below_top)


@rule
def note_turned_up(state: Record, seat: int, kept: bool) -> None:
    """The top card is about to be turned up for all to see, and kept by a seat or discarded."""
    face = top_card(state, 0)
    for index in range(state.num_players + 1):
        row = row_of(state, index)
        if state.top_known[row] > 0:
            state.top_known[row] -= 1
        else:
            leave_seen(state, row, face)
        if kept and row != seat:
            learn(state, row, seat, face, 1)


@rule
def note_look(state: Record, seat: int, count: int) -> None:
    """A seat looks at the top cards; they stay there for now."""
    for place in range(int(state.top_known[seat]), count):
        leave_seen(state, seat, top_card(state, place))
    state.top_known[seat] = max(int(state.top_known[seat]), count)


@rule
def note_one_kept(state: Record, seat: int, count: int, kept: int) -> None:
    """Of the top cards, which ``seat`` looked at, it keeps one; the others are discarded openly."""
    copies = 0
    for place in range(count):
        copies += top_card(state, place) == kept
    for index in range(state.num_players + 1):
        row = row_of(state, index)
        remembered = min(int(state.top_known[row]), count)
        rest = int(state.deck_size) - int(state.top_known[row])
        copies_known = 0
        for place in range(remembered):
            copies_known += top_card(state, place) == kept
        state.top_known[row] -= remembered
        if row == seat:
            continue
        # All its copies lay where the row knew the cards, and one is missing from the discards.
        kept_is_known = copies_known == copies
        if kept_is_known:
            learn(state, row, seat, kept, 1)
        missing = not kept_is_known
        for place in range(remembered, count):
            face = top_card(state, place)
            if missing and face == kept:
                missing = False
            else:
                leave_seen(state, row, face)
                rest -= 1
        if not kept_is_known:
            leave_unseen(state, row, seat, 1, rest)


@rule
def note_some_kept(state: Record, seat: int, count: int, taken: int) -> None:
    """Of the top cards, which ``seat`` looked at, it takes some unseen; the others stay."""
    for index in range(state.num_players + 1):
        row = row_of(state, index)
        remembered = int(state.top_known[row])
        if row == seat:
            state.top_known[row] -= taken
        elif remembered == 0:
            leave_unseen(state, row, seat, taken, int(state.deck_size))
        else:
            forget_top(state, row)
            for face in range(NUM_FACES):
                known = 0
                for place in range(min(remembered, count)):
                    known += top_card(state, place) == face
                certain = taken - (count - known)
                if certain > 0:
                    learn(state, row, seat, face, certain)
                    lower_fresh(state, row, face, certain)
                lost = min(taken, known + max(0, count - remembered))
                lower_least(state, row, face, lost)


# The deck is shuffled


@rule
def forget_top(state: Record, row: int) -> None:
    """The order on top of the deck is lost; what was there is still in the deck."""
    for place in range(state.top_known[row]):
        face = top_card(state, place)
        state.deck_least[row, face] += 1
        state.deck_noted[row] += 1
        state.deck_placed[row, face] += 1
        state.fresh_least[row, face] += 1
    state.top_known[row] = 0


@rule
def note_shuffle(state: Record) -> None:
    """The whole deck is shuffled."""
    for index in range(state.num_players + 1):
        forget_top(state, row_of(state, index))


@rule
def note_pile_in(state: Record) -> None:
    """The discard is about to go into the deck: it is there, and what hands hold is not fresh."""
    refill = state.deck_size == 0
    for index in range(state.num_players + 1):
        row = row_of(state, index)
        least, fresh = state.deck_least[row], state.fresh_least[row]
        placed, held = state.deck_placed[row], state.held_least[row]
        for face in range(NUM_FACES):
            least[face] += state.discarded[face]
            fresh[face] = least[face]
            if refill:
                # The deck holds these alone, so no copy needs a place of its own.
                held[face] = hidden_copies(state, row, face)
            else:
                placed[face] += state.discarded[face]
        state.deck_noted[row] += state.pile_size
        note_kept(state, row)


@rule
def note_dealt(state: Record) -> None:
    """All hands are dealt: what comes from the deck from now on is fresh."""
    for index in range(state.num_players + 1):
        note_kept(state, row_of(state, index))


@rule
def note_kept(state: Record, row: int) -> None:
    """From now on, cards that come into a hand are fresh."""
    for seat in range(state.num_players):
        if seat != row:
            state.kept_least[row, seat] = unseen_cards(state, row, seat)


@rule
def note_search(state: Record, seat: int, first: int, stop: int) -> None:
    """A seat learns which of some faces are in the deck."""
    for face in range(first, stop):
        if in_deck(state, face) == 0:
            state.held_least[seat, face] = hidden_copies(state, seat, face)
        elif state.deck_least[seat, face] == 0:
            state.deck_least[seat, face] = 1
            state.deck_noted[seat] += 1
            state.fresh_least[seat, face] = max(1, int(state.fresh_least[seat, face]))


@rule
def note_none_left(state: Record, first: int, stop: int) -> None:
    """All learn that the deck holds none of some faces, since the discard has to be shuffled in."""
    for index in range(state.num_players + 1):
        row = row_of(state, index)
        for face in range(first, stop):
            state.held_least[row, face] = hidden_copies(state, row, face)


@rule
def in_deck(state: Record, face: int) -> int:
    """Copies of a face in the deck."""
    copies = 0
    for place in range(state.deck_size):
        copies += state.deck[place] == face
    return copies


@rule
def note_found(state: Record, seat: int, face: int, first: int, stop: int) -> None:
    """A seat takes a card out of the deck; the others see only that it is one of some faces."""
    for index in range(state.num_players + 1):
        row = row_of(state, index)
        if row == seat or stop - first == 1:
            leave_seen(state, row, face)
            if row != seat:
                learn(state, row, seat, face, 1)
        else:
            for other in range(first, stop):
                lower_least(state, row, other, 1)


# Cards leave hands


@rule
def note_leaving(state: Record, row: int, seat: int, face: int) -> None:
    """The row is about to see a card leave a hand."""
    if state.known[row, seat, face] > 0:
        unlearn(state, row, seat, face, 1)
    else:
        find(state, row, seat, face)


@rule
def note_played(state: Record, seat: int, face: int) -> None:
    """A card is about to leave a hand openly."""
    for index in range(state.num_players + 1):
        row = row_of(state, index)
        if row != seat:
            note_leaving(state, row, seat, face)


@rule
def note_arrival(state: Record, seat: int, face: int) -> None:
    """A card comes openly into a hand."""
    for index in range(state.num_players + 1):
        row = row_of(state, index)
        if row != seat:
            learn(state, row, seat, face, 1)


@rule
def note_shown(state: Record, seat: int, cards: Any) -> None:
    """A seat lets all see that it holds some cards."""
    for index in range(state.num_players + 1):
        row = row_of(state, index)
        if row != seat:
            for face in range(NUM_FACES):
                see(state, row, seat, face, int(cards[face]))


@rule
def note_moved(state: Record, giver: int, taker: int, count: int) -> None:
    """Cards are about to go from hand to hand, as far as those who do not see which can tell.

    The public comes first, for the others go by it.
    """
    for index in range(state.num_players, -1, -1):
        row = row_of(state, index)
        if row != giver and row != taker:
            lose_unseen(state, row, giver, taker, count)


@rule
def lose_unseen(state: Record, row: int, giver: int, taker: int, count: int) -> None:
    """The row does not see which cards go from hand to hand."""
    size = int(state.hand_size[giver])
    may_be_fresh = unseen_cards(state, row, giver) - int(state.kept_least[row, giver])
    unseen = size - count
    moved_unseen = count
    for face in range(NUM_FACES):
        known = int(state.known[row, giver, face])
        if known > 0:
            certain = max(0, count - (size - known))
            conclude(state, row, taker, face, certain)
            unlearn(state, row, giver, face, count)
            left = int(state.known[row, giver, face])
            # A copy that can no longer be placed in a hand is still not in the deck.
            state.held_least[row, face] += known - left - certain
            # It may be fresh, as the public can tell.
            may_be_fresh += be_fresh_as_public(state, row, face)
            unseen -= left
            moved_unseen -= certain
    state.kept_least[row, giver] = max(0, unseen - may_be_fresh)
    state.kept_least[row, taker] += max(0, moved_unseen - may_be_fresh)


@rule
def be_fresh_as_public(state: Record, row: int, face: int) -> int:
    """Of the copies hidden from a row as many are fresh as the public knows; returns how many more.

    All copies that it sees and the public does not may be among the public's fresh ones.
    """
    seen = hidden_copies(state, PUBLIC, face) - hidden_copies(state, row, face)
    fresh = int(state.fresh_least[PUBLIC, face]) - seen
    more = max(0, fresh - int(state.fresh_least[row, face]))
    state.fresh_least[row, face] += more
    return more


@rule
def note_given(state: Record, giver: int, taker: int, face: int) -> None:
    """A card is about to go from hand to hand: what the two who see it know."""
    note_leaving(state, taker, giver, face)
    learn(state, giver, taker, face, 1)


@rule
def note_hand(state: Record, seat: int, target: int) -> None:
    """A seat looks at another's hand.

    What it sees there can leave open to it which of two copies is fresh, where the public can tell
    that one of them is: the public drops that, for all seats know what is public.
    """
    for face in range(NUM_FACES):
        see(state, seat, target, face, int(state.hand[target, face]))
    state.kept_least[PUBLIC, target] = 0


@rule
def forget_hands(state: Record) -> None:
    """All hands are laid down."""
    for index in range(state.num_players + 1):
        row = row_of(state, index)
        for face in range(NUM_FACES):
            state.held_least[row, face] = 0
        for seat in range(state.num_players):
            state.kept_least[row, seat] = 0
            state.known_size[row, seat] = 0
            for face in range(NUM_FACES):
                state.known[row, seat, face] = 0
                state.shown[row, seat, face] = 0
