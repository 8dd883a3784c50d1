"""The heuristic of Deck EXPRESS: its strength, and its choice where one is clearly right."""

from __future__ import annotations

import math

import numpy as np
import pytest

import agents
import railenvs
from railenvs.engine.view import SeatView
from tests.games.deck_express.tables import GRID, RANKS, Play

GAMES = 2000


def shares_of_victory(num_players, setup, seed):
    """Per deal, the heuristic's part of the victory against random agents, seats in turn."""
    batch = railenvs.make_batch("deck_express-v0", GAMES, num_players, seed, setup=setup)
    heuristic = agents.make("heuristic", batch.game, seed=seed)
    others = agents.make("random", batch.game, seed=seed)
    seats = np.arange(GAMES) % num_players
    shares = np.zeros(GAMES)
    playing = np.arange(GAMES)
    while playing.size:
        ours = batch.seats[playing] == seats[playing]
        actions = np.empty(playing.size, np.int64)
        for agent, rows in ((heuristic, ours), (others, ~ours)):
            chosen = playing[rows]
            actions[rows] = agent.act_batch(batch.observations[chosen], batch.action_masks[chosen])
        batch.step(actions, playing)
        over = playing[batch.terminations[playing]]
        won = batch.final_winners[over]
        shares[over] = won[np.arange(over.size), seats[over]] / won.sum(axis=1)
        playing = playing[~batch.terminations[playing]]
    return shares


@pytest.mark.parametrize(("num_players", "setup"), GRID)
def test_beats_random_by_a_wide_margin(num_players, setup):
    at_least = {2: 0.90, 3: 0.75, 4: 0.58}[num_players]
    shares = shares_of_victory(num_players, setup, seed=1)
    # Below this lies all but one in a thousand of an agent's results that wins just that often.
    assert shares.mean() - 3.1 * shares.std() / math.sqrt(GAMES) > at_least


def chosen(play, seed=0):
    """The heuristic's choice in a position, by name."""
    view = SeatView(play.game, play.state, play.seat)
    return play.game.action_names[agents.make("heuristic", play.game, seed).act(view)]


# The last stretch: two seats, one card left to draw; I hold spades, the other hearts.


def last_card(spades, hearts, mine, theirs="", money=(20, 20)):
    """One card left to draw, everything else in two hands or built, these cards on top."""
    hands = f"{mine} {theirs} 2D".split()
    tops = {"spades": spades, "hearts": hearts, "diamonds": "3D", "clubs": "2C"}
    stacks = {}
    for company, top in tops.items():
        below = [f"{rank}{top[-1]}" for rank in RANKS if f"{rank}{top[-1]}" not in hands]
        stacks[company] = " ".join([card for card in below if card != top] + [top])
    stacks["diamonds"] = "L1 " + stacks["diamonds"]
    stacks["clubs"] = "L2 " + stacks["clubs"]
    return Play(
        2,
        stacks=stacks,
        deck="2D",
        drawn=27,
        shown=["JS QS", "JH QH"],
        shares=["KS", "KH"],
        track=[mine, theirs],
        money=money,
    )


def test_takes_the_last_card_when_that_wins():
    assert chosen(last_card("10S", "2H", mine="4D 4C", theirs="2S 9H")) == "invest"


def test_sheds_a_card_first_where_the_other_can_change_nothing():
    assert chosen(last_card("10S", "2H", mine="4D 4C")) in ("build 4D", "build 4C")


def test_does_not_end_a_game_that_it_would_lose():
    assert chosen(last_card("2S", "10H", mine="10S 3H", theirs="5C")) in ("build 10S", "build 3H")


def test_money_received_counts_in_deciding_whether_to_end_the_game():
    ahead = last_card("9S", "6H", mine="5C", theirs="2S 10H", money=(20, 20))
    behind = last_card("5S", "6H", mine="10S", theirs="2S 10H", money=(15, 24))
    assert chosen(ahead) == "invest"
    assert chosen(behind) == "build 10S"


def test_raises_its_own_company_rather_than_the_rivals():
    assert chosen(last_card("5S", "5H", mine="10S 10H", theirs="3C", money=(20, 24))) == "build 10S"


def test_lowers_the_rivals_company_rather_than_its_own():
    assert chosen(last_card("5S", "8H", mine="2S 2H", theirs="3C")) == "build 2H"


# Dividends: positions in which only the companies' values tell shares apart


def test_sets_the_locomotive_where_it_has_shares_and_the_stack_is_tall():
    # Spades and hearts would come to 8, diamonds to 3; of the hearts all shares are out of hand.
    play = Play(
        3,
        phase="assign_locomotive",
        stacks={"spades": "4S 5S 6S 7S 8S 9S 2S", "hearts": "4H 5H 6H 7H 8H 9H 2H"},
        drawn=9,
        locomotives=(9, 14),
        track=["3S 10S", "3H 10H", None],
        shares=["JS QS JD", "JH QH KH", "KS QD KD"],
    )
    assert chosen(play) == "assign locomotive to spades"


def test_reveals_the_share_that_pays_most():
    play = Play(
        3,
        phase="reveal_share",
        stacks={"spades": "10S L1", "hearts": "9H", "diamonds": "2D"},
        shares=["JS JH JD"],
    )
    assert chosen(play) == "reveal JH"


def test_passes_on_the_share_of_a_company_that_no_card_can_lift():
    play = Play(
        3,
        phase="pass_share",
        stacks={"spades": "3S", "hearts": "9H", "clubs": "L1 L2"},
        shown=["JS JH"],
    )
    assert chosen(play) == "pass JS"


def test_equal_shares_are_chosen_by_lot():
    play = Play(3, phase="reveal_share", stacks={"clubs": "10C L1"}, shares=["JS QS KS"])
    names = {chosen(play, seed) for seed in range(40)}
    assert names == {"reveal JS", "reveal QS", "reveal KS"}
