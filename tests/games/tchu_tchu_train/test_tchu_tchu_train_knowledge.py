"""What every seat knows after every move is what it can tell from all that it saw."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import numpy as np
import pytest

from railenvs import Game
from tests.games.tchu_tchu_train.knowledge import Onlooker, hand_of
from tests.games.tchu_tchu_train.tables import PACK, SEATS, load
from tests.play import choose

CELLS = [(seats, board) for seats in SEATS for board in ("default", "generated")]


def counts(cards: Counter[str]) -> list[int]:
    return [cards[card] for card in PACK]


def check_observation(game: Game, state: Any, me: Onlooker) -> None:
    seats = game.num_players
    seen = game.observe(state, me.seat)
    found = {
        name: game.fields.cut(seen, name).reshape(-1, len(PACK)).tolist()
        for name in ("own_hand", "unseen", "discards", "incoming", "known")
    }
    assert found == {
        "own_hand": [counts(me.hand)],
        "unseen": [counts(me.unseen())],
        "discards": [counts(me.played)],
        "incoming": [counts(Counter(me.aside))],
        "known": [counts(me.known[(me.seat + step) % seats]) for step in range(seats)],
    }


def check_world(game: Game, state: Any, me: Onlooker, seed: int) -> None:
    """No world contradicts what the seat saw, and no card is lost."""
    world = game.determinize(state, me.seat, seed)[0]
    pool = me.unseen()
    for seat in range(game.num_players):
        hand = hand_of(world, seat)
        assert hand.total() + int(world["joker"][seat]) == int(state["hand_size"][0][seat])
        if seat == me.seat:
            assert +hand == +me.hand
        else:
            assert hand >= me.known[seat]
            pool.subtract(hand - me.known[seat])
    pool.subtract(PACK[card] for card in world["deck"][int(world["drawn"]) :])
    assert not any(pool.values())


@pytest.mark.parametrize(("num_players", "board"), CELLS)
def test_every_seat_knows_what_it_saw(num_players, board):
    game = load(num_players, board)
    for seed in range(2):
        chance = random.Random(seed)
        state = game.deal(seed)
        seats = [Onlooker(seat, state[0]) for seat in range(num_players)]
        while not game.is_over(state):
            before = state.copy()
            action = choose(game.legal(state), chance)
            game.play(state, action)
            for me in seats:
                me.watch(before[0], game.action_names[action], state[0])
                check_observation(game, state, me)
                check_world(game, state, me, chance.getrandbits(30))


def test_a_card_known_to_be_there_is_given_in_a_refresh():
    """What all know of a hand leaves it with a card that it gives back."""
    game = load(2)
    state = game.deal(3)
    seats = [Onlooker(seat, state[0]) for seat in range(2)]
    chance = random.Random(1)
    given_back = 0
    while not game.is_over(state):
        before = state.copy()
        mask = game.legal(state)
        names = [game.action_names[action] for action in np.flatnonzero(mask)]
        known = [name for name in names if name.startswith("give ")]
        known = [
            name for name in known if seats[game.seat(state)].known[game.seat(state)][name[5:]]
        ]
        wanted = known or [name for name in names if name in ("refresh", "end placing")] or names
        given_back += bool(known)
        name = chance.choice(wanted)
        game.play(state, game.action_names.index(name))
        for me in seats:
            me.watch(before[0], name, state[0])
            check_observation(game, state, me)
    assert given_back > 10
