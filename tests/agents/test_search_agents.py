"""Agents that search: names and options, batches and threads, strength, what they know."""

from __future__ import annotations

import copy
import pickle
import weakref

import numpy as np
import pytest

import agents
import railenvs
from agents.search import SearchAgent, read_argument
from experiments.evaluate import evaluate
from railenvs.adapters.self_play import SelfPlay
from railenvs.engine.agent import BatchAgent, ViewsAgent, ask_agent
from railenvs.engine.search import Search
from railenvs.engine.view import SeatView
from tests.children import run_python
from tests.engine.puzzles import puzzle
from tests.engine.searches import found
from tests.grid import Cell, hooks
from tests.play import random_states, random_steps

NAMES = ("ismcts:simulations=8,cutoff=20", "flat:simulations=8,cutoff=20")
both = pytest.mark.parametrize("name", NAMES)


def views_of(game, seed, every=7, most=20):
    """Views of the seats to act along a random game."""
    states = [state for state in random_states(game, seed) if not game.is_over(state)]
    return [SeatView(game, state, game.seat(state)) for state in states[::every][:most]]


@both
def test_plays_legal_actions_and_a_batch_chooses_as_single_views_do(seating, name):
    game = seating.game()
    one, other = (agents.make(name, game, seed=2) for _ in range(2))
    assert isinstance(one, agents.Agent)
    assert isinstance(one, ViewsAgent)
    assert not isinstance(one, BatchAgent)
    views = views_of(game, 5)
    singles = [one.act(view) for view in views]
    assert all(type(action) is int for action in singles)
    assert all(view.action_mask[action] for view, action in zip(views, singles, strict=True))
    actions = other.act_views(views)
    assert actions.dtype == np.int64
    assert actions.tolist() == singles
    assert other.act_views([]).shape == (0,)


@both
def test_choices_do_not_depend_on_the_number_of_threads(default_cell, name):
    game = default_cell.game()
    views = views_of(game, 6)
    one, three = (agents.make(f"{name},threads={count}", game, seed=1) for count in (1, 3))
    for _ in range(2):
        assert one.act_views(views).tolist() == three.act_views(views).tolist()


@both
def test_copies_of_an_agent_whose_threads_have_started_choose_as_it_does(default_cell, name):
    game = default_cell.game()
    views = views_of(game, 6)
    agent = agents.make(f"{name},threads=2", game, seed=1)
    agent.act_views(views)
    agent.act(views[0])
    assert agent.last is not None
    copies = copy.deepcopy(agent), pickle.loads(pickle.dumps(agent))
    assert [each.last for each in copies] == [None, None]
    expected = agent.act_views(views).tolist()
    assert [each.act_views(views).tolist() for each in copies] == [expected] * 2


GO_ON_ELSEWHERE = """
import pickle, sys
with open(sys.argv[1], "rb") as file:
    agent, search, views = pickle.load(file)
search.add(4)
print(agent.act_views(views).tolist(), search.action)
"""


def test_a_process_that_has_not_met_the_heuristic_goes_on_with_it(tmp_path):
    game = railenvs.load_game("deck_express-v0", 2)
    views = views_of(game, 6)
    agent = agents.make("ismcts:8,rollouts=heuristic", game, seed=1)
    agent.act(next(view for view in views if view.legal_actions.size > 1))
    file = tmp_path / "agent.pickle"
    file.write_bytes(pickle.dumps((agent, agent.last, views)))
    told = run_python("-c", GO_ON_ELSEWHERE, str(file))
    agent.last.add(4)
    assert told.strip() == f"{agent.act_views(views).tolist()} {agent.last.action}"


@pytest.mark.parametrize("threads", [1, 2])
def test_no_more_trees_are_kept_than_are_being_grown(default_cell, monkeypatch, threads):
    alive = weakref.WeakSet()
    most = []

    class Counted(Search):
        def __init__(self, *arguments):
            super().__init__(*arguments)
            alive.add(self)
            most.append(len(alive))

    monkeypatch.setattr("agents.search.Search", Counted)
    game = default_cell.game()
    agent = agents.make(f"ismcts:4,cutoff=4,threads={threads}", game, seed=1)
    agent.act_views(views_of(game, 6))
    assert len(most) > 5
    assert max(most) <= threads


@both
def test_seed_fixes_the_choices_and_reset_starts_afresh(default_cell, name):
    game = default_cell.game()
    views = views_of(game, 3)
    agent = agents.make(name, game, seed=3)
    first = agent.act_views(views).tolist()
    assert agent.act_views(views).tolist() != first
    agent.reset(3)
    assert agent.act_views(views).tolist() == first
    assert agents.make(name, game, seed=4).act_views(views).tolist() != first
    agent.reset()
    assert agent.act_views(views).tolist() != first


@both
def test_choices_do_not_depend_on_what_a_seat_cannot_know(seating, name):
    game = seating.game()
    true, dealt = (agents.make(name, game, seed=7) for _ in range(2))
    differ = 0
    for number, state in enumerate(random_states(game, 6)):
        if not game.is_over(state) and number % 7 == 0 and number < 150:
            seat = game.seat(state)
            other = game.determinize(state, seat, seed=99)
            differ += game.state_hash(other) != game.state_hash(state)
            assert true.act(SeatView(game, state, seat)) == dealt.act(SeatView(game, other, seat))
            assert found(true.last) == found(dealt.last)
    assert differ > 3


@both
def test_choices_in_every_phase_do_not_depend_on_what_a_seat_cannot_know(default_cell, name):
    told = hooks(default_cell.game_id)
    options = tuple(getattr(told, "PHASES_NEED", {}).items())
    cell = Cell(default_cell.game_id, default_cell.num_players, options)
    game = cell.game()
    met = {}
    batch = cell.batch(256)
    for _ in random_steps(batch, 1000):
        for phase in set(batch.states["phase"].tolist()) - met.keys():
            row = int((batch.states["phase"] == phase).argmax())
            met[phase] = batch.states[row : row + 1].copy()
        if len(met) == told.PHASES:
            break
    assert sorted(met) == list(range(told.PHASES))
    true, dealt = (agents.make(name, game, seed=7) for _ in range(2))
    for state in met.values():
        seat = game.seat(state)
        for seed in range(3):
            other = game.determinize(state, seat, seed)
            assert true.act(SeatView(game, state, seat)) == dealt.act(SeatView(game, other, seat))
            assert found(true.last) == found(dealt.last)


def test_a_batch_is_asked_by_views_that_show_what_a_seat_may_know(default_cell):
    batch = default_cell.batch(6, seed=1)
    rows = np.array([4, 1])

    class Spy:
        def reset(self, seed=None):
            pass

        def act(self, view):
            return self.act_views([view])[0]

    class ViewsSpy(Spy):
        def act_views(self, views):
            self.seen = views
            return np.array([view.legal_actions[0] for view in views])

    spy = ViewsSpy()
    actions = ask_agent(spy, batch, rows)
    assert actions.tolist() == batch.action_masks[rows].argmax(axis=1).tolist()
    for view, row in zip(spy.seen, rows, strict=True):
        assert view.seat == batch.seats[row]
        assert (view.observation == batch.observations[row]).all()
        true = batch.game.state_hash(batch.states[row : row + 1])
        assert batch.game.state_hash(view._world) != true


def test_an_agent_that_only_acts_plays_in_a_batch():
    class First:
        def reset(self, seed=None):
            pass

        def act(self, view):
            return int(view.legal_actions[0])

    game = railenvs.load_game("deck_express-v0", 2)
    cast = {"first": First()}
    assert isinstance(cast["first"], agents.Agent)
    assert evaluate(game, ("first", "random"), 8, cast=cast).games == 8


@pytest.mark.parametrize("name", ["ismcts:30", "flat:30"])
def test_beats_random(name):
    game = railenvs.load_game("deck_express-v0", 2)
    result = evaluate(game, (name, "random"), 60).agents[name]
    assert result.win_share.low > 0.5


def test_more_simulations_beat_fewer():
    game = puzzle("nim", stones=21)
    result = evaluate(game, ("ismcts:1000", "ismcts:3"), 40).agents["ismcts:1000"]
    assert result.win_share.low > 0.5


def test_is_an_opponent_to_learn_from():
    game = railenvs.load_game("deck_express-v0", 2)
    one, other = (SelfPlay(game, 3, ["ismcts:4"], seed=5) for _ in range(2))
    for play in (one, other):
        play.reset()
    for _ in range(12):
        for play in (one, other):
            play.step(play.batch.action_masks.argmax(axis=1))
        assert (one.batch.observations == other.batch.observations).all()


def test_heuristics_play_rollouts_by_what_a_seat_may_know(game_id):
    game = railenvs.load_game(game_id)
    name = "ismcts:simulations=5,rollouts=heuristic"
    true, dealt, random = (
        agents.make(each, game, seed=7)
        for each in (name, name, name.replace("heuristic", "random"))
    )
    differ = 0
    for state in [state for state in random_states(game, 6) if not game.is_over(state)][::23]:
        seat = game.seat(state)
        view = SeatView(game, state, seat)
        other = SeatView(game, game.determinize(state, seat, seed=99), seat)
        assert true.act(view) == dealt.act(other)
        assert found(true.last) == found(dealt.last)
        random.act(view)
        differ += found(random.last) != found(true.last)
    assert differ > 0


def test_options_by_name():
    assert read_argument("") == {"simulations": 1000}
    assert read_argument("50") == {"simulations": 50}
    assert read_argument("seconds=0.5") == {"seconds": 0.5}
    assert read_argument("simulations=7,exploration=0.3,cutoff=0,threads=2") == {
        "simulations": 7,
        "exploration": 0.3,
        "cutoff": 0,
        "threads": 2,
    }
    game = railenvs.load_game("deck_express-v0")
    agent = agents.make("flat:simulations=7,threads=2", game)
    assert isinstance(agent, SearchAgent)
    assert (agent.settings.flat, agent.settings.simulations, agent.threads) == (True, 7, 2)


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("ismcts:many", "simulations of a search must be a whole number, not 'many'"),
        ("ismcts:1_0", "simulations of a search must be a whole number, not '1_0'"),
        ("ismcts: 10", "simulations of a search must be a whole number, not ' 10'"),
        ("ismcts:\u0661", "simulations of a search must be a whole number"),
        ("ismcts:10,", "simulations of a search must be a whole number, not ''"),
        ("ismcts:10,20", "'simulations' of a search is given twice"),
        ("ismcts:0", "simulations must be from 1"),
        ("ismcts:-5", "simulations must be from 1"),
        ("flat:1.5", "simulations of a search must be a whole number, not '1.5'"),
        ("ismcts:sims=5", "no option 'sims'; it has simulations, seconds, exploration"),
        ("ismcts:seconds=1,seconds=2", "'seconds' of a search is given twice"),
        ("ismcts:seconds=soon", "seconds of a search must be a number, not 'soon'"),
        ("ismcts:seconds=nan", "seconds must be a number from"),
        ("ismcts:100,threads=0", "threads must be from 1"),
        ("ismcts:rollouts=best", "rollouts must be one of"),
        ("ismcts:cutoff=-1", "cutoff must be from 0"),
        ("ismcts:exploration=inf", "exploration must be a number"),
    ],
)
def test_wrong_options_are_named(name, message):
    with pytest.raises(ValueError, match=message):
        agents.make(name, railenvs.load_game("deck_express-v0"))


@pytest.mark.parametrize("name", ["ismcts:5", "flat:5", "heuristic"])
def test_a_view_of_another_game_is_refused(name):
    game = railenvs.load_game("deck_express-v0", 2)
    for other in (railenvs.load_game("express-v0", 2), railenvs.load_game("deck_express-v0", 3)):
        state = other.deal(0)
        with pytest.raises(ValueError, match=r"deck_express-v0.* was given a view of"):
            agents.make(name, game, seed=0).act(SeatView(other, state, other.seat(state)))


def test_where_there_is_no_choice_nothing_is_searched():
    game = railenvs.load_game("deck_express-v0", 2)
    agent = agents.make("ismcts:seconds=3600", game, seed=0)
    state = next(
        state
        for state in random_states(game, 1)
        if not game.is_over(state) and game.legal(state).sum() == 1
    )
    view = SeatView(game, state, game.seat(state))
    assert agent.act(view) == agent.act_views([view])[0] == game.legal(state).argmax()
    assert agent.last is None


@pytest.mark.parametrize("seed", [-1, 2**63, 1.0, "1", True])
def test_wrong_seed_is_refused(seed):
    game = railenvs.load_game("deck_express-v0")
    with pytest.raises(ValueError, match="seed"):
        agents.make("ismcts", game, seed=seed)
    with pytest.raises(ValueError, match="seed"):
        agents.make("ismcts", game).reset(seed)
