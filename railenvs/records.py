"""Game records in files: JSON lines, one game a line.

``env.record()`` makes a record; :mod:`railenvs.engine.records` tells what it holds.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from railenvs.engine.records import replay

__all__ = ["load", "save", "verify"]


def save(records: Iterable[Mapping[str, Any]] | Mapping[str, Any], path: str | Path) -> None:
    """Write records (or a single one) to a file, one a line, replacing what it held."""
    if isinstance(records, Mapping):
        records = [records]
    lines = [json.dumps(record, ensure_ascii=False) + "\n" for record in records]
    Path(path).write_text("".join(lines), encoding="utf-8")


def load(path: str | Path) -> list[dict[str, Any]]:
    """Read all records of a file.

    Raises:
        ValueError: if a line is not a JSON object; the message names file and line.
    """
    records = []
    for number, line in enumerate(Path(path).read_text(encoding="utf-8").splitlines(), start=1):
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

    Returns:
        True; what does not hold raises.

    Raises:
        ValueError: if the record is malformed or a replay differs; the message names the first
            difference.
    """
    replay(record)
    return True
