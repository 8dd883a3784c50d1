"""Game records: what was dealt, played and won, as JSON that a person can read.

A record is a dict:

==============  ================================================================================
``game``        the game's id
``num_players`` number of seats
``options``     value of every option
``seed``        the seed that dealt the game; null if it began from a given table
``first_player``  the seat that was told to begin; null if the rulebook's own way decided
``deal``        the whole table at the start, in card names
``moves``       per move the ``seat``, the ``action`` by name, and what the move brought to light
``scores``      each seat's score at the end (or so far)
``winners``     the seats that won
``finished``    ``"terminated"``, ``"truncated"`` or null for a game still going on
==============  ================================================================================

A record holds everything, hidden cards included: it is for analysts, not for seats.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from railenvs.engine.checks import one_of
from railenvs.engine.game import Game
from railenvs.engine.kernels import play_legal
from railenvs.engine.state import State, at

KEYS = (
    "game",
    "num_players",
    "options",
    "seed",
    "first_player",
    "deal",
    "moves",
    "scores",
    "winners",
    "finished",
)


@dataclass(frozen=True)
class Start:
    """How a game began: from a seed, or from a given table."""

    table: dict[str, Any] | None
    state: State
    seed: int | None = None
    first_player: int | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "state", self.state.copy())


def write_record(game: Game, start: Start, moves: Sequence[int]) -> dict[str, Any]:
    """The record of the game that began with ``start`` and went on with ``moves``."""
    state = start.state.copy()
    written = [_write_move(game, state, int(move)) for move in moves]
    finished = None
    if game.is_over(state):
        finished = "truncated" if game.is_truncated(state) else "terminated"
    return {
        "game": game.id,
        "num_players": game.num_players,
        "options": dict(game.options),
        "seed": start.seed,
        "first_player": start.first_player,
        "deal": game.table(start.state),
        "moves": written,
        "scores": [int(score) for score in game.scores(state)],
        "winners": list(game.winners(state)),
        "finished": finished,
    }


def _write_move(game: Game, state: State, action: int) -> dict[str, Any]:
    """Play a move and tell of it."""
    before = state.copy()
    play_legal(state, action)
    return {
        "seat": game.seat(before),
        "action": game.action_names[action],
        **game.rulebook.told(at(before, 0), action, at(state, 0)),
    }


def replay(record: Mapping[str, Any]) -> tuple[Game, list[State]]:
    """The game of a record and its states, from the deal to after the last move.

    Raises:
        ValueError: if the record is malformed, or says anything that a replay does not bear out;
            the message names the first difference.
    """
    game, start = _read_start(record)
    states = [start.state.copy()]
    moves = []
    for number, move in enumerate(record["moves"], start=1):
        where = f"move {number}"
        state = states[-1].copy()
        if not isinstance(move, Mapping) or not {"seat", "action"} <= move.keys():
            raise ValueError(f"{where} must tell 'seat' and 'action', not {move!r}")
        if game.is_over(state):
            raise ValueError(f"{where} ({move['action']!r}) comes after the end of the game")
        name = one_of(move["action"], f"the action of {where}", game.action_names)
        action = game.action_names.index(name)
        if not game.legal(state)[action]:
            raise ValueError(f"{where}: {game.explain_illegal(state, action)}")
        _compare(where, move, _write_move(game, state, action))
        moves.append(action)
        states.append(state)
    _compare("the record", record, write_record(game, start, moves))
    return game, states


def _read_start(record: Mapping[str, Any]) -> tuple[Game, Start]:
    from railenvs.games import load_game

    if not isinstance(record, Mapping):
        raise ValueError(f"a game record must be a dict, not {record!r}")
    missing = [key for key in KEYS if key not in record]
    if missing:
        raise ValueError(f"the record lacks {', '.join(map(repr, missing))}")
    for key, kind in (("options", Mapping), ("deal", Mapping), ("moves", list)):
        if not isinstance(record[key], kind):
            raise ValueError(f"{key!r} must be a {kind.__name__.lower()}, not {record[key]!r}")
    game = load_game(record["game"], record["num_players"], **record["options"])
    seed = record["seed"]
    if seed is None:
        state = game.from_table(record["deal"])
        return game, Start(game.table(state), state)
    return game, Start(None, game.deal(seed, record["first_player"]), seed, record["first_player"])


def _compare(where: str, written: Mapping[str, Any], replayed: Mapping[str, Any]) -> None:
    for key in [*replayed, *written]:
        if key not in replayed:
            raise ValueError(f"{where} says {key!r}: {written[key]!r}, which a replay does not")
        if key not in written:
            raise ValueError(f"{where} lacks {key!r}; a replay gives {replayed[key]!r}")
        if written[key] != replayed[key]:
            raise ValueError(
                f"{where} says {key!r}: {written[key]!r}; a replay gives {replayed[key]!r}"
            )
