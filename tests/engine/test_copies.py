"""Copies, pickles and snapshots go on identically; what was handed out never changes."""

import copy
import functools
import itertools
import json
import pickle
import random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from railenvs.engine.state import record_dtype
from railenvs.games import load_rulebook
from tests.grid import DEFAULT_CELLS, SEATINGS
from tests.play import (
    CLOSE_STEPS,
    choose,
    decisions,
    difference,
    looks_closely,
    play_out,
    random_states,
    shown,
)


@pytest.fixture
def cell(mechanics_cell):
    """What is tested here no rule takes part in."""
    return mechanics_cell


@pytest.fixture
def seating(mechanics_cell):
    """What is tested here no rule takes part in."""
    return mechanics_cell


@pytest.fixture
def default_cell(mechanics_cell):
    """What is tested here no rule takes part in."""
    return mechanics_cell


def restored(env):
    other = type(env)(env.game, env.render_mode)
    other.restore(env.snapshot())
    return other


COPIES = {
    "deepcopy": copy.deepcopy,
    "pickle": lambda env: pickle.loads(pickle.dumps(env)),
    "snapshot": restored,
}


def play_on(env, seed):
    """Play to the end, dead steps too, then begin a second, unseeded game; what was shown."""
    chance = random.Random(seed)
    told = [shown(env)]
    while env.agents:
        over = env.terminations[env.agent_selection] or env.truncations[env.agent_selection]
        env.step(None if over else choose(env.last()[0]["action_mask"], chance))
        told.append(shown(env) if over or looks_closely(len(told)) else env.state_hash())
    told.append(env.record())
    env.reset()
    told += [shown(env) for _ in itertools.islice(decisions(env, chance), CLOSE_STEPS)]
    return told


@pytest.mark.parametrize("way", COPIES)
def test_copies_along_a_game_go_on_identically(cell, way):
    """A chain of copies, at first one a step, keeps pace with the original."""
    env = cell.env()
    env.reset(seed=0)
    other = env
    chance = random.Random(0)
    for number, agent in enumerate(env.agent_iter()):
        if looks_closely(number):
            other = COPIES[way](other)
        assert other.state_hash() == env.state_hash()
        assert not difference(other.last(), env.last())
        over = env.terminations[agent] or env.truncations[agent]
        action = None if over else choose(env.last()[0]["action_mask"], chance)
        env.step(action)
        other.step(action)
    assert not difference(shown(COPIES[way](other)), shown(env))
    assert other.record() == env.record()


@pytest.mark.parametrize("way", COPIES)
@pytest.mark.parametrize("after", [0, 7, 30, 1000])
def test_copy_shows_everything_the_same_to_the_end_and_beyond(seating, way, after):
    env = seating.env()
    env.reset(seed=1)
    play_out(env, random.Random(1), after)
    other = COPIES[way](env)
    before = shown(env)
    told = play_on(other, 2)
    assert not difference(shown(env), before)  # apart from its copy
    assert not difference(told, play_on(env, 2))


@pytest.mark.parametrize("way", COPIES)
def test_copy_amid_the_dead_steps_and_after_an_offence(seating, way):
    env = seating.env()
    env.reset(seed=5)
    masked = int(np.flatnonzero(env.last()[0]["action_mask"] == 0)[0])
    with pytest.warns(UserWarning, match="illegal"):
        env.step(masked)
    for _ in env.possible_agents:
        other = COPIES[way](env)
        assert not difference(shown(other), shown(env))
        other.step(None)
        env.step(None)
        assert not difference(shown(other), shown(env))
    assert env.agents == COPIES[way](env).agents == []


@pytest.mark.parametrize("way", ["deepcopy", "pickle"])
def test_copy_before_the_first_reset(seating, way):
    other = COPIES[way](seating.raw_env("ansi"))
    with pytest.raises(AssertionError, match="reset"):
        other.step(0)
    env = seating.raw_env("ansi")
    for each in (env, other):
        each.reset(seed=6)
    assert not difference(play_on(other, 7), play_on(env, 7))
    assert other.render_mode == "ansi"


@pytest.mark.parametrize("way", ["deepcopy", "pickle"])
def test_copy_keeps_how_illegal_actions_are_answered(default_cell, way):
    env = default_cell.raw_env()
    env.reset(seed=0)
    masked = int(np.flatnonzero(env.last()[0]["action_mask"] == 0)[0])
    with pytest.raises(ValueError, match="illegal"):
        COPIES[way](env).step(masked)


def test_copied_spaces_draw_the_same_samples(default_cell):
    env = default_cell.env()
    env.action_space("player_0").seed(3)
    env.action_space("player_0").sample()
    for way in ("deepcopy", "pickle"):
        other = COPIES[way](env)
        drawn = [
            [each.action_space("player_0").sample() for _ in range(5)] for each in (env, other)
        ]
        assert drawn[0] == drawn[1]


# States


@pytest.mark.parametrize("cell_of_game", DEFAULT_CELLS, ids=str)
def test_every_byte_of_a_record_belongs_to_a_field(cell_of_game):
    """numpy does not copy the bytes between fields: a hash over them would depend on chance."""
    dtype = load_rulebook(cell_of_game.game_id).dtype
    assert sum(dtype[name].itemsize for name in dtype.names) == dtype.itemsize


@pytest.mark.parametrize("size", range(1, 10))
def test_records_of_any_size_have_no_holes(size):
    dtype = record_dtype("some_game", [("cards", np.int8, (size,)), ("money", np.int16)])
    assert sum(dtype[name].itemsize for name in dtype.names) == dtype.itemsize


def test_copy_of_a_state_has_the_same_hash(cell):
    game = cell.game()
    for state in random_states(game, 0):
        for other in (
            state.copy(),
            copy.deepcopy(state),
            pickle.loads(pickle.dumps(state)),
            np.frombuffer(state.tobytes(), state.dtype),
            np.concatenate([state, state])[1:],
        ):
            assert game.state_hash(other) == game.state_hash(state)


def test_hash_tells_states_apart(cell):
    game = cell.game()
    hashes = [game.state_hash(state) for seed in range(5) for state in random_states(game, seed)]
    assert len(set(hashes)) == len(hashes)


def test_hash_includes_the_random_state(cell):
    game = cell.game()
    state = game.deal(0)
    other = state.copy()
    other["rng"] += np.uint64(1)
    assert game.state_hash(other) != game.state_hash(state)


# Snapshots that are none


def mid_game(cell):
    env = cell.env()
    env.reset(seed=8)
    play_out(env, random.Random(8), 6)
    return env


def refuses(env, snapshot):
    """Restoring fails and the game in progress goes on."""
    before = shown(env), env.record()
    with pytest.raises(ValueError, match="snapshot"):
        env.restore(snapshot)
    assert not difference((shown(env), env.record()), before)


@pytest.mark.parametrize(
    "snapshot",
    [
        b"",
        b"\n",
        b"{}",
        b"{}\n",
        b"[]\n",
        b"null\n",
        b"1\n",
        b"garbage",
        b"\xff" * 2000,
        None,
        3,
        "",
        "{}",
    ],
    ids=repr,
)
def test_garbage_is_refused(default_cell, snapshot):
    refuses(mid_game(default_cell), snapshot)


@pytest.mark.slow
def test_truncated_snapshots_are_refused(default_cell):
    env = mid_game(default_cell)
    whole = env.snapshot()
    for length in range(0, len(whole), 37):
        refuses(env, whole[:length])
    refuses(env, whole + b"\0")
    refuses(env, whole + whole)


@functools.cache
def snapshots():
    """A game in progress of every seating, by the game."""
    return {env.game: env.snapshot() for env in map(mid_game, SEATINGS)}


def test_snapshot_of_another_game_is_refused(cell):
    env = mid_game(cell)
    for game, snapshot in snapshots().items():
        if game != env.game:
            refuses(env, snapshot)


def test_snapshot_with_nothing_but_the_games_name_is_refused(default_cell):
    env = mid_game(default_cell)
    states = 2 * env.game.deal(0).tobytes()
    head = json.dumps({"game": repr(env.game)}).encode()
    refuses(env, head + b"\n" + states)
    refuses(env, head)
    refuses(env, states)


@pytest.mark.slow
@given(data=st.data())
@pytest.mark.parametrize("cell_of_game", DEFAULT_CELLS, ids=str)
def test_snapshot_with_a_changed_byte_is_refused(cell_of_game, data):
    env = mid_game(cell_of_game)
    changed = bytearray(env.snapshot())
    changed[data.draw(st.integers(0, len(changed) - 1))] ^= data.draw(st.integers(1, 255))
    refuses(env, bytes(changed))


# What was handed out


def test_what_was_returned_never_changes(seating):
    env = seating.env()
    env.reset(seed=9)
    returned, copies = [], []

    def keep_all():
        """Keep what every seat is shown now, and a copy of it."""
        returned.append([env.last(), dict(env.infos), env.table(), env.state()])
        for agent in env.possible_agents:
            returned[-1] += [env.observe(agent), env.view(agent).observation, env.table(agent)]
        copies.append(copy.deepcopy(returned[-1]))

    for number, _ in enumerate(decisions(env, random.Random(9))):
        if looks_closely(number):
            keep_all()
    keep_all()
    env.reset(seed=10)
    play_out(env, random.Random(10))
    assert not difference(returned, copies)


def scribble(returned):
    """Write into every array that may be written, at any depth."""
    if isinstance(returned, np.ndarray):
        if returned.flags.writeable:
            returned[...] = 1
    elif isinstance(returned, dict):
        for value in returned.values():
            scribble(value)
        for key, value in returned.items():
            if not isinstance(value, (np.ndarray, dict, list)):
                returned[key] = "scribbled"
    elif isinstance(returned, (list, tuple)):
        for value in returned:
            scribble(value)


def test_writing_into_what_was_returned_does_not_change_the_game(default_cell):
    """Not the present decision, not the next, not what another caller is shown."""
    env, twin = default_cell.env(), default_cell.env()
    env.reset(seed=11)
    twin.reset(seed=11)
    chance = random.Random(11)
    for number, agent in enumerate(env.agent_iter()):
        over = env.terminations[agent] or env.truncations[agent]
        action = None if over else choose(twin.last()[0]["action_mask"], chance)
        if looks_closely(number):
            for returned in (
                env.observe(agent),
                env.last()[0],
                env.table(),
                env.table(agent),
                env.view(agent).observation,
                env.view(agent).action_mask,
                env.view(agent).table(),
                env.record(),
                env.scores(),
                env.state(),
            ):
                scribble(returned)
            assert not difference(shown(env), shown(twin))
        env.step(action)
        twin.step(action)


def test_wrong_types_for_seeds_and_agents_in_determinize(default_cell):
    env = mid_game(default_cell)
    for seed in (-1, 1.0, "0", None, True, 2**63):
        with pytest.raises(ValueError, match="seed"):
            env.determinize("player_0", seed)
