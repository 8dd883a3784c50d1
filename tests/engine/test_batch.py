"""The batch: each row is the single game, whatever its neighbours and threads do."""

import copy
import pickle

import numpy as np
import pytest

import railenvs
from tests.play import (
    ARRAYS,
    arrays,
    choose_rows,
    difference,
    looks_closely,
    random_steps,
    steps_for_games,
)

MANY_STEPS = 20_000
ENDS = 4
"""Ends of games that are compared, and the deals after them."""
"""More than the longest games take."""


def step(batch, seed):
    """One random step in which what a row plays depends on itself and the seed alone."""
    width = batch.game.num_actions
    chances = np.random.default_rng(seed).random((1000, width))[: batch.num_games]
    batch.step((batch.action_masks * (chances + 1)).argmax(axis=1))


# The single game


def test_shapes_and_types(cell):
    batch = cell.batch(5)
    game = batch.game
    seats, size, actions = cell.num_players, game.observation_size, game.num_actions
    wanted = {
        "observations": ((5, size), np.int8),
        "action_masks": ((5, actions), np.int8),
        "seats": ((5,), np.int8),
        "moves": ((5,), np.int64),
        "rewards": ((5, seats), np.float64),
        "terminations": ((5,), np.bool_),
        "truncations": ((5,), np.bool_),
        "final_scores": ((5, seats), np.int32),
        "final_winners": ((5, seats), np.int8),
        "final_observations": ((5, seats, size), np.int8),
        "final_states": ((5,), game.rulebook.dtype),
        "seeds": ((5,), np.int64),
        "states": ((5,), game.rulebook.dtype),
    }
    assert {name: (array.shape, array.dtype) for name, array in arrays(batch).items()} == wanted
    assert batch.num_games == 5
    assert game == cell.game()


@pytest.mark.slow
def test_row_is_the_single_game_step_for_step(cell):
    """Byte for byte, over several games a row: what is seen, whose turn, results, next deal."""
    batch = cell.batch(4, seed=1)
    envs = [cell.raw_env() for _ in range(4)]
    for env, seed in zip(envs, batch.seeds, strict=True):
        env.reset(seed=int(seed))
    chance = np.random.default_rng(1)
    ended = np.zeros(4, int)
    moves = np.zeros(4, int)
    for number in range(MANY_STEPS):
        if ended.sum() >= ENDS:
            break
        assert batch.moves.tolist() == moves.tolist()
        moves += 1
        for row, env in enumerate(envs):
            observation = env.last()[0]
            assert not difference(batch.observations[row], observation["observation"])
            assert not difference(batch.action_masks[row], observation["action_mask"])
            assert f"player_{batch.seats[row]}" == env.agent_selection
            assert env.game.state_hash(batch.states[row : row + 1]) == env.state_hash()
            if looks_closely(number):
                assert batch.table(row) == env.table()
        actions = choose_rows(batch.action_masks, chance)
        batch.step(actions)
        for row, (env, action) in enumerate(zip(envs, actions, strict=True)):
            env.step(int(action))
            first = env.agents[0]
            assert batch.terminations[row] == env.terminations[first]
            assert batch.truncations[row] == env.truncations[first]
            assert batch.rewards[row].tolist() == list(env.rewards.values())
            if batch.terminations[row] or batch.truncations[row]:
                ended[row] += 1
                assert batch.final_scores[row].tolist() == list(env.scores().values())
                winners = [f"player_{seat}" for seat in np.flatnonzero(batch.final_winners[row])]
                assert winners == env.winners()
                for seat, agent in enumerate(env.possible_agents):
                    seen = env.observe(agent)["observation"]
                    assert not difference(batch.final_observations[row, seat], seen)
                end = batch.final_states[row : row + 1]
                assert env.game.state_hash(end) == env.state_hash()
                moves[row] = 0
                env.reset(seed=int(batch.seeds[row]))
    assert ended.sum() >= ENDS


def test_row_after_a_new_deal_is_as_fresh_as_a_first_deal(cell):
    """Nothing of the finished game is left in the row."""
    batch = cell.batch(16, seed=2)
    dealt = 0
    for _ in random_steps(batch, MANY_STEPS):
        for row in np.flatnonzero(batch.terminations | batch.truncations):
            fresh = batch.game.deal(int(batch.seeds[row]))
            assert batch.states[row : row + 1].tobytes() == fresh.tobytes()
            dealt += 1
        if dealt > 16:
            break
    assert dealt > 16


def test_rewards_are_zero_while_a_game_goes_on(mechanics_cell):
    batch = mechanics_cell.batch(16, seed=3)
    for _ in random_steps(batch, steps_for_games(batch, 2)):
        going_on = ~(batch.terminations | batch.truncations)
        assert not batch.rewards[going_on].any()


def test_last_words_stay_until_the_next_game_ends(cell):
    batch = cell.batch(8, seed=4)
    names = ("final_scores", "final_winners", "final_observations", "final_states")
    kept = {name: getattr(batch, name).copy() for name in names}
    for _ in random_steps(batch, steps_for_games(batch, 2)):
        ended = batch.terminations | batch.truncations
        for name in names:
            kept[name][ended] = getattr(batch, name)[ended]
            assert not difference(getattr(batch, name).copy(), kept[name])


def test_seeds_differ_between_rows_and_games(mechanics_cell):
    batch = mechanics_cell.batch(32, seed=5)
    seeds = set(batch.seeds.tolist())
    games = 32
    for _ in random_steps(batch, steps_for_games(batch, 3)):
        ended = np.flatnonzero(batch.terminations | batch.truncations)
        seeds.update(batch.seeds[ended].tolist())
        games += len(ended)
    assert len(seeds) == games > 64


# Neighbours, threads, copies


def test_rows_do_not_depend_on_the_number_of_rows(mechanics_cell):
    small, large = mechanics_cell.batch(3, seed=6), mechanics_cell.batch(11, seed=6)
    for number in range(150):
        assert not difference(
            arrays(small), {name: array[:3] for name, array in arrays(large).items()}
        )
        step(small, number)
        step(large, number)


def test_rows_do_not_depend_on_their_neighbours_actions(mechanics_cell):
    """Row 0 plays the same; the others play otherwise or wait."""
    one, other = mechanics_cell.batch(4, seed=7), mechanics_cell.batch(4, seed=7)
    chance = np.random.default_rng(7)
    for number in range(150):
        action = choose_rows(one.action_masks[:1], chance)
        one.step(action, rows=[0])
        others = choose_rows(other.action_masks, np.random.default_rng(number))
        others[0] = action[0]
        other.step(others)
        for name in ARRAYS:
            assert not difference(getattr(one, name)[:1].copy(), getattr(other, name)[:1].copy())


@pytest.mark.parametrize("threads", [2, 3, 8])
def test_rows_do_not_depend_on_the_number_of_threads(mechanics_cell, threads):
    one, many = mechanics_cell.batch(50, seed=8), mechanics_cell.batch(50, seed=8, threads=threads)
    for number in range(150):
        step(one, number)
        step(many, number)
        assert not difference(arrays(one), arrays(many))


def test_rows_that_wait_do_not_change(mechanics_cell):
    batch = mechanics_cell.batch(10, seed=9)
    chance = np.random.default_rng(9)
    for _ in range(100):
        rows = np.flatnonzero(chance.random(10) < 0.4)
        before = arrays(batch)
        batch.step(choose_rows(batch.action_masks[rows], chance), rows)
        waited = np.setdiff1d(np.arange(10), rows)
        for name, array in arrays(batch).items():
            assert not difference(array[waited], before[name][waited])


def test_order_of_rows_does_not_matter(mechanics_cell):
    one, other = mechanics_cell.batch(20, seed=10), mechanics_cell.batch(20, seed=10, threads=2)
    chance = np.random.default_rng(10)
    for _ in range(80):
        actions = choose_rows(one.action_masks, chance)
        one.step(actions)
        rows = chance.permutation(20)
        other.step(actions[rows], rows)
        assert not difference(arrays(one), arrays(other))


@pytest.mark.parametrize(
    "copied",
    [copy.deepcopy, lambda batch: pickle.loads(pickle.dumps(batch))],
    ids=["deepcopy", "pickle"],
)
@pytest.mark.parametrize("threads", [1, 2])
def test_copies_go_on_identically_and_apart(mechanics_cell, copied, threads):
    batch = mechanics_cell.batch(12, seed=11, threads=threads)
    for number in range(20):
        step(batch, number)
    other = copied(batch)
    before = arrays(batch)
    for number in range(20, 120):
        step(other, number)
    assert not difference(arrays(batch), before)
    for number in range(20, 120):
        step(batch, number)
    assert not difference(arrays(batch), arrays(other))
    with pytest.raises(ValueError, match="read-only"):
        other.observations[0] = 0


# Dealing


def test_equal_seeds_deal_equal_batches(mechanics_cell):
    one, other = mechanics_cell.batch(6, seed=12), mechanics_cell.batch(6, seed=13)
    assert difference(arrays(one), arrays(other))
    for number in range(30):
        step(other, number)
    other.reset(12)
    dealt = ("observations", "action_masks", "seats", "seeds", "states")
    for name in (*dealt, "rewards", "terminations", "truncations"):
        assert not difference(getattr(one, name).copy(), getattr(other, name).copy())


def test_unseeded_reset_deals_other_games(mechanics_cell):
    batch = mechanics_cell.batch(4, seed=None)
    deals = {batch.states.tobytes()}
    for _ in range(5):
        batch.reset()
        deals.add(batch.states.tobytes())
    assert len(deals) == 6


def test_chosen_deals_and_what_follows_them(mechanics_cell):
    """``deal`` sets the game of some rows; other rows, and later games, stay as they were."""
    batch, other = mechanics_cell.batch(6, seed=14), mechanics_cell.batch(6, seed=14)
    for number in range(10):
        step(batch, number)
        step(other, number)
    before = arrays(batch)
    batch.deal([4, 1], [77, 2**63 - 1])
    assert batch.seeds[[4, 1]].tolist() == [77, 2**63 - 1]
    for row, seed in ((4, 77), (1, 2**63 - 1)):
        assert batch.states[row : row + 1].tobytes() == batch.game.deal(seed).tobytes()
        seen, mask = batch.game.look(batch.states[row : row + 1].copy(), int(batch.seats[row]))
        assert not difference(batch.observations[row].copy(), seen)
        assert not difference(batch.action_masks[row].copy(), mask)
        assert not batch.rewards[row].any()
        assert not batch.terminations[row]
        assert not batch.truncations[row]
    others = [0, 2, 3, 5]
    for name, array in arrays(batch).items():
        assert not difference(array[others], before[name][others])
    following = [seeds_to_come(each, 1) for each in (batch, other)]
    assert following[0] == following[1]


def seeds_to_come(batch, row):
    """The seeds of a row's next three games."""
    chance = np.random.default_rng(0)
    seeds = []
    while len(seeds) < 3:
        batch.step(choose_rows(batch.action_masks[[row]], chance), [row])
        if batch.terminations[row] or batch.truncations[row]:
            seeds.append(int(batch.seeds[row]))
    return seeds


def test_games_broken_off_make_way_for_the_next_of_their_rows(mechanics_cell):
    batch, other = mechanics_cell.batch(4, seed=17), mechanics_cell.batch(4, seed=17)
    coming = seeds_to_come(other, 2)
    for number in range(5):
        step(batch, number)
    before = arrays(batch)
    for seed in coming:
        batch.deal_next([2])
        assert int(batch.seeds[2]) == seed
        assert batch.states[2:3].tobytes() == batch.game.deal(seed).tobytes()
    assert not batch.rewards.any()
    for name, array in arrays(batch).items():
        assert not difference(array[[0, 1, 3]], before[name][[0, 1, 3]])


def test_deal_of_no_rows_changes_nothing(mechanics_cell):
    batch = mechanics_cell.batch(3)
    before = arrays(batch)
    batch.deal([], [])
    batch.deal_next([])
    batch.step([], [])
    assert not difference(arrays(batch), before)


# What is refused


def refuses(batch, call, match):
    before = arrays(batch)
    with pytest.raises(ValueError, match=match):
        call()
    assert not difference(arrays(batch), before)


@pytest.fixture
def batch(mechanics_cell):
    made = mechanics_cell.batch(4, seed=15)
    for number in range(7):
        step(made, number)
    return made


def legal(batch):
    return batch.action_masks.argmax(axis=1)


def test_illegal_action_is_named_and_no_row_moves(batch):
    for row in range(4):
        actions = legal(batch)
        actions[row] = masked = int(np.flatnonzero(batch.action_masks[row] == 0)[0])
        name = batch.game.action_names[masked]
        where = rf"move 8, deal seed {batch.seeds[row]}, Game\('{batch.game.id}'"
        refuses(batch, lambda a=actions: batch.step(a), f"player_{batch.seats[row]}, {where}")
        refuses(batch, lambda a=actions: batch.step(a), rf"game {row}.*action {masked} \({name}\)")
        refuses(
            batch, lambda a=actions, r=row: batch.step(a[r : r + 1], [r]), rf"game {row}.*{masked}"
        )


@pytest.mark.parametrize("action", [-1, 10**6, -(2**63), 2**63 - 1, 2**63, 2**64 - 1])
def test_action_out_of_range_is_refused(batch, action):
    actions = legal(batch).tolist()
    actions[2] = action
    if abs(action) < 2**63:
        refuses(batch, lambda: batch.step(actions), rf"game 2.*{action}")
    with np.errstate(all="ignore"):
        unsigned = np.array([0, 0, action % 2**64, 0], np.uint64)
    refuses(batch, lambda: batch.step(unsigned), "game")


@pytest.mark.parametrize(
    "bad",
    [
        lambda actions: actions.astype(float),
        lambda actions: actions.astype(np.float32),
        lambda actions: actions.astype(bool),
        lambda actions: actions.astype(str),
        lambda actions: actions.astype(object),
        lambda actions: actions.astype(complex),
        lambda actions: actions[:3],
        lambda actions: np.append(actions, 0),
        lambda actions: actions[:, None],
        lambda actions: actions[None],
        lambda actions: actions[0],
        lambda actions: int(actions[0]),
        lambda actions: [],
        lambda actions: None,
        lambda actions: "0000",
        lambda actions: [*actions[:3].tolist(), 2**70],
        lambda actions: [*actions[:3].tolist(), float("nan")],
        lambda actions: [*actions[:3].tolist(), None],
        lambda actions: [*actions[:3].tolist(), [0]],
    ],
)
def test_actions_of_another_kind_or_shape_are_refused(batch, bad):
    refuses(batch, lambda: batch.step(bad(legal(batch))), "actions")


@pytest.mark.parametrize(
    "rows",
    [
        [4],
        [-1],
        [0, 0],
        [0, 1, 2, 3, 3],
        [0.0],
        [True],
        np.array([True, False, False, False]),
        ["0"],
        [[0]],
        0,
        [2**40],
        [2**63],
        [2**70],
        [None],
    ],
    ids=repr,
)
def test_faulty_rows_are_refused(batch, rows):
    count = np.size(rows)
    refuses(batch, lambda: batch.step(legal(batch)[:1].repeat(count), rows), "rows")
    refuses(batch, lambda: batch.deal(rows, np.arange(count)), "rows")
    refuses(batch, lambda: batch.deal_next(rows), "rows")


@pytest.mark.parametrize(
    "seeds",
    [[-1, 0], [0], [0, 1, 2], [0.0, 1.0], [True, False], [0, 2**63], [0, 2**70], "01", None, 3],
)
def test_faulty_seeds_of_a_deal_are_refused(batch, seeds):
    refuses(batch, lambda: batch.deal([0, 1], seeds), "seeds")


@pytest.mark.parametrize(
    "dtype", [np.int8, np.int16, np.int32, np.uint8, np.uint16, np.uint64, list]
)
def test_every_kind_of_whole_numbers_plays_alike(batch, dtype):
    batch.reset(15)
    other = copy.deepcopy(batch)
    # The first actions of all: small enough for every kind of number.
    actions = batch.action_masks.argmax(axis=1)
    batch.step(actions)
    other.step(actions.tolist() if dtype is list else actions.astype(dtype))
    assert not difference(arrays(batch), arrays(other))


def test_strided_actions_and_rows_play_alike(batch):
    other = copy.deepcopy(batch)
    actions = legal(batch)
    batch.step(actions)
    other.step(np.repeat(actions, 2)[::2][::-1], np.arange(8)[::2][::-1] // 2)
    assert not difference(arrays(batch), arrays(other))


@pytest.mark.parametrize("name", ARRAYS)
def test_arrays_cannot_be_written(batch, name):
    array = getattr(batch, name)
    assert not array.flags.writeable
    with pytest.raises(ValueError, match="read-only"):
        array[0] = array[1]


def test_actions_handed_in_are_not_changed(batch):
    actions = legal(batch)
    rows = np.arange(4)
    kept = actions.copy(), rows.copy()
    batch.step(actions, rows)
    assert not difference((actions, rows), kept)


def test_a_state_taken_from_a_batch_can_be_looked_at_and_is_no_way_to_change_it(batch):
    before = arrays(batch)
    state = batch.states[1:2]
    game = batch.game
    assert not difference(game.look(state, 0), game.look(state.copy(), 0))
    assert game.table(state) == batch.table(1)
    game.determinize(state, 0, 1)
    with pytest.raises(ValueError, match="read-only"):
        game.play(state, int(legal(batch)[1]))
    assert not difference(arrays(batch), before)


@pytest.mark.parametrize("row", [-1, 4, 1.0, "0", None, True])
def test_wrong_row_of_a_table_is_refused(batch, row):
    with pytest.raises(ValueError, match="row"):
        batch.table(row)


@pytest.mark.parametrize("number", [0, -1, 2**31, 1.0, "4", None, True, [4]])
def test_wrong_number_of_games_is_refused(game_id, number):
    with pytest.raises(ValueError, match="num_games"):
        railenvs.make_batch(game_id, number)


@pytest.mark.parametrize("threads", [0, -1, 2**20, 1.0, "4", None, True])
def test_wrong_number_of_threads_is_refused(game_id, threads):
    with pytest.raises(ValueError, match="threads"):
        railenvs.make_batch(game_id, 4, threads=threads)
    batch = railenvs.make_batch(game_id, 4, threads=3)
    with pytest.raises(ValueError, match="threads"):
        batch.threads = threads
    assert batch.threads == 3


def test_one_game_is_a_batch_too(cell):
    batch = cell.batch(1, seed=16)
    ended = 0
    for _ in random_steps(batch, MANY_STEPS):
        ended += int(batch.terminations[0] | batch.truncations[0])
        if ended > 1:
            break
    assert ended > 1
