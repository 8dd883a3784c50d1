"""EXPRESS: trains and Pool cards, setting out, exchanging, the two variants."""

from __future__ import annotations

import pytest

from tests.games.express.tables import (
    CARS,
    POOL,
    REGIONS,
    TRAIN,
    VAN,
    Play,
    load,
    pool_car,
    pool_van,
)

FITS = {region: {"Pool Engine", pool_car(region), pool_van(region)} for region in REGIONS}


def holding(cards, **given):
    """Seat 0 has drawn and holds these cards and nothing that helps them."""
    fillers = ["Red", "Red", "Green 1", "Green 1", "Green 2", "Green 2", "Pass"]
    hand = list(cards) + fillers[: 8 - len(cards)]
    return Play(hands=[", ".join(hand)], **given)


# Which cards make a train


@pytest.mark.parametrize("pool", POOL)
@pytest.mark.parametrize("region", REGIONS)
def test_each_pool_card_stands_for_the_cards_of_its_name(region, pool):
    """All 20 cases: in place of any card of the train that the Pool card might be meant for."""
    for role, missing in enumerate(TRAIN[region]):
        cards = [card for card in TRAIN[region] if card != missing] + [pool]
        fits = {
            "Pool Engine": role == 0,
            pool_car(region): 1 <= role <= 3,
            pool_van(region): role == 4,
        }.get(pool, False)
        play = holding(cards)
        assert (play.legal == {f"lay out {region}"}) == fits
        assert bool(play.legal_like("lay out")) == fits


def test_twelve_of_the_twenty_pairs_of_region_and_pool_card_fit():
    assert sum(len(cards) for cards in FITS.values()) == 12


@pytest.mark.parametrize("region", REGIONS)
def test_a_train_may_hold_three_pool_cards(region):
    cards = ["Pool Engine", pool_car(region), pool_van(region), *TRAIN[region][1:3]]
    play = holding(cards).do(f"lay out {region}")
    assert sorted(play.table["seats"][0]["train"]) == sorted(cards)


def test_the_pool_cards_alone_are_no_train():
    assert not holding(POOL).legal_like("lay out")


def test_regions_do_not_mix():
    cards = ["ER First Class Coach", *(set(TRAIN["LMR"]) - {"LMR First Class Coach"})]
    assert not holding(cards).legal_like("lay out")


@pytest.mark.parametrize("region", REGIONS)
@pytest.mark.parametrize("role", range(5))
def test_four_of_the_five_cards_are_no_train(region, role):
    assert not holding(TRAIN[region][:role] + TRAIN[region][role + 1 :]).legal_like("lay out")


# Setting out


def test_a_complete_train_is_laid_out_before_anything_else():
    """No request, exchange or discard while it is due."""
    play = holding([*TRAIN["SR"], "Pass"])
    assert play.legal == {"lay out SR"}


def test_a_train_is_laid_out_only_after_drawing():
    hand = ", ".join([*TRAIN["SR"], "Red", "Red"])
    play = Play(phase="draw", hands=[hand])
    assert play.legal == {"take the face-up card", "draw from the pack"}
    assert play.do("draw from the pack").legal == {"lay out SR"}


def test_laying_out_leads_straight_to_the_discard():
    play = holding([*TRAIN["SR"], "Pass"]).do("lay out SR")
    assert play.phase == "discard"
    assert play.each("hand_size") == [3, 7, 7]
    assert play.legal == {"discard Pass", "discard Red"}
    assert play.each("region") == ["SR", None, None]
    assert play.each("position") == [0, 0, 0]


def test_the_discard_of_that_turn_may_move_the_new_train():
    play = Play(hands=[", ".join([*TRAIN["SR"], "Green 2, Red, Red"])])
    play.do("lay out SR", "discard Green 2")
    assert play.each("position")[0] == 2


def test_a_train_completed_by_a_pass_is_laid_out_at_once():
    hand = ", ".join([*TRAIN["SR"][:4], "Pass, Red, Red, Red"])
    play = Play(hands=[hand, "SR Brake Van"])
    assert "ask seat +1 for SR Brake Van" in play.legal
    assert play.do("ask seat +1 for SR Brake Van").legal == {"lay out SR"}


def test_a_train_completed_by_a_claim_waits_for_the_next_own_turn():
    hand = ", ".join([*TRAIN["SR"][:4], "Pass, Red, Red"])
    play = Play(phase="draw", face_up="SR Brake Van", hands=["Green 1", hand], deck="Red, Red")
    play.do("draw from the pack", "claim the face-up card")
    assert play.seat == 0
    play.do("discard Green 1")
    assert "draw from the pack" in play.legal
    assert not play.legal_like("lay out")
    assert play.do("draw from the pack").legal == {"lay out SR"}


def test_a_second_train_is_out_of_reach():
    """Two or three cards are left in hand."""
    play = Play(trains={0: ("LMR", "")})
    assert play.each("hand_size")[0] == 3
    assert not play.legal_like("lay out")


def test_of_engine_and_pool_engine_the_owner_chooses():
    hand = ", ".join([*TRAIN["WR"], "Pool Engine, Red, Red"])
    play = Play(hands=[hand]).do("lay out WR")
    assert play.phase == "lay_out"
    assert play.legal == {"choose WR Engine", "choose Pool Engine"}
    play.do("choose Pool Engine")
    assert sorted(play.table["seats"][0]["train"]) == sorted(["Pool Engine", *TRAIN["WR"][1:]])
    assert play.hand(0)["WR Engine"] == 1
    assert play.phase == "discard"


def test_every_way_to_lay_out_eight_fitting_cards_is_reached_by_one_run_of_choices():
    """Engine, van, and which of four coaches stays: 2 x 4 x 2 trains."""
    region = "ER"
    hand = [*TRAIN[region], "Pool Engine", pool_car(region), pool_van(region)]
    found = []

    def run(play):
        if play.phase == "discard":
            found.append(tuple(sorted(play.table["seats"][0]["train"])))
            return
        start = play.table
        for name in sorted(play.legal):
            again = Play(hands=[", ".join(hand)])
            again.state = again.game.from_table(start)
            run(again.do(name))

    run(Play(hands=[", ".join(hand)]))
    assert len(found) == len(set(found)) == 16


def test_holding_two_complete_trains_is_a_choice_of_region():
    """Only in the shorter game can eight cards hold two."""
    hand = (
        "LMR Engine, LMR First Class Coach, LMR Third Class Coach, LMR Guard's Van, "
        "SR Engine, SR Grain Wagon, SR High Open Wagon, SR Brake Van"
    )
    play = Play(options={"short_trains": True}, hands=[hand])
    assert play.legal == {"lay out LMR", "lay out SR"}


# Exchanging


def pool_train(region, *pool):
    """A train with these Pool cards in it."""
    cards = list(TRAIN[region])
    for card in pool:
        role = {"Pool Engine": 0, pool_car(region): 1, pool_van(region): 4}[card]
        cards[role] = card
    return region, ", ".join(cards)


@pytest.mark.parametrize("owner", [0, 1, 2])
def test_a_pool_card_on_any_table_may_be_exchanged_for_the_correct_card(owner):
    """One's own train too."""
    play = Play(trains={owner: pool_train("ER", "Pool Engine")}, hands=["ER Engine"])
    assert play.legal_like("exchange") == {"Pool Engine"}
    play.do("exchange Pool Engine")
    assert play.table["seats"][owner]["train"] == TRAIN["ER"]
    assert play.hand(0)["Pool Engine"] == 1
    assert play.hand(0)["ER Engine"] == 0


@pytest.mark.parametrize("region", REGIONS)
def test_the_correct_card_is_the_one_that_the_train_lacks(region):
    for pool, role in (("Pool Engine", 0), (pool_car(region), 1), (pool_van(region), 4)):
        trains = {1: pool_train(region, pool)}
        right = TRAIN[region][role]
        assert Play(trains=trains, hands=[right]).legal_like("exchange") == {pool}
        other = REGIONS[(REGIONS.index(region) + 1) % 4]
        wrong = Play(trains=trains, hands=[f"{TRAIN[other][role]}, Red"], face_up="Pass")
        assert right in wrong.hand(0) or not wrong.legal_like("exchange")


def test_an_exchange_leads_straight_to_the_discard():
    """No request, no second exchange, no lay-out; the Pool card may be discarded."""
    trains = {1: pool_train("ER", "Pool Engine", "Pool Coach")}
    play = Play(trains=trains, hands=["ER Engine, ER First Class Coach, Pass"])
    play.do("exchange Pool Engine")
    assert play.phase == "discard"
    assert all(name.startswith("discard") for name in play.legal)
    assert "discard Pool Engine" in play.legal


def test_a_train_completed_by_an_exchange_waits_for_the_next_turn():
    hand = ", ".join(["ER Engine", *TRAIN["SR"][1:], "Red, Red, Green 1"])
    play = Play(2, trains={1: pool_train("ER", "Pool Engine")}, hands=[hand], deck="Green 2, Red")
    play.do("exchange Pool Engine")
    assert not play.legal_like("lay out")
    play.do("discard Green 1", "draw from the pack", "discard Green 2", "draw from the pack")
    assert play.legal == {"lay out SR"}


def test_nothing_is_exchanged_before_drawing_or_while_a_lay_out_is_due():
    trains = {1: pool_train("ER", "Pool Engine")}
    assert not Play(phase="draw", trains=trains, hands=["ER Engine"]).legal_like("exchange")
    hand = ", ".join(["ER Engine", *TRAIN["SR"], "Red, Red"])
    assert Play(trains=trains, hands=[hand]).legal == {"lay out SR"}


# Alternative Shorter Game

SHORT = {"short_trains": True}


@pytest.mark.parametrize("region", REGIONS)
@pytest.mark.parametrize("left_out", range(3))
def test_any_two_of_the_three_coaches_or_wagons_do(region, left_out):
    cars = [car for index, car in enumerate(CARS[region]) if index != left_out]
    cards = [f"{region} {name}" for name in ("Engine", *cars, VAN[region])]
    play = holding(cards, options=SHORT)
    play.do(f"lay out {region}")
    assert sorted(play.table["seats"][0]["train"]) == sorted(cards)
    assert play.each("hand_size")[0] == 4


def test_engine_and_van_are_needed_in_the_shorter_game_too():
    cars = [f"SR {name}" for name in CARS["SR"]]
    assert not holding(["SR Engine", *cars, "Pool Wagon"], options=SHORT).legal_like("lay out")
    assert not holding(["SR Brake Van", *cars, "Pool Wagon"], options=SHORT).legal_like("lay out")


def test_two_cards_of_three_that_fit_are_chosen_in_the_order_of_their_numbers():
    hand = ", ".join([*TRAIN["SR"], "Red, Red, Red"])
    play = Play(options=SHORT, hands=[hand]).do("lay out SR")
    cars = [f"SR {name}" for name in CARS["SR"]]
    assert play.legal_like("choose") == set(cars[:2])
    play.do(f"choose {cars[0]}")
    assert play.legal_like("choose") == set(cars[1:])
    play.do(f"choose {cars[2]}")
    assert play.hand(0)[cars[1]] == 1


def test_two_trains_of_one_region_can_stand_in_the_shorter_game():
    first = "LMR Engine, LMR First Class Coach, LMR Third Class Coach, LMR Guard's Van"
    second = "Pool Engine, LMR Restaurant Car, Pool Coach, Pool Guard's Van"
    play = Play(options=SHORT, trains={0: ("LMR", first), 1: ("LMR", second)}, hands=["Green 1"])
    play.do("discard Green 1")
    assert play.each("position") == [1, 0, 0]


def test_in_the_shorter_game_either_missing_car_is_correct():
    train = "SR Engine, SR Grain Wagon, Pool Wagon, SR Brake Van"
    hands = ["SR Gas Cylinder Wagon, SR High Open Wagon"]
    play = Play(options=SHORT, trains={1: ("SR", train)}, hands=hands)
    play.do("exchange Pool Wagon")
    assert play.phase == "exchange"
    assert play.legal_like("choose") == {"SR Gas Cylinder Wagon", "SR High Open Wagon"}
    play.do("choose SR High Open Wagon")
    assert "SR High Open Wagon" in play.table["seats"][1]["train"]
    assert play.hand(0)["Pool Wagon"] == 1
    assert play.phase == "discard"


# For Younger Players


def assigned(cards, regions, **given):
    table = holding(cards, **given).table
    for seat, region in zip(table["seats"], regions, strict=True):
        seat["assigned"] = region
    play = Play()
    play.game = load(3, assigned_regions=True)
    play.state = play.game.from_table(table)
    return play


def test_each_seat_is_told_another_region_and_all_hear_it():
    game = load(4, assigned_regions=True)
    seen = set()
    for seed in range(40):
        state = game.deal(seed)
        regions = [seat["assigned"] for seat in game.table(state, 2)["seats"]]
        assert sorted(regions) == sorted(REGIONS)
        seen.add(regions[0])
    assert seen == set(REGIONS)


def test_only_the_region_told_may_be_laid_out():
    assert assigned(TRAIN["SR"], ["SR", "LMR", "ER"]).legal == {"lay out SR"}
    assert not assigned(TRAIN["SR"], ["LMR", "SR", "ER"]).legal_like("lay out")


def test_pool_cards_count_for_younger_players():
    cards = ["Pool Engine", *TRAIN["SR"][1:]]
    assert assigned(cards, ["SR", "LMR", "ER"]).legal == {"lay out SR"}
