"""The table of throughput. It runs in a process of its own: JAX does not like to be forked."""

from __future__ import annotations

import json

import pytest

from experiments import benchmarks, throughput
from experiments.throughput import OWN, Arguments, Growth, Rate
from tests.children import run_python

QUICK = ("--seconds", "0.05", "--rounds", "1", "--frames", "1280", "--sizes", "1", "4100")
PEERS = {
    "rules_only": set(),
    "batched": {"pgx leduc_holdem, same batch"},
    "aec": {"PettingZoo leduc_holdem-v4", "RLCard leduc-holdem", "OpenSpiel leduc_poker"},
    "search": {"OpenSpiel hearts, C++ ISMCTSBot"},
    "vec_env": {"DummyVecEnv of 8, PettingZoo connect_four-v3"},
    "ppo, batch 1024, epochs 4": {"DummyVecEnv of 8, PettingZoo connect_four-v3"},
    "ppo, SB3's defaults": {"DummyVecEnv of 8, PettingZoo connect_four-v3"},
}


@pytest.mark.slow
def test_all_parts_are_measured_beside_their_peers(tmp_path):
    file = tmp_path / "throughput.json"
    printed = run_python("-m", "experiments.throughput", *QUICK, "--out", str(file))
    results = json.loads(file.read_text(encoding="utf-8"))["results"]
    measured = {(rate["part"], rate["who"]): rate["rate"] for rate in results["rates"]}
    assert measured.keys() == {
        (part, who) for part, peers in PEERS.items() for who in (OWN, *peers)
    }
    assert all(rate > 0 for rate in measured.values())
    assert [(each["num_games"], each["threads"]) for each in results["growth"]] == [
        *((1, 1), (1, 2), (4100, 1), (4100, 2))
    ]
    assert "railenvs is" in printed
    assert "2 threads" in printed


def test_ratios_tell_how_many_times_faster_ours_is(capsys):
    rates = [Rate("aec", OWN, 300.0), Rate("aec", "other", 100.0), Rate("batched", "other", 1.0)]
    table = throughput.as_table("title", rates)
    cells = [list(column.cells) for column in table.columns]
    assert cells[2] == ["", "", "3.00 ×"]
    assert len(cells[0]) == 3, "a part that was not measured of ours is left out"
    threads = throughput.growth_table("title", [Growth(1, 1, 10.0, 1.0), Growth(1, 2, 15.0, 1.5)])
    assert list(threads.columns[3].cells) == ["1.50 ×"]


def test_a_reference_is_a_program_that_prints_rates(tmp_path):
    program = tmp_path / "reference"
    program.write_text("#!/bin/sh\necho rules_only 20.5 Msteps/s\n")
    program.chmod(0o755)
    assert throughput.reference_rates(program) == {"rules_only": 20.5e6}


def test_a_missing_peer_is_named_and_left_out(monkeypatch, capsys):
    def missing(num_games):
        raise ImportError("no pgx here")

    monkeypatch.setattr(throughput.peers, "pgx_leduc", missing)
    arguments = Arguments(parts=("batched",), seconds=0.05, rounds=1, num_games=64)
    rates = throughput.measure(throughput.read_game(arguments), arguments)
    assert [rate.who for rate in rates] == [OWN]
    assert "left out: pgx leduc_holdem, same batch (no pgx here)" in capsys.readouterr().err


def test_games_that_do_not_end_are_an_error(monkeypatch):
    monkeypatch.setattr(
        benchmarks, "rules_only", lambda game: benchmarks.Benchmark(lambda: (10, 0))
    )
    arguments = Arguments(parts=("rules_only",), seconds=0.01, rounds=1)
    with pytest.raises(ValueError, match=r"no game ended while railenvs was measured \(rules_only"):
        throughput.measure(throughput.read_game(arguments), arguments)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--game", "chess"], "must be one of"),
        (["--num-players", "9"], "num_players must be from 2 to 4, not 9"),
        (["--parts", "speed"], "parts must be one of"),
        (["--parts"], "parts must name some of rules_only"),
        (["--out", "/"], "no file can be written at '/'"),
        (["--num-games", "0"], "number of games must be from 1"),
        (["--frames", "255"], "frames must be from 256"),
        (["--rounds", "0"], "rounds must be from 1"),
        (["--seconds", "0"], "seconds must be positive, not 0"),
        (["--reference", "nowhere"], "reference must be a program, not 'nowhere'"),
    ],
)
def test_wrong_arguments_are_named_in_one_line(words, message, capsys):
    with pytest.raises(SystemExit) as stopped:
        throughput.main(words)
    assert stopped.value.code == 2
    printed = capsys.readouterr().err
    assert printed.startswith("error: ")
    assert message in printed
