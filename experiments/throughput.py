"""How fast games are played: one table of rates and ratios, measured side by side in one run.

Absolute rates depend on the machine and on what else it does. So the benchmarks take turns, round
after round, and each ratio compares medians of the same run. Every benchmark checks that its games
advance and end.

    python -m experiments.throughput
    python -m experiments.throughput --reference ./a.out

A reference is a program of your own that prints lines such as ``rules_only 20.1 Msteps/s``;
compiled from C, it shows how far the engine is from what the machine can do.
"""

from __future__ import annotations

import dataclasses
import statistics
import subprocess
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import tyro
from pettingzoo.env_registry.exceptions import FailedToImport
from rich.console import Console
from rich.table import Table

import railenvs
from railenvs.adapters.pettingzoo import RailEnv
from railenvs.engine import kernels

Benchmark = Callable[[float], float]
"""Plays for about so many seconds; returns actions a second."""


@dataclasses.dataclass(frozen=True)
class Arguments:
    """What to measure.

    Attributes:
        game: the game's id.
        num_players: seats; 0 takes the game's largest number.
        num_games: games side by side in the batch.
        seconds: time for each benchmark in each round.
        rounds: how often the benchmarks take turns.
        reference: a program that prints rates to compare with.
    """

    game: str = "deck_express-v0"
    num_players: int = 0
    num_games: int = 1024
    seconds: float = 1.0
    rounds: int = 5
    reference: Path | None = None


def rules_only(game: railenvs.Game) -> Benchmark:
    """Uniformly random whole games inside one compiled loop: deal, legal actions, play."""
    states = game.deal(seed=1)
    blank = game.blank()
    mask = np.zeros(game.num_actions, np.int8)

    def play(seconds: float) -> float:
        steps, games, start = 0, 2000, time.perf_counter()
        while time.perf_counter() - start < seconds:
            played = kernels.playouts(states, blank, games, mask)
            assert played > games, "games must take more than one action each"
            steps += played
        return steps / (time.perf_counter() - start)

    return play


def batched(game: railenvs.Game, num_games: int) -> Benchmark:
    """Random actions in a batch, every observation and mask written out."""
    batch = railenvs.Batch(game, num_games, seed=1)
    generator = game.deal(seed=2)
    actions = np.empty(num_games, np.int64)

    def play(seconds: float) -> float:
        steps, ended, start = 0, 0, time.perf_counter()
        while time.perf_counter() - start < seconds:
            for _ in range(20):
                kernels.choose_actions(generator, batch.action_masks, actions)
                batch.step(actions)
                ended += int(batch.terminations.sum())
            steps += 20 * num_games
        assert ended > 0 or seconds < 0.1, "games must end"
        return steps / (time.perf_counter() - start)

    return play


def aec_loop(make: Callable[[], Any]) -> Benchmark:
    """``last``, a uniform choice from ``np.flatnonzero`` of the mask, ``step``."""
    env = make()
    rng = np.random.default_rng(0)

    def play(seconds: float) -> float:
        steps, games, start = 0, 0, time.perf_counter()
        while time.perf_counter() - start < seconds:
            env.reset(seed=games)
            games += 1
            while env.agents:
                observation, _, terminated, truncated, _ = env.last()
                if terminated or truncated:
                    env.step(None)
                    continue
                legal = np.flatnonzero(observation["action_mask"])
                env.step(legal[rng.integers(len(legal))])
                steps += 1
        return steps / (time.perf_counter() - start)

    return play


def leduc() -> Any:
    """PettingZoo's Leduc hold'em, through its ``env()``."""
    import pettingzoo

    return pettingzoo.make("aec", "classic/leduc_holdem-v4")


def reference_rates(program: Path) -> dict[str, float]:
    """The rates that a reference program prints, in actions a second."""
    printed = subprocess.run([program.resolve()], check=True, capture_output=True, text=True).stdout
    words = [line.split() for line in printed.splitlines()]
    return {name: float(rate) * 1e6 for name, rate, *_ in words}


def benchmarks(game: railenvs.Game, num_games: int) -> Iterator[tuple[str, Benchmark]]:
    """The benchmarks by name; peers that are not installed are left out."""
    yield "rules_only", rules_only(game)
    yield "batched", batched(game, num_games)
    yield "aec", aec_loop(lambda: RailEnv(game))
    try:
        yield "aec leduc_holdem_v4", aec_loop(leduc)
    except FailedToImport as missing:
        Console(stderr=True).print(f"leduc_holdem_v4 left out: {missing}")


def measure(arguments: Arguments) -> dict[str, float]:
    """Median rate of every benchmark, in actions a second."""
    rulebook_seats = railenvs.games.load_rulebook(arguments.game).seats
    game = railenvs.load_game(arguments.game, arguments.num_players or rulebook_seats[-1])
    running = dict(benchmarks(game, arguments.num_games))
    for play in running.values():
        play(0.05)
    rates: dict[str, list[float]] = {}
    for _ in range(arguments.rounds):
        if arguments.reference:
            for name, rate in reference_rates(arguments.reference).items():
                rates.setdefault(f"reference {name}", []).append(rate)
        for name, play in running.items():
            rates.setdefault(name, []).append(play(arguments.seconds))
    return {name: statistics.median(measured) for name, measured in rates.items()}


COMPARISONS = (
    ("rules_only", "reference rules_only"),
    ("batched", "reference batched"),
    ("aec", "aec leduc_holdem_v4"),
)


def main(arguments: Arguments) -> None:
    """Measure and print."""
    rates = measure(arguments)
    table = Table(title=f"{arguments.game}, medians of {arguments.rounds} rounds")
    table.add_column("benchmark")
    table.add_column("actions/s", justify="right")
    table.add_column("ratio", justify="right")
    compared = {name: other for name, other in COMPARISONS if other in rates}
    for name, rate in rates.items():
        ratio = f"{rate / rates[compared[name]]:.2f} × {compared[name]}" if name in compared else ""
        table.add_row(name, f"{rate:,.0f}", ratio)
    Console().print(table)


if __name__ == "__main__":
    main(tyro.cli(Arguments, description=__doc__))
