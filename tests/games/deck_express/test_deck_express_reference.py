"""Random games replayed by a slow reference: every move, every dollar, every rank agrees."""

from __future__ import annotations

import functools
import random
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from railenvs import deck_express_v0, records
from tests.games.deck_express.reference import SlowGame
from tests.games.deck_express.tables import GRID, LOCOMOTIVES, load
from tests.play import choose

GOLDEN = Path(__file__).parents[2] / "golden" / "deck_express.jsonl"


def replay(record: dict[str, Any]) -> SlowGame:
    """Play a record's moves from its deal and compare what each brought to light."""
    slow = SlowGame(record["deal"])
    for number, move in enumerate(record["moves"], start=1):
        told = dict(move)
        assert (slow.seat, told.pop("action") in slow.options) == (told.pop("seat"), True), number
        slow.move(move["action"])
        assert slow.news == told, (number, move)
    return slow


@functools.cache
def finished_games(num_players: int, setup: str) -> list[tuple[dict[str, Any], dict[str, Any]]]:
    """Record and last table of random games, from those who never invest at will to misers."""
    env = deck_express_v0.raw_env(num_players, setup=setup)
    invest = env.game.action_names.index("invest")
    games = []
    for seed in range(40):
        lot = random.Random(seed)
        env.reset(seed=seed)
        while not env.terminations[env.agent_selection]:
            mask = env.observe(env.agent_selection)["action_mask"]
            miserly = mask[invest] and lot.randrange(4) < seed % 5
            env.step(invest if miserly else choose(mask, lot))
        games.append((env.record(), env.table()))
    return games


@pytest.mark.parametrize(("num_players", "setup"), GRID)
def test_records_of_random_games_hold(num_players, setup):
    """240 games in all: draws, shares revealed and passed, payments, scores, ranks, winners."""
    for record, table in finished_games(num_players, setup):
        slow = replay(record)
        assert slow.options == []
        assert slow.totals() == record["scores"]
        assert slow.winners() == record["winners"]
        assert record["finished"] == "terminated"
        assert slow.money == [seat["money"] for seat in table["seats"]]
        assert slow.ranks() == [seat["rank"] for seat in table["seats"]]


def test_golden_games_hold():
    """The kept records are right by the rules, not just unchanged."""
    for record in records.load(GOLDEN):
        slow = replay(record)
        assert slow.totals() == record["scores"]
        assert slow.winners() == record["winners"]


def test_random_games_reach_the_rare_cases():
    """Else their agreement with the reference would say little."""
    seen = Counter()
    for num_players, setup in GRID:
        for _, table in finished_games(num_players, setup):
            homes = [table["locomotives"][name]["to"] for name in LOCOMOTIVES]
            tops = [stack["top"] for stack in table["stacks"].values()]
            ranks = [seat["rank"] for seat in table["seats"]]
            scores = [seat["score"] for seat in table["seats"]]
            seen["both locomotives on one stack"] += homes[0] == homes[1]
            seen["locomotive on top at the end"] += bool(set(tops) & set(LOCOMOTIVES))
            seen["ace on top at the end"] += any(top[0] == "A" for top in tops)
            seen["tie told apart by cards"] += len(set(scores)) < len(set(ranks))
            seen["place shared"] += len(set(ranks)) < num_players
            seen["victory shared"] += ranks.count(1) > 1
            seen["negative score"] += min(scores) < 0
    assert min(seen.values()) > 0, seen


@pytest.mark.parametrize(("num_players", "setup"), GRID)
def test_tables_of_random_games_hold(num_players, setup):
    """At every decision: who is asked and for what, and all that lies anywhere."""
    game = load(num_players, setup)
    for seed in range(5):
        lot = random.Random(1000 + seed)
        state = game.deal(seed)
        slow = SlowGame(game.table(state))
        while True:
            compare(game.table(state), slow)
            mask = game.legal(state)
            legal = {name for name, may in zip(game.action_names, mask, strict=True) if may}
            assert legal == set(slow.options)
            if game.is_over(state):
                break
            assert game.seat(state) == slow.seat
            action = choose(mask, lot)
            game.play(state, action)
            slow.move(game.action_names[action])


def compare(table: dict[str, Any], slow: SlowGame) -> None:
    assert table["turn"] == slow.turn
    assert table["dividends"] == slow.dividends
    assert table["draw_deck"] == slow.deck
    assert sorted(table["removed_shares"]) == sorted(slow.removed)
    for company, pile in slow.stacks.items():
        stack = table["stacks"][company]
        assert stack["top"] == pile[-1]
        assert stack["height"] == len(pile)
        assert stack["value"] == slow.worth(company)
        built = [card for card in pile if card[0] not in "AL"]
        assert sorted(stack["built"]) == sorted(built)
    for name in LOCOMOTIVES:
        on = [company for company, pile in slow.stacks.items() if name in pile]
        assert table["locomotives"][name]["to"] == (on[0] if on else None)
        draw = slow.drawn.index(name) + 1 if name in slow.drawn else None
        assert table["locomotives"][name]["draw"] == draw
    for player, seat in enumerate(table["seats"]):
        assert sorted(seat["track"]) == sorted(slow.track[player])
        assert sorted(seat["shares"]) == sorted(slow.shares[player])
        assert sorted(seat["shown"]) == sorted(slow.shown[player])
        assert seat["choice"] == slow.chosen[player]
        assert seat["money"] == slow.money[player]
