"""What holds of every Railroad Run table, checked for many games at once.

Written from the rulebook and the cards, not from the code under test: numbers are repeated here.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from railenvs import Game

Table = dict[str, npt.NDArray[np.int64]]

COPIES = np.array([15] + 6 * [5] + [15, 15] + [5] + 15 * [1] + 5 * [2] + 10 * [1])
"""Train, rails, City, Town, Station and the other industries, bonuses, events."""
TRAIN, CITY, TOWN = 0, 7, 8
PUBLIC, NONE = 8, -1
SURVEY, OPERATIONS, ACCOUNTING, ANSWER = 4, 10, 11, 9
COAL_CHUTE, TRAIN_YARD, UPGRADE, OFFER_GIVE, OFFER_WANT = 3, 5, 6, 7, 8
FIRST_OPPONENT_PHASE, PHASES = 12, 19

SHORT_GAMES = {"max_turns": 24}
"""Random games take 700 decisions and more: what most tests cut them off at. By then melds, trades
and reshuffles have come up."""
GRID_SEATS = (2, 4, 8)
"""The numbers of seats that tests for all games try. Rules and fields change between 2 and 3 seats
(opponents to choose from) and between 5 and 6 (companies) alone, else only lengths do: the fewest,
the default and the most show it. Random runs, golden games and this game's own tests try all."""


def decisions(num_players: int) -> tuple[int, int]:
    """Fewest and most decisions of a game.

    A turn has at least a decision in its Event Phase, and whoever wins needs a few. At most 100
    turns a seat (the default), each of three plays of up to seven decisions, two offers of ten, a
    meld and an accounting of hardly more cards than a hand holds.
    """
    return 4, 100 * num_players * (3 * 7 + 2 * 10 + 100)


def check(game: Game, states: npt.NDArray[np.void]) -> None:
    """Check tables of games in progress, (N,)."""
    seats = game.num_players
    table = {name: states[name].astype(np.int64) for name in states.dtype.names or ()}
    places = np.arange(115)
    deck = _by_face(table["deck"], places < table["deck_size"][:, None])
    pile = _by_face(table["pile"], places < table["pile_size"][:, None])
    hand = table["hand"]
    assert (deck + pile + hand.sum(axis=1) == COPIES).all(), "each card in one place"
    for cards, size in ((table["deck"], "deck_size"), (table["pile"], "pile_size")):
        gone = places >= table[size][:, None]
        assert not cards[gone].any(), "no trace of cards that have moved on: worlds would hold it"
    assert (pile == table["discarded"]).all()
    assert (hand >= 0).all()
    assert (hand.sum(axis=2) == table["hand_size"]).all()
    _check_seats(game, table, seats)
    _check_turn(game, table, seats)
    _check_choice(table)
    for row in (*range(seats), PUBLIC):
        _check_memory(table, seats, row, deck)


def _by_face(cards: npt.NDArray[np.int64], there: npt.NDArray[np.bool_]) -> npt.NDArray[np.int64]:
    counts = np.zeros((len(cards), 40), np.int64)
    rows, places = np.nonzero(there)
    np.add.at(counts, (rows, cards[rows, places]), 1)
    return counts


def _check_seats(game: Game, table: Table, seats: int) -> None:
    for name in ("hand_size", "income", "upgrades"):
        assert not table[name][:, seats:].any(), name
    income, tokens = table["income"][:, :seats], table["tokens"]
    assert ((income >= 0) & (income < 50)).all(), "in play nobody has 50 points"
    assert (tokens >= 0).all()
    assert not tokens[:, np.arange(8), np.arange(8)].any(), "nobody has its own tokens"
    assert not tokens[:, seats:].any()
    assert not tokens[:, :, seats:].any()
    company = table["company"][:, :seats]
    given = 5 + (company == 2)
    assert (tokens.sum(axis=2)[:, :seats] <= given).all()
    assert (tokens.sum(axis=1) <= 5).all()
    if game.options["starting_companies"]:
        assert ((company >= 0) & (company < 5)).all()
        assert (np.diff(np.sort(company, axis=1), axis=1) > 0).all(), "each company once"
    else:
        assert (company == NONE).all()


def _check_turn(game: Game, table: Table, seats: int) -> None:
    phase, turn, rows = table["phase"], table["turn"], np.arange(len(table["turn"]))
    assert ((phase >= 0) & (phase < (PHASES if seats > 2 else FIRST_OPPONENT_PHASE))).all()
    assert (table["turns"] < (game.options["max_turns"] or 100 * seats)).all()
    risky = table["company"][rows, turn] == 3
    assert ((table["plays_left"] >= 0) & (table["plays_left"] <= 2 + risky)).all()
    offers = 2 if game.options["trades"] else 0
    assert ((table["offers_left"] >= 0) & (table["offers_left"] <= offers)).all()
    answering = phase == ANSWER
    assert (table["seat"] == np.where(answering, table["target"], turn)).all()
    assert (table["bonus_open"] <= game.options["trans_continental"]).all()
    assert (table["war_open"] <= game.options["civil_war"]).all()
    limit = 7 + table["upgrades"][rows, turn]
    assert (table["hand_size"][rows, turn] > limit)[phase == ACCOUNTING].all()


def _check_choice(table: Table) -> None:
    phase, chosen, wanted = table["phase"], table["chosen"], table["wanted"]
    rows = np.arange(len(phase))
    held = table["hand"][rows, table["turn"]]
    assert (chosen >= 0).all()
    assert (chosen <= held)[phase != SURVEY].all(), "chosen from hand"
    building = np.isin(phase, (SURVEY, UPGRADE, OFFER_GIVE, OFFER_WANT, OPERATIONS, ACCOUNTING))
    assert not chosen[~building & (table["sent"] == 0)].any()
    assert not wanted[(phase != OFFER_WANT) & (table["sent"] == 0)].any()
    assert (wanted.sum(axis=1) <= 3).all()
    offered = table["sent"] == 1
    assert ((chosen.sum(axis=1) >= 1) & (chosen.sum(axis=1) <= 3))[offered].all()
    asked = phase == ANSWER
    answering = table["hand"][rows, table["target"]]
    assert (wanted <= answering)[asked].all(), "asked alone who holds what is wanted"
    looking = np.select([phase == COAL_CHUTE, phase == SURVEY], [3, 7], 0)
    assert (table["looking"] == np.minimum(looking, table["deck_size"])).all()


def _check_memory(table: Table, seats: int, row: int, deck: npt.NDArray[np.int64]) -> None:
    """All that is known is so, and the public knows no more than any seat."""
    known, public = table["known"][:, row], table["known"][:, PUBLIC]
    assert (known >= 0).all()
    assert (known <= table["hand"]).all(), "known cards are there"
    assert (known.sum(axis=2) == table["known_size"][:, row]).all()
    shown = table["shown"][:, row]
    assert ((shown >= 0) & (shown <= known)).all()
    others = np.arange(8) != row
    assert (public <= known)[:, others].all()
    if row != PUBLIC:
        assert not known[:, row].any()
    top = table["top_known"][:, row]
    assert ((top >= 0) & (top <= np.minimum(7, table["deck_size"]))).all()
    places = np.arange(115)
    first = (table["deck_size"] - top)[:, None]
    on_top = _by_face(table["deck"], (places >= first) & (places < table["deck_size"][:, None]))
    own = table["hand"][:, row] if row != PUBLIC else 0
    hidden = COPIES - own - table["discarded"] - known.sum(axis=1) - on_top
    least, held = table["deck_least"][:, row], table["held_least"][:, row]
    below = deck - on_top
    placed, fresh = table["deck_placed"][:, row], table["fresh_least"][:, row]
    assert ((placed >= 0) & (placed <= least)).all()
    assert (table["deck_noted"][:, row] == least.sum(axis=1)).all()
    assert (least <= below).all()
    assert ((held >= 0) & (below <= hidden - held)).all()
    assert ((least <= fresh) & (fresh <= hidden)).all()
    kept, unseen = table["kept_least"][:, row], (table["hand"] - known).sum(axis=2)
    assert ((kept >= 0) & (kept <= unseen))[:, others].all()
    assert not kept[:, seats:].any()
    if row != PUBLIC:
        assert not kept[:, row].any()
    seen = COPIES - table["discarded"] - table["known"][:, PUBLIC].sum(axis=1) - hidden
    assert (least + on_top >= table["deck_least"][:, PUBLIC]).all()
    assert (held >= table["held_least"][:, PUBLIC] - seen + on_top).all()


def check_step(game: Game, before: npt.NDArray[np.void], after: npt.NDArray[np.void]) -> None:
    """Check what one action may do to games that go on, both (k,)."""
    old, new = (
        {name: states[name].astype(np.int64) for name in states.dtype.names or ()}
        for states in (before, after)
    )
    for name in (
        "num_players",
        "first_player",
        "reward",
        "cut_off",
        "trades",
        "max_turns",
        "company",
    ):
        assert (old[name] == new[name]).all(), name
    turns = new["turns"] - old["turns"]
    assert np.isin(turns, (0, 1)).all()
    assert ((old["turn"] + turns) % game.num_players == new["turn"]).all(), "clockwise"
    assert (new["bonus_open"] <= old["bonus_open"]).all()
    assert (new["war_open"] <= old["war_open"]).all()
    same = turns == 0
    assert (new["plays_left"] <= old["plays_left"])[same].all()
    assert (new["offers_left"] <= old["offers_left"])[same].all()
    assert (new["shuffles"] >= old["shuffles"]).all()
    upgraded = (new["upgrades"] - old["upgrades"]).sum(axis=1)
    assert np.isin(upgraded, (0, 1)).all()
    tokens = np.abs(new["tokens"] - old["tokens"]).sum(axis=(1, 2))
    assert np.isin(tokens, (0, 1)).all()


def check_end(
    game: Game,
    observations: npt.NDArray[np.int8],
    scores: npt.NDArray[np.int32],
    winners: npt.NDArray[np.int8],
) -> None:
    """Check results against what the seats saw last: (k, n, D), (k, n), (k, n)."""

    def seen(name: str) -> Any:
        return game.fields.cut(observations, name).astype(np.int64)

    assert (seen("income")[:, 0] == np.minimum(scores, 127)).all()
    assert not seen("phase").any()
    assert (scores.max(axis=1) >= 50).all()
    assert (winners.sum(axis=1) == 1).all()
    turn = seen("turn")[:, 0].argmax(axis=1)
    for row, points in enumerate(scores):
        # The seat whose turn it is comes first, then more points, then nearest clockwise.
        order = [(turn[row] + steps) % game.num_players for steps in range(game.num_players)]
        if points[turn[row]] >= 50:
            best = turn[row]
        else:
            best = max(order[1:], key=lambda seat: points[seat])
        assert winners[row, best]
