"""What heuristics that judge each legal action by itself have in common."""

from __future__ import annotations

from abc import ABC, abstractmethod

import numpy as np
import numpy.typing as npt

from railenvs import Game, SeatView
from railenvs.engine.checks import seed_number

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]

TIE = 1e-9
"""Actions whose worth differs by less are equally good: one is drawn."""


class Judging(ABC):
    """Chooses the legal action of most worth, by lot among equals.

    A heuristic says in :meth:`worth` what actions are worth.

    Args:
        game: what it plays.
        seed: for the random numbers; None takes the system's entropy.
    """

    def __init__(self, game: Game, seed: int | None = None) -> None:
        self.game = game
        self.reset(seed)

    def reset(self, seed: int | None = None) -> None:
        """Start the random numbers afresh, from the system's entropy without a seed."""
        self._random = np.random.default_rng(None if seed is None else seed_number(seed))

    def act(self, view: SeatView) -> int:
        """Choose one of ``view.legal_actions``."""
        return int(self.act_batch(view.observation[None], view.action_mask[None])[0])

    def act_batch(
        self, observations: npt.NDArray[np.int8], action_masks: npt.NDArray[np.int8]
    ) -> Ints:
        """Choose a legal action in every row; see :class:`agents.Agent`."""
        rows, actions = np.nonzero(action_masks)
        worth = self.worth(observations, rows, actions)
        first_of_row = np.flatnonzero(np.diff(rows, prepend=-1))
        best = np.maximum.reduceat(worth, first_of_row)[rows]
        lot = np.where(worth >= best - TIE, 1 + self._random.random(worth.size), 0)
        return np.asarray(actions[lot == np.maximum.reduceat(lot, first_of_row)[rows]])

    @abstractmethod
    def worth(self, observations: npt.NDArray[np.int8], rows: Ints, actions: Ints) -> Floats:
        """How good actions are, float64 (a,); comparable within a row.

        Args:
            observations: int8 (k, D).
            rows: of the observation in which each action is legal, (a,).
            actions: (a,).
        """
