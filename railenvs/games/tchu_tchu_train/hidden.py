"""What a seat cannot know, dealt afresh."""

from __future__ import annotations

import numpy as np

from railenvs.engine.compile import rule
from railenvs.engine.random import shuffle
from railenvs.engine.state import Record
from railenvs.games.tchu_tchu_train.cards import COPIES, DECK_SIZE, NUM_CARDS
from railenvs.games.tchu_tchu_train.state import NOTHING, ROW_SIZE


@rule
def determinize(state: Record, seat: int) -> None:
    """Deal afresh the others' hands, but for what they took from the row, and the deck.

    Whoever is to act could do so with any hand, so nothing else ties a hidden card to a place.
    Copies are shuffled one by one, so a world is as likely as there are ways to deal it.
    """
    pool = np.empty(DECK_SIZE, np.int8)
    count = 0
    for card in range(NUM_CARDS):
        for _ in range(state.unseen[seat, card]):
            pool[count] = card
            count += 1
    shuffle(state, pool, 0, count)
    dealt = 0
    for other in range(state.num_players):
        if other != seat:
            hidden = int(state.hand_size[other]) - int(state.joker[other])
            for card in range(NUM_CARDS):
                state.hand[other, card] = state.known[other, card]
                hidden -= state.known[other, card]
            for card in pool[dealt : dealt + hidden]:
                state.hand[other, card] += 1
            dealt += hidden
    for place in range(state.drawn, DECK_SIZE):
        state.deck[place] = pool[dealt + place - state.drawn]
    for other in range(state.num_players):
        if other != seat:
            note_unseen(state, other)


@rule
def note_unseen(state: Record, seat: int) -> None:
    """Write which copies a seat has not located.

    They are in the deck or in other hands: neither in its own, nor open, nor known to be in one.
    """
    for card in range(NUM_CARDS):
        located = int(state.hand[seat, card]) + int(state.discards[card])
        for other in range(state.num_players):
            if other != seat:
                located += int(state.known[other, card])
        state.unseen[seat, card] = COPIES - located
    for place in range(ROW_SIZE):
        if state.row[place] != NOTHING:
            state.unseen[seat, state.row[place]] -= 1
        if state.incoming[place] != NOTHING:
            state.unseen[seat, state.incoming[place]] -= 1
