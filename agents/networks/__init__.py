"""Networks that know how a game's cards are alike; games without one train a plain MLP.

A network shapes what a learner finds easy, not what it is told: it sees the same observation.
"""

from __future__ import annotations

import importlib
from typing import Any

from railenvs import Game

_POLICIES = {"deck_express": "CompanyPolicy"}
"""Class in the module of the rulebook's name."""


def policy_for(game: Game) -> tuple[Any, dict[str, Any]]:
    """The policy that MaskablePPO should train on a game, and its keyword arguments."""
    name = game.rulebook.name
    if name not in _POLICIES:
        return "MlpPolicy", {"net_arch": [128, 128]}
    module = importlib.import_module(f"{__name__}.{name}")
    return getattr(module, _POLICIES[name]), {"game": game}
