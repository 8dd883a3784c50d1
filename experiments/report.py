"""Result files: what was run, with which versions, on how large a machine, and what came out."""

from __future__ import annotations

import dataclasses
import json
import os
import platform
import re
import shlex
import sys
from importlib.metadata import version
from pathlib import Path
from typing import Any, get_args, get_type_hints

import tyro

_ALWAYS = ("numpy", "numba", "railenvs")
_POSITIONAL = get_args(tyro.conf.Positional[str])[1:]
"""What tells a positional argument's type from that of others."""
_IF_LOADED = {
    "torch": "torch",
    "stable_baselines3": "stable-baselines3",
    "sb3_contrib": "sb3-contrib",
}


def write_report(path: Path, module: str, arguments: Any, results: dict[str, Any]) -> None:
    """Write a result file.

    Args:
        path: the JSON file; its folder is made if need be.
        module: of the command, such as ``"experiments.evaluate"``.
        arguments: its dataclass of arguments.
        results: what came out, JSON-able.
    """
    report = {
        "command": command_line(module, arguments),
        "arguments": {name: _tell(value) for name, value in dataclasses.asdict(arguments).items()},
        "results": results,
        "versions": versions(),
        "machine": machine(),
    }
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(report, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")


def check_out(path: Path | None) -> None:
    """Raise ValueError, before any work is done, unless a result file can be written there."""
    if path is None:
        return
    folder = next((each for each in path.absolute().parents if each.exists()), path)
    if path.is_dir() or not folder.is_dir() or not os.access(folder, os.W_OK):
        raise ValueError(f"no file can be written at {str(path)!r}")


def command_line(module: str, arguments: Any) -> str:
    """The shell command that gives these arguments; those at their defaults are left out."""
    words = ["python", "-m", module]
    hints = get_type_hints(type(arguments), include_extras=True)
    for field in dataclasses.fields(arguments):
        value = getattr(arguments, field.name)
        if value == field.default:
            continue
        flag = field.name.replace("_", "-")
        if get_args(hints[field.name])[1:] == _POSITIONAL:
            words += value if isinstance(value, tuple) else (value,)
        elif isinstance(value, bool):
            words.append(f"--{flag}" if value else f"--no-{flag}")
        else:
            values = value if isinstance(value, tuple) else (value,)
            words += [f"--{flag}", *(str(_tell(each)) for each in values)]
    return shlex.join(words)


def versions() -> dict[str, str]:
    """Versions of Python, of the libraries results depend on, and of the learning ones in use."""
    loaded = [name for module, name in _IF_LOADED.items() if module in sys.modules]
    return {
        "python": platform.python_version(),
        **{name: version(name) for name in (*_ALWAYS, *loaded)},
    }


def machine() -> dict[str, Any]:
    """Cores, memory in GiB where the system tells it, and system."""
    told: dict[str, Any] = {
        "cores": os.cpu_count(),
        "system": f"{platform.system()} {platform.machine()}",
    }
    if hasattr(os, "sysconf") and "SC_PHYS_PAGES" in os.sysconf_names:
        pages = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
        told["memory_gib"] = round(pages / 2**30, 1)
    return told


def _tell(value: Any) -> Any:
    """A value as JSON takes it, paths relative to here or else without their folders."""
    if isinstance(value, (list, tuple)):
        return [_tell(each) for each in value]
    if isinstance(value, Path):
        value = str(value)
    if isinstance(value, str):
        value = value.replace(f"{Path.cwd()}{os.sep}", "")
        return re.sub(r"(^|[:=])/\S*/", r"\1", value)
    return value
