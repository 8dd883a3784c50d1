"""Golden games: records kept in files are replayed, and random play still makes the same ones."""

from __future__ import annotations

import json
from typing import Any

import pytest

from railenvs import records
from tests.golden.make_golden import FOLDER, cells, golden_file, golden_records, main


@pytest.fixture
def golden(game_id: str) -> list[dict[str, Any]]:
    """The records in a game's file."""
    return records.load(golden_file(game_id))


def test_golden_games_verify(golden):
    """A replay bears out everything the records say."""
    assert golden
    for record in golden:
        assert records.verify(record)
        assert record["finished"] in ("terminated", "cut_off")


def test_golden_games_are_made_again(game_id, golden):
    """The same seeds give the same deals, moves, news, scores and winners, through JSON."""
    assert json.loads(json.dumps(golden_records(game_id))) == golden


def test_golden_games_cover_all_seats_and_options(game_id, golden):
    covered = [(record["num_players"], record["options"]) for record in golden]
    for num_players, options in cells(game_id):
        assert any(
            seats == num_players and options.items() <= given.items() for seats, given in covered
        )
    assert {record["game"] for record in golden} == {game_id}


def test_every_golden_file_belongs_to_a_game(request):
    import railenvs

    files = {golden_file(game_id) for game_id in railenvs.game_ids()}
    assert set(FOLDER.glob("*.jsonl")) == files


@pytest.mark.parametrize(
    ("path", "value", "named"),
    [
        (("scores", 0), 99, "scores"),
        (("winners",), [9], "winners"),
        (("payoffs", 0), 9.0, "payoffs"),
        (("finished",), None, "finished"),
        (("moves", 3, "seat"), -1, "move 4"),
        (("deal", "turn"), 9, "deal"),
        (("seed",), 10**6, "move 1|deal"),
    ],
)
def test_a_golden_game_told_wrong_does_not_verify(golden, path, value, named):
    """Verification can fail: a change anywhere is found and named."""
    record = golden[0]
    inside: Any = record
    for step in path[:-1]:
        inside = inside[step]
    inside[path[-1]] = value
    with pytest.raises(ValueError, match=named):
        records.verify(record)


@pytest.mark.slow
def test_script_writes_the_file_it_names(game_id, golden, tmp_path, monkeypatch, capsys):
    monkeypatch.setattr("tests.golden.make_golden.FOLDER", tmp_path)
    main([game_id])
    written = tmp_path / golden_file(game_id).name
    assert capsys.readouterr().out.strip() == str(written)
    assert records.load(written) == golden
