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

from collections.abc import Callable
from dataclasses import dataclass, fields, replace
from math import comb

import numpy as np
import numpy.typing as npt

from agents.heuristics.judging import Floats, Ints, Judging
from railenvs import Game
from railenvs.engine.fields import Fields
from railenvs.games.deck_express.cards import FACES, NUM_COMPANIES, NUM_SHARES, RANKS
from railenvs.games.deck_express.rules import ASSIGN, BUILD, INVEST, NUM_ACTIONS, PASS, REVEAL
from railenvs.games.deck_express.state import DIVIDENDS

RANK = np.arange(2.0, 2 + RANKS)
WAYS = np.array([[comb(n, k) for k in range(DIVIDENDS + 1)] for n in range(NUM_SHARES + 1)], float)
"""``WAYS[n, k]``: sets of k among n shares."""


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


@dataclass(frozen=True)
class Position:
    """What the seat to act knows, in k rows; the others run clockwise from it.

    Attributes:
        value: (k, 4) what a share of each company pays now.
        height: (k, 4) cards in each stack.
        track: (k, 4, 9) my track cards.
        unseen_track: (k, 4, 9) those in the draw deck or other hands.
        likely: (k,) how likely an unseen track card is in another hand.
        shares: (k, 4) shares in my hand.
        shown: (k, n, 4) shares face up.
        unseen_shares: (k, 4) shares in other hands or out of the game.
        in_hand: (k,) shares in every hand.
        draws: (k,) expected draws until the next dividend.
        chance: (k,) that the next draw brings it.
        lead: (k, n - 1) my money less each other's.
        more_cards: (k, n - 1) my track cards less each other's.
        armed: (k,) how many of the others have track cards, from 0 to 1.
    """

    value: Floats
    height: Floats
    track: Floats
    unseen_track: Floats
    likely: Floats
    shares: Floats
    shown: Floats
    unseen_shares: Ints
    in_hand: Ints
    draws: Floats
    chance: Floats
    lead: Floats
    more_cards: Floats
    armed: Floats

    @classmethod
    def read(cls, layout: Fields, observations: npt.NDArray[np.int8]) -> Position:
        """Take in observations (k, D)."""

        def cut(name: str) -> Floats:
            return layout.cut(observations, name).astype(np.float64)

        dividends = layout.cut(observations, "dividends")[:, 0].astype(np.int64)
        in_hand = DIVIDENDS - dividends
        # The third dividend comes with the last card, whose place is certain.
        left = np.repeat(cut("deck_left")[:, None], 2, axis=-1)
        windows = np.concatenate([cut("locomotive_window"), left], axis=1)
        first, last = windows[np.arange(len(windows)), dividends].T
        track_count = cut("hand_size") - in_hand[:, None]
        money = cut("money")
        unseen = cut("unseen_track")
        shown = cut("shown").sum(axis=-1)
        return cls(
            value=cut("value"),
            height=cut("height"),
            track=cut("own_track"),
            unseen_track=unseen,
            likely=track_count[:, 1:].sum(axis=-1) / np.maximum(unseen.sum(axis=(1, 2)), 1),
            shares=cut("own_shares").sum(axis=-1),
            shown=shown,
            unseen_shares=cut("unseen_shares").sum(axis=-1).astype(np.int64),
            in_hand=in_hand,
            draws=(first + last) / 2,
            chance=(first <= 1) / np.maximum(last - first + 1, 1),
            lead=money[:, :1] - money[:, 1:],
            more_cards=track_count[:, :1] - track_count[:, 1:],
            armed=(track_count[:, 1:] > 0).mean(axis=-1),
        )

    def take(self, rows: Ints) -> Position:
        """Some of the rows, any number of times."""
        return Position(*(getattr(self, part.name)[rows] for part in fields(self)))

    @property
    def usual(self) -> Floats:
        """What each company tends to: the mean rank of its cards not yet built, (k, 4)."""
        left = self.track + self.unseen_track
        count = left.sum(axis=-1)
        mean = (left * RANK).sum(axis=-1) / np.maximum(count, 1)
        return np.where(count > 0, mean, self.value)

    @property
    def stake(self) -> Floats:
        """My shares of each company less the others' on average, (k, 4)."""
        likely = self.in_hand / np.maximum(self.unseen_shares.sum(axis=-1), 1)
        theirs = self.shown[:, 1:].mean(axis=1) + likely[:, None] * self.unseen_shares
        return np.asarray(self.shown[:, 0] + self.shares - theirs)

    def with_value(self, companies: Ints | int, values: Floats) -> Position:
        """The same with one company of each row at a new value."""
        value = self.value.copy()
        value[np.arange(len(value)), companies] = values
        return replace(self, value=value)

    def without_track(self, companies: Ints, ranks: Ints) -> Position:
        """The same without one of my track cards; ranks count from 0."""
        track = self.track.copy()
        track[np.arange(len(track)), companies, ranks] = 0
        return replace(self, track=track)

    def dividend(self) -> Floats:
        """What the next dividend would pay me less each other seat, (k, n - 1)."""
        mine = (self.shown[:, 0] * self.value).sum(axis=-1)
        mine += np.where(self.shares > 0, self.value, 0).max(axis=-1)
        theirs = (self.shown[:, 1:] * self.value[:, None]).sum(axis=-1)
        return np.asarray((mine - self._dearest_unseen())[:, None] - theirs)

    def _dearest_unseen(self) -> Floats:
        """Expected value of the dearest share in a hand dealt from those unseen, (k,)."""
        order = np.argsort(self.value, axis=-1)
        value = np.take_along_axis(self.value, order, axis=-1)
        # Of the hands that could be, those with no share dearer than each company in turn.
        up_to = np.take_along_axis(self.unseen_shares, order, axis=-1).cumsum(axis=-1)
        hands = WAYS[up_to, self.in_hand[:, None]]
        dearest = np.diff(hands, axis=-1, prepend=0)
        return np.asarray((value * dearest).sum(axis=-1) / np.maximum(hands[:, -1], 1))


class DeckExpressHeuristic(Judging):
    """Plays Deck EXPRESS by the module's ideas, without search.

    Its choice depends on the observation alone, but for equally good actions, among which its
    random numbers decide.

    Args:
        game: a game of Deck EXPRESS.
        seed: for the random numbers; None takes the system's entropy.
        weights: what the ideas count.
    """

    def __init__(self, game: Game, seed: int | None = None, weights: Weights | None = None) -> None:
        super().__init__(game, seed)
        self.weights = weights or Weights()

    def worth(self, observations: npt.NDArray[np.int8], rows: Ints, actions: Ints) -> Floats:
        """How good each legal action is; comparable within a row."""
        position = Position.read(self.game.fields, observations)
        judges: tuple[tuple[int, int, Callable[[Position, Ints], Floats]], ...] = (
            (BUILD, INVEST, self._build),
            (INVEST, ASSIGN, self._invest),
            (ASSIGN, REVEAL, self._assign),
            (REVEAL, PASS, self._reveal),
            (PASS, NUM_ACTIONS, self._pass),
        )
        worth = np.empty(rows.size)
        for start, stop, judge in judges:
            lines = np.flatnonzero((actions >= start) & (actions < stop))
            if lines.size:
                worth[lines] = judge(position.take(rows[lines]), actions[lines] - start)
        return worth

    # One judge for each kind of action

    def _build(self, position: Position, cards: Ints) -> Floats:
        companies, ranks = np.divmod(cards, RANKS)
        after = position.with_value(companies, RANK[ranks]).without_track(companies, ranks)
        worth = self._outlook(after, position.draws, cards=-1)
        # With one card left to draw, the next seat can end the game, and does so if that suits it.
        could_end = (position.in_hand == 1) & (position.draws == 1)
        return np.where(could_end, np.minimum(worth, self._end(after, cards=-1)), worth)

    def _invest(self, position: Position, _: Ints) -> Floats:
        no_dividend = self._outlook(position, np.maximum(position.draws - 1, 1), cards=1)
        dividend = self._end(position, cards=1)
        locomotive = np.flatnonzero((position.in_hand > 1) & (position.chance > 0))
        if locomotive.size:
            drawn = position.take(locomotive)
            placed = [self._assign(drawn, company) for company in range(NUM_COMPANIES)]
            dividend[locomotive] = np.max(placed, axis=0)
        chance = position.chance
        return np.asarray(chance * dividend + (1 - chance) * no_dividend)

    def _assign(self, position: Position, companies: Ints | int) -> Floats:
        rows = np.arange(len(position.value))
        height = position.height[rows, companies] + 1
        raised = height - position.value[rows, companies]
        again = self.weights.again * position.stake[rows, companies] * raised
        paid = position.with_value(companies, height).dividend()
        gained = (again + self._ammunition(position))[:, None] + paid
        return self._odds(position, gained - self._card_costs(position, 0))

    def _reveal(self, position: Position, shares: Ints) -> Floats:
        rows, companies = np.arange(len(shares)), shares // FACES
        gained = position.value - self._promise(position)
        return np.asarray(gained[rows, companies])

    def _pass(self, position: Position, shares: Ints) -> Floats:
        rows, companies = np.arange(len(shares)), shares // FACES
        return np.asarray(-self._promise(position)[rows, companies])

    # What they have in common

    def _outlook(self, position: Position, draws: Floats, cards: int) -> Floats:
        """A position in play, ``draws`` before the dividend, with so many more cards in my hand."""
        fade, counter = self._weight(position, "fade"), self._weight(position, "counter")
        kept = np.exp(-fade * (draws - 1) - counter * position.armed)
        change = (1 - kept) * self._prospects(position) + self._ammunition(position)
        gained = kept[:, None] * position.dividend() + change[:, None]
        return self._odds(position, gained - self._card_costs(position, cards))

    def _end(self, position: Position, cards: int) -> Floats:
        """The game's end as things stand, with so many more cards in my hand."""
        return self._odds(position, position.dividend() - position.more_cards - cards)

    def _odds(self, position: Position, gained: Floats) -> Floats:
        """Log chance, on average, to finish ahead of another, with a gain (k, n - 1) over each."""
        spread = self.weights.spread * position.in_hand[:, None]
        lead = position.lead + gained
        return np.asarray(-np.logaddexp(0, -lead / spread).mean(axis=-1))

    def _card_costs(self, position: Position, cards: int) -> Floats:
        """What my hand costs more than each other's, with so many more cards in it, (k, n - 1)."""
        return np.asarray(self._weight(position, "card")[:, None] * (position.more_cards + cards))

    def _ammunition(self, position: Position) -> Floats:
        """Dollars that my track cards are worth while they are in my hand."""
        useful = position.stake[:, :, None] * (RANK - position.usual[:, :, None])
        worth = (position.track * np.maximum(useful, 0)).sum(axis=(1, 2))
        return np.asarray(self._weight(position, "ammunition") * worth)

    def _prospects(self, position: Position) -> Floats:
        """Dollars that builds may yet bring: what my cards can win me less what others' can."""
        moves = position.stake[:, :, None] * (RANK - position.value[:, :, None])
        mine = (position.track * np.maximum(moves, 0)).sum(axis=(1, 2))
        theirs = (position.unseen_track * np.maximum(-moves, 0)).sum(axis=(1, 2)) * position.likely
        reach, threat = self._weight(position, "reach"), self._weight(position, "threat")
        return np.asarray(reach * mine - threat * theirs)

    def _promise(self, position: Position) -> Floats:
        """Dollars that a share of each company may be worth to me at a later dividend, (k, 4)."""
        later, mine = self.weights.later, position.shown[:, 0] + position.shares
        value = later * position.value + (1 - later) * position.usual
        return value + self.weights.control * mine

    def _weight(self, position: Position, name: str) -> Floats:
        """A weight of the stretch that each row is in."""
        last, before = getattr(self.weights.last, name), getattr(self.weights.before, name)
        return np.where(position.in_hand == 1, last, before)
