"""2. Replenishment: row and deck, the hand refresh."""

import itertools

import pytest

from tests.games.tchu_tchu_train.tables import PLAIN, Play, cells_of, make_table

SEVEN = "AS 2S 3S 4S 5S 6S 7S"
ROW = "AD 2D 3D 4D"


def placed(count, **entries):
    """Seat 0 has placed so many trains and now replenishes."""
    entries = {"hands": [SEVEN], "row": ROW, "deck": "KC QC JC 10C", **entries}
    play = Play(entries.pop("num_players", 3), **entries)
    play.do(*(f"place r1c{column}" for column in range(1, count + 1)))
    return play if count == 7 else play.do("end placing")


def test_as_many_cards_as_were_used_are_taken():
    play = placed(2).do("take row 1")
    assert play.phase == "replenish"
    assert play.seat(0)["hand_size"] == 6
    play.do("take row 2")
    assert play.seat(0)["hand_size"] == 7
    assert play.turn == 1


def test_an_open_card_is_replaced_at_once():
    play = placed(3).do("take row 2")
    assert play.table()["row"] == ["AD", "KC", "3D", "4D"]
    play.do("take row 2")
    assert play.table()["row"] == ["AD", "QC", "3D", "4D"]
    assert {"AD", "2D", "KC"} & set(play.seat(0)["hand"]) == {"2D", "KC"}


def test_seven_cards_may_be_taken_from_the_row():
    play = placed(7).do(*["take row 4"] * 7)
    assert play.turn == 1
    assert {"4D", "KC", "QC", "JC", "10C"} <= set(play.seat(0)["hand"])


def test_a_card_from_the_deck_locks_the_row():
    """All that is missing is drawn: there is no way back to the open cards."""
    play = placed(4).do("take row 1")
    assert play.legal() == {"take row 1", "take row 2", "take row 3", "take row 4", "draw"}
    play.do("draw")
    assert play.turn == 1
    assert sorted(play.seat(0)["hand"]) == sorted(["5S", "6S", "7S", "AD", "QC", "JC", "10C"])


def test_drawn_cards_are_seen_by_their_owner_alone():
    play = placed(4).do("draw")
    assert play.table()["memory"]["seat_0"] == []
    assert play.table(0)["seats"][0]["hand"][-4:] == ["10C", "JC", "QC", "KC"]
    assert play.table(1)["seats"][0]["hand"] is None


# A deck that runs dry (four seats)


def dry(deck="", size=7, row=ROW):
    """Four seats near the end: what is not in hands, row and deck has been played.

    Seats 1 to 3 have one train left each, seat 0 all the others. The first seven cells are free.
    """
    table = make_table(4, hands=[SEVEN if size == 7 else ""], sizes={0: size}, row=row, deck=deck)
    ahead = deck.split()
    played = table["draw_deck"][len(ahead) :]
    table["draw_deck"] = ahead
    free = list(reversed(cells_of(PLAIN).items()))
    owners = [1, 2, 3] * 19 + [0] * 20
    for owner, card in zip(owners, played, strict=False):
        name, label = next(cell for cell in free if cell[1].startswith(f"{card}/"))
        free.remove((name, label))
        line, column = name.split("c")
        table["board"][line][f"c{column}"] += f" {owner}"
    return Play.on(table, 4)


def test_an_empty_deck_leaves_the_row_as_it_is():
    play = dry("KC")
    place = sorted(play.legal("place"))[0]
    play.do(f"place {place}", "end placing", "take row 1", "take the point")
    assert play.table()["deck_left"] == 0
    assert play.table()["row"] == ["KC", "2D", "3D", "4D"]
    play.do(f"place {sorted(play.legal('place'))[0]}")
    assert "draw" not in play.legal()
    play.do("take row 1", "take the point")
    assert play.table()["row"] == [None, "2D", "3D", "4D"]


def test_with_an_empty_deck_what_lies_open_is_taken_and_hands_stay_short():
    play = dry().do(*(f"place r1c{column}" for column in range(1, 6)))
    play.do("take row 1", "take row 2", "take row 3", "take row 4")
    assert play.turn == 1
    assert play.seat(0)["hand_size"] == 6
    assert play.table()["row"] == [None] * 4


def test_the_lock_stands_even_if_the_deck_runs_dry():
    play = dry("KC QC").do(*(f"place r1c{column}" for column in range(1, 6)))
    play.do("end placing", "draw")
    assert play.turn == 1
    assert play.seat(0)["hand_size"] == 4
    assert play.table()["row"] == ROW.split()
    assert play.table()["deck_left"] == 0


def test_a_short_hand_is_filled_up_from_the_row_when_it_can():
    """The hand should be seven: a short one takes more cards than it used."""
    play = dry(size=4)
    play.do(f"place {sorted(play.legal('place'))[0]}", "end placing")
    play.do("take row 1", "take row 2", "take row 3", "take row 4")
    assert play.seat(0)["hand_size"] == 7


def test_discards_are_never_shuffled_back():
    play = dry()
    discards = len(play.table()["discards"])
    assert discards == 72
    play.do("place r1c1", "end placing", "take row 1")
    assert play.table()["deck_left"] == 0
    assert len(play.table()["discards"]) == 73


def test_without_an_open_card_there_is_only_the_point():
    """A single train with nothing to replenish from or refresh with scores at once."""
    play = dry(row=[None] * 4).do("place r1c1")
    assert play.turn == 1
    assert play.seat(0)["train_points"] == 1
    assert play.seat(0)["hand_size"] == 6


# Hand refresh


def refreshing(hand=SEVEN, row=ROW):
    play = Play(hands=[f"{hand}"], row=row, deck="KC")
    first = sorted(play.legal("place"))[0]
    return play.do(f"place {first}", "end placing", "draw", "refresh")


def test_a_refresh_is_offered_after_a_single_train_only():
    assert Play(hands=[SEVEN]).do("place r1c1", "end placing", "draw").phase == "point_or_refresh"
    assert placed(2).do("draw").turn == 1


def test_a_refresh_follows_replenishment_with_the_new_cards_seen():
    play = Play(hands=[SEVEN], row=ROW, deck="KC").do(
        "place r1c1", "end placing", "draw", "refresh"
    )
    play.do("swap row 1")
    assert "KC" in play.legal("give")


def test_a_refresh_costs_the_point():
    play = refreshing().do("swap row 1", "give 7S", "done")
    assert play.seat(0)["train_points"] == 0
    assert play.turn == 1


def test_cards_given_lie_in_the_row_at_their_places():
    play = refreshing().do("swap row 1", "give 7S", "swap row 3", "give 6S", "done")
    assert play.table()["row"] == ["7S", "2D", "6S", "4D"]
    assert {"AD", "3D"} <= set(play.seat(0)["hand"])
    assert play.seat(0)["hand_size"] == 7
    assert play.table()["deck_left"] == refreshing().table()["deck_left"]


def test_a_refresh_changes_at_least_one_card():
    assert refreshing().legal() == {f"swap row {place}" for place in range(1, 5)}


def test_a_refresh_changes_at_most_the_four_of_the_row():
    play = refreshing()
    for place, card in enumerate(["7S", "6S", "5S", "4S"], start=1):
        play.do(f"swap row {place}", f"give {card}")
    assert play.turn == 1
    assert play.table()["row"] == ["7S", "6S", "5S", "4S"]


def test_cards_just_taken_cannot_be_given():
    """One exchange, all at once."""
    play = refreshing().do("swap row 1", "give 7S", "swap row 2")
    assert not {"AD", "2D"} & play.legal("give")
    assert play.table()["incoming"] == ["AD", None, None, None]
    assert play.seat(0)["hand_size"] == 6


def test_a_joker_is_never_given():
    play = Play(hands=[""], tokens={"r8c13": "S"}, jokers=[0], row=ROW)
    play.do(f"place {sorted(play.legal('place'))[0]}", "end placing", "draw", "refresh")
    play.do("swap row 1")
    assert all(name.startswith("give ") for name in play.legal())
    assert len(play.legal()) == len(set(play.seat(0)["hand"]))
    assert play.seat(0)["joker"]


def test_a_refresh_may_follow_a_single_train_by_joker():
    play = Play(tokens={"r8c13": "S"}, jokers=[0]).do("joker r1c1", "end placing", "draw")
    assert "refresh" in play.legal()


def exchanges(play):
    """Every way to refresh, as the pairs that the decisions name, followed to the end."""
    name = dict(enumerate(play.game.action_names))
    found = []

    def follow(state, pairs):
        if play.game.seat(state) != 0:
            found.append(frozenset(pairs))
            return
        for action in play.game.legal(state).nonzero()[0]:
            after = state.copy()
            play.game.play(after, int(action))
            kind, what = name[action].rsplit(" ", 1) if " " in name[action] else (name[action], "")
            if kind == "swap row":
                follow(after, [*pairs, (int(what), "")])
            elif kind == "give":
                follow(after, [*pairs[:-1], (pairs[-1][0], what)])
            else:
                follow(after, pairs)

    follow(play.state, [])
    return found


@pytest.mark.parametrize(
    ("hand", "row"),
    [
        ("AS 2S 3S 4S 5S 6S 7S", ROW),
        ("AS 2S 2S 3S 3S 4S 4S", ROW),
        ("AS 2S 2S 3S 3S AC 2C", "2D 2D 3D AD"),
    ],
)
def test_every_set_of_exchanges_is_reached_exactly_once(hand, row):
    play = refreshing(hand, row)
    held = play.seat(0)["hand"]
    wanted = set()
    for count in range(1, 5):
        for places in itertools.combinations(range(1, 5), count):
            for cards in set(itertools.permutations(held, count)):
                wanted.add(frozenset(zip(places, cards, strict=True)))
    found = exchanges(play)
    assert len(found) == len(set(found))
    assert set(found) == wanted
