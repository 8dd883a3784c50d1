"""Very many random steps with every invariant checked.

``python -m tests.engine.soak --steps 10_000_000`` shares the steps among all games, numbers of
seats and options that change the play.

Each game brings ``tests/games/<game>_invariants.py``: ``check(game, states)`` for tables in
progress, ``check_step(game, before, after)``, ``check_end(game, observations, scores, winners)``
and ``decisions(num_players)``, the fewest and most decisions of a game. It may also hold
``SHORT_GAMES`` and ``GRID_SEATS``, see ``tests/grid.py``.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

import railenvs
from railenvs import Batch
from railenvs.engine.state import TERMINATED
from railenvs.games import load_rulebook
from tests.grid import CELLS, Cell, hooks, seatings

EVERY_SEATING = [
    cell
    for game_id in railenvs.game_ids()
    for cell in seatings(game_id, load_rulebook(game_id).seats)
]
PLAYED_CELLS = list(
    dict.fromkeys(cell for cell in EVERY_SEATING + CELLS if "reward" not in dict(cell.options))
)
"""Every number of seats, and cells of the grid in which play differs otherwise."""


@dataclass
class Report:
    """What a run came to."""

    cell: Cell
    steps: int = 0
    games: int = 0
    shortest: int = 2**31
    longest: int = 0
    wins: npt.NDArray[np.int64] = field(default_factory=lambda: np.zeros(0, np.int64))
    shared: int = 0

    def __str__(self) -> str:
        wins = ", ".join(f"{share:.1%}" for share in self.wins / self.games)
        return (
            f"{self.cell}: {self.steps:,} steps, {self.games:,} games of {self.shortest} to "
            f"{self.longest} decisions; seats win {wins}; {self.shared:,} shared"
        )


def soak(cell: Cell, steps: int, num_games: int = 1024, seed: int = 0, games: int = 0) -> Report:
    """Play random steps in a batch and check everything after each.

    Goes on until so many steps are made and so many games have ended.

    Raises:
        AssertionError: where an invariant does not hold.
    """
    batch = cell.batch(num_games, seed)
    game = batch.game
    own = hooks(cell.game_id)
    fewest, most = own.decisions(game.num_players)
    chance = np.random.default_rng(seed)
    # Rows differ in how much they like each action, so that rare courses come up too.
    tastes = chance.normal(0, 2, batch.action_masks.shape)
    report = Report(cell, wins=np.zeros(game.num_players, np.int64))
    lengths = np.zeros(num_games, np.int64)
    _check_shown(batch, 0)
    own.check(game, batch.states)
    while report.steps < steps or report.games < games:
        before = batch.states.copy()
        liking = tastes + chance.gumbel(size=tastes.shape)
        batch.step(np.where(batch.action_masks, liking, -np.inf).argmax(axis=1))
        report.steps += num_games
        lengths += 1
        over = batch.terminations | batch.truncations
        assert (lengths <= most).all(), "a game does not end"
        _check_shown(batch, report.steps // num_games)
        own.check(game, batch.states)
        own.check_step(game, before[~over], batch.states[~over])
        assert not batch.rewards[~over].any()
        if over.any():
            _check_results(batch, over, own)
            assert (lengths[over] >= fewest).all(), "a game ends too soon"
            report.games += int(over.sum())
            report.shortest = min(report.shortest, int(lengths[over].min()))
            report.longest = max(report.longest, int(lengths[over].max()))
            report.wins += batch.final_winners[over].sum(axis=0)
            report.shared += int((batch.final_winners[over].sum(axis=1) > 1).sum())
            lengths[over] = 0
    return report


def _check_shown(batch: Batch, step: int) -> None:
    """Observations in bounds, a legal action everywhere; for one row at a time also no leak."""
    game = batch.game
    low, high = game.fields.bounds()
    assert (batch.observations >= low).all()
    assert (batch.observations <= high).all()
    assert ((batch.action_masks == 0) | (batch.action_masks == 1)).all()
    assert batch.action_masks.any(axis=1).all()
    assert ((batch.seats >= 0) & (batch.seats < game.num_players)).all()
    assert (batch.states["seat"] == batch.seats).all()
    assert not batch.states["ended"].any()
    row = step % batch.num_games
    state = batch.states[row : row + 1].copy()
    for seat in range(game.num_players):
        observation, mask = game.look(state, seat)
        world = game.determinize(state, seat, step)
        other = game.look(world, seat)
        assert (observation == other[0]).all()
        # A hidden decision of another seat may be taken back, so that someone else is to act.
        if game.seat(world) == game.seat(state):
            assert (mask == other[1]).all()
        else:
            assert game.seat(state) != seat
        if seat == batch.seats[row]:
            assert (observation == batch.observations[row]).all()
            assert (mask == batch.action_masks[row]).all()


def _check_results(batch: Batch, over: npt.NDArray[np.bool_], own: Any) -> None:
    """Results of the games that just ended."""
    game = batch.game
    low, high = game.fields.bounds()
    seen = batch.final_observations[over]
    assert (seen >= low).all()
    assert (seen <= high).all()
    scores, winners = batch.final_scores[over], batch.final_winners[over]
    finished = batch.final_states["ended"][over] == TERMINATED
    own.check_end(game, seen[finished], scores[finished], winners[finished])
    assert not winners[~finished].any()
    count = winners.sum(axis=1, keepdims=True)
    share = winners / np.maximum(count, 1)
    paid = (game.num_players * share - 1) / (game.num_players - 1)
    lost_by_all = game.options.get("cut_off") == "loss"
    wanted = np.where(finished[:, None] | lost_by_all, paid, 0)
    np.testing.assert_allclose(batch.rewards[over], wanted, atol=1e-6)


def main(steps: int = 1_000_000, seed: int = 0) -> None:
    """Check random play in every cell and print what was seen.

    Args:
        steps: random steps in all.
        seed: fixes them.
    """
    start = time.perf_counter()
    reports = []
    for cell in PLAYED_CELLS:
        reports.append(soak(cell, -(-steps // len(PLAYED_CELLS)), seed=seed))
        print(reports[-1], flush=True)
    total = sum(report.steps for report in reports)
    print(f"{total:,} steps, every check holds ({time.perf_counter() - start:.0f} s)")


if __name__ == "__main__":
    import tyro

    tyro.cli(main)
