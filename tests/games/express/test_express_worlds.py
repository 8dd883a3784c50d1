"""Determinize in EXPRESS: all that a seat cannot know, dealt uniformly over what may be.

Each test lists the possible deals by itself, draws many worlds, and compares (chi-square). Seeds
are fixed, so a result is the same in every run.
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Callable, Hashable
from typing import Any

import numpy as np
import pytest
from scipy import stats

from tests.games.express.tables import SEATS, TRAIN, Play, load
from tests.play import random_states

SURPRISING = 1e-4
WORLDS = 3000
TRAINS = {seat: (region, "") for seat, region in enumerate(TRAIN)}
Deal = tuple[tuple[str, ...], ...]


def spread(play: Play, seat: int, count: int = WORLDS) -> Counter[Any]:
    """How often each deal of the others' hands and the pack comes up."""
    found: Counter[Any] = Counter()
    for seed in range(count):
        table = play.game.table(play.game.determinize(play.state, seat, seed))
        hands = [
            tuple(sorted(other["hand"]))
            for number, other in enumerate(table["seats"])
            if number != seat
        ]
        found[(*hands, tuple(table["stock"]))] += 1
    return found


def deals(
    cards: list[tuple[str, str]],
    sizes: list[int],
    fits: Callable[[list[list[tuple[str, str]]]], bool],
) -> Counter[Any]:
    """Every deal of cards (face, kind) into hands of these sizes, the rest the pack, in order.

    Copies of a face are cards of their own.
    """
    found: Counter[Any] = Counter()
    for order in itertools.permutations(cards):
        places = [0, *itertools.accumulate(sizes), len(cards)]
        parts = [list(order[a:b]) for a, b in itertools.pairwise(places)]
        if fits(parts):
            hands = [tuple(sorted(face for face, _ in part)) for part in parts[:-1]]
            found[(*hands, tuple(face for face, _ in parts[-1]))] += 1
    return found


def assert_spread(found: Counter[Any], wanted: Counter[Any]) -> None:
    assert set(found) <= set(wanted)
    whole, total = sum(wanted.values()), sum(found.values())
    # Rare deals are pooled, so that each class is expected often enough.
    pools: dict[Hashable, list[float]] = {}
    for deal, ways in wanted.items():
        expected = total * ways / whole
        key = deal if expected >= 5 else ("pool", hash(deal) % max(1, total // 200))
        seen = pools.setdefault(key, [0, 0])
        seen[0] += found[deal]
        seen[1] += expected
    observed, expected = np.array(list(pools.values())).T
    assert len(pools) > 1
    assert stats.chisquare(observed, expected).pvalue > SURPRISING


def small(**given: Any) -> Play:
    """Four trains stand, three other hands of two cards, one or two cards in the pack."""
    hands = ["Red, Red, Red", "Green 1, Green 2", "Green 2, Pass", "Red, Pool Coach"]
    given = {"stock_size": 1, "hands": hands, "deck": "Pass", "face_up": "Pool Engine", **given}
    return Play(4, trains=TRAINS, **given)


def unseen(play: Play, seat: int) -> list[str]:
    table = play.table
    cards = list(table["stock"])
    for number, other in enumerate(table["seats"]):
        if number != seat:
            cards += other["hand"]
    return cards


def with_memory(play: Play, seat: int, change: Callable[[dict[str, Any]], None]) -> Play:
    """The same table, but what a seat remembers is changed."""
    table = play.table
    change(table["memory"][f"player_{seat}"])
    play.state = play.game.from_table(table)
    return play


def test_where_nothing_is_known_every_deal_is_as_likely():
    play = small()
    cards = [(face, "free") for face in unseen(play, 0)]
    assert len(cards) == 7
    assert_spread(spread(play, 0), deals(cards, [2, 2, 2], lambda parts: True))


def test_known_cards_stay_and_refused_ones_do_not_turn_up():
    trains = {seat: TRAINS[seat] for seat in (1, 2, 3)}
    hands = [
        "LMR Third Class Coach, LMR Restaurant Car, LMR Guard's Van, Red, Red, Red, Red, Green 1",
        "LMR Engine, Green 2",
        "LMR First Class Coach, Pass",
        "Green 1, Pool Coach",
    ]
    play = Play(4, trains=trains, hands=hands, deck="Green 2", stock_size=1, face_up="Pass")

    def change(memory):
        memory["player_1"]["known"] = ["Green 2"]
        memory["player_1"]["new_at_most"] = 1
        for bound in ("stock_at_most", "old_at_most"):
            memory[bound].remove("Green 2")
        memory["player_2"]["absent"] = ["LMR Engine"]
        memory["player_3"]["absent"] = ["LMR First Class Coach"]

    with_memory(play, 0, change)
    cards = [(face, "free") for face in unseen(play, 0)]
    cards.remove(("Green 2", "free"))

    def fits(parts):
        return ("LMR Engine", "free") not in parts[1] and (
            "LMR First Class Coach",
            "free",
        ) not in parts[2]

    wanted: Counter[Any] = Counter()
    for (first, *rest), ways in deals(cards, [1, 2, 2], fits).items():
        wanted[(tuple(sorted([*first, "Green 2"])), *rest)] += ways
    assert_spread(spread(play, 0), wanted)


@pytest.mark.parametrize(
    ("bounds"),
    [
        {1: (0, 0), 2: (0, 0), 3: (0, 0)},
        {1: (1, 1), 2: (0, 0), 3: (0, 0)},
        {1: (0, 1), 2: (1, 2), 3: (0, 0)},
        {1: (0, 2), 2: (0, 2), 3: (0, 2)},
    ],
    ids=str,
)
def test_after_a_shuffle_old_cards_are_in_hands_and_new_ones_where_some_were_drawn(bounds):
    """Each of seven cards was in the stock or in a hand when it was last shuffled."""
    drawn = [most for _, most in bounds.values()]
    hands = ["Red, Red, Red", "Green 1, Green 2", "Green 2, Pass", "Red, Pool Coach"]
    stock = ["Pass", "Green 1", "Pool Wagon"][: 3 - (sum(drawn) > 3)]
    play = small(hands=hands, deck=", ".join(stock), stock_size=len(stock))
    new = Counter(stock)
    if bounds[1] == (1, 1):
        new["Green 1"] += 1
    elif bounds[1] == (0, 1):
        new.update(["Green 2"])
    elif bounds[1] == (0, 2):
        new.update(["Green 1", "Pool Coach"])
    hidden = Counter(unseen(play, 0))
    old = hidden - new

    def change(memory):
        memory["stock_at_most"] = sorted(new.elements())
        memory["old_at_most"] = sorted(old.elements())
        for seat, (least, most) in bounds.items():
            facts = memory[f"player_{seat}"]
            facts["new_at_least"], facts["new_at_most"] = least, most

    with_memory(play, 0, change)
    cards = [(face, "new") for face in new.elements()]
    cards += [(face, "old") for face in old.elements()]

    def fits(parts):
        count = [sum(kind == "new" for _, kind in part) for part in parts]
        return count[3] == len(parts[3]) and all(
            least <= count[seat - 1] <= most for seat, (least, most) in bounds.items()
        )

    assert_spread(spread(play, 0), deals(cards, [2, 2, 2], fits))


def test_a_card_that_may_be_old_or_new_goes_either_way():
    """Of two Green 2 one was in a hand at the shuffle for certain; the other may have been."""
    play = small()
    hidden = Counter(unseen(play, 0))

    def change(memory):
        memory["stock_at_most"] = ["Pass", "Green 2"]
        memory["old_at_most"] = sorted((hidden - Counter(["Pass"])).elements())
        memory["player_1"]["new_at_least"] = 0
        memory["player_1"]["new_at_most"] = 1
        for other in ("player_2", "player_3"):
            memory[other]["new_at_most"] = 0

    with_memory(play, 0, change)
    kinds = {"Pass": "new", "Green 2": "free"}
    cards = []
    for face, count in hidden.items():
        for number in range(count):
            new = face in kinds and number == 0
            cards.append((face, kinds[face] if new else "old"))

    def fits(parts):
        new = [sum(kind == "new" for _, kind in part) for part in parts]
        old = [sum(kind == "old" for _, kind in part) for part in parts]
        return old[3] == 0 and new[0] <= 1 and new[1] == new[2] == 0

    assert_spread(spread(play, 0), deals(cards, [2, 2, 2], fits))


def test_who_is_asked_to_claim_holds_a_pass():
    trains = {0: TRAINS[0], 2: TRAINS[2], 3: TRAINS[3]}
    hands = ["Red, Red", "ER Engine, ER Restaurant Car, ER Guard's Van, Red, Red, Green 1, Green 1"]
    hands += ["Green 2, Pass", "Green 2, Pool Wagon"]
    play = Play(
        4,
        phase="claim",
        asked=2,
        trains=trains,
        hands=hands,
        face_up="ER Third Class Coach",
        deck="Pass",
        stock_size=1,
    )
    # To seat 1, which looks on, seven cards are unseen: two in each hand, one in the pack.
    cards = [(face, "free") for face in unseen(play, 1)]
    wanted = deals(cards, [2, 2, 2], lambda parts: ("Pass", "free") in parts[1])
    assert_spread(spread(play, 1), wanted)


def test_who_is_asked_which_card_to_hand_over_has_a_choice():
    trains = {seat: TRAINS[seat] for seat in (1, 2)} | {3: TRAINS[3]}
    hands = [
        "LMR Engine, LMR Guard's Van, Pass, Red, Red, Red, Red, Green 1",
        "LMR First Class Coach, LMR Third Class Coach",
        "Green 2, LMR Restaurant Car",
        "Green 1, Pool Coach",
    ]
    play = Play(
        4,
        phase="hand_over",
        asked=1,
        request="LMR Coach",
        trains=trains,
        hands=hands,
        face_up="Pass",
        deck="Green 2",
        stock_size=1,
    )
    cards = [(face, "free") for face in unseen(play, 0)]

    def fits(parts):
        return sum(face.startswith("LMR") for face, _ in parts[0]) > 1

    assert_spread(spread(play, 0), deals(cards, [2, 2, 2], fits))


def test_a_train_that_another_seat_is_laying_out_is_unmade():
    """Nobody can tell yet that it has one: its hand is dealt like any other."""
    hand = ", ".join([*TRAIN["WR"], "Pool Engine, Red, Red"])
    play = Play(hands=[hand]).do("lay out WR")
    hands = set()
    for seed in range(50):
        world = play.game.table(play.game.determinize(play.state, 1, seed))
        assert (world["phase"], world["turn"], world["laying"]) == ("act", 0, None)
        assert world["seats"][0]["chosen"] is None
        hands.add(tuple(world["seats"][0]["hand"]))
    assert len(hands) == 50
    own = play.game.table(play.game.determinize(play.state, 0, 1))
    assert (own["phase"], own["laying"]) == ("lay_out", "WR")
    assert own["seats"][0]["hand"] == play.table["seats"][0]["hand"]


@pytest.mark.parametrize("num_players", SEATS)
def test_what_others_remember_in_a_world_is_what_all_know(num_players):
    game = load(num_players)
    for state in itertools.islice(random_states(game, 5), None, None, 40):
        world = game.table(game.determinize(state, 0, 1))
        public = world["memory"]["public"]
        assert world["memory"]["player_0"] == game.table(state)["memory"]["player_0"]
        for seat in range(1, num_players):
            for other, facts in world["memory"][f"player_{seat}"].items():
                if other.startswith("player"):
                    assert facts == public[other]


def test_worlds_come_soon_enough_after_many_refusals():
    """Facts that rule out much leave deals that are found at once."""
    game = load(4)
    state = game.deal(0)
    for number in range(300):
        if game.is_over(state):
            break
        legal = np.flatnonzero(game.legal(state))
        # Ask whenever that is possible, else take what lies there.
        asks = [action for action in legal if 65 <= action < 101]
        game.play(state, int((asks or legal)[number % len(asks or legal)]))
        for seat in range(4):
            game.determinize(state, seat, number)
