"""Play agents against each other on the same deals, seats rotated.

Every deal is played once for each rotation of the agents over the seats (a duplicate), so that
luck of the deal and of who begins falls on all alike. Where a deal fixes who begins, each agent
begins as often as any other.

Games of one deal depend on each other, deals do not: intervals are computed on the means of the
deals. Differences between agents are paired: taken deal by deal, then averaged. An agent named more
than once is one agent in several seats, and its results are pooled.

    python -m experiments.evaluate --game deck_express-v0 --agents heuristic random random
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import tyro
from rich import box
from rich.console import Console
from rich.table import Table
from scipy import stats

import agents as baselines
from experiments.cli import plain_errors, read_options
from experiments.report import check_out, write_report
from railenvs import Batch, Game, load_game
from railenvs.engine.agent import Agent, let_play
from railenvs.engine.checks import seed_number, whole_number
from railenvs.engine.kernels import family_seeds
from railenvs.engine.random import child_seed

Floats = npt.NDArray[np.float64]

CONFIDENCE = 0.95
ROUNDING = 1e-9
"""Values that differ by less are equal."""
WIDTH, UNBOUNDED = 80, 10_000
"""Columns of a terminal where none is asked, and of one in which everything fits."""
SHORTEST = 9
"""To so many characters names are shortened at most."""
PLACES_TOLD = "1st, 2nd...: win share in %, by order of play"
PLACES_LEFT_OUT = "win shares by order of play: in a wider terminal, or by --out"
DEALS_THAT_TELL = 1000
"""Fewer tell too little of what duplicate deals save."""
AGENTS = 1 << 42
"""Where the children of a seed begin that seed agents; those before are deals."""
GAMES_AT_ONCE = 4096
"""Games played side by side: enough for large batches, few enough for the cache."""


@dataclass(frozen=True)
class Arguments:
    """Arguments of the command.

    Attributes:
        game: id of the game.
        agents: names of the agents, one a seat: "random", "heuristic", "ismcts:N", "flat:N",
            "ppo:PATH", "module:Class".
        games: how many games, rounded up to whole deals (a deal is played once per seat); two
            deals at least.
        seed: fixes the deals and the agents' random numbers.
        options: options of the game, each as NAME=VALUE, such as setup=thirds.
        out: JSON file for the results.
    """

    game: str
    agents: tuple[str, ...]
    games: int = 2000
    seed: int = 0
    options: tuple[str, ...] = ()
    out: Path | None = None


# Playing


@dataclass(frozen=True)
class Duplicates:
    """Results of D deals, each played in n rotations by n entries.

    Attributes:
        shares: each entry's share of the victory: 1, 1/2 where two share it, 0; float64 (D, n, n).
        scores: its final score, float64 (D, n, n).
        places: its place in the order of play, 0 for who begins; int64 (D, n, n).
        cut_off: whether the game was cut off: nobody won it, bool (D, n).
    """

    shares: Floats
    scores: Floats
    places: npt.NDArray[np.int64]
    cut_off: npt.NDArray[np.bool_]


def play_duplicates(
    game: Game,
    entries: Sequence[Agent],
    seeds: npt.NDArray[np.int64],
    names: Sequence[str] | None = None,
) -> Duplicates:
    """Play the deals of ``seeds`` (D,) in all rotations of ``entries`` over the seats.

    Args:
        game: what they play.
        entries: one a seat; an agent may be several of them.
        seeds: of the deals.
        names: those of the entries in errors; by default their classes'.
    """
    if names is None:
        names = [type(entry).__name__ for entry in entries]
    at_once = max(1, GAMES_AT_ONCE // game.num_players)
    parts = [
        _play_at_once(game, entries, seeds[start : start + at_once], names)
        for start in range(0, seeds.size, at_once)
    ]
    return Duplicates(
        np.concatenate([part.shares for part in parts]),
        np.concatenate([part.scores for part in parts]),
        np.concatenate([part.places for part in parts]),
        np.concatenate([part.cut_off for part in parts]),
    )


def _play_at_once(
    game: Game, entries: Sequence[Agent], seeds: npt.NDArray[np.int64], names: Sequence[str]
) -> Duplicates:
    seats = game.num_players
    rows = np.arange(seeds.size * seats)
    batch = Batch(game, rows.size, seed=0)
    batch.deal(rows, np.repeat(seeds, seats))
    # In rotation r, entry e sits in seat e + r.
    seat_of = (np.arange(seats) + rows[:, None]) % seats
    entry_in = (np.arange(seats) - rows[:, None]) % seats
    places = (seat_of - batch.seats[:, None]) % seats
    agents = {id(entry): (entry, name) for entry, name in zip(entries, names, strict=True)}
    playing = rows
    while playing.size:
        acting = entry_in[playing, batch.seats[playing]]
        for agent, name in agents.values():
            its_entries = [number for number, entry in enumerate(entries) if entry is agent]
            its_rows = playing[np.isin(acting, its_entries)]
            if its_rows.size:
                let_play(agent, f"agent {name!r}", batch, its_rows)
        playing = playing[~(batch.terminations[playing] | batch.truncations[playing])]
    shares = batch.final_winners / np.maximum(batch.final_winners.sum(axis=1, keepdims=True), 1)
    shape = (seeds.size, seats, seats)
    return Duplicates(
        np.take_along_axis(shares, seat_of, axis=1).reshape(shape),
        np.take_along_axis(batch.final_scores, seat_of, axis=1).astype(np.float64).reshape(shape),
        places.reshape(shape),
        ~batch.final_winners.any(axis=1).reshape(shape[:2]),
    )


# Statistics


@dataclass(frozen=True)
class Estimate:
    """A mean with its 95% confidence interval."""

    mean: float
    low: float
    high: float


def estimate_mean(values: npt.ArrayLike) -> Estimate:
    """Mean of independent values (D,), D at least 2, with Student's t interval."""
    sample = np.asarray(values, np.float64)
    mean = float(sample.mean())
    half = _t_quantile(sample.size) * float(stats.sem(sample))
    return Estimate(mean, mean - half, mean + half)


def estimate_share(values: npt.ArrayLike, least: float = 0.0, most: float = 1.0) -> Estimate:
    """Mean of independent values (D,), D at least 2, with an interval within their range.

    Wilson's score interval with the effective sample size of survey statistics: the number of
    yes-no trials whose proportion would vary as much as this mean does. Where all values are at
    the same end of the range, it is D.

    Args:
        values: each from ``least`` to ``most``.
        least: no value can be below.
        most: no value can be above.
    """
    share = _estimate_proportion((np.asarray(values, np.float64) - least) / (most - least))
    return Estimate(*(least + (most - least) * end for end in (share.mean, share.low, share.high)))


def _estimate_proportion(sample: Floats) -> Estimate:
    mean = float(sample.mean())
    if not ROUNDING < mean < 1 - ROUNDING:
        trials = float(sample.size)
    elif np.ptp(sample) < ROUNDING:
        return Estimate(mean, mean, mean)
    else:
        trials = mean * (1 - mean) / float(stats.sem(sample)) ** 2
    t = _t_quantile(sample.size)
    centre = (mean + t**2 / (2 * trials)) / (1 + t**2 / trials)
    half = t / (1 + t**2 / trials) * np.sqrt(mean * (1 - mean) / trials + (t / (2 * trials)) ** 2)
    # Rounding must push no end past the range or past the mean.
    low, high = np.clip([centre - half, centre + half], [0, mean], [mean, 1]).tolist()
    return Estimate(mean, low, high)


def _t_quantile(size: int) -> float:
    return float(stats.t.ppf((1 + CONFIDENCE) / 2, size - 1))


# Evaluation


@dataclass(frozen=True)
class AgentResult:
    """What one agent achieved.

    Attributes:
        seats: how many seats it takes in each game.
        win_share: mean share of the victory, a seat.
        score: mean final score.
        win_share_by_place: by place in the order of play, who begins first.
        win_share_worth: how many games, each on a deal of its own and with seats drawn, would tell
            as much of the win share as one game here; None where it does not vary.
        score_worth: the same of the score.
    """

    seats: int
    win_share: Estimate
    score: Estimate
    win_share_by_place: tuple[float, ...]
    win_share_worth: float | None
    score_worth: float | None


@dataclass(frozen=True)
class Difference:
    """How far one agent is ahead of another, deal by deal.

    Attributes:
        agent: who is ahead where values are positive.
        other: of whom.
        win_share: difference of the win shares a seat.
        score: difference of the scores.
    """

    agent: str
    other: str
    win_share: Estimate
    score: Estimate


@dataclass(frozen=True)
class Evaluation:
    """Results of all agents.

    Attributes:
        game: what was played.
        deals: how many deals, each played once per seat.
        games: how many games.
        cut_off: how many of them were cut off: nobody won them.
        agents: result of each agent by name.
        differences: of each two agents, in the order in which they were named.
        win_share_by_place: of whoever has the place in the order of play.
    """

    game: Game
    deals: int
    games: int
    cut_off: int
    agents: dict[str, AgentResult]
    differences: tuple[Difference, ...]
    win_share_by_place: tuple[float, ...]

    def as_dict(self) -> dict[str, Any]:
        """The results, JSON-able."""
        return {
            **asdict(self),
            "game": self.game.id,
            "num_players": self.game.num_players,
            "options": dict(self.game.options),
        }

    def as_table(self, width: int = WIDTH) -> Table:
        """The results for a terminal of so many columns.

        Where they are too few, win shares by order of play are left out, then names shortened.
        """
        longest = max(map(len, self.agents))
        layouts = [(True, longest), *((False, room) for room in range(longest, SHORTEST - 1, -1))]
        tables = (self._draw_table(*layout) for layout in layouts)
        return _first_that_fits(tables, width)

    def _draw_table(self, by_place: bool, room: int) -> Table:
        seats = self.game.num_players
        table = Table(
            title=f"{self.game.id}, {seats} seats: {self.games} games\n"
            f"{self.deals} deals, {seats} rotations each",
            caption=f"with 95% intervals; equal players win {1 / seats:.1%}\n"
            f"{PLACES_TOLD if by_place else PLACES_LEFT_OUT}\n"
            f"games cut off: {self.cut_off}{self._told_worth()}",
            box=box.SIMPLE_HEAD,
            pad_edge=False,
        )
        places = [_ordinal(place) for place in range(1, seats + 1)] if by_place else []
        table.add_column("agent", no_wrap=True)
        for heading in ("seats", "win share, %", "score", *places):
            table.add_column(heading, justify="right", no_wrap=True)
        for name, result in self.agents.items():
            win, score = result.win_share, result.score
            table.add_row(
                _shorten(name, room),
                str(result.seats),
                f"{100 * win.mean:.1f} ({100 * win.low:.1f}–{100 * win.high:.1f})",
                f"{score.mean:.2f} ±{score.high - score.mean:.2f}",
                *(_percentages(result.win_share_by_place) if by_place else ()),
            )
        if by_place:
            table.add_section()
            table.add_row("whoever", "", "", "", *_percentages(self.win_share_by_place))
        return table

    def _told_worth(self) -> str:
        """What duplicate deals save, where there are enough of them to tell."""
        result = next(iter(self.agents.values()))
        if self.deals < DEALS_THAT_TELL or result.win_share_worth is None:
            return ""
        told = f"{result.win_share_worth:.1f} by win share"
        if result.score_worth is not None:
            told += f", {result.score_worth:.1f} by score"
        return f"\na game on duplicate deals tells as much as {told}"

    def differences_table(self, width: int = WIDTH) -> Table:
        """The differences for a terminal of so many columns; names are shortened to fit."""
        rooms = range(max(map(len, self.agents)), SHORTEST - 1, -1)
        return _first_that_fits(map(self._draw_differences, rooms), width)

    def _draw_differences(self, room: int) -> Table:
        table = Table(
            title="ahead on the same deals, with 95% intervals", box=box.SIMPLE_HEAD, pad_edge=False
        )
        table.add_column("", no_wrap=True)
        for heading in ("win share, %", "score"):
            table.add_column(heading, justify="right", no_wrap=True)
        for each in self.differences:
            win, score = each.win_share, each.score
            table.add_row(
                f"{_shorten(each.agent, room)} before {_shorten(each.other, room)}",
                f"{100 * win.mean:+.1f} ±{100 * (win.high - win.mean):.1f}",
                f"{score.mean:+.2f} ±{score.high - score.mean:.2f}",
            )
        return table


def evaluate(
    game: Game,
    names: Sequence[str],
    games: int = 2000,
    seed: int = 0,
    cast: Mapping[str, Agent] = {},
) -> Evaluation:
    """Let agents play each other on duplicate deals.

    Args:
        game: what they play.
        names: one a seat, as ``agents.make`` takes them, or keys of ``cast``.
        games: rounded up to a multiple of the number of seats; two deals at least.
        seed: 0 to 2**63 - 1; fixes the deals and the agents' random numbers. A larger number of
            games adds deals to the same ones.
        cast: agents made already.

    Raises:
        ValueError: if an argument is out of its range, or an agent unknown.
    """
    seats = game.num_players
    if len(names) != seats:
        raise ValueError(f"{game!r} needs {seats} agents, not {len(names)}: {', '.join(names)}")
    wanted = whole_number(games, "games", seats + 1, 2**31 - 1)
    seeds = family_seeds(seed_number(seed), -(-wanted // seats))
    made = {name: cast.get(name) or baselines.make(name, game, seed) for name in names}
    # Each has random numbers of its own, or two of a kind would mirror each other.
    for number, agent in enumerate(made.values()):
        agent.reset(int(child_seed(seed, AGENTS + number)))
    played = play_duplicates(game, [made[name] for name in names], seeds, names)
    return summarize(game, names, played)


def summarize(game: Game, names: Sequence[str], played: Duplicates) -> Evaluation:
    """Pool the entries that bear one name and estimate what each achieves."""
    deals, seats = played.cut_off.shape
    results = {}
    by_game = {}
    for name in dict.fromkeys(names):
        entries = [number for number, other in enumerate(names) if other == name]
        shares = played.shares[:, :, entries]
        by_game[name] = shares.mean(axis=2), played.scores[:, :, entries].mean(axis=2)
        results[name] = AgentResult(
            len(entries),
            # Of several seats of one agent, one at most wins all.
            estimate_share(by_game[name][0].mean(axis=1), most=1 / len(entries)),
            estimate_mean(by_game[name][1].mean(axis=1)),
            _by_place(shares, played.places[:, :, entries]),
            *(worth(values) for values in by_game[name]),
        )
    differences = []
    for one, other in itertools.combinations(by_game, 2):
        ahead = [
            (ours - theirs).mean(axis=1)
            for ours, theirs in zip(by_game[one], by_game[other], strict=True)
        ]
        ends = -1 / results[other].seats, 1 / results[one].seats
        differences.append(
            Difference(one, other, estimate_share(ahead[0], *ends), estimate_mean(ahead[1]))
        )
    return Evaluation(
        game,
        deals,
        deals * seats,
        int(played.cut_off.sum()),
        results,
        tuple(differences),
        _by_place(played.shares, played.places),
    )


def worth(values: Floats) -> float | None:
    """How many independent games tell as much of the mean as one on duplicate deals.

    Args:
        values: one a game, (D, n): of D deals, each played n times.

    Returns:
        The variance of a mean of independent games over that of the mean of as many games here;
        None where nothing varies.
    """
    of_deals = float(values.mean(axis=1).var(ddof=1))
    if of_deals < ROUNDING:
        return None
    return float(values.var(ddof=1)) / values.shape[1] / of_deals


def _by_place(shares: Floats, places: npt.NDArray[np.int64]) -> tuple[float, ...]:
    wins = np.bincount(places.ravel(), shares.ravel())
    return tuple((wins / np.bincount(places.ravel())).tolist())


def _percentages(shares: Sequence[float]) -> list[str]:
    return [f"{100 * share:.1f}" for share in shares]


def _first_that_fits(tables: Iterable[Table], width: int) -> Table:
    """The first table no wider than that, else the last."""
    for table in tables:
        if Console(width=UNBOUNDED).measure(table).maximum <= width:
            break
    return table


def _shorten(name: str, room: int) -> str:
    """A name with its middle left out where it is longer than that."""
    kept = room - 1
    return name if len(name) <= room else f"{name[: kept // 2]}…{name[kept // 2 - kept :]}"


def _ordinal(number: int) -> str:
    return f"{number}{ {1: 'st', 2: 'nd', 3: 'rd'}.get(number, 'th') }"


# Command


def main(argv: Sequence[str] | None = None) -> None:
    """Run the command."""
    arguments = tyro.cli(
        Arguments, prog="python -m experiments.evaluate", description=__doc__, args=argv
    )
    with plain_errors():
        options = read_options(arguments.options)
        game = load_game(arguments.game, len(arguments.agents), **options)
        made = {name: baselines.make(name, game, arguments.seed) for name in arguments.agents}
        whole_number(arguments.games, "games", game.num_players + 1, 2**31 - 1)
        check_out(arguments.out)
        evaluation = evaluate(game, arguments.agents, arguments.games, arguments.seed, made)
    console = Console()
    console.print(evaluation.as_table(console.width))
    if len(evaluation.agents) > 1:
        console.print(evaluation.differences_table(console.width))
    if arguments.out is not None:
        write_report(arguments.out, "experiments.evaluate", arguments, evaluation.as_dict())


if __name__ == "__main__":
    main()
