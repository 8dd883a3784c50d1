"""A heuristic for Deck EXPRESS: the position that each legal action leads to, in dollars.

Every legal action is judged by what it leaves me, and the best is played.

*Standing.* The next dividend will pay me so much more or less than each other seat: face-up shares
at what their companies are worth, and from the hand the dearest share, since that is the one to
reveal. Of the others' hands all I know is which shares I have not seen; they reveal the dearest of
a random draw of those. With the money received so far and the cards in hand this makes my lead over
each of the others, which counts as the chance to finish ahead: a close rival matters most.

*Holding.* Stacks change until the dividend comes, so a standing counts the less, the more draws
remain and the more of the others have cards to build with.

*Stake.* My shares of a company, less the others' on average. Where it is positive I want the
company high, else low.

*Building.* A card moves its company to its rank, which covers a locomotive too. A card that goes
the way my stake wants, compared with what else of its company is still to be built, is ammunition:
it is worth keeping for the moment before a dividend, while cards of no use are thrown off early,
since each one kept costs a dollar. In the last stretch, when no locomotive is left, a position
gains by what my cards could still win me and suffers from what the others may hold; and with one
card left to draw, the next seat can end the game.

*Investing.* It costs a card in hand and hurries the deck, which suits whoever stands well. Where
the next draw may be a locomotive, I count on placing it at its best. The last card ends the game
as things stand.

*Locomotive.* It goes where the stack's new height improves my standing most; it often stays on top,
so that my whole stake counts besides.

*Revealing and passing.* By a later dividend a company tends to the mean of its cards not yet built,
and better where I hold more of it, since then I tend it. I reveal the share that pays most now
compared with that promise, and pass on the share that promises least.
"""

from __future__ import annotations

import math
from dataclasses import astuple, dataclass
from math import comb
from typing import Any

import numpy as np

from agents.heuristics.policy import Heuristic, best_action, field_starts, register_adviser
from railenvs import Game
from railenvs.engine.compile import rule
from railenvs.games.deck_express.cards import FACES, NUM_COMPANIES, NUM_SHARES, RANKS
from railenvs.games.deck_express.observation import fields
from railenvs.games.deck_express.rules import ASSIGN, BUILD, INVEST, NUM_ACTIONS, PASS, REVEAL
from railenvs.games.deck_express.state import DIVIDENDS, MAX_SEATS

_WAYS = np.array(
    [[comb(n, k) for k in range(DIVIDENDS + 1)] for n in range(NUM_SHARES + 1)], np.float64
)
"""``_WAYS[n, k]``: sets of k among n shares."""


@dataclass(frozen=True)
class Stretch:
    """Weights for a stretch of the game.

    Attributes:
        card: dollars that a card in hand costs.
        fade: how fast a standing loses weight with every draw until the dividend.
        counter: how much weight it loses if all others have cards to build.
        ammunition: worth of my cards' moves in my favour, measured from a company's usual value.
        reach: weight of what my cards could win me, while the position will still change.
        threat: weight of the others' likely cards against me, likewise.
    """

    card: float
    fade: float
    counter: float
    ammunition: float
    reach: float
    threat: float


@dataclass(frozen=True)
class Weights:
    """All weights.

    Attributes:
        before: while locomotives are still to come.
        last: once both have come.
        spread: dollars of lead, for each dividend to come, that multiply the odds by e.
        again: weight of a locomotive's effect beyond the next dividend.
        later: how much of a company's value now remains to be seen at a later dividend.
        control: dollars a share gains, by then, for each share of its company that I have.
    """

    before: Stretch = Stretch(
        card=0.4, fade=0.11, counter=0.0, ammunition=0.67, reach=0.0, threat=0.0
    )
    last: Stretch = Stretch(
        card=0.68, fade=0.09, counter=0.38, ammunition=0.35, reach=1.3, threat=0.55
    )
    spread: float = 3.5
    again: float = 0.58
    later: float = 0.3
    control: float = 0.3


# The record

VALUE, HEIGHT, OWN_TRACK, UNSEEN_TRACK, OWN_SHARES, UNSEEN_SHARES = range(6)
SHOWN, PAID, DECK_LEFT, WINDOW, HAND_SIZE, MONEY = range(6, 12)
"""Fields of the observation that are read."""
_FIELDS = (
    *("value", "height", "own_track", "unseen_track", "own_shares", "unseen_shares"),
    *("shown", "dividends", "deck_left", "locomotive_window", "hand_size", "money"),
)
"""Their names, in the same order."""

CARD, FADE, COUNTER, AMMUNITION, REACH, THREAT = range(6)
"""Weights of a stretch."""
BEFORE, LAST = range(2)

POLICY = np.dtype(
    [
        ("deck_express_heuristic", np.uint8),
        ("stretch", np.float64, (2, 6)),
        ("spread", np.float64),
        ("again", np.float64),
        ("later", np.float64),
        ("control", np.float64),
        ("starts", np.int64, (len(_FIELDS),)),
        ("seats", np.int64),
        # What the seat to act knows; the others run clockwise from it.
        ("value", np.float64, (NUM_COMPANIES,)),  # what a share pays now
        ("height", np.float64, (NUM_COMPANIES,)),  # cards in each stack
        ("track", np.float64, (NUM_COMPANIES, RANKS)),  # my track cards
        ("unseen_track", np.float64, (NUM_COMPANIES, RANKS)),  # in the deck or other hands
        ("likely", np.float64),  # how likely an unseen track card is in another hand
        ("shares", np.float64, (NUM_COMPANIES,)),  # in my hand
        ("shown", np.float64, (MAX_SEATS, NUM_COMPANIES)),  # face up
        ("unseen_shares", np.int64, (NUM_COMPANIES,)),  # in other hands or out of the game
        ("in_hand", np.int64),  # shares in every hand
        ("draws", np.float64),  # expected, until the next dividend
        ("chance", np.float64),  # that the next draw brings it
        ("lead", np.float64, (MAX_SEATS - 1,)),  # my money less each other's
        ("more_cards", np.float64, (MAX_SEATS - 1,)),  # my track cards less each other's
        ("armed", np.float64),  # how many of the others have track cards, from 0 to 1
        # Room to think.
        ("gained", np.float64, (MAX_SEATS - 1,)),  # over each of the others
        ("paid", np.float64, (MAX_SEATS - 1,)),
        ("observation", np.int8, (sum(field.size for field in fields(MAX_SEATS)),)),
        ("worth", np.float64, (NUM_ACTIONS,)),
    ]
)
"""Weights, and a position as the seat to act knows it."""


class DeckExpressHeuristic(Heuristic):
    """Plays Deck EXPRESS by the module's ideas, without search.

    Args:
        game: a game of Deck EXPRESS.
        seed: for the random numbers; None takes the system's entropy.
        weights: what the ideas count.
    """

    def __init__(self, game: Game, seed: int | None = None, weights: Weights | None = None) -> None:
        chosen = weights or Weights()
        policy = np.zeros(1, POLICY)
        policy["stretch"][0] = astuple(chosen.before), astuple(chosen.last)
        for name in ("spread", "again", "later", "control"):
            policy[name] = getattr(chosen, name)
        policy["starts"] = field_starts(game, _FIELDS)
        policy["seats"] = game.num_players
        super().__init__(game, policy, seed)


@rule
def advise(policy: Any, observation: Any, mask: Any, generator: Any) -> int:
    """The best of the legal actions."""
    read(policy, observation)
    judge_actions(policy, mask, policy.worth)
    return best_action(policy.worth, mask, generator)


register_adviser(POLICY, advise)


@rule
def judge_actions(policy: Any, mask: Any, worth: Any) -> None:
    """Write how good each legal action is."""
    for action in range(NUM_ACTIONS):
        if mask[action]:
            if action < INVEST:
                worth[action] = build(policy, action - BUILD)
            elif action == INVEST:
                worth[action] = invest(policy)
            elif action < REVEAL:
                worth[action] = assign(policy, action - ASSIGN)
            elif action < PASS:
                company = (action - REVEAL) // FACES
                worth[action] = policy.value[company] - promise(policy, company)
            else:
                worth[action] = -promise(policy, (action - PASS) // FACES)


@rule
def read(policy: Any, observation: Any) -> None:
    """Take in an observation."""
    starts, seats = policy.starts, int(policy.seats)
    for company in range(NUM_COMPANIES):
        policy.value[company] = observation[starts[VALUE] + company]
        policy.height[company] = observation[starts[HEIGHT] + company]
        policy.shares[company] = faces(observation, starts[OWN_SHARES], company)
        policy.unseen_shares[company] = faces(observation, starts[UNSEEN_SHARES], company)
        for seat in range(seats):
            policy.shown[seat, company] = faces(
                observation, starts[SHOWN], seat * NUM_COMPANIES + company
            )
    unseen = 0.0
    for company in range(NUM_COMPANIES):
        for rank in range(RANKS):
            place = company * RANKS + rank
            policy.track[company, rank] = observation[starts[OWN_TRACK] + place]
            policy.unseen_track[company, rank] = observation[starts[UNSEEN_TRACK] + place]
            unseen += policy.unseen_track[company, rank]
    dividends = int(observation[starts[PAID]])
    policy.in_hand = DIVIDENDS - dividends
    # The third dividend comes with the last card, whose place is certain.
    first = float(observation[starts[DECK_LEFT]])
    last = first
    if dividends < 2:
        first = float(observation[starts[WINDOW] + 2 * dividends])
        last = float(observation[starts[WINDOW] + 2 * dividends + 1])
    policy.draws = (first + last) / 2
    policy.chance = (first <= 1) / max(last - first + 1, 1.0)
    mine = float(observation[starts[HAND_SIZE]])
    cards = 0.0
    armed = 0.0
    for other in range(seats - 1):
        theirs = float(observation[starts[HAND_SIZE] + 1 + other])
        money = int(observation[starts[MONEY]]) - int(observation[starts[MONEY] + 1 + other])
        policy.lead[other] = money
        policy.more_cards[other] = mine - theirs
        cards += theirs - policy.in_hand
        armed += theirs > policy.in_hand
    policy.likely = cards / max(unseen, 1.0)
    policy.armed = armed / (seats - 1)


@rule
def faces(observation: Any, start: int, company: int) -> int:
    """Shares of a company in a field."""
    held = 0
    for face in range(FACES):
        held += int(observation[start + company * FACES + face])
    return held


# One judge for each kind of action


@rule
def build(policy: Any, card: int) -> float:
    """Worth of the position after a card is built."""
    company, rank = card // RANKS, card % RANKS
    value = policy.value[company]
    policy.value[company] = rank + 2
    policy.track[company, rank] = 0
    worth = outlook(policy, policy.draws, -1)
    if policy.in_hand == 1 and policy.draws == 1:
        # With one card left to draw, the next seat can end the game, and does so if that suits it.
        worth = min(worth, end(policy, -1))
    policy.value[company] = value
    policy.track[company, rank] = 1
    return worth


@rule
def invest(policy: Any) -> float:
    """Worth of a draw: a locomotive, placed at its best, or the last card, or neither."""
    chance = policy.chance
    no_dividend = outlook(policy, max(policy.draws - 1, 1.0), 1)
    if policy.in_hand == 1 or chance == 0:
        return chance * end(policy, 1) + (1 - chance) * no_dividend
    dividend = -np.inf
    for company in range(NUM_COMPANIES):
        dividend = max(dividend, assign(policy, company))
    return chance * dividend + (1 - chance) * no_dividend


@rule
def assign(policy: Any, company: int) -> float:
    """Worth of a locomotive on a stack."""
    value = policy.value[company]
    height = policy.height[company] + 1
    kept = policy.again * stake(policy, company) * (height - value) + ammunition(policy)
    policy.value[company] = height
    dividend(policy, policy.paid)
    policy.value[company] = value
    card = weight(policy, CARD)
    for other in range(int(policy.seats) - 1):
        policy.gained[other] = kept + policy.paid[other] - card * policy.more_cards[other]
    return odds(policy, policy.gained)


# What they have in common


@rule
def weight(policy: Any, number: int) -> float:
    """A weight of the stretch that the game is in."""
    return policy.stretch[LAST if policy.in_hand == 1 else BEFORE, number]


@rule
def outlook(policy: Any, draws: float, cards: int) -> float:
    """A position in play, ``draws`` before the dividend, with so many more cards in my hand."""
    fade, counter = weight(policy, FADE), weight(policy, COUNTER)
    kept = math.exp(-fade * (draws - 1) - counter * policy.armed)
    change = (1 - kept) * prospects(policy) + ammunition(policy)
    dividend(policy, policy.paid)
    card = weight(policy, CARD)
    for other in range(int(policy.seats) - 1):
        costs = card * (policy.more_cards[other] + cards)
        policy.gained[other] = kept * policy.paid[other] + change - costs
    return odds(policy, policy.gained)


@rule
def end(policy: Any, cards: int) -> float:
    """The game's end as things stand, with so many more cards in my hand."""
    dividend(policy, policy.paid)
    for other in range(int(policy.seats) - 1):
        policy.gained[other] = policy.paid[other] - policy.more_cards[other] - cards
    return odds(policy, policy.gained)


@rule
def odds(policy: Any, gained: Any) -> float:
    """Log chance, on average, to finish ahead of another, with a gain over each."""
    spread = policy.spread * policy.in_hand
    total = 0.0
    for other in range(int(policy.seats) - 1):
        behind = -(policy.lead[other] + gained[other]) / spread
        # Minus the logarithm of 1 + exp(behind), without overflow.
        total -= max(behind, 0.0) + math.log1p(math.exp(-abs(behind)))
    return total / (int(policy.seats) - 1)


@rule
def dividend(policy: Any, paid: Any) -> None:
    """Write what the next dividend would pay me less each other seat."""
    mine = 0.0
    dearest = 0.0
    for company in range(NUM_COMPANIES):
        mine += policy.shown[0, company] * policy.value[company]
        if policy.shares[company] > 0:
            dearest = max(dearest, policy.value[company])
    mine += dearest - dearest_unseen(policy)
    for other in range(int(policy.seats) - 1):
        theirs = 0.0
        for company in range(NUM_COMPANIES):
            theirs += policy.shown[1 + other, company] * policy.value[company]
        paid[other] = mine - theirs


@rule
def dearest_unseen(policy: Any) -> float:
    """Expected value of the dearest share in a hand dealt from those unseen."""
    worth = 0.0
    before = 0.0
    up_to = 0
    done = 0
    for _ in range(NUM_COMPANIES):
        # The company of the least value that is left.
        least = 0
        while done >> least & 1:
            least += 1
        for company in range(least + 1, NUM_COMPANIES):
            if not done >> company & 1 and policy.value[company] < policy.value[least]:
                least = company
        done |= 1 << least
        # Of the hands that could be, those with no share dearer than this.
        up_to += int(policy.unseen_shares[least])
        hands = _WAYS[up_to, policy.in_hand]
        worth += policy.value[least] * (hands - before)
        before = hands
    return worth / max(before, 1.0)


@rule
def stake(policy: Any, company: int) -> float:
    """My shares of a company less the others' on average."""
    unseen = 0
    for each in range(NUM_COMPANIES):
        unseen += int(policy.unseen_shares[each])
    theirs = 0.0
    others = int(policy.seats) - 1
    for other in range(others):
        theirs += policy.shown[1 + other, company]
    theirs /= others
    theirs += policy.in_hand / max(unseen, 1) * policy.unseen_shares[company]
    return policy.shown[0, company] + policy.shares[company] - theirs


@rule
def usual(policy: Any, company: int) -> float:
    """What a company tends to: the mean rank of its cards not yet built."""
    count = 0.0
    total = 0.0
    for rank in range(RANKS):
        left = policy.track[company, rank] + policy.unseen_track[company, rank]
        count += left
        total += left * (rank + 2)
    return total / count if count > 0 else policy.value[company]


@rule
def ammunition(policy: Any) -> float:
    """Dollars that my track cards are worth while they are in my hand."""
    worth = 0.0
    for company in range(NUM_COMPANIES):
        mine, middle = stake(policy, company), usual(policy, company)
        for rank in range(RANKS):
            worth += policy.track[company, rank] * max(mine * (rank + 2 - middle), 0.0)
    return weight(policy, AMMUNITION) * worth


@rule
def prospects(policy: Any) -> float:
    """Dollars that builds may yet bring: what my cards can win me less what others' can."""
    mine = 0.0
    theirs = 0.0
    for company in range(NUM_COMPANIES):
        held, value = stake(policy, company), policy.value[company]
        for rank in range(RANKS):
            move = held * (rank + 2 - value)
            mine += policy.track[company, rank] * max(move, 0.0)
            theirs += policy.unseen_track[company, rank] * max(-move, 0.0)
    return weight(policy, REACH) * mine - weight(policy, THREAT) * theirs * policy.likely


@rule
def promise(policy: Any, company: int) -> float:
    """Dollars that a share of a company may be worth to me at a later dividend."""
    later = policy.later
    value = later * policy.value[company] + (1 - later) * usual(policy, company)
    mine = policy.shown[0, company] + policy.shares[company]
    return value + policy.control * mine
