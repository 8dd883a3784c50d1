"""How games begin: seeds, who begins, given tables."""

import multiprocessing
import random

import numpy as np
import pytest

from tests.play import choose, difference, play_out, shown


@pytest.fixture
def default_cell(mechanics_cell):
    """What is tested here no rule takes part in."""
    return mechanics_cell


SEEDS = [0, 2**31, 2**63 - 1]
WRONG_SEEDS = [-1, 2**63, 2**64, 2**80, 1.0, "1", True, [1], np.array([1]), float("nan"), b"1"]


def begun(cell, seed, **options):
    env = cell.env()
    env.reset(seed=seed, options=options)
    return env


# Seeds


@pytest.mark.parametrize("seed", SEEDS)
def test_equal_seeds_deal_equal_games(cell, seed):
    env, other = begun(cell, seed), cell.raw_env()
    other.reset(seed=5)
    play_out(other, random.Random(5), 10)
    other.reset(seed=seed)
    assert not difference(shown(env), shown(other))
    assert not difference(env.game.table(env.game.deal(seed)), env.table())


def test_different_seeds_deal_different_games(cell):
    assert len({begun(cell, seed).state_hash() for seed in [*range(200), *SEEDS]}) == 202


@pytest.mark.parametrize("number", [int, np.int8, np.int64, np.uint64, np.array])
def test_every_kind_of_whole_number_seeds_alike(default_cell, number):
    assert begun(default_cell, number(7)).state_hash() == begun(default_cell, 7).state_hash()


@pytest.mark.parametrize("seed", WRONG_SEEDS, ids=repr)
def test_wrong_seed_is_refused_and_nothing_changes(default_cell, seed):
    env = begun(default_cell, 3)
    play_out(env, random.Random(3), 5)
    before = shown(env), env.record()
    with pytest.raises(ValueError, match="seed"):
        env.reset(seed=seed)
    assert not difference((shown(env), env.record()), before)
    with pytest.raises(ValueError, match="seed"):
        env.game.deal(seed)
    with pytest.raises(ValueError, match="seed"):
        default_cell.batch(2, seed)


def test_unseeded_resets_go_on_from_the_seed(cell):
    """Two environments with one seed agree over later games; every game is another one."""
    one, other = cell.env(), cell.env()
    one.reset(seed=4)
    other.reset(seed=4)
    hashes = []
    for game in range(4):
        assert not difference(shown(one), shown(other))
        hashes.append(one.state_hash())
        chance = [random.Random(game), random.Random(game)]
        play_out(one, chance[0])
        play_out(other, chance[1])
        one.reset()
        other.reset()
    assert len(set(hashes)) == 4


def test_unseeded_reset_does_not_repeat_a_game(default_cell):
    env = default_cell.env()
    env.reset(seed=0)
    hashes = set()
    for _ in range(100):
        hashes.add(env.state_hash())
        env.reset()
    assert len(hashes) == 100


def test_unseeded_environments_differ(default_cell):
    hashes = set()
    for _ in range(10):
        env = default_cell.env()
        env.reset()
        hashes.add(env.state_hash())
    assert len(hashes) == 10


def test_unseeded_batches_differ(default_cell):
    deals = {default_cell.batch(4, None).states.tobytes() for _ in range(10)}
    assert len(deals) == 10


def _first_deals(cell):
    env = cell.env()
    env.reset()
    return env.state_hash(), cell.batch(2, None).states.tobytes()


@pytest.mark.slow
@pytest.mark.parametrize("method", ["fork", "spawn"])
def test_unseeded_environments_in_workers_differ(default_cell, method):
    with multiprocessing.get_context(method).Pool(4, maxtasksperchild=1) as pool:
        deals = pool.map(_first_deals, [default_cell] * 4, chunksize=1)
    assert len({single for single, _ in deals}) == 4
    assert len({batch for _, batch in deals}) == 4


def test_global_random_state_is_neither_used_nor_changed(default_cell):
    hashes = set()
    for seed in (0, 1):
        random.seed(seed)
        np.random.seed(seed)  # noqa: NPY002
        before = random.getstate(), np.random.get_state()[1].tobytes()  # noqa: NPY002
        env = begun(default_cell, 9)
        play_out(env, random.Random(9))
        default_cell.batch(3).step(default_cell.batch(3).action_masks.argmax(axis=1))
        assert (random.getstate(), np.random.get_state()[1].tobytes()) == before  # noqa: NPY002
        hashes.add(env.state_hash())
    assert len(hashes) == 1


# Options of reset


def test_unknown_options_are_ignored(cell):
    env = begun(cell, 3, colour="red", **{"first player": 1})
    assert not difference(shown(env), shown(begun(cell, 3)))
    env.reset(seed=3, options=None)
    assert not difference(shown(env), shown(begun(cell, 3)))


def test_first_player_begins(cell):
    for seed in range(5):
        for seat in range(cell.num_players):
            env = begun(cell, seed, first_player=seat)
            assert env.agent_selection == f"player_{seat}"
            assert env.game.seat(env.game.deal(seed, seat)) == seat


def test_chance_decides_who_begins_otherwise(cell):
    beginners = [begun(cell, seed).agent_selection for seed in range(100)]
    assert set(beginners) == {f"player_{seat}" for seat in range(cell.num_players)}


@pytest.mark.parametrize("seat", [-1, 2**40, 2**70, 0.0, "0", "player_0", True, [0]])
def test_wrong_first_player_is_refused_and_nothing_changes(default_cell, seat):
    env = begun(default_cell, 3)
    before = shown(env)
    with pytest.raises(ValueError, match="first_player"):
        env.reset(seed=1, options={"first_player": seat})
    assert not difference(shown(env), before)


def test_first_player_past_the_last_seat_is_refused(cell):
    with pytest.raises(ValueError, match="first_player"):
        begun(cell, 0, first_player=cell.num_players)


# Given tables


def test_given_table_goes_on_like_the_game_it_was_taken_from(cell):
    env = begun(cell, 6)
    play_out(env, random.Random(6), 12)
    other = begun(cell, 0, table=env.table())
    other.reset(options={"table": env.table()})
    play_out(env, random.Random(7))
    play_out(other, random.Random(7))
    assert not difference(other.table(), env.table())
    assert other.rewards == env.rewards


def test_seed_with_a_table_seeds_the_generator(default_cell):
    table = begun(default_cell, 0).table()
    given = begun(default_cell, 8, table=table).table()
    assert given.pop("random") != table.pop("random")
    assert given == table


def test_table_and_first_player_together_are_refused(default_cell):
    env = begun(default_cell, 0)
    with pytest.raises(ValueError, match="first_player"):
        env.reset(options={"table": env.table(), "first_player": 0})


def test_table_over_already_ends_at_once(cell):
    env = begun(cell, 1)
    play_out(env, random.Random(1))
    other = begun(cell, None, table=env.table())
    assert all(other.terminations.values()) or all(other.truncations.values())
    assert other.rewards == env.rewards
    assert other.winners() == env.winners()
    visited = [agent for agent in other.agent_iter() if other.step(None) is None]
    assert visited == env.possible_agents


def test_a_seats_table_is_no_whole_table(cell):
    """What a seat sees lacks cards: it cannot be mistaken for everything."""
    env = begun(cell, 2)
    before = shown(env)
    for agent in env.possible_agents:
        with pytest.raises(ValueError):  # noqa: PT011
            env.reset(options={"table": env.table(agent)})
        assert not difference(shown(env), before)


@pytest.mark.parametrize("table", [1, "table", [], [("seats", [])], {}, {"seats": 3}], ids=repr)
def test_malformed_table_is_refused(default_cell, table):
    env = begun(default_cell, 2)
    before = shown(env)
    with pytest.raises(ValueError):  # noqa: PT011
        env.reset(options={"table": table})
    assert not difference(shown(env), before)


@pytest.mark.parametrize("text", ["", "0x", "xyz", "-0x1", "0x1" + "0" * 16, 5, [], 1.5, True])
def test_malformed_random_state_is_refused(default_cell, text):
    table = {**begun(default_cell, 2).table(), "random": text}
    with pytest.raises(ValueError, match="random"):
        begun(default_cell, None, table=table)


def test_table_of_another_number_of_seats_is_refused(default_cell):
    fewer = type(default_cell)(default_cell.game_id, default_cell.num_players - 1)
    with pytest.raises(ValueError, match="seats"):
        begun(default_cell, 0, table=begun(fewer, 0).table())


def test_legal_actions_of_a_given_table_can_be_played(cell):
    env = begun(cell, 3)
    play_out(env, random.Random(3), 9)
    other = begun(cell, None, table=env.table())
    action = choose(env.last()[0]["action_mask"], random.Random(0))
    env.step(action)
    other.step(action)
    assert not difference(other.table(), env.table())
