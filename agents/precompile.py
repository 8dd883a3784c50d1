"""Compile ahead all that the games and their heuristics need.

    python -m agents.precompile

As :mod:`railenvs.precompile`, and the heuristics with searches by them beside.
"""

from __future__ import annotations

import agents
from railenvs import SeatView, load_game, precompile


def compile_game(game_id: str) -> None:
    """Compile a game, its heuristic, and searches with the heuristic's rollouts."""
    precompile.compile_game(game_id)
    game = load_game(game_id)
    state = game.deal(0)
    view = SeatView(game, state, game.seat(state))
    for name in ("heuristic", "ismcts:1,rollouts=heuristic"):
        agents.make(name, game, seed=0).act(view)


if __name__ == "__main__":
    precompile.main(compile_game)
