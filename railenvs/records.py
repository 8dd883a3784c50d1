"""Game records in files: JSON lines, one game a line.

``env.record()`` makes a record; :mod:`railenvs.engine.records` tells what it holds.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from railenvs.engine.checks import one_of
from railenvs.engine.game import Game
from railenvs.engine.records import KEYS, Start, write_move, write_record
from railenvs.engine.state import State
from railenvs.games import load_rulebook

__all__ = ["load", "replay", "save", "verify"]


def save(records: Iterable[Mapping[str, Any]] | Mapping[str, Any], path: str | Path) -> None:
    """Write records (or a single one) to a file, one a line, replacing what it held."""
    if isinstance(records, Mapping):
        records = [records]
    records = list(records)
    if not all(isinstance(record, Mapping) for record in records):
        raise ValueError(f"records must be dicts as env.record() makes them, not {records!r:.60}")
    lines = [json.dumps(record, ensure_ascii=False) + "\n" for record in records]
    Path(path).write_text("".join(lines), encoding="utf-8")


def load(path: str | Path) -> list[dict[str, Any]]:
    """Read all records of a file.

    Raises:
        ValueError: if a line is not a JSON object; the message names file and line.
    """
    records = []
    try:
        text = Path(path).read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        raise ValueError(f"{path}: not UTF-8 ({error})") from error
    for number, line in enumerate(text.split("\n"), start=1):
        if not line.strip():
            continue
        try:
            record = json.loads(line)
        except json.JSONDecodeError as error:
            raise ValueError(f"{path}, line {number}: not JSON ({error})") from error
        if not isinstance(record, dict):
            raise ValueError(f"{path}, line {number}: a record must be an object, not {line:.60}")
        records.append(record)
    return records


def verify(record: Mapping[str, Any]) -> bool:
    """Replay a record and compare everything it says.

    What changes nothing in a replay cannot be told from it: that a game began from a table rather
    than the seed that dealt the same, who was told to begin where the lot had fallen alike, or what
    a game will pay that is not over.

    Returns:
        True; what does not hold raises.

    Raises:
        ValueError: if the record is malformed or a replay differs; the message names the first
            difference.
    """
    replay(record)
    return True


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
        _compare(where, move, write_move(game, state, action))
        moves.append(action)
        states.append(state)
    _compare("the record", record, write_record(game, start, moves))
    return game, states


def _read_start(record: Mapping[str, Any]) -> tuple[Game, Start]:
    if not isinstance(record, Mapping):
        raise ValueError(f"a game record must be a dict, not {record!r}")
    missing = [key for key in KEYS if key not in record]
    if missing:
        raise ValueError(f"the record lacks {', '.join(map(repr, missing))}")
    for key, kind in (("options", Mapping), ("deal", Mapping), ("moves", list)):
        if not isinstance(record[key], kind):
            raise ValueError(f"{key!r} must be a {kind.__name__.lower()}, not {record[key]!r}")
    game = Game(load_rulebook(record["game"]), record["num_players"], record["options"])
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
        if _strict(written[key]) != _strict(replayed[key]):
            raise ValueError(
                f"{where} says {key!r}: {written[key]!r}; a replay gives {replayed[key]!r}"
            )


def _strict(value: Any) -> str:
    """A value such that True, 1 and 1.0 differ and the order of keys does not matter."""
    return json.dumps(value, sort_keys=True, default=repr)
