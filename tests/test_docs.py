"""What the documents say is so: code runs, numbers are measured, pages agree with the spaces."""

import importlib
import itertools
import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

import railenvs
from experiments.move_costs import Costs

ROOT = Path(__file__).resolve().parents[1]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
TEXTS = {page.relative_to(ROOT).as_posix(): page.read_text(encoding="utf-8") for page in PAGES}
MODULES = sorted(set(re.findall(r"^python -m (experiments\.\w+)", "\n".join(TEXTS.values()), re.M)))
RESULTS = [
    json.loads(file.read_text(encoding="utf-8"))
    for file in sorted((ROOT / "experiments" / "results").glob("*/*.json"))
]


@pytest.fixture(params=TEXTS)
def text(request):
    """README and the pages under docs."""
    return TEXTS[request.param]


@pytest.mark.slow
def test_code_runs_as_printed(text, tmp_path):
    # One process for all blocks: a later one may use what an earlier one made.
    blocks = re.findall(r"```python\n(.*?)```", text, re.DOTALL)
    script = tmp_path / "blocks.py"
    script.write_text("\n".join(blocks), encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-W", "error", script], cwd=tmp_path, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr


@pytest.mark.slow
@pytest.mark.parametrize("module", MODULES)
def test_commands_explain_themselves_and_know_the_arguments_told(module):
    done = subprocess.run(
        [sys.executable, "-m", module, "--help"], cwd=ROOT, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    assert "usage:" in done.stdout.lower()
    for line in re.findall(rf"^python -m {module} (.*)$", "\n".join(TEXTS.values()), re.M):
        for flag in re.findall(r"--[a-z-]+", line.split("#")[0]):
            assert flag == "--help" or flag in done.stdout, line


def estimates(results):
    """Every mean with its interval, as documents print win shares."""
    if isinstance(results, dict):
        if results.keys() == {"mean", "low", "high"}:
            mean, low, high = (f"{100 * results[key]:.1f}%" for key in ("mean", "low", "high"))
            yield f"{mean} ({low} to {high})"
        results = list(results.values())
    if isinstance(results, list):
        for each in results:
            yield from estimates(each)


def test_win_shares_are_those_of_committed_results(text):
    told = set(re.findall(r"[\d.]+% \([\d.]+% to [\d.]+%\)", text))
    assert told <= set(estimates(RESULTS))


def ratios(results):
    """How many times faster ours is, what a second thread gives, what games and searches cost."""
    rates = results.get("rates", [])
    own = {rate["part"]: rate["rate"] for rate in rates if rate["who"] == "railenvs"}
    growth = results.get("growth", [])
    costs = results.get("costs", [])
    return {
        *(own[rate["part"]] / rate["rate"] for rate in rates),
        *(each["ratio"] for each in growth if "ratio" in each),  # older results lack it
        *(each["batched"] / costs[0]["batched"] for each in costs),
        *(Costs(**each).share_of_rules for each in costs),
        *(each["two_threads"] for each in costs),
    }


def test_ratios_are_those_of_committed_results(text):
    measured = set().union(*(ratios(each["results"]) for each in RESULTS))
    printed = {f"{ratio:.{places}f}" for ratio in measured for places in (1, 2)}
    assert set(re.findall(r"([\d.]+) ×", text)) <= printed


@pytest.fixture(params=railenvs.game_ids())
def page(request):
    """The docs page of a game's module, its id, and its game with the default seats."""
    module = importlib.import_module("railenvs." + request.param.replace("-", "_"))
    return module.__doc__, module, railenvs.load_game(request.param)


def test_docs_page_has_the_fields_of_pettingzoo_pages(page):
    text, module, game = page
    rows = dict(re.findall(r"^\| ([A-Z][A-Za-z ]+?) +\| (.+?) +\|$", text, re.MULTILINE))
    assert rows["Import"] == f"`from railenvs import {module.__name__.split('.')[1]}`"
    creation = f'pettingzoo.make("aec", "railenvs/{game.id}", num_players={game.num_players})'
    assert rows["Creation"] == f"`{creation}`"
    assert rows["Action Shape"] == rows["Action Values"] == f"Discrete({game.num_actions})"
    assert rows["Observation Shape"] == f"({game.observation_size},)"
    assert rows["Parallel API"] == rows["Manual Control"] == "No"
    assert f"`agents= {module.env().possible_agents}`" in text
    sections = re.findall(r"^## (.+)$", text, re.MULTILINE)
    assert sections == [
        "Rules",
        "Arguments",
        "Observation Space",
        "Legal Actions Mask",
        "Action Space",
        "Rewards",
        "Rendering",
        "Version History",
    ]


def test_docs_page_lists_the_observation_fields(page):
    text, _, game = page
    assert game.fields.describe() in text


def test_docs_page_lists_every_option_and_value(page):
    text, _, game = page
    options = dict(game.rulebook.options)
    for name, option in options.items():
        row = re.search(rf"^\| `{name}` +\| (.*?) \|", text, re.MULTILINE)
        assert row, name
        if isinstance(option.values, range):
            assert row[1].strip() == f"**{option.default}** to {option.values[-1]}"
            continue
        shown = row[1].replace("*", "").split(", ")
        assert [value.strip() for value in shown] == [
            f'"{value}"' if isinstance(value, str) else str(value) for value in option.values
        ]


def test_docs_page_lists_every_action(page):
    text, _, game = page
    listed = re.search(r"## Action Space\n(.*?)\n## ", text, re.DOTALL)[1]
    rows = re.findall(r"^\| (\d+)(?:-(\d+))? +\| `(.+?)`", listed, re.MULTILINE)
    spans = [(int(first), int(last or first)) for first, last, _ in rows]
    assert spans[0][0] == 0
    assert spans[-1][1] == game.num_actions - 1
    assert all(after[0] == before[1] + 1 for before, after in itertools.pairwise(spans))
    for first, _, name in rows:
        assert game.action_names[int(first)] == name
