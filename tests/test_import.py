"""What ``import railenvs`` does, and what it must not do."""

import ast
import re
from importlib.metadata import packages_distributions, requires

import pytest

import railenvs
from tests.children import ROOT, run_python
from tests.grid import DEFAULT_CELLS
from tests.registry import needs_registry

MODULES = sorted(
    ".".join(path.relative_to(ROOT).with_suffix("").parts) for path in ROOT.glob("railenvs/*_v*.py")
)
"""The games' own modules."""


def plain(distribution):
    """The name of a distribution as indexes compare it."""
    return re.sub(r"[-_.]+", "-", distribution).lower()


def extras():
    """Names of the modules that the optional dependencies bring."""
    optional = [entry for entry in requires("railenvs") if "extra ==" in entry]
    wanted = {plain(re.match(r"[\w.-]+", entry).group()) for entry in optional}
    return {
        module
        for module, distributions in packages_distributions().items()
        if wanted.intersection(map(plain, distributions)) and module.isidentifier()
    } - {"tests"}  # one of them installs a package of the same name as ours


def test_import_is_quiet_and_loads_nothing_heavy():
    loaded = run_python(
        "-c", "import railenvs, sys; print(*{name.split('.')[0] for name in sys.modules})"
    )
    # numba itself looks for SciPy.
    assert not (extras() - {"scipy"}) & set(loaded.split())
    assert {"torch", "stable_baselines3", "matplotlib"} <= extras()


def test_import_loads_no_game_and_no_adapter():
    loaded = run_python("-c", "import railenvs, sys; print(*sys.modules)").split()
    ours = [name for name in loaded if name.startswith("railenvs.")]
    assert not [name for name in ours if name.startswith(("railenvs.games.", "railenvs.adapters."))]
    assert not [name for name in ours if name in MODULES]
    assert not [name for name in loaded if name.split(".")[0] in ("agents", "experiments")]


@pytest.mark.parametrize("module", ["railenvs", *MODULES])
def test_import_compiles_nothing(module, tmp_path):
    code = f"""
import {module}
from railenvs.engine import kernels
found = [kernel for kernel in vars(kernels).values() if hasattr(kernel, "signatures")]
print(len(found), sum(len(kernel.signatures) for kernel in found))
"""
    found, compiled = map(int, run_python("-c", code, RAILENVS_CACHE_DIR=str(tmp_path)).split())
    assert found > 10
    assert compiled == 0
    assert not [*tmp_path.rglob("*.nb?")]


BLOCKED = """
import sys

class Blocked:
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] in {names!r}:
            raise ModuleNotFoundError(f"No module named {{name!r}} (blocked)", name=name)

sys.meta_path.insert(0, Blocked())
import random
import railenvs
from tests.grid import DEFAULT_CELLS

cell = DEFAULT_CELLS[{number}]
env = cell.env("ansi")
env.reset(seed=0)
chance = random.Random(0)
for agent in env.agent_iter():
    observation, _, termination, truncation, _ = env.last()
    env.render()
    mask = observation["action_mask"]
    legal = [action for action, allowed in enumerate(mask) if allowed]
    env.step(None if termination or truncation else chance.choice(legal))
railenvs.records.verify(env.record())
batch = cell.batch(4)
batch.step(batch.action_masks.argmax(axis=1))
print(cell)
"""


def test_games_run_without_any_extra(default_cell):
    number = DEFAULT_CELLS.index(default_cell)
    told = run_python("-c", BLOCKED.format(names=sorted(extras()), number=number))
    assert told.strip() == str(default_cell)


@needs_registry
def test_every_registry_is_filled_once():
    code = """
import importlib
import gymnasium, pettingzoo
known = set(pettingzoo.aec_registry), set(gymnasium.registry)
import railenvs
def registered():
    registries = pettingzoo.aec_registry, gymnasium.registry
    return [{name: id(spec) for name, spec in registry.items()} for registry in registries]
first = registered()
importlib.reload(railenvs)
assert registered() == first
print(*sorted(set(pettingzoo.aec_registry) - known[0]))
print(len(set(gymnasium.registry) - known[1]))
"""
    *names, of_gymnasium = run_python("-c", code).split()
    assert names == sorted(f"railenvs/{game_id}" for game_id in railenvs.game_ids())
    assert int(of_gymnasium) == len(railenvs.game_ids())


def test_a_pettingzoo_without_registry_will_do():
    code = """
import gymnasium, pettingzoo
for name in ("register", "make", "aec_registry", "parallel_registry"):
    vars(pettingzoo).pop(name, None)
import railenvs
from railenvs import deck_express_v0
env = deck_express_v0.env(num_players=2)
print(env.possible_agents[-1], "railenvs/DeckExpress-v0" in gymnasium.registry)
"""
    assert run_python("-c", code).split() == ["player_1", "True"]


def test_import_from_many_threads():
    code = """
import importlib, threading
start = threading.Barrier(4)
def load(name):
    start.wait()
    importlib.import_module(name)
names = 2 * ("railenvs", "railenvs.records")
threads = [threading.Thread(target=load, args=(name,)) for name in names]
for thread in threads: thread.start()
for thread in threads: thread.join()
import railenvs
print(len(railenvs.game_ids()))
"""
    assert int(run_python("-c", code)) > 0


@needs_registry
def test_registry_makes_environments_in_a_fresh_process(game_id):
    code = f"""
import pettingzoo, railenvs
env = pettingzoo.make("aec", "railenvs/{game_id}")
env.reset(seed=0)
print(env.unwrapped.game.id)
"""
    assert run_python("-c", code).strip() == game_id


@pytest.mark.parametrize(
    "name", ["Batch", "Game", "SeatView", "game_ids", "load_game", "make_batch", "records"]
)
def test_names_that_users_import(name):
    assert name in railenvs.__all__
    assert getattr(railenvs, name) is not None


# Which way imports point


def imported(folder):
    """Pairs of a file and a module that it imports, under a folder of the checkout."""
    for path in (ROOT / folder).rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import):
                names = [alias.name for alias in node.names]
            elif isinstance(node, ast.ImportFrom):
                names = [f"{node.module}.{alias.name}" for alias in node.names]
            else:
                continue
            for name in names:
                yield path.relative_to(ROOT).as_posix(), name


@pytest.mark.parametrize(
    ("folder", "never"),
    [
        ("railenvs", ("agents", "experiments", "tests")),
        ("agents", ("experiments", "tests")),
        ("experiments", ("tests",)),
        ("railenvs/engine", ("railenvs.adapters", "railenvs.render")),
        ("railenvs/games", ("railenvs.adapters", "railenvs.render", "pettingzoo")),
        ("railenvs/render", ("railenvs.adapters", "railenvs.games")),
    ],
)
def test_imports_point_one_way(folder, never):
    found = list(imported(folder))
    assert found
    for path, name in found:
        assert not any(name == wrong or name.startswith(f"{wrong}.") for wrong in never), (
            path,
            name,
        )


def test_games_do_not_import_one_another():
    for path, name in imported("railenvs/games"):
        folder = path.split("/")[2]
        parts = name.split(".")
        if not folder.endswith(".py") and parts[:2] == ["railenvs", "games"]:
            assert parts[2] == folder, (path, name)
