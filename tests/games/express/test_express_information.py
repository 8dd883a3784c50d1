"""What a seat of EXPRESS may know: its observation, and that nothing else gets out."""

from __future__ import annotations

import copy
from collections import Counter

import pytest

from railenvs import SeatView
from railenvs.render.text import render_view
from tests.games.express.tables import (
    COPIES,
    FACES,
    REGIONS,
    SEATS,
    SIGNALS,
    TRAIN,
    VEHICLES,
    Play,
    load,
)
from tests.play import difference, random_states

PHASES = ("draw", "act", "discard", "choose")


# The observation, field by field, from a seat's table and the docs alone


def encode(table, me, max_turns, num_players):
    seats = table["seats"]
    around = [(me + step) % num_players for step in range(num_players)]
    phase = {
        "claim": "draw",
        **dict.fromkeys(("hand_over", "lay_out", "exchange"), "choose"),
    }.get(table["phase"], table["phase"])
    chosen = [seat["chosen"] or [] for seat in seats]
    request = table["request"].split()[0] if table["request"] else None
    memory = [table["memory"][f"player_{seat}"] for seat in around[1:]]
    stock, old = bounds(table, me)
    expected = {
        "own_hand": counts(Counter(seats[me]["hand"]) - Counter(chosen[me])),
        "picked_up": [int(table["picked_up"] == signal) for signal in SIGNALS],
        "top": counts([table["face_up"]]),
        "top_barred": [int(table["face_up_is"] == "barred")],
        "pile": counts(table["pile"]),
        "stock_left": [table["stock_left"]],
        "stock_at_most": counts(stock.elements()),
        "old_at_most": counts(old.elements()),
        "phase": [int(phase == name) for name in PHASES],
        "asked": [int(request == region) for region in REGIONS],
        "turns_left": [min(max_turns - table["turns"], 127)],
        "hands_left": [table["hands_left"]],
        "hand_size": [seats[seat]["hand_size"] for seat in around],
        "train": [counts(seats[seat]["train"] + chosen[seat])[:25] for seat in around],
        "region": [[int(seats[seat]["region"] == one) for one in REGIONS] for seat in around],
        "position": [seats[seat]["position"] for seat in around],
        "may_lay_out": [[int(not seats[seat]["train"])] * 4 for seat in around],
        "score": [seats[seat]["score"] for seat in around],
        "turn": [int(seat == table["turn"]) for seat in around],
        "known": [counts(facts["known"]) for facts in memory],
        "absent": [counts(facts["absent"])[:25] for facts in memory],
        "new_at_least": [facts["new_at_least"] for facts in memory],
        "new_at_most": [facts["new_at_most"] for facts in memory],
    }
    if num_players > 2:
        expected["claim"] = [int(table["phase"] == "claim")]
    return expected


def bounds(table, me):
    """Unseen cards that can have been in the pack, and in hands: shown if that does not follow."""
    seen = Counter(table["pile"]) + Counter(table["seats"][me]["hand"])
    for seat in table["seats"]:
        seen += Counter(seat["train"])
    for facts in table["memory"].values():
        seen += Counter(facts["known"])
    unseen = Counter(COPIES) - seen
    stock = Counter(table.get("stock_at_most", unseen))
    rest = unseen - stock
    old = Counter(table.get("old_at_most", rest or unseen))
    assert "stock_at_most" not in table or rest
    assert "old_at_most" not in table or old != (rest or unseen)
    return stock, old


def counts(cards):
    number = Counter(cards)
    return [number[face] for face in FACES]


@pytest.mark.parametrize("num_players", SEATS)
def test_observation_is_what_the_docs_say_of_the_table(num_players):
    game = load(num_players)
    for seed in range(3):
        for state in list(random_states(game, seed))[seed::7]:
            for seat in range(num_players):
                expected = encode(game.table(state, seat), seat, 100 * num_players, num_players)
                assert list(expected) == list(game.fields)
                for name, value in expected.items():
                    found = game.fields.cut(game.observe(state, seat), name).tolist()
                    assert found == value, name


# Decisions that only a holder has


def seen(play, seat):
    """All that a seat is shown but which actions it may take."""
    text = render_view(SeatView(play.game, play.state, seat))
    return play.game.observe(play.state, seat), play.view(seat), text.split("Your actions")[0]


def window(holder, passes):
    """Two tables that differ only by which of Pass and Pool Coach is in a hand."""
    hands = ["Red, Green 1", "Red, Green 1", "Red, Green 1", "Red, Green 1"]
    held, drawn = ("Pass", "Pool Coach") if passes else ("Pool Coach", "Pass")
    hands[holder] += f", {held}"
    deck = f"Green 2, {drawn}"
    return Play(4, phase="draw", face_up="ER Engine", hands=hands, deck=deck, turns=4)


@pytest.mark.parametrize("holder", [1, 2])
def test_a_silent_holder_of_a_pass_is_not_betrayed(holder):
    """While the window is open all looks as before, and after it as if it had never been."""
    silent, none = window(holder, passes=True), window(holder, passes=False)
    others = [seat for seat in range(4) if seat != holder]
    before = [seen(silent, seat) for seat in others]
    silent.do("draw from the pack")
    assert silent.seat == holder
    assert not difference([seen(silent, seat) for seat in others], before)
    silent.do("let it go")
    none.do("draw from the pack")
    assert none.phase == "act"
    shown = [seen(silent, seat) for seat in others]
    assert not difference(shown, [seen(none, seat) for seat in others])


def test_who_is_asked_to_claim_sees_it():
    play = window(2, passes=True).do("draw from the pack")
    assert [play.field(seat, "claim") for seat in range(4)] == [[0], [0], [1], [0]]
    assert play.view(2)["phase"] == "claim"
    assert play.view(2)["asked"] == 2
    assert [play.view(seat)["phase"] for seat in (0, 1, 3)] == ["draw"] * 3


def test_who_let_a_discard_go_first_is_not_shown_to_the_next_one_asked():
    hands = ["Red", "Pass", "Pass", "Red"]
    first = Play(4, phase="draw", face_up="ER Engine", hands=hands, turns=4)
    first.do("draw from the pack", "let it go")
    hands[1] = "Green 1"
    alone = Play(4, phase="draw", face_up="ER Engine", hands=hands, deck="", turns=4)
    alone.do("draw from the pack")
    assert first.seat == alone.seat == 2
    assert not difference(first.view(2), alone.view(2))


def test_a_choice_of_what_to_hand_over_shows_to_the_giver_alone():
    hands = ["Pass", "ER First Class Coach, ER Restaurant Car", ""]
    play = Play(hands=hands)
    before = [seen(play, seat) for seat in (0, 2)]
    play.do("ask seat +1 for ER Coach")
    assert play.seat == 1
    assert not difference([seen(play, seat) for seat in (0, 2)], before)
    assert play.view(1)["request"] == "ER Coach"


def test_a_choice_of_cards_to_lay_out_shows_to_its_owner_alone():
    hand = ", ".join([*TRAIN["WR"], "Pool Engine, Pool Brake Van, Red"])
    play = Play(hands=[hand])
    before = [seen(play, seat) for seat in (1, 2)]
    play.do("lay out WR", "choose Pool Engine")
    assert not difference([seen(play, seat) for seat in (1, 2)], before)
    assert play.view(0)["laying"] == "WR"
    picked = Counter(dict.fromkeys(("Pool Engine", *TRAIN["WR"][1:4]), 1))
    assert Counter({VEHICLES[i]: n for i, n in enumerate(play.field(0, "train")[0]) if n}) == picked
    assert not play.faces(0, "own_hand")["Pool Engine"]


def test_a_choice_of_cards_to_exchange_shows_to_its_owner_alone():
    train = "SR Engine, SR Grain Wagon, Pool Wagon, SR Brake Van"
    play = Play(
        options={"short_trains": True},
        trains={1: ("SR", train)},
        hands=["SR Gas Cylinder Wagon, SR High Open Wagon"],
    )
    before = [seen(play, seat) for seat in (1, 2)]
    play.do("exchange Pool Wagon")
    assert not difference([seen(play, seat) for seat in (1, 2)], before)
    assert play.view(0)["exchanging"] == "Pool Wagon"


# What is known of others' hands


def play_first(play):
    return next(name for name in sorted(play.legal) if name.startswith("discard"))


def known(play, me, other):
    return Counter(play.view(me)["memory"][f"player_{other}"]["known"])


def test_a_card_taken_face_up_is_known_until_it_is_discarded():
    play = Play(phase="draw", face_up="WR Engine").do("take the face-up card")
    assert known(play, 1, 0) == known(play, 2, 0) == Counter(["WR Engine"])
    assert play.faces(1, "known", 1) == Counter(["WR Engine"])
    play.do("discard WR Engine")
    assert not known(play, 1, 0)


def test_discarding_a_twin_of_a_signal_just_picked_up_leaves_that_one_certain():
    """It may not be discarded this turn. Later either may go, and nothing is certain any more."""
    play = Play(2, phase="draw", face_up="Green 2", hands=["Green 2, Green 2", "Red"])
    play.do("take the face-up card", "discard Green 2")
    assert known(play, 1, 0) == Counter(["Green 2"])
    assert Counter(play.view(1)["public"]["player_0"]["known"]) == Counter(["Green 2"])
    assert play.faces(1, "known", 0) == Counter(["Green 2"])
    for seed in range(50):
        world = play.game.table(play.game.determinize(play.state, 1, seed))
        assert "Green 2" in world["seats"][0]["hand"]
    play.do("draw from the pack", "discard Red", "draw from the pack", "discard Green 2")
    assert not known(play, 1, 0)


def test_a_second_signal_picked_up_is_one_of_two_certain_ones():
    play = Play(2, phase="draw", face_up="Green 2", hands=["Red", "Green 2"])
    play.do("take the face-up card", "discard Red", "draw from the pack", "discard Green 2")
    assert known(play, 1, 0) == Counter(["Green 2"])
    play.do("take the face-up card")
    assert known(play, 1, 0) == Counter(["Green 2", "Green 2"])
    play.do("discard Green 2")
    assert known(play, 1, 0) == Counter(["Green 2"])


def test_a_given_table_tells_all_of_a_signal_just_picked_up():
    play = Play(2, face_up=None, hands=["Green 1"], picked_up="Green 1")
    assert known(play, 1, 0) == Counter(["Green 1"])
    table = play.table
    for row in ("player_1", "public"):
        broken = copy.deepcopy(table)
        broken["memory"][row]["player_0"]["known"] = []
        broken["memory"][row]["player_0"]["new_at_most"] = 7
        with pytest.raises(ValueError, match=r"picked up|lacks what is public"):
            play.game.from_table(broken)


def test_a_card_drawn_from_the_pack_is_not_known():
    play = Play(phase="draw", deck="WR Engine").do("draw from the pack")
    assert not known(play, 1, 0)
    facts = play.view(1)["memory"]["player_0"]
    assert facts["new_at_least"] >= 1


def test_a_claimed_card_is_known():
    play = Play(phase="draw", face_up="WR Engine", hands=["", "Pass"])
    play.do("draw from the pack", "claim the face-up card")
    assert known(play, 0, 1) == known(play, 2, 1) == Counter(["WR Engine"])


def test_a_pool_card_taken_from_a_train_is_known():
    train = ", ".join(["Pool Engine", *TRAIN["ER"][1:]])
    play = Play(trains={1: ("ER", train)}, hands=["ER Engine"]).do("exchange Pool Engine")
    assert known(play, 1, 0) == known(play, 2, 0) == Counter(["Pool Engine"])


def test_an_engine_or_van_handed_over_and_the_pass_are_known_to_all():
    play = Play(hands=["Pass", "ER Engine"]).do("ask seat +1 for ER Engine")
    assert known(play, 1, 0) == known(play, 2, 0) == Counter(["ER Engine"])
    assert known(play, 0, 1) == known(play, 2, 1) == Counter(["Pass"])


def test_which_coach_was_handed_over_giver_and_asker_know_alone():
    hands = ["Pass, SR Engine", "ER First Class Coach, ER Restaurant Car", "LMR Engine"]
    play = Play(hands=hands)
    play.do("ask seat +1 for ER Coach", "choose ER Restaurant Car")
    assert known(play, 1, 0) == Counter(["ER Restaurant Car"])
    assert not known(play, 2, 0)
    assert known(play, 2, 1) == Counter(["Pass"])
    other = Play(hands=hands)
    other.do("ask seat +1 for ER Coach", "choose ER First Class Coach")
    assert not difference(seen(play, 2), seen(other, 2))


def test_a_known_coach_that_may_have_left_is_in_one_of_two_hands():
    """Seat 2 took a coach openly. Seat 3 asks it for one and gets another: seats 0 and 1 see two
    hands in which it may be, and that nobody else holds it."""
    hands = ["", "", "ER Third Class Coach, Red", "Pass"]
    given = {"turn": 2, "phase": "draw", "face_up": "ER First Class Coach", "hands": hands}
    play = Play(4, **given, deck="Red, Red")
    play.do("take the face-up card", "discard Red", "draw from the pack")
    play.do("ask seat +3 for ER Coach", "choose ER Third Class Coach")
    for me, other in ((0, "player_1"), (1, "player_0")):
        assert not known(play, me, 2)["ER First Class Coach"]
        memory = play.view(me)["memory"]
        assert "ER First Class Coach" in memory[other]["absent"]
        assert "ER First Class Coach" not in memory["player_2"]["absent"]
        assert "ER First Class Coach" not in memory["player_3"]["absent"]
        found = Counter()
        for seed in range(100):
            world = play.game.table(play.game.determinize(play.state, me, seed))
            seats = enumerate(world["seats"])
            found.update(at for at, seat in seats if "ER First Class Coach" in seat["hand"])
        assert set(found) == {2, 3}
        assert found.total() == 100


def test_which_coach_it_was_is_known_where_only_one_can_be_meant():
    hands = [
        "Pass",
        "ER First Class Coach",
        "ER Third Class Coach, ER Restaurant Car",
    ]
    play = Play(hands=hands).do("ask seat +1 for ER Coach")
    assert known(play, 2, 0) == Counter(["ER First Class Coach"])


def test_a_known_coach_that_may_have_left_is_known_no_more():
    hands = ["ER First Class Coach, Pass", "ER Third Class Coach, Red", "Red, Green 2"]
    play = Play(turn=1, phase="draw", face_up="ER Restaurant Car", hands=hands, deck="Red, Red")
    play.do("take the face-up card", "discard Red", "draw from the pack", "discard Green 2")
    assert known(play, 0, 1) == known(play, 2, 1) == Counter(["ER Restaurant Car"])
    play.do("draw from the pack", "ask seat +1 for ER Coach", "choose ER Third Class Coach")
    assert known(play, 2, 1) == Counter(["Pass"])
    assert not known(play, 2, 0)
    # Seat 0 has seen which one it was.
    assert known(play, 0, 1) == Counter(["ER Restaurant Car", "Pass"])


ASKING = ["Pass, ER Guard's Van", "LMR Engine, ER Engine, Red", "SR Engine, ER First Class Coach"]
ELSEWHERE = "ER Third Class Coach, ER Restaurant Car"


def test_a_refusal_is_remembered():
    play = Play(hands=ASKING, pile=ELSEWHERE).do("ask seat +1 for ER Coach")
    for me in (0, 2):
        assert play.view(me)["memory"]["player_1"]["absent"] == TRAIN["ER"][1:4]
        assert play.field(me, "absent")[(1 - me) % 3 - 1] == counts(TRAIN["ER"][1:4])[:25]


def test_a_refusal_counts_until_the_seat_may_have_drawn_the_card():
    """A coach that lies in the pile or is in my own hand cannot have been drawn."""
    play = Play(hands=ASKING, pile=ELSEWHERE).do("ask seat +1 for ER Coach", "draw from the pack")
    assert play.view(0)["memory"]["player_1"]["absent"] == TRAIN["ER"][2:4]
    assert play.view(2)["memory"]["player_1"]["absent"] == TRAIN["ER"][1:4]


def test_a_refusal_counts_no_more_once_the_seat_takes_the_card():
    hands = ["ER First Class Coach", "Green 1", "Pass"]
    play = Play(turn=2, hands=hands, pile=ELSEWHERE, deck="Red, Red")
    play.do("ask seat +2 for ER Coach", "draw from the pack", "discard ER First Class Coach")
    assert "ER First Class Coach" in play.view(2)["memory"]["player_1"]["absent"]
    play.do("take the face-up card")
    assert "ER First Class Coach" not in play.view(2)["memory"]["player_1"]["absent"]
    assert known(play, 2, 1) == Counter(["ER First Class Coach"])


def test_a_refusal_outlasts_a_hand_over_that_cannot_have_been_that_card():
    """Neither giver nor asker held one of the three coaches: it is not the one that moved."""
    hands = ["", "Pass, SR Engine", "ER Third Class Coach, ER Restaurant Car", ""]
    play = Play(4, turn=1, hands=hands, deck="ER First Class Coach")
    table = play.table
    for seat in ("player_1", "player_2"):
        table["memory"]["player_0"][seat]["absent"] = ["ER First Class Coach"]
    play.state = play.game.from_table(table)
    play.do("ask seat +1 for ER Coach", "choose ER Third Class Coach")
    facts = play.view(0)["memory"]
    assert facts["player_1"]["absent"] == facts["player_2"]["absent"] == ["ER First Class Coach"]


def test_what_a_hand_lacked_at_one_shuffle_it_lacks_after_the_next():
    """The old pack held both engines; seat 1 has drawn one card of it, seat 2 none."""
    hands = ["Red", "ER Engine, Pool Engine"]
    play = Play(3, phase="draw", hands=hands, deck="WR Engine", stock_size=1)
    table = play.table
    memory = table["memory"]["player_0"]
    pack = ["ER Engine", "WR Engine", "Pool Engine"]
    memory["stock_at_most"] = pack
    memory["old_at_most"] = [card for card in memory["old_at_most"] if card not in pack]
    memory["player_1"].update(new_at_least=2, new_at_most=2)
    memory["player_2"].update(new_at_least=0, new_at_most=0)
    play.state = play.game.from_table(table)
    play.do("draw from the pack")
    assert play.view(0)["memory"]["player_2"]["absent"] == ["ER Engine", "Pool Engine"]
    lacked = play.field(0, "absent")[1]
    assert [VEHICLES[vehicle] for vehicle, absent in enumerate(lacked) if absent] == [
        "ER Engine",
        "Pool Engine",
    ]
    for seed in range(50):
        world = play.game.table(play.game.determinize(play.state, 0, seed))
        assert {"ER Engine", "Pool Engine"} <= set(world["seats"][1]["hand"])
    # As soon as seat 2 may have drawn one, it may hold it; these two are not in the new pack.
    play.do("discard Red", "draw from the pack", "discard ER Engine", "take the face-up card")
    assert play.view(0)["memory"]["player_2"]["absent"] == ["Pool Engine"]


# What the pack is made of


def shuffled():
    """Seat 0 draws the last card; eleven discards become the pack."""
    play = Play(4, phase="draw", stock_size=1, deck="ER Engine", face_up="Red")
    pile = Counter(play.table["pile"])
    return play.do("draw from the pack"), pile


def test_after_a_shuffle_all_know_what_the_pack_is_made_of():
    play, pile = shuffled()
    for seat in range(4):
        assert play.faces(seat, "stock_at_most") == pile
        hidden = Counter()
        for other in range(4):
            if other != seat:
                hidden += play.hand(other)
        assert play.faces(seat, "old_at_most") == hidden
        assert play.field(seat, "new_at_most") == [0, 0, 0]


def test_what_i_draw_from_it_is_in_it_no_more():
    play, pile = shuffled()
    play.do(play_first(play)).do("draw from the pack")
    drawn = play.hand(1) - Counter(play.view(1)["seats"][1]["hand"])
    assert not drawn
    gone = pile - play.faces(1, "stock_at_most")
    assert sum(gone.values()) == 1
    assert all(play.hand(1)[face] for face in gone)
    for other in (0, 2, 3):
        assert play.faces(other, "stock_at_most") == pile


def test_unseen_draws_are_counted_seat_by_seat():
    play, _ = shuffled()
    play.do(play_first(play)).do("draw from the pack")
    assert play.field(0, "new_at_least") == play.field(0, "new_at_most") == [1, 0, 0]
    assert play.field(3, "new_at_most") == [0, 1, 0]


def test_a_vehicle_from_the_new_pack_leaves_its_drawer_with_old_cards_alone():
    """And one that was in a hand at the shuffle leaves the card drawn since."""
    start = Play(4, phase="draw", stock_size=1, deck="ER Engine", face_up="Red", pile="Pool Wagon")
    table = start.table
    for seed in range(100):
        play = Play(4)
        play.state = play.game.from_table(table, seed)
        play.do("draw from the pack")
        if play.table["stock"][0] == "Pool Wagon":
            break
    play.do(play_first(play)).do("draw from the pack")
    after = Play(4)
    for card, most in (("Pool Wagon", 0), ("LMR Third Class Coach", 1)):
        after.state = play.state.copy()
        after.do(f"discard {card}")
        for watcher in (0, 2, 3):
            facts = after.view(watcher)["memory"]["player_1"]
            assert facts["new_at_least"] == facts["new_at_most"] == most


def test_a_signal_that_may_be_old_or_new_leaves_both_open():
    hands = ["Red", "Green 1"]
    play = Play(
        4, phase="draw", stock_size=1, deck="ER Engine", face_up="Green 1", hands=hands, turns=12
    )
    play.do("draw from the pack", "discard Red", "draw from the pack", "discard Green 1")
    facts = play.view(2)["memory"]["player_1"]
    assert (facts["new_at_least"], facts["new_at_most"]) == (0, 1)
