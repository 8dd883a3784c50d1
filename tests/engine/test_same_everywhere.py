"""The same seed and actions give the same games in every process, compiled or not."""

import json

import pytest

from tests.children import run_python
from tests.engine.trajectory import trajectories


@pytest.fixture(scope="module")
def here():
    return trajectories()


@pytest.mark.slow
@pytest.mark.parametrize(
    "environment",
    [
        {"NUMBA_DISABLE_JIT": "1", "PYTHONHASHSEED": "0"},
        {"PYTHONHASHSEED": "1"},
    ],
    ids=lambda environment: ",".join(map("=".join, environment.items())),
)
def test_another_process_plays_the_same_games(here, environment):
    there = json.loads(run_python("-m", "tests.engine.trajectory", **environment))
    assert there.keys() == here.keys()
    for cell, told in here.items():
        for kind, digests in told.items():
            for step, (one, other) in enumerate(zip(digests, there[cell][kind], strict=True)):
                assert one == other, f"{cell}, {kind}: entry {step} differs"


def test_games_are_not_all_alike(here):
    """The digests tell games apart, or the comparison would prove nothing."""
    digests = [told for kinds in here.values() for kind in kinds.values() for told in kind]
    assert len(set(digests)) > len(digests) / 2
