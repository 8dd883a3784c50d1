"""Sets of cards chosen one by one: each legal set is reached in one way, and none dead-ends."""

from __future__ import annotations

import itertools
import random
from collections import Counter
from collections.abc import Iterable

import numpy as np
import pytest

from tests.games.railroad_run.tables import ORDER, PACK, Play

Set = tuple[str, ...]


def chosen_sets(play: Play) -> list[Set]:
    """Every set that a run of choices leads to, with repetitions, by following all.

    A run is over when its phase is; ``done`` ends it, ``withdraw`` is not followed.
    """
    found: list[Set] = []
    phase = play.phase

    def go_on(state: np.ndarray, chosen: Set) -> None:
        legal = np.flatnonzero(play.game.legal(state))
        assert legal.size, f"dead end after {chosen}"
        for action in legal:
            name = play.game.action_names[action]
            if name == "withdraw":
                continue
            after = state.copy()
            play.game.play(after, int(action))
            longer = chosen if name == "done" else (*chosen, name)
            turn_over = play.game.seat(after) != play.game.seat(state)
            if turn_over or name == "done" or play.game.table(after)["phase"] != phase:
                found.append(longer)
            else:
                go_on(after, longer)

    go_on(play.state, ())
    return found


def subsets(cards: Counter[str], sizes: Iterable[int]) -> set[Set]:
    """Every set of some sizes, by trying all."""
    listed = sorted(cards.elements(), key=ORDER.index)
    return {chosen for size in sizes for chosen in itertools.combinations(listed, size)}


def text(cards: Counter[str]) -> str:
    names = (f"{count} {name}" for name, count in cards.items())
    return ", ".join(names).replace("Rail (", "").replace(")", "")


def random_cards(seed: int, size: int) -> Counter[str]:
    pack = list((Counter(PACK) - Counter(["Train"])).elements())
    return Counter(random.Random(seed).sample(pack, size))


def assert_each_once(play: Play, expected: set[Set]) -> None:
    found = chosen_sets(play)
    assert len(found) == len(set(found))
    assert set(found) == expected


@pytest.mark.parametrize("seed", range(6))
def test_discards_in_the_accounting_phase(seed):
    hand = random_cards(seed, 10)
    play = Play(2, hands=[text(hand)]).do("done", "done")
    assert_each_once(play, subsets(hand, [3]))


@pytest.mark.parametrize("seed", range(4))
def test_discards_for_an_upgrade(seed):
    hand = random_cards(seed, 7)
    play = Play(2, hands=[text(hand + Counter(["Train"]))]).do("upgrade")
    assert_each_once(play, subsets(hand, [5]))


@pytest.mark.parametrize("seed", range(6))
def test_cards_kept_in_a_survey(seed):
    top = random_cards(seed, 7) - Counter(["Survey"])
    play = Play(2, hands=["Survey"], deck=text(top)).do("Survey")
    looked = Counter(play.deck[:7])
    assert_each_once(play, subsets(looked, [2]))


@pytest.mark.parametrize("seed", range(4))
def test_cards_that_an_offer_gives(seed):
    hand = random_cards(seed, 6)
    other = "Train"
    play = Play(2, hands=[text(hand), other]).do("offer")
    assert_each_once(play, subsets(hand, [1, 2, 3]))


def test_cards_that_an_offer_wants():
    in_play = Counter({"Train": 3, "City": 1, "Patent": 1})
    discard = text(Counter(PACK) - in_play - Counter(["Mail"]))
    play = Play(2, hands=["Mail", "3 Train"], deck="City, Patent", discard=discard)
    play.do("offer", "Mail", "done")
    wanted = subsets(in_play + Counter(["Mail"]), [1, 2, 3])
    found = []

    def go_on(state: np.ndarray, chosen: Set) -> None:
        for action in np.flatnonzero(play.game.legal(state)):
            name = play.game.action_names[action]
            if name == "send":
                found.append(chosen)
            elif name != "withdraw":
                after = state.copy()
                play.game.play(after, int(action))
                go_on(after, (*chosen, name))

    go_on(play.state, ())
    assert len(found) == len(set(found))
    assert set(found) == wanted
