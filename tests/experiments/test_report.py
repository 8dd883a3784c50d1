"""Words of the command line, and what result files say of where they came from."""

from __future__ import annotations

import json
import shlex
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path

import pytest
import tyro

from experiments import demo, evaluate, train
from experiments.cli import plain_errors, read_options
from experiments.report import command_line, machine, versions, write_report


@dataclass(frozen=True)
class Arguments:
    game: tyro.conf.Positional[str]
    names: tuple[str, ...] = ("a", "b")
    max_turns: int = 3
    fast: bool = True
    out: Path | None = None


@dataclass(frozen=True)
class Words:
    words: tyro.conf.Positional[tuple[str, ...]] = ()


def test_command_line_gives_the_arguments_again():
    arguments = Arguments("g v", names=("x", "y z"), fast=False, out=Path("a/b.json"))
    line = command_line("some.module", arguments)
    assert line == "python -m some.module 'g v' --names x 'y z' --no-fast --out a/b.json"
    assert tyro.cli(Arguments, args=shlex.split(line)[3:]) == arguments


def test_command_line_leaves_defaults_out():
    assert command_line("some.module", Arguments("g")) == "python -m some.module g"


def test_command_line_gives_several_words_without_a_flag():
    assert command_line("some.module", Words(("a", "b c"))) == "python -m some.module a 'b c'"


def test_report_holds_no_folder_of_this_machine(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    here, elsewhere = tmp_path / "runs" / "x.json", "/some/where/player.zip"
    arguments = Arguments("g", names=(f"ppo:{tmp_path}/runs/p.zip", f"ppo:{elsewhere}"), out=here)
    write_report(here, "some.module", arguments, {"won": 1})
    text = here.read_text(encoding="utf-8")
    assert str(tmp_path) not in text
    assert "/some" not in text
    report = json.loads(text)
    assert report["arguments"]["names"] == ["ppo:runs/p.zip", "ppo:player.zip"]
    assert report["arguments"]["out"] == "runs/x.json"
    assert report["results"] == {"won": 1}


def test_versions_and_machine():
    found = versions()
    for name in ("numpy", "numba", "railenvs", "torch", "stable-baselines3", "sb3-contrib"):
        assert found[name] == version(name)
    assert machine()["cores"] >= 1


def test_options_are_read_as_json_or_else_as_words():
    words = ["setup=thirds", "max_turns=200", "fast=true", "name=a=b"]
    assert read_options(words) == {"setup": "thirds", "max_turns": 200, "fast": True, "name": "a=b"}


@pytest.mark.parametrize("words", [["setup"], ["=3"], ["a=1", "a=2"]])
def test_malformed_options_are_named(words):
    with pytest.raises(ValueError, match=words[-1] if len(words) == 1 else "'a' is given twice"):
        read_options(words)


def test_other_errors_keep_their_traceback():
    with pytest.raises(ZeroDivisionError), plain_errors():
        raise ZeroDivisionError


@pytest.mark.parametrize("command", [evaluate, train, demo])
def test_help_tells_of_every_argument(command, capsys):
    with pytest.raises(SystemExit) as stopped:
        command.main(["--help"])
    assert stopped.value.code == 0
    printed = capsys.readouterr().out
    assert f"python -m {command.__name__}" in printed
    for name in command.Arguments.__dataclass_fields__:
        flag = name.replace("_", "-")
        assert f"--{flag}" in printed or name.upper() in printed or flag in printed
