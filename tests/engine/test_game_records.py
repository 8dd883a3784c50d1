"""Game records: what they hold, that they can be verified, and that tampering shows."""

import copy
import itertools
import json
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from railenvs import records
from railenvs.engine.game import REWARD
from railenvs.records import replay
from tests.engine.tamper import part, paths, tampered
from tests.grid import CELLS, DEFAULT_CELLS, SHORT_CELLS, Cell
from tests.play import choose, decisions, play_out

GAMES = 2
MOVES = 40
"""How far a game goes on where whatever is wrong with it shows soon."""


def played(cell, seed, moves=None, **options):
    env = cell.env()
    env.reset(seed=seed, options=options)
    play_out(env, random.Random(seed), moves)
    return env


def as_read(record):
    """The record as it comes back from a file."""
    return json.loads(json.dumps(record))


# What a record holds


@pytest.mark.parametrize("seed", range(GAMES))
def test_random_games_verify(cell, seed):
    record = played(cell, seed).record()
    assert records.verify(record) is True
    assert records.verify(as_read(record))
    assert as_read(record) == record


def test_record_tells_the_game(cell):
    env = cell.raw_env()
    env.reset(seed=3)
    deal = env.table()
    moves = []
    chance = random.Random(3)
    while not env.terminations["player_0"] and not env.truncations["player_0"]:
        action = choose(env.last()[0]["action_mask"], chance)
        seat = env.possible_agents.index(env.agent_selection)
        moves.append({"seat": seat, "action": env.action_name(action)})
        env.step(action)
    record = env.record()
    assert record["game"] == cell.game_id
    assert record["num_players"] == cell.num_players
    assert record["options"] == dict(env.game.options)
    assert record["seed"] == 3
    assert record["first_player"] is None
    assert record["deal"] == deal
    assert [{key: move[key] for key in ("seat", "action")} for move in record["moves"]] == moves
    assert record["scores"] == list(env.scores().values())
    assert [f"player_{seat}" for seat in record["winners"]] == env.winners()
    assert record["payoffs"] == [env.rewards[agent] for agent in env.possible_agents]
    cut_off = "truncated" if env.truncations["player_0"] else "cut_off"
    assert record["finished"] == ("terminated" if env.winners() else cut_off)


def test_record_stays_as_it_was_while_the_game_goes_on(mechanics_cell):
    env = played(mechanics_cell, 2, 5)
    record = env.record()
    before = copy.deepcopy(record)
    play_out(env, random.Random(1))
    assert record == before
    assert len(env.record()["moves"]) > len(before["moves"])


def test_records_of_a_game_in_progress_verify(mechanics_cell):
    env = mechanics_cell.env()
    env.reset(seed=4)
    for number, _ in enumerate(decisions(env, random.Random(4))):
        # Records grow and are replayed from the start: fewer of them in a long game.
        if number % (10 if number < 60 else 100) == 0:
            record = env.record()
            assert record["finished"] is None
            assert len(record["moves"]) == number
            assert records.verify(as_read(record))


def test_records_of_unseeded_games_verify(mechanics_cell):
    env = mechanics_cell.env()
    for _ in range(GAMES):
        env.reset()
        play_out(env, random.Random(0))
        record = env.record()
        assert type(record["seed"]) is int
        assert records.verify(as_read(record))


def test_records_of_games_with_a_chosen_first_player_verify(mechanics_cell):
    for seat in range(mechanics_cell.num_players):
        record = played(mechanics_cell, 1, first_player=seat).record()
        assert record["first_player"] == seat
        assert records.verify(as_read(record))


@pytest.mark.parametrize("after", [1, 1000])
def test_records_of_games_from_a_given_table_verify(cell, after):
    table = played(cell, 5, after).table()
    env = played(cell, 6, table=table)
    record = env.record()
    assert record["seed"] is None
    assert {**record["deal"], "random": None} == {**table, "random": None}
    assert records.verify(as_read(record))


@pytest.mark.parametrize("after", [10])
def test_records_of_determinized_games_verify(cell, after):
    env = played(cell, 7, after)
    for agent in env.possible_agents:
        world = env.determinize(agent, 3)
        play_out(world, random.Random(3), MOVES)
        assert records.verify(as_read(world.record()))


def test_records_after_restoring_a_snapshot_verify(mechanics_cell):
    env = played(mechanics_cell, 8, 10)
    other = mechanics_cell.env()
    other.restore(env.snapshot())
    assert other.record() == env.record()
    play_out(other, random.Random(9))
    assert records.verify(other.record())


def test_a_record_replays_in_the_environment(cell):
    record = played(cell, 9).record()
    assert replayed(record) == record


def test_states_of_a_replay_are_those_of_the_game(cell):
    env = cell.env()
    env.reset(seed=23)
    hashes = [env.state_hash() for _ in decisions(env, random.Random(23))]
    hashes.append(env.state_hash())
    game, states = replay(as_read(env.record()))
    assert game == cell.game()
    assert [game.state_hash(state) for state in states] == hashes


def replayed(record):
    """The record of the same game played once more through the environment."""
    cell = next(cell for cell in CELLS if cell.game_id == record["game"])
    given = tuple(record["options"].items())
    env = type(cell)(record["game"], record["num_players"], given).raw_env()
    if record["seed"] is None:
        env.reset(options={"table": record["deal"]})
    else:
        env.reset(seed=record["seed"], options={"first_player": record["first_player"]})
    for move in record["moves"]:
        assert env.agent_selection == env.possible_agents[move["seat"]]
        env.step(env.game.action_names.index(move["action"]))
    return env.record()


# Tampering


def originals():
    """A finished game, one in progress, one from a given table."""
    kept = []
    for cell in DEFAULT_CELLS:
        env = played(cell, 10)
        kept += [env.record(), played(cell, 11, 12).record()]
        kept.append(played(cell, 12, table=played(cell, 13, 14).table()).record())
    return [as_read(record) for record in kept]


@pytest.fixture(scope="module")
def untouched():
    return originals()


@pytest.mark.slow
@settings(max_examples=120)
@given(data=st.data())
def test_every_change_is_detected_or_tells_a_true_game(untouched, data):
    original = data.draw(st.sampled_from(untouched))
    what, record = data.draw(tampered(original))
    try:
        records.verify(record)
    except ValueError as error:
        assert str(error)  # noqa: PT017
        return
    assert replayed(record) == record, what


KEYS = (
    "game",
    "num_players",
    "options",
    "seed",
    "first_player",
    "deal",
    "moves",
    "scores",
    "winners",
    "payoffs",
    "finished",
)


@pytest.mark.slow
@pytest.mark.parametrize("key", KEYS)
def test_every_entry_is_checked(mechanics_cell, key):
    record = as_read(played(mechanics_cell, 14).record())
    for value in (None, True, -1, 1.5, "x", [], {}, [None], {"x": 1}):
        # Without a seed it is the record of a game from a given table.
        if value != record[key] and (key, value) != ("seed", None):
            with pytest.raises(ValueError, match=r".+"):
                records.verify({**record, key: value})


@pytest.mark.parametrize("key", KEYS)
def test_every_entry_is_needed(mechanics_cell, key):
    record = played(mechanics_cell, 15).record()
    del record[key]
    with pytest.raises(ValueError, match=key):
        records.verify(record)


def test_changed_results_are_named(mechanics_cell):
    whole = Cell(mechanics_cell.game_id, mechanics_cell.num_players)
    games = (played(whole, seed).record() for seed in range(16, 100))
    record = next(record for record in games if record["winners"])
    scores = [score + 1 for score in record["scores"]]
    with pytest.raises(ValueError, match="scores"):
        records.verify({**record, "scores": scores})
    for winners in ([], [0, 1, 2], [1 - record["winners"][0]]):
        with pytest.raises(ValueError, match="winners"):
            records.verify({**record, "winners": winners})
    payoffs = [payoff + 1 for payoff in record["payoffs"]]
    with pytest.raises(ValueError, match="payoffs"):
        records.verify({**record, "payoffs": payoffs})
    for reward in REWARD.examples:
        options = {**record["options"], "reward": reward}
        with pytest.raises(ValueError, match="payoffs"):
            records.verify({**record, "options": options})
    with pytest.raises(ValueError, match="finished"):
        records.verify({**record, "finished": None})


def test_changed_moves_are_named_by_number(mechanics_cell):
    record = played(mechanics_cell, 17).record()
    last = len(record["moves"])
    for number in (1, 2, last // 2, last):
        for key, value in record["moves"][number - 1].items():
            changed = copy.deepcopy(record)
            changed["moves"][number - 1][key] = "nonsense" if isinstance(value, str) else [value]
            with pytest.raises(ValueError, match=f"move {number}\\b"):
                records.verify(changed)
            if key not in ("seat", "action"):
                del changed["moves"][number - 1][key]
                with pytest.raises(ValueError, match=f"move {number}\\b.*{key}"):
                    records.verify(changed)


def test_missing_and_added_moves_are_detected(mechanics_cell):
    record = played(mechanics_cell, 18).record()
    for moves in (
        record["moves"][:-1],
        record["moves"][1:],
        [*record["moves"], record["moves"][-1]],
    ):
        with pytest.raises(ValueError, match=r".+"):
            records.verify({**record, "moves": moves})


@pytest.mark.parametrize("option", ["id", "num_players", "seed", "nonsense", "", "self"])
def test_unknown_options_in_a_record_are_refused(mechanics_cell, option):
    record = played(mechanics_cell, 19, 3).record()
    record["options"] = {**record["options"], option: 3}
    with pytest.raises(ValueError, match="option"):
        records.verify(record)


@pytest.mark.parametrize("record", [None, 3, "x", [], {}, [{}]], ids=repr)
def test_what_is_no_record_is_refused(record):
    with pytest.raises(ValueError, match="record"):
        records.verify(record)


def test_another_way_to_end_a_game_cut_off_is_noticed():
    """Nothing is paid either way, but the flags differ."""
    [cell] = SHORT_CELLS
    record = played(cell, 10).record()
    assert record["finished"] == "truncated"
    with pytest.raises(ValueError, match="finished"):
        records.verify({**record, "options": {**record["options"], "cut_off": "draw"}})


# Given tables, which records hold


def sound_or_refused(cell, original, table):
    """A given table is refused, or the game that goes on from it is like any other."""
    env = played(cell, 21, 4)
    before = env.state_hash()
    try:
        env.reset(options={"table": table})
    except ValueError as error:
        assert str(error)  # noqa: PT017
        assert env.state_hash() == before
        return
    if env.table() == original:
        return  # what was changed follows from the rest
    assert env.game.table(env.game.from_table(env.table())) == env.table()
    space = env.observation_space("player_0")
    for _ in itertools.islice(decisions(env, random.Random(21)), MOVES):
        assert space.contains(env.last()[0])
    for agent in env.possible_agents:
        assert space.contains(env.observe(agent))
    assert records.verify(env.record())


ODD = (None, 127, -1, 10**30, 1.5, "x", [], {}, [[]])
"""Each entry is tried with a third of them, its neighbours with the others."""


@pytest.mark.slow
@pytest.mark.parametrize("moves", [20, 1000])
def test_no_odd_entry_makes_an_unsound_game(default_cell, moves):
    table = as_read(played(default_cell, 20, moves).table())
    for number, path in enumerate(paths(table)):
        for value in ODD[number % 3 :: 3]:
            changed = copy.deepcopy(table)
            part(changed, path[:-1])[path[-1]] = value
            sound_or_refused(default_cell, table, changed)


@pytest.mark.slow
@settings(max_examples=100)
@given(data=st.data())
def test_faulty_tables_are_refused_or_make_a_sound_game(data):
    cell = data.draw(st.sampled_from(CELLS))
    moves = data.draw(st.sampled_from([0, 3, 10, 20, 30, 1000]))
    table = as_read(played(cell, 20, moves).table())
    _, changed = data.draw(tampered(table))
    sound_or_refused(cell, table, changed)


# Files


def test_saved_records_come_back(tmp_path):
    kept = originals()
    path = tmp_path / "games.jsonl"
    records.save(kept, path)
    assert records.load(path) == kept
    assert len(path.read_text(encoding="utf-8").splitlines()) == len(kept)
    records.save(kept[0], str(path))
    assert records.load(str(path)) == kept[:1]
    records.save([], path)
    assert records.load(path) == []


def test_blank_lines_are_no_records(tmp_path):
    path = tmp_path / "games.jsonl"
    path.write_text('\n{"a": 1}\n\n  \n{"b": 2}\n', encoding="utf-8")
    assert records.load(path) == [{"a": 1}, {"b": 2}]


@pytest.mark.parametrize("text", ["{", "[1]", "3", '"x"', "null", "{}x", "\x00"], ids=repr)
def test_faulty_line_is_named_with_its_file(tmp_path, text):
    path = tmp_path / "games.jsonl"
    path.write_text(f'{{"a": 1}}\n\n{text}\n', encoding="utf-8")
    with pytest.raises(ValueError, match=r"games\.jsonl, line 3"):
        records.load(path)


def test_file_that_is_no_text_is_named(tmp_path):
    path = tmp_path / "games.jsonl"
    path.write_bytes(b'{"a": 1}\n\xff\xfe\n')
    with pytest.raises(ValueError, match=r"games\.jsonl"):
        records.load(path)


def test_any_string_survives_a_file(tmp_path):
    """Also one with characters that some programs take for the end of a line."""
    kept = [{"note": "a\u2028b\u2029c\x85d\x0be\x0cf\x1cg\nh"}]
    path = tmp_path / "games.jsonl"
    records.save(kept, path)
    assert records.load(path) == kept


def test_missing_file_is_an_os_error(tmp_path):
    with pytest.raises(FileNotFoundError):
        records.load(tmp_path / "none.jsonl")


def test_numpy_numbers_stay_out_of_records(mechanics_cell):
    """A record holds nothing that JSON cannot: no numpy number slips in."""
    env = played(mechanics_cell, 22, 15)

    def kinds(value):
        if isinstance(value, dict):
            return set().union({dict}, *map(kinds, value.values()))
        if isinstance(value, list):
            return set().union({list}, *map(kinds, value))
        return {type(value)}

    plain = {dict, list, str, int, bool, float, type(None)}
    tables = [env.table(agent) for agent in (None, *env.possible_agents)]
    assert kinds([env.record(), *tables, env.scores(), env.winners()]) <= plain
