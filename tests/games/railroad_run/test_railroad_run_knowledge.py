"""The game's memory against a second account of what each seat saw, see :mod:`.knowledge`."""

from __future__ import annotations

import itertools
import random
from collections import Counter
from collections.abc import Mapping
from typing import Any

import pytest

from railenvs import Game
from railenvs.engine.state import State
from tests.games.railroad_run.knowledge import PUBLIC, Observer, Telling, UnclearError, facts_of
from tests.games.railroad_run.tables import PACK, load
from tests.play import choose

WORLDS_EVERY = 40
WORLDS = 20
CASES = [
    (2, {"civil_war": True}, 0, 250),
    (3, {"starting_companies": True}, 0, 250),
    (4, {}, 0, 250),
    (5, {"civil_war": True, "starting_companies": True}, 3, 600),
    (8, {"trades": False}, 1, 150),
]


def check_world(table: dict[str, Any], observer: Observer) -> None:
    """Nothing in a whole table contradicts what an observer knows."""
    hands = [Counter(seat["hand"]) for seat in table["seats"]]
    deck = table["draw_deck"]
    top, below = deck[: len(observer.top)], Counter(deck[len(observer.top) :])
    assert top == observer.top
    others = [seat for seat in range(len(hands)) if seat != observer.me]
    if observer.me != PUBLIC:
        assert hands[observer.me] == observer.own
    assert all(observer.sure[seat] <= hands[seat] for seat in others)
    for card in PACK:
        assert observer.must[card] <= below[card] <= observer.may[card]
    unseen = [hands[seat] - observer.sure[seat] for seat in others]
    assert [cards.total() for cards in unseen] == [observer.unseen(seat) for seat in others]
    # The fresh cards that are not in the deck must have a place in hands that may hold such.
    missing = observer.fresh - below
    for some in itertools.product((False, True), repeat=len(others)):
        elsewhere = sum((c for c, here in zip(unseen, some, strict=True) if not here), Counter())
        places = sum(observer.drawn[s] for s, here in zip(others, some, strict=True) if here)
        assert (missing - elsewhere).total() <= places


def play_and_compare(num_players: int, options: dict[str, Any], seed: int, moves: int) -> None:
    """One random game, in which every observer's account is compared after every move."""
    game = load(num_players, **options)
    chance = random.Random(seed)
    state = game.deal(seed)
    table = game.table(state)
    public = Observer.at_deal(PUBLIC, table)
    observers = {"public": public} | {
        f"player_{seat}": Observer.at_deal(seat, table, public) for seat in range(num_players)
    }
    for move in range(moves):
        for row, observer in observers.items():
            assert observer.facts() == facts_of(table, row), (move, row)
        if move % WORLDS_EVERY == 0:
            check_worlds(game, state, observers)
        if game.is_over(state):
            break
        action = choose(game.legal(state), chance)
        game.play(state, action)
        before, table = table, game.table(state)
        try:
            events = Telling(before, game.action_names[action], table).events
        except UnclearError:
            break
        for event, observer in itertools.product(events, observers.values()):
            observer.see(event)


def check_worlds(game: Game, state: State, observers: Mapping[str, Observer]) -> None:
    """What a seat knows, and what everybody does, is so in all worlds of the seat."""
    for seat, number in itertools.product(range(game.num_players), range(WORLDS)):
        world = game.table(game.determinize(state, seat, number))
        check_world(world, observers[f"player_{seat}"])
        check_world(world, observers["public"])


@pytest.mark.slow
@pytest.mark.parametrize(("num_players", "options", "seed", "moves"), CASES, ids=str)
def test_memory_is_what_the_events_tell(num_players, options, seed, moves):
    play_and_compare(num_players, options, seed, moves)
