"""What the seat to act may know, for agents."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from railenvs.engine.checks import seed_number
from railenvs.engine.game import Game
from railenvs.engine.state import State


class SeatView:
    """One seat's view of a game.

    It holds a world already dealt afresh from what the seat knows, so there is no way from it to
    the true state.

    Attributes:
        game: the game being played.
        seat: the seat whose view it is.
        observation: what the seat may know, int8 of shape (D,).
        action_mask: its legal actions, int8 of shape (A,); all zero unless it is to act, or
            is as far as it can tell while another seat has a decision that is hidden from it.
    """

    def __init__(self, game: Game, state: State, seat: int) -> None:
        self.game = game
        self.seat = game.check_seat(seat)
        # One world stands for the view: the same for all states that look alike to the seat.
        self._world = game.determinize(state, seat, seed=0)
        self.observation, self.action_mask = game.look(self._world, seat)

    @property
    def legal_actions(self) -> npt.NDArray[np.int64]:
        """The legal actions in ascending order, int64; empty unless the seat is to act."""
        return np.flatnonzero(self.action_mask)

    def __eq__(self, other: object) -> bool:
        """Whether the seat is the same, and knows the same of the same game."""
        return isinstance(other, SeatView) and self._key() == other._key()

    def __hash__(self) -> int:
        return hash(self._key())

    def _key(self) -> tuple[Game, int, bytes]:
        return self.game, self.seat, self._world.tobytes()

    def field(self, name: str) -> npt.NDArray[np.int8]:
        """A named field of the observation in its own shape; ``game.fields`` lists them."""
        return self.game.fields.cut(self.observation, name)

    def table(self) -> dict[str, Any]:
        """The table in card names as the seat sees it."""
        return self.game.table(self._world, self.seat)

    def sample_world(self, seed: int) -> State:
        """A state that agrees with what the seat knows, by the deal's own probabilities.

        The result depends on the view and ``seed`` alone. Search plays on in it with
        ``game.play``, ``game.legal`` and so on.
        """
        return self.game.determinize(self._world, self.seat, seed_number(seed))


def check_view(view: object, game: Game) -> None:
    """Check that an agent was given a view of its game.

    Raises:
        ValueError: if it is something else, or the view of another game.
    """
    if not isinstance(view, SeatView):
        raise ValueError(f"view must be a SeatView, not {view!r}")
    if view.game is not game and view.game != game:
        raise ValueError(f"an agent of {game!r} was given a view of {view.game!r}")
