"""Searching a seat's view: known right moves, books that balance, worlds, budgets, memory."""

from __future__ import annotations

import itertools
import json

import numpy as np
import pytest

from railenvs.engine import search as searching
from railenvs.engine.random import child_seed
from railenvs.engine.search import Search, Settings
from railenvs.engine.state import at
from railenvs.engine.tree import NONE, ROOT, SEARCH, value
from railenvs.engine.view import SeatView
from railenvs.render.text import render_search, render_view
from tests.children import run_python
from tests.engine import puzzles
from tests.engine.puzzles import LEFT, LESS, RIGHT, puzzle
from tests.engine.searches import first_searches, found
from tests.engine.toy_game import toy
from tests.play import random_states


def view_of(game, seed=0):
    state = game.deal(seed)
    return SeatView(game, state, game.seat(state))


def searched(view, seed=0, **settings):
    # Games of some rulebooks are long when played at random.
    search = Search(view, Settings(**{"simulations": 400, "cutoff": 40, **settings}), seed)
    search.run()
    return search


# Known right moves


@pytest.mark.parametrize("stones", [5, 6, 7, 9, 10, 11])
def test_the_tree_finds_forced_wins(stones):
    search = searched(view_of(puzzle("nim", stones=stones)), simulations=3000)
    assert search.action == stones % 4 - 1
    assert search.actions()[0].values[0] > 0.75


def test_a_lost_position_is_known_to_be_lost():
    search = searched(view_of(puzzle("nim", stones=4)), simulations=3000)
    assert search.actions()[0].values[0] < 0.1
    answer = search.principal_line()[1]
    assert (answer.seat, answer.action) == (1, 3 - search.action - 1)


def test_the_tree_counts_on_the_best_reply_and_flat_search_on_a_random_one():
    view = view_of(puzzle("trap"))
    assert searched(view).action == RIGHT
    flat = searched(view, flat=True, simulations=2000)
    assert flat.action == LEFT
    assert flat.actions()[0].values == pytest.approx((2 / 3, 1 / 3), abs=0.05)


@pytest.mark.parametrize("flat", [False, True])
@pytest.mark.parametrize("seed", range(8))
def test_what_is_hidden_counts_by_its_chance(flat, seed):
    search = searched(view_of(puzzle("call"), seed), simulations=2000, flat=flat)
    assert search.action == LESS
    assert search.actions()[0].values == pytest.approx((0.75, 0.25), abs=0.05)


def test_each_seat_goes_for_its_own():
    # With two stones and three seats, seat 0 must take both.
    view = view_of(puzzle("nim", 3, stones=2))
    search = searched(view)
    assert search.principal_line()[0].action == 1
    assert search.actions()[0].values == (1.0, 0.0, 0.0)
    assert search.actions()[1].values == (0.0, 1.0, 0.0), "seat 1 takes the other"


@pytest.mark.parametrize("reward", ["outcome", "margin", "score"])
@pytest.mark.parametrize("cutoff", [None, 0])
@pytest.mark.parametrize("flat", [False, True])
def test_every_reward_is_gone_for(reward, cutoff, flat):
    view = view_of(puzzle("pay", reward=reward))
    search = searched(view, cutoff=cutoff, flat=flat)
    assert search.action == 2
    best = {"outcome": (1.0, 0.0), "margin": (1.0, -1.0), "score": (2.0, 1.0)}[reward]
    assert search.actions()[0].values == best


@pytest.mark.parametrize("flat", [False, True])
@pytest.mark.parametrize("end", ["cut off", "nobody wins"])
@pytest.mark.parametrize(("cut_off", "worth"), [("loss", 0), ("draw", 0.25), ("truncate", 0.25)])
def test_a_game_that_nobody_wins_is_worth_what_it_pays(cut_off, worth, end, flat):
    search = searched(view_of(toy(4, end=end, cut_off=cut_off)), simulations=50, flat=flat)
    assert all(line.values == (worth,) * 4 for line in search.actions())


@pytest.mark.parametrize("flat", [False, True])
@pytest.mark.parametrize(("cut_off", "best", "worth"), [("loss", RIGHT, 0.25), ("draw", LEFT, 0.5)])
def test_a_search_stalls_only_where_a_game_cut_off_is_no_loss(cut_off, best, worth, flat):
    search = searched(view_of(puzzle("stall", cut_off=cut_off)), simulations=1000, flat=flat)
    assert search.action == best
    assert search.actions()[0].values[0] == pytest.approx(worth, abs=0.05)


def test_scores_of_a_game_cut_off_promise_shares():
    search = searched(view_of(toy(3)), cutoff=0, flat=True, simulations=300)
    values = {line.action: line.values for line in search.actions()}
    assert all(sum(shares) == pytest.approx(1) for shares in values.values())
    assert values[0] == pytest.approx((1 / 3,) * 3)
    assert values[2][0] > values[1][0] > 0.4
    assert search.action == 2


def test_a_lead_counts_the_same_however_few_rollouts_are_cut_off():
    game = toy(3)
    state = game.deal(0)
    game.play(state, 2)
    shares = []
    for simulations in (0, 10_000):
        search = np.zeros(1, SEARCH)
        search["simulations"] = simulations
        scratch = np.empty(3, np.int32), np.empty(3, np.int8), np.empty(3)
        value(at(search, 0), at(state, 0), *scratch)
        shares.append(scratch[-1].tolist())
    assert shares[0] == shares[1]
    assert shares[0][0] > 0.6


# Books that balance


def test_visits_and_availability_add_up(cell):
    search = searched(view_of(cell.game(), 3), simulations=60)
    nodes, count = search._nodes[: search.num_nodes], search.num_nodes
    assert nodes["visits"][ROOT] == search.simulations == 60
    children = np.bincount(nodes["parent"][1:], nodes["visits"][1:], count)
    # The simulation that added a node ended there, as do those in which the game was over.
    assert (nodes["visits"][1:] > children[1:]).all()
    assert children[ROOT] == 60, "every simulation plays one of the root's actions"
    assert (nodes["available"][1:] >= nodes["visits"][1:]).all()
    assert count == 61, "every simulation adds a node, as long as no game ends within the tree"
    for line in search.actions():
        assert line.available == 60 - order_added(nodes, line.action)
    total = search._sums[ROOT]
    assert total.sum() == pytest.approx(
        60 if cell.game().options["reward"] == "outcome" else total.sum()
    )
    top = [number for number in range(1, count) if nodes["parent"][number] == ROOT]
    assert search._sums[top].sum(axis=0) == pytest.approx(total)


def order_added(nodes, action):
    """How many simulations came before the one that added the root's child of an action."""
    (child,) = np.flatnonzero((nodes["parent"] == ROOT) & (nodes["action"] == action))
    return child - 1


def test_an_action_is_available_in_worlds_that_allow_it_alone(default_cell):
    """Replies that hang on hidden cards were available less often than their parent was visited."""
    for seed in range(10):
        search = searched(view_of(default_cell.game(), seed), simulations=150)
        nodes = search._nodes[: search.num_nodes]
        inner = np.flatnonzero(nodes["parent"] > ROOT)
        if (nodes["available"][inner] < nodes["visits"][nodes["parent"][inner]] - 1).any():
            return
    raise AssertionError("no action hung on hidden cards")


def test_flat_search_gives_every_legal_action_its_turn(default_cell):
    view = view_of(default_cell.game(), 1)
    legal = view.legal_actions
    search = searched(view, flat=True, simulations=5 * legal.size + 1)
    visits = {line.action: line.visits for line in search.actions()}
    assert visits == {action: 6 if action == legal[0] else 5 for action in legal.tolist()}
    assert search.num_nodes == legal.size + 1


def test_a_search_may_be_gone_on_with(default_cell):
    view = view_of(default_cell.game())
    parts = Search(view, Settings(simulations=1000, cutoff=40), 5)
    for share in (1, 20, 29):
        parts.add(share)
    assert found(parts) == found(searched(view, 5, simulations=50))


# Worlds


def test_every_simulation_deals_a_world_of_its_own(default_cell):
    game = default_cell.game()
    view = view_of(game, 2)
    legal = view.legal_actions.tolist()
    search = Search(view, Settings(simulations=100, flat=True, cutoff=0), 9)
    hashes = set()
    for number in range(20):
        search.add(1)
        world = view.sample_world(int(child_seed(9, number)))
        hashes.add(game.state_hash(world))
        game.play(world, legal[number % len(legal)])
        assert game.state_hash(search._scratch[0]) == game.state_hash(world)
    assert len(hashes) == 20


def test_equal_views_find_the_same_whatever_is_hidden(seating):
    game = seating.game()
    differ = 0
    for number, state in enumerate(random_states(game, 8)):
        if game.is_over(state) or number % 9:
            continue
        seat = game.seat(state)
        other = game.determinize(state, seat, seed=77)
        differ += game.state_hash(other) != game.state_hash(state)
        for flat in (False, True):
            one, two = (
                searched(SeatView(game, each, seat), number, simulations=12, flat=flat)
                for each in (state, other)
            )
            assert found(one) == found(two)
        if number > 200:
            break
    assert differ > 3


def test_other_seeds_find_other_things(default_cell):
    view = view_of(default_cell.game())
    assert found(searched(view, 1, simulations=30)) != found(searched(view, 2, simulations=30))


def test_the_view_and_the_root_stay_as_they_were(default_cell):
    game = default_cell.game()
    state = game.deal(4)
    view = SeatView(game, state, game.seat(state))
    before = game.state_hash(state), view.observation.copy(), view.sample_world(1)
    searched(view, simulations=30)
    assert game.state_hash(state) == before[0]
    assert (view.observation == before[1]).all()
    assert view.sample_world(1) == before[2]


def test_without_the_compiler_the_same_is_found():
    there = json.loads(run_python("-m", "tests.engine.searches", NUMBA_DISABLE_JIT="1"))
    assert there == json.loads(json.dumps(first_searches()))


# Budget and memory


class Clock:
    """A clock that moves on a second at every look."""

    def __init__(self):
        self.now = 0.0

    def perf_counter(self):
        self.now += 1.0
        return self.now


def test_seconds_end_a_search(monkeypatch):
    clock = Clock()
    monkeypatch.setattr(searching, "time", clock)
    search = searched(view_of(toy()), simulations=None, seconds=10.0)
    assert clock.now <= 12
    assert search.simulations > 20
    search.run()
    assert clock.now <= 24, "going on takes as long again"


def test_simulations_are_the_most_that_seconds_may_take():
    search = searched(view_of(toy()), simulations=100, seconds=3600.0)
    assert search.simulations == 100


def test_a_full_tree_is_searched_on(monkeypatch):
    monkeypatch.setattr(searching, "MOST_NODES", 8)
    search = searched(view_of(puzzle("nim", stones=30)), simulations=300)
    assert search.num_nodes == 8
    assert search.simulations == search._nodes["visits"][ROOT] == 300
    assert sum(line.visits for line in search.actions()) == 300


def test_a_search_that_goes_on_grows_its_tree():
    search = searched(view_of(puzzle("nim", stones=30)), simulations=1)
    search.add(500)
    assert search.num_nodes == 502
    assert {line.action for line in search.actions()} == set(search.view.legal_actions.tolist())
    search.run()
    assert search.simulations == 502
    at_once = searched(search.view, simulations=502)
    assert found(search) == found(at_once)


def test_numbers_of_numpy_are_numbers():
    settings = Settings(simulations=np.array(5), exploration=np.float32(0.5), cutoff=np.int8(127))
    assert (settings.simulations, settings.exploration, settings.cutoff) == (5, 0.5, 127)
    assert [type(each) for each in (settings.simulations, settings.exploration)] == [int, float]


def test_a_node_takes_the_bytes_told():
    for seats in (2, 3):
        search = searched(view_of(puzzle("nim", seats)), simulations=10)
        assert search.bytes_a_node == 28 + 8 * seats
        assert search._nodes.size == len(search._sums) == 11


def test_actions_are_explored_while_all_rewards_are_alike():
    """Before the end of nim nobody has points."""
    view = view_of(puzzle("nim", stones=40, reward="score"))
    visits = [each.visits for each in searched(view, simulations=90, cutoff=0).actions()]
    assert visits == pytest.approx([30, 30, 30], abs=1)


# Told


def test_a_search_is_told_below_the_view():
    view = view_of(puzzle("nim", stones=2))
    search = searched(view, simulations=100)
    text = render_view(view, search)
    assert text.startswith(render_view(view).rstrip())
    assert text.endswith(render_search(search))
    lines = render_search(search).splitlines()
    assert lines[0] == f"Search of 100 simulations, {search.num_nodes} nodes"
    assert lines[1].split() == ["action", "visits", "of", "player_0", "(you)", "player_1"]
    best = search.actions()[0]
    assert lines[3].split() == ["1", "second", str(best.visits), "100", "1.000", "0.000"] or (
        lines[3].split() == ["1", "second", str(best.visits), "99", "1.000", "0.000"]
    )
    assert lines[-1] == f"Expected: player_0 (you): second ({best.visits})"


def test_a_search_is_told_with_no_view_but_its_own():
    game = puzzle("nim", stones=9)
    search = searched(view_of(game))
    state = game.deal(0)
    same = SeatView(game, state, 0)
    assert (same, hash(same)) == (search.view, hash(search.view))
    assert "Search of" in render_view(same, search)
    game.play(state, 1)
    for view in (SeatView(game, state, 1), SeatView(game, state, 0), view_of(puzzle("trap"))):
        assert view != search.view
        with pytest.raises(ValueError, match="search must be of this view"):
            render_view(view, search)


def test_the_principal_line_follows_the_most_visited(default_cell):
    search = searched(view_of(default_cell.game()), simulations=300)
    line = search.principal_line()
    assert line[0] == search.actions()[0]
    assert all(one.visits >= two.visits for one, two in itertools.pairwise(line))
    nodes, node = search._nodes[: search.num_nodes], ROOT
    for each in line:
        children = np.flatnonzero(nodes["parent"] == node)
        (node,) = [child for child in children if nodes["action"][child] == each.action]
        assert each.visits == max(nodes["visits"][children])
    assert nodes["first_child"][node] == NONE


# What cannot be asked for


def test_a_seat_that_is_not_to_act_has_nothing_to_search(default_cell):
    game = default_cell.game()
    state = game.deal(0)
    waiting = (game.seat(state) + 1) % game.num_players
    with pytest.raises(ValueError, match=f"player_{waiting} is not to act"):
        Search(SeatView(game, state, waiting), Settings(simulations=1), 0)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({}, "needs simulations or seconds"),
        ({"simulations": 0}, "simulations must be from 1"),
        ({"simulations": 1.5}, "simulations must be a whole number"),
        ({"seconds": 0}, "seconds must be a number from 1e-06 to 1e"),
        ({"seconds": 10**400}, "seconds must be a number"),
        ({"seconds": np.complex64(1)}, "seconds must be a number"),
        ({"simulations": 5, "flat": "no"}, "flat must be one of False, True"),
        ({"seconds": float("inf")}, "seconds must be a number"),
        ({"simulations": 1, "exploration": -1}, "exploration must be a number from 0 to"),
        ({"simulations": 1, "exploration": "c"}, "exploration must be a number from 0 to"),
        ({"simulations": 1, "cutoff": -1}, "cutoff must be from 0"),
    ],
)
def test_wrong_settings_are_named(settings, message):
    with pytest.raises(ValueError, match=message):
        Settings(**settings)


@pytest.mark.parametrize("simulations", [-5, 1.5, True, "3", 2**31])
def test_wrong_numbers_of_simulations_are_not_added(simulations):
    search = Search(view_of(toy()), Settings(simulations=1), 0)
    with pytest.raises(ValueError, match="simulations must be"):
        search.add(simulations)
    assert search.simulations == 0


def test_before_a_search_there_is_no_best_action():
    search = Search(view_of(toy()), Settings(simulations=1), 0)
    assert search.actions() == search.principal_line() == []
    with pytest.raises(ValueError, match="nothing has been searched yet"):
        _ = search.action


@pytest.mark.parametrize("seed", [-1, 2**63, 1.0, "1", True])
def test_wrong_seed_is_refused(seed):
    with pytest.raises(ValueError, match="seed"):
        Search(view_of(toy()), Settings(simulations=1), seed)


def test_puzzles_are_what_they_are_said_to_be():
    state = puzzle("call").deal(0)
    at(state, 0).card = 3
    game = puzzle("call")
    game.play(state, puzzles.THREE)
    assert game.winners(state) == (0,)
