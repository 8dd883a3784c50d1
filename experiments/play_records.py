"""Write games as records, verify a file of them, or step through one as a chosen seat sees it.

    python -m experiments.play_records play --agents heuristic random --out games.jsonl
    python -m experiments.play_records verify games.jsonl
    python -m experiments.play_records show games.jsonl --seat 0 --search ismcts:1000

A record holds every card; what is shown of it is what the seat could see at the time.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import tyro
from rich.console import Console
from rich.progress import track

import agents as baselines
from agents.search import SearchAgent
from experiments.cli import plain_errors, read_options
from experiments.evaluate import AGENTS
from experiments.report import check_out
from railenvs import Batch, Game, load_game, records
from railenvs.engine.agent import let_play
from railenvs.engine.checks import seed_number, whole_number
from railenvs.engine.kernels import family_seeds
from railenvs.engine.random import child_seed
from railenvs.engine.records import Start, write_record
from railenvs.engine.view import SeatView
from railenvs.records import replay
from railenvs.render.text import render_changes, render_view


@dataclass(frozen=True)
class Play:
    """Let agents play and write the games as records, one a line."""

    out: Path
    """File to write."""
    game: str = "deck_express-v0"
    """Id of the game."""
    agents: tuple[str, ...] = ("heuristic", "random")
    """Names of the agents, one a seat, from player_0 on."""
    games: int = 10
    """How many games."""
    seed: int = 0
    """Fixes the deals and the agents' random numbers."""
    options: tuple[str, ...] = ()
    """Options of the game, each as NAME=VALUE."""


@dataclass(frozen=True)
class Verify:
    """Replay every record of a file and compare all it says."""

    file: tyro.conf.Positional[Path]
    """File of records, one a line."""


@dataclass(frozen=True)
class Show:
    """Step through a record in the terminal, seeing what one seat saw."""

    file: tyro.conf.Positional[Path]
    """File of records, one a line."""
    record: int = 1
    """Which record of the file, the first being 1."""
    seat: int = 0
    """Whose eyes to see with, the first seat being 0."""
    search: str | None = None
    """An agent that searches, such as "ismcts:1000": tell what it finds at the seat's decisions."""
    pause: bool = True
    """Wait for Enter before each step (in a terminal); --no-pause shows all at once."""


def play_games(game: Game, names: tuple[str, ...], games: int, seed: int) -> Iterator[Any]:
    """Records of games between agents, one a seat.

    Raises:
        ValueError: if there is not one agent a seat, an argument is out of its range, or an agent
            plays an illegal action.
    """
    if len(names) != game.num_players:
        raise ValueError(f"{game!r} needs {game.num_players} agents, not {len(names)}: {names}")
    count = whole_number(games, "games", 1, 2**31 - 1)
    seats = [
        baselines.make(name, game, int(child_seed(seed_number(seed), AGENTS + number)))
        for number, name in enumerate(names)
    ]
    batch = Batch(game, 1, seed=0)
    row = np.zeros(1, np.int64)
    for deal in family_seeds(seed, count).tolist():
        batch.deal(row, [deal])
        moves: list[int] = []
        while not batch.terminations[0] and not batch.truncations[0]:
            seat = int(batch.seats[0])
            moves += let_play(seats[seat], f"agent {names[seat]!r}", batch, row).tolist()
        yield write_record(game, Start(None, game.deal(deal), deal), moves)


def show_game(
    record: Mapping[str, Any], seat: int, say: Callable[[str], Any], search: str | None = None
) -> None:
    """Say, step by step, what a seat saw of a game: its view, then each change in it.

    Where the seat decides, also say what an agent named ``search`` finds.

    The seat's own moves are named, those of others are told by what it can see of them. A move
    that changes nothing before its eyes is told with the next change: that others were asked
    something in between must not show.
    """
    game, states = replay(record)
    game.check_seat(seat)
    searcher = _make_searcher(search, game)

    def say_view(view: SeatView) -> None:
        found = None
        if searcher and view.legal_actions.size:
            searcher.act(view)
            found = searcher.last
        say(render_view(view, found))

    before: dict[str, Any] = {}
    own = ""
    for number, state in enumerate(states):
        view = SeatView(game, state, seat)
        table = view.table()
        if number and record["moves"][number - 1]["seat"] == seat:
            own = f"you: {record['moves'][number - 1]['action']}"
        changes = render_changes(before, table, seat) if before else ""
        if changes:
            say(f"{own or _whose_turn(before, seat)}\n{changes}")
            own = ""
        if view.legal_actions.size or not before:
            say_view(view)
        before = table
    say(render_view(SeatView(game, state, seat)))
    scores = ", ".join(f"player_{other} {score}" for other, score in enumerate(record["scores"]))
    winners = " and ".join(f"player_{winner}" for winner in record["winners"]) or "nobody"
    say(f"Final scores: {scores}. Won by {winners}.")


def _make_searcher(name: str | None, game: Game) -> SearchAgent | None:
    if name is None:
        return None
    agent = baselines.make(name, game, seed=0)
    if not isinstance(agent, SearchAgent):
        raise ValueError(f"search must name an agent that searches, not {name!r}")
    return agent


def _whose_turn(table: Mapping[str, Any], seat: int) -> str:
    """How another's move is told: who made it may be hidden, whose turn it was is not."""
    turn = table["turn"]
    return "you see, in your turn" if turn == seat else f"you see, in the turn of player_{turn}"


def verify_record(file: Path, number: int, record: Mapping[str, Any]) -> None:
    """Verify one record of a file; errors name both."""
    try:
        records.verify(record)
    except ValueError as error:
        raise ValueError(f"{file}, record {number}: {error}") from error


def main(arguments: Play | Verify | Show) -> None:
    """Run one of the three commands."""
    console = Console(highlight=False)
    if isinstance(arguments, Play):
        options = read_options(arguments.options)
        game = load_game(arguments.game, len(arguments.agents), **options)
        check_out(arguments.out)
        played = play_games(game, arguments.agents, arguments.games, arguments.seed)
        # The first game comes before the bar: with it come the errors.
        first = next(played)
        rest = track(played, "Playing", total=arguments.games - 1, console=console)
        written = [first, *rest]
        records.save(written, arguments.out)
        console.print(f"{_games(len(written))} written to {arguments.out}")
        return
    given = records.load(arguments.file)
    if not given:
        raise ValueError(f"{str(arguments.file)!r} holds no records")
    if isinstance(arguments, Verify):
        for number, record in enumerate(given, start=1):
            verify_record(arguments.file, number, record)
        console.print(f"{_games(len(given))} verified: what replays gave is what is told")
        return
    number = whole_number(arguments.record, "record", 1, len(given))

    def say(text: str) -> None:
        # Only a terminal has a width to keep to.
        console.print(text, markup=False, soft_wrap=not console.is_terminal)
        if arguments.pause and sys.stdin.isatty():
            console.input("[dim]Enter goes on, Ctrl-D ends[/dim] ")

    verify_record(arguments.file, number, given[number - 1])
    with suppress(EOFError, KeyboardInterrupt):
        show_game(given[number - 1], arguments.seat, say, arguments.search)


def _games(count: int) -> str:
    return f"{count} game{'s' * (count != 1)}"


Command = (
    Annotated[Play, tyro.conf.subcommand("play")]
    | Annotated[Verify, tyro.conf.subcommand("verify")]
    | Annotated[Show, tyro.conf.subcommand("show")]
)

if __name__ == "__main__":
    with plain_errors():
        main(tyro.cli(Command, prog="python -m experiments.play_records", description=__doc__))
