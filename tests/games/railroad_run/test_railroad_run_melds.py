"""Operations Phase: what melds hold, what they score, shares; and victory."""

from __future__ import annotations

import itertools
import random
from collections import Counter

import numpy as np
import pytest

from tests.games.railroad_run.tables import (
    BONUSES,
    INDUSTRIES,
    ORDER,
    PACK,
    RAILS,
    TERRAINS,
    Play,
)

KIND = {
    **dict.fromkeys(PACK, "events"),
    "Train": "trains",
    **dict.fromkeys(RAILS, "rails"),
    "City": "places",
    "Town": "places",
    **dict.fromkeys(INDUSTRIES, "industries"),
    **dict.fromkeys(BONUSES, "bonuses"),
}


def is_meld(cards: Counter[str]) -> bool:
    count = Counter()
    for name, copies in cards.items():
        count[KIND[name]] += copies
    return (
        count["trains"] == 1
        and count["rails"] >= 1
        and 2 <= count["places"] <= count["rails"] + 1
        and count["industries"] <= count["places"]
        and count["bonuses"] <= 2
        and count["events"] == 0
    )


def all_melds(hand: Counter[str]) -> set[tuple[str, ...]]:
    """Every legal meld of a hand, by trying all its subsets."""
    names = [name for name in ORDER if hand[name]]
    found = set()
    for copies in itertools.product(*(range(hand[name] + 1) for name in names)):
        meld = Counter(dict(zip(names, copies, strict=True)))
        if is_meld(meld):
            found.add(tuple(sorted(meld.elements(), key=ORDER.index)))
    return found


def reached(play: Play) -> list[tuple[str, ...]]:
    """Every set that the runs of small decisions lead to, with repetitions, by following all."""
    found = []

    def go_on(state: np.ndarray, chosen: tuple[str, ...]) -> None:
        legal = np.flatnonzero(play.game.legal(state))
        assert legal.size, f"dead end after {chosen}"
        for action in legal:
            name = play.game.action_names[action]
            if name == "done":
                found.append(chosen)
            else:
                after = state.copy()
                play.game.play(after, int(action))
                go_on(after, (*chosen, name))

    go_on(play.state, ())
    return found


def random_hand(chance: random.Random, size: int) -> Counter[str]:
    pack = list(Counter(PACK).elements())
    # Trains and rails more often than in the pack, so that most hands hold a meld.
    base = chance.sample(["Train", *RAILS, "City", "City", "Town"], 4)
    return Counter([*base, *chance.sample(pack, size - 4)])


@pytest.mark.parametrize("seed", range(40))
def test_every_legal_meld_is_reached_in_exactly_one_way(seed):
    hand = random_hand(random.Random(seed), 8)
    if any(hand[name] > PACK[name] for name in hand):
        hand = Counter(["Train", "City", "City", "Town", RAILS[0], "Station", "Mail", "Freight"])
    text = ", ".join(f"{count} {name}" for name, count in hand.items())
    melds = reached(Play(2, hands=[text.replace("Rail (", "").replace(")", "")]).do("done"))
    assert len(melds) == len(set(melds))
    assert set(melds) == all_melds(hand) | {()}


@pytest.mark.parametrize(
    ("hand", "meld"),
    [
        ("Train, Plains, 2 City", True),
        ("Train, Plains, City, Town", True),
        ("Train, Plains, City", False),  # two cities or towns at least
        ("Plains, 2 City, Town", False),  # a train
        ("Train, 2 City, Town", False),  # a rail
    ],
)
def test_least_that_a_meld_holds(hand, meld):
    play = Play(2, hands=[f"{hand}, Patent"]).do("done")
    assert ("Train" in play.legal) == meld


def test_one_train_alone():
    play = Play(2, hands=["2 Train, Plains, 2 City"]).do("done", "Train")
    assert play.legal == {RAILS[1]}


def test_cities_and_towns_are_at_most_one_more_than_rails():
    play = Play(2, hands=["Train, 2 Plains, 2 City, 3 Town"]).do("done")
    play.choose("Train, 2 Plains, 2 City, Town")
    assert play.legal == {"done"}


def test_industries_are_at_most_as_many_as_cities_and_towns():
    play = Play(2, hands=["Train, Plains, 2 City, 3 Station"]).do("done")
    play.choose("Train, Plains, 2 City, 2 Station")
    assert play.legal == {"done"}


def test_bonuses_are_at_most_two():
    play = Play(2, hands=["Train, Plains, 2 City, Mail, Express, Freight"]).do("done")
    play.choose("Train, Plains, 2 City, Mail, Express")
    assert play.legal == {"done"}


@pytest.mark.parametrize(
    ("meld", "points"),
    [
        ("Train, Plains, 2 Town", 4),
        ("Train, Plains, 2 City", 6),
        ("Train, Plains, 2 Town, Factory", 6),
        ("Train, Plains, 2 Town, Gold Mine", 6),
        ("Train, Mountains, 2 Town, Gold Mine", 7),
        ("Train, 3 Mountains, 2 Town, Gold Mine", 9),  # the extra once
        ("Train, Hills, 2 Town, Coal Mine", 7),
        ("Train, Desert, 2 Town, Oil Drilling", 7),
        ("Train, Forest, 2 Town, Paper Mill, Saw Mill", 10),
        ("Train, Coastal, 2 Town, Port, Fishing", 9),
        ("Train, Plains, 2 Town, Express", 5),
        ("Train, Plains, 2 Town, 2 Mail", 8),
        ("Train, 2 Plains, 2 City, Town, Passengers", 10),
        ("Train, 3 Plains, 2 Town, 2 Long Haul", 12),
        ("Train, Plains, 2 Town, 2 Station, Freight", 8),
        ("Train, Plains, 2 Town, Freight", 4),
    ],
)
def test_meld_scores_the_sum_of_its_cards(meld, points):
    play = Play(2, hands=[meld]).meld(meld)
    assert play.income[0] == 5 + points


@pytest.mark.parametrize(
    ("industry", "terrain", "points", "points_without"),
    [
        ("Station", None, None, 5),
        ("Copper Mine", "Mountains", 6, 5),
        ("Gold Mine", "Mountains", 7, 6),
        ("Quarry", "Mountains", 6, 5),
        ("Fishing", "Coastal", 6, 5),
        ("Port", "Coastal", 7, 6),
        ("Coal Mine", "Hills", 7, 5),
        ("Dairy Farms", "Hills", 6, 5),
        ("Cattle Ranch", "Plains", 7, 6),
        ("Cotton", "Plains", 6, 5),
        ("Corn Fields", "Plains", 6, 5),
        ("Oil Drilling", "Desert", 7, 5),
        ("Longhorns", "Desert", 6, 5),
        ("Saw Mill", "Forest", 7, 6),
        ("Paper Mill", "Forest", 7, 5),
        ("Factory", None, None, 6),
    ],
)
def test_industries_score_their_extra_with_a_rail_of_their_terrain_alone(
    industry, terrain, points, points_without
):
    """Train, a rail and two Towns score 4 without it."""
    for rail in TERRAINS:
        meld = f"Train, {rail}, 2 Town, {industry}"
        scored = Play(2, hands=[meld], income=[0]).meld(meld).income[0]
        assert scored == (points if rail == terrain else points_without), rail


EXAMPLE = (
    "Train, 2 Mountains, 2 Coastal, 2 Plains, 2 Desert, City, Town, Gold Mine, Port, 2 Long Haul"
)


@pytest.mark.parametrize(("rule", "points"), [(True, 39), (False, 34)])
def test_worked_example_scores_39_and_34_without_the_optional_rule(rule, points):
    play = Play(
        2, options={"trans_continental": rule}, hands=[EXAMPLE], income=[0], upgrades=[3]
    ).meld(EXAMPLE)
    assert play.income[0] == points
    assert play.each("hand_size")[0] == 0


def test_trans_continental_bonus_goes_once_to_the_first_meld_of_four_rails():
    options = {"trans_continental": True}
    three, four = "Train, 3 Plains, 2 Town", "Train, 4 Desert, 2 Town"
    play = Play(2, options=options, hands=[three, four]).meld(three)
    assert play.income[0] == 11
    assert play.table["bonus_open"]
    play.meld(four)
    assert play.income[1] == 17
    assert not play.table["bonus_open"]
    again = Play(2, options=options, bonus_open=False, hands=[four]).meld(four)
    assert again.income[0] == 12


def test_meld_is_discarded_in_the_order_of_the_card_list():
    play = Play(2, hands=["Mail, Train, Town, City, Plains, Station"])
    play.meld("Mail, Train, Town, City, Plains, Station")
    assert play.discard == ["Train", RAILS[1], "City", "Town", "Station", "Mail"]


def test_one_meld_a_turn():
    play = Play(2, hands=["2 Train, 2 Plains, 4 City"]).meld("Train, Plains, 2 City")
    assert play.seat == 1


def test_cards_gained_this_turn_may_be_melded():
    play = Play(2, hands=["Town, Plains, 2 City"], deck="Train, Patent").do("water tower")
    play.meld("Train, Plains, 2 City")
    assert play.income[0] == 11


# Shares


def test_melder_pays_a_point_for_each_token_it_was_given():
    play = Play(3, hands=["Train, Plains, 2 City"], tokens={(1, 0): 2, (2, 0): 1, (0, 2): 3})
    play.meld("Train, Plains, 2 City")
    assert play.income == [8, 7, 6]


def test_creditors_are_paid_one_by_one_clockwise_until_nothing_is_left():
    meld = "Train, Plains, 2 Town"
    play = Play(
        4,
        turn=2,
        hands=["", "", meld],
        income=[5, 5, 0, 5],
        tokens={(3, 2): 2, (0, 2): 2, (1, 2): 1},
    ).meld(meld)
    assert play.income == [7, 5, 0, 7], "4 points for 5 tokens: the last creditor gets none"


@pytest.mark.parametrize(
    ("before", "after"),
    [(5, [6, 5, 6, 6, 5, 6, 4, 6]), (0, [6, 5, 6, 6, 5, 5, 0, 6])],
)
def test_five_creditors_of_eight_seats_are_paid_clockwise(before, after):
    """Melder 6 owes to 7, 0, 2, 3 and 5, in this order."""
    meld = "Train, Plains, 2 Town"
    tokens = {(owner, 6): 1 for owner in (0, 2, 3, 5, 7)}
    income = [5, 5, 5, 5, 5, 5, before, 5]
    play = Play(8, turn=6, hands=[""] * 6 + [meld], income=income, tokens=tokens).meld(meld)
    assert play.income == after


# Victory


def test_exactly_fifty_wins():
    play = Play(2, hands=["Train"], income=[48]).do("contracts")
    assert (play.winner, play.phase) == (0, "over")
    play = Play(2, hands=["Train"], income=[47]).do("contracts")
    assert play.winner is None


def test_meld_counts_after_its_shares_are_paid():
    meld = "Train, Plains, 2 Town, Express"
    play = Play(2, hands=[meld], income=[48], tokens={(1, 0): 4}).meld(meld)
    assert play.income == [49, 9]
    assert play.winner is None


def test_owner_of_shares_wins_on_anothers_turn():
    meld = "Train, Plains, 2 Town"
    play = Play(3, hands=[meld], income=[5, 5, 49], tokens={(2, 0): 1}).meld(meld)
    assert play.winner == 2


def test_owner_bought_out_wins():
    play = Play(3, hands=["Buy Out"], income=[5, 49], tokens={(1, 0): 1}).do("Buy Out")
    assert play.winner == 1


def test_patent_wins_in_the_event_phase():
    assert Play(3, hands=["Patent"], income=[46]).do("Patent").winner == 0


def test_dividends_win():
    assert Play(2, hands=["City"], income=[49], tokens={(0, 1): 1}).do("dividends").winner == 0


def test_seat_whose_turn_it_is_comes_first_where_two_have_fifty():
    meld = "Train, Plains, 2 City"
    play = Play(3, hands=[meld], income=[46, 49], tokens={(1, 0): 2}).meld(meld)
    assert play.income == [50, 51, 5]
    assert play.winner == 0


def test_of_others_more_points_win_then_nearest_clockwise():
    meld = "Train, Plains, 2 City"
    tokens = {(0, 1): 1, (2, 1): 2}
    play = Play(3, turn=1, hands=["", meld], income=[49, 5, 49], tokens=tokens).meld(meld)
    assert play.winner == 2
    tokens = {(0, 1): 1, (2, 1): 1}
    play = Play(3, turn=1, hands=["", meld], income=[49, 5, 49], tokens=tokens).meld(meld)
    assert play.winner == 2, "2 is nearer clockwise from 1 than 0"


def test_winner_takes_the_reward():
    play = Play(3, hands=["Train"], income=[48]).do("contracts")
    np.testing.assert_allclose(play.game.rewards(play.state), [1, -0.5, -0.5])
