"""Whom a learner plays against: fixed agents in given shares, and a growing pool of earlier selves.

How the selves share what is theirs:

- ``recency``: the latest most, each one before it :data:`FADING` times as likely as the next;
- ``uniform``: all alike, as in fictitious self-play (Heinrich, Lanctot and Silver, "Fictitious
  self-play in extensive-form games", ICML 2015);
- ``difficulty``: those that the learner beats least, by the square of what it lacks to a sure win
  (prioritised fictitious self-play: Vinyals et al., "Grandmaster level in StarCraft II using
  multi-agent reinforcement learning", Nature 2019).
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, TypeAlias

Sampling: TypeAlias = Literal["recency", "uniform", "difficulty"]

SELF = "self"
"""Stands among the shares for all earlier selves together."""
FADING = 0.8
REMEMBERED = 400
"""How many of the last games against a self tell how difficult it is."""
ASSUMED = 20
"""Games against a new self that count as if they had been won as often as against an equal."""
LEAST_WEIGHT = 1e-4
"""Of a self that always loses: where all do, they are alike."""


def read_shares(words: Sequence[str]) -> dict[str, float]:
    """Shares of the opponents from words such as ``"heuristic=0.4"`` or ``"self=0.4"``.

    Raises:
        ValueError: if a word is no NAME=WEIGHT, a name comes twice, a weight is no number from 0
            up, or none but earlier selves has a positive one: at first there are none.
    """
    shares: dict[str, float] = {}
    for word in words:
        # Paths may hold an equals sign.
        name, equals, weight = word.rpartition("=")
        if not name or not equals:
            raise ValueError(f"an opponent must be given as NAME=WEIGHT, not {word!r}")
        if name in shares:
            raise ValueError(f"opponent {name!r} is given twice")
        try:
            shares[name] = float(weight)
        except ValueError:
            shares[name] = math.nan
        if not 0 <= shares[name] < math.inf:
            raise ValueError(f"the weight of {name!r} must be a number from 0 up, not {weight!r}")
    if sum(shares.values()) == math.inf:
        raise ValueError(f"the weights of opponents must have a finite sum, not {list(words)!r}")
    if not any(weight for name, weight in shares.items() if name != SELF):
        raise ValueError(
            f"opponents must hold an agent of positive weight besides {SELF!r}, "
            f"not {list(words)!r}: at first there is no earlier self"
        )
    return shares


@dataclass
class EarlierSelf:
    """A saved player among the opponents.

    Attributes:
        name: as agents are named, ``ppo:PATH``.
        results: what the learner got of the latest games in which it took part, each 0 to 1.
        games: how many there were in all.
    """

    name: str
    results: deque[float] = field(default_factory=lambda: deque(maxlen=REMEMBERED))
    games: int = 0

    def won_by_learner(self, even: float) -> float:
        """Estimate of the learner's win share, which is ``even`` before any game is known."""
        return (even * ASSUMED + math.fsum(self.results)) / (ASSUMED + len(self.results))


class OpponentPool:
    """The opponents and their weights.

    Args:
        shares: weights of fixed agents by name; that of ``"self"`` is for all selves together.
        sampling: how the selves share their weight.
        even: the win share of equally strong players, 1 over the number of seats.
        most: how many selves are kept, the latest; None keeps all.
    """

    def __init__(
        self,
        shares: Mapping[str, float],
        sampling: Sampling,
        even: float,
        most: int | None = None,
    ) -> None:
        self._fixed = {name: weight for name, weight in shares.items() if name != SELF}
        self._share_of_selves = shares.get(SELF, 0.0)
        self._sampling = sampling
        self._even = even
        self.selves: deque[EarlierSelf] = deque(maxlen=most)

    def add(self, name: str) -> None:
        """Let an earlier self join."""
        self.selves.append(EarlierSelf(name))

    def kind(self, name: str) -> str:
        """What an opponent counts as: a fixed agent's own name, ``"self"`` for earlier selves."""
        return name if name in self._fixed else SELF

    def count(self, opponents: Iterable[str], won: float) -> None:
        """Take the learner's result of a game into account.

        Args:
            opponents: who took part in it, by name.
            won: the learner's share of the victory.
        """
        present = set(opponents)
        for each in self.selves:
            if each.name in present:
                each.results.append(won)
                each.games += 1

    def weights(self) -> dict[str, float]:
        """Weight of every opponent by name, as ``SelfPlayVecEnv.set_opponents`` takes them."""
        weights = dict(self._fixed)
        if self.selves and self._share_of_selves:
            raw = self._raw_weights()
            for each, weight in zip(self.selves, raw, strict=True):
                weights[each.name] = self._share_of_selves * weight / math.fsum(raw)
        return weights

    def _raw_weights(self) -> list[float]:
        if self._sampling == "recency":
            return [FADING**age for age in reversed(range(len(self.selves)))]
        if self._sampling == "uniform":
            return [1.0] * len(self.selves)
        return [
            max((1 - each.won_by_learner(self._even)) ** 2, LEAST_WEIGHT) for each in self.selves
        ]

    def as_list(self) -> list[dict[str, Any]]:
        """The selves for a result file: file, games, the learner's estimated win share, weight."""
        weights = self.weights()
        return [
            {
                "checkpoint": Path(each.name).name,
                "games": each.games,
                "won_by_learner": round(each.won_by_learner(self._even), 4),
                "weight": round(weights.get(each.name, 0.0), 4),
            }
            for each in self.selves
        ]
