"""Compiled kernels and where they are kept."""

import shutil
from pathlib import Path

import pytest

from railenvs.engine.compile import CACHE_VARIABLE, kernel
from tests.children import ROOT, finish, run_python, start_python
from tests.engine.two_records import VALUE

# The folder is named by the sources


@pytest.fixture
def copied(tmp_path):
    """The package alone, in a folder where it may be edited."""
    shutil.copytree(
        ROOT / "railenvs",
        tmp_path / "copy" / "railenvs",
        ignore=shutil.ignore_patterns("__pycache__"),
    )
    return tmp_path / "copy"


def folders(copied, root):
    """Names of the cache folders after one more process imported the kernels."""
    code = "import railenvs.engine.kernels as kernels; print(kernels.__file__)"
    used = run_python("-c", code, cwd=copied, **{CACHE_VARIABLE: str(root)})
    assert Path(used.strip()).is_relative_to(copied)
    return {path.name for path in root.iterdir()}


def test_editing_any_file_of_the_package_changes_the_folder(copied, tmp_path):
    root = tmp_path / "cache"
    package = copied / "railenvs"
    known = folders(copied, root)
    assert len(known) == 1
    for path in (package / "engine/random.py", next(package.glob("games/*/rules.py"))):
        source = path.read_text(encoding="utf-8")
        path.write_text(source + "# edited\n", encoding="utf-8")
        assert len(folders(copied, root)) == len(known) + 1, path
        path.write_text(source, encoding="utf-8")
        known = {other.name for other in root.iterdir()}
    assert folders(copied, root) == known
    (package / "games/another.py").write_text("", encoding="utf-8")
    assert len(folders(copied, root)) == len(known) + 1


DEAL = """
from tests.grid import DEFAULT_CELLS
game = DEFAULT_CELLS[0].game()
for seed in range(3):
    print(game.table(game.deal(seed)))
"""


@pytest.mark.slow
def test_edited_rules_are_played_though_old_kernels_are_kept(copied, tmp_path):
    shutil.copytree(ROOT / "tests", copied / "tests", ignore=shutil.ignore_patterns("__pycache__"))
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
    machine_code = [*tmp_path.rglob("*.nbi"), *tmp_path.rglob("*.nbc")]
    assert not machine_code


def test_nothing_is_written_beside_the_sources(copied, tmp_path):
    run_python(
        "-c", "import railenvs.engine.kernels", cwd=copied, **{CACHE_VARIABLE: str(tmp_path / "c")}
    )
    code = "from railenvs.engine.kernels import family_seeds; print(family_seeds(0, 2).size)"
    assert run_python("-c", code, cwd=copied, **{CACHE_VARIABLE: str(tmp_path / "c")}) == "2\n"
    kept = [*tmp_path.rglob("*.nbi"), *tmp_path.rglob("*.nbc")]
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
    play_out(env, random.Random(0))
    env.render(), env.scores()
    batch = cell.batch(4)
    step(batch, 0)
    batch.deal([0], [1])
used = [kernel for kernel in vars(kernels).values() if getattr(kernel, "signatures", [])]
hits = sum(sum(kernel.stats.cache_hits.values()) for kernel in used)
misses = sum(sum(kernel.stats.cache_misses.values()) for kernel in used)
print(len(used), hits, misses)
"""


def test_second_process_compiles_nothing():
    run_python("-c", PLAY_AND_COUNT)
    used, hits, misses = map(int, run_python("-c", PLAY_AND_COUNT).split())
    assert used >= 6
    assert hits >= used
    assert misses == 0


# Two processes at once


READ_BOTH = """
from tests.engine.two_records import KINDS, read_value, told
for kind in KINDS:
    try:
        print(told(kind))
    except TypeError as error:
        print(error)
print(sum(read_value.stats.cache_hits.values()))
"""


def save_at_once(tmp_path, *unlocked):
    """What the two processes read, what a later one reads, and how much of it was kept."""
    environment = {CACHE_VARIABLE: str(tmp_path / "cache")}
    module = "tests.engine.interleaved_save"
    roles = [
        start_python("-m", module, str(tmp_path), role, *unlocked, **environment)
        for role in ("first", "second")
    ]
    told = [finish(role).strip() for role in roles]
    *later, hits = run_python("-c", READ_BOTH, **environment).splitlines()
    return told, later, int(hits)


def test_processes_that_save_at_once_leave_a_sound_cache(tmp_path):
    """Both compile one kernel, for different records; the worst interleaving is forced."""
    told, later, hits = save_at_once(tmp_path)
    assert told == later == [str(VALUE)] * 2
    assert hits == 2


def test_without_the_lock_the_same_interleaving_spoils_the_cache(tmp_path):
    """The test above has teeth: a later process runs one record's code on the other."""
    told, later, _ = save_at_once(tmp_path, "unlocked")
    assert told == [str(VALUE)] * 2
    assert later[0] == str(VALUE)
    assert later[1] != str(VALUE)
