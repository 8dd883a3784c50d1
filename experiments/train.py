"""Train a player of any of the games by self-play, with masked PPO.

One seat of each game learns. The others are drawn for each game from a mix: the random agent, the
heuristic, and frozen earlier selves. Every so often the player is saved as a checkpoint, which is
evaluated against the fixed opponents on duplicate deals and joins the earlier selves.

    python -m experiments.train deck_express-v0 --num-players 2

Everything is written to a new folder under runs/:

    player.zip         the best checkpoint; plays as the agent "ppo:PATH"
    checkpoints/       all checkpoints, named by steps
    results.json       arguments, learning curve, final evaluation on fresh deals
    curve.png          the learning curve
    tensorboard/       losses, win rates by kind of opponent, evaluations
"""

from __future__ import annotations

import math
import shutil
import sys
import time
from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Literal

import numpy as np
import numpy.typing as npt
import torch
import tyro
from matplotlib.figure import Figure
from rich.console import Console
from sb3_contrib import MaskablePPO
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.logger import configure
from stable_baselines3.common.utils import LinearSchedule
from stable_baselines3.common.vec_env import VecEnvWrapper
from tqdm import tqdm

import agents
from agents.networks import policy_for
from experiments.cli import plain_errors, read_options
from experiments.evaluate import Evaluation, evaluate
from experiments.report import write_report
from railenvs import Game, load_game
from railenvs.adapters.sb3 import SelfPlayVecEnv
from railenvs.engine.checks import whole_number

LEARNER = "learner"
FIXED_OPPONENTS = ("random", "heuristic")
"""Whom checkpoints are evaluated against."""
_OF_NO_USE_TO_PLAYERS = ("_last_obs", "_last_episode_starts", "ep_info_buffer", "ep_success_buffer")
REWARD_SCALES = {"outcome": 1.0, "margin": 0.1}
"""Factors that bring rewards to order one."""
LARGEST_COUNT = 2**31 - 1
_COUNTS = (
    "steps",
    "checkpoint_every",
    "selves",
    "num_envs",
    "rollout",
    "batch_size",
    "epochs",
    "threads",
)
_AMOUNTS = (
    "weight_random",
    "weight_heuristic",
    "weight_self",
    "reward_scale",
    "learning_rate",
    "entropy",
)


@dataclass(frozen=True)
class Arguments:
    """Arguments of the command.

    Attributes:
        game: id of the game.
        num_players: number of seats; by default the game's own.
        options: options of the game, each as NAME=VALUE.
        name: of the folder under runs/; by default made of game, seats and seed.
        seed: fixes deals, opponents, networks and sampling.
        steps: decisions the learner takes in all.
        checkpoint_every: steps from one checkpoint to the next.
        evaluation_games: games against each fixed opponent at every checkpoint.
        final_games: games against each fixed opponent at the end.
        weight_random: weight of the random agent among the opponents.
        weight_heuristic: weight of the heuristic.
        weight_self: weight of the earlier selves together, once there is one.
        selves: how many earlier selves are kept, the latest ones.
        reward: what is learned from: "margin" (score less the mean of the others') tells more of
            each game, "outcome" is what evaluation counts.
        reward_scale: factor on the reward, by default 1 for "outcome" and 0.1 for "margin".
        num_envs: games side by side.
        rollout: steps in each of them between updates.
        batch_size: steps in each gradient.
        epochs: passes over the steps collected.
        learning_rate: at the beginning; falls linearly to zero.
        entropy: coefficient of the entropy bonus at the beginning; falls linearly to zero.
        gamma: discount.
        gae_lambda: of generalised advantage estimation.
        network: "game" for the game's own, from ``agents.networks``, where it has one; "mlp" for
            plain layers.
        layers: units of the hidden layers of an "mlp", in policy and value network each.
        threads: of PyTorch; for networks this small one is fastest.
    """

    game: tyro.conf.Positional[str]
    num_players: int | None = None
    options: tuple[str, ...] = ()
    name: str | None = None
    seed: int = 0
    steps: int = 3_000_000
    checkpoint_every: int = 250_000
    evaluation_games: int = 600
    final_games: int = 6000
    weight_random: float = 0.2
    weight_heuristic: float = 0.4
    weight_self: float = 0.4
    selves: int = 5
    reward: Literal["outcome", "margin"] = "margin"
    reward_scale: float | None = None
    num_envs: int = 256
    rollout: int = 64
    batch_size: int = 1024
    epochs: int = 3
    learning_rate: float = 3e-3
    entropy: float = 0.005
    gamma: float = 1.0
    gae_lambda: float = 0.95
    network: Literal["game", "mlp"] = "game"
    layers: tuple[int, ...] = (128, 128)
    threads: int = 1


@dataclass(frozen=True)
class Training:
    """A training run that is over.

    Attributes:
        folder: where its files are.
        player: the best checkpoint.
        game: what was learned.
        evaluations: of the player on fresh deals, by opponent.
        seconds: how long it took.
    """

    folder: Path
    player: Path
    game: Game
    evaluations: dict[str, Evaluation]
    seconds: float


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


class SelfPlay(BaseCallback):
    """Saves, evaluates and enters checkpoints among the opponents; logs; anneals the entropy.

    Attributes:
        curve: one entry a checkpoint: steps, seconds, and win share by fixed opponent.
        best: the checkpoint with the largest sum of win shares.
    """

    def __init__(self, arguments: Arguments, game: Game, env: SelfPlayVecEnv, folder: Path) -> None:
        super().__init__()
        self.curve: list[dict[str, Any]] = []
        self.best = folder
        self._arguments = arguments
        self._game = game
        self._env = env
        self._folder = folder
        self._selves: deque[str] = deque(maxlen=arguments.selves)
        self._wins: dict[str, list[float]] = {}
        self._due = 0
        self._best_share = -1.0

    def _on_training_start(self) -> None:
        self._start = time.monotonic()
        self._bar = tqdm(
            total=self.locals["total_timesteps"],
            unit=" steps",
            unit_scale=True,
            mininterval=0.2 if sys.stderr.isatty() else 30,
        )

    def _on_step(self) -> bool:
        dones: npt.NDArray[np.bool_] = self.locals["dones"]
        for row in np.flatnonzero(dones):
            info = self.locals["infos"][row]
            for kind in {_kind(label) for label in info["opponents"]}:
                self._wins.setdefault(kind, []).append(info["won"])
        self._bar.update(dones.size)
        return True

    def _on_rollout_start(self) -> None:
        assert isinstance(self.model, MaskablePPO)
        progress = self.num_timesteps / self._arguments.steps
        self.model.ent_coef = self._arguments.entropy * max(0.0, 1 - progress)
        if self.num_timesteps >= self._due:
            self._due += self._arguments.checkpoint_every
            self._add_checkpoint()

    def _on_rollout_end(self) -> None:
        for kind, wins in self._wins.items():
            self.logger.record(f"win_share/against_{kind}", float(np.mean(wins)))
        self._wins = {}

    def _on_training_end(self) -> None:
        self._add_checkpoint()
        self.logger.dump(self.num_timesteps)
        self._bar.close()

    def _add_checkpoint(self) -> None:
        path = self._folder / f"{self.num_timesteps}.zip"
        self.model.save(path, exclude=_OF_NO_USE_TO_PLAYERS)
        evaluations = evaluate_against_fixed(
            self._game, path, self._arguments.evaluation_games, self._arguments.seed
        )
        shares = {name: result.agents[LEARNER].win_share for name, result in evaluations.items()}
        self.curve.append(
            {
                "steps": self.num_timesteps,
                "seconds": round(time.monotonic() - self._start, 1),
                "win_share": {name: asdict(share) for name, share in shares.items()},
            }
        )
        for name, share in shares.items():
            self.logger.record(f"evaluation/against_{name}", share.mean)
        self._bar.set_postfix({f"vs {name}": f"{share.mean:.0%}" for name, share in shares.items()})
        total = sum(share.mean for share in shares.values())
        if total >= self._best_share:
            self._best_share = total
            self.best = path
        if self.num_timesteps:
            self._selves.append(f"ppo:{path}")
            self._env.set_opponents(mix(self._arguments, self._selves))


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


def mix(arguments: Arguments, selves: Sequence[str]) -> dict[str, float]:
    """Weights of the opponents by name."""
    weights = {"random": arguments.weight_random, "heuristic": arguments.weight_heuristic}
    for name in selves:
        weights[name] = arguments.weight_self / len(selves)
    return weights


def _kind(label: str) -> str:
    """The kind of opponent that a label names."""
    kind = label.partition(":")[0]
    return "self" if kind == "ppo" else kind


# A run


def train(arguments: Arguments) -> Training:
    """Train, evaluate, write everything down.

    Raises:
        ValueError: if an argument is out of its range or unknown.
    """
    started = time.monotonic()
    game = read_game(arguments)
    torch.set_num_threads(arguments.threads)
    env = SelfPlayVecEnv(game, arguments.num_envs, mix(arguments, []), seed=arguments.seed)
    name = arguments.name or f"{game.id}-{game.num_players}p-seed{arguments.seed}"
    folder = new_folder(Path("runs"), name)
    checkpoints = folder / "checkpoints"
    checkpoints.mkdir()
    scale = arguments.reward_scale
    if scale is None:
        scale = REWARD_SCALES[arguments.reward]
    policy, policy_arguments = choose_network(arguments, game)
    model = MaskablePPO(
        policy,
        ScaledReward(env, scale),
        learning_rate=LinearSchedule(arguments.learning_rate, 0.0, 1.0),
        n_steps=arguments.rollout,
        batch_size=arguments.batch_size,
        n_epochs=arguments.epochs,
        gamma=arguments.gamma,
        gae_lambda=arguments.gae_lambda,
        ent_coef=arguments.entropy,
        policy_kwargs=policy_arguments,
        seed=arguments.seed,
        device="cpu",
    )
    model.set_logger(configure(str(folder / "tensorboard"), ["tensorboard"]))
    self_play = SelfPlay(arguments, game, env, checkpoints)
    model.learn(arguments.steps, callback=self_play)
    player = folder / "player.zip"
    shutil.copy(self_play.best, player)
    # Another seed: checkpoints were chosen by their luck on the deals of the first.
    evaluations = evaluate_against_fixed(game, player, arguments.final_games, arguments.seed + 1)
    seconds = time.monotonic() - started
    write_report(
        folder / "results.json",
        "experiments.train",
        arguments,
        {
            "seconds": round(seconds, 1),
            "best_checkpoint": self_play.best.name,
            "evaluations": {name: result.as_dict() for name, result in evaluations.items()},
            "curve": self_play.curve,
        },
    )
    plot_curve(game, self_play.curve, folder / "curve.png")
    return Training(folder, player, game, evaluations, seconds)


def read_game(arguments: Arguments) -> Game:
    """The game to learn, once all arguments have been checked.

    Raises:
        ValueError: naming the first argument that is out of its range or unknown.
    """
    options = read_options(arguments.options)
    if "reward" in options:
        raise ValueError("the reward is an argument of its own, not one of the game's options here")
    game = load_game(arguments.game, arguments.num_players, reward=arguments.reward, **options)
    # The final evaluation takes the next seed, and NumPy's global generator 32 bits.
    whole_number(arguments.seed, "seed", 0, 2**32 - 2)
    for name in _COUNTS:
        whole_number(getattr(arguments, name), name, 1, LARGEST_COUNT)
    for name in ("evaluation_games", "final_games"):
        whole_number(getattr(arguments, name), name, game.num_players + 1, LARGEST_COUNT)
    for units in arguments.layers:
        whole_number(units, "layers", 1, LARGEST_COUNT)
    for name in _AMOUNTS:
        value = getattr(arguments, name)
        if value is not None and not 0 <= value < math.inf:
            raise ValueError(f"{name} must be a number from 0 up, not {value}")
    for name in ("gamma", "gae_lambda"):
        if not 0 <= getattr(arguments, name) <= 1:
            raise ValueError(f"{name} must be from 0 to 1, not {getattr(arguments, name)}")
    if arguments.weight_random + arguments.weight_heuristic == 0:
        raise ValueError(
            "weight_random or weight_heuristic must be positive: at first there is no earlier self"
        )
    return game


def choose_network(arguments: Arguments, game: Game) -> tuple[Any, dict[str, Any]]:
    """Policy class, or the name of one, and its keyword arguments, as SB3 takes them."""
    if arguments.network == "game":
        return policy_for(game)
    return "MlpPolicy", {"net_arch": list(arguments.layers), "activation_fn": torch.nn.ReLU}


def new_folder(parent: Path, name: str) -> Path:
    """Make the first folder of ``name``, ``name-2`` and so on that is not there yet."""
    folder = parent / name
    number = 1
    while folder.exists():
        number += 1
        folder = parent / f"{name}-{number}"
    folder.mkdir(parents=True)
    return folder


def plot_curve(game: Game, curve: Sequence[Mapping[str, Any]], path: Path) -> None:
    """Draw win share against each fixed opponent over steps, with 95% intervals."""
    figure = Figure(figsize=(7, 4), layout="constrained")
    axes = figure.subplots()
    steps = [entry["steps"] / 1e6 for entry in curve]
    for name in FIXED_OPPONENTS:
        shares = [entry["win_share"][name] for entry in curve]
        axes.plot(steps, [share["mean"] for share in shares], label=f"against {name}")
        low, high = ([share[end] for share in shares] for end in ("low", "high"))
        axes.fill_between(steps, low, high, alpha=0.2)
    axes.axhline(
        1 / game.num_players, color="grey", linestyle=":", label="even (equally strong players)"
    )
    axes.set(
        title=f"{game.title}, {game.num_players} seats",
        xlabel="million decisions of the learner",
        ylabel="win share",
        ylim=(0, 1),
    )
    axes.legend(loc="lower right")
    figure.savefig(path, dpi=120)


# Command


def main(argv: Sequence[str] | None = None) -> None:
    """Run the command."""
    arguments = tyro.cli(
        Arguments, prog="python -m experiments.train", description=__doc__, args=argv
    )
    with plain_errors():
        read_game(arguments)
    training = train(arguments)
    console = Console()
    for evaluation in training.evaluations.values():
        console.print(evaluation.as_table())
    console.print(f"{training.seconds / 60:.1f} minutes; files are in {training.folder}")


if __name__ == "__main__":
    main()
