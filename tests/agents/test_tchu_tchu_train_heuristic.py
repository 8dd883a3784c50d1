"""The heuristic of Tchu Tchu Train: its strength, and its choice where one is clearly right."""

from __future__ import annotations

import math

import numpy as np
import pytest

import agents
import railenvs
from railenvs.engine.view import SeatView
from tests.games.tchu_tchu_train.tables import Play

GAMES = 300


@pytest.mark.parametrize("board", ["default", "generated"])
@pytest.mark.parametrize("num_players", [2, 3, 4])
def test_beats_random_by_a_wide_margin(num_players, board):
    batch = railenvs.make_batch("tchu_tchu_train-v0", GAMES, num_players, 1, board=board)
    heuristic = agents.make("heuristic", batch.game, seed=1)
    others = agents.make("random", batch.game, seed=1)
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
    # Below this lies all but one in a thousand of an agent's results that wins just that often.
    assert shares.mean() - 3.1 * max(shares.std(), 0.05) / math.sqrt(GAMES) > 0.97


def chosen(play, seed=0):
    """The heuristic's choice in a position, by name."""
    view = SeatView(play.game, play.state, play.turn)
    return play.game.action_names[agents.make("heuristic", play.game, seed).act(view)]


def follow(play, seed=0):
    """Let the heuristic play the turn out; returns the trains placed."""
    placed = 0
    seat = play.turn
    while play.turn == seat and play.phase == "action":
        name = chosen(play, seed)
        placed += name.startswith(("place", "joker"))
        play.do(name)
    return placed


def test_places_all_seven_where_it_can():
    play = Play(hands=["AS 2S 3S 4S 5S 6S 7S"], tokens={"r5c1": "1"})
    assert follow(play) == 7
    assert play.seat(0)["train_points"] == 13


def test_finds_a_branching_set():
    assert follow(Play(hands=["2H 2S 2D AH 3H 2C KC"])) == 6


def test_joins_two_parts_with_the_joker():
    play = Play(hands=["AS 2S 3S 5S 6S 7S"], tokens={"r8c13": "S"}, jokers=[0])
    assert follow(play) == 7
    assert play.cell("r1c4")[:2] == "0x" or play.cell("r5c4")[:2] == "0x"


def test_covers_a_crossroad_within_a_set():
    tokens = {"r1c2": "1x", "r8c13": "S", "r5c2": "1", "r5c1": "2", "r5c3": "2"}
    assert follow(Play(hands=["AS 2S 3S 7H JD KD 9C"], tokens=tokens)) == 3


def test_builds_a_station_when_there_is_nothing_to_place_together():
    play = Play(hands=["AS 3S 5S 7S 9S JS KS"])
    assert chosen(play).startswith("station")


def test_takes_the_open_card_that_extends_its_set():
    play = Play(hands=["AS 2S KD 4C 5C 6C 8C"], row="3H 9D 7C QH").do("place r1c1", "place r1c2")
    play.do("end placing")
    assert chosen(play) == "take row 3"


def test_draws_from_the_deck_when_the_row_brings_nothing():
    play = Play(hands=["AS 2S 4H 8H 4C 8C KD"], row="QH QH KS KS").do("place r1c1", "place r1c2")
    play.do("end placing")
    assert chosen(play) == "draw"


def test_changes_a_hand_without_neighbours_and_keeps_a_good_one():
    assert chosen(Play(phase="mulligan", hands=["AS 4S 7S 10S KS 2D 5D"])) == "change the hand"
    assert chosen(Play(phase="mulligan", hands=["AS 2S 3S 4S 5S 2D 5D"])) == "keep the hand"


def test_refreshes_when_that_completes_a_set():
    play = Play(hands=["AS 2C 3C 5C 6C 9H KD"], row="4C 7C JS QS", deck="9S")
    play.do("place r1c1", "end placing", "draw")
    assert chosen(play) == "refresh"
    play.do("refresh")
    assert chosen(play) == "swap row 1"
    play.do("swap row 1")
    assert chosen(play) in {"give 9H", "give KD", "give 9S"}


def test_an_empty_place_of_the_row_is_no_card():
    """Once the deck is empty, a refresh is begun only for what lies open."""
    play = Play(hands=["2S 3S 4S 5S KD 9H JC"], row="AS AS 7H 7H", deck="9D")
    play.do("place r3c13", "end placing", "draw")
    assert chosen(play) == "refresh"
    view = SeatView(play.game, play.state, 0)
    seen, mask = view.observation.copy(), view.action_mask
    play.game.fields.cut(seen, "row")[:2] = 0
    heuristic = agents.make("heuristic", play.game, 0)
    (action,) = heuristic.act_batch(seen[None], mask[None])
    assert play.game.action_names[action] == "take the point"


def test_begins_no_exchange_that_needs_a_card_just_taken():
    """What a refresh brought joins the hand at its end: the KC cannot make room for the 8S."""
    play = Play(hands=["2S 3S 4S 5S 6S 9H KD"], row="KC 8S JC JC", deck="7S")
    play.do("place r3c13", "end placing", "draw", "refresh", "swap row 1", "give 9H")
    assert chosen(play) == "done"


def last_turn(**entries):
    """Seat 1 of two has its last turn: seat 0, which began, has placed its 30 trains."""
    cells = [f"r{row}c{column}" for row in (5, 6) for column in range(1, 14)]
    cells += [f"r7c{column}" for column in (10, 11, 12, 13)]
    tokens = {**dict.fromkeys(cells, "0"), **entries.pop("tokens", {})}
    return Play(2, tokens=tokens, turn=1, starter=0, **entries)


def play_to_the_end(play):
    """Let the heuristic play on; returns the names of its actions."""
    names = []
    while play.phase != "over":
        names.append(chosen(play))
        play.do(names[-1])
    return names


def test_builds_no_station_that_pays_nothing_in_its_last_turn():
    """Nor does it forgo the point of a single train for cards of no use any more."""
    names = play_to_the_end(last_turn(hands=["", "AS 3S 5S 7S 9S JS KS"]))
    assert names[0].startswith("place")
    assert names[-1] == "take the point"


def test_takes_the_point_of_its_last_train():
    """A hand that a refresh would complete is of no use once the trains have run out."""
    hand, row = "AS 2C 3C 5C 6C 9H KD", "4C 7C JS QS"
    spare = [f"r{row}c{column}" for row in (5, 6) for column in range(1, 14)] + ["r7c1", "r7c3"]
    for extra, choice in (([], "refresh"), (["r7c5"], "take the point")):
        tokens = dict.fromkeys(spare + extra, "0")
        play = Play(2, hands=[hand], row=row, deck="9S", tokens=tokens)
        play.do("place r1c1")
        if play.phase == "action":
            play.do("end placing")
        play.do("draw")
        assert chosen(play) == choice


def test_builds_a_station_that_pays_in_its_last_turn():
    play = last_turn(
        hands=["", "AH 5S 9S KS 7D 3H JD"], tokens={"r3c1": "1", "r4c1": "S"}, jokers=[0]
    )
    assert chosen(play) == "station r2c1"
    play.do("station r2c1")
    assert play.seat(1)["station_points"] == 4


def test_places_every_train_it_can_in_its_last_turn():
    """The Joker too, which it would keep otherwise."""
    hand = "AS 5S 9S KS 3D 7D"
    names = play_to_the_end(last_turn(hands=["", hand], tokens={"r8c1": "S"}, jokers=[1]))
    assert [name.split()[0] for name in names[:3]] == ["place", "joker", "end"]
    play = Play(2, hands=["", hand], turn=1, tokens={"r8c1": "S"}, jokers=[1])
    assert not any("joker" in name for name in [chosen(play), chosen(play.do(chosen(play)))])


def test_plays_alike_by_seed_and_board():
    game = railenvs.load_game("tchu_tchu_train-v0", 2, board="generated")
    batch = railenvs.Batch(game, 16, seed=3)
    one, other = (agents.make("heuristic", game, seed=4) for _ in range(2))
    for _ in range(30):
        actions = one.act_batch(batch.observations, batch.action_masks)
        same = other.act_batch(batch.observations, batch.action_masks)
        assert actions.tolist() == same.tolist()
        batch.step(actions)
