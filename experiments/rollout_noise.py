"""How much the rollouts of a search tell about an action, and how much of them is chance.

At decisions from games of heuristics, flat Monte Carlo tries every action in two halves. What the
halves agree on is how far the actions' values lie apart; by what they differ is the chance in one
simulation. Their ratio is how many simulations an action needs until its difference from the
others stands out as much as chance does: the fewer, the better the rollouts serve a search.

    python -m experiments.rollout_noise --game tchu_tchu_train-v0 --settings cutoff=20 cutoff=40

The rollouts of whole random games are measured too, for comparison.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import tyro
from rich.console import Console

import agents
import railenvs
from agents.search import SearchAgent, make_flat, read_argument
from experiments.cli import plain_errors, read_options
from experiments.report import check_out, write_report
from railenvs.engine.checks import whole_number
from railenvs.engine.random import child_seed
from railenvs.engine.view import SeatView

A_GAME = 3
"""Decisions that are taken from one game."""


@dataclass(frozen=True)
class Arguments:
    """Arguments of the command.

    Attributes:
        game: id of the game.
        num_players: number of seats; by default the game's own default.
        options: options of the game, each as NAME=VALUE.
        settings: rollouts to measure, each as options of a search, such as
            rollouts=heuristic,cutoff=20.
        decisions: how many decisions are looked at.
        simulations: for each action, in each half.
        seed: fixes the games and the searches.
        out: JSON file for the results.
    """

    game: str
    num_players: int | None = None
    options: tuple[str, ...] = ()
    settings: tuple[str, ...] = ()
    decisions: int = 18
    simulations: int = 100
    seed: int = 0
    out: Path | None = None


@dataclass(frozen=True)
class Noise:
    """What rollouts of one kind tell.

    Attributes:
        settings: of the search; nothing for whole random games.
        apart: standard deviation of the actions' values at a decision, in shares of the victory, or
            in units of the reward if the game's is another; 0 where chance hides it.
        chance: standard deviation of what one simulation finds.
        simulations: that an action needs until both are alike; None where chance hides it.
    """

    settings: str
    apart: float
    chance: float
    simulations: float | None


def decisions(game: railenvs.Game, number: int, seed: int) -> list[SeatView]:
    """Views at decisions with a choice, some of each game that heuristics play."""
    found: list[SeatView] = []
    chance = np.random.default_rng(seed)
    while len(found) < number:
        player = agents.make("heuristic", game, seed=int(child_seed(seed, len(found))))
        state = game.deal(int(child_seed(seed, len(found))))
        met = []
        while not game.is_over(state):
            view = SeatView(game, state, game.seat(state))
            if view.legal_actions.size > 1:
                met.append(view)
            game.play(state, player.act(view))
        found += [met[index] for index in chance.permutation(len(met))[:A_GAME]]
    return found[:number]


def make_search(game: railenvs.Game, simulations: int, settings: str, seed: int) -> SearchAgent:
    """The flat search whose rollouts are measured."""
    words = [f"simulations={simulations}", settings]
    return make_flat(game, seed, ",".join(filter(None, words)))


def halves(view: SeatView, settings: str, simulations: int, seed: int) -> npt.NDArray[np.float64]:
    """Mean value of each legal action for the seat to act in two searches, (2, actions)."""
    agent = make_search(view.game, simulations * view.legal_actions.size, settings, seed)
    means = np.empty((2, view.legal_actions.size))
    for half in means:
        agent.act(view)
        assert agent.last is not None
        values = {each.action: each.values[view.seat] for each in agent.last.actions()}
        half[:] = [values[action] for action in view.legal_actions.tolist()]
    return means


def measure(views: Sequence[SeatView], settings: str, simulations: int, seed: int) -> Noise:
    """What rollouts of one kind tell at some decisions, on average."""
    apart = chance = 0.0
    for number, view in enumerate(views):
        means = halves(view, settings, simulations, int(child_seed(seed, number)))
        one, other = means - means.mean(axis=1, keepdims=True)
        apart += float((one * other).mean()) / len(views)
        chance += float(((one - other) ** 2).mean()) / 2 * simulations / len(views)
    # What both halves agree on by chance alone may be nothing or less.
    if apart <= 0:
        return Noise(settings, 0.0, chance**0.5, None)
    return Noise(settings, apart**0.5, chance**0.5, chance / apart)


def read_game(arguments: Arguments) -> railenvs.Game:
    """The game, once all arguments have been checked.

    Raises:
        ValueError: naming the first argument that is out of its range or unknown.
    """
    options = read_options(arguments.options)
    game = railenvs.load_game(arguments.game, arguments.num_players, **options)
    for settings in arguments.settings:
        if "seconds" in read_argument(settings):
            raise ValueError(f"settings must not set seconds, as {settings!r} does")
        make_search(game, 2, settings, seed=0)
    whole_number(arguments.decisions, "decisions", 1, 2**31 - 1)
    whole_number(arguments.simulations, "simulations", 2, 2**20)
    check_out(arguments.out)
    return game


def main(argv: Sequence[str] | None = None) -> None:
    """Run the command."""
    arguments = tyro.cli(
        Arguments, prog="python -m experiments.rollout_noise", description=__doc__, args=argv
    )
    console = Console()
    with plain_errors():
        game = read_game(arguments)
        views = decisions(game, arguments.decisions, arguments.seed)
        found: list[Noise] = []
        for settings in ("", *arguments.settings):
            noise = measure(views, settings, arguments.simulations, arguments.seed)
            found.append(noise)
            needed = "too many" if noise.simulations is None else f"{noise.simulations:.0f}"
            console.print(
                f"{settings or 'whole random games'}: actions {noise.apart:.3f} apart, "
                f"chance {noise.chance:.3f}: {needed} simulations an action",
                highlight=False,
            )
    if arguments.out is not None:
        results: dict[str, Any] = {"game": game.id, "num_players": game.num_players}
        results["rollouts"] = [asdict(each) for each in found]
        write_report(arguments.out, "experiments.rollout_noise", arguments, results)


if __name__ == "__main__":
    main()
