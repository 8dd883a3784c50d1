"""How strong searches are by their number of simulations: a curve, on duplicate deals.

One seat searches, the others are played by another agent; seats rotate as in
``experiments.evaluate``. The results are written after every budget, the picture beside them.

    python -m experiments.search_strength --game deck_express-v0 --num-players 2 --out curve.json
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, astuple, dataclass
from pathlib import Path
from typing import Any

import tyro
from rich.console import Console

import railenvs
from experiments.cli import plain_errors, read_options
from experiments.evaluate import Estimate, evaluate
from experiments.report import check_out, write_report
from railenvs.engine.checks import one_of, whole_number

SEARCHES = ("ismcts", "flat")
PICTURE = ".png"


@dataclass(frozen=True)
class Arguments:
    """Arguments of the command.

    Attributes:
        game: id of the game.
        out: JSON file for the results; the picture gets the same name with .png.
        num_players: number of seats; by default the game's own default.
        options: options of the game, each as NAME=VALUE.
        search: "ismcts" or "flat".
        settings: further options of the search, such as cutoff=8.
        opponent: name of the agent that plays the other seats.
        simulations: the budgets, simulations a decision.
        games: how many games for each of them, rounded up to whole deals.
        seed: fixes the deals and the agents' random numbers.
    """

    game: str
    out: Path
    num_players: int | None = None
    options: tuple[str, ...] = ()
    search: str = "ismcts"
    settings: tuple[str, ...] = ()
    opponent: str = "heuristic"
    simulations: tuple[int, ...] = (10, 100, 1000, 10_000)
    games: tuple[int, ...] = (400, 400, 200, 60)
    seed: int = 0


@dataclass(frozen=True)
class Point:
    """Strength at one budget.

    Attributes:
        simulations: a decision.
        games: how many were played.
        cut_off: how many of them were cut off: nobody won them.
        win_share: of the seat that searches.
        outcome: its mean reward ``"outcome"``, which is what it seeks: 1 for a victory,
            -1 / (n - 1) for a defeat with n seats; where nobody wins, as the option ``cut_off``
            says.
        ahead: its score less the mean score of a seat of the opponent's, on the same deals.
    """

    simulations: int
    games: int
    cut_off: int
    win_share: Estimate
    outcome: Estimate
    ahead: Estimate


def search_name(arguments: Arguments, simulations: int) -> str:
    """The searching agent's name."""
    return f"{arguments.search}:{','.join([f'simulations={simulations}', *arguments.settings])}"


def measure(game: railenvs.Game, arguments: Arguments, simulations: int, games: int) -> Point:
    """Play one budget."""
    name = search_name(arguments, simulations)
    names = [name, *[arguments.opponent] * (game.num_players - 1)]
    played = evaluate(game, names, games, arguments.seed)
    win_share, difference = played.agents[name].win_share, played.differences[0]
    seats = game.num_players
    outcome = Estimate(*((seats * end - 1) / (seats - 1) for end in astuple(win_share)))
    if not all_lose_if_cut_off(game):
        # One's share of the victory less the mean of the others': 0 where nobody wins.
        outcome = difference.win_share
    return Point(simulations, played.games, played.cut_off, win_share, outcome, difference.score)


def all_lose_if_cut_off(game: railenvs.Game) -> bool:
    """Whether a game that nobody wins pays what a lost one does."""
    return bool(game.options.get("cut_off", "loss") == "loss")


def shared_evenly(outcome: Estimate, seats: int) -> Estimate:
    """A mean reward ``"outcome"`` as a share of the victory, even where all get 0."""
    return Estimate(*(((seats - 1) * end + 1) / seats for end in astuple(outcome)))


def draw(points: Sequence[Point], title: str, game: railenvs.Game, file: Path) -> None:
    """Draw win shares with their intervals over simulations, and what equals win."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(6.4, 4.0), layout="constrained")
    axes = figure.subplots()
    series = {"win share": [point.win_share for point in points]}
    seats = game.num_players
    if any(point.cut_off for point in points) and not all_lose_if_cut_off(game):
        evenly = [shared_evenly(point.outcome, seats) for point in points]
        series["games that nobody wins shared evenly"] = evenly
    simulations = [point.simulations for point in points]
    for label, estimates in series.items():
        means = [100 * each.mean for each in estimates]
        below = [100 * (each.mean - each.low) for each in estimates]
        above = [100 * (each.high - each.mean) for each in estimates]
        axes.errorbar(simulations, means, yerr=[below, above], marker="o", capsize=4, label=label)
    axes.axhline(100 / seats, color="grey", linestyle="--", linewidth=1, label="as strong")
    axes.set(xscale="log", ylim=(0, 100), xlabel="simulations a decision", ylabel="win share in %")
    axes.set_xticks(simulations, [f"{each:,}" for each in simulations])
    axes.minorticks_off()
    axes.set_title(title, fontsize="medium")
    axes.legend(frameon=False)
    figure.savefig(file, dpi=120, metadata={"Software": None})


def read_game(arguments: Arguments) -> railenvs.Game:
    """The game, once all arguments have been checked.

    Raises:
        ValueError: naming the first argument that is out of its range or unknown.
    """
    options = read_options(arguments.options)
    game = railenvs.load_game(arguments.game, arguments.num_players, **options)
    one_of(arguments.search, "search", SEARCHES)
    if not arguments.simulations:
        raise ValueError("simulations must name a budget or more")
    if len(arguments.games) != len(arguments.simulations):
        raise ValueError(
            f"games must name a number for each of {len(arguments.simulations)} budgets, "
            f"not {len(arguments.games)}"
        )
    for simulations, games in zip(arguments.simulations, arguments.games, strict=True):
        whole_number(simulations, "simulations", 1, 2**31 - 1)
        whole_number(games, "games", game.num_players + 1, 2**31 - 1)
        if search_name(arguments, simulations) == arguments.opponent:
            raise ValueError(f"opponent must not be the search itself, {arguments.opponent!r}")
    if arguments.out.suffix == PICTURE:
        raise ValueError(f"out must not end in {PICTURE}: the picture gets that name")
    check_out(arguments.out)
    return game


def main(argv: Sequence[str] | None = None) -> None:
    """Run the command."""
    arguments = tyro.cli(
        Arguments, prog="python -m experiments.search_strength", description=__doc__, args=argv
    )
    console = Console()
    with plain_errors():
        game = read_game(arguments)
        search = ", ".join((arguments.search, *arguments.settings))
        played = ", ".join((game.id, f"{game.num_players} seats", *arguments.options))
        title = f"{search} against {arguments.opponent}\n{played}"
        points: list[Point] = []
        results: dict[str, Any] = {"game": game.id, "num_players": game.num_players}
        for simulations, games in zip(arguments.simulations, arguments.games, strict=True):
            point = measure(game, arguments, simulations, games)
            points.append(point)
            win = point.win_share
            console.print(
                f"{simulations:>6} simulations: wins {win.mean:.1%} ({win.low:.1%} to "
                f"{win.high:.1%}) of {point.games} games",
                highlight=False,
            )
            results["points"] = [asdict(each) for each in points]
            write_report(arguments.out, "experiments.search_strength", arguments, results)
            draw(points, title, game, arguments.out.with_suffix(PICTURE))


if __name__ == "__main__":
    main()
