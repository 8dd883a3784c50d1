"""Compiled kernels and where they are kept."""

import contextlib
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import railenvs
from railenvs import precompile
from railenvs.engine.compile import kernel
from railenvs.engine.kernel_cache import CACHE_VARIABLE
from tests.children import ROOT, finish, run_python, start_python

# What a kernel depends on


@pytest.fixture
def copied(tmp_path):
    """The package and the tests' toys, in a folder where they may be edited."""
    return copy_sources(tmp_path / "copy")


def copy_sources(where):
    for folder in ("railenvs", "tests"):
        shutil.copytree(
            ROOT / folder, where / folder, ignore=shutil.ignore_patterns("__pycache__", "golden")
        )
    return where


LOOK = """
import numpy as np
from tests.engine.toy_game import RULEBOOK
from railenvs import Game
from railenvs.engine import kernels
game = Game(RULEBOOK)
game.look(game.deal(0), 0)
print(sum(kernels.deal_game.stats.cache_misses.values()), game.deal(0).tobytes().hex())
"""


def compiles(copied, root):
    """How often a new process had to compile a kernel of a toy game, and the deal."""
    misses, deal = run_python("-c", LOOK, cwd=copied, **{CACHE_VARIABLE: str(root)}).split()
    return int(misses), deal


@pytest.mark.slow
def test_only_an_edit_of_engine_or_game_compiles_anew(copied, tmp_path):
    root = tmp_path / "cache"
    first, deal = compiles(copied, root)
    assert first == 1
    assert compiles(copied, root) == (0, deal)
    for path in ("railenvs/render/text.py", next(copied.glob("railenvs/games/*/rules.py"))):
        edited = copied / path
        edited.write_text(edited.read_text(encoding="utf-8") + "# edited\n", encoding="utf-8")
    assert compiles(copied, root) == (0, deal)
    for path in ("railenvs/engine/state.py", "tests/engine/toy_game.py"):
        edited = copied / path
        edited.write_text(edited.read_text(encoding="utf-8") + "# edited\n", encoding="utf-8")
        assert compiles(copied, root) == (1, deal), path


@pytest.mark.slow
def test_checkouts_of_the_same_sources_share_kernels(copied, tmp_path):
    """Neither where the files are nor how old they are counts."""
    root = tmp_path / "cache"
    assert compiles(copied, root)[0] == 1
    other = copy_sources(tmp_path / "elsewhere" / "other")
    for path in other.rglob("*.py"):
        os.utime(path, (0, 0))
    assert compiles(other, root)[0] == 0


@pytest.mark.slow
@pytest.mark.parametrize("damage", [lambda kept: b"", lambda kept: kept[: len(kept) // 2]])
def test_damaged_entries_count_as_not_saved(copied, tmp_path, damage):
    root = tmp_path / "cache"
    _, deal = compiles(copied, root)
    saved = list(root.rglob("*.kernel"))
    assert len(saved) > 2
    for path in saved:
        path.write_bytes(damage(path.read_bytes()))
    assert compiles(copied, root) == (1, deal)
    assert compiles(copied, root) == (0, deal)


@pytest.mark.slow
def test_processes_that_save_at_once_leave_a_sound_cache(copied, tmp_path):
    environment = {CACHE_VARIABLE: str(tmp_path / "cache")}
    both = [start_python("-c", LOOK, cwd=copied, **environment) for _ in range(2)]
    deals = [finish(process).split()[1] for process in both]
    assert compiles(copied, tmp_path / "cache") == (0, deals[0])
    assert deals[0] == deals[1]
    aside = [path for path in (tmp_path / "cache").rglob("*") if path.is_file()]
    assert all(path.suffix == ".kernel" for path in aside)


def test_a_file_half_written_by_another_process_is_never_seen(tmp_path, monkeypatch):
    """Files appear under their names whole: what is written goes elsewhere first."""
    seen = []
    replace = Path.replace

    def look_first(self, target):
        seen.append((self.read_bytes(), target.exists()))
        return replace(self, target)

    monkeypatch.setenv(CACHE_VARIABLE, str(tmp_path))
    monkeypatch.setattr(Path, "replace", look_first)
    module = tmp_path / "one.py"
    module.write_text("def one(x):\n    return x + 1\n", encoding="utf-8")
    space = {"__name__": "one"}
    exec(compile(module.read_text(encoding="utf-8"), str(module), "exec"), space)
    assert kernel(space["one"])(1) == 2
    [(written, there)] = seen
    [saved] = tmp_path.rglob("*.kernel")
    assert saved.read_bytes() == written
    assert not there


DEAL = """
from tests.grid import DEFAULT_CELLS
game = DEFAULT_CELLS[0].game()
for seed in range(3):
    print(game.table(game.deal(seed)))
"""


@pytest.mark.slow
def test_edited_rules_are_played_though_old_kernels_are_kept(copied, tmp_path):
    environment = {CACHE_VARIABLE: str(tmp_path / "cache")}
    before = run_python("-c", DEAL, cwd=copied, **environment)
    assert run_python("-c", DEAL, cwd=copied, **environment) == before
    edited = copied / "railenvs/engine/random.py"
    source = edited.read_text(encoding="utf-8")
    assert "0x9E3779B97F4A7C15" in source
    edited.write_text(source.replace("0x9E3779B97F4A7C15", "0x9E3779B97F4A7C17"), encoding="utf-8")
    after = run_python("-c", DEAL, cwd=copied, **environment)
    assert not set(before.splitlines()) & set(after.splitlines())


def test_editing_a_module_beside_a_kernels_own_counts_too(tmp_path):
    """A kernel outside the package may call rules from the folder it lies in."""
    main, aside = tmp_path / "main.py", tmp_path / "aside.py"
    main.write_text(
        "from aside import add\n"
        "from railenvs.engine.compile import kernel\n"
        "@kernel\n"
        "def f(x):\n"
        "    return add(x)\n"
        "print(f(1))\n",
        encoding="utf-8",
    )
    rule = "from railenvs.engine.compile import rule\n@rule\ndef add(x):\n    return x + {}\n"
    environment = {CACHE_VARIABLE: str(tmp_path / "cache")}
    for more in (1, 2):
        aside.write_text(rule.format(more), encoding="utf-8")
        assert run_python(str(main), **environment) == f"{1 + more}\n"


# Where nothing can be written


COUNT_WARNINGS = """
import warnings
with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    import railenvs
    for game_id in railenvs.game_ids()[:1]:
        game = railenvs.load_game(game_id)
        game.state_hash(game.deal(0))
told = [str(warning.message) for warning in caught if "kernel" in str(warning.message)]
print(len(told), told[0])
print(len(caught))
"""


@pytest.mark.slow
def test_unwritable_cache_is_told_once_and_done_without(copied, tmp_path):
    """A file where the folder should be: unlike permissions, that stops root too."""
    blocked = tmp_path / "file"
    blocked.write_text("in the way", encoding="utf-8")
    told = run_python("-c", COUNT_WARNINGS, cwd=copied, **{CACHE_VARIABLE: str(blocked)})
    first, total = told.splitlines()
    assert first.startswith("1 ")
    assert str(blocked) in first
    assert CACHE_VARIABLE in first
    assert total == "1"
    assert blocked.read_text(encoding="utf-8") == "in the way"
    assert not [*tmp_path.rglob("*.kernel"), *tmp_path.rglob("*.nbi")]


@pytest.mark.slow
def test_a_full_disk_is_told_once_and_a_cache_that_is_only_read_is_used(copied, tmp_path):
    root = tmp_path / "cache"
    full = "from railenvs.engine import kernel_cache\ndef full(path, content):\n"
    full += "    raise OSError(28, 'no space left')\nkernel_cache._write = full\n" + LOOK
    environment = {**os.environ, "PYTHONPATH": str(copied), CACHE_VARIABLE: str(root)}

    def run():
        command = [sys.executable, "-c", full]
        return subprocess.run(
            command, cwd=copied, env=environment, capture_output=True, text=True, check=True
        )

    first = run()
    assert first.stderr.count("cannot be kept") == 1
    assert "no space left" in first.stderr
    _, deal = compiles(copied, root)
    assert first.stdout.split()[1] == deal
    again = run()
    assert again.stdout.split() == ["0", deal]
    assert not again.stderr


def test_compiling_ahead_that_keeps_nothing_is_an_error(tmp_path, capsys, monkeypatch):
    blocked = tmp_path / "file"
    blocked.write_text("in the way", encoding="utf-8")
    monkeypatch.setenv(CACHE_VARIABLE, str(blocked))
    with pytest.raises(SystemExit) as stopped:
        precompile.main(arguments=[])
    assert stopped.value.code == 2
    assert str(blocked) in capsys.readouterr().err


def test_nothing_is_written_beside_the_sources(copied, tmp_path):
    run_python(
        "-c", "import railenvs.engine.kernels", cwd=copied, **{CACHE_VARIABLE: str(tmp_path / "c")}
    )
    code = "from railenvs.engine.kernels import family_seeds; print(family_seeds(0, 2).size)"
    assert run_python("-c", code, cwd=copied, **{CACHE_VARIABLE: str(tmp_path / "c")}) == "2\n"
    kept = [path for path in tmp_path.rglob("*.*") if path.suffix in (".kernel", ".nbi", ".nbc")]
    assert kept
    assert all(path.is_relative_to(tmp_path / "c") for path in kept)


def test_numbas_own_cache_folder_stays_as_it_was(tmp_path):
    code = "import numba; before = numba.config.CACHE_DIR; import railenvs.engine.kernels; "
    code += "print(before == numba.config.CACHE_DIR, numba.config.CACHE_DIR)"
    assert run_python("-c", code) == "True \n"
    elsewhere = str(tmp_path)
    assert run_python("-c", code, NUMBA_CACHE_DIR=elsewhere) == f"True {elsewhere}\n"


# Kernels without a source file


def test_kernel_without_a_source_file_works():
    space = {"kernel": kernel}
    exec("@kernel\ndef double(x):\n    return 2 * x\n", space)
    assert space["double"](21) == 42


def test_kernel_of_a_program_given_on_the_command_line_works(tmp_path):
    code = "from railenvs.engine.compile import kernel\n"
    code += "@kernel\ndef f(x):\n    return x + 1\nprint(f(1))"
    assert run_python("-c", code, **{CACHE_VARIABLE: str(tmp_path)}) == "2\n"


# The second process loads


PLAY_AND_COUNT = """
from railenvs.engine import kernels
from tests.engine.test_batch import step
from tests.grid import DEFAULT_CELLS
from tests.play import play_out
import random

for cell in DEFAULT_CELLS:
    env = cell.env("ansi")
    env.reset(seed=0)
    play_out(env, random.Random(0), 30)
    env.render(), env.scores()
    batch = cell.batch(4)
    step(batch, 0)
    batch.deal([0], [1])
used = [kernel for kernel in vars(kernels).values() if getattr(kernel, "signatures", [])]
hits = sum(sum(kernel.stats.cache_hits.values()) for kernel in used)
misses = sum(sum(kernel.stats.cache_misses.values()) for kernel in used)
print(len(used), hits, misses)
"""


@pytest.mark.slow
def test_after_compiling_ahead_no_process_compiles():
    told = run_python("-m", "agents.precompile")
    assert all(f"{game_id} is compiled" in told for game_id in railenvs.game_ids())
    used, hits, misses = map(int, run_python("-c", PLAY_AND_COUNT).split())
    assert used >= 6
    assert hits >= used
    assert misses == 0


def test_compiling_ahead_takes_games_and_processes_only(capsys):
    for wrong, named in ((["whist-v9"], "whist-v9"), (["--processes", "0"], "at least 1, not 0")):
        with pytest.raises(SystemExit):
            precompile.main(arguments=wrong)
        assert named in capsys.readouterr().err


# Whoever waits is told


WAIT = """
import sys
from railenvs.engine import compile_notice
compile_notice.PATIENCE = compile_notice._TICK = {patience}
{look}
"""


@pytest.mark.slow
def test_who_waits_is_told_once_what_for_and_where_it_is_kept(tmp_path):
    pty = pytest.importorskip("pty", reason="a terminal to pretend")
    above, below = pty.openpty()
    environment = {**os.environ, "PYTHONPATH": str(ROOT), CACHE_VARIABLE: str(tmp_path)}
    code = WAIT.format(patience=0.01, look=LOOK)
    with subprocess.Popen(
        [sys.executable, "-c", code],
        cwd=ROOT,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=below,
    ) as child:
        os.close(below)
        told = b""
        with contextlib.suppress(OSError):  # the end of a terminal
            while piece := os.read(above, 4096):
                told += piece
        assert child.wait() == 0
    os.close(above)
    text = told.decode()
    assert text.count("it is kept in") == 1
    assert str(tmp_path) in text
    assert ": deal" in text
    assert "s so far" in text
    assert text.endswith("\r\033[K")


@pytest.mark.slow
def test_nothing_is_said_in_a_pipe(tmp_path):
    """``run_python`` takes anything on standard error for a failure."""
    run_python("-c", WAIT.format(patience=0.01, look=LOOK), **{CACHE_VARIABLE: str(tmp_path)})
