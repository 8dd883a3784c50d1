"""Search over the worlds a seat cannot tell apart, the same for every rulebook.

Each simulation deals a world from what the seat knows, plays a game in it and adds up what the
seats got of it.

*Information-set Monte Carlo tree search*, single observer (Cowling, Powley and Whitehouse,
"Information set Monte Carlo tree search", IEEE TCIAIG 2012): one tree for all worlds. A simulation
walks down actions that are legal in its world, by UCB1 with the number of times an action was
available in place of its parent's visits, adds one node, plays the game out and counts the
result at every node passed. A node holds the sums of all seats (max^n), since after the same
actions another seat may be to act in another world.

*Flat Monte Carlo* over the same worlds, the reference: every legal action in turn, played out.

What counts is the share of the victory under the reward ``"outcome"`` (an even share where nobody
wins), else the reward, whose exploration is measured by the spread between the largest and the
smallest so far: so the constant means the same for all.
"""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable
from typing import Any

import numpy as np

from railenvs.engine.compile import dispatch, kernel, rule
from railenvs.engine.kernel_cache import belongs_to
from railenvs.engine.kernels import OUTCOME, choose_uniform, judge
from railenvs.engine.random import child_seed, seed_generator
from railenvs.engine.rulebook import determinize, legal, play
from railenvs.engine.state import PLAYING, at

NODE = np.dtype(
    [
        ("action", np.int32),  # that leads here from the parent
        ("seat", np.int32),  # that took it in the world in which the node was added
        ("parent", np.int32),
        ("first_child", np.int32),
        ("sibling", np.int32),
        ("visits", np.int32),
        ("available", np.int32),  # simulations that passed the parent and could have come here
    ]
)
"""A node; its sums stand in an array of their own."""
ROOT, NONE = 0, -1
NEVER = 2**62

MOST_NODES = 1 << 20
"""Nodes of a tree at most; simulations beyond go on in it without adding to it."""
SEARCH = np.dtype(
    [
        ("seat", np.int64),
        ("seed", np.int64),
        ("in_turn", np.int64),  # flat search
        ("exploration", np.float64),
        ("cutoff", np.int64),  # moves of a rollout, or NEVER
        ("simulations", np.int64),  # so far
        ("nodes", np.int64),  # in use
        ("low", np.float64),  # rewards so far
        ("high", np.float64),
        ("cut_off", np.int64),  # simulations that ended so
        ("deviation", np.float64),  # of their scores from the mean, summed up
    ]
)
"""Options and progress of a search."""

UNIFORM = np.dtype([("uniform", np.uint8)])
"""The policy that plays uniformly random legal actions."""


# Policies of rollouts, chosen by the type of their record


def choose(policy: Any, state: Any, mask: Any) -> int:
    """The action that a policy plays for the seat to act."""
    return _policies[policy.dtype.names[0]](policy, state, mask)


@rule
def choose_at_random(policy: Any, state: Any, mask: Any) -> int:
    """One of the legal actions, each as likely."""
    return choose_uniform(state, mask)


_policies: dict[str, Callable[..., int]] = {"uniform": choose_at_random}
dispatch(choose, _policies.__getitem__, shared=False)


def register_policy(dtype: np.dtype[np.void], function: Callable[..., int]) -> None:
    """Let rollouts be played by a policy.

    Args:
        dtype: of its record, which holds its weights and whatever it writes on; the first field's
            name must be its own.
        function: compiled by :func:`~railenvs.engine.compile.rule`; takes the record, the state
            and the mask of the seat to act, and returns a legal action. It must not read of the
            state what that seat cannot know.
    """
    name = (dtype.names or ("",))[0]
    _policies[name] = function
    belongs_to(name, inspect.getsourcefile(function) or "")


# Simulations


@rule
def run(
    searches: Any,
    roots: Any,
    policies: Any,
    simulations: int,
    nodes: Any,
    sums: Any,
    worlds: Any,
    mask: Any,
    candidates: Any,
    points: Any,
    won: Any,
    values: Any,
) -> None:
    """Add simulations to a search.

    Args:
        searches: (1,) of ``SEARCH``, read and brought up to date.
        roots: (1,) a world that agrees with what the seat to act knows.
        policies: (1,) who plays the rollouts.
        simulations: how many.
        nodes: (M,) of ``NODE``, the first the root.
        sums: (M, n) what all seats got in simulations that passed each node.
        worlds: (1,), written on, as are all that follow.
        mask: (A,) int8.
        candidates: (A,) int64.
        points: (n,) int32.
        won: (n,) int8.
        values: (n,) float64.
    """
    search = at(searches, 0)
    policy = at(policies, 0)
    for _ in range(simulations):
        worlds[0] = roots[0]
        state = at(worlds, 0)
        seed_generator(state, child_seed(search.seed, search.simulations))
        determinize(state, search.seat)
        node = play_on(search, policy, state, nodes, sums, mask, candidates)
        value(search, state, points, won, values)
        while node != NONE:
            passed = at(nodes, node)
            passed.visits += 1
            for seat in range(values.size):
                sums[node, seat] += values[seat]
            node = passed.parent
        search.simulations += 1


@rule
def play_on(
    search: Any, policy: Any, state: Any, nodes: Any, sums: Any, mask: Any, candidates: Any
) -> int:
    """Play down the tree to a new node, then by the policy to the end or the cut-off.

    Returns:
        The last node passed.
    """
    node = ROOT
    in_tree = True
    moves = 0
    while state.ended == PLAYING and (in_tree or moves < search.cutoff):
        legal(state, mask)
        child = NONE
        if in_tree:
            child = select(search, state, nodes, sums, node, mask, candidates)
            in_tree = child != NONE and at(nodes, child).visits > 0 and not search.in_turn
        if child != NONE:
            node = child
            action = at(nodes, node).action
        else:
            action = choose(policy, state, mask)
            moves += 1
        play(state, action)
    return node


@rule
def select(
    search: Any, state: Any, nodes: Any, sums: Any, node: int, mask: Any, candidates: Any
) -> int:
    """The child to go to, added if there was a legal action without one; NONE in a full tree."""
    if search.in_turn:
        return next_in_turn(search, state, nodes, mask)
    known = strike_children(nodes, node, mask, candidates)
    if search.nodes < nodes.size:
        # Only actions without a node are left in the mask.
        action = choose_uniform(state, mask)
        if action != NONE:
            return add_node(search, nodes, node, action, state.seat)
    if known == 0:
        return NONE
    spread = search.exploration
    if state.reward != OUTCOME and search.high > search.low:
        spread *= search.high - search.low
    return best_child(nodes, sums, candidates, known, state.seat, spread)


@rule
def strike_children(nodes: Any, node: int, mask: Any, candidates: Any) -> int:
    """Take legal actions that have a node out of the mask; list these nodes, return how many."""
    known = 0
    child = at(nodes, node).first_child
    while child != NONE:
        each = at(nodes, child)
        if mask[each.action]:
            mask[each.action] = 0
            each.available += 1
            candidates[known] = child
            known += 1
        child = each.sibling
    return known


@rule
def best_child(
    nodes: Any, sums: Any, candidates: Any, known: int, seat: int, exploration: float
) -> int:
    """The child of the largest upper confidence bound for the seat to act (UCB1)."""
    best = NONE
    most = -np.inf
    for index in range(known):
        child = candidates[index]
        each = at(nodes, child)
        visits = float(each.visits)
        mean = sums[child, seat] / visits
        bound = mean + exploration * math.sqrt(math.log(float(each.available)) / visits)
        if bound > most:
            most = bound
            best = child
    return best


@rule
def add_node(search: Any, nodes: Any, parent: int, action: int, seat: int) -> int:
    """Append a child; returns its number."""
    number = search.nodes
    new = at(nodes, number)
    new.action = action
    new.seat = seat
    new.parent = parent
    new.first_child = NONE
    new.sibling = at(nodes, parent).first_child
    new.visits = 0
    new.available = 1
    at(nodes, parent).first_child = number
    search.nodes += 1
    return number


@rule
def next_in_turn(search: Any, state: Any, nodes: Any, mask: Any) -> int:
    """Flat search: the node of the legal action whose turn it is."""
    if search.nodes == 1:
        for action in range(mask.size):
            if mask[action]:
                node = add_node(search, nodes, ROOT, action, state.seat)
                at(nodes, node).available = 0
    node = 1 + search.simulations % (search.nodes - 1)
    at(nodes, node).available += 1
    return node


@rule
def value(search: Any, state: Any, points: Any, won: Any, values: Any) -> None:
    """Write what each seat gets (n,): in a game that was cut off, what the scores promise.

    That is the share of the victory, by a softmax of the scores in units of their usual deviation
    from the mean of the seats, over the simulations cut off so far; or the reward as it stands.
    """
    judge(state, points, won, values)
    count = values.size
    if state.reward != OUTCOME:
        for seat in range(count):
            search.low = min(search.low, values[seat])
            search.high = max(search.high, values[seat])
        return
    if state.ended != PLAYING:
        for seat in range(count):
            values[seat] = (values[seat] * (count - 1) + 1) / count
        return
    total = 0
    most = int(points[0])
    for seat in range(count):
        total += int(points[seat])
        most = max(most, int(points[seat]))
    mean = total / count
    search.cut_off += 1
    for seat in range(count):
        search.deviation += abs(points[seat] - mean) / count
    usual = search.deviation / search.cut_off
    weight = 0.0
    for seat in range(count):
        values[seat] = 1.0
        if usual > 0:
            values[seat] = math.exp((points[seat] - most) / usual)
        weight += values[seat]
    for seat in range(count):
        values[seat] /= weight


simulate = kernel(run)
