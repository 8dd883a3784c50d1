"""Paying Dividends in Deck EXPRESS: what shares pay, how they are revealed and passed."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from tests.games.deck_express.tables import (
    COMPANIES,
    DECK_SIZE,
    RANKS,
    SEATS,
    SUITS,
    Play,
    load,
)
from tests.play import random_states

EACH_A_COMPANY = [f"J{suit} Q{suit} K{suit}" for suit in SUITS.values()]
"""Four hands in which every seat holds one company's shares."""


def dividend(number: int, stacks: Mapping[str, str]) -> dict[str, int]:
    """What one share of each company pays in the first, second or third dividend."""
    stacks = {company: stacks.get(company, "") for company in COMPANIES}
    faces = [hand.split() for hand in EACH_A_COMPANY]
    entries = {
        "stacks": stacks,
        "shown": [" ".join(hand[: number - 1]) for hand in faces],
        "shares": [" ".join(hand[number - 1 :]) for hand in faces],
    }
    if number < 3:
        play = Play(4, phase="reveal_share", **entries)
        steps = [f"reveal {hand[number - 1]}" for hand in faces]
    else:
        play = Play(4, drawn=DECK_SIZE[4] - 1, **entries)
        steps = ["invest"]
    before = play.each("money")
    after = play.do(*steps).each("money")
    paid = [now - then for then, now in zip(before, after, strict=True)]
    assert all(money % number == 0 for money in paid)
    return {company: paid[seat] // number for seat, company in enumerate(COMPANIES)}


# What a share pays


@pytest.mark.parametrize("rank", RANKS)
@pytest.mark.parametrize("company", COMPANIES)
def test_track_on_top_pays_its_rank(company, rank):
    """A number card pays its number, whatever lies below it."""
    suit = SUITS[company]
    elsewhere = COMPANIES[COMPANIES.index(company) - 1]
    below = "9" if rank == 2 else "2"
    stack = f"{below}{suit} {rank}{suit}"
    assert dividend(1, {elsewhere: "L1", company: stack})[company] == rank


def test_an_ace_on_top_pays_one():
    paid = dividend(1, {"clubs": "L1"})
    assert (paid["spades"], paid["hearts"], paid["diamonds"]) == (1, 1, 1)


def test_a_locomotive_on_top_pays_the_number_of_cards_in_the_stack():
    """The locomotive itself counts, and so does the ace; ranks do not."""
    assert dividend(1, {"diamonds": "10D 9D 8D L1"})["diamonds"] == 5


def test_the_ace_counts_so_the_least_a_locomotive_pays_is_two():
    """DE7: A, L pays 2."""
    assert dividend(1, {"spades": "L1"})["spades"] == 2


def test_a_locomotive_pays_its_count_only_while_it_is_on_top():
    """DE4: covered by track, the top card's rank pays."""
    assert dividend(1, {"spades": "5S L1"})["spades"] == 3
    assert dividend(2, {"spades": "5S L1 9S", "hearts": "L2"})["spades"] == 9
    assert dividend(3, {"spades": "5S L1 9S", "hearts": "L2"})["spades"] == 9


def test_a_covered_locomotive_counts_as_one_more_card():
    """DE4: A, 5, L, 9, L pays 5."""
    assert dividend(2, {"spades": "5S L1 9S L2"})["spades"] == 5


def test_the_second_locomotive_may_go_on_the_first():
    """DE5: directly or not, and the count includes both."""
    assert dividend(2, {"spades": "L1 L2"})["spades"] == 3
    assert dividend(2, {"spades": "4S L1 L2"})["spades"] == 4


@pytest.mark.parametrize("company", COMPANIES)
def test_a_locomotive_may_go_on_any_stack(company):
    """DE5: any of the four companies, whatever lies there; it goes on top."""
    play = Play(phase="assign_locomotive", stacks={"spades": "2S L1", "hearts": "10H", "clubs": ""})
    assert play.legal == {f"assign locomotive to {name}" for name in COMPANIES}
    before = play.table["stacks"]
    after = play.do(f"assign locomotive to {company}").table["stacks"]
    height = before[company]["height"] + 1
    assert after.pop(company) == {
        "top": "L2",
        "height": height,
        "value": height,
        "built": before.pop(company)["built"],
    }
    assert after == before
    assert play.table["locomotives"]["L2"]["to"] == company


def test_two_uncovered_locomotives_both_pay_their_counts():
    """DE6: in the second dividend, if nothing was built on the first one."""
    paid = dividend(2, {"spades": "10S L1", "hearts": "2H 3H 4H L2"})
    assert (paid["spades"], paid["hearts"]) == (3, 5)


def test_uncovered_locomotives_pay_in_the_third_dividend_too():
    """DE6: no locomotive is assigned then, those on top still pay their counts."""
    paid = dividend(3, {"spades": "10S L1", "hearts": "2H 3H 4H L2", "diamonds": "7D"})
    assert paid == {"spades": 3, "hearts": 5, "diamonds": 7, "clubs": 1}


def test_the_tallest_stack_pays_twelve():
    """Ace, nine track cards and both locomotives."""
    track = " ".join(f"{rank}C" for rank in RANKS)
    assert dividend(2, {"clubs": f"{track} L1 L2"})["clubs"] == 12


@pytest.mark.parametrize("company", COMPANIES)
def test_jack_queen_and_king_pay_alike(company):
    """DE24: the rank of a share has no effect at all."""
    suit = SUITS[company]
    play = Play(
        phase="reveal_share",
        stacks={company: f"2{suit} 8{suit} L1"},
        shares=(f"J{suit}", f"Q{suit}", f"K{suit}"),
    )
    play.do(f"reveal J{suit}", f"reveal Q{suit}", f"reveal K{suit}")
    assert play.each("money") == [4, 4, 4]


def test_every_share_face_up_pays_its_holder_again():
    """The second dividend pays the new share and the one that lies there, at today's values."""
    play = Play(
        phase="reveal_share",
        stacks={"spades": "5S", "hearts": "2H L1", "clubs": "2C 3C L2"},
        shown=("JS", "JH", "JC"),
        shares=("QC", "QS", "KS"),
        money=(7, 8, 9),
    )
    play.do("reveal QC", "reveal QS", "reveal KS")
    assert play.each("money") == [7 + 5 + 4, 8 + 3 + 5, 9 + 4 + 5]


def test_the_third_dividend_pays_three_shares():
    play = Play(
        stacks={"spades": "5S", "hearts": "2H L1", "diamonds": "", "clubs": "3C L2 2C"},
        drawn=DECK_SIZE[3] - 1,
        shown=("JS QS", "JH KC", "JC QC"),
        shares=("JD", "QH", "KS"),
        money=(10, 20, 30),
    )
    play.do("invest")
    assert play.each("money") == [10 + 5 + 5 + 1, 20 + 3 + 2 + 3, 30 + 2 + 2 + 5]
    assert play.each("shares") == [[], [], []]
    assert [set(shown) for shown in play.each("shown")] == [
        {"JS", "QS", "JD"},
        {"JH", "QH", "KC"},
        {"JC", "QC", "KS"},
    ]


def test_hidden_shares_pay_nothing():
    play = Play(
        phase="reveal_share",
        stacks={"spades": "5S", "hearts": "L1", "diamonds": "10D"},
        shares=("JS JD QD", "QS KD", "KS"),
    )
    assert play.do("reveal JS", "reveal QS", "reveal KS").each("money") == [5, 5, 5]


# The worked example of a dividend


def test_dividends_example_pays_8_8_6():
    """DE25: with eight cards on diamonds and an unstated 6 on clubs the example comes out right."""
    play = Play(
        phase="reveal_share",
        stacks={"diamonds": "2D 3D 4D 5D 6D 7D L1", "clubs": "6C"},
        shares=("JD", "QD", "JC"),
    )
    assert play.table["stacks"]["diamonds"]["height"] == 8
    play.do("reveal JD", "reveal QD", "reveal JC")
    assert play.each("money") == [8, 8, 6]


def test_dividends_example_as_printed_would_pay_6_6_6():
    """DE25: a stack of six cards pays 6; the rule is not bent to the example's misprint."""
    play = Play(
        phase="reveal_share",
        stacks={"diamonds": "2D 3D 4D 5D L1", "clubs": "6C"},
        shares=("JD", "QD", "JC"),
    )
    assert play.table["stacks"]["diamonds"]["height"] == 6
    play.do("reveal JD", "reveal QD", "reveal JC")
    assert play.each("money") == [6, 6, 6]


# The order of steps


@pytest.mark.parametrize("num_players", SEATS)
@pytest.mark.parametrize("number", [1, 2])
def test_assign_then_reveal_then_score_then_pass(num_players, number):
    """DE11: all pick knowing where the locomotive went, the drawer first, then clockwise."""
    drawer = num_players - 1
    play = Play(
        num_players,
        phase="assign_locomotive",
        turn=drawer,
        stacks={"spades": "L1"} if number == 2 else {},
    )
    around = [(drawer + step) % num_players for step in range(num_players)]
    asked = []
    money = []
    while play.phase != "build_or_invest":
        asked.append((play.phase, play.seat))
        money.append(play.each("money"))
        play.do(
            "assign locomotive to hearts" if play.phase == "assign_locomotive" else min(play.legal)
        )
    steps = [("assign_locomotive", drawer)] + [("reveal_share", seat) for seat in around]
    if number == 2:
        steps += [("pass_share", seat) for seat in around]
    assert asked == steps
    assert all(now == money[0] for now in money[: 1 + num_players])
    money.append(play.each("money"))
    assert all(now == money[-1] for now in money[1 + num_players :])
    assert all(then < now for then, now in zip(money[0], money[-1], strict=True))


def test_a_dividend_counts_as_paid_once_scored():
    play = Play(phase="reveal_share", stacks={"hearts": "L1", "spades": "L2"})
    assert play.table["dividends"] == 1
    play.do(*(f"reveal {hand[0]}" for hand in play.each("shares")))
    assert (play.phase, play.table["dividends"]) == ("pass_share", 2)


# Reveal


@pytest.mark.parametrize("dividends_paid", [0, 1])
def test_each_player_must_reveal_one_share_of_their_hand(dividends_paid):
    """DE9: exactly the shares in hand may be chosen, and declining is no choice."""
    stacks = {"hearts": "L1", "spades": "L2"} if dividends_paid else {"hearts": "L1"}
    play = Play(phase="reveal_share", stacks=stacks, turn=1)
    for seat in (1, 2, 0):
        hand = play.each("shares")[seat]
        assert len(hand) == 3 - dividends_paid
        assert (play.seat, play.legal) == (seat, {f"reveal {share}" for share in hand})
        play.do(f"reveal {hand[-1]}")


@pytest.mark.parametrize("num_players", SEATS)
def test_the_last_share_is_revealed_without_being_asked(num_players):
    """DE9: at the third dividend one share is left, so there is nothing to choose."""
    play = Play(
        num_players, stacks={"hearts": "L1", "spades": "L2"}, drawn=DECK_SIZE[num_players] - 1
    )
    last = play.each("shares")
    assert [len(hand) for hand in last] == [1] * num_players
    play.do("invest")
    assert play.over
    assert all(hand[0] in shown for hand, shown in zip(last, play.each("shown"), strict=True))


def test_choices_are_turned_up_together():
    """Simultaneously: before all have chosen, nothing lies face up and no share has left a hand."""
    play = Play(phase="reveal_share", stacks={"hearts": "L1"})
    hands = play.each("shares")
    for seat in (0, 1):
        play.do(f"reveal {hands[seat][0]}")
        assert play.each("shown") == [[], [], []]
        assert play.each("shares") == hands
        assert play.each("choice") == [
            hand[0] if who <= seat else None for who, hand in enumerate(hands)
        ]
    play.do(f"reveal {hands[2][0]}")
    assert play.each("choice") == [None, None, None]
    assert play.each("shares") == [hand[1:] for hand in hands]


# Pass


@pytest.mark.parametrize("num_players", SEATS)
def test_at_the_first_dividend_the_one_visible_share_is_passed(num_players):
    """DE12: no decision; each seat's share slides to its left neighbour."""
    play = Play(num_players, phase="reveal_share", stacks={"hearts": "L1"})
    revealed = [hand[1] for hand in play.each("shares")]
    play.do(*(f"reveal {share}" for share in revealed))
    assert play.phase == "build_or_invest"
    assert play.each("shown") == [[revealed[seat - 1]] for seat in range(num_players)]


def test_at_the_second_dividend_either_visible_share_may_be_passed():
    """DE12: the one just revealed or the one received, never one in hand."""
    entries = {
        "stacks": {"hearts": "L1", "spades": "L2"},
        "shown": ("JS", "JH", "JD"),
        "shares": ("QS KS", "QH KH", "QD KD"),
        "phase": "reveal_share",
    }
    reveal = ("reveal QS", "reveal QH", "reveal QD")
    play = Play(**entries).do(*reveal)
    for suit in "SHD":
        assert play.legal == {f"pass J{suit}", f"pass Q{suit}"}
        play.do(f"pass J{suit}")
    assert [set(shown) for shown in play.each("shown")] == [
        {"JD", "QS"},
        {"JS", "QH"},
        {"JH", "QD"},
    ]
    play = Play(**entries).do(*reveal, "pass QS", "pass JH", "pass QD")
    assert [set(shown) for shown in play.each("shown")] == [
        {"JS", "QD"},
        {"QS", "QH"},
        {"JH", "JD"},
    ]


def test_nobody_passes_before_all_have_chosen():
    play = Play(phase="pass_share", stacks={"hearts": "L1", "spades": "L2"})
    shown = play.each("shown")
    for cards in shown[:2]:
        assert play.do(f"pass {cards[0]}").each("shown") == shown
    play.do(f"pass {shown[2][0]}")
    assert [set(cards) for cards in play.each("shown")] == [
        {shown[seat][1], shown[seat - 1][0]} for seat in range(3)
    ]


def test_a_share_just_received_cannot_be_passed_on_in_the_same_dividend():
    """All slide at once: what seat 0 passes lies before seat 1 when seat 1's own pass is done."""
    play = Play(
        2,
        phase="pass_share",
        stacks={"hearts": "L1", "spades": "L2"},
        shown=("JS QS", "JH QH"),
    )
    play.do("pass JS")
    assert play.legal == {"pass JH", "pass QH"}


@pytest.mark.parametrize("num_players", SEATS)
def test_shares_pass_clockwise(num_players):
    """DE14: from seat i to seat i + 1, from the last one to seat 0."""
    play = Play(num_players, phase="pass_share", stacks={"hearts": "L1", "spades": "L2"}, turn=1)
    passed = [shown[0] for shown in play.each("shown")]
    play.do(*(f"pass {passed[(1 + step) % num_players]}" for step in range(num_players)))
    for seat, share in enumerate(passed):
        assert share in play.each("shown")[(seat + 1) % num_players]


def test_there_is_no_pass_at_the_third_dividend():
    """DE12: the deck is empty, the game ends; three shares stay before each seat."""
    play = Play(stacks={"hearts": "L1", "spades": "L2"}, drawn=DECK_SIZE[3] - 1)
    before = play.each("shown")
    play.do("invest")
    assert play.over
    for seat, shown in enumerate(play.each("shown")):
        assert set(before[seat]) < set(shown)


@pytest.mark.parametrize("num_players", SEATS)
def test_shares_face_up_after_each_dividend(num_players):
    """DE12: one before each seat after the first, two after the second, three at the end."""
    game = load(num_players)
    for seed in range(5):
        for state in random_states(game, seed):
            table = game.table(state)
            if table["phase"] != "pass_share":
                assert {len(seat["shown"]) for seat in table["seats"]} == {table["dividends"]}


def test_a_passed_share_pays_its_new_holder():
    """DE13: from the next dividend on; its giver has nothing more from it."""
    play = Play(
        phase="reveal_share",
        stacks={"spades": "10S", "hearts": "L1", "diamonds": "", "clubs": ""},
        locomotives=(4, 14),
        shares=("JS QD KD", "JD JC QC", "JH QH KH"),
    )
    play.do("reveal JS", "reveal JD", "reveal JH")
    assert play.each("money") == [10, 1, 2]
    assert play.each("shown") == [["JH"], ["JS"], ["JD"]]
    while play.phase == "build_or_invest":
        play.do("invest")
    play.do("assign locomotive to clubs")
    reveal = {0: "reveal QD", 1: "reveal JC", 2: "reveal QH"}
    play.do(*(reveal[(play.seat + step) % 3] for step in range(3)))
    assert play.each("money") == [10 + 2 + 1, 1 + 10 + 2, 2 + 1 + 2]


def test_two_players_swap_shares():
    """DE13: in a game of two a pass is a swap."""
    play = Play(2, phase="reveal_share", stacks={"hearts": "L1"}, shares=("JS", "KC"))
    assert play.do("reveal JS", "reveal KC").each("shown") == [["KC"], ["JS"]]


def test_passed_shares_stay_face_up():
    """Face up for the rest of the game: a share once shown never leaves the table."""
    game = load(4)
    for seed in range(5):
        shown: set[str] = set()
        for state in random_states(game, seed):
            now = {share for seat in game.table(state)["seats"] for share in seat["shown"]}
            assert shown <= now
            shown = now
        assert len(shown) == 12
