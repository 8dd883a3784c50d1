"""Train a two-seat player of Deck EXPRESS from nothing, test it, and watch it play one game."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import tyro
from rich.console import Console
from rich.padding import Padding
from rich.text import Text

if TYPE_CHECKING:
    from experiments.train import Training

GAME = "deck_express-v0"
PLAN = """\
[bold]A player of Deck EXPRESS, from nothing: about four minutes on two cores[/bold]
  1. train a network by self-play, two seats, {steps:,} decisions (three minutes)
  2. let it play thousands of games against the random agent and the heuristic
  3. show one game through its eyes

Compiling the rules and loading PyTorch comes first; the first run of all takes half a minute more.
"""
NEXT = """\
[bold]Files[/bold] in {folder}
  player.zip         the player; any command takes it as the agent ppo:{player}
  results.json       all numbers, with the arguments that give them again
  curve.png          the learning curve
  game.jsonl         the game above, every card of it
  tensorboard/       tensorboard --logdir {folder}

[bold]What to try next[/bold]
  {python} -m experiments.play_records show {folder}/game.jsonl
  {python} -m experiments.evaluate --game {game} --agents ppo:{player} heuristic
  {python} -m experiments.train {game} --num-players 3
"""


@dataclass(frozen=True)
class Arguments:
    """Arguments of the command.

    Attributes:
        steps: decisions to learn from.
        seed: fixes the training and the game shown.
    """

    steps: int = 1_500_000
    seed: int = 0


def main(argv: Sequence[str] | None = None) -> None:
    """Run the command."""
    arguments = tyro.cli(
        Arguments, prog="python -m experiments.demo", description=__doc__, args=argv
    )
    console = Console(highlight=False)
    console.print(PLAN.format(steps=arguments.steps))

    # Importing PyTorch takes seconds; the plan should stand there at once.
    from experiments import train
    from experiments.cli import plain_errors

    # For so short a run: mostly the opponent that is hard to beat, and bolder steps of learning.
    learning = train.Arguments(
        GAME,
        num_players=2,
        name="demo",
        steps=arguments.steps,
        seed=arguments.seed,
        opponents=("random=0.1", "heuristic=0.8", "self=0.1"),
        learning_rate=5e-3,
    )
    with plain_errors():
        train.read_game(learning)
    training = train.train(learning)
    for evaluation in training.evaluations.values():
        console.print(evaluation.as_table(console.width))
    for verdict in verdicts(training):
        console.print(verdict)
    console.print("\n[bold]One game, seen by the trained player[/bold] (the other: heuristic)\n")
    for text in show_game(training, arguments.seed):
        console.print(Padding(Text(text), (0, 0, 1, 2)))
    what_next = NEXT.format(
        folder=training.folder, player=training.player, game=GAME, python=interpreter()
    )
    console.print(what_next, soft_wrap=True)


def interpreter() -> str:
    """How to call this Python from here: ``make demo`` runs that of the checkout's own .venv."""
    executable = Path(sys.executable)
    if executable.is_relative_to(Path.cwd()):
        return str(executable.relative_to(Path.cwd()))
    return "python"


def verdicts(training: Training) -> Iterator[str]:
    """One sentence for each opponent: whether the interval lies above what equals win."""
    from experiments.training_run import LEARNER

    even = 1 / training.game.num_players
    for name, evaluation in training.evaluations.items():
        share = evaluation.agents[LEARNER].win_share
        if share.low > even:
            verdict = "[green]beats[/green]"
        elif share.high < even:
            verdict = "[red]loses to[/red]"
        else:
            verdict = "[yellow]is not clearly better or worse than[/yellow]"
        yield (
            f"The trained player {verdict} {name}: it wins {share.mean:.1%} of the games "
            f"(95% interval {share.low:.1%} to {share.high:.1%})."
        )


def show_game(training: Training, seed: int) -> Iterator[str]:
    """Play one game and tell it as seat 0, the trained player, sees it.

    Its moves are named; the whole view is shown at its first decision, at its next one after
    scores changed, and at the end.
    """
    from experiments.play_records import play_games
    from railenvs import SeatView, records
    from railenvs.records import replay
    from railenvs.render.text import render_view

    (record,) = play_games(training.game, (f"ppo:{training.player}", "heuristic"), 1, seed)
    records.save(record, training.folder / "game.jsonl")
    game, states = replay(record)
    shown: list[int] | None = None
    moves: list[str] = []
    for number, state in enumerate(states):
        if number and record["moves"][number - 1]["seat"] == 0:
            moves.append(record["moves"][number - 1]["action"])
        scores = game.scores(state).tolist()
        if game.is_over(state) or (game.seat(state) == 0 and scores != shown):
            if moves:
                yield "It plays: " + ", ".join(moves)
            yield render_view(SeatView(game, state, 0)).rstrip()
            shown, moves = scores, []
    names = ("the trained player", "the heuristic")
    points = ", ".join(
        f"{name} {score}" for name, score in zip(names, record["scores"], strict=True)
    )
    winners = " and ".join(names[seat] for seat in record["winners"])
    yield f"Final scores: {points}. Winner: {winners}."


if __name__ == "__main__":
    main()
