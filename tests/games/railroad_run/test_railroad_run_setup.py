"""Setup, the deck, the Income Phase, the hand limit, the end of turns and of games."""

from collections import Counter

import pytest

from railenvs import load_game
from tests.games.railroad_run.tables import PACK, Play, load


def test_deck_holds_115_cards_of_40_faces():
    table = load().table(load().deal(0))
    cards = [*table["draw_deck"], *(card for seat in table["seats"] for card in seat["hand"])]
    assert Counter(cards) == PACK
    assert (len(cards), len(PACK)) == (115, 40)


@pytest.mark.parametrize("num_players", range(2, 9))
def test_each_seat_starts_with_a_train_four_cards_and_five_points(num_players):
    game = load(num_players)
    for seed in range(20):
        play = Play(num_players)
        play.state = game.deal(seed)
        first = play.seat
        sizes = [7 if seat == first else 5 for seat in range(num_players)]
        assert play.each("hand_size") == sizes, "the first seat has drawn its income"
        assert all(play.hand(seat)["Train"] >= 1 for seat in range(num_players))
        assert play.income == [5] * num_players
        assert len(play.deck) == 115 - 5 * num_players - 2
        assert not play.discard


@pytest.mark.parametrize("num_players", [1, 9, 16])
def test_other_numbers_of_seats_are_refused(num_players):
    with pytest.raises(ValueError, match="num_players must be from 2 to 8"):
        load_game("railroad_run-v0", num_players)


@pytest.mark.parametrize(
    ("points", "drawn"),
    [(0, 2), (10, 2), (11, 3), (20, 3), (21, 4), (35, 4), (36, 5), (49, 5)],
)
def test_income_is_drawn_by_points_at_the_start_of_the_turn(points, drawn):
    play = Play(2, income=[5, points]).do("done")
    assert (play.seat, play.phase) == (1, "event")
    assert sum(play.hand(1).values()) == drawn


def test_income_draws_from_the_top():
    play = Play(2, deck="Patent, Wreck, Survey").do("done")
    assert play.hand(1) == Counter(["Patent", "Wreck"])
    assert play.deck[0] == "Survey"


def test_empty_deck_takes_in_the_discard_in_the_middle_of_a_draw():
    play = Play(2, deck="Patent", deck_size=1)
    pile = Counter(play.discard)
    play.do("done")
    drawn = play.hand(1)
    assert drawn["Patent"] == 1
    assert sum(drawn.values()) == 2
    assert not play.discard
    assert Counter(play.deck) + drawn == pile + Counter(["Patent"])


def test_nothing_is_drawn_where_deck_and_discard_are_empty():
    everything = ", ".join(f"{count} {name}" for name, count in PACK.items())
    play = Play(2, hands=[everything, ""], upgrades=[200])
    assert play.deck == play.discard == []
    play.do("done", "done")
    assert (play.seat, play.each("hand_size")) == (1, [115, 0])
    assert play.table["shuffles"] == 0


def test_hand_limit_binds_only_in_the_own_accounting_phase():
    play = Play(2, hands=["15 Town", "9 City"])
    play.do("done")
    assert play.phase == "operations"
    play.do("done")
    assert (play.phase, play.legal) == ("accounting", {"Town"})
    play.do(*["Town"] * 8)
    assert (play.seat, play.phase) == (1, "event")
    assert play.each("hand_size") == [7, 11]
    assert play.discard == ["Town"] * 8


def test_upgrades_raise_the_hand_limit():
    play = Play(2, hands=["10 Town"], upgrades=[3]).do("done", "done")
    assert play.seat == 1
    play = Play(2, hands=["11 Town"], upgrades=[3]).do("done", "done")
    assert play.phase == "accounting"


def test_surplus_cards_are_chosen_freely_in_order_of_the_card_list():
    play = Play(2, hands=["Train, Plains, 3 City, 2 Town, Patent, Wreck"]).do("done", "done")
    assert play.legal == {"Train", "Rail (Plains)", "City", "Town", "Patent", "Wreck"} - {"Patent"}
    play.do("City")
    assert play.legal == {"City", "Town", "Wreck", "Patent"}
    play.do("Patent")
    assert play.discard == ["City", "Patent"]


def test_play_goes_clockwise():
    play = Play(3, turn=2).do("done")
    assert play.seat == 0


def test_turn_of_a_seat_with_few_cards_has_no_operations_phase():
    assert Play(2, hands=["3 Town"]).do("done").seat == 1
    assert Play(2, hands=["4 Town"]).do("done").phase == "operations"


def test_game_is_cut_off_after_max_turns_without_winner():
    play = Play(2, turns=199).do("done")
    assert play.phase == "cut_off"
    assert play.game.is_cut_off(play.state)
    assert play.game.rewards(play.state).tolist() == [-1, -1]
    assert play.winner is None
    play = Play(3, options={"max_turns": 7}, turns=6).do("done")
    assert play.phase == "cut_off"
    assert Play(3, options={"max_turns": 7}, turns=5).do("done").phase == "event"


# Optional rules


def test_starting_companies_are_dealt_once_each():
    game = load(5, starting_companies=True)
    for seed in range(10):
        seats = game.table(game.deal(seed))["seats"]
        assert sorted(seat["company"] for seat in seats) == [
            "Excelsior",
            "Investment",
            "Moneybags",
            "Risky",
            "Surveyor",
        ]


@pytest.mark.parametrize("first", range(5))
def test_starting_companies_have_their_advantages(first):
    game = load(5, starting_companies=True)
    table = game.table(game.deal(3, first))
    for number, seat in enumerate(table["seats"]):
        company = seat["company"]
        assert seat["income"] == (12 if company == "Moneybags" else 5)
        assert seat["upgrades"] == (company == "Excelsior")
        drawn = (3 if company == "Moneybags" else 2) if number == first else 0
        assert seat["hand_size"] == (8 if company == "Surveyor" else 5) + drawn
    risky = table["seats"][first]["company"] == "Risky"
    assert table["plays_left"] == (3 if risky else 2)


def test_companies_are_for_five_seats_at_most():
    with pytest.raises(ValueError, match="starting_companies must be False with 6 players"):
        load(6, starting_companies=True)


def test_investment_may_give_six_tokens_and_others_five():
    options = {"starting_companies": True}
    for company, most in (("Investment", 6), ("Risky", 5)):
        other = "Surveyor"
        play = Play(
            3,
            options=options,
            companies=[company, other, "Excelsior"],
            hands=["2 City"],
            tokens={(0, 1): 2, (0, 2): most - 3},
        )
        play.do("buy shares", "opponent 1", "City")
        play = Play(
            3,
            options=options,
            companies=[company, other, "Excelsior"],
            hands=["2 City"],
            tokens={(0, 1): 3, (0, 2): most - 3},
        )
        assert "buy shares" not in play.legal


def test_sixth_token_cannot_go_to_the_only_opponent():
    play = Play(
        2,
        options={"starting_companies": True},
        companies=["Investment", "Risky"],
        hands=["2 City"],
        tokens={(0, 1): 5},
    )
    assert "buy shares" not in play.legal


def test_civil_war_takes_all_hands_before_the_first_reshuffle_and_only_then():
    play = Play(
        3,
        options={"civil_war": True},
        hands=["2 Town", "Patent, Wreck", "3 City"],
        deck="Survey",
        deck_size=1,
    )
    play.do("done")
    # Seat 1 drew Survey, lost it with its hand, and drew its second card from the new deck.
    assert play.each("hand_size") == [0, 1, 0]
    assert len(play.deck) == 114
    assert not play.discard
    assert play.table["war_open"] is False
    again = Play(
        3, options={"civil_war": True}, war_open=False, shuffles=1, hands=["2 Town"], deck_size=1
    )
    again.do("done")
    assert again.each("hand_size")[0] == 2


def test_civil_war_leaves_what_is_being_looked_at():
    play = Play(
        2,
        options={"civil_war": True},
        hands=["2 Town, Patent", "City"],
        deck="Wreck, Politics",
        deck_size=2,
    )
    play.do("coal chute")
    assert play.each("hand_size") == [0, 0]
    assert play.deck[:2] == ["Wreck", "Politics"]
    assert {"Wreck", "Politics"} <= play.legal
    play.do("Politics")
    assert play.hand(0) == Counter(["Politics"])


def test_civil_war_leaves_what_a_survey_looks_at():
    hands = ["Survey, Patent", "3 City"]
    deck = "Wreck, Politics"
    play = Play(2, options={"civil_war": True}, hands=hands, deck=deck, deck_size=2).do("Survey")
    assert (play.table["looking"], play.table["war_open"]) == (7, False)
    assert play.each("hand_size") == [0, 0]
    assert play.deck[:2] == ["Wreck", "Politics"]
    play.do("Wreck", "Politics")
    assert play.hand(0) == Counter(["Wreck", "Politics"])
    assert len(play.deck) == 113


def test_civil_war_leaves_what_go_west_turns_up():
    hands = ["Station, Patent", "3 Train"]
    play = Play(2, options={"civil_war": True}, hands=hands, deck="City", deck_size=1)
    play.do("Station")
    kept = play.hand(0)
    assert kept["City"] >= 1
    assert set(kept) <= {"City", "Town"}
    assert play.each("hand_size") == [3 - len(play.discard), 0]
    assert (len(play.deck), play.table["war_open"]) == (112, False)


@pytest.mark.parametrize(("deck_size", "sizes"), [(2, [2, 2, 2]), (5, [0, 1, 2])])
def test_civil_war_takes_what_land_grants_have_dealt_so_far(deck_size, sizes):
    play = Play(
        3,
        options={"civil_war": True},
        hands=["Land Grants, Patent", "City", "2 Town"],
        deck_size=deck_size,
    )
    play.do("Land Grants")
    assert play.each("hand_size") == sizes
    assert (len(play.deck), play.discard) == (115 - sum(sizes), [])
    assert play.table["war_open"] is False


def test_searches_do_not_bring_the_civil_war():
    play = Play(
        2,
        options={"civil_war": True},
        hands=["Town", "3 City"],
        deck="Patent",
        deck_size=1,
    )
    play.do("train yard", "Plains")
    assert play.table["war_open"] is True
    assert play.each("hand_size") == [1, 3]
