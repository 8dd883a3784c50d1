"""Compile ahead all that environments, batches and searches of the games need.

    python -m railenvs.precompile                      # all games, two processes at once
    python -m railenvs.precompile deck_express-v0 --processes 1

For images, continuous integration and the impatient: what is compiled is kept (see
:mod:`railenvs.engine.kernel_cache`), and later processes load it.
"""

from __future__ import annotations

import argparse
import multiprocessing
import warnings
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed

from railenvs.adapters.pettingzoo import RailEnv
from railenvs.engine.agent import RandomAgent
from railenvs.engine.batch import Batch
from railenvs.engine.kernel_cache import CACHE_VARIABLE, cache_root
from railenvs.engine.search import Search, Settings
from railenvs.engine.view import SeatView
from railenvs.games import game_ids, load_game


def compile_game(game_id: str) -> None:
    """Call every kernel of a game once, which keeps its machine code on disk."""
    game = load_game(game_id)
    state = game.deal(0)
    game.play(state, int(game.legal(state).argmax()))
    game.scores(state)
    env = RailEnv(game)
    env.reset(seed=0)
    env.step(int(env.last()[0]["action_mask"].argmax()))  # type: ignore[index]
    env.reset()
    batch = Batch(game, 2, seed=0)
    batch.step(batch.action_masks.argmax(axis=1))
    batch.deal([0], [1])
    batch.deal_next([0])
    RandomAgent(game, seed=0).act_batch(batch.observations, batch.action_masks)
    Search(SeatView(game, state, game.seat(state)), Settings(simulations=1, cutoff=1), 0).run()


def main(
    compile_one: Callable[[str], None] = compile_game, arguments: Sequence[str] | None = None
) -> None:
    """Compile the games named on the command line, in so many processes at once.

    Args:
        compile_one: compiles a game.
        arguments: of the command; by default those of the process.
    """
    parser = argparse.ArgumentParser(description="Compile ahead what games need.")
    parser.add_argument("games", nargs="*", metavar="GAME", help="ids of games (default: all)")
    parser.add_argument("--processes", type=int, default=2, help="how many at once (default: 2)")
    given = parser.parse_args(arguments)
    known = game_ids()
    if unknown := [name for name in given.games if name not in known]:
        parser.error(f"no game {unknown[0]!r}; there are {', '.join(known)}")
    if given.processes < 1:
        parser.error(f"--processes must be at least 1, not {given.processes}")
    # Started afresh: a process that was forked would share locks with threads it does not have.
    context = multiprocessing.get_context("spawn")
    try:
        cache_root().mkdir(parents=True, exist_ok=True)
    except OSError as error:
        parser.error(f"nothing can be kept in {cache_root()} ({error}); set {CACHE_VARIABLE}")
    print(f"compiling for {cache_root()}", flush=True)
    with ProcessPoolExecutor(given.processes, mp_context=context) as pool:
        started = {pool.submit(_compile, compile_one, name): name for name in given.games or known}
        for done in as_completed(started):
            if why := done.result():
                parser.error(why)
            print(f"{started[done]} is compiled", flush=True)


def _compile(compile_one: Callable[[str], None], game_id: str) -> str:
    """Compile a game; returns why it could not be kept, nothing if it was."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", RuntimeWarning)
        compile_one(game_id)
    return next((str(told.message) for told in caught if CACHE_VARIABLE in str(told.message)), "")


if __name__ == "__main__":
    main()
