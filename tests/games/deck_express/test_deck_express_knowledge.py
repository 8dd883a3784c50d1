"""What every seat knows after every move is what it can tell from all that it saw."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import pytest

from railenvs import Game
from tests.games.deck_express.knowledge import LOCOMOTIVE, Onlooker, names_of
from tests.games.deck_express.tables import GRID, SHARES, TRACK, load
from tests.play import choose


def flags(cards: set[str], names: list[str]) -> list[int]:
    return [int(name in cards) for name in names]


def check_observation(game: Game, state: Any, me: Onlooker) -> None:
    seen = game.observe(state, me.seat)
    around = [(me.seat + step) % game.num_players for step in range(game.num_players)]
    in_hand = 3 - int(state["dividends"][0])
    wanted = {
        "own_track": flags(me.track, TRACK),
        "built": flags(me.built, TRACK),
        "unseen_track": flags(me.unseen_track(), TRACK),
        "own_shares": flags(me.shares, SHARES),
        "unseen_shares": flags(me.unseen_shares(), SHARES),
        "own_choice": flags({me.choice} if me.choice else set(), SHARES),
        "deck_left": [me.left()],
        "locomotive_window": [draw for window in me.windows() for draw in window],
        "shown": [flag for seat in around for flag in flags(me.shown[seat], SHARES)],
        "hand_size": [me.cards[seat] + in_hand for seat in around],
    }
    for name, values in wanted.items():
        assert game.fields.cut(seen, name).ravel().tolist() == values, name


def check_world(game: Game, state: Any, me: Onlooker, seed: int) -> None:
    """No world contradicts what the seat saw, and no card is lost."""
    world = game.determinize(state, me.seat, seed)[0]
    track, shares = Counter(me.unseen_track()), Counter(me.unseen_shares())
    for seat in range(game.num_players):
        held, kept = names_of(world["track"][seat], TRACK), names_of(world["shares"][seat], SHARES)
        assert len(held) == me.cards[seat]
        assert names_of(world["shown"][seat], SHARES) == me.shown[seat]
        choice = int(world["choice"][seat])
        if seat == me.seat:
            assert (held, kept) == (me.track, me.shares)
            assert (SHARES[choice] if choice >= 0 else None) == me.choice
        else:
            assert len(kept) == len(me.shares)
            track.subtract(held)
            shares.subtract(kept)
            if choice >= 0:
                assert SHARES[choice] in kept | me.shown[seat]
    deck = world["deck"][me.drawn : me.drawn + me.left()].tolist()
    track.subtract(TRACK[card] for card in deck if card != LOCOMOTIVE)
    assert not any(track.values())
    assert min(shares.values(), default=0) >= 0
    coming = [me.drawn + place for place, card in enumerate(deck, 1) if card == LOCOMOTIVE]
    assert me.layouts()[(*me.came, *coming)] > 0


@pytest.mark.parametrize(("num_players", "setup"), GRID)
def test_every_seat_knows_what_it_saw(num_players, setup):
    game = load(num_players, setup)
    for seed in range(6):
        chance = random.Random(seed)
        state = game.deal(seed)
        seats = [Onlooker(seat, setup, state[0]) for seat in range(num_players)]
        while not game.is_over(state):
            before = state.copy()
            action = choose(game.legal(state), chance)
            game.play(state, action)
            for me in seats:
                me.watch(before[0], game.action_names[action], state[0])
                check_observation(game, state, me)
                check_world(game, state, me, chance.getrandbits(30))
