"""A training run that is interrupted, at any moment, goes on exactly as it would have gone on."""

from __future__ import annotations

import dataclasses
import json
import pickle
import shlex
import time
from pathlib import Path

import pytest
import torch
from sb3_contrib import MaskablePPO

from experiments import resume, train, training_run
from experiments.report import command_line, versions
from tests.children import ROOT, start_python

RUN = train.Arguments(
    "deck_express-v0",
    num_players=3,
    name="run",
    seed=5,
    steps=6000,
    checkpoint_every=1024,
    evaluation_games=6,
    final_games=9,
    opponents=("random=0.2", "heuristic=0.2", "self=0.6"),
    sampling="difficulty",
    selves=3,
    num_envs=16,
    rollout=32,
    batch_size=64,
    epochs=1,
    network="mlp",
    layers=(16,),
)


@pytest.fixture(scope="module")
def whole(folder):
    """The run without an interruption."""
    return train.train(RUN)


def outcome(training):
    """What a run came to, save for how long it took, and the last network."""
    results = json.loads((training.folder / "results.json").read_text(encoding="utf-8"))["results"]
    del results["seconds"]
    for entry in results["curve"]:
        del entry["seconds"]
    model = MaskablePPO.load(training.folder / "checkpoints" / "6144.zip", device="cpu")
    return results, model.policy.state_dict()


def assert_same(one, other):
    (results, weights), (other_results, other_weights) = outcome(one), outcome(other)
    assert other_results == results
    assert all(torch.equal(weights[name], other_weights[name]) for name in weights)


class Interruption(KeyboardInterrupt):
    """As a user's, at a moment of our choice."""


def interrupt(monkeypatch, owner, name, call):
    """Break off at the given call of a function."""
    original = getattr(owner, name)
    calls = 0

    def counted(*args, **kwargs):
        nonlocal calls
        calls += 1
        if calls == call:
            raise Interruption
        return original(*args, **kwargs)

    monkeypatch.setattr(owner, name, counted)


def test_the_run_meets_earlier_selves(whole):
    results, _ = outcome(whole)
    assert len(results["earlier_selves"]) == 3
    assert results["earlier_selves"][0]["games"] > 0
    assert len({each["weight"] for each in results["earlier_selves"]}) > 1


MOMENTS = {
    "before anything was learned": [(training_run, "evaluate_against_fixed", 1)],
    "in the first rollout": [(training_run.ScaledReward, "step_wait", 3)],
    "between two checkpoints": [(training_run.ScaledReward, "step_wait", 150)],
    "in an update": [(MaskablePPO, "train", 8)],
    "while a checkpoint is rated": [(training_run, "evaluate_against_fixed", 4)],
    "while the state is saved": [(training_run, "versions", 4)],
    "in the last evaluation": [(train, "evaluate_against_fixed", 1)],
    "twice": [(MaskablePPO, "train", 3), (training_run.ScaledReward, "step_wait", 200)],
}


@pytest.mark.parametrize("moment", MOMENTS)
def test_an_interrupted_run_ends_as_it_would_have(whole, folder, monkeypatch, moment):
    run = train.begin(RUN)
    for owner, name, call in MOMENTS[moment]:
        with monkeypatch.context() as patch:
            interrupt(patch, owner, name, call)
            with pytest.raises(Interruption):
                train.complete(run)
        # As a new process would find them.
        torch.manual_seed(99)
        run = train.reopen(run.folder)
    assert_same(whole, train.complete(run))
    assert not (run.folder / training_run.STATE).exists()


@pytest.mark.slow
def test_a_killed_process_is_followed_by_another(whole, folder):
    killed = Path("runs/killed")
    command = command_line("experiments.train", dataclasses.replace(RUN, name="killed"))
    process = start_python(*shlex.split(command)[1:], cwd=folder, PYTHONPATH=str(ROOT))
    while not (killed / "checkpoints" / "2048.zip").exists():
        assert process.poll() is None, "the run ended before it could be killed"
        time.sleep(0.01)
    process.kill()
    process.communicate()
    resumed = ("-m", "experiments.resume", str(killed))
    child = start_python(*resumed, cwd=folder, PYTHONPATH=str(ROOT))
    child.communicate()
    assert child.returncode == 0
    assert_same(whole, train.Training(killed, killed / "player.zip", whole.game, {}, 0.0))


def test_only_one_process_goes_on_with_a_run(folder, capsys):
    run = train.begin(dataclasses.replace(RUN, name="taken"))
    run.model._last_obs = run.env.reset()
    run.save()
    with train.only_here(run.folder), pytest.raises(SystemExit):
        resume.main([str(run.folder)])
    assert "another process is at work on 'runs/taken" in capsys.readouterr().err


def test_a_run_that_is_over_is_said_to_be(whole, capsys):
    with pytest.raises(SystemExit):
        resume.main([str(whole.folder)])
    assert "its run is over" in capsys.readouterr().err


def test_the_command_says_how_to_go_on(folder, monkeypatch, capsys):
    words = ["deck_express-v0", "--name", "short", "--num-envs", "4", "--evaluation-games", "9"]
    interrupt(monkeypatch, training_run.ScaledReward, "step_wait", 2)
    with pytest.raises(SystemExit) as stopped:
        train.main(words)
    assert stopped.value.code == 130
    assert "python -m experiments.resume runs/short" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (None, "holds no interrupted training run"),
        (b"nonsense", "is no saved state"),
        (b"garbage", "is no saved state"),
        (b"cfoo\nbar\n.", "is no saved state"),
        (pickle.dumps({"versions": versions(), "state": b"cfoo\nbar\n."}), "cannot be read"),
        (pickle.dumps({"versions": {}}), "is no saved state"),
        (pickle.dumps({"versions": {"numpy": "1.0"}, "state": b""}), "numpy 1.0"),
    ],
)
def test_what_cannot_go_on_is_named_in_one_line(tmp_path, capsys, content, message):
    if content is not None:
        (tmp_path / training_run.STATE).write_bytes(content)
    with pytest.raises(SystemExit) as stopped:
        resume.main([str(tmp_path)])
    assert stopped.value.code == 2
    printed = capsys.readouterr().err
    assert printed.startswith("error: ")
    assert message in printed
    assert printed.count("\n") == 1
