"""EXPRESS: both uses of the Pass Card."""

from __future__ import annotations

import pytest

from tests.games.express.tables import REQUESTS, SEATS, Play

# (a) Asking for a card


@pytest.mark.parametrize("num_players", SEATS)
def test_who_holds_a_pass_may_ask_each_opponent_for_twelve_things_of_regions(num_players):
    """By Region: the engine, the van, any coach or wagon; no Pool card, signal, Pass or Station."""
    play = Play(num_players, hands=["Pass"])
    assert len(REQUESTS) == 12
    for step in range(1, num_players):
        assert play.legal_like(f"ask seat +{step} for") == set(REQUESTS)
    assert len(play.legal_like("ask")) == 12 * (num_players - 1)


def test_without_a_pass_and_before_drawing_nobody_may_ask():
    assert not Play(hands=["Red"]).legal_like("ask")
    assert not Play(phase="draw", hands=["Pass"]).legal_like("ask")


def test_a_pass_drawn_this_turn_may_be_used_at_once():
    play = Play(phase="draw", deck="Pass", face_up="Red").do("draw from the pack")
    assert play.legal_like("ask")
    play = Play(phase="draw", face_up="Pass").do("take the face-up card")
    assert play.legal_like("ask")


def test_the_card_wanted_is_handed_over_for_the_pass():
    play = Play(hands=["Pass", "", "ER Guard's Van"])
    play.do("ask seat +2 for ER Guard's Van")
    assert play.hand(0)["ER Guard's Van"] == 1
    assert play.hand(0)["Pass"] == 0
    assert play.hand(2)["ER Guard's Van"] == 0
    assert play.hand(2)["Pass"] == 1
    assert play.each("hand_size") == [8, 7, 7]
    assert (play.seat, play.phase, play.table["turn"]) == (0, "act", 0)


def test_seats_are_counted_from_the_asker():
    play = Play(turn=2, hands=["", "WR Engine", "Pass"])
    assert play.do("ask seat +2 for WR Engine").hand(2)["WR Engine"] == 1


def test_several_requests_may_follow_one_another_while_they_succeed():
    play = Play(hands=["Pass, Pass", "ER Guard's Van", "WR Engine"])
    play.do("ask seat +1 for ER Guard's Van", "ask seat +2 for WR Engine")
    assert play.hand(0)["ER Guard's Van"] == play.hand(0)["WR Engine"] == 1
    assert not play.legal_like("ask")
    assert play.legal_like("discard")


def test_one_coach_or_wagon_is_handed_over_without_a_choice():
    play = Play(hands=["Pass", "SR Grain Wagon"])
    play.do("ask seat +1 for SR Wagon")
    assert play.hand(0)["SR Grain Wagon"] == 1
    assert play.seat == 0


def test_of_several_coaches_or_wagons_the_giver_picks():
    """A Restaurant Car is a coach."""
    hands = ["Pass, ER Third Class Coach", "ER First Class Coach, ER Restaurant Car, ER Engine"]
    play = Play(hands=hands).do("ask seat +1 for ER Coach")
    assert (play.seat, play.phase) == (1, "hand_over")
    assert play.legal == {"choose ER First Class Coach", "choose ER Restaurant Car"}
    assert play.field(1, "asked") == [0, 1, 0, 0]
    play.do("choose ER Restaurant Car")
    assert play.hand(0)["ER Restaurant Car"] == 1
    assert play.hand(1)["ER First Class Coach"] == play.hand(1)["Pass"] == 1
    assert (play.seat, play.phase) == (0, "act")


def test_a_pass_used_in_vain_is_discarded_and_ends_the_turn():
    """Nothing else is discarded, so eight cards become seven."""
    play = Play(hands=["Pass"]).do("ask seat +1 for WR Brake Van")
    assert play.each("hand_size") == [7, 7, 7]
    assert play.hand(0)["Pass"] == 0
    assert play.table["face_up"] == "Pass"
    assert (play.table["turn"], play.phase) == (1, "draw")


def test_the_next_player_may_not_take_that_pass_and_must_draw():
    play = Play(hands=["Pass"]).do("ask seat +1 for WR Brake Van")
    assert play.table["face_up_is"] == "barred"
    assert play.field(1, "top_barred") == [1]
    assert play.legal == {"draw from the pack"}


def test_the_bar_lasts_for_one_player_only_since_the_pass_is_covered_then():
    play = Play(hands=["Pass", "Red"]).do("ask seat +1 for WR Brake Van")
    play.do("draw from the pack", "discard Red")
    assert play.table["face_up_is"] == "discarded"
    assert "take the face-up card" in play.legal


def test_a_pass_discarded_freely_may_be_taken():
    play = Play(hands=["Pass"]).do("discard Pass")
    assert "take the face-up card" in play.legal


@pytest.mark.parametrize("where", ["own hand", "own train", "another train", "pile"])
def test_a_request_for_a_card_that_is_elsewhere_is_legal_and_fails(where):
    """Cards on the table do not count as held."""
    given = {"hands": ["Pass"], "trains": {}, "pile": ""}
    if where == "own hand":
        given["hands"] = ["Pass, WR Engine"]
    elif where == "pile":
        given["pile"] = "WR Engine"
    else:
        given["trains"] = {0 if where == "own train" else 1: ("WR", "")}
    play = Play(**given).do("ask seat +1 for WR Engine")
    assert play.table["face_up"] == "Pass"
    assert play.table["turn"] == 1


# (b) Claiming a discard


def window(num_players=3, top="ER Engine", passes=(2,), **given):
    """Seat 0 draws; the last seat has discarded ``top``; some seats hold a Pass."""
    hands = ["Pass" if seat in passes else "" for seat in range(num_players)]
    return Play(num_players, phase="draw", face_up=top, hands=hands, **given)


def test_a_holder_of_a_pass_may_claim_a_discard_that_the_next_player_leaves():
    play = window(4, passes=(2,), deck="Green 1").do("draw from the pack")
    assert (play.seat, play.phase) == (2, "claim")
    assert play.legal == {"claim the face-up card", "let it go"}
    play.do("claim the face-up card")
    assert play.hand(2)["ER Engine"] == 1
    assert play.hand(2)["Pass"] == 0
    assert play.each("hand_size") == [8, 7, 7, 7]


def test_after_a_claim_the_pass_lies_on_top_and_the_player_draws_from_the_pack():
    play = window(4, passes=(2,), deck="Green 1").do("draw from the pack", "claim the face-up card")
    assert play.table["face_up"] == "Pass"
    assert play.table["face_up_is"] == "barred"
    assert play.hand(0)["Green 1"] == 1
    assert (play.seat, play.table["turn"], play.phase) == (0, 0, "act")


def test_a_claim_is_no_turn():
    play = window(4, passes=(2,)).do("draw from the pack")
    turns = play.table["turns"]
    play.do("claim the face-up card", "discard LMR Engine")
    assert play.table["turns"] == turns + 1
    assert play.table["turn"] == 1


def test_if_nobody_claims_the_player_draws():
    play = window(4, passes=(1, 2), deck="Green 1").do("draw from the pack", "let it go")
    assert (play.seat, play.phase) == (2, "claim")
    play.do("let it go")
    assert play.hand(0)["Green 1"] == 1
    assert play.table["face_up"] == "ER Engine"


def test_of_several_holders_the_nearest_to_the_left_comes_first():
    play = window(4, passes=(1, 2)).do("draw from the pack")
    assert play.seat == 1
    play.do("claim the face-up card")
    assert play.phase == "act"


def test_the_discarder_and_the_player_whose_turn_it_is_claim_nothing():
    """Of four seats the last has discarded and seat 0 draws."""
    assert window(4, passes=(3,)).do("draw from the pack").phase == "act"
    assert window(4, passes=(0,)).do("draw from the pack").phase == "act"
    assert window(3, passes=(2,)).do("draw from the pack").phase == "act"
    assert window(3, passes=(1,)).do("draw from the pack").phase == "claim"


def test_with_two_seats_there_are_no_claims():
    play = window(2, passes=(0, 1)).do("draw from the pack")
    assert play.phase == "act"
    assert not any("claim" in name for name in play.game.action_names)


@pytest.mark.parametrize("top", ["Pool Engine", "Red", "Green 2", "Pass"])
def test_only_cards_of_regions_may_be_claimed(top):
    play = window(3, top=top, passes=(1,)).do("draw from the pack")
    assert play.phase == "act"


def test_who_takes_the_discard_leaves_nothing_to_claim():
    assert window(3, passes=(1,)).do("take the face-up card").phase == "act"


def test_the_card_turned_up_at_the_deal_is_nobodys_discard():
    play = window(3, passes=(1,), face_up_is="turned up", turns=0)
    assert play.do("draw from the pack").phase == "act"


def test_the_choice_of_the_pack_stands_whatever_the_claimers_do():
    """Asked first, the player draws from the pack even if the discard is let go."""
    play = window(3, passes=(1,), deck="Green 1").do("draw from the pack", "let it go")
    assert play.hand(0)["Green 1"] == 1
    assert play.table["turn"] == 0
