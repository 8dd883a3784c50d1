"""End of Game in Deck EXPRESS: the penalty for cards in hand, ranks, ties."""

from __future__ import annotations

import pytest

from railenvs import deck_express_v0
from tests.games.deck_express.tables import (
    DECK_SIZE,
    SEATS,
    SUITS,
    TRACK,
    Play,
    load,
    make_table,
)
from tests.play import random_states

BOTH_OUT = {"hearts": "L1", "spades": "L2"}


def ranks(play: Play) -> list[int]:
    return [seat["rank"] for seat in play.table["seats"]]


def winners(play: Play) -> tuple[int, ...]:
    return play.game.winners(play.state)


def is_five(card: str) -> bool:
    return card[:-1] == "5"


def all_built_but(kept: list[str]) -> dict[str, str]:
    """All other track on its stacks, on top of the locomotives; the fives last."""
    stacks = {
        company: [card for card in TRACK if card[-1] == suit] for company, suit in SUITS.items()
    }
    stacks["spades"].insert(0, "L1")
    stacks["hearts"].insert(0, "L2")
    return {
        company: " ".join(sorted((card for card in pile if card not in kept), key=is_five))
        for company, pile in stacks.items()
    }


# The worked example


def score_example() -> Play:
    """The score table after two dividends, one card before the end.

    Seats hold 6, 5 and 6 track cards; seat 0 is about to draw its seventh. Spades pay 10, hearts
    8, diamonds 7 and clubs 4, so the shares before the seats bring 25, 21 and 25.
    """
    return Play(
        stacks={
            "spades": "2S 3S 4S 5S 6S L1 10S",
            "hearts": "2H 3H 4H 8H",
            "diamonds": "2D 3D L2 7D",
            "clubs": "2C 3C 5C 6C 4C",
        },
        drawn=DECK_SIZE[3] - 1,
        shown=("JS JH", "QS JD", "KS QH"),
        shares=("QD", "JC", "KD"),
        track=(6, 5, 6),
        money=(8 + 11, 8 + 13, 6 + 15),
    )


def test_score_example_totals_37_37_40():
    """DE16: 8+11+25-7, 8+13+21-5 and 6+15+25-6."""
    play = score_example().do("invest")
    assert play.each("money") == [44, 42, 46]
    assert [len(track) for track in play.each("track")] == [7, 5, 6]
    assert play.scores == [37, 37, 40]


def test_score_example_ranks_player_3_then_2_then_1():
    """DE16 and DE17: after the penalty players 1 and 2 are level; fewer cards put 2 ahead.

    Before the penalty player 1 would be second, with 44 against 42.
    """
    play = score_example().do("invest")
    assert ranks(play) == [3, 2, 1]
    assert winners(play) == (2,)


# The end


@pytest.mark.parametrize("num_players", SEATS)
def test_the_game_ends_with_the_last_card_and_the_third_dividend(num_players):
    game = load(num_players)
    for seed in range(10):
        *_, before, last = random_states(game, seed)
        assert game.table(before)["deck_left"] == 1
        assert game.table(before)["dividends"] == 2
        assert game.table(last)["deck_left"] == 0
        assert game.table(last)["dividends"] == 3
        assert game.is_over(last)
        assert not game.is_cut_off(last)


def test_each_card_in_hand_costs_one_whatever_its_rank():
    hands = ("", "10S 9S 2H", "2C")
    play = Play(
        stacks=all_built_but(f"{' '.join(hands)} 10D".split()),
        drawn=DECK_SIZE[3] - 1,
        track=hands,
        deck="10D",
        money=(30, 30, 30),
    )
    play.do("invest")
    assert play.each("track") == [["10D"], ["9S", "10S", "2H"], ["2C"]]
    assert [
        money - score for money, score in zip(play.each("money"), play.scores, strict=True)
    ] == [
        1,
        3,
        1,
    ]


def test_only_track_can_be_left_in_hand():
    """DE19: all three shares are on the table by then."""
    game = load()
    for seed in range(10):
        *_, last = random_states(game, seed)
        for points, seat in zip(game.scores(last), game.table(last)["seats"], strict=True):
            assert seat["shares"] == []
            assert seat["hand_size"] == len(seat["track"])
            assert points == seat["score"] == seat["money"] - seat["hand_size"]


def test_before_the_end_cards_in_hand_cost_nothing():
    play = Play(stacks={"hearts": "L1"}, money=(5, 6, 7))
    assert play.scores == [5, 6, 7]
    assert winners(play) == ()


def test_totals_can_be_negative():
    """DE19: nothing floors them."""
    play = Play(
        stacks={**BOTH_OUT, "clubs": "", "diamonds": ""},
        drawn=DECK_SIZE[3] - 1,
        track=(20,),
        money=(6,),
        shown=("JC QC", "JD QD", "JH QH"),
        shares=("KC", "KD", "KH"),
    )
    play.do("invest")
    assert play.scores[0] == 6 + 3 - 21 == -12
    assert play.game.rewards(play.state)[0] < 0


# Who wins


def finish(money: tuple[int, ...], cards: tuple[int, ...]) -> Play:
    """A game that has just ended with these dividends and numbers of cards in hand.

    The last dividend paid 5 a share, so of the money 15 are its.
    """
    spare = (card for card in TRACK if not is_five(card))
    hands = [[next(spare) for _ in range(count)] for count in cards]
    return Play(
        len(money),
        phase="over",
        stacks=all_built_but([card for hand in hands for card in hand]),
        track=[" ".join(hand) for hand in hands],
        money=money,
    )


def test_the_most_money_wins():
    play = finish((30, 40, 35), (5, 5, 5))
    assert (play.scores, ranks(play), winners(play)) == ([25, 35, 30], [3, 1, 2], (1,))


def test_cards_in_hand_can_cost_the_victory():
    """DE16: the highest total is meant after the subtraction."""
    play = finish((44, 42), (7, 4))
    assert (play.scores, ranks(play), winners(play)) == ([37, 38], [2, 1], (1,))


def test_equal_money_fewer_cards_in_hand_win():
    """DE17 and DE18: the rulebook's tie-break holds, though the overview has none."""
    play = finish((44, 42, 20), (7, 5, 5))
    assert (play.scores, ranks(play), winners(play)) == ([37, 37, 15], [2, 1, 3], (1,))


def test_fewer_cards_decide_every_place_not_only_the_first():
    """DE17."""
    play = finish((50, 33, 32, 30), (5, 4, 3, 1))
    assert (play.scores, ranks(play)) == ([45, 29, 29, 29], [1, 4, 3, 2])


def test_full_equals_share_the_victory():
    """DE17: same money, same number of cards."""
    play = finish((40, 40, 20), (4, 4, 4))
    assert (ranks(play), winners(play)) == ([1, 1, 3], (0, 1))
    play = finish((40, 40, 40, 40), (2, 2, 2, 2))
    assert (ranks(play), winners(play)) == ([1, 1, 1, 1], (0, 1, 2, 3))


def test_players_share_a_lower_place_too():
    play = finish((40, 30, 30), (4, 4, 4))
    assert ranks(play) == [1, 2, 2]


@pytest.mark.parametrize(
    ("money", "cards", "rewards"),
    [
        ((44, 42), (7, 5), [-1, 1]),
        ((40, 40), (5, 5), [0, 0]),
        ((40, 40, 20), (4, 4, 4), [0.25, 0.25, -0.5]),
        ((50, 33, 32, 30), (5, 4, 3, 1), [1, -1 / 3, -1 / 3, -1 / 3]),
    ],
)
def test_winners_are_rewarded_as_the_tie_break_says(money, cards, rewards):
    play = finish(money, cards)
    assert play.game.rewards(play.state).tolist() == pytest.approx(rewards)
    assert play.game.rewards(play.state).sum() == pytest.approx(0, abs=1e-6)


@pytest.mark.parametrize(
    ("reward", "rewards"), [("score", [37, 37, 40]), ("margin", [-1.5, -1.5, 3])]
)
def test_rewards_by_score_and_by_margin(reward, rewards):
    env = deck_express_v0.env(3, reward=reward)
    env.reset(options={"table": score_example().table})
    env.step(env.unwrapped.game.action_names.index("invest"))
    assert list(env.rewards.values()) == pytest.approx(rewards)
    assert env.unwrapped.scores() == {"player_0": 37, "player_1": 37, "player_2": 40}
    assert env.unwrapped.winners() == ["player_2"]


def test_a_game_may_start_at_its_end():
    """A table with the phase ``over`` is a finished game: everyone has its reward and is done."""
    env = deck_express_v0.env(3)
    env.reset(options={"table": make_table(phase="over", stacks=BOTH_OUT, money=(30, 20, 39))})
    assert all(env.terminations.values())
    assert env.unwrapped.winners() == ["player_2"]
    assert env.rewards["player_2"] == 1
