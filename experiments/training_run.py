"""A training run: what it consists of, how it learns, how it is saved and goes on exactly.

Whatever a run depends on is in its saved state: network and optimizer, the games in progress, the
opponents with their random numbers, the counters, and the global generators of Python, NumPy and
PyTorch that stable-baselines3 draws from. A run that was interrupted goes on from the last state
saved, and ends as it would have ended without the interruption.
"""

from __future__ import annotations

import io
import pickle
import random
import sys
import time
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt
import torch
from sb3_contrib import MaskablePPO
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.logger import configure
from stable_baselines3.common.vec_env import VecEnvWrapper
from tqdm import tqdm

import agents
from experiments.evaluate import Evaluation, evaluate
from experiments.opponents import OpponentPool
from experiments.report import versions
from railenvs import Game
from railenvs.adapters.sb3 import SelfPlayVecEnv

if TYPE_CHECKING:
    from experiments.train import Arguments

LEARNER = "learner"
FIXED_OPPONENTS = ("random", "heuristic")
"""Whom checkpoints are evaluated against."""
STATE = "state.pkl"
"""File of the saved state in a run's folder; there while the run is not over."""
RESULTS = "results.json"
_OF_NO_USE_TO_PLAYERS = ("_last_obs", "_last_episode_starts", "ep_info_buffer", "ep_success_buffer")


class ScaledReward(VecEnvWrapper):
    """Multiplies rewards by a factor, so that the value network's targets are of order one."""

    def __init__(self, venv: SelfPlayVecEnv, factor: float) -> None:
        super().__init__(venv)
        self._factor = factor

    def reset(self) -> Any:
        """Pass on."""
        return self.venv.reset()

    def step_wait(self) -> Any:
        """Pass on, rewards scaled."""
        observations, rewards, dones, infos = self.venv.step_wait()
        return observations, rewards * self._factor, dones, infos


@dataclass
class Progress:
    """How far a run has come.

    Attributes:
        pool: the opponents.
        due: steps at which the next checkpoint is due.
        curve: one entry a checkpoint: steps, seconds, and win share by fixed opponent.
        best: file name of the checkpoint with the largest sum of win shares.
        best_share: that sum.
        seconds: how long it has taken, interruptions not counted.
    """

    pool: OpponentPool
    due: int = 0
    curve: list[dict[str, Any]] = field(default_factory=list)
    best: str = ""
    best_share: float = -1.0
    seconds: float = 0.0


@dataclass(frozen=True)
class Run:
    """A training run in progress.

    Attributes:
        arguments: as given.
        folder: where its files go.
        env: the games.
        model: the learner.
        progress: how far it has come.
    """

    arguments: Arguments
    folder: Path
    env: SelfPlayVecEnv
    model: MaskablePPO
    progress: Progress

    @property
    def checkpoints(self) -> Path:
        """Folder of the checkpoints."""
        return self.folder / "checkpoints"

    def learn(self) -> None:
        """Learn what is left to learn."""
        # The networks are so small that a second thread costs more than it gives.
        torch.set_num_threads(self.arguments.threads)
        self.model.set_logger(configure(str(self.folder / "tensorboard"), ["tensorboard"]))
        self.model.learn(
            self.arguments.steps - self.model.num_timesteps,
            callback=SelfPlay(self),
            reset_num_timesteps=False,
        )

    def save(self) -> None:
        """Save the state, in place of the one saved before."""
        model = io.BytesIO()
        self.model.save(model)
        state = {
            "arguments": asdict(self.arguments),
            "env": self.env,
            "model": model.getvalue(),
            "progress": self.progress,
            "generators": (random.getstate(), np.random.get_state(), torch.get_rng_state()),  # noqa: NPY002 - SB3 draws from it
        }
        unfinished = self.folder / f"{STATE}.part"
        with unfinished.open("wb") as file:
            pickle.dump({"versions": versions(), "state": pickle.dumps(state)}, file)
        # Replacing is atomic: there is a whole state at any moment.
        unfinished.replace(self.folder / STATE)


def read_state(folder: Path) -> dict[str, Any]:
    """The saved state of an interrupted run. Reading unpickles it: read only what you trust.

    Returns:
        ``arguments`` (a dict), ``env``, ``model`` (bytes), ``progress`` and ``generators``.

    Raises:
        ValueError: if there is none, or other versions of the libraries saved it, with which it
            would not go on exactly.
    """
    path = folder / STATE
    if not path.is_file():
        over = "its run is over" if (folder / RESULTS).exists() else f"no {STATE} in it"
        raise ValueError(f"{str(folder)!r} holds no interrupted training run: {over}")
    try:
        saved = pickle.loads(path.read_bytes())
        before, state = dict(saved["versions"]), bytes(saved["state"])
    except Exception as error:  # whatever a foreign or damaged file makes the unpickling raise
        raise ValueError(f"{str(path)!r} is no saved state of a training run: {error}") from error
    now = versions()
    changed = [f"{name} {before.get(name)}" for name in now if before.get(name) != now[name]]
    if changed:
        raise ValueError(
            f"{str(path)!r} goes on exactly with {', '.join(changed)} alone, not with "
            + ", ".join(f"{name} {now[name]}" for name in now if before.get(name) != now[name])
        )
    try:
        restored: dict[str, Any] = pickle.loads(state)
    except Exception as error:  # such as an agent's module that is not there any more
        raise ValueError(f"{str(path)!r} cannot be read: {error}") from error
    return restored


def restore_model(state: dict[str, Any], env: ScaledReward, seed: int) -> MaskablePPO:
    """The learner of a saved state, and the global generators as they were."""
    # Loading with its seed would set the generators back to the beginning of the run.
    model = MaskablePPO.load(
        io.BytesIO(state["model"]),
        env,
        device="cpu",
        force_reset=False,
        custom_objects={"seed": None},
    )
    model.seed = seed
    python, legacy_numpy, pytorch = state["generators"]
    random.setstate(python)
    np.random.set_state(legacy_numpy)  # noqa: NPY002 - SB3 draws from it
    torch.set_rng_state(pytorch)
    return model


class SelfPlay(BaseCallback):
    """Saves, evaluates and enters checkpoints among the opponents; logs; anneals the entropy."""

    def __init__(self, run: Run) -> None:
        super().__init__()
        self._run = run
        self._wins: dict[str, list[float]] = {}

    def _on_training_start(self) -> None:
        self._start = time.monotonic() - self._run.progress.seconds
        self._bar = tqdm(
            total=self._run.arguments.steps,
            initial=self.num_timesteps,
            unit=" steps",
            unit_scale=True,
            mininterval=0.2 if sys.stderr.isatty() else 30,
        )
        if not self.num_timesteps:
            self._run.save()

    def _on_rollout_start(self) -> None:
        assert isinstance(self.model, MaskablePPO)
        done = self.num_timesteps / self._run.arguments.steps
        self.model.ent_coef = self._run.arguments.entropy * max(0.0, 1 - done)
        progress = self._run.progress
        if self.num_timesteps >= progress.due:
            progress.due += self._run.arguments.checkpoint_every
            self._add_checkpoint()

    def _on_step(self) -> bool:
        dones: npt.NDArray[np.bool_] = self.locals["dones"]
        for row in np.flatnonzero(dones):
            info = self.locals["infos"][row]
            pool = self._run.progress.pool
            pool.count(info["opponents"], info["won"])
            for kind in {pool.kind(name) for name in info["opponents"]}:
                self._wins.setdefault(kind, []).append(info["won"])
        self._bar.update(dones.size)
        return True

    def _on_rollout_end(self) -> None:
        for kind, wins in self._wins.items():
            self.logger.record(f"win_share/against_{kind}", float(np.mean(wins)))
        self._wins = {}
        # How difficult the earlier selves are has changed.
        self._run.env.set_opponents(self._run.progress.pool.weights())

    def _on_training_end(self) -> None:
        curve = self._run.progress.curve
        if not curve or curve[-1]["steps"] < self.num_timesteps:
            self._add_checkpoint()
        self._bar.close()

    def _add_checkpoint(self) -> None:
        """Save and rate the player, let it join the opponents, save the run."""
        run, progress = self._run, self._run.progress
        path = run.checkpoints / f"{self.num_timesteps}.zip"
        self.model.save(path, exclude=_OF_NO_USE_TO_PLAYERS)
        evaluations = evaluate_against_fixed(
            run.env.game, path, run.arguments.evaluation_games, run.arguments.seed
        )
        shares = {name: result.agents[LEARNER].win_share for name, result in evaluations.items()}
        progress.seconds = time.monotonic() - self._start
        progress.curve.append(
            {
                "steps": self.num_timesteps,
                "seconds": round(progress.seconds, 1),
                "win_share": {name: asdict(share) for name, share in shares.items()},
            }
        )
        total = sum(share.mean for share in shares.values())
        if total >= progress.best_share:
            progress.best_share, progress.best = total, path.name
        if self.num_timesteps:
            progress.pool.add(f"ppo:{path}")
            run.env.set_opponents(progress.pool.weights())
        for name, share in shares.items():
            self.logger.record(f"evaluation/against_{name}", share.mean)
        self.logger.dump(self.num_timesteps)
        run.save()
        self._bar.set_postfix({f"vs {name}": f"{share.mean:.0%}" for name, share in shares.items()})


def evaluate_against_fixed(
    game: Game, player: Path, games: int, seed: int
) -> dict[str, Evaluation]:
    """A saved player in one seat, one of the fixed opponents in all others; by opponent."""
    learner = agents.make(f"ppo:{player}", game, seed)
    return {
        name: evaluate(
            game, [LEARNER, *[name] * (game.num_players - 1)], games, seed, {LEARNER: learner}
        )
        for name in FIXED_OPPONENTS
    }
