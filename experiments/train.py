"""Train a player of any of the games by self-play, with masked PPO.

One seat of each game learns. The others are drawn for each game from fixed agents, in given shares,
and a growing pool of frozen earlier selves. Every so often the player is saved as a checkpoint,
which is evaluated against random and heuristic on duplicate deals and joins the earlier selves.

    python -m experiments.train deck_express-v0 --num-players 2

Everything is written to a new folder under runs/:

    player.zip         the best checkpoint; plays as the agent "ppo:PATH"
    checkpoints/       all checkpoints, named by steps
    results.json       arguments, learning curve, final evaluation on fresh deals
    curve.png          the learning curve
    tensorboard/       losses, win rates by kind of opponent, evaluations
    state.pkl          all that the run depends on, saved with each checkpoint, until it is over

A run that was interrupted goes on from its last checkpoint, exactly as it would have gone on:

    python -m experiments.resume runs/NAME
"""

from __future__ import annotations

import math
import pickle
import shutil
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import torch
import tyro
from filelock import FileLock, Timeout
from matplotlib.figure import Figure
from rich.console import Console
from sb3_contrib import MaskablePPO
from stable_baselines3.common.utils import LinearSchedule

import agents
from agents.networks import policy_for
from experiments.cli import plain_errors, read_options
from experiments.evaluate import Evaluation
from experiments.opponents import SELF, OpponentPool, Sampling, read_shares
from experiments.report import write_report
from experiments.training_run import (
    FIXED_OPPONENTS,
    RESULTS,
    STATE,
    Progress,
    Run,
    ScaledReward,
    evaluate_against_fixed,
    read_state,
    restore_model,
)
from railenvs import Game, load_game
from railenvs.adapters.sb3 import SelfPlayVecEnv
from railenvs.engine.checks import whole_number

REWARD_SCALES = {"outcome": 1.0, "margin": 0.1}
"""Factors that bring rewards to order one."""
INTERRUPTED = 130
"""Exit status of a command that the user broke off."""
LARGEST_COUNT = 2**31 - 1
_COUNTS = (
    "steps",
    "checkpoint_every",
    "num_envs",
    "rollout",
    "batch_size",
    "epochs",
    "threads",
)
_AMOUNTS = ("reward_scale", "learning_rate", "entropy")


@dataclass(frozen=True)
class Arguments:
    """Arguments of the command.

    Attributes:
        game: id of the game.
        num_players: number of seats; by default the game's own.
        options: options of the game, each as NAME=VALUE.
        name: of the folder under runs/; by default made of game, seats and seed.
        seed: fixes deals, opponents, networks and sampling.
        steps: decisions the learner takes in all, rounded up to whole rollouts of all games.
        checkpoint_every: steps from one checkpoint to the next.
        evaluation_games: games against each fixed opponent at every checkpoint.
        final_games: games against each fixed opponent at the end.
        opponents: agents and their shares of the opponents, each as NAME=WEIGHT; "self" is for the
            earlier selves together, once there is one.
        sampling: how the earlier selves share theirs: "recency" (the latest most), "uniform", or
            "difficulty" (those that the learner beats least).
        selves: how many earlier selves are kept, the latest ones; by default all.
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
    opponents: tuple[str, ...] = ("random=0.2", "heuristic=0.4", f"{SELF}=0.4")
    sampling: Sampling = "recency"
    selves: int | None = None
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


# A run


def train(arguments: Arguments) -> Training:
    """Train, evaluate, write everything down.

    Raises:
        ValueError: if an argument is out of its range or unknown.
    """
    return complete(begin(arguments))


def reopen(folder: Path) -> Run:
    """An interrupted run as it was when its state was last saved.

    Raises:
        ValueError: if the folder holds no interrupted run, or other versions of the libraries
            saved it.
    """
    state = read_state(folder)
    arguments = Arguments(**state["arguments"])
    model = restore_model(state, scaled(arguments, state["env"]), arguments.seed)
    return Run(arguments, folder, state["env"], model, state["progress"])


def begin(arguments: Arguments) -> Run:
    """A run that has learned nothing yet, in a new folder.

    Raises:
        ValueError: if an argument is out of its range or unknown.
    """
    game = read_game(arguments)
    pool = OpponentPool(
        read_shares(arguments.opponents),
        arguments.sampling,
        even=1 / game.num_players,
        most=arguments.selves,
    )
    env = SelfPlayVecEnv(game, arguments.num_envs, pool.weights(), seed=arguments.seed)
    try:
        pickle.dumps(env)
    except Exception as error:  # whatever an agent's pickling raises
        raise ValueError(f"opponents are saved with the run, but cannot be: {error}") from error
    policy, policy_arguments = choose_network(arguments, game)
    model = MaskablePPO(
        policy,
        scaled(arguments, env),
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
    name = arguments.name or f"{game.id}-{game.num_players}p-seed{arguments.seed}"
    run = Run(arguments, new_folder(Path("runs"), name), env, model, Progress(pool))
    run.checkpoints.mkdir()
    return run


def complete(run: Run) -> Training:
    """Learn what is left to learn, rate the best checkpoint, write everything down."""
    with only_here(run.folder):
        return _complete(run)


@contextmanager
def only_here(folder: Path) -> Iterator[None]:
    """Keep other processes from going on with the same run.

    Raises:
        ValueError: if one does.
    """
    lock = FileLock(folder / "running.lock", timeout=0)
    try:
        lock.acquire()
    except Timeout as error:
        raise ValueError(f"another process is at work on {str(folder)!r}") from error
    try:
        yield
    finally:
        lock.release()


def _complete(run: Run) -> Training:
    run.learn()
    started = time.monotonic()
    arguments, progress, game = run.arguments, run.progress, run.env.game
    player = run.folder / "player.zip"
    shutil.copy(run.checkpoints / progress.best, player)
    # Another seed: checkpoints were chosen by their luck on the deals of the first.
    evaluations = evaluate_against_fixed(game, player, arguments.final_games, arguments.seed + 1)
    seconds = progress.seconds + time.monotonic() - started
    write_report(
        run.folder / RESULTS,
        "experiments.train",
        arguments,
        {
            "seconds": round(seconds, 1),
            "best_checkpoint": progress.best,
            "evaluations": {name: result.as_dict() for name, result in evaluations.items()},
            "curve": progress.curve,
            "earlier_selves": progress.pool.as_list(),
        },
    )
    plot_curve(game, progress.curve, run.folder / "curve.png")
    (run.folder / STATE).unlink()
    (run.folder / "running.lock").unlink(missing_ok=True)
    return Training(run.folder, player, game, evaluations, seconds)


def scaled(arguments: Arguments, env: SelfPlayVecEnv) -> ScaledReward:
    """The games as the learner gets them."""
    scale = arguments.reward_scale
    return ScaledReward(env, REWARD_SCALES[arguments.reward] if scale is None else scale)


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
    collected = arguments.num_envs * arguments.rollout
    if arguments.batch_size == 1 or collected % arguments.batch_size == 1:
        raise ValueError(
            f"batch_size must leave no gradient to a single step, not {arguments.batch_size} of "
            f"{collected} (num_envs times rollout)"
        )
    if arguments.name is not None and Path(arguments.name).name != arguments.name:
        raise ValueError(f"name must be that of a folder under runs/, not {arguments.name!r}")
    for name in ("evaluation_games", "final_games"):
        whole_number(getattr(arguments, name), name, game.num_players + 1, LARGEST_COUNT)
    for units in arguments.layers:
        whole_number(units, "layers", 1, LARGEST_COUNT)
    for name in _AMOUNTS:
        value = getattr(arguments, name)
        if value is not None and not 0 <= value < math.inf:
            raise ValueError(f"{name} must be a number from 0 up, not {value}")
    if arguments.reward_scale == 0:
        raise ValueError("reward_scale must be positive: with 0 there is nothing to learn from")
    for name in ("gamma", "gae_lambda"):
        if not 0 <= getattr(arguments, name) <= 1:
            raise ValueError(f"{name} must be from 0 to 1, not {getattr(arguments, name)}")
    if arguments.selves is not None:
        whole_number(arguments.selves, "selves", 1, LARGEST_COUNT)
    for name in read_shares(arguments.opponents):
        if name != SELF:
            agents.make(name, game, arguments.seed)
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
        run = begin(arguments)
    complete_and_show(run)


def complete_and_show(run: Run) -> None:
    """Complete a run; print how the player did and where its files are."""
    try:
        training = complete(run)
    except KeyboardInterrupt:
        if (run.folder / STATE).exists():
            go_on = f"to go on: python -m experiments.resume {run.folder}"
        else:
            go_on = "nothing had been learned yet"
        print(f"interrupted; {go_on}", file=sys.stderr)
        raise SystemExit(INTERRUPTED) from None
    console = Console()
    for evaluation in training.evaluations.values():
        console.print(evaluation.as_table(console.width))
    console.print(f"{training.seconds / 60:.1f} minutes; files are in {training.folder}")


if __name__ == "__main__":
    main()
