"""Event Phase: trades between the seat whose turn it is and one other."""

from collections import Counter

from tests.games.railroad_run.tables import ORDER, Play


def offer(play: Play, give: str, want: str, opponent: int | None = None) -> Play:
    play.do("offer")
    if opponent is not None:
        play.do(f"opponent {opponent}")
    play.choose(give)
    if play.phase == "offer_give":
        play.do("done")
    return play.choose(want).do("send")


def test_accepted_offer_exchanges_the_cards():
    play = Play(3, hands=["2 Town, City", "Patent, Train, Wreck", ""])
    offer(play, "2 Town", "Patent")
    assert (play.seat, play.phase, play.legal) == (1, "answer", {"accept", "decline"})
    play.do("accept")
    assert play.hand(0) == Counter(["City", "Patent"])
    assert play.hand(1) == Counter(["Train", "Wreck", "Town", "Town"])
    assert (play.seat, play.phase) == (0, "event")
    assert play.table["plays_left"] == 2, "trades count as no play"


def test_declined_offer_changes_nothing():
    play = Play(3, hands=["Town", "Patent", ""])
    offer(play, "Town", "Patent").do("decline")
    assert play.hand(0) == Counter(["Town"])
    assert play.hand(1) == Counter(["Patent"])
    assert play.table["offers_left"] == 1


def test_seat_that_lacks_a_wanted_card_is_not_asked():
    play = Play(3, hands=["Town", "Patent", ""])
    offer(play, "Town", "City")
    assert (play.seat, play.phase) == (0, "event")
    assert play.hand(0) == Counter(["Town"])


def test_two_offers_a_turn_sent_or_withdrawn():
    play = Play(2, hands=["Town", "Patent"])
    offer(play, "Town", "City")
    play.do("offer", "withdraw")
    assert "offer" not in play.legal
    assert play.table["offers_left"] == 0


def test_offer_gives_one_to_three_cards_of_the_hand():
    play = Play(2, hands=["Town, 4 City", "Patent"]).do("offer")
    assert play.legal == {"City", "Town", "withdraw"}
    play.choose("City")
    assert play.legal == {"City", "Town", "done", "withdraw"}
    play.choose("2 City")
    assert play.phase == "offer_want", "three are the most"


def test_offer_wants_no_more_cards_than_the_opponent_holds():
    play = Play(2, hands=["Town", "Patent, City"]).do("offer", "Town", "done", "Train", "Train")
    assert play.legal == {"send", "withdraw"}


def test_offer_cannot_want_what_lies_in_the_discard():
    play = Play(2, hands=["Town", "City"], discard="Patent").do("offer", "Town", "done")
    assert "Patent" not in play.legal
    assert play.legal == {*ORDER, "withdraw"} - {"Patent"}


def test_offer_needs_cards_on_both_sides():
    assert "offer" not in Play(3, hands=["Town"]).legal
    assert "offer" not in Play(3, hands=["", "Town"]).legal


def test_opponent_is_chosen_where_several_have_cards():
    play = Play(4, hands=["Town", "City", "", "City"]).do("offer")
    assert play.legal == {"opponent 1", "opponent 3"}


def test_no_trades_without_the_option():
    assert "offer" not in Play(2, options={"trades": False}, hands=["Town", "City"]).legal


# Who learns what


def seen(play: Play, seat: int) -> tuple[bytes, dict]:
    table = play.game.table(play.state, seat)
    return play.game.observe(play.state, seat).tobytes(), table


def test_terms_are_public_once_sent():
    play = Play(3, hands=["Town, City", "Patent", "Wreck"])
    before = seen(play, 2)
    play.do("offer", "opponent 1", "Town", "done", "Patent")
    assert seen(play, 2) == before, "not before"
    play.do("send")
    for seat in range(3):
        table = play.game.table(play.state, seat)
        assert (table["chosen"], table["wanted"], table["target"]) == (["Town"], ["Patent"], 1)
    assert play.known(2, 0) == Counter(["Town"]), "what is offered is in hand"


def test_refusal_looks_the_same_with_and_without_the_cards():
    holds = Play(3, hands=["Town", "Patent, City", "Wreck"])
    lacks = Play(3, hands=["Town", "Survey, City", "Wreck"])
    for play in (holds, lacks):
        offer(play, "Town", "Patent", 1)
    for seat in (0, 2):
        assert seen(holds, seat) == seen(lacks, seat), "while it is asked"
    holds.do("decline")
    for seat in (0, 2):
        assert seen(holds, seat) == seen(lacks, seat)


def test_refusal_teaches_nothing_of_the_hand():
    play = Play(3, hands=["Town", "Patent, City", "Wreck"])
    offer(play, "Town", "Patent", 1).do("decline")
    assert not play.known(0, 1)


def test_all_know_where_traded_cards_are():
    play = Play(3, hands=["Town", "Patent, City", "Wreck"])
    offer(play, "Town", "Patent", 1).do("accept")
    assert play.known(2, 0) == Counter(["Patent"])
    assert play.known(2, 1) == play.known(0, 1) == Counter(["Town"])
    assert play.known(1, 0) == Counter(["Patent"])
