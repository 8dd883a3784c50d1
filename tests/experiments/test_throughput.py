"""The table of throughput. It runs in a process of its own: JAX does not like to be forked."""

from __future__ import annotations

import functools
import json

import pytest

import railenvs
from experiments import benchmarks, throughput
from experiments.throughput import OWN, Arguments, Growth, Rate
from tests.children import run_python

QUICK = ("--seconds", "0.05", "--rounds", "1", "--sizes", "1", "4100")
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
    parts = [part for part in throughput.PARTS if part != "ppo"]
    words = [*QUICK, "--parts", *parts, "--out", str(file)]
    printed = run_python("-m", "experiments.throughput", *words)
    results = json.loads(file.read_text(encoding="utf-8"))["results"]
    measured = {(rate["part"], rate["who"]): rate["rate"] for rate in results["rates"]}
    assert measured.keys() == {
        (part, who)
        for part, peers in PEERS.items()
        for who in (OWN, *peers)
        if not part.startswith("ppo")
    }
    assert all(rate > 0 for rate in measured.values())
    assert [(each["num_games"], each["threads"]) for each in results["growth"]] == [
        *((1, 1), (1, 2), (4100, 1), (4100, 2))
    ]
    assert "railenvs is" in printed
    assert "2 threads" in printed


def test_training_is_measured_with_each_setting_beside_its_peers(monkeypatch):
    asked = []

    def quick(make, frames, batches):
        asked.append((frames, batches))
        return benchmarks.Benchmark(lambda: (10, 1))

    monkeypatch.setattr(benchmarks, "ppo", quick)
    arguments = Arguments(parts=("ppo",), seconds=0.01, rounds=1, frames=256)
    rates = throughput.measure(throughput.read_game(arguments), arguments)
    wanted = {part: who for part, who in PEERS.items() if part.startswith("ppo")}
    assert {(rate.part, rate.who) for rate in rates} == {
        (part, who) for part, peers in wanted.items() for who in (OWN, *peers)
    }
    assert {frames for frames, _ in asked} == {256}
    assert {(batches["batch_size"], batches["n_epochs"]) for _, batches in asked} == {
        (1024, 4),
        (64, 10),
    }


@pytest.mark.slow
def test_training_that_is_measured_learns_and_ends_games():
    game = railenvs.load_game("deck_express-v0", 4)
    make = functools.partial(benchmarks.own_vec_env, game)
    measured = benchmarks.ppo(make, 8192, {"batch_size": 8192, "n_epochs": 1})
    assert measured.rate(0.01) > 0
    assert measured.ended > 0


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
