"""Determinize: all that a seat cannot know, by the deal's own probabilities.

Each test counts the possible worlds by itself, draws many, and compares (chi-square). Seeds are
fixed, so a result is the same in every run.
"""

import itertools
from collections import Counter

import numpy as np
import pytest
from scipy import stats

from tests.games.tchu_tchu_train.tables import (
    PACK,
    PLAIN,
    Play,
    card_index,
    cells_of,
    load,
    make_table,
)
from tests.play import random_states

SURPRISING = 1e-4


def worlds(play, seat, count):
    """Worlds as records, which are quicker than tables."""
    for seed in range(count):
        yield play.game.determinize(play.state, seat, seed)[0]


def copies(world, seat, card):
    """How many copies of a card a seat holds in a world."""
    return int(world["hand"][seat, card_index(card)])


def deck(world):
    """The cards of a world's deck, in order."""
    return [PACK[card] for card in world["deck"][world["drawn"] :]]


def assert_spread(play, seat, feature, chances, count):
    found = Counter(feature(world) for world in worlds(play, seat, count))
    assert set(found) <= set(chances)
    total = sum(chances.values())
    expected = [count * chance / total for chance in chances.values()]
    assert min(expected) >= 5
    result = stats.chisquare([found[value] for value in chances], expected)
    assert result.pvalue > SURPRISING, (found, chances)


def late(hand="", other="", known="", deck=4):
    """Two seats; so few cards are left that all worlds can be counted.

    Played cards lie on the board: trains of both seats and stations.
    """
    table = make_table(2, hands=[hand, other], row="KC KC QC QC")
    spare = table["draw_deck"]
    kept, played = spare[-deck:], spare[:-deck]
    table["draw_deck"] = kept
    free = list(cells_of(PLAIN).items())
    for number, card in enumerate(played[:58]):
        name, _ = next(cell for cell in free if cell[1].startswith(f"{card}/"))
        free = [cell for cell in free if cell[0] != name]
        line, column = name.split("c")
        table["board"][line][f"c{column}"] += f" {number % 2}"
    table["draw_deck"] = kept + played[58:]
    table["memory"] = {"seat_1": known.split()}
    return Play.on(table, 2)


def test_hidden_cards_are_spread_evenly_over_hand_and_deck():
    """Each unseen copy is as likely at each hidden place."""
    play = late()
    table = play.table()
    unseen = Counter(table["seats"][1]["hand"] + table["draw_deck"])
    hidden = sum(unseen.values())
    card, times = unseen.most_common()[-1]
    assert times == 1
    count = 4000
    in_hand = sum(copies(world, 1, card) for world in worlds(play, 0, count))
    result = stats.binomtest(in_hand, count, 7 / hidden)
    assert result.pvalue > SURPRISING


def test_every_order_of_the_deck_is_as_likely():
    play = late()
    table = play.table()
    unseen = Counter(table["seats"][1]["hand"] + table["draw_deck"])
    assert_spread(play, 0, lambda world: deck(world)[0], unseen, 6000)
    assert_spread(play, 0, lambda world: deck(world)[-1], unseen, 6000)


def test_known_cards_stay_and_the_rest_of_the_hand_is_dealt():
    play = late(other="JC JC 10C", known="JC 10C")
    unseen = Counter(play.table()["seats"][1]["hand"] + play.table()["draw_deck"])
    unseen -= Counter(["JC", "10C"])
    hidden = sum(unseen.values())
    count = 3000
    both = 0
    for world in worlds(play, 0, count):
        assert copies(world, 1, "JC") >= 1
        assert copies(world, 1, "10C") >= 1
        assert world["hand"][1].sum() == 7
        both += copies(world, 1, "JC") == 2
    assert unseen["JC"] == 1
    assert stats.binomtest(both, count, 5 / hidden).pvalue > SURPRISING


def test_pairs_come_as_often_as_copies_make_them():
    """Two unseen copies of a card lie in one hand as often as any two places of so many."""
    play = Play(2, hands=["AS 2S 3S 4S 5S 6S 7S"], row="8S 9S 10S JS")
    unseen = Counter(play.table()["seats"][1]["hand"] + play.table()["draw_deck"])
    assert unseen["AD"] == 2
    hidden = sum(unseen.values())
    chances = {
        2: 7 * 6,
        1: 2 * 7 * (hidden - 7),
        0: (hidden - 7) * (hidden - 8),
    }
    assert_spread(play, 0, lambda world: copies(world, 1, "AD"), chances, 4000)


def test_own_cards_and_all_that_is_open_stay():
    tokens = {"r8c13": "S", "r1c1": "2"}
    play = Play(3, tokens=tokens, jokers=[1], known={2: "KH"}, hands=["", "", "KH"])
    before = play.table(0)
    for seed in range(20):
        world = play.game.table(play.game.determinize(play.state, 0, seed))
        for key in ("row", "board", "discards", "deck_left", "memory", "phase", "turn"):
            assert world[key] == before[key]
        assert world["seats"][0] == before["seats"][0]
        assert [seat["joker"] for seat in world["seats"]] == [False, True, False]
        assert [seat["hand_size"] for seat in world["seats"]] == [7, 7, 7]


def test_two_hands_and_the_deck_share_the_hidden_cards_fairly():
    play = Play(3, row="8S 9S 10S JS", hands=["AS AS 2S 2S 3S 3S 4S"])
    unseen = Counter(play.table()["draw_deck"])
    for seat in (1, 2):
        unseen += Counter(play.table()["seats"][seat]["hand"])
    hidden = sum(unseen.values())

    def where(world):
        for seat in (1, 2):
            if copies(world, seat, "4S"):
                return seat
        return 0

    assert unseen["4S"] == 1
    assert_spread(play, 0, where, {0: hidden - 14, 1: 7, 2: 7}, 4000)


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_in_every_world_the_seat_to_act_can_act(seats):
    """No card is dead: whatever hand is dealt to it has a legal action."""
    game = load(seats, "default")
    for seed in range(2):
        for state in list(random_states(game, seed))[:-1:7]:
            for seat, number in itertools.product(range(seats), range(2)):
                world = game.determinize(state, seat, number)
                assert game.legal(world).any()
                if seat == game.seat(state):
                    assert (game.legal(world) == game.legal(state)).all()


def test_worlds_do_not_read_the_cards_they_replace():
    """Other hidden cards, the same worlds."""
    one = make_table(2, hands=["AS 2S 3S 4S 5S 6S 7S"], row="8S 9S 10S JS")
    other = make_table(2, hands=["AS 2S 3S 4S 5S 6S 7S", "KC KC QC QC JC"], row="8S 9S 10S JS")
    game = load(2)
    states = [game.from_table(table) for table in (one, other)]
    assert states[0].tobytes() != states[1].tobytes()
    for seed in range(20):
        first, second = (game.determinize(state, 0, seed) for state in states)
        assert np.array_equal(first.view(np.uint8), second.view(np.uint8))
