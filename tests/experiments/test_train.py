"""A training run of seconds, end to end; and the demo's words about one."""

from __future__ import annotations

import dataclasses
import json

import numpy as np
import pytest
import torch
from sb3_contrib import MaskablePPO
from tensorboard.backend.event_processing.event_accumulator import EventAccumulator

import agents
import railenvs
from experiments import demo, train
from experiments.evaluate import evaluate
from experiments.training_run import ScaledReward
from railenvs.adapters.sb3 import SelfPlayVecEnv
from railenvs.engine.agent import RandomAgent

TINY = train.Arguments(
    "deck_express-v0",
    num_players=2,
    options=("setup=thirds",),
    name="tiny",
    seed=3,
    steps=1400,
    checkpoint_every=512,
    evaluation_games=8,
    final_games=20,
    opponents=("random=0.2", "heuristic=0.4", "self=2"),
    selves=2,
    num_envs=16,
    rollout=32,
    batch_size=64,
    epochs=2,
)


class Unpicklable(RandomAgent):
    """An agent that could not be saved with a run."""

    def __init__(self, game, seed=None):
        super().__init__(game, seed)
        self.hook = lambda: None


@pytest.fixture(scope="module")
def run(folder):
    """A run of three updates."""
    return train.train(TINY)


def weights(path) -> dict[str, torch.Tensor]:
    return MaskablePPO.load(path, device="cpu").policy.state_dict()


def test_files_are_written(run, folder):
    assert run.folder == train.Path("runs/tiny")
    files = {path.name for path in run.folder.iterdir()}
    assert files == {"player.zip", "results.json", "curve.png", "checkpoints", "tensorboard"}
    checkpoints = {path.name for path in (run.folder / "checkpoints").iterdir()}
    assert checkpoints == {"0.zip", "512.zip", "1024.zip", "1536.zip"}
    assert (run.folder / "curve.png").read_bytes().startswith(b"\x89PNG")


def test_results_tell_how_they_came_about(run):
    report = json.loads((run.folder / "results.json").read_text(encoding="utf-8"))
    assert set(report) == {"command", "arguments", "results", "versions", "machine"}
    assert report["command"].startswith("python -m experiments.train deck_express-v0 --num-players")
    assert report["arguments"]["steps"] == 1400
    results = report["results"]
    assert [entry["steps"] for entry in results["curve"]] == [0, 512, 1024, 1536]
    for entry in results["curve"]:
        for share in entry["win_share"].values():
            assert 0 <= share["low"] <= share["mean"] <= share["high"] <= 1
    assert [each["checkpoint"] for each in results["earlier_selves"]] == ["1024.zip", "1536.zip"]
    assert set(results["evaluations"]) == {"random", "heuristic"}
    for name, evaluation in results["evaluations"].items():
        assert evaluation["options"]["setup"] == "thirds"
        assert evaluation["games"] == 20
        mean = evaluation["agents"]["learner"]["win_share"]["mean"]
        assert mean == run.evaluations[name].agents["learner"].win_share.mean


def test_the_best_checkpoint_is_the_player(run):
    report = json.loads((run.folder / "results.json").read_text(encoding="utf-8"))
    curve = report["results"]["curve"]
    totals = [sum(share["mean"] for share in entry["win_share"].values()) for entry in curve]
    best = report["results"]["best_checkpoint"]
    assert totals[[f"{entry['steps']}.zip" for entry in curve].index(best)] == max(totals)
    assert run.player.read_bytes() == (run.folder / "checkpoints" / best).read_bytes()


def test_the_player_plays_as_an_agent(run):
    name = f"ppo:{run.player}"
    result = evaluate(run.game, [name, "random"], games=40)
    assert result.games == 40
    view = railenvs.SeatView(run.game, run.game.deal(0), run.game.seat(run.game.deal(0)))
    assert agents.make(name, run.game, 0).act(view) in view.legal_actions


def test_training_changes_the_network(run):
    before, after = (weights(run.folder / "checkpoints" / f"{step}.zip") for step in (0, 1536))
    assert all(not torch.equal(before[name], after[name]) for name in before if "bias" not in name)


def test_tensorboard_tells_of_wins_by_opponent_and_of_evaluations(run):
    events = EventAccumulator(str(run.folder / "tensorboard"))
    events.Reload()
    tags = set(events.Tags()["scalars"])
    assert {"evaluation/against_random", "evaluation/against_heuristic", "train/loss"} <= tags
    for name in ("random", "heuristic"):
        rated = [event.step for event in events.Scalars(f"evaluation/against_{name}")]
        assert rated == [0, 512, 1024, 1536]
    kinds = {tag.removeprefix("win_share/against_") for tag in tags if tag.startswith("win_share")}
    assert kinds == {"random", "heuristic", "self"}


def test_a_seed_fixes_the_training(run, folder):
    again = train.train(TINY)
    assert again.folder != run.folder
    other = train.train(dataclasses.replace(TINY, seed=4))
    first, same, different = (
        weights(each.folder / "checkpoints" / "1536.zip") for each in (run, again, other)
    )
    assert all(torch.equal(first[name], same[name]) for name in first)
    assert not all(torch.equal(first[name], different[name]) for name in first)
    assert again.evaluations == run.evaluations


@pytest.mark.parametrize("network", ["game", "mlp"])
@pytest.mark.parametrize("reward", ["outcome", "margin"])
def test_more_seats_other_networks_and_rewards(folder, network, reward):
    settings = {"num_players": 3, "steps": 200, "evaluation_games": 6, "final_games": 6}
    arguments = dataclasses.replace(TINY, **settings, network=network, reward=reward, name=None)
    run = train.train(arguments)
    assert run.game.num_players == 3
    assert run.game.options["reward"] == reward
    assert run.folder.name.startswith("deck_express-v0-3p-seed3")
    assert run.evaluations["random"].agents["random"].seats == 2


def test_rewards_are_scaled():
    game = railenvs.load_game("deck_express-v0", 2, reward="margin")
    plain, scaled = (SelfPlayVecEnv(game, 8, "random", seed=0) for _ in range(2))
    wrapped = ScaledReward(scaled, 0.1)
    plain.reset()
    wrapped.reset()
    total = 0.0
    for _ in range(60):
        actions = plain.action_masks().argmax(axis=1)
        _, rewards, dones, _ = plain.step(actions)
        _, less, same_dones, _ = wrapped.step(actions)
        np.testing.assert_allclose(less, 0.1 * rewards, rtol=1e-6)
        np.testing.assert_array_equal(dones, same_dones)
        total += np.abs(rewards).sum()
    assert total > 0


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"game": "chess"}, "must be one of"),
        ({"num_players": 9}, "num_players must be from 2 to 4, not 9"),
        ({"options": ("colour=red",)}, "has no option 'colour'"),
        ({"options": ("reward=score",)}, "the reward is an argument of its own"),
        ({"steps": 0}, "steps must be from 1"),
        ({"num_envs": 0}, "num_envs must be from 1"),
        ({"checkpoint_every": -5}, "checkpoint_every must be from 1"),
        ({"learning_rate": -1.0}, "learning_rate must be a number from 0 up, not -1"),
        ({"gamma": 1.5}, "gamma must be from 0 to 1, not 1.5"),
        ({"selves": 0}, "selves must be from 1"),
        ({"batch_size": 1}, "batch_size must leave no gradient to a single step, not 1 of 512"),
        ({"batch_size": 73}, "batch_size must leave no gradient to a single step, not 73 of 512"),
        ({"name": "../elsewhere"}, "name must be that of a folder under runs/"),
        ({"reward_scale": 0.0}, "reward_scale must be positive"),
        ({"opponents": ("tests.experiments.test_train:Unpicklable=1",)}, "cannot be: .*lambda"),
        ({"opponents": ("random=1e308", "heuristic=1e308")}, "must have a finite sum"),
        ({"opponents": ("heuristic=-1",)}, "weight of 'heuristic' must be a number from 0 up"),
        ({"opponents": ("nobody=1",)}, "nobody"),
        ({"evaluation_games": 1}, "evaluation_games must be from 3"),
        ({"final_games": 0}, "final_games must be from 3"),
        ({"seed": -1}, "seed must be from 0"),
        ({"layers": (64, 0)}, "layers must be from 1"),
    ],
)
def test_wrong_arguments_are_named_before_anything_is_written(
    change, message, tmp_path, monkeypatch
):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(ValueError, match=message):
        train.train(dataclasses.replace(TINY, **change))
    assert not list(tmp_path.iterdir())


def test_command_names_a_wrong_argument_in_one_line(capsys):
    with pytest.raises(SystemExit) as stopped:
        train.main(["deck_express-v0", "--num-players", "7"])
    assert stopped.value.code == 2
    assert capsys.readouterr().err == "error: num_players must be from 2 to 4, not 7\n"


# Demo


def test_demo_says_what_it_will_do_and_shows_results_and_a_game(run, folder, capsys, monkeypatch):
    asked = []

    def trained(arguments):
        asked.append(arguments)
        return run

    monkeypatch.setattr(train, "train", trained)
    demo.main(["--steps", "1000"])
    assert [(a.game, a.num_players, a.steps) for a in asked] == [("deck_express-v0", 2, 1000)]
    printed = capsys.readouterr().out
    assert "1,000 decisions" in printed
    for name in ("random", "heuristic"):
        share = run.evaluations[name].agents["learner"].win_share
        assert f"{share.mean:.1%}" in printed
    assert "Final scores: the trained player" in printed
    assert "player_1 (you)" not in printed
    (record,) = railenvs.records.load(run.folder / "game.jsonl")
    assert railenvs.records.verify(record)
    for path in ("player.zip", "curve.png", "results.json"):
        assert path in printed


@pytest.mark.parametrize(
    ("low", "high", "verdict"),
    [(0.51, 0.6, "beats"), (0.4, 0.49, "loses to"), (0.45, 0.55, "not clearly")],
)
def test_verdict_goes_by_the_interval(run, low, high, verdict):
    evaluation = run.evaluations["heuristic"]
    share = dataclasses.replace(evaluation.agents["learner"].win_share, low=low, high=high)
    learner = dataclasses.replace(evaluation.agents["learner"], win_share=share)
    changed = dataclasses.replace(evaluation, agents={**evaluation.agents, "learner": learner})
    sentences = list(demo.verdicts(dataclasses.replace(run, evaluations={"heuristic": changed})))
    assert len(sentences) == 1
    assert verdict in sentences[0]
