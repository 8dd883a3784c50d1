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

from railenvs import SeatView
from tests.games.express.tables import COPIES, FACES, SEATS, TRAIN, Play, load
from tests.play import difference, random_states

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


@pytest.mark.slow
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


WINDOW = {
    "trains": {0: TRAINS[0], 2: TRAINS[2], 3: TRAINS[3]},
    "hands": [
        "Red, Red",
        "ER Engine, ER Restaurant Car, ER Guard's Van, Red, Red, Green 1, Green 1",
        "Green 2, Pass",
        "Green 2, Pool Wagon",
    ],
    "face_up": "ER Third Class Coach",
    "deck": "Pass",
    "stock_size": 1,
}


def test_an_open_window_leaves_worlds_as_if_nobody_held_a_pass():
    """To who looks on all deals are as likely, a Pass in the hand asked or not."""
    play = Play(4, phase="claim", asked=2, **WINDOW)
    cards = [(face, "free") for face in unseen(play, 1)]
    assert_spread(spread(play, 1), deals(cards, [2, 2, 2], lambda parts: True))


def worlds(play, seat):
    return [play.game.determinize(play.state, seat, seed) for seed in range(30)]


def test_views_and_worlds_are_the_same_with_and_without_a_silent_holder():
    asked = Play(4, phase="claim", asked=2, **WINDOW)
    before = Play(4, phase="draw", **WINDOW)
    none = {**WINDOW, "hands": [*WINDOW["hands"][:2], "Green 2, Pool Wagon", "Green 2, Pass"]}
    # Seat 3 sees the Pass in its own hand where seat 2 has none.
    for other, seats in ((before, (0, 1, 3)), (Play(4, phase="draw", **none), (0, 1))):
        for seat in seats:
            assert not difference(worlds(asked, seat), worlds(other, seat))
            one, two = (SeatView(play.game, play.state, seat) for play in (asked, other))
            assert not difference(one.observation, two.observation)
            assert not difference(one.action_mask, two.action_mask)
            assert not difference(one.table(), two.table())
            assert not difference(one.sample_world(3), two.sample_world(3))
    assert all(asked.game.seat(world) == 2 for world in worlds(asked, 2))


ASKED = {
    "hands": [
        "LMR Engine, Pass, Red, Red",
        "ER First Class Coach, ER Third Class Coach, SR Engine",
        "SR Brake Van, Green 1",
    ]
}


def test_views_and_worlds_are_the_same_with_and_without_a_choice_to_hand_over():
    before = Play(**ASKED)
    asked = Play(**ASKED).do("ask seat +1 for ER Coach")
    assert asked.phase == "hand_over"
    for seat in (0, 2):
        assert not difference(worlds(asked, seat), worlds(before, seat))
        one, two = (SeatView(play.game, play.state, seat) for play in (asked, before))
        assert not difference(one.observation, two.observation)
        assert not difference(one.table(), two.table())


def test_who_hands_over_has_worlds_in_which_the_asker_holds_a_pass():
    """Asking shows it; so the choice leaves no world with less than no Pass in a hand."""
    play = Play(**ASKED).do("ask seat +1 for ER Coach")
    assert play.view(1)["memory"]["player_0"]["known"] == ["Pass"]
    assert play.faces(1, "known", 1) == Counter(["Pass"])
    for world in worlds(play, 1):
        assert "Pass" in play.game.table(world)["seats"][0]["hand"]
        play.game.play(world, play.game.action_names.index("choose ER First Class Coach"))
        assert (world["hand"] >= 0).all()
        play.game.from_table(play.game.table(world))
    play.do("choose ER First Class Coach")
    assert play.view(1)["memory"]["player_0"]["known"] == ["ER First Class Coach"]


def test_who_hands_over_has_worlds_that_agree_with_what_is_public():
    """Seat 0 has drawn one of the new cards, seat 2 one at most; nobody can tell which.

    The Pass that seat 0 shows may be that card. But if the new Pass is in the pack, it is not, and
    then seat 0 holds another new card.
    """
    hands = [
        "WR Engine, Pass, Red, Red",
        "ER First Class Coach, ER Third Class Coach, Green 2",
        "Green 1, Green 1, Red",
    ]
    play = Play(3, hands=hands, deck="Pass, Green 1", stock_size=2)
    table = play.table
    new = ["WR Engine", "Green 1", "Pass"]
    for row in ("public", "player_1"):
        memory = table["memory"][row]
        old = Counter(memory["old_at_most"]) - Counter(new)
        memory.update(stock_at_most=[*new, "Green 1"], old_at_most=sorted(old.elements()))
        memory["player_0"].update(new_at_least=1, new_at_most=1)
        memory["player_2"].update(new_at_least=0, new_at_most=1)
    table["memory"]["public"]["player_1"].update(new_at_least=0, new_at_most=0)
    play.state = play.game.from_table(table)
    play.do("ask seat +1 for ER Coach")
    for seed in range(150):
        world = play.game.table(play.game.determinize(play.state, 1, seed))
        play.game.from_table(world)
        held = world["seats"][0]["hand"]
        assert "Pass" not in world["stock"] or {"WR Engine", "Green 1"} & set(held)


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


@pytest.mark.parametrize("num_players", [3, 4])
def test_worlds_of_worlds_agree_with_what_is_public(num_players):
    """A search asks what another seat may think: its worlds are tables that can come up, too."""
    game = load(num_players)
    for number, state in enumerate(itertools.islice(random_states(game, 0), 91, 420, 7)):
        seat = number % num_players
        world = game.determinize(state, seat, number)
        for other in {*range(num_players)} - {seat}:
            second = game.table(game.determinize(world, other, number + 1))
            assert second["memory"]["public"] == game.table(state)["memory"]["public"]
            assert game.table(game.from_table(second)) == second


def test_a_seat_remembers_in_a_world_which_of_its_own_cards_are_new():
    """A Green 1 and a Pass were shuffled into the pack. Seat 1 alone has drawn, once.

    So it knows what is left there, whichever of the two it holds.
    """
    hands = ["Red, Green 1, Red", "Green 1, Green 2", "Green 2, Pass", "Red, Pool Coach"]
    play = small(hands=hands)
    table = play.table
    for row in ("public", "player_3"):
        memory = table["memory"][row]
        old = Counter(memory["old_at_most"]) - Counter(["Green 1", "Pass"])
        memory.update(stock_at_most=["Green 1", "Pass"], old_at_most=sorted(old.elements()))
        for name in memory.keys() & {f"player_{seat}" for seat in range(4)}:
            drawn = int(name == "player_1")
            memory[name].update(new_at_least=drawn, new_at_most=drawn)
    play.state = play.game.from_table(table)
    left = Counter()
    for seed in range(100):
        world = play.game.determinize(play.state, 3, seed)
        stock = play.game.table(world)["stock"]
        assert play.game.table(world, 1)["stock_at_most"] == stock
        left.update(stock)
    assert set(left) == {"Green 1", "Pass"}


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


def crowded():
    """Three hands of 20 vehicles, of which each certainly lacks all that the other two hold."""
    play = Play(4, phase="draw", turns=40)
    table = play.table
    vehicles = [card for region in TRAIN.values() for card in region]
    hands = [vehicles[0::3], vehicles[1::3], [*vehicles[2::3], "Red"]]
    rest = [face for face in FACES for _ in range(COPIES[face])]
    for card in itertools.chain(*hands):
        rest.remove(card)
    for seat, hand in enumerate([rest[:7], *hands]):
        table["seats"][seat]["hand"] = hand
    table["pile"], table["stock"], table["face_up"] = rest[7:11], rest[11:], rest[10]
    del table["memory"], table["stock_left"]
    play.state = play.game.from_table(table)
    table = play.table
    memory = table["memory"]["player_0"]
    for seat, hand in enumerate(hands, 1):
        others = [card for other in hands for card in other if other is not hand]
        memory[f"player_{seat}"]["absent"] = [card for card in others if card != "Red"]
    play.state = play.game.from_table(table)
    return play, hands


def test_worlds_come_at_once_where_nearly_all_is_known():
    play, hands = crowded()
    for seed in range(20):
        world = play.game.table(play.game.determinize(play.state, 0, seed))
        for seat, hand in enumerate(hands, 1):
            lacked = {card for other in hands for card in other} - set(hand) - {"Red"}
            assert not lacked & set(world["seats"][seat]["hand"])
