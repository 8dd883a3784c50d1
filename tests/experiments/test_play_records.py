"""Writing, verifying and showing game records from the command line."""

import subprocess
import sys
from pathlib import Path

import pytest

import railenvs
from experiments.play_records import Play, Show, Verify, main, play_games, show_game

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "games.jsonl"
    main(Play(path, agents=("heuristic", "random", "random"), games=3, seed=4))
    return path


def test_games_are_written_and_verified(file, capsys):
    assert len(railenvs.records.load(file)) == 3
    main(Verify(file))
    assert "3 games verified" in capsys.readouterr().out


def test_a_faulty_record_is_named_by_file_and_line(file):
    records = railenvs.records.load(file)
    records[1]["scores"][0] += 1
    railenvs.records.save(records, file)
    with pytest.raises(ValueError, match=r"games\.jsonl, record 2: .*'scores'"):
        main(Verify(file))


def test_same_seed_same_games():
    game = railenvs.load_game("deck_express-v0", 2)
    one, other = (list(play_games(game, ("random", "heuristic"), 2, 9)) for _ in range(2))
    assert one == other


def test_a_shown_game_holds_what_the_seat_saw_and_no_more(file):
    record = railenvs.records.load(file)[0]
    said = []
    show_game(record, 1, said.append)
    assert "seen by player_1" in said[0]
    hands = {seat: record["deal"]["seats"][seat]["shares"] for seat in range(3)}
    assert all(share in said[0] for share in hands[1])
    hands_line = [
        line for line in said[0].splitlines() if line.startswith(("player_0", "player_2"))
    ]
    assert len(hands_line) == 2
    for line in hands_line:
        assert not any(share in line for share in hands[0] + hands[2])
    # Only the seat's own moves are told by name; others' show by what changed before its eyes.
    own = [move["action"] for move in record["moves"] if move["seat"] == 1]
    told = [text.split("\n")[0][5:] for text in said if text.startswith("you: ")]
    assert told == own
    scores = record["scores"]
    assert said[-1].startswith(f"Final scores: player_0 {scores[0]}, player_1 {scores[1]}")
    assert all(f"player_{winner}" in said[-1].split("Won by")[1] for winner in record["winners"])


def test_changes_name_the_seats(file):
    said = []
    show_game(railenvs.records.load(file)[0], 1, said.append)
    changes = [text for text in said if text.startswith("you see")]
    assert changes
    assert not any("seats 0" in text for text in changes)
    assert any("player_0 " in text for text in changes)


def test_a_search_is_told_at_the_seats_own_decisions(file):
    record = railenvs.records.load(file)[0]
    said = []
    show_game(record, 1, said.append, search="ismcts:20")
    told = [text for text in said if "Search of 20 simulations" in text]
    due = [text for text in said if "Your actions: " in text]
    assert set(told) < set(due), "where there is no choice, nothing is searched"
    assert len(told) > 5
    assert all("Expected: player_1 (you): " in text for text in told)
    for name in ("random", "nobody"):
        with pytest.raises(ValueError, match=name):
            show_game(record, 1, said.append, search=name)


@pytest.mark.parametrize("seat", [0, 1])
def test_every_decision_of_the_seat_is_shown(seat):
    """In a share step seats choose one after the other, and see nothing of it in between."""
    game = railenvs.load_game("deck_express-v0", 2)
    (record,) = play_games(game, ("heuristic", "heuristic"), 1, seed=4)
    said = []
    show_game(record, seat, said.append)
    own = [move for move in record["moves"] if move["seat"] == seat]
    assert sum("Your actions: " in text for text in said) == len(own)


def test_moves_of_others_are_told_with_whose_turn_it_was(file):
    said = []
    record = railenvs.records.load(file)[0]
    show_game(record, 1, said.append)
    told = [text.split("\n")[0] for text in said if text.startswith("you see")]
    assert set(told) == {f"you see, in the turn of player_{seat}" for seat in (0, 2)}


def test_lines_are_not_wrapped_where_no_terminal_shows_them(file, capsys):
    said = []
    show_game(railenvs.records.load(file)[0], 1, said.append)
    main(Show(file, seat=1))
    lines = [line.rstrip() for text in said for line in text.splitlines()]
    assert max(map(len, lines)) > 80
    shown = [line.rstrip() for line in capsys.readouterr().out.splitlines()]
    assert [line for line in shown if line] == [line for line in lines if line]


def test_an_empty_file_is_an_error(tmp_path):
    empty = tmp_path / "empty.jsonl"
    empty.write_text("\n")
    for command in (Verify(empty), Show(empty)):
        with pytest.raises(ValueError, match=r"empty\.jsonl' holds no records"):
            main(command)


def test_a_file_that_cannot_be_written_is_named_before_a_game_is_played(tmp_path):
    with pytest.raises(ValueError, match="no file can be written"):
        main(Play(tmp_path, games=10**6))


@pytest.mark.slow
@pytest.mark.parametrize("arguments", [["verify", "nofile"], ["show", "nofile"]])
def test_missing_files_are_errors_in_one_line(arguments):
    done = subprocess.run(
        [sys.executable, "-m", "experiments.play_records", *arguments],
        cwd=ROOT,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 2
    assert done.stderr.startswith("error: ")
