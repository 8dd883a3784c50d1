"""Baseline agents, all with one interface and named by short strings.

==================  ===========================================================================
``"random"``        uniformly random legal actions
``"heuristic"``     the game's own rules of thumb
``"ismcts:N"``      information-set Monte Carlo tree search, N simulations a decision
``"flat:N"``        flat Monte Carlo over the same worlds
``"ppo:PATH"``      a saved MaskablePPO, playing its likeliest action
``"module:Class"``  any class, called as ``Class(game, seed=seed)``
==================  ===========================================================================

    game = railenvs.load_game("deck_express-v0", num_players=2)
    agent = agents.make("heuristic", game, seed=0)
"""

from __future__ import annotations

from agents.heuristics import make_heuristic
from agents.learned import load_ppo
from agents.search import make_flat, make_ismcts
from railenvs import Game
from railenvs.engine.agent import Agent, make_agent, register_agent

__all__ = ["Agent", "make"]


def make(name: str, game: Game, seed: int | None = None) -> Agent:
    """The agent that a short string names, as listed above.

    Args:
        name: the agent's name.
        game: the game it is to play.
        seed: 0 to 2**63 - 1, for its random numbers; None takes the system's entropy.

    Raises:
        ValueError: if there is no such agent, or it does not play this game.
        ImportError: if it needs packages that are not installed.
    """
    return make_agent(name, game, seed)


def _heuristic(game: Game, seed: int | None, argument: str) -> Agent:
    if argument:
        raise ValueError(f"'heuristic' takes nothing after a colon, not {argument!r}")
    return make_heuristic(game, seed)


register_agent("heuristic", _heuristic)
register_agent("ismcts", make_ismcts)
register_agent("flat", make_flat)
register_agent("ppo", load_ppo)
