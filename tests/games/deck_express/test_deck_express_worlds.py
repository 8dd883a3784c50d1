"""Determinize in Deck EXPRESS: all that a seat cannot know, by the deal's own probabilities.

Each test lists the possible worlds by itself, draws many, and compares (chi-square). Seeds are
fixed, so a result is the same in every run.
"""

from __future__ import annotations

import itertools
import math
from collections import Counter
from collections.abc import Callable, Hashable, Mapping, Sequence
from typing import Any

import pytest
from scipy import stats

from railenvs import SeatView
from tests.games.deck_express.tables import (
    COMPANIES,
    DECK_SIZE,
    GRID,
    LOCOMOTIVES,
    SEATS,
    SHARES,
    THIRDS,
    TRACK,
    Play,
    layouts_after,
    load,
)
from tests.play import random_states

SURPRISING = 1e-4
Table = dict[str, Any]


def worlds(play: Play, seat: int, count: int) -> list[Table]:
    game = play.game
    return [game.table(game.determinize(play.state, seat, seed)) for seed in range(count)]


def assert_spread(
    play: Play,
    seat: int,
    feature: Callable[[Table], Hashable],
    chances: Mapping[Any, float],
    count: int = 0,
) -> None:
    """Worlds dealt for a seat show a feature as often as its exact chances say."""
    count = count or max(400, math.ceil(10 / min(chances.values())))
    found = Counter(feature(world) for world in worlds(play, seat, count))
    assert set(found) <= set(chances)
    if len(chances) > 1:
        expected = [count * chance for chance in chances.values()]
        result = stats.chisquare([found[value] for value in chances], expected)
        assert result.pvalue > SURPRISING, (found, chances)
    assert sum(found.values()) == count


def uniform(possible: Sequence[Any]) -> dict[Any, float]:
    assert len(set(possible)) == len(possible)
    return dict.fromkeys(possible, 1 / len(possible))


# Locomotives


def places(world: Table) -> tuple[int, ...]:
    """The draws, from 1, at which the locomotives came or will come."""
    came = [world["locomotives"][name]["draw"] for name in LOCOMOTIVES]
    drawn = DECK_SIZE[len(world["seats"])] - world["deck_left"]
    coming = [draw for draw, card in enumerate(world["draw_deck"], drawn + 1) if card[0] == "L"]
    return (*(draw for draw in came if draw is not None), *coming)


@pytest.mark.parametrize(
    ("num_players", "setup", "drawn", "locomotives"),
    [
        # Before any draw.
        (2, "chart", 0, (7, 18)),
        (3, "chart", 0, (4, 14)),
        (4, "chart", 0, (3, 11)),
        (4, "thirds", 0, (1, 7)),
        # In the first window, which has come to nothing so far.
        (2, "chart", 9, (12, 18)),
        (3, "chart", 8, (9, 14)),
        (4, "chart", 7, (8, 11)),
        # Between the windows, and in the second one.
        (2, "chart", 12, (7, 23)),
        (3, "chart", 16, (4, 19)),
        (4, "chart", 15, (8, 16)),
        # By thirds: in the first third, after an empty first third, in the second.
        (2, "thirds", 4, (9, 18)),
        (3, "thirds", 3, (7, 20)),
        (4, "thirds", 6, (7, 13)),
        (4, "thirds", 9, (10, 14)),
        # By thirds, one came in the first third: at once, later in it, inside the second third,
        # and after it.
        (4, "thirds", 2, (2, 10)),
        (4, "thirds", 6, (5, 10)),
        (4, "thirds", 9, (5, 11)),
        (3, "thirds", 10, (3, 15)),
        (4, "thirds", 12, (5, 15)),
        (4, "thirds", 14, (5, 15)),
        # By thirds, one came in the second third, so the other is in the last.
        (4, "thirds", 8, (8, 15)),
        (2, "thirds", 14, (11, 22)),
        (4, "thirds", 15, (8, 16)),
    ],
)
def test_locomotives_lie_where_they_may_as_often_as_chance_has_it(
    num_players, setup, drawn, locomotives
):
    """Exactly as the setup would have laid them, given the draws so far."""
    came = [draw for draw in locomotives if draw <= drawn]
    stacks = {"spades": "L1"} if came else {}
    play = Play(num_players, setup=setup, drawn=drawn, locomotives=locomotives, stacks=stacks)
    assert_spread(play, 0, places, layouts_after(num_players, setup, drawn, came))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("num_players", "drawn", "locomotives"),
    [(4, 0, (1, 7)), (4, 9, (5, 11)), (3, 10, (3, 15))],
)
def test_thirds_of_unequal_size_are_weighed_exactly(num_players, drawn, locomotives):
    """Which thirds hold the locomotives: many worlds, since thirds differ by one place only."""
    came = [draw for draw in locomotives if draw <= drawn]
    play = Play(
        num_players,
        setup="thirds",
        drawn=drawn,
        locomotives=locomotives,
        stacks={"spades": "L1"} if came else {},
    )

    def thirds(draws: tuple[int, ...]) -> tuple[int, ...]:
        return tuple(sum(stop < draw for _, stop in THIRDS[num_players]) for draw in draws)

    chances: Counter[tuple[int, ...]] = Counter()
    for layout, chance in layouts_after(num_players, "thirds", drawn, came).items():
        chances[thirds(layout)] += chance
    assert_spread(play, 0, lambda world: thirds(places(world)), chances, count=6000)


def test_after_one_locomotive_in_the_first_third_the_others_share_what_is_left_by_size():
    """Four seats, thirds of 6, 6 and 5 places: nine draws in, one locomotive drawn at the fifth.

    Each third was as likely to hold the second one; half of the middle third is ruled out since.
    """
    chances = layouts_after(4, "thirds", 9, [5])
    middle = sum(chance for (_, later), chance in chances.items() if later <= 12)
    assert middle == pytest.approx((3 / 6) / (3 / 6 + 1))


# Track


def hidden_track(world: Table, me: int) -> tuple[Any, ...]:
    """Others' hands and the order of the draw deck."""
    hands = [
        tuple(sorted(seat["track"])) for other, seat in enumerate(world["seats"]) if other != me
    ]
    return (*hands, tuple(card for card in world["draw_deck"] if card in TRACK))


def splits(cards: Sequence[str], sizes: Sequence[int]) -> list[tuple[Any, ...]]:
    """Every way to deal cards into unordered hands of these sizes, the rest in every order."""
    if not sizes:
        return [(order,) for order in itertools.permutations(cards)]
    return [
        (tuple(sorted(hand)), *rest)
        for hand in itertools.combinations(cards, sizes[0])
        for rest in splits([card for card in cards if card not in hand], sizes[1:])
    ]


def nearly_all_built(kept: str, locomotives: int = 2) -> dict[str, str]:
    """All track but ``kept`` on its stacks, on top of the locomotives."""
    piles = {}
    for company, suit, locomotive in zip(COMPANIES, "SHDC", ("L1", "L2", "", ""), strict=True):
        track = [card for card in TRACK if card[-1] == suit and card not in kept.split()]
        below = [locomotive] if locomotive in LOCOMOTIVES[:locomotives] else []
        piles[company] = " ".join(below + track)
    return piles


def test_track_is_dealt_uniformly_to_one_other_hand_and_the_deck():
    """Two cards in the other hand, two in the deck: six hands, each with both orders."""
    stacks = nearly_all_built("5C 2S 9D 3H 10C")
    play = Play(2, stacks=stacks, drawn=26, track=("5C", "2S 9D"), deck="3H 10C")
    unseen = ["2S", "9D", "3H", "10C"]
    possible = splits(unseen, [2])
    assert len(possible) == 12
    assert_spread(play, 0, lambda world: hidden_track(world, 0), uniform(possible))


def test_track_is_dealt_uniformly_to_several_hands():
    """Hands of 2 and 1 and one card in the deck: every split is as likely."""
    stacks = nearly_all_built("2S 9D 5C 6C 3H 10C")
    play = Play(3, stacks=stacks, drawn=22, track=("2S 9D", "5C 6C", "3H"), deck="10C")
    possible = splits(["2S", "9D", "3H", "10C"], [2, 1])
    assert len(possible) == 12
    assert_spread(play, 1, lambda world: hidden_track(world, 1), uniform(possible))


def test_track_and_locomotive_are_dealt_independently():
    """By thirds, three cards before the end: where the locomotive lies, and who has which card."""
    play = Play(
        4,
        setup="thirds",
        stacks=nearly_all_built("5C 2S 3H 10C", locomotives=1),
        locomotives=(5, 16),
        drawn=15,
        track=("5C", "2S", "", ""),
        deck="3H 10C",
    )
    assert len(play.table["draw_deck"]) == 3
    possible = [
        (place, split) for place in (0, 1) for split in splits(["2S", "3H", "10C"], [1, 0, 0])
    ]
    assert len(possible) == 12

    def feature(world: Table) -> Hashable:
        return world["draw_deck"].index("L2"), hidden_track(world, 0)

    assert_spread(play, 0, feature, uniform(possible))


def test_own_hand_and_all_that_lies_open_stay():
    for num_players, setup in GRID:
        play = Play(num_players, setup=setup, stacks={"spades": "5S L1 9S"}, turn=1)
        for seat in range(num_players):
            view = play.game.table(play.state, seat)
            for seed in range(20):
                world = play.game.determinize(play.state, seat, seed)
                assert play.game.table(world, seat) == view
                table = play.game.table(world)
                assert play.game.table(play.game.from_table(table)) == table


# Shares


def hidden_shares(world: Table, me: int) -> tuple[Any, ...]:
    return tuple(
        tuple(sorted(seat["shares"])) for other, seat in enumerate(world["seats"]) if other != me
    )


def share_splits(cards: Sequence[str], sizes: Sequence[int]) -> list[tuple[Any, ...]]:
    """Every way to deal cards into hands of these sizes; the rest is removed."""
    if not sizes:
        return [()]
    return [
        (tuple(sorted(hand)), *rest)
        for hand in itertools.combinations(cards, sizes[0])
        for rest in share_splits([card for card in cards if card not in hand], sizes[1:])
    ]


@pytest.mark.parametrize(
    ("num_players", "dividends", "count"),
    [(2, 0, 84), (2, 1, 28), (2, 2, 7), (3, 1, 210), (3, 2, 20), (4, 1, 90), (4, 2, 6)],
)
def test_shares_are_dealt_uniformly_to_hands_and_the_removed(num_players, dividends, count):
    """Every deal of the shares a seat has not seen is as likely."""
    stacks = [{}, {"spades": "L1"}, {"spades": "L1", "hearts": "L2"}][dividends]
    play = Play(num_players, stacks=stacks)
    me = 1
    seats = play.table["seats"]
    seen = set(seats[me]["shares"]) | {share for seat in seats for share in seat["shown"]}
    unseen = [share for share in SHARES if share not in seen]
    possible = share_splits(unseen, [3 - dividends] * (num_players - 1))
    assert len(possible) == count
    assert_spread(play, me, lambda world: hidden_shares(world, me), uniform(possible))


# Choices laid aside


def test_a_choice_to_reveal_is_any_share_of_the_hand_dealt():
    """DE10: seat 0 has chosen one of its two; to seat 1 every hand and choice is as likely."""
    play = Play(
        2,
        phase="reveal_share",
        stacks={"spades": "L1", "hearts": "L2"},
        choices=("KS", None),
        shares=("QS KS", "QC KC"),
        shown=("JS", "JC"),
    )
    unseen = [share for share in SHARES if share not in ("QC", "KC", "JS", "JC")]
    possible = [(hand, choice) for (hand,) in share_splits(unseen, [2]) for choice in hand]
    assert len(possible) == 56

    def feature(world: Table) -> Hashable:
        first = world["seats"][0]
        return tuple(sorted(first["shares"])), first["choice"]

    assert_spread(play, 1, feature, uniform(possible))


def test_a_choice_to_pass_is_either_share_face_up():
    """DE10: the choices of seats 0 and 1 are independent, each either of two."""
    play = Play(
        3,
        phase="pass_share",
        stacks={"spades": "L1", "hearts": "L2"},
        shown=("JS QS", "JH QH", "JD QD"),
        choices=("QS", "JH", None),
    )
    possible = list(itertools.product(["JS", "QS"], ["JH", "QH"], [None]))
    assert_spread(
        play,
        2,
        lambda world: tuple(seat["choice"] for seat in world["seats"]),
        uniform(possible),
    )


def test_worlds_of_a_waiting_seat_stand_where_it_began_to_wait():
    """DE10: how far the others are is hidden, too; who has chosen sees its own choice alone."""
    play = Play(
        3,
        phase="pass_share",
        stacks={"spades": "L1", "hearts": "L2"},
        turn=1,
        shown=("JS QS", "JH QH", "JD QD"),
        choices=(None, "QH", "JD"),
    )
    chosen = {0: [False, True, True], 1: [False, True, False], 2: [False, True, True]}
    for seat in range(3):
        for number in range(20):
            world = play.game.determinize(play.state, seat, number)
            table = play.game.table(world)
            assert table["phase"] == "pass_share"
            assert [entry["choice"] is not None for entry in table["seats"]] == chosen[seat]
            assert table["seats"][seat]["choice"] == play.table["seats"][seat]["choice"]
            assert play.game.seat(world) == {0: 0, 1: 2, 2: 0}[seat]


def test_a_seat_cannot_tell_how_many_have_chosen():
    """Seat 2 drew and has chosen: its view and worlds stay the same while seat 0 chooses, and
    those of seat 1, which waits for its turn, while seats 2 and 0 do."""
    play = Play(
        3,
        phase="reveal_share",
        stacks={"spades": "L1", "hearts": "L2"},
        turn=2,
        shares=("QS KS", "QH KH", "QC KC"),
    )

    def seen(seat: int) -> tuple[SeatView, list[str]]:
        view = SeatView(play.game, play.state, seat)
        return view, [play.game.state_hash(view.sample_world(seed)) for seed in range(5)]

    waiting = seen(1)
    play.do("reveal QC")
    chose = seen(2)
    assert seen(1) == waiting
    play.do("reveal QS")
    assert seen(2) == chose
    assert play.seat == 1
    assert seen(1) != waiting


# What the result depends on


@pytest.mark.parametrize(("num_players", "setup"), GRID)
def test_worlds_depend_on_the_view_and_the_seed_alone(num_players, setup):
    """A world dealt from a world, whatever its hidden cards, is the one dealt from the truth."""
    game = load(num_players, setup)
    for number, state in enumerate(random_states(game, 9)):
        for seat in range(num_players):
            other = game.determinize(state, seat, 1000 + number)
            again = game.determinize(other, seat, number)
            assert game.state_hash(again) == game.state_hash(game.determinize(state, seat, number))


@pytest.mark.parametrize("num_players", SEATS)
def test_worlds_differ_in_what_is_hidden(num_players):
    """Else every test above would be one of a single world."""
    play = Play(num_players)
    decks = {tuple(world["draw_deck"]) for world in worlds(play, 0, 50)}
    hands = {tuple(world["seats"][1]["track"]) for world in worlds(play, 0, 50)}
    assert len(decks) == len(hands) == 50


def test_future_randomness_is_fresh():
    """Two worlds of different seeds go on differently; the true generator is in neither."""
    play = Play()
    randoms = {world["random"] for world in worlds(play, 0, 50)}
    assert len(randoms) == 50
    assert play.table["random"] not in randoms


def test_after_the_end_only_what_was_never_shown_is_open():
    """All shares and stacks are known; others' track may still be any of the unseen."""
    play = Play(3, phase="over", stacks={"spades": "L1", "hearts": "L2"})
    for world in worlds(play, 0, 20):
        assert world["draw_deck"] == []
        assert world["removed_shares"] == play.table["removed_shares"]
        assert [seat["score"] for seat in world["seats"]] == [
            seat["score"] for seat in play.table["seats"]
        ]
