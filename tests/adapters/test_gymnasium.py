"""Gymnasium environments: one learning seat, single and in batches."""

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from gymnasium.vector import AutoresetMode

import railenvs
from railenvs.engine.checks import ResetNeeded
from tests.adapters.playing import until
from tests.grid import CELLS


def seat_id(game_id):
    words, version = game_id.rsplit("-", 1)
    return f"railenvs/{''.join(word.capitalize() for word in words.split('_'))}-{version}"


@pytest.fixture(params=CELLS, ids=str)
def cell(request):
    """Id for Gymnasium, and the arguments of one cell of the game grid."""
    cell = request.param
    return seat_id(cell.game_id), {"num_players": cell.num_players, **dict(cell.options)}


def random_actions(masks, rng):
    return np.array([rng.choice(np.flatnonzero(mask)) for mask in masks])


def play_out(env, rng, seed=None):
    """Play one game; returns all observations, rewards, and the last step's tuple."""
    observation, info = env.reset(seed=seed)
    observations, rewards = [observation], []
    while True:
        action = rng.choice(np.flatnonzero(info["action_mask"]))
        step = env.step(action)
        observation, reward, terminated, truncated, info = step
        observations.append(observation)
        rewards.append(reward)
        if terminated or truncated:
            return observations, rewards, step


@pytest.mark.parametrize("arguments", [{}, {"scale": False}, {"learner_seat": 0}], ids=str)
def test_passes_gymnasiums_checker(cell, arguments):
    name, options = cell
    check_env(gymnasium.make(name, **options, **arguments).unwrapped)


def test_passes_sb3s_checker(cell):
    checker = pytest.importorskip(
        "stable_baselines3.common.env_checker", reason="SB3's checker needs the train extra"
    )
    name, options = cell
    checker.check_env(gymnasium.make(name, **options))


def test_a_game_tells_masks_and_result(cell):
    name, options = cell
    env = gymnasium.make(name, **options, opponents=["random"])
    observations, rewards, (*_, terminated, truncated, info) = play_out(
        env, np.random.default_rng(0), seed=3
    )
    assert all(env.observation_space.contains(observation) for observation in observations)
    assert not any(rewards[:-1])
    assert terminated != truncated
    assert not info["action_mask"].any()
    assert not env.unwrapped.action_masks().any()
    assert 0 <= info["won"] <= 1
    assert len(info["opponents"]) == options["num_players"] - 1
    with pytest.raises(ResetNeeded):
        env.unwrapped.step(0)


@pytest.mark.parametrize(
    ("cut_off", "paid", "truncates"),
    [("loss", -1, False), ("draw", 0, False), ("truncate", 0, True)],
)
def test_a_game_cut_off_ends_as_the_option_says(cut_off, paid, truncates):
    name, options = "railenvs/Express-v0", {"num_players": 2, "max_turns": 4, "cut_off": cut_off}
    env = gymnasium.make(name, **options)
    _, rewards, (*_, terminated, truncated, info) = play_out(env, np.random.default_rng(0), 3)
    assert (rewards[-1], info["won"]) == (paid, 0)
    assert (terminated, truncated) == (not truncates, truncates)
    many = gymnasium.make_vec(name, num_envs=4, **options)
    _, infos = many.reset(seed=0)
    while "final_info" not in infos:
        _, rewards, terminations, truncations, infos = many.step(
            infos["action_mask"].argmax(axis=1)
        )
    over = infos["_final_info"]
    assert (rewards == np.where(over, paid, 0)).all()
    assert (truncations == (over & truncates)).all()
    assert (terminations == (over & (not truncates))).all()


def test_a_seed_deals_the_game_of_the_aec_environment():
    game = railenvs.load_game("deck_express-v0", 2)
    env = gymnasium.make("railenvs/DeckExpress-v0", num_players=2).unwrapped
    for seed in range(5):
        env.reset(seed=seed)
        assert int(env._play.batch.seeds[0]) == seed
        mine = env.view().table()["seats"][env.view().seat]["shares"]
        assert mine == game.table(game.deal(seed))["seats"][env.view().seat]["shares"]


def test_same_seed_same_games(cell):
    name, options = cell
    first, second = (gymnasium.make(name, **options) for _ in range(2))
    for env in (first, second):
        env.reset(seed=11)
    for _ in range(3):
        one, two = (play_out(env, np.random.default_rng(5)) for env in (first, second))
        assert all(np.array_equal(a, b) for a, b in zip(one[0], two[0], strict=True))
        assert one[1] == two[1]


def test_an_illegal_action_loses_the_game():
    env = gymnasium.make("railenvs/DeckExpress-v0", num_players=3).unwrapped
    _, info = env.reset(seed=0)
    illegal = int(np.flatnonzero(info["action_mask"] == 0)[0])
    _, reward, terminated, truncated, info = env.step(illegal)
    assert (reward, terminated, truncated, info["illegal_action"]) == (-1.0, True, False, True)


@pytest.mark.parametrize("action", [-1, 65, 1.5, "invest", None, True])
def test_actions_that_are_none_are_refused(action):
    env = gymnasium.make("railenvs/DeckExpress-v0").unwrapped
    env.reset(seed=0)
    before = env._play.batch.states.tobytes()
    with pytest.raises(ValueError, match="action"):
        env.step(action)
    assert env._play.batch.states.tobytes() == before


def test_text_is_the_learning_seats_view():
    env = gymnasium.make("railenvs/DeckExpress-v0", render_mode="ansi")
    env.reset(seed=0)
    assert f"player_{env.unwrapped.view().seat} (you)" in env.render()


def test_the_end_can_be_looked_at(cell):
    """As the seat saw it, with nothing left to do, as in the AEC environment."""
    name, options = cell
    env = gymnasium.make(name, **options, render_mode="ansi").unwrapped
    for use in (env.render, env.view):
        with pytest.raises(ResetNeeded):
            use()
    for seed in range(2):
        *_, (last, *_, info) = play_out(env, np.random.default_rng(seed), seed=seed)
        view = env.view()
        assert np.array_equal(env.game.fields.scale(view.observation), last)
        assert not view.legal_actions.size
        assert view.seat == info["seat"]
        text = env.render()
        assert f"player_{view.seat} (you)" in text
        assert "Your actions" not in text
    env.reset(seed=0)
    assert "Your actions" in env.render()
    before = env.view()
    env.step(int(env.action_masks().argmin()))
    assert env.view().table() == before.table()
    assert not env.view().legal_actions.size
    assert "Your actions" not in env.render()


def test_frames_of_a_whole_game_are_collected():
    env = gymnasium.make("railenvs/DeckExpress-v0", num_players=2, render_mode="ansi_list")
    observations, *_ = play_out(env, np.random.default_rng(0), seed=0)
    frames = env.render()
    assert len(frames) == len(observations)
    assert all("(you)" in frame for frame in frames)


def test_infos_tell_numbers_with_a_dtype(cell):
    """Readers of infos, such as TorchRL's, ask for it."""
    name, options = cell
    env = gymnasium.make(name, **options)
    _, first = env.reset(seed=0)
    *_, info = env.step(int(first["action_mask"].argmax()))
    *_, (*_, last) = play_out(env, np.random.default_rng(0), seed=0)
    del last["opponents"]
    for each in (first, info, last):
        assert each["seat"].dtype == np.int64
        for value in each.values():
            assert value.dtype.kind in "bif"


def test_writing_into_what_was_returned_changes_nothing():
    one, other = (gymnasium.make_vec("railenvs/DeckExpress-v0", num_envs=8) for _ in range(2))
    _, infos = one.reset(seed=0)
    other.reset(seed=0)
    ended = 0
    for _ in until(lambda: ended > 8):
        actions = infos["action_mask"].argmax(axis=1)
        theirs = other.step(actions)
        *ours, infos = one.step(actions)
        for mine, their in zip(ours, theirs, strict=False):
            assert np.array_equal(mine, their)
        assert theirs[1].dtype == np.float64
        ended += int((ours[2] | ours[3]).sum())
        final = theirs[-1].get("final_info", {})
        for array in (*theirs[:4], *theirs[-1].values(), *final.values(), other.action_masks()):
            if isinstance(array, np.ndarray):
                array[:] = 0
        assert np.array_equal(other.action_masks(), infos["action_mask"])


# Many at once


def make_many(cell, num_envs, **arguments):
    name, options = cell
    return gymnasium.make_vec(name, num_envs=num_envs, **options, **arguments)


def test_many_games_run_on_the_batch(cell):
    env = make_many(cell, 64)
    assert env.metadata["autoreset_mode"] is AutoresetMode.SAME_STEP
    observations, infos = env.reset(seed=0)
    assert observations.shape == env.observation_space.shape
    assert env.observation_space.contains(observations)
    assert infos["action_mask"].any(axis=1).all()


def test_a_finished_game_is_followed_in_the_same_step(cell):
    """What SAME_STEP promises: the new game's first view, and the last words of the old one."""
    env = make_many(cell, 32)
    rng = np.random.default_rng(1)
    _, infos = env.reset(seed=2)
    finished = 0
    for _ in until(lambda: finished > 32):
        observations, rewards, terminations, truncations, infos = env.step(
            random_actions(infos["action_mask"], rng)
        )
        done = terminations | truncations
        assert not (terminations & truncations).any()
        assert not rewards[~done].any()
        assert infos["action_mask"].any(axis=1).all()
        assert env.observation_space.contains(observations)
        if not done.any():
            assert "final_obs" not in infos
            continue
        finished += int(done.sum())
        assert np.array_equal(infos["_final_obs"], done)
        assert np.array_equal(infos["_final_info"], done)
        for row, last_view in enumerate(infos["final_obs"]):
            assert (last_view is not None) == done[row]
            if done[row]:
                assert env.single_observation_space.contains(last_view)
                assert not np.array_equal(last_view, observations[row])
        final = infos["final_info"]
        assert not final["action_mask"].any()
        assert np.array_equal(final["_won"], done)


def test_rows_do_not_depend_on_how_many_there_are(cell):
    few, many = make_many(cell, 3), make_many(cell, 50)
    seen_few, infos = few.reset(seed=4)
    seen_many, infos_many = many.reset(seed=4)
    for step in range(40):
        assert np.array_equal(seen_few, seen_many[:3])
        rng = np.random.default_rng(step)
        actions = infos_many["action_mask"].argmax(axis=1)
        actions[:3] = random_actions(infos["action_mask"], rng)
        seen_few, *_, infos = few.step(actions[:3])
        seen_many, *_, infos_many = many.step(actions)


def test_illegal_actions_lose_their_games_alone():
    env = gymnasium.make_vec("railenvs/DeckExpress-v0", num_envs=4)
    _, infos = env.reset(seed=0)
    actions = infos["action_mask"].argmax(axis=1)
    actions[2] = int(np.flatnonzero(infos["action_mask"][2] == 0)[0])
    observations, rewards, terminations, _, infos = env.step(actions)
    assert terminations.tolist() == [False, False, True, False]
    assert rewards.tolist() == [0.0, 0.0, -1.0, 0.0]
    assert infos["action_mask"].any(axis=1).all()
    assert env.observation_space.contains(observations)


def test_wrong_arguments_are_named():
    for arguments, word in (
        ({"opponents": ["nobody"]}, "nobody"),
        ({"num_players": 7}, "7"),
        ({"learner_seat": 3}, "3"),
        ({"colour": "red"}, "colour"),
    ):
        with pytest.raises(ValueError, match=word):
            gymnasium.make("railenvs/DeckExpress-v0", **arguments)


def outline(infos):
    """Keys, types, dtypes and shapes, nested."""
    return {
        key: outline(value) if isinstance(value, dict) else (type(value), value.dtype, value.shape)
        for key, value in infos.items()
    }


def test_infos_are_built_as_gymnasiums_own_vector_environments_build_them():
    """Step by step until a game ends, side by side with SyncVectorEnv in the same mode."""
    name, many = "railenvs/DeckExpress-v0", {"num_envs": 4, "num_players": 2}
    own = gymnasium.make_vec(name, **many)
    mode = {"autoreset_mode": AutoresetMode.SAME_STEP}
    theirs = gymnasium.make_vec(name, vectorization_mode="sync", vector_kwargs=mode, **many)
    told = []
    for env in (own, theirs):
        observations, infos = env.reset(seed=0)
        first = outline(infos), observations.dtype, observations.shape
        while "final_obs" not in infos:
            _, _, terminations, truncations, infos = env.step(infos["action_mask"].argmax(axis=1))
        ended = terminations | truncations
        for key in ("final_obs", "final_info"):
            assert np.array_equal(infos[f"_{key}"], ended)
        for key, value in infos["final_info"].items():
            if key.startswith("_"):
                assert np.array_equal(value, ended)
        told.append((first, outline(infos), terminations.dtype, truncations.dtype))
    assert told[0] == told[1]


def test_episode_statistics_of_gymnasium_count_games():
    env = gymnasium.wrappers.vector.RecordEpisodeStatistics(
        gymnasium.make_vec("railenvs/DeckExpress-v0", num_envs=8, num_players=2)
    )
    _, infos = env.reset(seed=0)
    played = np.zeros(8, int)
    games = 0
    while games < 20:
        _, rewards, terminations, truncations, infos = env.step(infos["action_mask"].argmax(axis=1))
        played += 1
        ended = terminations | truncations
        if ended.any():
            episode = infos["episode"]
            assert np.array_equal(infos["_episode"], ended)
            assert np.array_equal(episode["l"][ended], played[ended])
            assert np.array_equal(episode["r"][ended], rewards[ended])
        played[ended] = 0
        games += int(ended.sum())


def test_masks_are_had_from_what_make_returns():
    env = gymnasium.make("railenvs/DeckExpress-v0", num_players=2)
    _, info = env.reset(seed=0)
    assert np.array_equal(env.action_masks(), info["action_mask"])


@pytest.mark.filterwarnings("ignore:.*rgb_array.*")
def test_sb3_makes_environments_by_id():
    pytest.importorskip("stable_baselines3", reason="needs the training extra")
    from stable_baselines3.common.env_util import make_vec_env

    env = make_vec_env("railenvs/DeckExpress-v0", n_envs=2, env_kwargs={"num_players": 2})
    env.reset()
    masks = np.array(env.env_method("action_masks"))
    env.step(masks.argmax(axis=1))


def test_games_cannot_be_reset_by_a_mask():
    env = gymnasium.make_vec("railenvs/DeckExpress-v0", num_envs=2)
    env.reset(seed=0)
    with pytest.raises(ValueError, match=r"reset_mask is not for AutoresetMode\.SAME_STEP"):
        env.reset(options={"reset_mask": np.array([True, False])})
