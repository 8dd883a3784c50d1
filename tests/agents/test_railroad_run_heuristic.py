"""The heuristic of Railroad Run: its strength, and its choice where one is clearly right."""

from __future__ import annotations

import numpy as np
import pytest

import agents
import railenvs
from railenvs.engine.view import SeatView
from tests.games.railroad_run.tables import Play

GAMES = 60


@pytest.mark.parametrize(("num_players", "at_least"), [(2, 0.9), (4, 0.85)])
def test_beats_random_by_a_wide_margin(num_players, at_least):
    batch = railenvs.make_batch("railroad_run-v0", GAMES, num_players, seed=1)
    heuristic = agents.make("heuristic", batch.game, seed=1)
    others = agents.make("random", batch.game, seed=1)
    seats = np.arange(GAMES) % num_players
    won = np.zeros(GAMES)
    playing = np.arange(GAMES)
    while playing.size:
        ours = batch.seats[playing] == seats[playing]
        actions = np.empty(playing.size, np.int64)
        for agent, rows in ((heuristic, ours), (others, ~ours)):
            chosen = playing[rows]
            actions[rows] = agent.act_batch(batch.observations[chosen], batch.action_masks[chosen])
        batch.step(actions, playing)
        ended = batch.terminations[playing] | batch.truncations[playing]
        over = playing[ended]
        won[over] = batch.final_winners[over, seats[over]]
        playing = playing[~ended]
    assert won.mean() > at_least


def chosen(play, seed=0):
    """The heuristic's choice in a position, by name."""
    view = SeatView(play.game, play.state, play.seat)
    return play.game.action_names[agents.make("heuristic", play.game, seed).act(view)]


def test_contracts_that_win_come_first():
    assert chosen(Play(2, hands=["Train, Patent, Survey"], income=[48])) == "contracts"


def test_plays_events_that_bring_points():
    assert chosen(Play(2, hands=["Patent, Plains"])) == "Patent"


def test_looks_for_a_train_where_it_has_none():
    play = Play(2, hands=["3 Plains, 2 City"], options={"trades": False})
    assert chosen(play) == "Rail (Plains)"


def test_spare_trains_become_contracts():
    assert chosen(Play(2, hands=["4 Train"])) == "contracts"


def test_lays_a_good_meld_and_saves_a_poor_one():
    good = "Train, 2 Plains, 2 City, Town, Cotton, Passengers"
    assert chosen(Play(2, hands=[good]).do("done")) == "Train"
    assert chosen(Play(2, hands=["Train, Plains, 2 Town"]).do("done")) == "done"
    assert chosen(Play(2, hands=["Train, Plains, 2 Town"], income=[46]).do("done")) == "Train"


def test_melds_terrain_with_its_industries():
    hand = "Train, Mountains, Plains, 2 City, Town, Station, Gold Mine, Cotton, Longhorns"
    play = Play(2, hands=[hand], income=[45]).do("done")
    laid = []
    while play.seat == 0 and play.winner is None:
        laid.append(chosen(play))
        play.do(laid[-1])
    assert {"Gold Mine", "Cotton"} <= set(laid)
    assert laid.count("Train") == 1


def test_discards_what_it_needs_least():
    play = Play(2, hands=["Train, 2 Plains, 3 City, Station, Freight, Longhorns"]).do(
        "done", "done"
    )
    while play.phase == "accounting":
        play.do(chosen(play))
    assert "Train" not in play.discard
    assert "Rail (Plains)" not in play.discard


def test_accepts_a_good_trade_and_declines_a_bad_one():
    good = Play(2, turn=1, hands=["Town, Longhorns, 2 Plains, City", "Train"])
    good.do("offer", "Train", "done", "Longhorns", "send")
    assert chosen(good) == "accept"
    bad = Play(2, turn=1, hands=["Train, 2 Plains, 2 City", "Longhorns"])
    bad.do("offer", "Longhorns", "done", "Train", "send")
    assert chosen(bad) == "decline"


def test_events_are_for_whoever_is_ahead_and_a_token_comes_back_from_whoever_is_behind():
    income = [5, 10, 20]
    assert chosen(Play(3, hands=["Obsolescence"], income=income).do("Obsolescence")) == "opponent 2"
    tokens = {(1, 0): 1, (2, 0): 1}
    play = Play(3, hands=["Buy Out"], income=income, tokens=tokens).do("Buy Out")
    assert chosen(play) == "opponent 1"


def test_keeps_the_most_useful_cards_in_the_order_of_the_card_list():
    deck = "Longhorns, Wreck, Plains, Station, Train, Mail, Quarry"
    play = Play(2, hands=["Survey, 2 City"], deck=deck).do("Survey")
    kept = []
    while play.phase == "survey":
        kept.append(chosen(play))
        play.do(kept[-1])
    assert kept == ["Train", "Rail (Plains)"]


def test_offers_its_least_valuable_card_for_a_train_where_it_has_none():
    play = Play(2, hands=["3 City, Longhorns", "Train"], plays_left=0)
    steps = []
    for _ in range(5):
        steps.append(chosen(play))
        play.do(steps[-1])
    assert steps == ["offer", "Longhorns", "done", "Train", "send"]
    assert play.seat == 1
