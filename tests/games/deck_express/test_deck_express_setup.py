"""Components and Setup of Deck EXPRESS, with the arithmetic of the draw deck."""

from __future__ import annotations

import functools
from collections import Counter
from typing import Any

import pytest
from scipy import stats

from railenvs import deck_express_v0
from tests.games.deck_express.tables import (
    CHART_STRETCHES,
    COMPANIES,
    DECK_SIZE,
    GRID,
    LOCOMOTIVES,
    SEATS,
    SHARES,
    SUITS,
    THIRDS,
    TRACK,
    layouts,
    load,
)
from tests.play import random_states

SURPRISING = 1e-4
"""Seeds are fixed: a fit less likely than this is a fault, never bad luck of the day."""


@functools.cache
def deal(num_players: int, setup: str, seed: int) -> dict[str, Any]:
    game = load(num_players, setup)
    return game.table(game.deal(seed))


def deals(num_players: int, setup: str, count: int) -> list[dict[str, Any]]:
    return [deal(num_players, setup, seed) for seed in range(count)]


def locomotive_draws(table: dict[str, Any]) -> tuple[int, int]:
    """The draws, from 1, of a fresh deal's two locomotives."""
    first, second = (draw for draw, card in enumerate(table["draw_deck"], 1) if card in LOCOMOTIVES)
    return first, second


def all_cards(table: dict[str, Any]) -> list[str]:
    """Every card on the table, wherever it lies; the aces of the stacks go without saying."""
    cards = [*table["draw_deck"], *table["removed_shares"]]
    for stack in table["stacks"].values():
        cards += stack["built"]
    for seat in table["seats"]:
        cards += seat["track"] + seat["shares"] + seat["shown"]
    came = [name for name in LOCOMOTIVES if table["locomotives"][name]["draw"] is not None]
    return cards + came


# Components


@pytest.mark.parametrize(("num_players", "setup"), GRID)
def test_all_54_cards_are_somewhere_at_every_moment(num_players, setup):
    """Components: 36 track, 12 shares and 2 locomotives besides the 4 aces, each exactly once."""
    game = load(num_players, setup)
    for seed in range(3):
        for state in random_states(game, seed):
            assert sorted(all_cards(game.table(state))) == sorted([*TRACK, *SHARES, *LOCOMOTIVES])


def test_the_game_is_for_two_to_four_with_three_by_default():
    assert deck_express_v0.env().unwrapped.game.num_players == 3
    for num_players in (1, 5):
        with pytest.raises(ValueError, match=f"num_players must be from 2 to 4, not {num_players}"):
            deck_express_v0.env(num_players=num_players)


def test_setup_is_the_chart_by_default_and_thirds_by_option():
    assert load(3).options["setup"] == "chart"
    assert deck_express_v0.env(setup="thirds").unwrapped.game.options["setup"] == "thirds"
    with pytest.raises(ValueError, match="setup must be one of 'chart', 'thirds', not 'halves'"):
        deck_express_v0.env(setup="halves")


# Setup 1 to 4: hands and stacks


@pytest.mark.parametrize(("num_players", "setup"), GRID)
def test_each_player_starts_with_three_shares_and_five_track(num_players, setup):
    for table in deals(num_players, setup, 20):
        for seat in table["seats"]:
            assert (len(seat["shares"]), len(seat["track"]), seat["hand_size"]) == (3, 5, 8)
            assert set(seat["shares"]) <= set(SHARES)
            assert set(seat["track"]) <= set(TRACK)
            assert (seat["shown"], seat["choice"], seat["money"]) == ([], None, 0)


@pytest.mark.parametrize(("num_players", "removed"), [(2, 6), (3, 3), (4, 0)])
def test_shares_not_dealt_are_removed_and_never_drawn(num_players, removed):
    """DE3: undealt shares leave the game; the draw deck is locomotives and track alone."""
    for table in deals(num_players, "chart", 50):
        assert len(table["removed_shares"]) == removed
        assert not set(table["draw_deck"]) & set(SHARES)


@pytest.mark.parametrize("num_players", SEATS)
def test_shares_are_shuffled(num_players):
    """Setup 1: every share is as likely in each hand and among the removed ones."""
    owners: Counter[tuple[str, str]] = Counter()
    count = 600
    for table in deals(num_players, "chart", count):
        for place, seat in enumerate(table["seats"]):
            owners.update((share, f"seat {place}") for share in seat["shares"])
        owners.update((share, "removed") for share in table["removed_shares"])
    for share in SHARES:
        found = [owners[share, f"seat {place}"] for place in range(num_players)]
        wanted = [count / 4] * num_players
        if num_players < 4:
            found.append(owners[share, "removed"])
            wanted.append(count - sum(wanted))
        assert stats.chisquare(found, wanted).pvalue > SURPRISING


@pytest.mark.parametrize("num_players", SEATS)
def test_track_is_shuffled(num_players):
    """Setup 4: every track card is as likely the first of the draw deck, or in the first hand."""
    first = Counter()
    held = Counter()
    for table in deals(num_players, "chart", 1000):
        first[next(card for card in table["draw_deck"] if card in TRACK)] += 1
        held.update(table["seats"][0]["track"])
    for found in (first, held):
        assert stats.chisquare([found[card] for card in TRACK]).pvalue > SURPRISING


@pytest.mark.parametrize("num_players", SEATS)
def test_the_four_aces_start_the_stacks_and_pay_one(num_players):
    """Setup 2, first worked example: an ace lies open on each stack, all stacks pay 1."""
    table = deal(num_players, "chart", 0)
    assert table["stacks"] == {
        company: {"top": f"A{suit}", "height": 1, "value": 1, "built": []}
        for company, suit in SUITS.items()
    }


# Setup 5: the draw deck


@pytest.mark.parametrize(
    ("num_players", "layers", "size", "first", "second"),
    [
        (2, [(6, 0), (5, 1), (5, 0), (5, 1), (5, 0)], 28, (7, 12), (18, 23)),
        (3, [(3, 0), (5, 1), (4, 0), (5, 1), (4, 0)], 23, (4, 9), (14, 19)),
        (4, [(2, 0), (5, 1), (2, 0), (5, 1), (2, 0)], 18, (3, 8), (11, 16)),
    ],
)
def test_chart_lays_five_layers_from_bottom_to_top(num_players, layers, size, first, second):
    """DE1: the layer of step c goes on top of that of step b; from the top the rest comes first."""
    assert sum(map(sum, layers)) == size == DECK_SIZE[num_players]
    assert CHART_STRETCHES[num_players] == (first, second)
    for table in deals(num_players, "chart", 200):
        deck = table["draw_deck"]
        assert len(deck) == table["deck_left"] == size
        for track, locomotives in layers:
            layer, deck = deck[: track + locomotives], deck[track + locomotives :]
            assert sum(card in TRACK for card in layer) == track
            assert sum(card in LOCOMOTIVES for card in layer) == locomotives


@pytest.mark.parametrize("num_players", SEATS)
def test_each_locomotive_is_as_likely_at_each_of_six_places(num_players):
    """DE1: over 1000 deals each of the 36 pairs of places occurs as often as chance has it."""
    found = Counter(locomotive_draws(table) for table in deals(num_players, "chart", 1000))
    wanted = layouts(num_players, "chart")
    assert found.keys() == wanted.keys()
    assert len(wanted) == 36
    assert stats.chisquare([found[places] for places in wanted]).pvalue > SURPRISING


@pytest.mark.parametrize("num_players", SEATS)
def test_chart_never_ends_with_a_locomotive(num_players):
    """Drawing a locomotive and drawing the last card never coincide."""
    assert all(table["draw_deck"][-1] in TRACK for table in deals(num_players, "chart", 300))


@pytest.mark.parametrize(("num_players", "sharing"), [(2, 3), (3, 4), (4, 4)])
def test_chart_may_put_both_locomotives_in_one_third(num_players, sharing):
    """DE2: the rulebook's chart stands over the overview's thirds, so a third may hold both."""

    def third(draw: int) -> int:
        return sum(stop < draw for _, stop in THIRDS[num_players])

    pairs = {
        places for places in layouts(num_players, "chart") if third(places[0]) == third(places[1])
    }
    assert len(pairs) == sharing
    assert pairs & {locomotive_draws(table) for table in deals(num_players, "chart", 300)}


@pytest.mark.parametrize("num_players", SEATS)
def test_thirds_put_each_locomotive_in_a_third_of_its_own(num_players):
    """DE2: by option, two different random thirds, any place in each but the very last card."""
    found = Counter(locomotive_draws(table) for table in deals(num_players, "thirds", 3000))
    wanted = layouts(num_players, "thirds")
    assert found.keys() <= wanted.keys()
    assert max(later for _, later in wanted) == DECK_SIZE[num_players] - 1
    expected = [3000 * chance for chance in wanted.values()]
    assert stats.chisquare([found[places] for places in wanted], expected).pvalue > SURPRISING


def test_thirds_split_the_deck_as_evenly_as_whole_cards_allow():
    """DE2: third k of D cards is the draws floor(kD/3)+1 to floor((k+1)D/3)."""
    for num_players, size in DECK_SIZE.items():
        spans = [[k * size // 3 + 1, (k + 1) * size // 3] for k in range(3)]
        spans[-1][1] -= 1
        assert [list(span) for span in THIRDS[num_players]] == spans


# Setup 6: the start player


@pytest.mark.parametrize("num_players", SEATS)
def test_start_player_is_drawn_by_lot(num_players):
    """DE22: a seed fixes who begins, and every seat is as likely."""
    starts = Counter(table["turn"] for table in deals(num_players, "chart", 900))
    assert stats.chisquare([starts[seat] for seat in range(num_players)]).pvalue > SURPRISING
    env = deck_express_v0.env(num_players)
    for seed in range(5):
        env.reset(seed=seed)
        assert env.agent_selection == f"player_{deal(num_players, 'chart', seed)['turn']}"


@pytest.mark.parametrize("num_players", SEATS)
def test_start_player_may_be_fixed(num_players):
    """DE22: with the option the named seat begins whatever the seed, and the deal is the same."""
    env = deck_express_v0.env(num_players)
    for seat in range(num_players):
        for seed in range(5):
            env.reset(seed=seed, options={"first_player": seat})
            assert env.agent_selection == f"player_{seat}"
            fixed = env.unwrapped.table()
            assert fixed["turn"] == seat
            env.reset(seed=seed)
            assert env.unwrapped.table()["draw_deck"] == fixed["draw_deck"]
            assert env.unwrapped.table()["seats"] == fixed["seats"]


def test_companies_are_the_four_suits():
    table = deal(3, "chart", 0)
    assert tuple(table["stacks"]) == COMPANIES == ("spades", "hearts", "diamonds", "clubs")
