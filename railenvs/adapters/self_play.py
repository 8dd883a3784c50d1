"""Many games at once in which one seat learns and given policies play the others.

What the training adapters share, whatever library they serve.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt
from gymnasium import spaces

from railenvs.engine.agent import Agent, let_play, make_agent
from railenvs.engine.batch import Batch
from railenvs.engine.checks import ResetNeeded, seed_number, whole_number, whole_numbers
from railenvs.engine.compile import kernel, rule
from railenvs.engine.game import Game
from railenvs.engine.kernels import choose_uniform
from railenvs.engine.random import below, child_seed, fresh_seed, next_seed, seed_generator
from railenvs.engine.state import at

Opponents: TypeAlias = "str | Agent | Iterable[str | Agent] | Mapping[Any, float]"
"""Agents or names of agents, each as likely, or a mapping of them to weights."""

RANDOM = "random"
"""The name of the opponent that chooses uniformly from its game's own generator."""

_LEARNER = -1
"""Stands among the players of a game for the learner."""
_ANY_SEAT = -1
"""Stands for a learner's seat that each game draws anew."""
_GENERATOR = np.dtype([("rng", np.uint64)])
_DRAWS, _RESETS, _AGENTS = 1 << 40, 1 << 41, 1 << 42
"""Where the children of a seed begin that serve other ends than the rows of a batch."""


class SelfPlay:
    """N games; in each the learner has a seat and opponents, fixed while the game lasts.

    A game's opponents, the moves of those named ``"random"`` and the learner's seat (where none
    is given) follow from the game's seed: they depend neither on N nor on other rows. Other agents
    draw from generators of their own, in the order in which they are asked; a reset seeds them.

    After a reset or a step the learner is to act in all games. ``rewards``, ``dones``,
    ``truncations`` and ``forfeits`` are new arrays at every step. What is called final is of the
    games that the last step ended, and of no meaning in rows where ``dones`` is not set.

    Attributes:
        game: the game all rows play.
        batch: the games.
        learner_seats: the learner's seat in each game, int8 (N,).
        rewards: what the learner received in the last step, float64 (N,).
        dones: whether its last action was its last in that game, bool (N,).
        truncations: whether that game was truncated: cut off where the option ``cut_off`` is
            ``"truncate"``; bool (N,).
        forfeits: whether it was lost by an illegal action, bool (N,).
        final_observations: its last view, int8 (N, D).
        final_states: records of the games' ends (N,).
        final_scores: its score, int32 (N,).
        final_shares: its share of the victory, float64 (N,): 1, 1/2 where two share it, 0 for a
            loser and where nobody wins.
        final_seats: its seat, int8 (N,).
        final_seeds: seed of that game, int64 (N,).
    """

    def __init__(
        self,
        game: Game,
        num_games: int,
        opponents: Opponents,
        learner_seat: int | None = None,
        seed: int | None = None,
        threads: int = 1,
    ) -> None:
        self.game = game
        self._seed = fresh_seed() if seed is None else seed_number(seed)
        self._pool = _Pool(game, opponents, self._seed)
        self._resets = 0
        self._ready = False
        seat = self.check_seat(learner_seat)
        self.batch = Batch(game, num_games, seed=self._seed, threads=threads)
        count, size = self.batch.num_games, game.observation_size
        self._all_rows = np.arange(count, dtype=np.int64)
        self._fixed_seats = np.full(count, seat, np.int8)
        self._players = np.full((count, game.num_players), _LEARNER, np.int64)
        self._generators = np.zeros(count, _GENERATOR)
        self._learner_acted = np.zeros(count, np.bool_)
        self.learner_seats = np.zeros(count, np.int8)
        self.final_observations = np.zeros((count, size), np.int8)
        self.final_states = np.zeros(count, game.rulebook.dtype)
        self.final_scores = np.zeros(count, np.int32)
        self.final_shares = np.zeros(count, np.float64)
        self.final_seats = self.learner_seats
        self.final_seeds = self.batch.seeds
        self._final_players = self._players
        self._clear()

    # Playing

    def reset(self, seed: int | None = None, game_seeds: Mapping[int, int] | None = None) -> None:
        """Deal all games and play each on to the learner's turn.

        Args:
            seed: fixes all that follows. None goes on from the last one; the first reset takes
                the constructor's.
            game_seeds: games to be dealt first in chosen rows.
        """
        if seed is not None:
            self._seed = seed_number(seed)
            self._resets = 0
        drawn = self._seed
        if self._resets:
            drawn = int(child_seed(self._seed, _RESETS + self._resets))
        self._resets += 1
        self._ready = False
        self._pool.reset(drawn)
        self.batch.reset(drawn)
        if game_seeds:
            self.batch.deal(list(game_seeds), list(game_seeds.values()))
        self._clear()
        self._begin(self._all_rows)
        self._play_on(self._all_rows)

    def step(self, actions: npt.ArrayLike, lenient: bool = False) -> None:
        """Play the learner's action in every game, then on to its next turn.

        A game that ends is followed by the next one, played on to the learner's first turn; games
        that end before it had one are passed over.

        Args:
            actions: whole numbers, shape (N,).
            lenient: let an illegal action in range lose its game, which ends with reward -1,
                instead of raising.

        Raises:
            ValueError: if a shape, a type or an action is wrong (no game has moved then), or if an
                opponent chose an illegal action (a reset is due then).
            ResetNeeded: before the first reset.
        """
        self.check_ready()
        played = whole_numbers(actions, "actions", self._all_rows.size)
        lost = self._illegal(played) if lenient else self._all_rows[:0]
        moving = np.setdiff1d(self._all_rows, lost) if lost.size else self._all_rows
        seeds = self.batch.seeds.copy()
        self.batch.step(played[moving], moving if lost.size else None)
        self._ready = False
        self._clear()
        self.final_seeds = seeds
        self.final_seats = self.learner_seats.copy()
        self._final_players = self._players.copy()
        self._learner_acted[:] = True
        self._settle(moving)
        if lost.size:
            self._forfeit(lost)
        self._play_on(self._all_rows)

    def _illegal(self, actions: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
        """Rows whose action is in range but illegal; actions out of range are left to raise."""
        in_range = (actions >= 0) & (actions < self.game.num_actions)
        legal = self.batch.action_masks[self._all_rows, np.where(in_range, actions, 0)]
        return np.flatnonzero(in_range & (legal == 0))

    def _forfeit(self, rows: npt.NDArray[np.int64]) -> None:
        """Break off games that the learner lost by an illegal action."""
        self.dones[rows] = True
        self.forfeits[rows] = True
        self.rewards[rows] = -1.0
        self.final_observations[rows] = self.batch.observations[rows]
        self.final_states[rows] = self.batch.states[rows]
        self.final_shares[rows] = 0.0
        for row in rows.tolist():
            scores = self.game.scores(self.batch.states[row : row + 1])
            self.final_scores[row] = scores[self.learner_seats[row]]
        self.batch.deal_next(rows)
        self._begin(rows)

    def check_ready(self) -> None:
        """Raise ResetNeeded unless the learner is to act in all games."""
        if not self._ready:
            raise ResetNeeded("call reset() first")

    def _clear(self) -> None:
        """Forget the results of the step before."""
        self.rewards = np.zeros(self._all_rows.size, np.float64)
        self.dones = np.zeros(self._all_rows.size, np.bool_)
        self.truncations = np.zeros(self._all_rows.size, np.bool_)
        self.forfeits = np.zeros(self._all_rows.size, np.bool_)

    def _play_on(self, rows: npt.NDArray[np.int64]) -> None:
        """Let the opponents move in ``rows`` until the learner is to act in all of them."""
        while True:
            players = self._players[rows, self.batch.seats[rows]]
            waiting = players != _LEARNER
            rows = rows[waiting]
            if not rows.size:
                break
            self._reply(rows, players[waiting])
            self._settle(rows)
        self._ready = True

    def _reply(self, rows: npt.NDArray[np.int64], players: npt.NDArray[np.int64]) -> None:
        """Play one move of an opponent in each row, all moves of one policy together."""
        for number in np.flatnonzero(np.bincount(players)).tolist():
            group = rows[players == number]
            opponent = self._pool.members[number]
            if opponent.agent is None:
                drawn = np.empty(group.size, np.int64)
                choose_in_rows(self._generators, group, self.batch.action_masks, drawn)
                self.batch.step(drawn, group)
            else:
                let_play(opponent.agent, f"opponent {opponent.label!r}", self.batch, group)

    def _settle(self, rows: npt.NDArray[np.int64]) -> None:
        """Where the last move ended a game, keep its last words and begin the next."""
        over = rows[self.batch.terminations[rows] | self.batch.truncations[rows]]
        if over.size:
            self._finish(over[self._learner_acted[over]])
            self._begin(over)

    def _begin(self, rows: npt.NDArray[np.int64]) -> None:
        """Draw the learner's seat and the opponents of games just dealt."""
        self._learner_acted[rows] = False
        draw_players(
            self._generators,
            rows,
            self.batch.seeds,
            self._fixed_seats,
            self._pool.numbers,
            self._pool.thresholds,
            self.learner_seats,
            self._players,
        )

    def _finish(self, rows: npt.NDArray[np.int64]) -> None:
        """Keep the last words of games that the learner took part in."""
        batch = self.batch
        seats = self.learner_seats[rows]
        winners = batch.final_winners[rows]
        won = winners[np.arange(rows.size), seats]
        self.dones[rows] = True
        self.truncations[rows] = batch.truncations[rows]
        self.rewards[rows] = batch.rewards[rows, seats]
        self.final_observations[rows] = batch.final_observations[rows, seats]
        self.final_states[rows] = batch.final_states[rows]
        self.final_scores[rows] = batch.final_scores[rows, seats]
        self.final_shares[rows] = won / np.maximum(winners.sum(axis=1), 1)

    # Players

    def set_opponents(self, opponents: Opponents) -> None:
        """Let games dealt from now on draw their opponents from ``opponents``.

        Names and agents that were among the opponents before stay the same policies and go on
        drawing from their generators.

        Raises:
            ValueError: if they are no agents, or weights are no numbers from 0 up with a positive
                sum; nothing is changed then.
        """
        named = np.union1d(self._players, self._final_players)
        self._pool.replace(opponents, still_named=named.tolist())

    @property
    def opponents(self) -> dict[str, float]:
        """Label and probability of each policy that games dealt from now on draw from."""
        return self._pool.probabilities()

    def opponents_in(self, row: int) -> tuple[str, ...]:
        """Labels of the others' policies in a row's game, clockwise from the learner."""
        return self._labels(self._players[row], self.learner_seats[row])

    def final_opponents(self, row: int) -> tuple[str, ...]:
        """The same of the game that a row's last step ended; only where ``dones`` is set."""
        return self._labels(self._final_players[row], self.final_seats[row])

    def _labels(self, players: npt.NDArray[np.int64], seat: int) -> tuple[str, ...]:
        others = players.tolist()
        return tuple(
            self._pool.members[other].label for other in others[seat + 1 :] + others[:seat]
        )

    def fixed_seat(self, row: int) -> int | None:
        """The learner's seat in the games to come of a row, None where each draws it."""
        seat = int(self._fixed_seats[row])
        return None if seat == _ANY_SEAT else seat

    def fix_seat(self, row: int, seat: int | None) -> None:
        """Give the learner a seat in the games to come of a row; None draws it for each."""
        self._fixed_seats[row] = self.check_seat(seat)

    def check_seat(self, seat: int | None) -> int:
        """A learner's seat as the number kept for it; ValueError if there is no such seat."""
        if seat is None:
            return _ANY_SEAT
        return whole_number(seat, "learner_seat", 0, self.game.num_players - 1)


@dataclass(frozen=True)
class _Opponent:
    """A policy, what it was given as, and the label under which results name it.

    Without an agent it is the one named ``RANDOM``.
    """

    given: str | Agent
    label: str
    agent: Agent | None


class _Pool:
    """The policies that opponents are drawn from, and those that games still name.

    Attributes:
        members: all of them by number; a number is never given twice.
        numbers: those drawn from, int64 (p,).
        thresholds: a uniform number in [0, 1) draws the first whose threshold exceeds it,
            float64 (p,).
    """

    def __init__(self, game: Game, opponents: Opponents, seed: int) -> None:
        self._game = game
        self._seed = seed
        self._next_number = 0
        self.members: dict[int, _Opponent] = {}
        self.replace(opponents, still_named=())

    def reset(self, seed: int) -> None:
        """Start every agent's random numbers afresh; forget those no longer drawn from."""
        self._seed = seed
        self.members = {number: self.members[number] for number in self.numbers.tolist()}
        for number, opponent in self.members.items():
            if opponent.agent is not None:
                opponent.agent.reset(self._agent_seed(number))

    def replace(self, opponents: Opponents, still_named: Iterable[int]) -> None:
        """Draw from ``opponents`` from now on; others are kept while still named."""
        members = dict(self.members)
        number = self._next_number
        weights: dict[int, float] = {}
        for given, weight in _read_weights(opponents):
            known = next((n for n, member in members.items() if _same(member.given, given)), None)
            if known is None:
                known, number = number, number + 1
                members[known] = self._admit(given, known, members)
            weights[known] = weights.get(known, 0.0) + weight
        kept = {*weights, *still_named}
        self.members = {n: member for n, member in members.items() if n in kept}
        self._next_number = number
        self.numbers = np.array(list(weights), np.int64)
        self.thresholds = np.cumsum(list(weights.values())) / math.fsum(weights.values())
        self.thresholds[-1] = 1.0

    def probabilities(self) -> dict[str, float]:
        """Label and probability of each policy drawn from."""
        labels = [self.members[number].label for number in self.numbers.tolist()]
        return dict(zip(labels, np.diff(self.thresholds, prepend=0.0).tolist(), strict=True))

    def _admit(
        self, given: str | Agent, number: int, members: Mapping[int, _Opponent]
    ) -> _Opponent:
        agent: Agent | None
        if not isinstance(given, str):
            name = getattr(given, "name", None)
            label, agent = name if isinstance(name, str) else type(given).__name__, given
        elif given == RANDOM:
            label, agent = given, None
        else:
            label, agent = given, make_agent(given, self._game, self._agent_seed(number))
        taken = {member.label for member in members.values()}
        labels = itertools.chain([label], (f"{label} {count}" for count in itertools.count(2)))
        return _Opponent(given, next(free for free in labels if free not in taken), agent)

    def _agent_seed(self, number: int) -> int:
        return int(child_seed(self._seed, _AGENTS + number))


def observation_space(game: Game, scale: bool) -> spaces.Box:
    """What a learner sees: float32, each entry over its field's bound, or int8 as it stands."""
    low, high = game.fields.bounds()
    if scale:
        return spaces.Box(game.fields.scale(low), game.fields.scale(high), dtype=np.float32)
    return spaces.Box(low, high, dtype=np.int8)


def _same(one: str | Agent, other: str | Agent) -> bool:
    return one is other or (isinstance(one, str) and one == other)


def _read_weights(opponents: Opponents) -> list[tuple[str | Agent, float]]:
    """Opponents of positive weight with their weights, or ValueError."""
    if isinstance(opponents, Mapping):
        pairs = list(opponents.items())
    elif isinstance(opponents, str) or not isinstance(opponents, Iterable):
        pairs = [(opponents, 1.0)]
    else:
        pairs = [(given, 1.0) for given in opponents]
    for given, weight in pairs:
        if isinstance(given, type) or not isinstance(given, (str, Agent)):
            raise ValueError(f"an opponent must be an Agent or the name of one, not {given!r}")
        number = isinstance(weight, (int, float, np.number)) and not isinstance(weight, bool)
        if not number or not 0 <= weight < math.inf:
            raise ValueError(f"the weight of {given!r} must be a number from 0 up, not {weight!r}")
    drawn = [(given, float(weight)) for given, weight in pairs if weight > 0]
    if sum(weight for _, weight in drawn) == math.inf:
        raise ValueError(f"the weights of the opponents must have a finite sum, not {opponents!r}")
    if not drawn:
        raise ValueError(f"opponents must hold one of positive weight, not {opponents!r}")
    return drawn


@kernel
def draw_players(
    generators: Any,
    rows: Any,
    seeds: Any,
    fixed_seats: Any,
    numbers: Any,
    thresholds: Any,
    learner_seats: Any,
    players: Any,
) -> None:
    """Seed the generators of ``rows`` and draw who plays there.

    Each seat draws an opponent whether the learner takes it or not, so that a seat's opponent does
    not depend on where the learner sits.

    Args:
        generators: (N,) records with rng.
        rows: (k,) in which games are drawn.
        seeds: (N,) seeds of the games.
        fixed_seats: (N,) the learner's seat, or ``_ANY_SEAT``.
        numbers: (p,) the policies drawn from.
        thresholds: (p,) their cumulative probabilities.
        learner_seats: (N,), written.
        players: (N, n), written: ``_LEARNER`` or one of ``numbers``.
    """
    count = players.shape[1]
    for row in rows:
        generator = at(generators, row)
        seed_generator(generator, child_seed(seeds[row], _DRAWS))
        learner = int(below(generator, count))
        if fixed_seats[row] != _ANY_SEAT:
            learner = int(fixed_seats[row])
        for seat in range(count):
            players[row, seat] = numbers[_draw_weighted(generator, thresholds)]
        players[row, learner] = _LEARNER
        learner_seats[row] = learner


@rule
def _draw_weighted(generator: Any, thresholds: Any) -> int:
    drawn = next_seed(generator) * 2.0**-53
    index = 0
    while drawn >= thresholds[index]:
        index += 1
    return index


@kernel
def choose_in_rows(generators: Any, rows: Any, masks: Any, actions: Any) -> None:
    """Write a uniformly drawn legal action (k,) for each of ``rows``, from its own generator."""
    for index in range(rows.size):
        row = rows[index]
        actions[index] = choose_uniform(at(generators, row), masks[row])
