"""What an onlooker of EXPRESS knows for certain, built anew from the events that it saw.

Slow and plain, written from the rules of play alone; nothing here comes from the code under test.
It differs from it in kind as well: a :class:`Watcher` keeps, for each vehicle, the places where it
may be, and for cards of which there are several every way that what it saw can have come about.
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterator
from typing import Any

from tests.games.express.tables import CARS, COPIES, SIGNALS, TRAIN, VAN, VEHICLES

Event = tuple[Any, ...]
Table = dict[str, Any]
Way = tuple[tuple[int, ...], ...]
"""See :attr:`Watcher.ways`."""
PACK = "pack"
"""Where a vehicle may be, besides the hands."""
ALIKE = [*SIGNALS, "Pass"]
"""Faces of which there are several cards."""


def asked_for(request: str) -> list[str]:
    """The cards that meet a request: ``"ER Coach"``."""
    region, _, kind = request.partition(" ")
    if kind == "Engine":
        return [f"{region} Engine"]
    return TRAIN[region][4:] if kind == VAN[region] else TRAIN[region][1:4]


def events(before: Table, action: str, after: Table) -> Iterator[Event]:
    """What happened at the table, each with all that it takes to tell who saw what.

    ``("take", seat, face)``, ``("leave", seat, face)``: all see a card come into a hand or leave
    it. ``("draw", seat, face)``: the drawer alone sees it. ``("hand", giver, asker, face)``: a
    coach or wagon shows to these two alone. ``("refuse", seat, faces)``.
    ``("show", giver, asker)``: the giver, about to choose, sees a Pass. ``("shuffle", faces)``.
    ``("deal", table)``. ``("turn over",)``.
    """
    turn = before["turn"]
    seats = len(before["seats"])
    phase = before["phase"]
    if action == "take the face-up card":
        yield "take", turn, before["face_up"]
    elif action == "claim the face-up card":
        yield "take", before["asked"], before["face_up"]
        yield "leave", before["asked"], "Pass"
    elif action.startswith("discard"):
        yield "leave", turn, action.removeprefix("discard ")
    elif action.startswith("ask") or phase == "hand_over":
        if phase == "hand_over":
            giver, request = before["asked"], before["request"]
        else:
            steps, _, request = action.removeprefix("ask seat +").partition(" for ")
            giver = (turn + int(steps)) % seats
        held = [card for card in before["seats"][giver]["hand"] if card in asked_for(request)]
        if not held:
            yield "refuse", giver, asked_for(request)
            yield "leave", turn, "Pass"
        elif len(held) > 1 and phase != "hand_over":
            yield "show", giver, turn
        else:
            card = action.removeprefix("choose ") if phase == "hand_over" else held[0]
            yield "leave", turn, "Pass"
            yield "hand", giver, turn, card
            yield "take", giver, "Pass"
    else:
        # A train may have been set out, or a card of one exchanged.
        for old, new in zip(before["seats"], after["seats"], strict=True):
            for card in set(new["train"]) - set(old["train"]):
                yield "leave", turn, card
            for card in set(old["train"]) - set(new["train"]):
                yield "take", turn, card
    drawn = phase == "claim" or action == "draw from the pack"
    if drawn and after["phase"] != "claim":
        yield "draw", turn, before["stock"][0]
        if len(before["stock"]) == 1:
            yield "shuffle", after["stock"]
    if after["hands_left"] != before["hands_left"] and after["hands_left"]:
        yield "deal", after
    elif after["turns"] != before["turns"]:
        yield ("turn over",)


class Watcher:
    """What a seat, or the public (None), has seen, and what follows for certain.

    Attributes:
        known: per other seat, cards that it certainly holds, by face.
        places: where each vehicle may be; nowhere if it is seen: in my hand, the pile, a train.
        new: vehicles that lay in the pile when it was shuffled, and were not seen since.
        ways: every way to tell cards drawn since the last shuffle, the new ones, from the others:
            per other seat, how many of those that I do not know are new; by face, how many cards
            alike that I do not see are new, and how many are not. None before the first shuffle.
        questions: how often, since the last shuffle, a card left a hand that may have been new or
            not.
        parted: whether the pile was shuffled, in this hand, while several such questions were open:
            what a hand lacked by all of them together need not be remembered.
    """

    def __init__(self, me: int | None, table: Table) -> None:
        self.me = me
        self.begin(table)

    def begin(self, table: Table) -> None:
        """All that is dealt unseen may be anywhere."""
        seats = range(len(table["seats"]))
        self.others = [seat for seat in seats if seat != self.me]
        self.size = {seat: table["seats"][seat]["hand_size"] for seat in seats}
        seen = Counter(table["pile"])
        if self.me is not None:
            seen += Counter(table["seats"][self.me]["hand"])
        self.known = {seat: Counter[str]() for seat in self.others}
        self.places: dict[str, set[Any]] = {
            card: set() if seen[card] else {PACK, *self.others} for card in VEHICLES
        }
        self.unseen = Counter({face: COPIES[face] - seen[face] for face in ALIKE})
        self.new: set[str] = set()
        self.ways: set[Way] | None = None
        self.questions = 0
        self.parted = False
        self.picked_up: str | None = None

    def see(self, event: Event) -> None:
        """Take in what happened."""
        kind, *what = event
        if kind == "take":
            self.take(*what)
        elif kind == "leave":
            self.leave(*what)
        elif kind == "draw":
            self.draw(*what)
        elif kind == "hand":
            self.hand(*what)
        elif kind == "refuse":
            seat, cards = what
            for card in cards:
                self.places[card].discard(seat)
        elif kind == "show":
            giver, asker = what
            if giver == self.me and not self.known[asker]["Pass"]:
                self.leave(asker, "Pass")
                self.take(asker, "Pass")
        elif kind == "shuffle":
            self.shuffle(*what)
        elif kind == "deal":
            self.begin(*what)
        else:
            self.picked_up = None
        self.rule_out()

    def rule_out(self) -> None:
        """A hand with no unknown card that is new, or none that is not, holds no such vehicle."""
        for place, seat in enumerate(self.others):
            unknown = self.unknown(seat)
            drawn = {way[0][place] for way in self.ways} if self.ways else {0}
            for card, where in self.places.items():
                fits = any(drawn) if card in self.new else min(drawn) < unknown
                if not fits and not self.known[seat][card]:
                    where.discard(seat)

    def unknown(self, seat: int) -> int:
        return int(self.size[seat] - self.known[seat].total())

    def take(self, seat: int, face: str) -> None:
        self.size[seat] += 1
        if face in SIGNALS:
            self.picked_up = face
        if face in VEHICLES:
            self.places[face] = set()
            self.new.discard(face)
        if seat != self.me:
            self.known[seat][face] += 1
            if face in VEHICLES:
                self.places[face] = {seat}

    def leave(self, seat: int, face: str) -> None:
        if seat == self.me:
            self.size[seat] -= 1
            return
        # A signal picked up this turn stays: there was another one, seen to come before or not.
        stays = self.known[seat][face] == 1 and face == self.picked_up
        if self.known[seat][face] and not stays:
            self.known[seat][face] -= 1
        else:
            self.unknown_leaves(seat, face)
            self.unseen[face] -= face in ALIKE
        self.size[seat] -= 1
        if face in VEHICLES:
            self.places[face] = set()
            self.new.discard(face)

    def unknown_leaves(self, seat: int, face: str) -> None:
        if self.ways is None:
            return
        place, new_left, old_left = self.others.index(seat), set(), set()
        for drawn, new, old in self.ways:
            if drawn[place] and self.is_new(face, new):
                new_left.add((less(drawn, place), self.less_alike(new, face), old))
            if drawn[place] < self.unknown(seat) and self.is_old(face, old):
                old_left.add((drawn, new, self.less_alike(old, face)))
        self.settle(new_left, old_left)

    def settle(self, new_left: set[Way], old_left: set[Way]) -> None:
        """A card that was new has left a hand, or one that was not: as far as I can tell."""
        self.questions += bool(new_left and old_left)
        self.ways = new_left | old_left

    def is_new(self, face: str, new: tuple[int, ...]) -> bool:
        return face in self.new if face in VEHICLES else new[ALIKE.index(face)] > 0

    def is_old(self, face: str, old: tuple[int, ...]) -> bool:
        return face not in self.new if face in VEHICLES else old[ALIKE.index(face)] > 0

    def less_alike(self, counts: tuple[int, ...], face: str) -> tuple[int, ...]:
        return less(counts, ALIKE.index(face)) if face in ALIKE else counts

    def draw(self, seat: int, face: str) -> None:
        self.size[seat] += 1
        if seat != self.me:
            place = self.others.index(seat)
            for where in self.places.values():
                if PACK in where:
                    where.add(seat)
            if self.ways is not None:
                self.ways = {(less(drawn, place, -1), new, old) for drawn, new, old in self.ways}
        elif face in VEHICLES:
            self.places[face] = set()
            self.new.discard(face)
        else:
            self.unseen[face] -= 1
            if self.ways is not None:
                at = ALIKE.index(face)
                self.ways = {
                    (drawn, less(new, at), old) for drawn, new, old in self.ways if new[at]
                }

    def hand(self, giver: int, asker: int, card: str) -> None:
        cars = next((CARS[region] for region in CARS if card in TRAIN[region][1:4]), None)
        if cars and self.me not in (giver, asker):
            cars = [f"{card.split()[0]} {name}" for name in cars]
            can = [car for car in cars if giver in self.places[car]]
            assert card in can
            if len(can) > 1:
                self.hand_one_of(giver, asker, can)
                return
        self.leave(giver, card)
        self.take(asker, card)

    def hand_one_of(self, giver: int, asker: int, cars: list[str]) -> None:
        """One of several cards changes hands, I do not see which."""
        if self.ways is not None:
            here, there = self.others.index(giver), self.others.index(asker)
            new_left, old_left = set(), set()
            for drawn, new, old in self.ways:
                for car in cars:
                    if car in self.new and drawn[here]:
                        new_left.add((less(less(drawn, here), there, -1), new, old))
                    if car not in self.new and (
                        self.known[giver][car] or drawn[here] < self.unknown(giver)
                    ):
                        old_left.add((drawn, new, old))
            self.settle(new_left, old_left)
        for car in cars:
            self.known[giver][car] = 0
            self.places[car].add(asker)
        self.size[giver] -= 1
        self.size[asker] += 1

    def allows(self, hands: list[list[str]], stock: list[str]) -> bool:
        """Whether cards may lie like this, for all that I know."""
        pack = Counter(stock)
        fresh = dict.fromkeys(self.others, 0)
        unknown = {seat: Counter(hands[seat]) - self.known[seat] for seat in self.others}
        for seat in self.others:
            if len(hands[seat]) != self.size[seat] or self.known[seat] - Counter(hands[seat]):
                return False
            for card in unknown[seat]:
                if card in VEHICLES:
                    fresh[seat] += card in self.new
                    if seat not in self.places[card]:
                        return False
        if any(card in VEHICLES and PACK not in self.places[card] for card in stock):
            return False
        return self.ways is None or any(
            self.tells_apart(way, unknown, fresh, pack) for way in self.ways
        )

    def tells_apart(
        self,
        way: Way,
        unknown: dict[int, Counter[str]],
        fresh: dict[int, int],
        pack: Counter[str],
    ) -> bool:
        """Whether the cards alike in hands can be new and old in the numbers that one way says."""
        reached = {tuple(fresh[seat] for seat in self.others)}
        for face, new in zip(ALIKE, way[1], strict=True):
            held = [unknown[seat][face] for seat in self.others]
            shares = [
                share
                for share in itertools.product(*(range(count + 1) for count in held))
                if sum(share) == new - pack[face]
            ]
            reached = {
                tuple(a + b for a, b in zip(count, share, strict=True))
                for count in reached
                for share in shares
            }
        return way[0] in reached

    def shuffle(self, cards: list[str]) -> None:
        pack = Counter(cards)
        for card, where in self.places.items():
            where.discard(PACK)
            if pack[card]:
                assert not where
                self.places[card] = {PACK}
        self.new = {card for card in VEHICLES if pack[card]}
        old = tuple(self.unseen[face] for face in ALIKE)
        for face in ALIKE:
            self.unseen[face] += pack[face]
        self.ways = {((0,) * len(self.others), tuple(pack[face] for face in ALIKE), old)}
        self.parted |= self.questions > 1
        self.questions = 0


def less(counts: tuple[int, ...], at: int, by: int = 1) -> tuple[int, ...]:
    """Counts with one of them less, or with ``by=-1`` more, by one."""
    return (*counts[:at], counts[at] - by, *counts[at + 1 :])
