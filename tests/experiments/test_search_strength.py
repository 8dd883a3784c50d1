"""Strength by simulations: points, files, and what is refused."""

from __future__ import annotations

import json
from dataclasses import astuple

import pytest

from experiments.evaluate import Estimate, evaluate
from experiments.search_strength import main, shared_evenly
from railenvs import load_game


def arguments(folder, **changes):
    words = {
        "--game": "deck_express-v0",
        "--num-players": "2",
        "--simulations": "2 20",
        "--games": "8 4",
        "--opponent": "random",
        "--out": str(folder / "curve.json"),
        **changes,
    }
    return [word for flag, values in words.items() for word in (flag, *values.split())]


def test_each_budget_is_played_as_evaluations_are(tmp_path, capsys):
    main(arguments(tmp_path, **{"--settings": "cutoff=5"}))
    report = json.loads((tmp_path / "curve.json").read_text(encoding="utf-8"))
    points = report["results"]["points"]
    assert [(point["simulations"], point["games"]) for point in points] == [(2, 8), (20, 4)]
    name = "ismcts:simulations=2,cutoff=5"
    same = evaluate(load_game("deck_express-v0", 2), (name, "random"), 8)
    assert points[0]["win_share"]["mean"] == same.agents[name].win_share.mean
    evenly = shared_evenly(Estimate(**points[0]["outcome"]), 2)
    assert astuple(evenly) == pytest.approx(tuple(points[0]["win_share"].values()))
    assert points[0]["ahead"]["mean"] == same.differences[0].score.mean
    assert "--simulations 2 20" in report["command"]
    assert (tmp_path / "curve.png").read_bytes().startswith(b"\x89PNG")
    assert "20 simulations: wins" in capsys.readouterr().out


@pytest.mark.parametrize(("cut_off", "outcome", "share"), [("loss", -1, 0), ("draw", 0, 0.5)])
def test_a_game_that_nobody_wins_counts_as_it_pays(tmp_path, cut_off, outcome, share):
    options = f"max_turns=2 cut_off={cut_off}"
    short = {"--game": "express-v0", "--options": options, "--simulations": "1", "--games": "4"}
    main(arguments(tmp_path, **short))
    report = json.loads((tmp_path / "curve.json").read_text(encoding="utf-8"))
    point = report["results"]["points"][0]
    assert point["cut_off"] == point["games"] == 4
    assert (point["win_share"]["mean"], point["outcome"]["mean"]) == (0, outcome)
    assert shared_evenly(Estimate(**point["outcome"]), 2).mean == share


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"--game": "chess"}, "must be one of"),
        ({"--search": "minimax"}, "search must be one of"),
        ({"--games": "8"}, "a number for each of 2 budgets, not 1"),
        ({"--simulations": ""}, "simulations must name a budget"),
        ({"--games": "8 2"}, "games must be from 3"),
        ({"--simulations": "2 0"}, "simulations must be from 1"),
        ({"--out": "/"}, "no file can be written at '/'"),
        ({"--settings": "depth=3"}, "a search has no option 'depth'"),
        ({"--out": "curve.png"}, "out must not end in .png"),
        ({"--opponent": "ismcts:simulations=20"}, "opponent must not be the search itself"),
    ],
)
def test_wrong_arguments_are_named_in_one_line(tmp_path, capsys, changes, message):
    with pytest.raises(SystemExit) as stopped:
        main(arguments(tmp_path, **changes))
    assert stopped.value.code == 2
    printed = capsys.readouterr().err
    assert printed.startswith("error: ")
    assert message in printed
