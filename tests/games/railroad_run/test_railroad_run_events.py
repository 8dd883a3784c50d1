"""Event Phase: the ten events."""

from collections import Counter

import pytest

from tests.games.railroad_run.tables import EVENTS, Play, all_but


def test_wreck_shows_a_hand_and_takes_a_train_from_it():
    play = Play(3, hands=["Wreck", "2 Train, Patent", "City"]).do("Wreck", "opponent 1")
    assert play.hand(1) == Counter(["Train", "Patent"])
    assert play.discard == ["Wreck", "Train"]
    assert play.known(0, 1) == Counter(["Train", "Patent"])
    assert not play.known(2, 1), "only the player sees the hand"


def test_wreck_of_a_hand_without_trains_shows_it_all_the_same():
    play = Play(3, hands=["Wreck", "Patent", ""]).do("Wreck")
    assert play.discard == ["Wreck"]
    assert play.known(0, 1) == Counter(["Patent"])


@pytest.mark.parametrize("event", ["Wreck", "Politics"])
def test_wreck_and_politics_need_a_hand_to_look_into(event):
    assert event not in Play(3, hands=[event]).legal
    assert event in Play(3, hands=[event, "", "Town"]).legal


@pytest.mark.parametrize(("points", "most"), [(0, 0), (1, 1), (4, 4), (5, 5), (30, 5)])
def test_sell_stocks_draws_as_many_cards_as_points_are_lost_up_to_five(points, most):
    play = Play(2, hands=["Sell Stocks"], income=[points])
    sales = {f"sell stocks for {number}" for number in range(1, most + 1)}
    assert play.legal - {"offer", "done"} == sales
    if most:
        play.do(f"sell stocks for {most}")
        assert play.income[0] == points - most
        assert sum(play.hand(0).values()) == most


def test_buy_out_returns_a_token_and_pays_its_owner():
    play = Play(3, hands=["Buy Out"], tokens={(1, 0): 2, (2, 0): 1})
    play.do("Buy Out", "opponent 2")
    assert play.each("tokens") == [{}, {"player_0": 2}, {}]
    assert play.income == [4, 5, 6]


def test_buy_out_needs_a_token_received():
    assert "Buy Out" not in Play(3, hands=["Buy Out"], tokens={(0, 1): 2}).legal


def test_buy_out_without_points_still_returns_the_token():
    play = Play(2, hands=["Buy Out"], income=[0], tokens={(1, 0): 1}).do("Buy Out")
    assert play.income == [0, 5]
    assert play.each("tokens") == [{}, {}]


def test_token_returned_can_be_given_again():
    play = Play(2, hands=["Buy Out", "2 City"], tokens={(1, 0): 5}).do("Buy Out", "done")
    assert "buy shares" in play.legal


SEVEN = "Patent, Wreck, City, Town, City, Politics, Investors"


def test_survey_keeps_two_of_seven_and_leaves_the_rest_in_order():
    play = Play(2, hands=["Survey"], deck=f"{SEVEN}, Land Grants").do("Survey")
    assert play.phase == "survey"
    play.choose("City, Wreck")
    assert play.hand(0) == Counter(["City", "Wreck"])
    assert play.deck[:6] == ["Patent", "Town", "City", "Politics", "Investors", "Land Grants"]
    assert play.memory(0)["top"] == play.deck[:5]
    assert play.memory(1)["top"] == []


def test_survey_must_keep_two():
    play = Play(2, hands=["Survey"], deck=SEVEN).do("Survey")
    # In the order of the card list, and never so high that no second card is left.
    assert play.legal == {"City", "Town", "Wreck", "Investors", "Patent"}
    play.do("Patent")
    assert play.legal == {"Politics"}


def test_survey_of_a_short_deck_takes_the_discard_under_it():
    play = Play(2, hands=["Survey"], deck="Patent, Wreck", deck_size=2).do("Survey")
    assert play.table["looking"] == 7
    assert play.deck[:2] == ["Patent", "Wreck"]
    assert not play.discard


def test_investors_draw_three():
    play = Play(2, hands=["Investors"]).do("Investors")
    assert play.each("hand_size")[0] == 3


def test_obsolescence_costs_an_opponent_five():
    play = Play(3, hands=["Obsolescence"], income=[5, 9, 3])
    play.do("Obsolescence", "opponent 2")
    assert play.income == [5, 9, 0]


def test_finance_crisis_costs_all_others_three():
    assert Play(3, hands=["Finance Crisis"], income=[5, 9, 2]).do("Finance Crisis").income == [
        5,
        6,
        0,
    ]


def test_patent_takes_two_from_each_as_far_as_they_have_it():
    assert Play(3, hands=["Patent"], income=[5, 9, 1]).do("Patent").income == [8, 7, 0]


@pytest.mark.parametrize("event", ["Obsolescence", "Finance Crisis", "Patent"])
def test_that_nobody_can_pay_forbids_no_event(event):
    play = Play(2, hands=[event], income=[5, 0]).do(event)
    assert play.income == [5, 0]
    assert play.discard == [event]


def test_politics_steals_two_random_cards_or_what_there_is():
    play = Play(3, hands=["Politics", "Patent, Wreck, City", "Town"])
    play.do("Politics", "opponent 1")
    assert play.each("hand_size") == [2, 1, 1]
    play = Play(3, hands=["Politics", "Patent, Wreck, City", "Town"])
    play.do("Politics", "opponent 2")
    assert play.hand(0) == Counter(["Town"])


def test_land_grants_deals_four_to_the_player_then_two_to_each_other_clockwise():
    deck = "Train, 2 City, Patent, Wreck, Survey, Politics, Investors"
    play = Play(3, turn=1, hands=["", "Land Grants"], deck=deck).do("Land Grants")
    assert play.hand(1) == Counter(["Train", "City", "City", "Patent"])
    assert play.hand(2) == Counter(["Wreck", "Survey"])
    assert play.hand(0) == Counter(["Politics", "Investors"])


def test_land_grants_goes_on_after_a_reshuffle():
    play = Play(3, hands=["Land Grants"], deck="Patent", deck_size=1).do("Land Grants")
    assert play.each("hand_size") == [4, 2, 2]


def test_land_grants_of_eight_seats_go_round_from_the_player():
    play = Play(8, turn=5, hands=[""] * 5 + ["Land Grants"])
    deck = play.deck
    play.do("Land Grants")
    assert play.hand(5) == Counter(deck[:4])
    for place, seat in enumerate([6, 7, 0, 1, 2, 3, 4]):
        first = 4 + 2 * place
        assert play.hand(seat) == Counter(deck[first : first + 2]), seat
    assert play.deck == deck[18:]


def test_patent_of_eight_seats_takes_two_from_each_as_far_as_they_have_it():
    income = [5, 1, 0, 10, 2, 3, 5, 9]
    play = Play(8, turn=3, hands=["", "", "", "Patent"], income=income).do("Patent")
    assert play.income == [3, 0, 0, 21, 0, 1, 3, 7]


def test_finance_crisis_of_eight_seats_costs_all_others_three():
    income = [5, 3, 2, 0, 10, 4, 3, 6]
    play = Play(8, turn=7, hands=[""] * 7 + ["Finance Crisis"], income=income)
    assert play.do("Finance Crisis").income == [2, 0, 0, 0, 7, 1, 0, 6]


# Deck and discard run out: the event itself is the last card of the discard


def test_investors_draw_what_there_is():
    play = Play(2, hands=["Investors", all_but("Investors", "Wreck")]).do("Investors")
    assert play.hand(0) == Counter(["Wreck", "Investors"])
    assert play.deck == play.discard == []


def test_sell_stocks_draws_what_there_is_and_costs_the_points_all_the_same():
    play = Play(2, hands=["Sell Stocks", all_but("Sell Stocks", "Wreck")], income=[7])
    play.do("sell stocks for 5")
    assert play.hand(0) == Counter(["Wreck", "Sell Stocks"])
    assert play.income[0] == 2
    assert play.deck == play.discard == []


def test_sell_stocks_goes_on_after_a_reshuffle():
    play = Play(2, hands=["Sell Stocks"], deck="Wreck", deck_size=1).do("sell stocks for 3")
    assert play.hand(0)["Wreck"] == 1
    assert play.each("hand_size")[0] == 3
    assert (play.income[0], len(play.deck), play.discard) == (2, 112, [])


def test_land_grants_leave_the_last_clockwise_without_where_cards_run_out():
    left = "2 City, Patent, Wreck"
    hands = ["", all_but("Land Grants", left), "Land Grants", ""]
    play = Play(4, turn=2, hands=hands).do("Land Grants")
    assert play.hand(2) == Counter(["City", "City", "Patent", "Wreck"])
    assert play.hand(3) == Counter(["Land Grants"]), "the only card left"
    assert play.each("hand_size") == [0, 110, 4, 1]


def test_events_lie_on_the_discard_at_once():
    for event in EVENTS:
        if event not in ("Sell Stocks", "Buy Out"):
            play = Play(2, hands=[event, "2 City"]).do(event)
            assert event in play.discard


def test_events_are_no_part_of_melds():
    play = Play(2, hands=["Train, Plains, 2 City, Patent"]).do("done", "Train", "Plains")
    play.choose("2 City")
    assert play.legal == {"done"}
