"""Compiled loops over games, the same for every rulebook.

Array arguments: ``states`` and ``blank`` are structured arrays of one rulebook's record;
observations and masks are int8; ``D`` is the observation's size, ``A`` the number of actions and
``n`` the number of seats.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from railenvs.engine.compile import kernel, rule
from railenvs.engine.random import below, child_seed, next_seed, seed_generator
from railenvs.engine.rulebook import deal, determinize, legal, observe, play, scores, winners
from railenvs.engine.sharing import add_to, take, wait_for
from railenvs.engine.state import AT_RANDOM, CUT_OFF, PLAYING, at

OUTCOME, MARGIN, SCORE = range(3)
"""Values of ``state.reward``."""

LOSS, DRAW, TRUNCATE = range(3)
"""Values of ``state.cut_off``."""

ILLEGAL, OUT_OF_RANGE = -1, -2
"""What :func:`advance` returns instead of a seat when it changed nothing."""
OVER = 127
"""What :func:`advance` returns when the game has ended."""

BLOCK = 32
"""Entries of a mask that a choice among many actions counts at one go."""


# One game


@kernel
def deal_game(states: Any, seed: int) -> None:
    """Seed the generator of a blank state and deal."""
    deal_from(at(states, 0), seed)


@rule
def deal_from(state: Any, seed: int) -> None:
    """Deal a blank state from a seed; who was told to begin matters no more afterwards."""
    seed_generator(state, seed)
    deal(state)
    state.first_player = AT_RANDOM


@kernel
def advance(states: Any, action: int, observation: Any, mask: Any) -> int:
    """Play one action, then write the next seat's observation (D,) and mask (A,).

    Returns:
        The seat to act, ``OVER``, ``ILLEGAL`` or ``OUT_OF_RANGE``; nothing is changed in the last
        two cases, though ``mask`` is overwritten.
    """
    state = at(states, 0)
    if action < 0 or action >= mask.size:
        return OUT_OF_RANGE
    legal(state, mask)
    if not mask[action]:
        return ILLEGAL
    play(state, action)
    if state.ended != PLAYING:
        return OVER
    legal(state, mask)
    observe(state, state.seat, observation)
    return int(state.seat)


@kernel
def look(states: Any, seat: int, observation: Any, mask: Any) -> None:
    """Write a seat's observation (D,), and its mask (A,): all zero unless it is to act."""
    state = at(states, 0)
    observe(state, seat, observation)
    if state.ended == PLAYING and state.seat == seat:
        legal(state, mask)
    else:
        for action in range(mask.size):
            mask[action] = 0


@kernel
def play_legal(states: Any, action: int) -> None:
    """Play an action known to be legal."""
    play(at(states, 0), action)


@kernel
def deal_unknown(states: Any, seat: int, seed: int) -> None:
    """Seed the generator and deal afresh all that a seat cannot know."""
    state = at(states, 0)
    seed_generator(state, seed)
    determinize(state, seat)


@kernel
def results(states: Any, points: Any, won: Any, rewards: Any) -> None:
    """Write scores (n,), winners (n,) and rewards (n,), as they stand."""
    judge(at(states, 0), points, won, rewards)


@kernel
def draw_seed(states: Any) -> Any:
    """A new seed from the state's generator, which moves on."""
    return next_seed(at(states, 0))


@rule
def judge(state: Any, points: Any, won: Any, rewards: Any) -> None:
    """Write each seat's score, whether it wins, and its reward by ``state.reward``.

    ``OUTCOME`` is zero-sum: with n seats and w winners, (n/w - 1)/(n - 1) for a winner and
    -1/(n - 1) for a loser, so +1 and -1 where two play. Nobody wins a game that was cut off; where
    nobody wins all have lost, or get 0 if ``state.cut_off`` says so. ``MARGIN`` is the score less
    the mean of the others'; ``SCORE`` the score: cut off or not, as the scores stand.
    """
    scores(state, points)
    winners(state, won)
    count = int(state.num_players)
    total = 0
    winning = 0
    for seat in range(count):
        if state.ended == CUT_OFF:
            won[seat] = 0
        total += int(points[seat])
        winning += int(won[seat])
    for seat in range(count):
        if state.reward == SCORE:
            rewards[seat] = points[seat]
        elif state.reward == MARGIN:
            rewards[seat] = points[seat] - (total - int(points[seat])) / (count - 1)
        elif winning == 0 and state.cut_off != LOSS:
            rewards[seat] = 0.0
        else:
            rewards[seat] = (won[seat] * count / max(winning, 1) - 1.0) / (count - 1)


@rule
def is_truncated(state: Any) -> bool:
    """Whether the game was cut off and counts as truncated rather than terminated."""
    return bool(state.ended == CUT_OFF and state.cut_off == TRUNCATE)


# Many games


@rule
def choose_uniform(state: Any, mask: Any) -> int:
    """One of the legal actions, each as likely, drawn from ``state``'s generator."""
    count = 0
    for action in range(mask.size):
        count += mask[action]
    skip = below(state, count)
    start = 0
    while start + BLOCK <= mask.size:
        # Blocks before the one sought are counted at one go, which the compiler vectorises.
        legal_here = 0
        for action in range(start, start + BLOCK):
            legal_here += mask[action]
        if skip < legal_here:
            break
        skip -= legal_here
        start += BLOCK
    for action in range(start, mask.size):
        skip -= mask[action]
        if skip < 0:
            return action
    return -1


@kernel
def choose_actions(generators: Any, masks: Any, actions: Any) -> None:
    """Write a uniformly drawn legal action for each row; ``generators`` is one record with rng."""
    generator = at(generators, 0)
    for row in range(masks.shape[0]):
        actions[row] = choose_uniform(generator, masks[row])


@kernel
def first_illegal(masks: Any, rows: Any, actions: Any) -> int:
    """Index into ``rows`` of the first action that may not be played, or -1."""
    for index in range(rows.size):
        action = actions[index]
        if action < 0 or action >= masks.shape[1] or not masks[rows[index], action]:
            return index
    return -1


@rule
def deal_row(states: Any, row: int, blank: Any, seed: int) -> None:
    """Deal a new game in a row."""
    states[row] = blank[0]
    deal_from(at(states, row), seed)


@rule
def show_row(states: Any, row: int, observations: Any, masks: Any, seats: Any) -> None:
    """Write what the seat to act sees and may do."""
    state = at(states, row)
    seats[row] = state.seat
    legal(state, masks[row])
    observe(state, state.seat, observations[row])


@kernel
def deal_rows(
    states: Any, blank: Any, rows: Any, seeds: Any, observations: Any, masks: Any, seats: Any
) -> None:
    """Deal new games in ``rows`` from ``seeds[row]``."""
    for row in rows:
        deal_row(states, row, blank, seeds[row])
        show_row(states, row, observations, masks, seats)


@kernel
def step_rows(
    states: Any,
    blank: Any,
    rows: Any,
    actions: Any,
    families: Any,
    dealt: Any,
    seeds: Any,
    observations: Any,
    masks: Any,
    seats: Any,
    rewards: Any,
    terminations: Any,
    truncations: Any,
    final_scores: Any,
    final_winners: Any,
    final_observations: Any,
    final_states: Any,
    moves: Any,
    taken: Any,
    done: Any,
    own: int,
) -> None:
    """Play legal actions in ``rows``; where a game ends, keep its last words and deal the next.

    Threads share the rows: each calls this with the same arrays and a number of its own.

    Args:
        states: (N,) records.
        blank: (1,) record with the options set.
        rows: (k,) which games move.
        actions: (k,) what they play.
        families: (N,) seeds from which each row's seeds descend.
        dealt: (N,) games dealt so far in each row.
        seeds: (N,) seed of each row's game.
        observations: (N, D).
        masks: (N, A).
        seats: (N,).
        rewards: (N, n).
        terminations: (N,).
        truncations: (N,).
        final_scores: (N, n), written when a game ends.
        final_winners: (N, n), likewise.
        final_observations: (N, n, D), likewise.
        final_states: (N,), likewise.
        moves: (N,) decisions of each row's game so far.
        taken: (threads,) int64, how many rows of each share have been taken; at first 0.
        done: (1,) int64, how many rows have been played by all threads; at first 0.
        own: number of the thread.
    """
    count = rewards.shape[1]
    first, stop = take(taken, rows.size, own)
    while first < stop:
        for index in range(first, stop):
            row = rows[index]
            state = at(states, row)
            play(state, actions[index])
            moves[row] += 1
            ended = state.ended
            truncations[row] = is_truncated(state)
            terminations[row] = ended != PLAYING and not truncations[row]
            for seat in range(count):
                rewards[row, seat] = 0
            if ended != PLAYING:
                judge(state, final_scores[row], final_winners[row], rewards[row])
                for seat in range(count):
                    observe(state, seat, final_observations[row, seat])
                final_states[row] = states[row]
                moves[row] = 0
                seeds[row] = child_seed(families[row], dealt[row])
                dealt[row] += 1
                deal_row(states, row, blank, seeds[row])
            show_row(states, row, observations, masks, seats)
        add_to(done, 0, stop - first)
        first, stop = take(taken, rows.size, own)
    wait_for(done, rows.size)


@kernel
def playouts(states: Any, blank: Any, games: int, mask: Any) -> int:
    """Play whole games by uniformly random legal actions; returns the number of actions."""
    steps = 0
    state = at(states, 0)
    for _ in range(games):
        deal_row(states, 0, blank, next_seed(state))
        while state.ended == PLAYING:
            legal(state, mask)
            play(state, choose_uniform(state, mask))
            steps += 1
    return steps


def family_seeds(seed: int, num_games: int) -> npt.NDArray[np.int64]:
    """The (N,) seeds from which the rows of a batch draw theirs; row i does not depend on N."""
    families = np.empty(num_games, np.int64)
    draw_families(seed, families)
    return families


@kernel
def draw_families(seed: int, families: Any) -> None:
    """Write :func:`family_seeds`."""
    for row in range(families.size):
        families[row] = child_seed(seed, row)


@kernel
def draw_seeds(families: Any, dealt: Any, rows: Any, seeds: Any) -> None:
    """Draw the next seed of each of ``rows`` from its family."""
    for row in rows:
        seeds[row] = child_seed(families[row], dealt[row])
        dealt[row] += 1
