"""Write the golden games: complete records of seeded random play that later versions must repeat.

    python -m tests.golden.make_golden                    # every game
    python -m tests.golden.make_golden deck_express-v0    # one

A file that already exists is replaced. Do so only where a game's behaviour is meant to change, and
raise the game's version with it: what these files hold is a promise to everyone who kept records.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from railenvs import game_ids, load_game, records
from railenvs.adapters.pettingzoo import RailEnv
from railenvs.engine.agent import make_agent
from railenvs.games import load_rulebook
from tests.grid import short_games

FOLDER = Path(__file__).resolve().parent
GAMES_PER_CELL = 2
"""Records for each number of seats and each value of the options."""
MOVES_ENOUGH = 120
"""But no further one where those made have so many moves."""


def golden_file(game_id: str) -> Path:
    """Where a game's golden records lie: its name without the version, ``.jsonl``."""
    return FOLDER / f"{load_rulebook(game_id).name}.jsonl"


def cells(game_id: str) -> Iterator[tuple[int, dict[str, Any]]]:
    """Seats and options to record: each example of each option, others at the default.

    Where games are cut short, the fewest seats also play a whole one.
    """
    rulebook = load_rulebook(game_id)
    short = short_games(game_id)
    if short:
        yield rulebook.seats[0], {}
    for seats in rulebook.seats:
        yield seats, short
        for name, option in rulebook.options.items():
            if option.is_open(seats) and name not in short:
                yield from ((seats, {**short, name: value}) for value in option.examples)


def play_game(game_id: str, num_players: int, options: dict[str, Any], seed: int) -> dict[str, Any]:
    """The record of one game: the seed deals it and fixes the random play."""
    env = RailEnv(load_game(game_id, num_players, **options), lenient=False)
    player = make_agent("random", env.game, seed)
    env.reset(seed=seed)
    while not env.terminations[env.agent_selection] and not env.truncations[env.agent_selection]:
        env.step(player.act(env.view(env.agent_selection)))
    return env.record()


def golden_records(game_id: str) -> list[dict[str, Any]]:
    """All golden records of a game, in the order of its file."""
    made: list[dict[str, Any]] = []
    for num_players, options in cells(game_id):
        moves = 0
        for seed in range(GAMES_PER_CELL):
            if moves < MOVES_ENOUGH:
                made.append(play_game(game_id, num_players, options, seed))
                moves += len(made[-1]["moves"])
    return made


def main(arguments: Sequence[str] | None = None) -> None:
    """Write the files of the games named on the command line."""
    parser = argparse.ArgumentParser(description="Write golden games.")
    parser.add_argument("games", nargs="*", default=game_ids(), help="game ids; by default all")
    for game_id in parser.parse_args(arguments).games:
        path = golden_file(game_id)
        records.save(golden_records(game_id), path)
        print(path)


if __name__ == "__main__":
    main()
