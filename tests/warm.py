"""Compile what tests use of a game's kernels: ``python -m tests.warm GAME_ID``.

Processes that share the tests would each compile all games at the same time; see ``conftest.py``.
"""

from __future__ import annotations

import sys

import railenvs
from agents.heuristics import make_heuristic
from railenvs.adapters.pettingzoo import RailEnv
from railenvs.engine.agent import RandomAgent
from railenvs.engine.search import Search, Settings
from railenvs.engine.view import SeatView


def warm(game_id: str) -> None:
    """Call every kernel of a game once, which keeps its machine code on disk."""
    game = railenvs.load_game(game_id)
    state = game.deal(0)
    game.play(state, int(game.legal(state).argmax()))
    game.determinize(state, 0, 0)
    game.scores(state)
    env = RailEnv(game)
    env.reset(seed=0)
    env.step(int(env.last()[0]["action_mask"].argmax()))
    env.reset()
    batch = railenvs.make_batch(game_id, 2, seed=0)
    batch.step(batch.action_masks.argmax(axis=1))
    batch.deal([0], [1])
    batch.deal_next([0])
    for agent in (RandomAgent(game, seed=0), make_heuristic(game, seed=0)):
        agent.act_batch(batch.observations, batch.action_masks)
    Search(SeatView(game, state, game.seat(state)), Settings(simulations=1, cutoff=1), 0).run()


if __name__ == "__main__":
    warm(sys.argv[1])
