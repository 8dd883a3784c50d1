"""A table in card names read back: everything is checked, and errors name what is wrong."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from railenvs.engine.checks import entry, one_of, whole_number
from railenvs.engine.state import CUT_OFF, TERMINATED, Record
from railenvs.games.express.cards import (
    COPIES,
    ENGINE,
    FACE_NAMES,
    FIRST_CAR,
    GREEN_1,
    GREEN_2,
    NUM_FACES,
    NUM_REGIONAL,
    NUM_VEHICLES,
    PASS,
    POOL_NAMES,
    RED,
    REGIONS,
    REQUEST_NAMES,
    VAN,
    after_asked,
    first_asked,
    pool_for,
)
from railenvs.games.express.memory import note_comes, note_leaves, note_pass_shown, unknown_count
from railenvs.games.express.rules import (
    FIRST_POINTS,
    WIN_POINTS,
    hand_score,
    next_holder,
    seat_after,
)
from railenvs.games.express.state import (
    BARRED,
    CARDS_DEALT,
    CLAIM,
    DISCARD,
    DRAW,
    EXCHANGE,
    HAND_OVER,
    LARGEST_HAND,
    LAY_OUT,
    NONE,
    PHASES,
    PUBLIC,
    TURNED_UP,
)
from railenvs.games.express.table import (
    OVER,
    TOPS,
    Counts,
    all_unseen,
    cards,
    old_unless_told,
    player,
)
from railenvs.games.express.trains import (
    SETTLED,
    any_lay_out_due,
    completes,
    correct_cards,
    fits_next,
    may_lay_out,
    open_place,
    owner_of,
    settle,
    train_length,
)


def read_table(state: Record, given: Mapping[str, Any]) -> None:
    """Write a whole table into a blank record.

    Raises:
        ValueError: where an entry is missing or malformed, a card missing, doubled or unknown, or
            entries contradict one another: hands, trains, pile, score and what is being decided,
            by the turns played; or a memory contradicts the cards. Whether a game can lead there in
            every other way is not tried.
    """
    seats = entry(given, "seats", list)
    if len(seats) != state.num_players:
        raise ValueError(f"'seats' must list {state.num_players} seats, not {len(seats)}")
    phase = one_of(given.get("phase"), "'phase'", [*PHASES, OVER])
    state.phase = DRAW if phase == OVER else PHASES.index(phase)
    _read_progress(state, given, phase == OVER)
    _read_pile(state, given)
    for index, seat in enumerate(seats):
        _read_seat(state, index, seat)
    _check_pack(state)
    _check_hands(state, phase == OVER)
    _check_progress(state, phase == OVER)
    if phase != OVER:
        _read_decision(state, given, seats)
    _know_nothing(state)
    if "memory" in given:
        read_memory(state, entry(given, "memory", dict))


# Cards


def _faces(given: Any, where: str) -> Counts:
    """Number of cards of each face in a list of names."""
    if not isinstance(given, list):
        raise ValueError(f"{where} must be a list of cards, not {given!r}")
    counts = np.zeros(NUM_FACES, np.int64)
    for name in given:
        counts[_face(name, where)] += 1
    return counts


def _face(name: Any, where: str) -> int:
    if not isinstance(name, str) or name not in FACE_NAMES:
        raise ValueError(f"{where}: unknown card {name!r}")
    return FACE_NAMES.index(name)


def _index(given: Any, what: str, names: Sequence[str]) -> int:
    """Place of a name in a list, or ``NONE`` for null."""
    return NONE if given is None else names.index(one_of(given, what, names))


def _read_pile(state: Record, given: Mapping[str, Any]) -> None:
    _put(state.pile, _faces(given.get("pile"), "'pile'"), "'pile'")
    names = entry(given, "stock", list)
    _faces(names, "'stock'")
    if not 0 < len(names) <= state.stock.size:
        raise ValueError(f"'stock' must hold 1 to {state.stock.size} cards, not {len(names)}")
    state.stock_count = len(names)
    for place, name in enumerate(reversed(names)):
        state.stock[place] = FACE_NAMES.index(name)
    state.top = _index(given.get("face_up"), "'face_up'", FACE_NAMES)
    how = _index(given.get("face_up_is"), "'face_up_is'", TOPS)
    if (how == NONE) != (state.top == NONE):
        raise ValueError("'face_up' and 'face_up_is' must both be given or both be null")
    state.top_is = TURNED_UP if how == NONE else how
    if state.top != NONE and state.pile[state.top] == 0:
        raise ValueError(f"'face_up' {given['face_up']!r} is not in the pile")
    if how == BARRED and state.top != PASS:
        raise ValueError(f"'face_up_is' can be 'barred' for a Pass alone, not {given['face_up']!r}")
    if state.top != NONE and (how == TURNED_UP) != (state.turns == 0):
        raise ValueError(f"'face_up_is' cannot be {TOPS[how]!r} after {state.turns} turns")
    if state.turns == 0 and state.pile.sum() != (state.top != NONE):
        raise ValueError("'pile' holds the card turned up alone before the first discard")
    if state.pile.sum() > state.turns + 1:
        raise ValueError(f"'pile' cannot hold {state.pile.sum()} cards after {state.turns} turns")


def _put(where: Any, counts: Counts, what: str) -> None:
    for face in np.flatnonzero(counts):
        if counts[face] > COPIES[face]:
            raise ValueError(f"{what}: {counts[face]} of {FACE_NAMES[face]!r}")
        where[face] = counts[face]


def _read_seat(state: Record, seat: int, given: Any) -> None:
    where = f"seat {seat}"
    names = entry(given, "hand", list, where)
    _put(state.hand[seat], _faces(names, f"'hand' of {where}"), f"'hand' of {where}")
    state.hand_count[seat] = min(len(names), 2 * LARGEST_HAND)
    train = entry(given, "train", list, where)
    laid = _faces(train, f"'train' of {where}")
    if laid.max() > 1 or laid[NUM_VEHICLES:].any():
        raise ValueError(f"'train' of {where} must hold different vehicles, not {train!r}")
    state.train[seat] = laid[:NUM_VEHICLES]
    state.region[seat] = _index(given.get("region"), f"'region' of {where}", REGIONS)
    assigned = _index(given.get("assigned"), f"'assigned' of {where}", REGIONS)
    if (assigned != NONE) != bool(state.assigned_regions):
        raise ValueError(f"'assigned' of {where} is {given.get('assigned')!r} against the option")
    state.assigned[seat] = assigned
    _check_train(state, seat, laid)
    way_out = train_length(state) + 1 if state.region[seat] != NONE else 0
    position = whole_number(given.get("position"), f"'position' of {where}", 0, way_out)
    state.position[seat] = position
    ended = int(state.hands) - int(state.hands_left)
    score = whole_number(given.get("score", 0), f"'score' of {where}", -7 * ended, 15 * ended)
    state.score[seat] = score


def _check_train(state: Record, seat: int, laid: Counts) -> None:
    region = int(state.region[seat])
    if region == NONE:
        fits = not laid.any()
    else:
        fits = laid.sum() == train_length(state) and bool(completes(state, laid, region))
        proper = {region * 5 + role for role in range(5)}
        proper |= {int(pool_for(region, role)) for role in (ENGINE, FIRST_CAR, VAN)}
        fits &= set(np.flatnonzero(laid).tolist()) <= proper
        fits &= state.assigned[seat] in (NONE, region)
    if not fits:
        name = None if region == NONE else REGIONS[region]
        raise ValueError(f"'train' of seat {seat} is no train of region {name!r}: {cards(laid)}")


def _check_pack(state: Record) -> None:
    """Every card of the pack is in one place."""
    counts = state.pile + state.hand.sum(axis=0, dtype=np.int64)
    counts[:NUM_VEHICLES] += state.train.sum(axis=0)
    for face in state.stock[: state.stock_count]:
        counts[face] += 1
    for face in range(NUM_FACES):
        if counts[face] != COPIES[face]:
            raise ValueError(
                f"there must be {COPIES[face]} of {FACE_NAMES[face]!r}, not {counts[face]}"
            )
    assigned = state.assigned[: state.num_players]
    if state.assigned_regions and len(set(assigned.tolist())) < state.num_players:
        raise ValueError("'assigned' Regions must differ")


def _check_hands(state: Record, over: bool) -> None:
    """Seven cards, less those laid out; one more for who has drawn and not yet discarded."""
    for seat in range(state.num_players):
        wanted = CARDS_DEALT - (train_length(state) if state.region[seat] != NONE else 0)
        if seat == state.turn and not over and state.phase not in (DRAW, CLAIM):
            wanted += 1
        if state.hand_count[seat] != wanted:
            raise ValueError(f"seat {seat} must hold {wanted} cards, not {state.hand_count[seat]}")


# Progress


def _read_progress(state: Record, given: Mapping[str, Any], over: bool) -> None:
    last = int(state.num_players) - 1
    state.turn = whole_number(given.get("turn"), "'turn'", 0, last)
    state.seat = state.turn
    state.starter = whole_number(given.get("starter"), "'starter'", 0, last)
    most = int(state.max_turns) - (not over)
    state.turns = whole_number(given.get("turns"), "'turns'", int(over), most)
    fewest, most = (0, 0) if over else (1, int(state.hands))
    left = given.get("hands_left", most)
    state.hands_left = whole_number(left, "'hands_left'", fewest, most)
    finished = int(state.turns) - over
    if state.turn != (int(state.starter) + finished) % int(state.num_players):
        raise ValueError(
            f"after {state.turns} turns from seat {state.starter} on it is not "
            f"seat {state.turn}'s turn"
        )
    if given.get("moved_out") is not None:
        state.moved_out = whole_number(given["moved_out"], "'moved_out'", 0, last)
        if not over or state.moved_out != state.turn:
            raise ValueError(f"'moved_out' can be the last turn's seat alone, not {given!r:.60}")


def _check_progress(state: Record, over: bool) -> None:
    _check_trains_in_time(state)
    _check_scores(state, over)
    way_out = train_length(state) + 1
    out = [seat for seat in range(state.num_players) if state.position[seat] == way_out]
    if out != [seat for seat in [int(state.moved_out)] if seat != NONE]:
        raise ValueError(f"trains of seats {out} are right out, but 'moved_out' differs")
    if over:
        if state.moved_out != NONE and state.top not in (GREEN_1, GREEN_2):
            raise ValueError("'face_up' must be the green signal that moved a train out")
        if state.moved_out == NONE and state.turns != state.max_turns:
            raise ValueError("a hand that is over has a train moved out or all its turns played")
        cut_off = state.hands == 1 and state.moved_out == NONE
        state.ended = CUT_OFF if cut_off else TERMINATED
        if state.top == NONE:
            raise ValueError("'face_up' must be the last discard")


def _check_trains_in_time(state: Record) -> None:
    """Who has had no turn has laid out no train; a train moves two steps a turn at most."""
    count = int(state.num_players)
    for seat in range(count):
        before = (seat - int(state.starter)) % count
        turns = max(int(state.turns) - before + count - 1, 0) // count
        laying = seat == state.turn and state.phase == DISCARD
        if state.region[seat] != NONE and not turns and not laying:
            raise ValueError(f"seat {seat} cannot have laid out a train before its first turn")
        if state.position[seat] > 2 * turns:
            raise ValueError(
                f"'position' of seat {seat} cannot be {state.position[seat]} after {turns} turns"
            )


def _check_scores(state: Record, over: bool) -> None:
    """The scores are those of the hands that have ended; each has one winner at most."""
    if not over and not state.score.any():
        return  # They were left out.
    ended = int(state.hands) - int(state.hands_left) - over
    wins = 0
    for seat in range(state.num_players):
        points = int(state.score[seat]) - (int(hand_score(state, seat)) if over else 0)
        fewest = _fewest_wins(points, ended, int(train_length(state)))
        if fewest > ended:
            raise ValueError(f"'score' of seat {seat} cannot be {state.score[seat]}")
        wins += fewest
    if wins > ended:
        raise ValueError(f"'score' of all seats: they cannot have won {wins} of {ended} hands")


def _fewest_wins(points: int, hands: int, length: int) -> int:
    """Fewest hands that a seat with so many points has won; more than there are if it cannot be."""
    win, none = FIRST_POINTS + WIN_POINTS, -CARDS_DEALT
    train = FIRST_POINTS - (CARDS_DEALT - length)
    for wins in range(hands + 1):
        for trains in range(hands - wins + 1):
            if points == win * wins + train * trains + none * (hands - wins - trains):
                return wins
    return hands + 1


# Decisions


def _read_decision(
    state: Record, given: Mapping[str, Any], seats: Sequence[Mapping[str, Any]]
) -> None:
    """What is being decided, and by whom."""
    phase = int(state.phase)
    drawn = phase not in (DRAW, CLAIM)
    state.picked_up = _index(given.get("picked_up"), "'picked_up'", FACE_NAMES)
    if state.picked_up != NONE:
        held = drawn and state.hand[state.turn, state.picked_up] > 0 and state.top == NONE
        if not held or not RED <= state.picked_up < PASS:
            raise ValueError(f"'picked_up' cannot be {given['picked_up']!r}")
    if not drawn and state.top == NONE:
        raise ValueError("'face_up' must be given while a player has yet to draw")
    if phase == DISCARD and not _laid_out_or_exchanged(state):
        raise ValueError("'phase' is 'discard' only after a lay-out or an exchange")
    if phase in (HAND_OVER, EXCHANGE) and any_lay_out_due(state):
        raise ValueError(f"'phase' cannot be {PHASES[phase]!r} while a train must be laid out")
    _read_asked(state, given)
    _read_laying(state, given, seats)
    state.exchanging = _only_in(EXCHANGE, state, given, "exchanging", POOL_NAMES)
    if phase == EXCHANGE:
        state.exchanging += NUM_REGIONAL
        if owner_of(state, state.exchanging) == NONE or correct_cards(state, state.exchanging) < 2:
            raise ValueError(f"'exchanging' {given['exchanging']!r} leaves no choice")


def _laid_out_or_exchanged(state: Record) -> bool:
    """Whether the turn's player may just have done so: it has a train, or a Pool card from one."""
    if state.region[state.turn] != NONE:
        return True
    regions = [int(region) for region in state.region if region != NONE]
    roles = (ENGINE, FIRST_CAR, VAN)
    from_trains = {int(pool_for(region, role)) for region in regions for role in roles}
    return any(state.hand[state.turn, card] for card in from_trains)


def _only_in(
    phase: int, state: Record, given: Mapping[str, Any], key: str, names: Sequence[str]
) -> int:
    """The entry that a phase, and no other, has."""
    if (given.get(key) is not None) != (state.phase == phase):
        raise ValueError(f"{key!r} is given in phase {PHASES[phase]!r} alone: {given.get(key)!r}")
    return _index(given.get(key), f"{key!r}", names)


def _read_asked(state: Record, given: Mapping[str, Any]) -> None:
    request = _only_in(HAND_OVER, state, given, "request", REQUEST_NAMES)
    state.request = request
    if (given.get("asked") is not None) != (state.phase in (CLAIM, HAND_OVER)):
        raise ValueError(f"'asked' cannot be {given.get('asked')!r} in this phase")
    if given.get("asked") is None:
        return
    asked = whole_number(given["asked"], "'asked'", 0, int(state.num_players) - 1)
    state.seat = asked
    if state.phase == CLAIM:
        follower = seat_after(state, state.turn, 1)
        regional = 0 <= state.top < NUM_REGIONAL and state.top_is not in (TURNED_UP, BARRED)
        eligible = asked != state.turn and next_holder(state, asked) == asked
        steps = (asked - follower) % state.num_players
        if not regional or not eligible or steps > state.num_players - 3:
            raise ValueError(f"seat {asked} cannot be asked to claim the face-up card")
    else:
        fitting = state.hand[asked, first_asked(request) : after_asked(request)].sum()
        if asked == state.turn or fitting < 2 or state.hand[state.turn, PASS] == 0:
            raise ValueError(f"seat {asked} cannot be asked to choose a {given['request']!r}")


def _read_laying(
    state: Record, given: Mapping[str, Any], seats: Sequence[Mapping[str, Any]]
) -> None:
    """A train being laid out: the choices so far must be those the run of choices leads to."""
    region = _only_in(LAY_OUT, state, given, "laying", REGIONS)
    for index, seat in enumerate(seats):
        choosing = state.phase == LAY_OUT and index == state.turn
        if (seat.get("chosen") is not None) != choosing:
            raise ValueError(f"'chosen' of seat {index} cannot be {seat.get('chosen')!r}")
    if region == NONE:
        return
    chosen = _faces(seats[state.turn]["chosen"], "'chosen'")[:NUM_VEHICLES]
    state.laying = region
    hand = state.hand[state.turn]
    fits = may_lay_out(state, state.turn, region) and completes(state, hand, region)
    while fits and settle(state) != SETTLED and (state.picked != chosen).any():
        place = open_place(state)
        nexts = [
            int(vehicle)
            for vehicle in np.flatnonzero(chosen)
            if not state.picked[vehicle] and fits_next(state, place, int(vehicle))
        ]
        if not nexts:
            break
        state.picked[nexts[0]] = 1
    if not fits or (state.picked != chosen).any() or open_place(state) == SETTLED:
        raise ValueError(f"'chosen' {cards(chosen)} leads to no choice for {REGIONS[region]!r}")


# Memory


def _know_nothing(state: Record) -> None:
    """All that is not seen may lie anywhere, and any card of a hand may be old or new."""
    for row in (*range(state.num_players), PUBLIC):
        state.stock_at_most[row] = state.old_at_most[row] = all_unseen(state, row)
        for seat in range(state.num_players):
            if seat != row:
                state.new_at_most[row, seat] = state.hand_count[seat]
    if state.picked_up != NONE:
        note_leaves(state, int(state.turn), int(state.picked_up))
        note_comes(state, int(state.turn), int(state.picked_up))
    if state.phase == HAND_OVER:
        note_pass_shown(state, int(state.seat), int(state.turn))


def read_memory(state: Record, given: Mapping[str, Any]) -> None:
    """What the public and the seats know."""
    rows = {"public": PUBLIC, **{player(row): row for row in range(state.num_players)}}
    for name, row in rows.items():
        memory = entry(given, name, dict, "'memory'")
        for seat in range(state.num_players):
            if seat != row:
                what = f"{player(seat)!r} in {name!r} of 'memory'"
                facts = entry(memory, player(seat), dict, f"{name!r} of 'memory'")
                _read_facts(state, row, seat, facts, what)
        unseen = all_unseen(state, row)
        stock = _read_bound(memory, "stock_at_most", name, unseen, unseen)
        old = _read_bound(memory, "old_at_most", name, unseen, old_unless_told(unseen, stock))
        state.stock_at_most[row] = stock
        state.old_at_most[row] = old
        if not fits_truth(state, row, unseen):
            raise ValueError(f"{name!r} of 'memory' contradicts the cards")
        sees = state.picked_up != NONE and state.turn != row
        if sees and not state.known[row, state.turn, state.picked_up]:
            raise ValueError(f"{name!r} of 'memory' must know the card picked up")
    if state.phase == HAND_OVER and not state.known[state.seat, state.turn, PASS]:
        raise ValueError(
            f"{player(state.seat)!r} of 'memory' must know the Pass of {player(state.turn)!r}"
        )


def _read_facts(state: Record, row: int, seat: int, given: Mapping[str, Any], where: str) -> None:
    known = _faces(given.get("known"), f"'known' of {where}")
    if (known > state.hand[seat]).any():
        raise ValueError(f"'known' of {where} must be in that hand, not {given['known']!r}")
    state.known[row, seat] = known
    state.known_count[row, seat] = known.sum()
    absent = _faces(given.get("absent"), f"'absent' of {where}")
    if (absent > 1).any() or absent[NUM_VEHICLES:].any() or (absent * state.hand[seat]).any():
        raise ValueError(f"'absent' of {where} must not be in that hand, not {given['absent']!r}")
    state.absent[row, seat] = absent[:NUM_VEHICLES]
    if row != PUBLIC:
        for name in ("known", "absent"):
            if (state[name][PUBLIC, seat] > state[name][row, seat]).any():
                raise ValueError(f"{name!r} of {where} lacks what is public")
    unknown = int(unknown_count(state, row, seat))
    for name, high in (("new_at_most", unknown), ("new_at_least", unknown)):
        state[name][row, seat] = whole_number(given.get(name), f"{name!r} of {where}", 0, high)


def _read_bound(
    memory: Mapping[str, Any], key: str, name: str, unseen: Counts, left_out: Counts
) -> Counts:
    """A bound on the unseen cards; ``left_out`` where it is not given."""
    if key not in memory:
        return left_out
    where = f"{key!r} in {name!r} of 'memory'"
    counts = _faces(memory[key], where)
    if (counts > unseen).any():
        raise ValueError(f"{where} holds cards that are seen: {cards(counts - unseen > 0)}")
    return counts


def fits_truth(state: Record, row: int, unseen: Counts) -> bool:
    """Whether the cards, as they lie, agree with a row's bounds.

    Each unseen copy is old, new or either; signals and Passes are alike, so that every way to say
    which copy lies where is tried.
    """
    others = [seat for seat in range(state.num_players) if seat != row]
    in_stock = np.bincount(state.stock[: state.stock_count], minlength=NUM_FACES)
    least_old = unseen - state.stock_at_most[row]
    least_new = unseen - state.old_at_most[row]
    if (least_old + least_new > unseen).any() or (in_stock > unseen - least_old).any():
        return False
    start = (0,) * len(others)
    reached = {(start, start)}
    for face in np.flatnonzero(least_old + least_new):
        held = [int(state.hand[seat, face] - state.known[row, seat, face]) for seat in others]
        new = max(int(least_new[face] - in_stock[face]), 0)
        ways = _labels(held, int(least_old[face]), new)
        reached = {
            (_add(old, more_old), _add(fresh, more_new))
            for old, fresh in reached
            for more_old, more_new in ways
        }
    most_old = [
        int(unknown_count(state, row, seat)) - int(state.new_at_least[row, seat]) for seat in others
    ]
    most_new = [int(state.new_at_most[row, seat]) for seat in others]
    return any(
        all(np.less_equal(old, most_old)) and all(np.less_equal(fresh, most_new))
        for old, fresh in reached
    )


def _add(one: tuple[int, ...], other: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(a + b for a, b in zip(one, other, strict=True))


def _labels(
    held: Sequence[int], old: int, new: int
) -> list[tuple[tuple[int, ...], tuple[int, ...]]]:
    """Every way in which ``old`` and ``new`` of the copies held by each seat are just that."""
    if not held:
        return [((), ())] if old == new == 0 else []
    return [
        ((first_old, *more_old), (first_new, *more_new))
        for first_old in range(min(old, held[0]) + 1)
        for first_new in range(min(new, held[0] - first_old) + 1)
        for more_old, more_new in _labels(held[1:], old - first_old, new - first_new)
    ]
