"""Saved MaskablePPO models as agents."""

from __future__ import annotations

import random
import subprocess
import sys
import zipfile
from pathlib import Path

import numpy as np
import pytest
import torch
from sb3_contrib import MaskablePPO

import agents
import railenvs
from agents.learned import PPOAgent
from railenvs.adapters.sb3 import SelfPlayVecEnv
from railenvs.engine.view import SeatView
from tests.play import random_states, random_steps


def tiny_model(game, **arguments):
    """A model that has learned next to nothing."""
    env = SelfPlayVecEnv(game, 2, seed=0)
    shape = {"n_steps": 16, "batch_size": 16, "n_epochs": 1, "seed": 0, "device": "cpu"}
    policy = {"net_arch": [8]}
    return MaskablePPO("MlpPolicy", env, policy_kwargs=policy, **shape, **arguments)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("models")


def saved(seating, folder):
    path = folder / f"{seating}.zip"
    if not path.exists():
        tiny_model(seating.game()).learn(32).save(path)
    return path


def test_plays_legal_actions_only(cell, tmp_path):
    batch = cell.batch(64, seed=1)
    agent = PPOAgent(batch.game, tiny_model(batch.game))
    assert isinstance(agent, agents.Agent)
    for _ in random_steps(batch, 60):
        actions = agent.act_batch(batch.observations, batch.action_masks)
        assert (actions.shape, actions.dtype) == ((64,), np.int64)
        assert batch.action_masks[np.arange(64), actions].all()


def test_a_loaded_model_plays_as_the_saved_one(seating, folder):
    game = seating.game()
    model = tiny_model(game).learn(32)
    model.save(folder / "round_trip")
    loaded = agents.make(f"ppo:{folder / 'round_trip'}", game)
    kept = agents.make(f"ppo:{folder / 'round_trip.zip'}", game)
    batch = seating.batch(256, seed=2)
    for _ in random_steps(batch, 20):
        played, _ = model.predict(
            game.fields.scale(batch.observations),
            action_masks=batch.action_masks.copy(),
            deterministic=True,
        )
        for agent in (loaded, kept):
            actions = agent.act_batch(batch.observations, batch.action_masks)
            np.testing.assert_array_equal(actions, played)


def test_single_views_choose_as_a_batch_and_the_seed_does_not_matter(seating, folder):
    game = seating.game()
    one = agents.make(f"ppo:{saved(seating, folder)}", game, seed=1)
    other = agents.make(f"ppo:{saved(seating, folder)}", game, seed=2)
    views = [
        SeatView(game, state, game.seat(state))
        for state in random_states(game, 3)
        if not game.is_over(state)
    ]
    actions = other.act_batch(
        np.array([view.observation for view in views]),
        np.array([view.action_mask for view in views]),
    )
    other.reset(9)
    singles = [one.act(view) for view in views]
    assert all(type(action) is int for action in singles)
    assert actions.tolist() == singles == [other.act(view) for view in views]


def global_state():
    return {
        "threads": torch.get_num_threads(),
        "gradients": torch.is_grad_enabled(),
        "torch": torch.get_rng_state().numpy().tobytes(),
        "numpy": np.random.get_state()[1].tobytes(),  # noqa: NPY002
        "python": random.getstate(),
    }


def test_global_settings_and_generators_stay_as_they_were(default_cell, folder):
    path = saved(default_cell, folder)
    batch = default_cell.batch(8)
    before = global_state()
    agent = agents.make(f"ppo:{path}", batch.game, seed=1)
    agent.act_batch(batch.observations, batch.action_masks)
    assert global_state() == before


@pytest.mark.slow
def test_loads_where_the_training_script_is_missing(default_cell, folder):
    path = folder / "scripted.zip"
    program = f"""
import sys
sys.path[:0] = [{str(folder)!r}, {str(Path.cwd())!r}]
import railenvs, schedules
from tests.agents.test_ppo_agent import tiny_model
game = railenvs.load_game({default_cell.game_id!r})
tiny_model(game, learning_rate=schedules.rate, clip_range=schedules.rate).save({str(path)!r})
"""
    script = folder / "schedules.py"
    script.write_text("def rate(left):\n    return 1e-3 * left\n", encoding="utf-8")
    subprocess.run([sys.executable, "-c", program], check=True)
    script.unlink()
    agent = agents.make(f"ppo:{path}", default_cell.game())
    batch = default_cell.batch(4)
    assert agent.act_batch(batch.observations, batch.action_masks).shape == (4,)


# Errors


def test_a_model_of_another_game_is_refused(default_cell, folder):
    path = saved(default_cell, folder)
    other = railenvs.load_game("deck_express-v0", 2)
    with pytest.raises(ValueError, match=r"does not fit: the model takes observations of shape"):
        agents.make(f"ppo:{path}", other)


def test_a_file_that_is_no_model_is_refused(default_cell, tmp_path):
    text, empty = tmp_path / "text.zip", tmp_path / "empty.zip"
    text.write_text("no model", encoding="utf-8")
    zipfile.ZipFile(empty, "w").close()
    for path in (text, empty):
        with pytest.raises(ValueError, match="holds no saved MaskablePPO"):
            agents.make(f"ppo:{path}", default_cell.game())


def test_without_sb3_contrib_the_error_names_the_extra(default_cell, folder, monkeypatch):
    path = saved(default_cell, folder)
    monkeypatch.setitem(sys.modules, "sb3_contrib", None)
    with pytest.raises(ImportError, match=r"railenvs\[train\]"):
        agents.make(f"ppo:{path}", default_cell.game())


def test_agents_are_imported_without_torch(default_cell):
    program = (
        "import sys, agents, railenvs\n"
        f"agents.make('heuristic', railenvs.load_game({default_cell.game_id!r}))\n"
        "assert not {'torch', 'sb3_contrib', 'stable_baselines3'} & set(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", program], check=True)
