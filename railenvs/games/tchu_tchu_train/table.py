"""The table in names: written for people, read back to start a game from it.

Cards are written ``KD``, ``7C``, ``10S``; cells ``r3c11``; areas ``A`` to ``H``.

===================  =============================================================================
``adjacency``        how cells adjoin: ``"square"`` or ``"hex"``
``board``            per row (``r1``, ...) and column (``c1``, ...) the cell: its card and area
                     (``"7C/A"``), then what lies there: ``S`` a station, ``0`` a train of seat 0,
                     ``0x`` one under an open Crossroad, ``0+2`` one covered by a train of seat 2; a
                     ``*`` at the end marks trains of this turn; ``.`` is a gap
``shifted_rows``     on a hex board, its rows whose cells lie half a cell to the right
``phase``            ``"mulligan"``, ``"action"``, ``"replenish"``, ``"point_or_refresh"``,
                     ``"swap"``, ``"give"``; ``"over"`` at the end
``turn``             the seat whose turn it is; at the end, the seat that had the last
``starter``          the seat that began
``last_round``       whether a seat has used up its trains
``row``              the open card at each of the four places
``swapping``         the place, from 1, for which a card is to be given
``incoming``         cards taken in the refresh under way, by place; null if there are none
``deck_left``        cards left in the deck
``draw_deck``        these cards in the order of drawing; hidden from seats
``discards``         cards played
``jokers_left``      Jokers in their pool; ``crossroads_left`` likewise
``seats``            per seat ``hand`` (hidden from other seats), ``hand_size`` (Joker included),
                     ``changed_hand`` (whether it changed its first hand), ``joker``,
                     ``trains_left``, ``train_points``, ``longest`` (trains in the biggest mass),
                     ``rail_prize`` and ``station_points`` (what they would pay now), ``score``; at
                     the end ``rank``
``memory``           per seat (``seat_0``, ...) the cards that all know it to hold: taken from the
                     row, neither played nor given back since
``unseen``           in a seat's view: cards in the deck or, not known to be there, in other hands
===================  =============================================================================

What is hidden is null. A given table needs ``board``, ``phase``, ``turn``, ``starter``, ``row``,
``draw_deck`` and ``seats`` (``hand``, ``joker``, ``train_points``), in a refresh ``swapping`` and
``incoming``; without ``memory`` nothing is known of any hand, without ``changed_hand`` a seat kept
its first. The rest follows from these and must agree with them where it is given. Each card must
be there twice; supplies, hand sizes, this turn's trains, the phase, the order of turns at the end
and train points must fit one another (:mod:`.plausible`). Whether each seat's trains and stations
fit as many turns is not traced back through the game.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from railenvs.engine.state import Record
from railenvs.games.tchu_tchu_train.actions import (
    CHANGE,
    DRAW,
    END_PLACING,
    GIVE,
    JOKER,
    PLACE,
    STATION,
    TAKE,
)
from railenvs.games.tchu_tchu_train.board import GAP, HEX, Board, is_shifted
from railenvs.games.tchu_tchu_train.cards import CARD_NAMES, DECK_SIZE, NUM_CARDS
from railenvs.games.tchu_tchu_train.observation import crossroads_left
from railenvs.games.tchu_tchu_train.replenishment import is_last_round
from railenvs.games.tchu_tchu_train.scoring import rank, score
from railenvs.games.tchu_tchu_train.state import (
    GIVING,
    JOKERS,
    MULLIGAN,
    NOTHING,
    PHASES,
)

OVER = "over"
STATION_MARK, CROSSROAD_MARK, COVER_MARK, TURN_MARK = "S", "x", "+", "*"


# Writing


def table(state: Record, seat: int | None) -> dict[str, Any]:
    """The whole table, or what ``seat`` sees of it."""
    whole = seat is None
    seats = range(state.num_players)
    board = Board.from_record(state)
    seen: dict[str, Any] = {
        "adjacency": board.adjacency,
        "phase": OVER if state.ended else PHASES[state.phase],
        "turn": int(state.seat),
        "starter": int(state.starter),
        "last_round": bool(is_last_round(state)),
        "row": _row(state.row),
        "swapping": int(state.swap_place) + 1 if state.phase == GIVING else None,
        "incoming": _row(state.incoming) if (state.incoming != NOTHING).any() else None,
        "deck_left": DECK_SIZE - int(state.drawn),
        "draw_deck": _row(state.deck[state.drawn :]) if whole else None,
        "discards": _names(state.discards),
        "jokers_left": JOKERS - int(state.joker.sum()),
        "crossroads_left": int(crossroads_left(state)),
        "board": _board(state, board),
        "seats": [_seat(state, other, whole or other == seat) for other in seats],
        "memory": {f"seat_{other}": _names(state.known[other]) for other in seats},
    }
    if board.adjacency == HEX:
        seen["shifted_rows"] = [name for row, name in enumerate(seen["board"]) if is_shifted(row)]
    if not whole:
        seen["unseen"] = _names(state.unseen[seat])
    return seen


def _name(card: Any) -> str | None:
    return None if card == NOTHING else CARD_NAMES[card]


def _row(cards: npt.NDArray[np.int8]) -> list[str | None]:
    return [_name(card) for card in cards]


def _names(copies: npt.NDArray[np.int8]) -> list[str]:
    return [CARD_NAMES[card] for card in np.repeat(np.arange(NUM_CARDS), copies).tolist()]


def _board(state: Record, board: Board) -> dict[str, dict[str, str]]:
    rows = 1 + max(row for row, _ in board.places)
    columns = 1 + max(column for _, column in board.places)
    grid = {f"r{row + 1}": {f"c{c + 1}": GAP for c in range(columns)} for row in range(rows)}
    for cell, (row, column) in enumerate(board.places):
        words = [board.labels[cell], _tokens(state, cell)]
        grid[f"r{row + 1}"][f"c{column + 1}"] = " ".join(words).strip()
    return grid


def _tokens(state: Record, cell: int) -> str:
    if (state.station_at == cell).any():
        return STATION_MARK
    tokens = "".join(str(owner) for owner in state.train[:, cell].nonzero()[0])
    if state.crossroad[cell]:
        tokens += CROSSROAD_MARK
    tokens += "".join(f"{COVER_MARK}{owner}" for owner in state.cover[:, cell].nonzero()[0])
    return tokens + (TURN_MARK if state.this_turn[cell] else "")


def _seat(state: Record, seat: int, open_hand: bool) -> dict[str, Any]:
    entries: dict[str, Any] = {
        "hand": _names(state.hand[seat]) if open_hand else None,
        "hand_size": int(state.hand_size[seat]),
        "changed_hand": bool(state.changed_hand[seat]),
        "joker": bool(state.joker[seat]),
        "trains_left": int(state.trains_left[seat]),
        "train_points": int(state.train_points[seat]),
        "longest": int(state.longest[seat]),
        "rail_prize": int(state.rail_prize[seat]),
        "station_points": int(state.station_points[seat]),
        "score": int(score(state, seat)),
    }
    if state.ended:
        entries["rank"] = int(rank(state, seat))
    return entries


# Telling


def told(before: Record, action: int, after: Record) -> dict[str, Any]:
    """What a move brought to light.

    Keys, each only where it happened: ``card`` played on a cell, ``threw`` (a hand changed),
    ``took`` (from the row, or a Joker after a station), ``drew`` from the deck, ``opened`` (cards
    that came into the row from the deck) and ``points``.
    """
    seat = int(before.seat)
    news: dict[str, Any] = {}
    if PLACE <= action < JOKER:
        news["card"] = _name(before.cell_card[action - PLACE])
    elif STATION <= action < END_PLACING:
        news = {"card": _name(before.cell_card[action - STATION]), "took": "Joker"}
    elif action == CHANGE:
        news = {"threw": _names(before.hand[seat]), "drew": _names(after.hand[seat])}
    elif action == DRAW:
        news["drew"] = _names(after.hand[seat] - before.hand[seat])
    elif TAKE <= action < DRAW:
        news["took"] = _name(before.row[action - TAKE])
        if after.drawn > before.drawn:
            news["opened"] = [_name(after.row[action - TAKE])]
    elif action >= GIVE:
        news["took"] = _name(before.row[before.swap_place])
    if before.phase == MULLIGAN != after.phase:
        news["opened"] = _row(after.row)
    points = int(after.train_points[seat]) - int(before.train_points[seat])
    if points:
        news["points"] = points
    return news
