"""What the seats and the public of EXPRESS know after every move, against a slow reference."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from railenvs import Game, SeatView
from railenvs.engine.state import State
from tests.games.express.knowledge_reference import ALIKE, PACK, Watcher, events
from tests.games.express.tables import COPIES, FACES, VEHICLES, load

GAMES = [
    (2, {}),
    (3, {"assigned_regions": True, "hands": 2, "max_turns": 90}),
    (4, {"short_trains": True}),
    (4, {}),
]
DECISIONS = 240
WORLDS = 20
"""Worlds that are looked at, and between two looks so many decisions."""
Table = dict[str, Any]
Counts = npt.NDArray[np.int64]


def watched(game: Game, seed: int) -> Iterator[tuple[State, dict[str, Watcher]]]:
    """A random game in which players like to ask, claim and exchange, and all who watch it."""
    chance = random.Random(seed)
    state = game.deal(seed)
    table = game.table(state)
    watchers = {"public": Watcher(None, table)}
    watchers |= {f"player_{seat}": Watcher(seat, table) for seat in range(game.num_players)}
    for _ in range(DECISIONS):
        legal = np.flatnonzero(game.legal(state)).tolist()
        rare = [a for a in legal if game.action_names[a].startswith(("ask", "claim", "exchange"))]
        action = chance.choice(rare if rare and chance.random() < 0.5 else legal)
        game.play(state, action)
        after = game.table(state)
        for event in events(table, game.action_names[action], after):
            for watcher in watchers.values():
                watcher.see(event)
        table = after
        if game.is_over(state):
            return
        yield state, watchers


class Shown:
    """What a table says that someone knows, all that follows from its numbers included."""

    def __init__(self, watcher: Watcher, table: Table, memory: Table) -> None:
        self.facts = {seat: memory[f"player_{seat}"] for seat in watcher.others}
        self.known = {seat: Counter(fact["known"]) for seat, fact in self.facts.items()}
        seen = Counter(table["pile"])
        for seat, entries in enumerate(table["seats"]):
            seen.update(entries["train"])
            seen += self.known.get(seat, Counter(entries["hand"]))
        self.unseen = counts(COPIES) - counts(seen)
        self.stock = counts(Counter(memory["stock_at_most"]))
        self.old = counts(Counter(memory["old_at_most"]))
        self.unknown = {
            seat: table["seats"][seat]["hand_size"] - self.known[seat].total()
            for seat in watcher.others
        }
        self.least = {seat: fact["new_at_least"] for seat, fact in self.facts.items()}
        self.most = {seat: fact["new_at_most"] for seat, fact in self.facts.items()}
        assert (self.stock <= self.unseen).all()
        assert (self.old <= self.unseen).all()
        if watcher.ways is not None:
            while self.draw_together(len(table["stock"])):
                pass

    def draw_together(self, pack: int) -> bool:
        """Cards in the pack are new; hands hold the others. Returns whether a bound moved."""
        before = str(vars(self))
        for seat in self.facts:
            others = [other for other in self.facts if other != seat]
            new = self.stock.sum() - pack - sum(self.least[other] for other in others)
            old = self.old.sum() - sum(self.unknown[other] - self.most[other] for other in others)
            self.most[seat] = min(self.most[seat], int(new))
            self.least[seat] = max(self.least[seat], self.unknown[seat] - int(old))
        certain = self.unseen - self.old
        new = pack + sum(self.most.values()) - (certain.sum() - certain)
        self.stock = np.minimum(self.stock, new)
        certain = self.unseen - self.stock
        old = sum(self.unknown[seat] - self.least[seat] for seat in self.facts)
        self.old = np.minimum(self.old, old - (certain.sum() - certain))
        return before != str(vars(self))

    def may_hold(self, seat: int, card: str) -> bool:
        at = FACES.index(card)
        if self.known[seat][card]:
            return True
        if card in self.facts[seat]["absent"] or not self.unseen[at]:
            return False
        old = self.old[at] and self.unknown[seat] > self.least[seat]
        return bool(old or (self.stock[at] and self.most[seat]))


def counts(cards: Any) -> Counts:
    return np.array([cards[face] for face in FACES])


def compare(watcher: Watcher, shown: Shown, where: Any) -> bool:
    """Check that what is shown is what the reference knows; returns whether it is no less."""
    exact = watcher.questions < 2 and not watcher.parted
    for seat in watcher.others:
        assert shown.known[seat] == +watcher.known[seat], where
        for card in VEHICLES:
            may, can = shown.may_hold(seat, card), seat in watcher.places[card]
            assert may == can if exact else may >= can, (where, seat, card)
    for card in VEHICLES:
        if shown.unseen[FACES.index(card)]:
            assert shown.stock[FACES.index(card)] == (PACK in watcher.places[card]), (where, card)
    for place, seat in enumerate(watcher.others):
        if watcher.ways is not None:
            drawn = [way[0][place] for way in watcher.ways]
            bounds = (shown.least[seat], shown.most[seat])
            assert bounds[0] <= min(drawn), (where, seat)
            assert bounds[1] >= max(drawn), (where, seat)
            assert not exact or bounds == (min(drawn), max(drawn)), (where, seat)
    for number, face in enumerate(ALIKE):
        at = FACES.index(face)
        assert shown.unseen[at] == watcher.unseen[face], where
        new = old = watcher.unseen[face]
        if watcher.ways is not None:
            new = max(way[1][number] for way in watcher.ways)
            old = max(way[2][number] for way in watcher.ways)
        assert shown.stock[at] >= new, (where, face)
        assert shown.old[at] >= old, (where, face)
        assert not exact or (shown.stock[at], shown.old[at]) == (new, old), (where, face)
    return exact


@pytest.mark.slow
@pytest.mark.parametrize(("num_players", "options"), GAMES, ids=str)
def test_all_that_is_certain_and_nothing_else_is_known(num_players, options):
    """After every move, by each seat and the public; now and then, worlds agree with it, and the
    table can be read back.

    Where several cards left hands that may have been drawn since the last shuffle or not, what
    ties these questions together is not kept, and less may be known than the reference tells.
    """
    game = load(num_players, **options)
    compared = exact = 0
    for number, (state, watchers) in enumerate(watched(game, num_players)):
        table = game.table(state)
        for name, watcher in watchers.items():
            where = (number, name)
            exact += compare(watcher, Shown(watcher, table, table["memory"][name]), where)
            compared += 1
        if number % WORLDS == 0:
            seat = number // WORLDS % num_players
            check_worlds(game, state, seat, watchers[f"player_{seat}"])
            check_read_back(game, state, seat)
    assert exact > compared / 2


def check_worlds(game: Game, state: State, seat: int, watcher: Watcher) -> None:
    if watcher.questions < 2 and not watcher.parted:
        for seed in range(WORLDS):
            world = game.table(game.determinize(state, seat, seed))
            hands = [entries["hand"] for entries in world["seats"]]
            assert watcher.allows(hands, world["stock"]), (seat, seed)


def check_read_back(game: Game, state: State, seat: int) -> None:
    """The table read back is the same state and the same view."""
    back = game.from_table(game.table(state))
    assert game.state_hash(back) == game.state_hash(state)
    view = SeatView(game, state, seat)
    assert view == SeatView(game, back, seat)
    assert view.table() == game.table(state, seat)


def test_the_end_of_a_game_read_back_is_the_same_state():
    game = load(3, max_turns=6)
    state = game.deal(1)
    while not game.is_over(state):
        game.play(state, int(np.flatnonzero(game.legal(state))[-1]))
    assert game.state_hash(game.from_table(game.table(state))) == game.state_hash(state)
