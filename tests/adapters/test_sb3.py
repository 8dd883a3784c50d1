"""The VecEnv contract, item by item."""

from __future__ import annotations

import pickle
import subprocess
import sys

import cloudpickle
import gymnasium
import numpy as np
import pytest
from sb3_contrib.common.maskable.utils import get_action_masks, is_masking_supported
from stable_baselines3.common.vec_env import VecEnv, VecMonitor, unwrap_vec_normalize

import railenvs
from railenvs.adapters.sb3 import SelfPlayVecEnv
from railenvs.engine.agent import RandomAgent
from railenvs.engine.checks import ResetNeeded
from tests.adapters.countdown import countdown
from tests.adapters.playing import GAMES, REAL_GAMES, Hashing, by_name, first_legal, raw, until

ALWAYS = {"action_mask", "seat", "TimeLimit.truncated"}
AT_THE_END = ALWAYS | {
    "terminal_observation",
    "score",
    "won",
    "is_success",
    "opponents",
    "game_seed",
}

all_games = pytest.mark.parametrize("game", GAMES, ids=by_name)
scaled_or_not = pytest.mark.parametrize("scale", [True, False])


def same_run(one: VecEnv, other: VecEnv, steps: int) -> None:
    """Play both alike and compare everything returned."""
    for _ in range(steps):
        actions = first_legal(one)
        for ours, theirs in zip(one.step(actions), other.step(actions), strict=True):
            np.testing.assert_equal(ours, theirs)


# Construction


def test_a_game_is_given_by_id_or_as_such():
    game = REAL_GAMES[-1]
    by_id = SelfPlayVecEnv(game.id, 2, num_players=game.num_players, seed=1, reward="margin")
    assert by_id.game == railenvs.load_game(game.id, game.num_players, reward="margin")
    given = SelfPlayVecEnv(by_id.game, 2, seed=1)
    np.testing.assert_array_equal(by_id.reset(), given.reset())
    same_run(by_id, given, 20)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"id_or_game": "whist-v0"}, "game id must be one of"),
        ({"id_or_game": REAL_GAMES[0], "num_players": 2}, "has its players and options"),
        ({"id_or_game": REAL_GAMES[0], "reward": "score"}, "has its players and options"),
        ({"num_players": 99}, "num_players must be"),
        ({"num_envs": 0}, "must be from 1"),
        ({"num_envs": 1.5}, "must be a whole number"),
        ({"seed": -1}, "seed must be"),
        ({"seed": 1.5}, "seed must be"),
        ({"scale": 1}, "scale must be one of"),
        ({"threads": 0}, "threads must be"),
        ({"render_mode": "human"}, "render_mode must be one of"),
        ({"colour": "red"}, "has no option 'colour'"),
    ],
)
def test_bad_arguments_are_refused(given, message):
    with pytest.raises(ValueError, match=message):
        SelfPlayVecEnv(**{"id_or_game": railenvs.game_ids()[0], "num_envs": 2, **given})


@all_games
@scaled_or_not
def test_spaces(game, scale):
    env = SelfPlayVecEnv(game, 2, seed=0, scale=scale)
    assert env.num_envs == 2
    assert env.action_space == gymnasium.spaces.Discrete(game.num_actions)
    space = env.observation_space
    assert space.shape == (game.observation_size,)
    low, high = game.fields.bounds()
    if scale:
        assert space.dtype == np.float32
        bounds = np.maximum(-low.astype(float), high)
        np.testing.assert_allclose(space.low, low / bounds, rtol=1e-6)
        np.testing.assert_allclose(space.high, high / bounds, rtol=1e-6)
        assert space.low.min() >= -1
        assert space.high.max() <= 1
    else:
        assert space == gymnasium.spaces.Box(low, high, dtype=np.int8)


# Reset and step


@all_games
@scaled_or_not
def test_what_reset_and_step_return(game, scale):
    env = SelfPlayVecEnv(game, 5, seed=0, scale=scale)
    space, shape = env.observation_space, (5, game.observation_size)
    observations = env.reset()
    assert observations.shape == shape
    assert observations.dtype == space.dtype
    assert all(space.contains(row) for row in observations)
    assert [set(info) for info in env.reset_infos] == [{"action_mask", "seat"}] * 5
    ended = 0
    for _ in until(lambda: ended > 5):
        actions = first_legal(env)
        observations, rewards, dones, infos = env.step(actions)
        masks = env.action_masks()
        assert masks.dtype == np.int8
        assert masks.shape == (5, game.num_actions)
        assert masks.max(axis=1).all()
        assert observations.shape == shape
        assert observations.dtype == space.dtype
        assert (rewards.shape, rewards.dtype) == ((5,), np.float32)
        assert (dones.shape, dones.dtype) == ((5,), np.bool_)
        assert isinstance(infos, list)
        for row, info in enumerate(infos):
            assert space.contains(observations[row])
            np.testing.assert_array_equal(info["action_mask"], masks[row])
            assert type(info["seat"]) is int
            assert type(info["TimeLimit.truncated"]) is bool
            if dones[row]:
                ended += 1
                assert set(info) == AT_THE_END
                assert space.contains(info["terminal_observation"])
                assert info["terminal_observation"].dtype == space.dtype
                assert type(info["score"]) is int
                assert type(info["won"]) is float
                assert type(info["game_seed"]) is int
                assert info["opponents"] == ("random",) * (game.num_players - 1)
                first = env.reset_infos[row]
                assert first["seat"] == env.get_attr("seat", row)[0]
                np.testing.assert_array_equal(first["action_mask"], masks[row])
            else:
                assert set(info) == ALWAYS
                assert rewards[row] == 0


@all_games
def test_scaling_divides_each_entry_by_its_bound(game):
    plain, scaled = (SelfPlayVecEnv(game, 3, seed=0, scale=scale) for scale in (False, True))
    low, high = game.fields.bounds()
    bounds = np.maximum(-low.astype(float), high)
    np.testing.assert_allclose(scaled.reset(), plain.reset() / bounds, rtol=1e-6)
    finished = 0
    for _ in until(lambda: finished > 2):
        actions = first_legal(plain)
        seen, _, _, infos = plain.step(actions)
        shown, _, dones, shown_infos = scaled.step(actions)
        np.testing.assert_allclose(shown, seen / bounds, rtol=1e-6)
        for row in np.flatnonzero(dones):
            finished += 1
            np.testing.assert_allclose(
                shown_infos[row]["terminal_observation"],
                infos[row]["terminal_observation"] / bounds,
                rtol=1e-6,
            )


def test_what_was_returned_is_never_written_again():
    env = raw(countdown(3), 4)
    returned = [env.reset(), env.action_masks(), env.env_method("action_masks")]
    for _ in range(10):
        returned += [*env.step(first_legal(env)), env.action_masks(), env.reset_infos[:]]
    kept = pickle.loads(pickle.dumps(returned))
    for _ in range(30):
        env.step(first_legal(env))
    np.testing.assert_equal(returned, kept)


def test_writing_into_what_was_returned_changes_no_game():
    one, other = (raw(countdown(3), 4) for _ in range(2))
    one.reset()
    other.reset()[:] = 0
    for _ in range(30):
        observations, rewards, dones, infos = other.step(first_legal(one))
        ours = one.step(first_legal(one))
        np.testing.assert_equal((observations, rewards, dones), ours[:3])
        masks = one.action_masks()
        handed_out = [
            other.action_masks(),
            *other.env_method("action_masks"),
            *other.env_method("action_masks", indices=[0, 2]),
            *(info["action_mask"] for info in infos),
            *(info["action_mask"] for info in other.reset_infos),
        ]
        for array in handed_out:
            array[:] = 0
            np.testing.assert_array_equal(other.action_masks(), masks)
            np.testing.assert_array_equal(other.env_method("action_masks"), masks)
        for array in (observations, rewards, dones):
            array[:] = 0


BAD_ACTIONS = {
    "illegal in the last row": lambda good, env: [*good[:-1], env.action_masks()[-1].argmin()],
    "too large": lambda good, env: [*good[:-1], env.game.num_actions],
    "negative": lambda good, env: [*good[:-1], -1],
    "too few": lambda good, env: good[:-1],
    "too many": lambda good, env: [*good, 0],
    "two dimensions": lambda good, env: good[:, None],
    "floats": lambda good, env: good.astype(np.float32),
    "bools": lambda good, env: good.astype(bool),
    "text": lambda good, env: ["a"] * len(good),
    "nothing": lambda good, env: None,
    "ragged": lambda good, env: [[0], [0, 1], [0]],
}


@pytest.mark.parametrize("spoil", BAD_ACTIONS.values(), ids=BAD_ACTIONS)
def test_wrong_actions_are_refused_and_change_nothing(spoil):
    one, other = (raw(REAL_GAMES[0], 3, Hashing()) for _ in range(2))
    one.reset()
    other.reset()
    same_run(one, other, 7)
    actions = spoil(first_legal(one), one)
    with pytest.raises(ValueError, match=r"action|array"):
        one.step(actions)
    np.testing.assert_array_equal(one.action_masks(), other.action_masks())
    same_run(one, other, 40)


def test_an_illegal_action_is_named():
    env = raw(REAL_GAMES[0], 2)
    env.reset()
    action = int(env.action_masks()[1].argmin())
    name = env.game.action_names[action]
    with pytest.raises(ValueError, match=rf"game 1 .*: action {action} \({name}\) is illegal"):
        env.step([first_legal(env)[0], action])


def test_async_and_wait_belong_together():
    one, other = (raw(countdown(), 3) for _ in range(2))
    one.reset()
    other.reset()
    with pytest.raises(RuntimeError, match=r"call step_async\(\) before"):
        one.step_wait()
    actions = first_legal(one)
    one.step_async(actions)
    actions[:] = 99  # taken already
    np.testing.assert_equal(one.step_wait(), other.step(first_legal(other)))
    with pytest.raises(RuntimeError, match="step_async"):
        one.step_wait()
    one.step_async(first_legal(one))
    one.reset()  # cancels
    with pytest.raises(RuntimeError, match="step_async"):
        one.step_wait()


def test_use_before_reset_is_an_error():
    env = raw(countdown(), 2)
    for use in (
        lambda: env.step([0, 0]),
        env.action_masks,
        lambda: env.env_method("action_masks"),
        lambda: env.env_method("action_masks", indices=0),
    ):
        with pytest.raises(ResetNeeded):
            use()


def test_closing_twice_is_fine():
    env = raw(countdown(), 2)
    env.reset()
    env.close()
    env.close()


# Masks


@all_games
def test_masks_as_sb3_contrib_asks_for_them(game):
    env = VecMonitor(raw(game, 6))
    assert is_masking_supported(env)
    env.reset()
    for _ in range(20):
        masks = get_action_masks(env)
        np.testing.assert_array_equal(masks, env.action_masks())
        np.testing.assert_array_equal(masks[[4, 1]], env.env_method("action_masks", indices=[4, 1]))
        assert len(env.env_method("action_masks")) == 6
        env.step(first_legal(env))


# Seeds and options


@all_games
def test_seed_returns_the_first_games_seeds_and_takes_effect_at_reset(game):
    env, twin = raw(game, 4, learner_seat=0), raw(game, 4, learner_seat=0)
    env.reset()
    twin.reset()
    seeds = env.seed(12)
    assert len(set(seeds)) == 4
    same_run(env, twin, 10)
    env.reset()
    options = railenvs.make_batch(game.id, 4, game.num_players, 12) if game in REAL_GAMES else None
    if options is not None:
        assert seeds == options.seeds.tolist()
    twin.seed(12)
    twin.reset()
    same_run(env, twin, 60)


def test_seeding_without_a_seed_takes_entropy():
    env = raw(countdown(), 2)
    assert env.seed() != env.seed(None)


@pytest.mark.parametrize("seed", [-1, 2**63, 1.5, "1", True])
def test_bad_seeds_are_refused(seed):
    with pytest.raises(ValueError, match="seed must be"):
        raw(countdown(), 2).seed(seed)


@pytest.mark.parametrize("game", REAL_GAMES, ids=by_name)
def test_an_option_names_a_rows_next_game(game):
    env, plain = raw(game, 3), raw(game, 3)
    plain.reset()
    wanted = 123456
    env.set_options([{}, {"game_seed": wanted, "else": 1}, {}])
    env.reset()
    for row in (0, 2):
        assert env.get_attr("seat", row) == plain.get_attr("seat", row)
    first: dict[int, int] = {}
    while 1 not in first:
        _, _, dones, infos = env.step(first_legal(env))
        for row in np.flatnonzero(dones).tolist():
            first.setdefault(row, infos[row]["game_seed"])
    assert first[1] == wanted
    # Options are for one reset.
    env.seed(0)
    env.reset()
    plain.seed(0)
    plain.reset()
    same_run(env, plain, 10)


def test_options_for_all_rows_and_none():
    env = raw(countdown(), 3, learner_seat=0)
    env.set_options({"game_seed": 5})
    same = env.reset()
    assert (same == same[0]).all()
    env.set_options({"game_seed": 5})
    env.set_options()
    other = env.reset()
    assert not (other == other[0]).all()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ([{}], "3 dicts"),
        ([{}, {}, 5], "3 dicts"),
        (5, "3 dicts"),
        ({"game_seed": -1}, "seed must be"),
        ([{}, {}, {"game_seed": "1"}], "seed must be"),
    ],
)
def test_bad_options_are_refused(options, message):
    env = raw(countdown(), 3)
    with pytest.raises(ValueError, match=message):
        env.set_options(options)
    np.testing.assert_array_equal(env.reset(), raw(countdown(), 3).reset())


# Rows as single environments


def test_attributes_of_rows():
    game = countdown(3)
    env = raw(game, 3, [Hashing(1), "random"])
    env.reset()
    assert env.get_attr("game") == [game] * 3
    assert env.get_attr("render_mode", indices=1) == [None]
    assert env.has_attr("action_masks")
    assert not env.has_attr("colour")
    with pytest.raises(AttributeError, match="colour"):
        env.get_attr("colour")
    env.set_attr("colour", "red", indices=[0, 2])
    assert not env.has_attr("colour")
    assert env.get_attr("colour", indices=(0, 2)) == ["red", "red"]
    for name in ("opponents", "seat", "game", "render_mode"):
        with pytest.raises(AttributeError):
            env.set_attr(name, None)
    with pytest.raises(IndexError):
        env.get_attr("seat", indices=3)
    with pytest.raises(AttributeError, match="fly"):
        env.env_method("fly")
    assert env.get_attr("seat", indices=np.int64(1)) == [env.get_attr("seat")[1]]


def test_a_rows_learner_seat_can_be_set_for_games_to_come():
    env = raw(countdown(3), 3)
    env.reset()
    env.set_attr("learner_seat", 2, indices=[1])
    assert env.get_attr("learner_seat") == [None, 2, None]
    seats: list[set[int]] = [set(), set(), set()]
    games = [0, 0, 0]
    for _ in range(100):
        _, _, dones, infos = env.step(first_legal(env))
        for row in np.flatnonzero(dones):
            games[row] += 1
            if games[row] > 1:
                seats[row].add(infos[row]["seat"])
    assert seats == [{0, 1, 2}, {2}, {0, 1, 2}]
    with pytest.raises(ValueError, match="learner_seat must be from 0 to 2"):
        env.set_attr("learner_seat", 3)
    env.set_attr("learner_seat", None)
    assert env.get_attr("learner_seat") == [None] * 3


def test_rows_are_wrapped_in_nothing():
    env = raw(countdown(), 3)
    assert env.env_is_wrapped(gymnasium.Wrapper) == [False] * 3
    assert env.env_is_wrapped(gymnasium.Wrapper, indices=[0, 2]) == [False] * 2
    assert env.unwrapped is env
    assert unwrap_vec_normalize(env) is None


# Rendering


def test_rendering_shows_what_each_learner_sees():
    game = REAL_GAMES[0]
    env = raw(game, 2, render_mode="ansi")
    assert env.metadata["render_modes"] == ["ansi"]
    env.reset()
    texts = env.env_method("render")
    for seat, text in zip(env.get_attr("seat"), texts, strict=True):
        assert text.startswith(f"{game.title}, seen by player_{seat}")
    assert env.render() == env.render("ansi") == "\n".join(texts)
    assert VecMonitor(env).render() == env.render()
    assert list(env.get_images()) == [None, None]
    with pytest.warns(UserWarning, match="mode='human'"):
        assert env.render("human") is None


def test_rendering_without_a_mode_warns():
    env = raw(countdown(), 2)
    env.reset()
    assert env.render_mode is None
    with pytest.warns(UserWarning, match="no `render_mode`"):
        assert env.render() is None
    assert env.env_method("render") == [None, None]


# Copies and imports


@pytest.mark.parametrize("pickler", [pickle, cloudpickle], ids=["pickle", "cloudpickle"])
@pytest.mark.parametrize("threads", [1, 2])
def test_a_pickled_env_goes_on_alike(pickler, threads):
    game = REAL_GAMES[0]
    env = raw(game, 6, ["random", RandomAgent(game), Hashing()], threads=threads)
    fresh = pickler.loads(pickler.dumps(env))
    np.testing.assert_array_equal(env.reset(), fresh.reset())
    for _ in range(15):
        env.step(first_legal(env))
    copy = pickler.loads(pickler.dumps(env))
    np.testing.assert_array_equal(copy.action_masks(), env.action_masks())
    same_run(env, copy, 60)


def run_python(code: str) -> str:
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_without_sb3_the_error_names_the_extra():
    code = """
import sys
sys.modules["stable_baselines3"] = None
import railenvs, railenvs.adapters
try:
    import railenvs.adapters.sb3
except ImportError as error:
    print(error)
"""
    assert "pip install 'railenvs[train]'" in run_python(code)


def test_the_library_does_not_import_sb3():
    code = """
import sys
import railenvs, railenvs.adapters, railenvs.adapters.self_play
print([name for name in ("torch", "stable_baselines3", "sb3_contrib") if name in sys.modules])
"""
    assert run_python(code).strip() == "[]"
