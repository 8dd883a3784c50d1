"""Determinize: all that a seat cannot know, dealt uniformly over what may be.

Each test lists the possible worlds by itself, draws many, and compares (chi-square). Seeds are
fixed, so a result is the same in every run.
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Callable, Hashable, Iterable
from typing import Any

import pytest
from scipy import stats

from tests.games.railroad_run.tables import PACK, Play

SURPRISING = 1e-4
Table = dict[str, Any]


def rest_of_pack(*named: str) -> str:
    """All cards but those named, to hold in the observer's own hand."""
    left = Counter(PACK) - Counter(named)
    return ", ".join(f"{count} {name}" for name, count in left.items())


def assert_spread(
    play: Play, seat: int, feature: Callable[[Table], Hashable], worlds: Iterable[Hashable]
) -> None:
    """Worlds dealt show a feature as often as it does among ``worlds``, each as likely."""
    chances = Counter(worlds)
    total = sum(chances.values())
    count = max(600, 12 * total)
    game = play.game
    found = Counter(
        feature(game.table(game.determinize(play.state, seat, seed))) for seed in range(count)
    )
    assert set(found) <= set(chances)
    if len(chances) > 1:
        expected = [count * chance / total for chance in chances.values()]
        result = stats.chisquare([found[value] for value in chances], expected)
        assert result.pvalue > SURPRISING, (found, chances)


def hand_of(seat: int) -> Callable[[Table], Hashable]:
    return lambda world: tuple(sorted(world["seats"][seat]["hand"]))


def test_hands_and_deck_are_dealt_from_the_unseen_cards():
    named = ["City", "City", "Town", "Patent"]
    play = Play(2, hands=[rest_of_pack(*named), "City, Town"], deck="City, Patent")
    assert_spread(
        play, 0, hand_of(1), (tuple(sorted(pair)) for pair in itertools.combinations(named, 2))
    )


def test_order_of_the_deck_is_uniform():
    named = ["City", "Town", "Patent"]
    play = Play(2, hands=[rest_of_pack(*named)], deck="City, Town, Patent")
    assert_spread(play, 0, lambda world: tuple(world["draw_deck"]), itertools.permutations(named))


def test_known_cards_stay_and_the_others_are_uniform():
    named = ["City", "City", "Town", "Patent"]
    memory = {"player_0": {"known": {"player_1": ["City"]}}}
    play = Play(2, hands=[rest_of_pack(*named), "City, Town"], deck="City, Patent", memory=memory)
    assert_spread(play, 0, hand_of(1), (tuple(sorted(["City", other])) for other in named[1:]))


def test_known_top_stays_in_order():
    named = ["City", "Town", "Patent", "Wreck"]
    memory = {"player_0": {"top_known": 2}}
    play = Play(2, hands=[rest_of_pack(*named)], deck="Patent, City, Town, Wreck", memory=memory)
    assert_spread(
        play,
        0,
        lambda world: tuple(world["draw_deck"]),
        [("Patent", "City", "Town", "Wreck"), ("Patent", "City", "Wreck", "Town")],
    )


def test_after_a_reshuffle_the_deck_is_a_draw_from_what_was_shuffled():
    """Of four cards shuffled in, seat 1 drew two; the City that it held is not in the deck."""
    pile = ["City", "City", "Town", "Patent"]
    play = Play(
        2,
        hands=[rest_of_pack("City", *pile), "City"],
        discard=", ".join(pile),
        upgrades=[200],
    ).do("done", "done")
    assert play.each("hand_size")[1] == 3
    assert_spread(
        play,
        0,
        hand_of(1),
        (tuple(sorted(["City", *pair])) for pair in itertools.combinations(pile, 2)),
    )


def test_after_a_reshuffle_hands_keep_what_they_had_and_drew_from_what_came_in():
    """Seat 1 had two of three cards and drew two of the other three; seat 2 drew nothing."""
    old, new = ["City", "Town", "Patent"], ["Train", "Wreck", "Mail"]
    play = Play(
        3,
        hands=[rest_of_pack(*old, *new), "City, Town", "Patent"],
        discard=", ".join(new),
        upgrades=[200],
    ).do("done", "done")
    assert play.each("hand_size")[1:] == [4, 1]
    pairs = itertools.product(itertools.combinations(old, 2), itertools.combinations(new, 2))
    assert_spread(play, 0, hand_of(1), (tuple(sorted(kept + drawn)) for kept, drawn in pairs))


def test_fresh_card_is_laid_where_no_card_was_kept():
    """Four cards for the deck and two places of a hand, one of which had its card before."""
    cards = ["City", "Town", "Patent", "Mail"]
    memory = {"player_0": {"fresh_at_least": {"City": 1}, "kept_at_least": {"player_1": 1}}}
    hands = [rest_of_pack(*cards), "City, Town"]
    play = Play(2, hands=hands, deck="Patent, Mail", memory=memory)
    # The first two of an order are for the deck, the third for the place of a card just drawn.
    deals = (deal for deal in itertools.permutations(cards) if deal[3] != "City")
    assert_spread(play, 0, hand_of(1), (tuple(sorted(deal[2:])) for deal in deals))


def test_cards_certainly_in_the_deck_stay_there():
    named = ["City", "Town", "Patent", "Wreck"]
    memory = {"player_0": {"deck_at_least": {"Patent": 1}}}
    play = Play(2, hands=[rest_of_pack(*named), "City"], deck="Town, Patent, Wreck", memory=memory)
    assert_spread(play, 0, hand_of(1), [("City",), ("Town",), ("Wreck",)])


def offered(hand: str, deck: str) -> Play:
    """Seat 0 offers seat 1 its Mail for a City; seat 2 sees all the other cards."""
    named = ["City", "City", "Town", "Patent", "Wreck"]
    play = Play(3, hands=["City, Mail", hand, rest_of_pack("City", "Mail", *named)], deck=deck)
    return play.do("offer", "opponent 1", "Mail", "done", "City", "send")


@pytest.mark.parametrize("seat", [0, 2])
def test_worlds_do_not_tell_whether_a_seat_is_asked_to_trade(seat):
    """It is asked if it holds what is wanted: the others see the same worlds if not."""
    asked = offered("City, Town", "City, Patent, Wreck")
    lacks = offered("Town, Patent", "City, City, Wreck")
    assert (asked.phase, lacks.phase) == ("answer", "event")
    for seed in range(5):
        one, other = (play.game.determinize(play.state, seat, seed) for play in (asked, lacks))
        assert one.tobytes() == other.tobytes()


def test_seat_asked_to_trade_may_lack_what_is_wanted_in_others_worlds():
    """All deals, each as likely: seat 2 knows the Mail of seat 0, but not its City."""
    cards = ["City", "City", "City", "Town", "Patent", "Wreck"]
    deals = (tuple(sorted(pair)) for pair in itertools.combinations(cards, 2))
    assert_spread(offered("City, Town", "City, Patent, Wreck"), 2, hand_of(1), deals)


def test_seat_asked_to_trade_is_asked_in_its_own_worlds():
    play = offered("City, Town", "City, Patent, Wreck")
    world = play.game.determinize(play.state, 1, 0)
    assert (play.game.seat(world), play.game.table(world)["phase"]) == (1, "answer")


def test_seat_searching_for_a_rail_has_one_to_find():
    named = ["Rail (Plains)", "City", "Town"]
    play = Play(
        2, hands=["Town, City", rest_of_pack("Town", "City", *named)], deck="Plains, City, Town",
    ).do("train yard")  # fmt: skip
    assert play.phase == "train_yard"
    # Seat 1 sees all but seat 0's card and the deck of three: Plains is among the latter.
    cards = ["Rail (Plains)", "City", "City", "Town"]
    hands = ((name,) for name in cards if name != "Rail (Plains)")
    assert_spread(play, 1, hand_of(0), hands)


def test_what_others_know_of_my_hand_stays_and_what_they_know_of_others_is_what_is_public():
    memory = {
        "player_1": {"known": {"player_0": ["City"], "player_2": ["Patent"]}},
        "player_2": {"known": {"player_1": ["Town"]}},
        "player_0": {"known": {"player_1": ["Town"]}},
        "public": {"known": {"player_1": ["Town"]}},
    }
    play = Play(3, hands=["City", "Town", "Patent"], memory=memory)
    world = play.game.table(play.game.determinize(play.state, 0, 1))
    assert world["memory"]["player_1"]["known"] == {"player_0": ["City"]}
    assert world["memory"]["player_2"]["known"] == {"player_1": ["Town"]}


def stolen_after_a_wreck(hand: str, deck: str) -> Play:
    """Seat 2 looks at the hand of seat 1, then seat 0 steals a City from it."""
    for seed in range(40):
        play = Play(3, hands=["Town, Mail", hand, "Wreck, Mail"], deck=deck, turn=2, seed=seed)
        play.do("Wreck", "opponent 2", "done", "switch", "opponent 1")
        if play.hand(0)["City"]:
            return play
    raise AssertionError("no City stolen")


def test_what_others_conclude_of_my_hand_from_hands_they_saw_stays_out_of_my_worlds():
    """Seat 2 knows which card I stole only where it saw two Cities, which I cannot tell."""
    one = stolen_after_a_wreck("2 City", "Saw Mill, Quarry, Town")
    other = stolen_after_a_wreck("City, Town", "Saw Mill, Quarry, City")
    assert one.known(2, 0) == Counter(["City"])
    assert not other.known(2, 0)
    assert one.game.table(one.state, 0) == other.game.table(other.state, 0)
    for play in (one, other):
        world = play.game.table(play.game.determinize(play.state, 0, 7))
        assert world["memory"]["player_2"]["known"] == {}


@pytest.mark.parametrize(
    ("hands", "actions", "seen"),
    [
        (["Patent, Town", "Town", "Wreck"], ("Wreck", "opponent 1"), ["Town", "Patent"]),
        (["Patent, Town", "Town", "Politics"], ("Politics", "opponent 1"), []),
        (["", "Town", "City, Patent"], ("buy shares", "opponent 1", "Patent"), ["Patent"]),
    ],
)
def test_what_others_learned_of_my_hand_before_my_eyes_stays_in_my_worlds(hands, actions, seen):
    play = Play(3, hands=hands, turn=2).do(*actions)
    world = play.game.table(play.game.determinize(play.state, 0, 1))
    known = {"player_0": seen} if seen else {}
    assert world["memory"]["player_2"]["known"] == known


def test_drawer_of_a_card_that_another_looked_at_keeps_that_in_its_worlds():
    memory = {"player_1": {"top_known": 2}}
    play = Play(2, hands=["Town"], deck="Patent, City", memory=memory).do("water tower")
    world = play.game.table(play.game.determinize(play.state, 0, 1))
    assert world["memory"]["player_1"]["known"] == {"player_0": ["City", "Patent"]}


def test_searcher_deals_itself_every_deck_that_holds_what_it_saw():
    """Of three Plains and three others the deck has three, among them one Plains or more."""
    named = ["Rail (Plains)"] * 3 + ["Patent", "Wreck", "Mail"]
    hands = [rest_of_pack(*named), "Plains, Mail, Wreck"]
    play = Play(2, hands=hands, deck="Plains, Plains, Patent", upgrades=[100]).do("train yard")
    decks = [deck for deck in itertools.combinations(named, 3) if "Rail (Plains)" in deck]
    counts = (deck.count("Rail (Plains)") for deck in decks)
    assert_spread(play, 0, lambda world: world["draw_deck"].count("Rail (Plains)"), counts)


def test_cards_drawn_by_one_seat_from_a_known_deck_stay_with_it():
    named = ["Investors", "City", "Town", "Train", "Quarry", "Wreck", "Patent"]
    hands = [rest_of_pack(*named), "Investors, Train, Quarry", "Wreck, Patent"]
    play = Play(3, hands=hands, deck_size=0, discard="City, Town", turn=1, upgrades=[100])
    play.do("Investors")
    pairs = itertools.combinations(["Train", "Quarry", "Wreck", "Patent"], 2)
    assert_spread(play, 0, hand_of(2), (tuple(sorted(pair)) for pair in pairs))
