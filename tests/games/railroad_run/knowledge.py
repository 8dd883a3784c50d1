"""What a seat of Railroad Run may know for certain, found anew from the events that it saw.

A slow second opinion on the game's memory, written from the rules and from the page's list of what
is kept, not from the code under test: it starts from whole tables before and after a move, tells
what happened on the table as a list of events, lets each observer see its part of them, and keeps
for each observer its own account of hidden cards.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from tests.games.railroad_run.tables import INDUSTRIES, ORDER, PACK, RAILS

PUBLIC = -1
"""The observer who sees what everybody sees."""
Table = Mapping[str, Any]
Cards = Counter[str]


class UnclearError(Exception):
    """A move of which before and after do not tell what happened in between."""


# What happened: every event with all its cards, and who sees these


@dataclass(frozen=True)
class Event:
    """A thing that happened on the table.

    Attributes:
        kind: what, see :class:`Observer`, which has a method for each.
        seat: who did it, or whose cards.
        other: the second seat, if there is one.
        cards: the cards it was about.
        seers: observers that see the cards; all others see how many they are. None for all.
        number: a number that goes with it.
    """

    kind: str
    seat: int = PUBLIC
    other: int = PUBLIC
    cards: tuple[str, ...] = ()
    seers: tuple[int, ...] | None = None
    number: int = 0


class Telling:
    """Follows a move from the table before to the table after, and notes the events."""

    def __init__(self, before: Table, action: str, after: Table) -> None:
        self.after = after
        self.turn: int = before["turn"]
        self.hands = [Counter(seat["hand"]) for seat in before["seats"]]
        self.deck: list[str | None] = list(before["draw_deck"])
        self.pile: list[str] = list(before["discard"])
        self.war: bool = before["war_open"]
        self.shuffled = False
        self.events: list[Event] = []
        self.move(before, action)
        if after["turns"] > before["turns"] and after["phase"] != "cut_off":
            seat = after["turn"]
            income = after["seats"][seat]["income"]
            self.draw(seat, 2 + (income > 10) + (income > 20) + (income > 35))
        assert self.hands == [Counter(seat["hand"]) for seat in after["seats"]]
        assert self.pile == after["discard"]
        assert self.deck == after["draw_deck"]

    def note(self, kind: str, *args: Any, **more: Any) -> None:
        self.events.append(Event(kind, *args, **more))

    # Moves by name

    def move(self, before: Table, action: str) -> None:
        phase, seat = before["phase"], self.turn
        target = before["target"]
        if action.startswith("opponent "):
            target = (seat + int(action.split()[1])) % len(self.hands)
        chosen = sorted([*before["chosen"], action] if action in PACK else before["chosen"],
                        key=ORDER.index)  # fmt: skip
        if phase == "event":
            self.play(action)
        elif phase == "operations" and action == "done":
            self.discard(seat, chosen)
        elif phase == "accounting":
            if self.hands[seat].total() - len(chosen) == before["seats"][seat]["hand_limit"]:
                self.discard(seat, chosen)
        elif phase == "upgrade" and len(chosen) == 5:
            self.discard(seat, chosen)
        elif phase == "survey" and len(chosen) == 2:
            self.keep_some(seat, chosen, before["looking"])
        elif phase == "coal_chute":
            self.keep_one(seat, action, before["looking"])
        elif phase == "train_yard":
            self.find(seat, action, RAILS)
        elif phase in ("buy_shares_card", "switch_card"):
            self.hand_over(seat, target, [action])
        elif phase == "wreck_opponent":
            self.wreck(target)
        elif phase in ("switch_opponent", "politics_opponent"):
            self.steal(target)
        elif action == "send":
            self.note("showed", seat, cards=tuple(before["chosen"]))
        elif action == "accept":
            given, got = before["chosen"], before["wanted"]
            self.note("showed", target, cards=tuple(got))
            for giver, cards in ((seat, given), (target, got)):
                for card in cards:
                    self.lay(giver, card)
            for taker, cards in ((target, given), (seat, got)):
                for card in cards:
                    self.take(taker, card)

    def play(self, action: str) -> None:
        seat = self.turn
        costs = {
            **dict.fromkeys(("upgrade", "contracts"), "Train"),
            **dict.fromkeys(("buy shares", "dividends"), "City"),
            **dict.fromkeys(("water tower", "coal chute", "switch", "train yard"), "Town"),
            **{name: name for name in PACK},
        }
        if action.startswith("sell stocks"):
            self.discard(seat, ["Sell Stocks"])
            self.draw(seat, int(action.split()[-1]))
        elif action in costs:
            self.discard(seat, [costs[action]])
        rivals = [s for s, hand in enumerate(self.hands) if s != seat and hand]
        if action == "depot":
            self.lay(seat, "Town")
            card = self.pile.pop()
            self.note("picked up", cards=(card,))
            self.take(seat, card)
            self.to_pile("Town")
        elif action == "upgrade":
            if self.hands[seat].total() == 5:
                self.discard(seat, sorted(self.hands[seat].elements(), key=ORDER.index))
        elif action == "water tower":
            self.draw(seat, 2)
        elif action == "Investors":
            self.draw(seat, 3)
        elif action == "Land Grants":
            self.draw(seat, 4)
            for steps in range(1, len(self.hands)):
                self.draw((seat + steps) % len(self.hands), 2)
        elif action == "coal chute":
            number = self.look(seat, 3)
            if number == 1:
                self.keep_one(seat, str(self.deck[0]), 1)
        elif action == "Survey":
            number = self.look(seat, 7)
            if number <= 2:
                self.keep_some(seat, [str(card) for card in self.deck[:number]], number)
        elif action == "train yard":
            self.search(seat, RAILS)
        elif action in RAILS:
            if self.search(seat, ("Train",)):
                self.find(seat, "Train", ("Train",))
        elif action in INDUSTRIES:
            self.go_west(seat)
        elif len(rivals) == 1 and action == "Wreck":
            self.wreck(rivals[0])
        elif len(rivals) == 1 and action in ("switch", "Politics"):
            self.steal(rivals[0])

    # What moves are made of

    def to_pile(self, card: str) -> None:
        self.pile.append(card)
        self.note("discarded", cards=(card,))

    def lay(self, seat: int, card: str) -> None:
        self.hands[seat] -= Counter([card])
        self.note("laid", seat, cards=(card,))

    def take(self, seat: int, card: str) -> None:
        self.hands[seat][card] += 1
        self.note("took", seat, cards=(card,))

    def discard(self, seat: int, cards: Sequence[str]) -> None:
        for card in cards:
            self.lay(seat, card)
            self.to_pile(card)

    def refill(self) -> None:
        """The deck runs out: the first time the Civil War, then the discard is shuffled under."""
        if self.war:
            self.war = False
            for seat, hand in enumerate(self.hands):
                cards = sorted(hand.elements(), key=ORDER.index)
                self.hands[seat] = Counter()
                for card in cards:
                    self.note("laid", seat, cards=(card,))
                    self.to_pile(card)
        self.pile_in()

    def pile_in(self) -> None:
        if self.pile:
            self.note("pile came in")
            self.shuffle([*self.deck, *self.pile], len(self.deck))
            self.pile = []

    def shuffle(self, cards: Sequence[str | None], on_top: int) -> None:
        """The cards after the first ones are shuffled: what is left of them in the end tells."""
        if self.shuffled:
            raise UnclearError
        self.shuffled = True
        left = self.after["draw_deck"][-(len(cards) - on_top) :] if len(cards) > on_top else []
        self.deck = [*cards[:on_top], *[None] * (len(cards) - on_top - len(left)), *left]

    def off(self, seat: int) -> str:
        """The next card of the deck, which goes to a hand; after a shuffle the hand tells."""
        card = self.deck.pop(0)
        if card is None:
            came = Counter(self.after["seats"][seat]["hand"]) - self.hands[seat]
            card = next(came.elements())
        self.hands[seat][card] += 1
        return card

    def draw(self, seat: int, count: int) -> None:
        if count and not self.deck:
            self.refill()
        number = min(count, len(self.deck))
        if number:
            cards = tuple(self.off(seat) for _ in range(number))
            self.note("drew", seat, cards=cards, seers=(seat,))
            self.draw(seat, count - number)

    def reach(self, count: int) -> int:
        if len(self.deck) < count:
            self.refill()
        return min(count, len(self.deck))

    def look(self, seat: int, count: int) -> int:
        number = self.reach(count)
        if None in self.deck[:number]:
            raise UnclearError
        cards = tuple(str(card) for card in self.deck[:number])
        self.note("looked", seat, cards=cards, seers=(seat,))
        return number

    def keep_one(self, seat: int, card: str, number: int) -> None:
        cards = [str(name) for name in self.deck[:number]]
        self.deck = self.deck[number:]
        cards.remove(card)
        self.hands[seat][card] += 1
        self.note("kept one", seat, cards=(card,), seers=(seat,), number=number)
        self.note("rest", seat, cards=tuple(cards))
        self.pile += cards

    def keep_some(self, seat: int, taken: Sequence[str], number: int) -> None:
        self.note("kept some", seat, cards=tuple(taken), seers=(seat,), number=number)
        for card in taken:
            self.deck.remove(card)
            self.hands[seat][card] += 1

    def go_west(self, seat: int) -> None:
        number = self.reach(3)
        discards = iter(self.after["discard"][len(self.pile) :])
        for _ in range(number):
            card = self.deck[0]
            if card is None:
                # After a shuffle: first what was kept, then what lies on the discard.
                came = Counter(self.after["seats"][seat]["hand"]) - self.hands[seat]
                card = next((name for name in ("City", "Town") if came[name]), None)
            if card is None:
                card = next(discards)
            elif card not in ("City", "Town"):
                next(discards)
            self.deck.pop(0)
            self.note("turned up", seat, cards=(card,))
            if card in ("City", "Town"):
                self.hands[seat][card] += 1
                self.note("took", seat, cards=(card,))
            else:
                self.to_pile(card)

    def search(self, seat: int, kinds: Sequence[str]) -> bool:
        self.note("shuffled")
        if not any(card in kinds for card in self.deck):
            self.note("none left", cards=tuple(kinds))
            cards = [*self.deck, *self.pile]
            if self.pile:
                self.note("pile came in")
                self.pile = []
            if not any(card in kinds for card in cards):
                self.shuffle(cards, 0)
                return False
            self.deck = list(cards)
            if len(kinds) > 1:
                self.shuffle(cards, 0)
        if len(kinds) > 1:
            there = tuple(name for name in kinds if name in self.deck)
            self.note("found kinds", seat, cards=there, seers=(seat,))
        return True

    def find(self, seat: int, card: str, kinds: Sequence[str]) -> None:
        seers = (seat,) if len(kinds) > 1 else None
        self.note("found", seat, cards=(card,), seers=seers)
        self.deck.remove(card)
        self.hands[seat][card] += 1
        self.shuffle(self.deck, 0)

    def hand_over(self, giver: int, taker: int, cards: Sequence[str]) -> None:
        self.note("handed over", giver, taker, tuple(cards), (giver, taker))
        self.hands[giver] -= Counter(cards)
        self.hands[taker] += Counter(cards)

    def steal(self, victim: int) -> None:
        came = Counter(self.after["seats"][self.turn]["hand"]) - self.hands[self.turn]
        if self.after["shuffles"] and self.war and not self.after["war_open"]:
            raise UnclearError
        self.hand_over(victim, self.turn, list(came.elements()))

    def wreck(self, target: int) -> None:
        cards = tuple(self.hands[target].elements())
        self.note("saw hand", self.turn, target, cards, (self.turn,))
        if "Train" in self.hands[target]:
            self.discard(target, ["Train"])


# What an observer makes of them


@dataclass
class Observer:
    """The certain knowledge of one seat, or of the public, of cards that it does not see.

    Attributes:
        me: the seat.
        sizes: cards in each hand.
        deck: cards in the deck.
        public: what the public makes of it, to be told of an event first; none for itself.
        own: the own hand.
        pile: the discard.
        sure: cards that are in another hand.
        told: of these, what their holder can tell to be known.
        top: the next cards of the deck.
        must: cards in the deck below these, at least.
        placed: of these, copies seen there.
        may: cards in the deck below these, at most.
        fresh: cards of unknown place that were in the deck since the discard last came in.
        drawn: unseen cards of a hand that may be such cards.
    """

    me: int
    sizes: list[int]
    deck: int
    public: Observer | None = None
    own: Cards = field(default_factory=Counter)
    pile: Cards = field(default_factory=Counter)
    sure: list[Cards] = field(default_factory=list)
    told: list[Cards] = field(default_factory=list)
    top: list[str] = field(default_factory=list)
    must: Cards = field(default_factory=Counter)
    placed: Cards = field(default_factory=Counter)
    may: Cards = field(default_factory=Counter)
    fresh: Cards = field(default_factory=Counter)
    drawn: list[int] = field(default_factory=list)

    @classmethod
    def at_deal(cls, me: int, table: Table, public: Observer | None = None) -> Observer:
        """Each hand got a Train openly and others unseen; the seat that begins has drawn."""
        hands = [Counter(seat["hand"]) for seat in table["seats"]]
        new = cls(me, [hand.total() for hand in hands], len(table["draw_deck"]), public)
        new.own = Counter() if me == PUBLIC else hands[me]
        new.sure = [Counter(() if seat == me else ["Train"]) for seat in range(len(hands))]
        new.told = [cards.copy() for cards in new.sure]
        new.drawn = [0] * len(hands)
        if table["turn"] != me:
            dealt = 8 if table["seats"][table["turn"]]["company"] == "Surveyor" else 5
            new.drawn[table["turn"]] = new.sizes[table["turn"]] - dealt
        new.may = Counter({card: new.hidden(card) for card in PACK})
        return new

    def hidden(self, card: str) -> int:
        """Copies of which the place is unknown."""
        seen = self.own[card] + self.pile[card] + self.top.count(card)
        return PACK[card] - seen - sum(cards[card] for cards in self.sure)

    def unseen(self, seat: int) -> int:
        return self.sizes[seat] - self.sure[seat].total()

    def see(self, event: Event) -> None:
        visible = event.seers is None or self.me in event.seers
        getattr(self, "see_" + event.kind.replace(" ", "_"))(
            event, event.cards if visible else None, len(event.cards)
        )
        # Bounds cannot say more than that all of it is there.
        for card in PACK:
            self.may[card] = min(self.may[card], self.hidden(card))
        for seat in range(len(self.sizes)):
            self.drawn[seat] = min(self.drawn[seat], self.unseen(seat))

    def less(self, counts: Cards, card: str, number: int, floor: int = 0) -> None:
        counts[card] = max(floor, counts[card] - number)

    def gain(self, seat: int, card: str) -> None:
        """A card that I see comes into a hand, whose owner sees that I do."""
        if seat == self.me:
            self.own[card] += 1
        else:
            self.sure[seat][card] += 1
            self.told[seat][card] += 1

    def lose(self, seat: int, card: str) -> None:
        """A card that I see leaves a hand."""
        if seat == self.me:
            self.own[card] -= 1
        elif self.sure[seat][card]:
            self.sure[seat][card] -= 1
            self.less(self.told[seat], card, 1)
        else:
            self.uncover(seat, card)

    def uncover(self, seat: int, card: str) -> None:
        """A card of a hand was of unknown place until now."""
        if self.drawn[seat] and self.fresh[card]:
            if self.fresh[card] == self.hidden(card):
                self.drawn[seat] -= 1
            self.less(self.fresh, card, 1, self.must[card])
        self.may[card] = min(self.may[card], self.hidden(card) - 1)

    def from_deck(self, card: str) -> None:
        """A card that I see leaves the deck below its known top."""
        self.may[card] -= 1
        for counts in (self.must, self.placed, self.fresh):
            self.less(counts, card, 1)

    def unseen_draw(self, seat: int, number: int, size: int) -> None:
        """So many of the cards below the known top, ``size`` of them, go to a hand."""
        for card in PACK:
            certain = number - (size - self.must[card]) if self.must[card] else 0
            if certain > 0:
                self.sure[seat][card] += certain
                self.may[card] -= certain
                self.less(self.fresh, card, certain)
        certain_all = sum(
            max(0, number - (size - self.must[card])) for card in PACK if self.must[card]
        )
        for card in PACK:
            self.less(self.must, card, number)
            self.less(self.placed, card, number)
        self.drawn[seat] += number - certain_all

    def mix(self) -> None:
        """The order of the known top is lost."""
        for card in self.top:
            for counts in (self.must, self.placed, self.may, self.fresh):
                counts[card] += 1
        self.top = []

    # One method for each kind of event: the cards, if they are seen, and how many

    def see_laid(self, event: Event, cards: Any, number: int) -> None:
        self.lose(event.seat, cards[0])
        self.sizes[event.seat] -= 1

    def see_discarded(self, event: Event, cards: Any, number: int) -> None:
        self.pile[cards[0]] += 1

    def see_took(self, event: Event, cards: Any, number: int) -> None:
        self.sizes[event.seat] += 1
        self.gain(event.seat, cards[0])

    def see_picked_up(self, event: Event, cards: Any, number: int) -> None:
        self.pile[cards[0]] -= 1

    def see_drew(self, event: Event, cards: Any, number: int) -> None:
        on_top, self.top = self.top[:number], self.top[number:]
        below = self.deck - len(on_top) - len(self.top)
        self.deck -= number
        self.sizes[event.seat] += number
        for card in on_top:
            self.gain(event.seat, card)
        if cards is None:
            self.unseen_draw(event.seat, number - len(on_top), below)
        else:
            for card in (Counter(cards) - Counter(on_top)).elements():
                self.from_deck(card)
                self.own[card] += 1

    def see_turned_up(self, event: Event, cards: Any, number: int) -> None:
        self.deck -= 1
        if self.top:
            self.top.pop(0)
        else:
            self.from_deck(cards[0])

    def see_looked(self, event: Event, cards: Any, number: int) -> None:
        if cards is not None:
            for card in cards[len(self.top) :]:
                self.from_deck(card)
            self.top = list(cards) + self.top[number:]

    def see_kept_one(self, event: Event, cards: Any, number: int) -> None:
        """Together with the rest, which come next."""
        if cards is not None:
            self.top.remove(cards[0])
            self.own[cards[0]] += 1
        self.sizes[event.seat] += 1

    def see_rest(self, event: Event, cards: Any, number: int) -> None:
        rest = Counter(cards)
        if event.seat != self.me:
            on_top, self.top = self.top[: number + 1], self.top[number + 1 :]
            lacking = Counter(on_top) - rest
            below = self.deck - len(on_top) - len(self.top)
            for card in (rest - Counter(on_top)).elements():
                self.from_deck(card)
                below -= 1
            for card in lacking.elements():
                self.gain(event.seat, card)
            if not lacking:
                self.unseen_draw(event.seat, 1, below)
        else:
            self.top = self.top[number:]
        self.deck -= number + 1
        self.pile += rest

    def see_kept_some(self, event: Event, cards: Any, number: int) -> None:
        if cards is not None:
            for card in cards:
                self.top.remove(card)
                self.own[card] += 1
        elif not self.top:
            self.unseen_draw(event.seat, number, self.deck)
        else:
            known, strange = Counter(self.top), event.number - len(self.top)
            self.mix()
            drawn = number
            for card in PACK:
                certain = max(0, number - (event.number - known[card]))
                self.sure[event.seat][card] += certain
                self.told[event.seat][card] += certain
                self.may[card] -= certain
                self.less(self.fresh, card, certain)
                drawn -= certain
                gone = min(number, known[card] + strange)
                self.less(self.must, card, gone)
                self.less(self.placed, card, gone)
            self.drawn[event.seat] += drawn
        self.deck -= number
        self.sizes[event.seat] += number

    def see_shuffled(self, event: Event, cards: Any, number: int) -> None:
        self.mix()

    def see_none_left(self, event: Event, cards: Any, number: int) -> None:
        for card in cards:
            self.may[card] = 0

    def see_pile_came_in(self, event: Event, cards: Any, number: int) -> None:
        for card in PACK:
            if self.deck:
                self.placed[card] += self.pile[card]
                self.may[card] += self.pile[card]
            else:
                self.may[card] = self.pile[card]
            self.must[card] += self.pile[card]
            self.fresh[card] = self.must[card]
        self.deck += self.pile.total()
        self.pile = Counter()
        self.drawn = [0] * len(self.drawn)

    def see_found_kinds(self, event: Event, cards: Any, number: int) -> None:
        if cards is not None:
            for card in RAILS:
                if card in cards:
                    self.must[card] = max(1, self.must[card])
                    self.fresh[card] = max(1, self.fresh[card])
                else:
                    self.may[card] = 0

    def see_found(self, event: Event, cards: Any, number: int) -> None:
        self.deck -= 1
        self.sizes[event.seat] += 1
        if cards is not None:
            self.from_deck(cards[0])
            self.gain(event.seat, cards[0])
        else:
            self.drawn[event.seat] += 1
            for card in RAILS:
                self.less(self.must, card, 1)
                self.less(self.placed, card, 1)

    def see_showed(self, event: Event, cards: Any, number: int) -> None:
        if event.seat != self.me:
            self.see_in_hand(event.seat, Counter(cards))

    def see_saw_hand(self, event: Event, cards: Any, number: int) -> None:
        if cards is not None:
            self.see_in_hand(event.other, Counter(cards))
        elif self.me == PUBLIC:
            # What the looker can no longer tell apart, everybody does no longer know for certain.
            self.drawn[event.other] = self.unseen(event.other)

    def see_in_hand(self, seat: int, cards: Cards) -> None:
        for card, count in cards.items():
            while self.sure[seat][card] < count:
                self.uncover(seat, card)
                self.sure[seat][card] += 1
                self.drawn[seat] = min(self.drawn[seat], self.unseen(seat))
            self.told[seat][card] = max(self.told[seat][card], count)

    def see_handed_over(self, event: Event, cards: Any, number: int) -> None:
        giver, taker = event.seat, event.other
        if cards is not None:
            for card in cards:
                self.lose(giver, card)
                self.sizes[giver] -= 1
                self.drawn[giver] = min(self.drawn[giver], self.sizes[giver])
                self.gain(taker, card)
                self.sizes[taker] += 1
            return
        size = self.sizes[giver]
        moved = number
        for card in PACK:
            known = self.sure[giver][card]
            certain = max(0, number - (size - known)) if known else 0
            self.may[card] = min(self.may[card], self.hidden(card))
            self.sure[taker][card] += certain
            moved -= certain
            self.less(self.sure[giver], card, number)
            self.less(self.told[giver], card, number)
            if known and self.public is not None:
                # Everybody knows that so many copies are fresh, and I see no more of them now.
                seen = self.public.hidden(card) - self.hidden(card)
                more = max(0, self.public.fresh[card] - seen - self.fresh[card])
                self.fresh[card] += more
                self.drawn[giver] += more
        self.drawn[taker] += min(moved, self.drawn[giver])
        self.sizes[giver] -= number
        self.sizes[taker] += number

    # Results

    def facts(self) -> dict[str, Any]:
        """All that is known, in the words of a table's memory."""

        def by_hand(hands: Sequence[Cards]) -> dict[str, list[str]]:
            named = {f"player_{seat}": +cards for seat, cards in enumerate(hands)}
            return {
                name: sorted(cards.elements(), key=ORDER.index)
                for name, cards in named.items()
                if cards
            }

        def counts(cards: Cards) -> dict[str, int]:
            return {card: cards[card] for card in PACK if cards[card]}

        others = [seat for seat in range(len(self.sizes)) if seat != self.me]
        kept = {f"player_{s}": self.unseen(s) - self.drawn[s] for s in others}
        return {
            "known": by_hand(self.sure),
            "shown": by_hand(self.told),
            "top": self.top,
            "deck_at_least": counts(self.must),
            "deck_placed": counts(self.placed),
            "deck_at_most": {
                card: self.may[card] for card in PACK if self.may[card] < self.hidden(card)
            },
            "fresh_at_least": counts(self.fresh),
            "kept_at_least": {name: number for name, number in kept.items() if number},
        }


def facts_of(table: Table, row: str) -> dict[str, Any]:
    """The memory of a row in a whole table, in the form of :meth:`Observer.facts`."""
    memory = dict(table["memory"][row])
    memory["top"] = table["draw_deck"][: memory.pop("top_known")]
    memory.setdefault("shown", memory["known"])
    memory.setdefault("deck_placed", memory["deck_at_least"])
    memory.setdefault("fresh_at_least", memory["deck_at_least"])
    memory.setdefault("kept_at_least", {})
    return memory
