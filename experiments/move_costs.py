"""What a move of each game costs, and where the time goes; all games side by side in one run.

    python -m experiments.move_costs

The four parts of a decision (telling the legal actions, choosing one at random, playing it,
writing the next observation) are timed one by one, on positions from all stages of random games.
Searches start from deals, and every simulation plays a random game to its end.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
import tyro
from rich.console import Console
from rich.table import Table

import railenvs
from agents.search import SearchAgent
from experiments import benchmarks
from experiments.cli import plain_errors
from experiments.report import check_out, write_report
from railenvs.engine import kernels
from railenvs.engine.checks import whole_number
from railenvs.engine.compile import kernel
from railenvs.engine.rulebook import legal, observe, play
from railenvs.engine.search import Settings
from railenvs.engine.state import at
from railenvs.engine.view import SeatView

ROWS = 1024
"""Positions on which each part is timed."""
WARM_UP = 0.05
PASSES = 5
PARTS = ("legal", "choose", "play", "observe")
SEARCHES, SIMULATIONS = 8, 200
"""Deals that are searched at once, and for how many simulations each."""


@dataclass(frozen=True)
class Arguments:
    """Arguments of the command.

    Attributes:
        games: ids of the games, by default all; the first is what the others are compared with.
        seconds: time for each rate in each round.
        rounds: how often the games take turns.
        out: JSON file for the results.
    """

    games: tyro.conf.Positional[tuple[str, ...]] = ()
    seconds: float = 0.5
    rounds: int = 7
    out: Path | None = None


@dataclass(frozen=True)
class Costs:
    """Medians for one game with as many seats as it takes.

    Attributes:
        game: its id.
        num_players: its seats.
        decisions: of all seats together in a random game, on average.
        rules_only: decisions a second of random games in a compiled loop.
        batched: decisions a second in a batch of 1024, observations and masks written.
        legal: nanoseconds to tell the legal actions.
        choose: nanoseconds to choose one of them at random.
        play: nanoseconds to play it.
        observe: nanoseconds to write the observation of the seat to act.
        simulations: a second, of searches from deals.
        two_threads: how many times as many simulations two threads do.
    """

    game: str
    num_players: int
    decisions: float
    rules_only: float
    batched: float
    legal: float
    choose: float
    play: float
    observe: float
    simulations: float
    two_threads: float

    @property
    def share_of_rules(self) -> float:
        """Decisions a second of a search's random games, to those of random games alone."""
        return self.simulations * self.decisions / self.rules_only


# The parts of a decision


@kernel
def tell_legal(states: Any, masks: Any) -> None:
    """Write the legal actions (N, A) of every position."""
    for row in range(states.shape[0]):
        legal(at(states, row), masks[row])


@kernel
def play_each(states: Any, actions: Any) -> None:
    """Play one action (N,) in every position."""
    for row in range(states.shape[0]):
        play(at(states, row), actions[row])


@kernel
def observe_each(states: Any, observations: Any) -> None:
    """Write what the seat to act sees (N, D) in every position."""
    for row in range(states.shape[0]):
        state = at(states, row)
        observe(state, state.seat, observations[row])


class Stopwatch:
    """Times the parts of a decision of one game.

    Args:
        game: the game; its positions come from random games that are at all stages.
    """

    def __init__(self, game: railenvs.Game) -> None:
        batch = railenvs.Batch(game, ROWS, seed=1)
        self._generator = game.deal(seed=2)
        self._actions = np.empty(ROWS, np.int64)
        self.decisions = benchmarks.spread_over_stages(batch, self._generator, 2 * ROWS)
        self._states = batch.states.copy()
        self._masks = np.empty((ROWS, game.num_actions), np.int8)
        self._observations = np.empty((ROWS, game.observation_size), np.int8)
        self.nanoseconds()  # compiles

    def nanoseconds(self) -> dict[str, float]:
        """Time of each part for one position: the least of some passes, as other work only adds."""
        passes = [self._pass() for _ in range(PASSES)]
        return {part: min(each[part] for each in passes) for part in PARTS}

    def _pass(self) -> dict[str, float]:
        states = self._states.copy()
        times = (
            _seconds(tell_legal, states, self._masks),
            _seconds(kernels.choose_actions, self._generator, self._masks, self._actions),
            _seconds(play_each, states, self._actions),
            _seconds(observe_each, states, self._observations),
        )
        return {part: 1e9 * each / ROWS for part, each in zip(PARTS, times, strict=True)}


def _seconds(function: Callable[..., Any], *arguments: Any) -> float:
    start = time.perf_counter()
    function(*arguments)
    return time.perf_counter() - start


class Searches:
    """Times searches of deals of one game.

    Args:
        game: the game.
    """

    def __init__(self, game: railenvs.Game) -> None:
        deals = [game.deal(seed) for seed in range(SEARCHES)]
        self._views = [SeatView(game, deal, game.seat(deal)) for deal in deals]
        settings = Settings(simulations=SIMULATIONS)
        self._agents = [SearchAgent(game, settings, seed=0, threads=count) for count in (1, 2)]
        self.rates()  # compiles

    def rates(self) -> dict[str, float]:
        """Simulations a second, and what a second thread gives."""
        one, two = (_seconds(agent.act_views, self._views) for agent in self._agents)
        return {"simulations": SEARCHES * SIMULATIONS / one, "two_threads": one / two}


# Command


def measure(games: Sequence[railenvs.Game], seconds: float, rounds: int) -> list[Costs]:
    """Medians of every game, the games taking turns."""
    watches = [Stopwatch(game) for game in games]
    searches = [Searches(game) for game in games]
    rules = [benchmarks.rules_only(game) for game in games]
    batches = [benchmarks.batched(game, ROWS) for game in games]
    for each in (*rules, *batches):
        each.rate(WARM_UP)
    found: list[list[dict[str, float]]] = [[] for _ in games]
    for _ in range(rounds):
        for told, watch, search, alone, batch in zip(
            found, watches, searches, rules, batches, strict=True
        ):
            rates = {"rules_only": alone.rate(seconds), "batched": batch.rate(seconds)}
            told.append({**rates, **watch.nanoseconds(), **search.rates()})
    return [
        Costs(
            game=game.id,
            num_players=game.num_players,
            decisions=watch.decisions,
            **{name: statistics.median(each[name] for each in told) for name in told[0]},
        )
        for game, watch, told in zip(games, watches, found, strict=True)
    ]


def as_table(costs: Sequence[Costs]) -> Table:
    """A row for each game: rates in millions a second, the parts in nanoseconds."""
    table = Table(box=None, padding=(0, 1, 0, 0), pad_edge=False)
    table.add_column("game", no_wrap=True)
    titles = ("seats\n", "moves\na game", "rules\nM/s", "batch\nM/s")
    for title in (*titles, *(f"{part}\nns" for part in PARTS), "batch\nis"):
        table.add_column(title, justify="right", no_wrap=True)
    for each in costs:
        table.add_row(
            each.game,
            str(each.num_players),
            f"{each.decisions:,.0f}",
            f"{each.rules_only / 1e6:.1f}",
            f"{each.batched / 1e6:.1f}",
            *(f"{getattr(each, part):.0f}" for part in PARTS),
            f"{each.batched / costs[0].batched:.2f} ×",
        )
    return table


def search_table(costs: Sequence[Costs]) -> Table:
    """A row for each game: simulations a second, and their moves' rate to that of rules alone."""
    table = Table(box=None, padding=(0, 1, 0, 0), pad_edge=False)
    table.add_column("searches of", no_wrap=True)
    for title in ("seats", "simulations, k/s", "moves of rules alone", "2 threads are"):
        table.add_column(title, justify="right", no_wrap=True)
    for each in costs:
        table.add_row(
            each.game,
            str(each.num_players),
            f"{each.simulations / 1000:.1f}",
            f"{each.share_of_rules:.2f} ×",
            f"{each.two_threads:.2f} ×",
        )
    return table


def read_games(arguments: Arguments) -> list[railenvs.Game]:
    """The games to measure, once all arguments have been checked."""
    whole_number(arguments.rounds, "rounds", 1, 2**31 - 1)
    if not arguments.seconds > 0:
        raise ValueError(f"seconds must be positive, not {arguments.seconds}")
    check_out(arguments.out)
    names = arguments.games or railenvs.game_ids()
    most = [railenvs.games.load_rulebook(name).seats[-1] for name in names]
    return [railenvs.load_game(*each) for each in zip(names, most, strict=True)]


def main(argv: Sequence[str] | None = None) -> None:
    """Run the command."""
    arguments = tyro.cli(
        Arguments, prog="python -m experiments.move_costs", description=__doc__, args=argv
    )
    with plain_errors():
        games = read_games(arguments)
    costs = measure(games, arguments.seconds, arguments.rounds)
    Console().print(as_table(costs), "", search_table(costs), sep="\n")
    if arguments.out is not None:
        results = [asdict(each) for each in costs]
        write_report(arguments.out, "experiments.move_costs", arguments, {"costs": results})


if __name__ == "__main__":
    main()
