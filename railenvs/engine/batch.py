"""Many games of one rulebook at once, in arrays."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from railenvs.engine import kernels
from railenvs.engine.checks import seed_number, whole_number, whole_numbers
from railenvs.engine.game import Game
from railenvs.engine.random import fresh_seed
from railenvs.engine.state import States
from railenvs.engine.threads import Pool

ROWS_A_THREAD = 2048
"""Games that are worth a thread: fewer are stepped sooner than another thread wakes up."""

Ints = npt.NDArray[np.int64]


class Batch:
    """N games side by side; a game that ends is dealt afresh in the same step.

    After a step, row ``i`` of the arrays tells of the decision now due in game ``i``. Where the
    step ended a game, ``terminations[i]`` or ``truncations[i]`` is set, ``rewards[i]`` is what
    its seats received, and ``final_scores[i]``, ``final_winners[i]``, ``final_observations[i]``
    and ``final_states[i]`` are the finished game's last words, kept until the row's next game ends.

    The deals of row ``i`` depend on ``seed``, ``i`` and how many games the row has seen, not on N,
    the actions or the number of threads. ``game.deal(int(batch.seeds[i]))`` deals the same game.

    Arrays are written in place by :meth:`step`: copy what must last.

    Attributes:
        game: the game all rows play.
        num_games: N.
        threads: how many share a step, at most one for :data:`ROWS_A_THREAD` games; may be set.
        observations: what each seat to act may know, int8 (N, D).
        action_masks: its legal actions, int8 (N, A).
        seats: the seats to act, int8 (N,).
        moves: decisions of each row's game so far, int64 (N,).
        rewards: what every seat received in the last step, float64 (N, n).
        terminations: whether the last step ended the game, bool (N,).
        truncations: whether the last step cut the game off and it counts as truncated, by the
            option ``cut_off``; else a game that is cut off is among ``terminations``; bool (N,).
        final_scores: int32 (N, n).
        final_winners: int8 (N, n), 1 for a winner.
        final_observations: every seat's last observation, int8 (N, n, D).
        final_states: records of the games' ends (N,).
        seeds: seed of each row's game, int64 (N,).
    """

    def __init__(self, game: Game, num_games: int, seed: int | None = None, threads: int = 1):
        self.game = game
        self.num_games = whole_number(num_games, "num_games", 1, 2**31 - 1)
        self.threads = threads
        seats, size, actions = game.num_players, game.observation_size, game.num_actions
        self._blank = game.blank()
        self._states = np.zeros(num_games, self._blank.dtype)
        self._observations = np.zeros((num_games, size), np.int8)
        self._masks = np.zeros((num_games, actions), np.int8)
        self._seats = np.zeros(num_games, np.int8)
        self._rewards = np.zeros((num_games, seats), np.float64)
        self._terminations = np.zeros(num_games, np.bool_)
        self._truncations = np.zeros(num_games, np.bool_)
        self._final_scores = np.zeros((num_games, seats), np.int32)
        self._final_winners = np.zeros((num_games, seats), np.int8)
        self._final_observations = np.zeros((num_games, seats, size), np.int8)
        self._final_states = np.zeros(num_games, self._blank.dtype)
        self._moves = np.zeros(num_games, np.int64)
        self._families = np.zeros(num_games, np.int64)
        self._dealt = np.zeros(num_games, np.int64)
        self._seeds = np.zeros(num_games, np.int64)
        self._all_rows = np.arange(num_games)
        self._pool = Pool("railenvs-batch")
        self._show()
        self.reset(seed)

    observations: npt.NDArray[np.int8]
    action_masks: npt.NDArray[np.int8]
    seats: npt.NDArray[np.int8]
    moves: Ints
    rewards: npt.NDArray[np.float64]
    terminations: npt.NDArray[np.bool_]
    truncations: npt.NDArray[np.bool_]
    final_scores: npt.NDArray[np.int32]
    final_winners: npt.NDArray[np.int8]
    final_observations: npt.NDArray[np.int8]
    final_states: States
    seeds: Ints
    states: States

    def reset(self, seed: int | None = None) -> None:
        """Deal all rows afresh.

        Args:
            seed: 0 to 2**63 - 1, fixes all deals to come; None takes the system's entropy.
        """
        drawn = fresh_seed() if seed is None else seed_number(seed)
        self._families[:] = kernels.family_seeds(drawn, self.num_games)
        self._dealt[:] = 0
        self.deal_next(self._all_rows)

    @property
    def threads(self) -> int:
        """How many threads share a step, 1 to 1024; may be set."""
        return self._threads

    @threads.setter
    def threads(self, threads: int) -> None:
        self._threads = whole_number(threads, "threads", 1, 1024)

    def deal(self, rows: npt.ArrayLike, seeds: npt.ArrayLike) -> None:
        """Deal chosen games in chosen rows; later games of the row are those it would have had.

        Args:
            rows: indices, whole numbers of shape (k,), each at most once.
            seeds: a seed for each of them, whole numbers of shape (k,).
        """
        chosen = self._check_rows(rows)
        given = whole_numbers(seeds, "seeds", chosen.size)
        if given.size and given.min() < 0:
            raise ValueError(f"seeds must be from 0 to 2**63 - 1, not {given.min()}")
        self._seeds[chosen] = given
        self._deal(chosen)

    def deal_next(self, rows: npt.ArrayLike) -> None:
        """Break off the games of ``rows`` and deal the next ones that the rows have coming."""
        chosen = self._check_rows(rows)
        kernels.draw_seeds(self._families, self._dealt, chosen, self._seeds)
        self._deal(chosen)

    def _deal(self, rows: Ints) -> None:
        self._rewards[rows] = 0
        self._terminations[rows] = False
        self._truncations[rows] = False
        self._moves[rows] = 0
        kernels.deal_rows(
            self._states,
            self._blank,
            rows,
            self._seeds,
            self._observations,
            self._masks,
            self._seats,
        )

    def step(self, actions: npt.ArrayLike, rows: npt.ArrayLike | None = None) -> None:
        """Play one action in every game, or in those of ``rows`` while the others wait.

        Args:
            actions: whole numbers, shape (N,), or (k,) with ``rows``.
            rows: indices of the games that move, shape (k,), each at most once.

        Raises:
            ValueError: if a shape, a type, a row or an action is wrong or an action is illegal;
                no game has moved then.
        """
        chosen = self._all_rows if rows is None else self._check_rows(rows)
        played = whole_numbers(actions, "actions", chosen.size)
        bad = kernels.first_illegal(self._masks, chosen, played)
        if bad >= 0:
            raise ValueError(self._explain(int(chosen[bad]), int(played[bad])))
        threads = max(1, min(self.threads, chosen.size // ROWS_A_THREAD))
        taken, done = np.zeros(threads, np.int64), np.zeros(1, np.int64)
        others = [
            self._pool.of(self.threads - 1).submit(self._step, chosen, played, taken, done, thread)
            for thread in range(1, threads)
        ]
        self._step(chosen, played, taken, done, 0)
        for other in others:
            # One that has not even begun is not needed any more.
            if not other.cancel() and done[0] < chosen.size:
                other.result()

    def _step(self, rows: Ints, actions: Ints, taken: Ints, done: Ints, thread: int) -> None:
        kernels.step_rows(
            self._states,
            self._blank,
            rows,
            actions,
            self._families,
            self._dealt,
            self._seeds,
            self._observations,
            self._masks,
            self._seats,
            self._rewards,
            self._terminations,
            self._truncations,
            self._final_scores,
            self._final_winners,
            self._final_observations,
            self._final_states,
            self._moves,
            taken,
            done,
            thread,
        )

    def table(self, row: int, seat: int | None = None) -> dict[str, Any]:
        """The table of one game in card names: everything, or what ``seat`` sees."""
        row = whole_number(row, "row", 0, self.num_games - 1)
        return self.game.table(self._states[row : row + 1], seat)

    def _check_rows(self, rows: npt.ArrayLike) -> Ints:
        chosen = whole_numbers(rows, "rows", None)
        if chosen.size and not 0 <= chosen.min() <= chosen.max() < self.num_games:
            raise ValueError(f"rows must be from 0 to {self.num_games - 1}, not {chosen}")
        named = np.zeros(self.num_games, np.bool_)
        named[chosen] = True
        if np.count_nonzero(named) != chosen.size:
            raise ValueError(f"rows must differ, not {chosen}")
        return chosen

    def _explain(self, row: int, action: int) -> str:
        last = self.game.num_actions - 1
        if 0 <= action <= last:
            why = self.game.explain_illegal(self._states[row : row + 1], action)
        else:
            why = f"action must be from 0 to {last}, not {action}"
        return f"{self.describe(row)}: {why}"

    def describe(self, row: int) -> str:
        """Which decision is due in a row: row, seat, move, deal and game, for messages."""
        row = whole_number(row, "row", 0, self.num_games - 1)
        return (
            f"game {row} (player_{self._seats[row]}, move {self._moves[row] + 1}, deal seed "
            f"{self._seeds[row]}, {self.game!r})"
        )

    def _show(self) -> None:
        for name, behind in _READABLE.items():
            shown = getattr(self, behind).view()
            shown.flags.writeable = False
            setattr(self, name, shown)

    def __getstate__(self) -> dict[str, Any]:
        kept = self.__dict__.copy()
        for name in _READABLE:
            del kept[name]
        return kept

    def __setstate__(self, kept: dict[str, Any]) -> None:
        self.__dict__.update(kept)
        self._show()


_READABLE = {
    "observations": "_observations",
    "action_masks": "_masks",
    "seats": "_seats",
    "moves": "_moves",
    "rewards": "_rewards",
    "terminations": "_terminations",
    "truncations": "_truncations",
    "final_scores": "_final_scores",
    "final_winners": "_final_winners",
    "final_observations": "_final_observations",
    "final_states": "_final_states",
    "seeds": "_seeds",
    "states": "_states",
}
"""What users read, and the arrays behind; users get views that cannot be written."""
