"""What seats know of hidden cards: certain knowledge only, until it stops being certain."""

from collections import Counter

import pytest

from tests.games.railroad_run.tables import PACK, RAILS, Play, load

SEVEN = "Patent, Wreck, City, Town, City, Politics, Investors"


def test_stolen_cards_are_known_to_the_two_alone():
    play = Play(3, hands=["Politics", "Patent, Wreck", "Town"]).do("Politics", "opponent 1")
    assert play.known(1, 0) == Counter(["Patent", "Wreck"])
    assert not play.known(2, 0)


def test_card_given_with_a_share_is_known_to_the_two_alone():
    play = Play(3, hands=["City, Patent, Town"]).do("buy shares", "opponent 1", "Patent")
    assert play.known(0, 1) == Counter(["Patent"])
    assert not play.known(2, 1)


def test_switch_tells_both_sides_of_both_cards():
    play = Play(3, hands=["Town, City", "Patent", ""]).do("switch")
    assert play.known(1, 0) == Counter(["Patent"])
    play.do("City")
    assert play.known(0, 1) == Counter(["City"])
    assert play.known(1, 0) == Counter(["Patent"])
    assert not play.known(2, 0)


def test_card_played_is_no_longer_known_in_hand():
    play = Play(2, hands=["Wreck", "Patent, Town"]).do("Wreck", "done")
    assert play.known(0, 1) == Counter(["Patent", "Town"])
    play.do("Patent")
    assert play.known(0, 1) == Counter(["Town"])


def test_random_steal_by_another_seat_leaves_what_is_still_certain():
    """Of three Cities and a Patent one went unseen: two Cities are certain, the Patent is not."""
    memory = {"player_2": {"known": {"player_1": ["City"] * 3 + ["Patent"]}}}
    play = Play(3, hands=["Town, Train", "3 City, Patent", ""], memory=memory).do("switch")
    assert play.known(2, 1) == Counter({"City": 2})
    assert not play.known(2, 0)


def test_steal_from_a_hand_of_one_known_face_is_certain():
    memory = {"player_2": {"known": {"player_1": ["City", "City"]}}}
    play = Play(3, hands=["Town, Train", "2 City", ""], memory=memory).do("switch")
    assert play.known(2, 1) == play.known(2, 0) == Counter(["City"])


def test_two_stolen_of_three_known_in_part():
    """Two of City, City and an unknown card: at least one City went."""
    memory = {"player_2": {"known": {"player_1": ["City", "City"]}}}
    play = Play(3, hands=["Politics", "2 City, Patent", ""], memory=memory).do("Politics")
    assert play.known(2, 0) == Counter(["City"])
    assert not play.known(2, 1)


def test_depot_and_go_west_are_seen_by_all():
    play = Play(2, hands=["Town, Station"], discard="Patent", deck="City, Wreck, Town")
    play.do("depot", "Station")
    assert play.known(1, 0) == Counter(["Patent", "City", "Town"])


def test_train_fetched_is_known_rail_fetched_is_not():
    play = Play(2, hands=["Plains, Town"]).do("Plains", "train yard", "Hills")
    assert play.known(1, 0) == Counter(["Train"])


@pytest.mark.parametrize("num_players", [2, 8])
def test_opening_train_is_known_in_every_hand_until_it_can_have_left(num_players):
    game = load(num_players)
    state = game.deal(5, first_player=0)
    hands = {f"player_{seat}": ["Train"] for seat in range(num_players)}
    memory = game.table(state)["memory"]
    for row, knowledge in memory.items():
        assert knowledge["known"] == {seat: cards for seat, cards in hands.items() if seat != row}
    for seed in range(20):
        world = game.table(game.determinize(state, 0, seed))
        assert all("Train" in seat["hand"] for seat in world["seats"])


def test_depot_that_takes_a_town_leaves_it_known():
    play = Play(3, hands=["Town"], discard="Patent, Town").do("depot")
    assert play.known(1, 0) == play.known(2, 0) == Counter(["Town"])
    public = play.table["memory"]["public"]["known"]
    assert public == {"player_0": ["Town"]}


def test_trade_of_one_face_for_the_same_leaves_both_known():
    play = Play(3, hands=["City", "City", "Town"])
    play.do("offer", "opponent 1", "City", "done", "City", "send", "accept")
    assert play.known(2, 0) == play.known(2, 1) == Counter(["City"])


def test_coal_chute_keeps_a_card_in_secret():
    play = Play(2, hands=["Town"], deck="Patent, Wreck, Survey").do("coal chute", "Wreck")
    assert not play.known(1, 0)


# The top of the deck


def test_cards_known_on_top_are_followed_into_hands():
    play = Play(2, hands=["Survey"], deck=SEVEN).do("Survey").choose("City, Wreck").do("done")
    assert play.known(0, 1) == Counter(["Patent", "Town"])
    assert play.memory(0)["top"] == ["City", "Politics", "Investors"]


def test_search_loses_the_order_but_not_the_cards():
    play = Play(2, hands=["Survey, Town", "Town"], deck=SEVEN)
    play.do("Survey").choose("City, Wreck").do("done", "train yard", "Hills")
    memory = play.memory(0)
    assert memory["top"] == []
    left = {"City": 1, "Politics": 1, "Investors": 1}
    assert memory["deck_at_least"] == left


def test_survey_of_another_seat_makes_the_top_uncertain():
    """Of the five cards known, the other may have taken two; the two Cities at most both."""
    memory = {"player_1": {"top_known": 5}}
    deck = "City, City, City, Patent, Wreck, Town, Town"
    play = Play(2, hands=["Survey"], deck=deck, memory=memory).do("Survey").choose("2 Town")
    assert play.memory(1)["top"] == []
    assert play.memory(1)["deck_at_least"] == {"City": 1}


def test_coal_chute_over_known_cards_tells_which_was_kept():
    memory = {"player_1": {"top_known": 3}}
    play = Play(2, hands=["Town"], deck="Patent, Wreck, Survey", memory=memory)
    play.do("coal chute", "Wreck")
    assert play.known(1, 0) == Counter(["Wreck"])


def test_searcher_learns_which_terrains_are_left():
    others = "5 Mountains, 5 Plains, 5 Coastal, 5 Forest"
    play = Play(2, hands=["Town", others]).do("train yard")
    memory = play.memory(0)
    assert memory["deck_at_least"] == {RAILS[4]: 1, RAILS[5]: 1}
    assert memory["deck_at_most"] == dict.fromkeys(RAILS[:4], 0)
    play.do("Hills")
    assert play.memory(0)["deck_at_least"] == {RAILS[4]: 1}
    assert play.memory(1)["deck_at_least"] == {}


# After a reshuffle


def test_after_a_reshuffle_cards_in_hands_are_not_in_the_deck():
    play = Play(2, hands=["", "3 Train, Patent"], deck_size=0).do("done")
    # Seat 0 knows the pile that became the deck: of the trains twelve, and no Patent.
    memory = play.memory(0)
    assert memory["deck_at_most"]["Patent"] == 0
    assert memory["deck_at_most"]["Train"] == 12
    assert play.hidden(0)["Train"] == 15


def test_after_a_reshuffle_the_deck_is_known_until_cards_are_drawn_unseen():
    """All 114 cards are shuffled and three drawn: by face at most these three are gone."""
    play = Play(2, hands=["Investors", "City"], deck_size=0).do("Investors")
    memory = play.memory(1)
    assert memory["deck_at_least"]["Train"] == 12
    assert memory["deck_at_least"]["City"] == 11
    assert memory["deck_at_least"][RAILS[0]] == 2
    assert "Patent" not in memory["deck_at_least"]


def test_all_of_a_known_deck_drawn_by_one_seat_is_known_in_its_hand():
    memory = {"public": {"deck_at_least": {"City": 1, "Town": 1}}}
    memory |= {f"player_{seat}": memory["public"] for seat in range(3)}
    others = Counter(PACK) - Counter(["Investors", "City", "Town", "Patent"])
    hands = [", ".join(f"{count} {name}" for name, count in others.items()), "Investors"]
    play = Play(3, hands=hands, deck="City, Town, Patent", turn=1, memory=memory).do("Investors")
    assert play.known(2, 1) == Counter(["City", "Town"])


def test_own_draws_after_a_reshuffle_count():
    play = Play(2, turn=1, hands=["", "3 Train"], deck_size=0, income=[40]).do("done")
    drawn = play.hand(0)
    most = play.memory(0)["deck_at_most"]
    assert most["Train"] == 12 - drawn["Train"]


def test_after_a_reshuffle_hands_hold_of_it_no_more_than_they_drew():
    """All rails were shuffled in: a seat that has drawn nothing since cannot hold one."""
    hands = ["Investors, Town", "4 City, Patent", "4 City, Wreck"]
    play = Play(3, hands=hands, deck_size=0).do("Investors")
    memory = play.memory(2)
    assert memory["kept_at_least"] == {"player_0": 1, "player_1": 5}
    assert [memory["fresh_at_least"][rail] for rail in RAILS] == [5] * 6
    for seed in range(100):
        world = play.game.table(play.game.determinize(play.state, 2, seed))
        rails = [sum(card in RAILS for card in seat["hand"]) for seat in world["seats"]]
        assert rails[0] <= 3
        assert rails[1] == 0


def test_play_of_a_fresh_card_takes_none_of_those_that_a_hand_kept():
    """All trains were shuffled in, so one that is played was drawn since."""
    for seed in range(40):
        play = Play(2, hands=["2 Town, Patent", "City"], deck_size=0, seed=seed).do("water tower")
        if play.hand(0)["Train"]:
            break
    assert play.memory(1)["kept_at_least"] == {"player_0": 2}
    play.do("contracts")
    assert play.memory(1)["kept_at_least"] == {"player_0": 2}
    assert play.memory(1)["fresh_at_least"]["Train"] == 14


def test_play_of_a_card_that_may_be_fresh_or_kept_leaves_less_certain():
    play = Play(2, hands=["2 Town, Patent", "City"], deck_size=0).do("water tower")
    fresh = play.memory(1)["fresh_at_least"]["Town"]
    play.do("switch", "Patent")
    assert play.memory(1)["fresh_at_least"]["Town"] == fresh - 1
    assert "kept_at_least" not in play.memory(1)


def test_failed_search_tells_all_that_none_was_left():
    play = Play(3, hands=["Plains", "14 Train"], deck="2 City", deck_size=2).do("Plains")
    memory = play.memory(2)
    assert "Train" not in memory["deck_at_least"]
    assert memory["deck_at_least"][RAILS[0]] == 5, "the discard is in the deck"
    assert play.known(2, 0) == Counter(["Train"])


def test_hidden_cards_add_up():
    play = Play(3, hands=["Wreck, Train", "Patent, City", "Town"], discard="Mail")
    play.do("Wreck", "opponent 1")
    assert play.hidden(0) == Counter(PACK) - Counter(["Wreck", "Train", "Patent", "City", "Mail"])


# Sets being chosen


@pytest.mark.parametrize("start", [("done", "Train"), ("upgrade", "Train")])
def test_unfinished_sets_are_their_owners_secret(start):
    play = Play(2, hands=["2 Train, 2 Plains, 2 City, 2 Town", "Train"])
    play.do(start[0])
    before = play.game.observe(play.state, 1).tobytes(), play.game.table(play.state, 1)
    play.do(start[1])
    assert (play.game.observe(play.state, 1).tobytes(), play.game.table(play.state, 1)) == before
    world = play.game.determinize(play.state, 1, 0)
    assert play.game.table(world)["chosen"] == []
