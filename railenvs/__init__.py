"""Railway card games as fast environments for reinforcement learning.

Four card games with hidden information, each a PettingZoo AEC environment on one compiled engine.
"""

from __future__ import annotations

from typing import Any

from railenvs import records
from railenvs.engine.batch import Batch
from railenvs.engine.game import Game
from railenvs.engine.view import SeatView
from railenvs.games import game_ids, load_game

__all__ = ["Batch", "Game", "SeatView", "game_ids", "load_game", "make_batch", "records"]
__version__ = "0.1.0"


def make_batch(
    id: str,  # noqa: A002
    num_games: int,
    num_players: int | None = None,
    seed: int | None = None,
    threads: int = 1,
    **options: Any,
) -> Batch:
    """Many games at once.

    Args:
        id: one of :func:`game_ids`.
        num_games: N.
        num_players: number of seats; by default the game's own.
        seed: 0 to 2**63 - 1, fixes all deals; None takes the system's entropy.
        threads: how many threads share a step, at most one for 2048 games.
        **options: the game's options and ``reward``.

    Raises:
        ValueError: if an argument is out of its range or unknown.
    """
    return Batch(load_game(id, num_players, **options), num_games, seed, threads)


def _register() -> None:
    """Enter every game in PettingZoo's registry, where it has one, and in Gymnasium's, once."""
    import gymnasium
    import pettingzoo

    aec_registry = getattr(pettingzoo, "aec_registry", None)  # there is none before 1.27
    for game_id in game_ids():
        aec_id = f"railenvs/{game_id}"
        if aec_registry is not None and aec_id not in aec_registry:
            module = f"railenvs.{game_id.replace('-', '_')}"
            pettingzoo.register("aec", aec_id, entry_point=f"{module}:env")
        words, _, version = game_id.rpartition("-")
        seat_id = f"railenvs/{words.title().replace('_', '')}-{version}"
        if seat_id not in gymnasium.registry:
            gymnasium.register(
                seat_id,
                entry_point="railenvs.adapters.gymnasium:SeatEnv",
                vector_entry_point="railenvs.adapters.gymnasium:SeatVectorEnv",
                kwargs={"game_id": game_id},
                # The environment checks its use itself; wrappers would hide action_masks().
                disable_env_checker=True,
                order_enforce=False,
            )


_register()
