"""Event Phase: the options."""

from collections import Counter

import pytest

from tests.games.railroad_run.tables import RAILS, Play, all_but

FILL = "3 Plains, 2 Desert"


def test_two_plays_a_turn_the_same_one_twice_too():
    play = Play(2, options={"trades": False}, hands=["4 Train"]).do("contracts", "contracts")
    assert play.income[0] == 9
    assert play.seat == 1, "no play left, no meld possible: the turn is over"


def test_third_play_is_refused_but_a_trade_is_none():
    play = Play(2, hands=["4 Train", "Town"]).do("contracts", "contracts")
    assert play.legal == {"offer", "done"}


def test_events_and_options_share_the_two_plays():
    play = Play(2, hands=["2 Train, Patent", "Town"]).do("Patent")
    assert play.table["plays_left"] == 1
    play.do("contracts")
    assert "contracts" not in play.legal


def test_no_play_needs_to_be_made():
    assert Play(2, hands=["4 Train"]).do("done").phase == "operations"


def test_risky_rails_play_three():
    options = {"starting_companies": True}
    play = Play(2, options=options, companies=["Risky", "Excelsior"], hands=["4 Train", "Town"])
    play.do("contracts", "contracts", "contracts")
    assert play.income[0] == 11
    assert "contracts" not in play.legal


# Train


def test_upgrade_costs_a_train_and_five_cards_of_choice():
    play = Play(2, hands=[f"2 Train, {FILL}, City"])
    play.do("upgrade")
    assert play.phase == "upgrade"
    assert play.discard == ["Train"], "the five go together once they are chosen"
    play.choose("Train, 2 Plains, Desert, City")
    assert play.each("upgrades") == [1, 0]
    assert play.each("hand_limit") == [8, 7]
    assert play.hand(0) == Counter({RAILS[1]: 1, RAILS[4]: 1})
    assert play.discard == ["Train", "Train", RAILS[1], RAILS[1], RAILS[4], "City"]


def test_upgrade_with_just_six_cards_leaves_nothing_to_choose():
    play = Play(2, hands=[f"Train, {FILL}"]).do("upgrade")
    assert play.each("hand_size") == [0, 0]
    assert play.each("upgrades") == [1, 0]


def test_upgrade_needs_five_other_cards():
    assert "upgrade" in Play(2, hands=[f"Train, {FILL}"]).legal
    assert "upgrade" not in Play(2, hands=["Train, 4 Plains"]).legal
    assert "upgrade" not in Play(2, hands=["4 Plains, 4 City"]).legal


def test_contracts_score_two_for_a_train():
    play = Play(2, hands=["2 Train"]).do("contracts")
    assert play.income == [7, 5]
    assert play.discard == ["Train"]


# City


def test_buy_shares_gives_a_card_and_a_token():
    play = Play(3, hands=["City, Patent, Town", "Train"])
    play.do("buy shares", "opponent 1")
    assert play.phase == "buy_shares_card"
    assert play.legal == {"Patent", "Town"}
    play.do("Patent")
    assert play.hand(1) == Counter(["Train", "Patent"])
    assert play.each("tokens") == [{"player_1": 1}, {}, {}]
    assert play.discard == ["City"]


@pytest.mark.parametrize(
    ("hand", "tokens"),
    [
        ("Town, Patent", {}),
        ("City", {}),
        ("City, Town", {(0, 1): 5}),
        ("City, Town", {(0, 1): 2, (0, 2): 3}),
        ("City, Town", {(1, 2): 5, (2, 1): 5}),
    ],
)
def test_buy_shares_needs_city_card_token_and_an_opponent_with_room(hand, tokens):
    assert "buy shares" not in Play(3, hands=[hand], tokens=tokens).legal


def test_five_tokens_are_the_most_a_seat_may_have_from_all_together():
    play = Play(4, hands=["City, Town"], tokens={(1, 2): 3, (3, 2): 2})
    play.do("buy shares")
    assert play.legal == {"opponent 1", "opponent 3"}


def test_dividends_come_from_a_random_opponent_with_a_token_not_by_number_of_tokens():
    payers = Counter()
    for seed in range(400):
        play = Play(4, hands=["City"], tokens={(0, 1): 4, (0, 3): 1}, seed=seed).do("dividends")
        assert play.income[0] == 6
        payers[play.income.index(4)] += 1
    assert set(payers) == {1, 3}
    assert 150 < payers[1] < 250


def test_dividends_need_a_token_given_away():
    assert "dividends" not in Play(3, hands=["City"], tokens={(1, 0): 2}).legal


def test_dividends_of_a_seat_without_points_bring_nothing():
    play = Play(3, hands=["City"], income=[5, 0], tokens={(0, 1): 1}).do("dividends")
    assert play.income == [5, 0, 5]


# Town


def test_water_tower_draws_two():
    play = Play(2, hands=["Town"], deck="Patent, Wreck, Survey").do("water tower")
    assert play.hand(0) == Counter(["Patent", "Wreck"])


@pytest.mark.parametrize("seed", range(5))
def test_water_tower_goes_on_after_a_reshuffle(seed):
    hands = ["Town", all_but("Town", "Patent", "City")]
    play = Play(2, hands=hands, deck="Patent", discard="City", seed=seed).do("water tower")
    assert play.hand(0) + Counter(play.deck) == Counter(["Patent", "City", "Town"])
    assert play.hand(0)["Patent"] == 1
    assert (play.each("hand_size")[0], play.discard) == (2, [])


def test_water_tower_draws_what_there_is():
    play = Play(2, hands=["Town", all_but("Town")]).do("water tower")
    assert play.hand(0) == Counter(["Town"]), "the town itself was the only card"
    assert play.deck == play.discard == []


def test_coal_chute_keeps_one_of_three_and_discards_the_others():
    play = Play(2, hands=["Town"], deck="Patent, Wreck, Survey, City").do("coal chute")
    assert (play.phase, play.legal) == ("coal_chute", {"Patent", "Wreck", "Survey"})
    play.do("Wreck")
    assert play.hand(0) == Counter(["Wreck"])
    assert play.discard == ["Town", "Patent", "Survey"]
    assert play.deck[0] == "City"


def test_coal_chute_with_few_cards_keeps_one_of_what_came():
    play = Play(2, hands=["Town"], deck="Patent", deck_size=1).do("coal chute")
    assert play.table["looking"] == 3, "the discard came in"
    play = Play(2, hands=["Train, 2 Town", all_but("Train, 2 Town")]).do("coal chute")
    # The town itself is all that can be drawn.
    assert play.hand(0) == Counter({"Train": 1, "Town": 2})


def test_switch_steals_a_random_card_and_gives_one_back():
    stolen = Counter()
    for seed in range(300):
        play = Play(3, hands=["Town, City", "3 Train, Patent", ""], seed=seed).do("switch")
        assert play.phase == "switch_card", "the seat without cards is no target"
        got = (play.hand(0) - Counter(["City"])).most_common(1)[0][0]
        stolen[got] += 1
        play.do("City")
        assert play.hand(0) == Counter([got])
        assert sum(play.hand(1).values()) == 4
    assert 45 < stolen["Patent"] < 110


def test_switch_may_give_the_stolen_card_back():
    play = Play(2, hands=["Town, City", "Patent"]).do("switch")
    assert play.legal == {"City", "Patent"}
    play.do("Patent")
    assert play.hand(1) == Counter(["Patent"])


def test_switch_may_steal_the_last_card():
    play = Play(3, hands=["Town, City", "Patent"]).do("switch")
    assert play.each("hand_size") == [2, 0, 0]
    table = play.table
    assert play.game.table(play.game.from_table(table)) == table
    play.do("City")
    assert play.each("hand_size") == [1, 1, 0]


def test_switch_needs_an_opponent_with_cards():
    assert "switch" not in Play(3, hands=["Town, City"]).legal


def test_depot_takes_the_card_that_was_on_top_before_the_town():
    play = Play(2, hands=["Town"], discard="Wreck, Patent").do("depot")
    assert play.hand(0) == Counter(["Patent"])
    assert play.discard == ["Wreck", "Town"]


def test_depot_needs_a_discard():
    assert "depot" not in Play(2, hands=["Town"]).legal


def test_train_yard_fetches_a_rail_of_choice_and_shuffles():
    play = Play(2, hands=["Town, 5 Desert"], deck="Patent, Hills")
    before = play.deck
    play.do("train yard")
    assert play.legal == {
        f"Rail ({name})" for name in ["Mountains", "Plains", "Coastal", "Forest", "Hills"]
    }
    play.do("Hills")
    assert play.hand(0)["Rail (Hills)"] == 1
    assert Counter(play.deck) == Counter(before) - Counter(["Rail (Hills)"])
    assert [name for name in before if name in play.deck] != play.deck, "the order is new"


def test_train_yard_without_rails_shuffles_the_discard_in():
    play = Play(2, hands=["Town"], deck="2 City", deck_size=2).do("train yard")
    assert play.phase == "train_yard"
    assert not play.discard
    play.do("Plains")
    assert play.hand(0) == Counter([RAILS[1]])


def test_train_yard_may_find_nothing():
    rails = ", ".join(f"5 {rail[6:-1]}" for rail in RAILS)
    play = Play(2, hands=["Town", rails], discard="City").do("train yard")
    assert play.hand(0) == Counter()
    assert play.table["plays_left"] == 1
    assert not play.discard, "the discard was shuffled in all the same"


# Rails and industries


def test_rails_to_riches_fetches_a_train_for_a_rail_and_a_point():
    play = Play(2, hands=["Plains"]).do("Plains")
    assert play.hand(0) == Counter(["Train"])
    assert play.income == [4, 5]
    assert play.discard == [RAILS[1]]


def test_rails_to_riches_works_without_points():
    play = Play(2, hands=["Plains"], income=[0]).do("Plains")
    assert play.hand(0) == Counter(["Train"])
    assert play.income == [0, 5]


def test_rails_to_riches_shuffles_the_discard_in_with_the_rail():
    play = Play(2, hands=["Plains", "14 Train"], deck="2 City", deck_size=2).do("Plains")
    assert play.hand(0) == Counter(["Train"])
    assert play.discard == []
    assert play.deck.count(RAILS[1]) == 5


def test_rails_to_riches_may_find_nothing_and_costs_the_point():
    play = Play(2, hands=["Plains", "15 Train"]).do("Plains")
    assert play.hand(0) == Counter()
    assert play.income == [4, 5]


def test_go_west_keeps_all_cities_and_towns():
    play = Play(2, hands=["Station"], deck="Town, Patent, City, Wreck").do("Station")
    assert play.hand(0) == Counter(["Town", "City"])
    assert play.discard == ["Station", "Patent"]
    assert play.deck[0] == "Wreck"


@pytest.mark.parametrize(
    ("deck", "discard", "kept", "rest"),
    [
        ("City", "Town", ["City", "Town"], ["Station"]),
        ("City, Patent", "", ["City"], ["Patent", "Station"]),
        ("Patent", "", [], ["Patent", "Station"]),
    ],
)
def test_go_west_of_a_short_deck_takes_the_discard_under_it(deck, discard, kept, rest):
    """The industry is in the discard that comes in."""
    hands = ["Station", all_but("Station", deck, discard)]
    play = Play(2, hands=hands, deck=deck, discard=discard).do("Station")
    assert play.hand(0) == Counter(kept)
    assert play.discard == rest
    assert play.deck == []
