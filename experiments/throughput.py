"""How fast games are played: one table of rates and ratios, measured side by side in one run.

Absolute rates depend on the machine and on what else it does. So the benchmarks take turns, round
after round, and each ratio compares medians of the same run. Every benchmark checks that its games
advance and end. Peers come with the extra ``bench``; those that are missing are named and left out.

    python -m experiments.throughput
    python -m experiments.throughput --reference ./a.out

A reference is a program of your own that prints lines such as ``rules_only 20.1 Msteps/s`` or
``batched 16.5 Msteps/s``; compiled from C, it shows how far the engine is from what the machine can
do.
"""

from __future__ import annotations

import operator
import statistics
import subprocess
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import Any

import tyro
from rich import box
from rich.console import Console
from rich.table import Table

import railenvs
from experiments import benchmarks, peers
from experiments.cli import plain_errors, read_options
from experiments.report import check_out, write_report
from railenvs.adapters.pettingzoo import RailEnv
from railenvs.engine.checks import one_of, whole_number

Makes = Callable[[], benchmarks.Benchmark]

OWN = "railenvs"
REFERENCE = "reference"
PARTS = ("rules_only", "batched", "aec", "search", "vec_env", "ppo", "growth")
TITLES = {
    "rules_only": "rules only: random games in a compiled loop",
    "batched": "batch: random actions, observations and masks",
    "aec": "one game from Python: observation, mask, random action",
    "search": "information-set tree search from a deal, one random rollout each: simulations",
    "vec_env": "VecEnv, learner without a net against random",
}
SIZES = (1, 100, 10_000, 1_000_000)
THREADS = (1, 2)
TURNS = 10
"""How often threads take turns in a round: short ones, since a machine's speed drifts."""
WARM_UP = 0.05


@dataclass(frozen=True)
class Arguments:
    """Arguments of the command.

    Attributes:
        game: id of the game.
        num_players: number of seats; by default the game's largest.
        options: options of the game, each as NAME=VALUE.
        parts: what to measure.
        num_games: games side by side in the batch.
        frames: decisions between updates in training, at least one in each of 256 games.
        sizes: games side by side in the table of growth.
        seconds: time for each benchmark in each round; training takes as long as an update does.
        rounds: how often the benchmarks take turns.
        reference: a program that prints rates to compare with.
        out: JSON file for the results.
    """

    game: str = "deck_express-v0"
    num_players: int | None = None
    options: tuple[str, ...] = ()
    parts: tuple[str, ...] = PARTS
    num_games: int = 1024
    frames: int = 16384
    sizes: tuple[int, ...] = SIZES
    seconds: float = 1.0
    rounds: int = 5
    reference: Path | None = None
    out: Path | None = None


@dataclass(frozen=True)
class Rate:
    """A median.

    Attributes:
        part: of the table.
        who: ours, or the peer's name.
        rate: decisions (or simulations) a second.
    """

    part: str
    who: str
    rate: float


@dataclass(frozen=True)
class Growth:
    """Steps a second of a batch.

    Attributes:
        num_games: games side by side.
        threads: that share a step.
        rate: the median.
        ratio: to one thread's rate just before, the median.
    """

    num_games: int
    threads: int
    rate: float
    ratio: float


def candidates(game: railenvs.Game, num_games: int, frames: int) -> list[tuple[str, str, Makes]]:
    """Part of the table, whose, and how the benchmark is made; ours first in each part."""
    own_vec_env = partial(benchmarks.own_vec_env, game)
    connect_four = f"DummyVecEnv of {peers.CONNECT_FOUR_ENVS}, PettingZoo connect_four-v3"
    listed: list[tuple[str, str, Makes]] = [
        ("rules_only", OWN, partial(benchmarks.rules_only, game)),
        ("batched", OWN, partial(benchmarks.batched, game, num_games)),
        ("batched", "pgx leduc_holdem, same batch", partial(peers.pgx_leduc, num_games)),
        ("aec", OWN, partial(benchmarks.aec, partial(RailEnv, game))),
        ("aec", "PettingZoo leduc_holdem-v4", peers.pettingzoo_leduc),
        ("aec", "RLCard leduc-holdem", peers.rlcard_leduc),
        ("aec", "OpenSpiel leduc_poker", peers.open_spiel_leduc),
        ("search", OWN, partial(benchmarks.search, game)),
        ("search", "OpenSpiel hearts, C++ ISMCTSBot", peers.open_spiel_hearts_search),
        ("vec_env", OWN, partial(benchmarks.vec_env, own_vec_env)),
        ("vec_env", connect_four, partial(benchmarks.vec_env, peers.connect_four_vec_env)),
    ]
    for setting, batches in benchmarks.BATCHES.items():
        part = f"ppo, {setting}"
        for who, make in ((OWN, own_vec_env), (connect_four, peers.connect_four_vec_env)):
            listed.append((part, who, partial(benchmarks.ppo, make, frames, batches)))
    return listed


def measure(game: railenvs.Game, arguments: Arguments) -> list[Rate]:
    """Median rates of the benchmarks asked for, side by side."""
    running: dict[tuple[str, str], benchmarks.Benchmark] = {}
    for part, who, make in candidates(game, arguments.num_games, arguments.frames):
        if part.split(",")[0] not in arguments.parts:
            continue
        try:
            running[part, who] = make()
        except ImportError as missing:
            Console(stderr=True).print(f"left out: {who} ({missing})")
    for each in running.values():
        each.rate(WARM_UP)
    rates: dict[tuple[str, str], list[float]] = {key: [] for key in running}
    for _ in range(arguments.rounds):
        if arguments.reference:
            for part, rate in reference_rates(arguments.reference).items():
                rates.setdefault((part, REFERENCE), []).append(rate)
        for key, each in running.items():
            rates[key].append(each.rate(arguments.seconds))
    for (part, who), each in running.items():
        if not each.ended:
            raise ValueError(
                f"no game ended while {who} was measured ({part}): give it more seconds or frames"
            )
    return [Rate(*key, statistics.median(measured)) for key, measured in rates.items()]


def measure_growth(game: railenvs.Game, arguments: Arguments) -> list[Growth]:
    """Median rates of batches by number of games and threads; threads of one size take turns."""
    found = []
    for num_games in arguments.sizes:
        play = benchmarks.growth(game, num_games)
        rates: dict[int, list[float]] = {threads: [] for threads in THREADS}
        for threads in THREADS:
            play(threads, WARM_UP)
        for _ in range(arguments.rounds * TURNS):
            for threads in THREADS:
                rates[threads].append(play(threads, arguments.seconds / TURNS))
        for threads in THREADS:
            ratios = map(operator.truediv, rates[threads], rates[THREADS[0]])
            rate, ratio = statistics.median(rates[threads]), statistics.median(ratios)
            found.append(Growth(num_games, threads, rate, ratio))
    return found


def reference_rates(program: Path) -> dict[str, float]:
    """The rates that a reference program prints, in decisions a second."""
    printed = subprocess.run([program.resolve()], check=True, capture_output=True, text=True).stdout
    words = [line.split() for line in printed.splitlines()]
    return {part: float(rate) * 1e6 for part, rate, *_ in words}


# Tables


def as_table(title: str, rates: Sequence[Rate]) -> Table:
    """Rates by part, and how many times faster ours is than each other."""
    table = Table(title=title, box=box.SIMPLE_HEAD, pad_edge=False)
    table.add_column("", overflow="fold")
    table.add_column("decisions/s", justify="right", no_wrap=True)
    table.add_column(f"{OWN} is", justify="right", no_wrap=True)
    for part in dict.fromkeys(rate.part for rate in rates):
        ours = next((rate.rate for rate in rates if (rate.part, rate.who) == (part, OWN)), None)
        if ours is None:
            continue
        table.add_section()
        table.add_row(f"[bold]{TITLES.get(part, part)}[/bold]")
        for rate in rates:
            if rate.part == part:
                ratio = "" if rate.who == OWN else f"{ours / rate.rate:.2f} ×"
                table.add_row(f"  {rate.who}", f"{rate.rate:,.0f}", ratio)
    return table


def growth_table(title: str, growth: Sequence[Growth]) -> Table:
    """Steps a second by number of games and threads."""
    table = Table(title=title, box=box.SIMPLE_HEAD, pad_edge=False)
    table.add_column("games at once", justify="right")
    for threads in THREADS:
        table.add_column(f"{threads} thread{'s' * (threads > 1)}", justify="right")
    table.add_column("ratio", justify="right")
    for num_games in dict.fromkeys(each.num_games for each in growth):
        row = [each for each in growth if each.num_games == num_games]
        rates = [f"{each.rate:,.0f}" for each in row]
        table.add_row(f"{num_games:,}", *rates, f"{row[-1].ratio:.2f} ×")
    return table


# Command


def read_game(arguments: Arguments) -> railenvs.Game:
    """The game to measure, once all arguments have been checked.

    Raises:
        ValueError: naming the first argument that is out of its range or unknown.
    """
    most = railenvs.games.load_rulebook(arguments.game).seats[-1]
    options = read_options(arguments.options)
    game = railenvs.load_game(arguments.game, arguments.num_players or most, **options)
    if not arguments.parts:
        raise ValueError(f"parts must name some of {', '.join(PARTS)}")
    for part in arguments.parts:
        one_of(part, "parts", PARTS)
    for size in (arguments.num_games, *arguments.sizes):
        whole_number(size, "number of games", 1, 2**31 - 1)
    whole_number(arguments.frames, "frames", benchmarks.VEC_ENVS, 2**31 - 1)
    whole_number(arguments.rounds, "rounds", 1, 2**31 - 1)
    if not arguments.seconds > 0:
        raise ValueError(f"seconds must be positive, not {arguments.seconds}")
    if arguments.reference and not arguments.reference.is_file():
        raise ValueError(f"reference must be a program, not {str(arguments.reference)!r}")
    check_out(arguments.out)
    return game


def main(argv: Sequence[str] | None = None) -> None:
    """Run the command."""
    arguments = tyro.cli(
        Arguments, prog="python -m experiments.throughput", description=__doc__, args=argv
    )
    with plain_errors():
        game = read_game(arguments)
    console = Console()
    results: dict[str, Any] = {"game": game.id, "num_players": game.num_players}
    title = f"{game.id}, {game.num_players} seats; medians of {arguments.rounds} rounds"
    with plain_errors():
        rates = measure(game, arguments)
    if rates:
        console.print(as_table(title, rates))
        results["rates"] = [asdict(rate) for rate in rates]
    if "growth" in arguments.parts:
        growth = measure_growth(game, arguments)
        console.print(growth_table(f"steps/s of the batch; {title}", growth))
        results["growth"] = [asdict(each) for each in growth]
    if arguments.out is not None:
        write_report(arguments.out, "experiments.throughput", arguments, results)


if __name__ == "__main__":
    main()
