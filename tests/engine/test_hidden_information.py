"""A seat learns what its observation says and nothing else."""

import random

import numpy as np
import pytest

from railenvs import SeatView
from railenvs.render.text import render_view
from tests.play import difference, play_out, random_states

MOST_STATES = 10
"""States of a game that are tried."""
WORLDS = 2
"""Worlds drawn for each seat in each state."""


def states_and_seats(game, seed, every=3):
    """Some states of a random game, the first and the last among them, and every seat."""
    states = list(random_states(game, seed))
    every = max(every, len(states) // MOST_STATES)
    for state in [*states[::every], states[-1]]:
        for seat in range(game.num_players):
            yield state, seat


def seen(game, state, seat):
    """All that a seat is shown, in every form."""
    view = SeatView(game, state, seat)
    return {
        "look": game.look(state, seat),
        "table": game.table(state, seat),
        "view": (view.observation, view.action_mask, view.legal_actions, view.table()),
        "fields": {name: view.field(name) for name in game.fields},
        "text": render_view(view),
    }


def without_mask(shown):
    """All of :func:`seen` but which actions are legal."""
    return [shown["look"][0], shown["table"], shown["fields"], shown["text"].split("Your")[0]]


def test_dealing_the_unknown_afresh_changes_nothing_a_seat_sees(cell):
    game = cell.game()
    for state, seat in states_and_seats(game, 0):
        before = seen(game, state, seat)
        for number in range(WORLDS):
            world = game.determinize(state, seat, number)
            shown = seen(game, world, seat)
            if game.seat(world) != game.seat(state):
                # Another seat's hidden decision is taken back; whose turn it is has it before.
                assert game.seat(state) != seat
                assert not difference(without_mask(shown), without_mask(before))
                shown = before
            assert not difference(shown, before)
            assert game.is_over(world) == game.is_over(state)


def test_view_shows_what_the_environment_shows(seating):
    env = seating.env()
    env.reset(seed=0)
    for _ in range(20):
        for agent in env.possible_agents:
            view = env.view(agent)
            observation = env.observe(agent)
            assert not difference(view.observation, observation["observation"])
            if env.determinize(agent, 0).agent_selection == env.agent_selection:
                assert not difference(view.action_mask, observation["action_mask"])
            assert not difference(view.table(), env.table(agent))
            assert view.seat == env.possible_agents.index(agent)
        if not play_out(env, random.Random(0), 4):
            break


def test_dealing_afresh_changes_what_others_see(seating):
    game = seating.game()
    changed = np.zeros((seating.num_players, seating.num_players), bool)
    for state, seat in states_and_seats(game, 0):
        world = game.determinize(state, seat, 1)
        for other in range(seating.num_players):
            look = game.look(world, other), game.look(state, other)
            changed[seat, other] |= bool(difference(*look))
    np.testing.assert_array_equal(changed, ~np.eye(seating.num_players, dtype=bool))


def test_worlds_differ_by_seed_while_anything_is_hidden(cell):
    game = cell.game()
    state = game.deal(0)
    for seat in range(cell.num_players):
        worlds = {game.state_hash(game.determinize(state, seat, seed)) for seed in range(20)}
        assert len(worlds) == 20
        tables = {str(game.table(game.determinize(state, seat, seed))) for seed in range(20)}
        assert len(tables) == 20


def test_future_chance_is_fresh_in_a_world(default_cell):
    """The generator of a world is the seed's, not the true game's."""
    game = default_cell.game()
    state = game.deal(0)
    other = state.copy()
    other["rng"] = np.uint64(12345)
    for seat in range(game.num_players):
        assert not difference(game.determinize(other, seat, 5), game.determinize(state, seat, 5))
        assert game.determinize(state, seat, 5)["rng"] != state["rng"]
        assert game.determinize(state, seat, 5)["rng"] != game.determinize(state, seat, 6)["rng"]


def test_world_does_not_depend_on_the_hidden_truth(cell):
    """Two true states that look alike to a seat give it the same worlds."""
    game = cell.game()
    for state, seat in states_and_seats(game, 3):
        for number in range(WORLDS):
            alike = game.determinize(state, seat, 1000 + number)
            for seed in (0, 7):
                worlds = (game.determinize(true, seat, seed) for true in (state, alike))
                assert not difference(*worlds)


def test_no_way_leads_from_a_view_to_the_true_state(cell):
    """Everything a view holds is equal for two true states that look alike."""
    game = cell.game()
    for state, seat in states_and_seats(game, 4):
        alike = game.determinize(state, seat, 99)
        one, other = SeatView(game, state, seat), SeatView(game, alike, seat)
        assert one.__dict__.keys() == other.__dict__.keys()
        for name, held in vars(one).items():
            if name != "game":
                assert not difference(held, vars(other)[name])
                if isinstance(held, np.ndarray):
                    assert not np.shares_memory(held, state)
        assert not difference(one.sample_world(11), other.sample_world(11))
        assert not difference(one.sample_world(11), game.determinize(state, seat, 11))


def test_views_game_knows_no_state(cell):
    env = cell.env()
    env.reset(seed=5)
    assert env.view("player_0").game == cell.game()
    before = dict(vars(env.game))
    play_out(env, random.Random(5), 5)
    assert vars(env.game) == before


def test_worlds_are_games_like_any_other(cell):
    """A world is read back from its table (so no card is lost) and can be played to the end."""
    game = cell.game()
    for state, seat in states_and_seats(game, 6, every=9):
        world = game.determinize(state, seat, 2)
        assert not difference(game.table(game.from_table(game.table(world))), game.table(world))
        chance = random.Random(6)
        while not game.is_over(world):
            game.play(world, chance.choice(np.flatnonzero(game.legal(world)).tolist()))


def test_determinized_environment_is_another_one(cell):
    env = cell.raw_env("ansi")
    env.reset(seed=7)
    play_out(env, random.Random(7), 8)
    before = env.state_hash()
    for agent in env.possible_agents:
        world = env.determinize(agent, 3)
        assert not difference(
            world.observe(agent)["observation"], env.observe(agent)["observation"]
        )
        assert not difference(world.table(agent), env.table(agent))
        if world.agent_selection == env.agent_selection:
            assert not difference(world.observe(agent), env.observe(agent))
        else:
            assert agent != env.agent_selection
        assert world.game == env.game
        assert world.render_mode == env.render_mode
        assert world.state_hash() == env.determinize(agent, 3).state_hash() != before
        masked = int(np.flatnonzero(world.last()[0]["action_mask"] == 0)[0])
        with pytest.raises(ValueError, match="illegal"):
            world.step(masked)
        play_out(world, random.Random(8))
        assert env.state_hash() == before


def test_text_is_the_acting_seats(seating):
    env = seating.env("ansi")
    env.reset(seed=8)
    while not env.terminations[env.agent_selection] and not env.truncations[env.agent_selection]:
        agent = env.agent_selection
        text = env.render()
        assert text == render_view(env.view(agent))
        assert agent in text
        for seed in range(WORLDS):
            assert env.determinize(agent, seed).render() == text
        play_out(env, random.Random(8), 3)


def test_masks_and_infos_of_waiting_seats_are_empty(cell):
    env = cell.env()
    env.reset(seed=9)
    while not env.terminations[env.agent_selection] and not env.truncations[env.agent_selection]:
        for agent in env.possible_agents:
            acts = agent == env.agent_selection
            assert env.observe(agent)["action_mask"].any() == acts
            assert env.infos[agent]["action_mask"].any() == acts
            assert env.infos[agent].keys() == {"action_mask"}
        play_out(env, random.Random(9), 1)


@pytest.mark.parametrize("seat", [-1, 99, 1.0, "0", None, True])
def test_wrong_seats_are_refused(default_cell, seat):
    game = default_cell.game()
    state = game.deal(0)
    for look in (game.look, game.observe, game.table, lambda *a: game.determinize(*a, 0)):
        if not (seat is None and look == game.table):
            with pytest.raises(ValueError, match="seat"):
                look(state, seat)
