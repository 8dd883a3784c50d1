"""Fixtures that run a test for all games, and settings shared by all tests."""

from __future__ import annotations

import subprocess
import sys

import pytest
from hypothesis import settings

import railenvs
from tests.children import ROOT
from tests.grid import CELLS, DEFAULT_CELLS, MECHANICS, SEATINGS, Cell

# Compiling may fall into any example; the same examples in every run.
settings.register_profile("railenvs", deadline=None, derandomize=True, database=None)
settings.load_profile("railenvs")


def pytest_configure(config: pytest.Config) -> None:
    """Where processes share the tests, compile each game once and not in each of them."""
    processes = getattr(config.option, "numprocesses", None)
    if processes and not hasattr(config, "workerinput"):
        command = [sys.executable, "-m", "agents.precompile", "--processes", str(processes)]
        subprocess.run(command, cwd=ROOT, check=True)


@pytest.fixture(params=CELLS, ids=str)
def cell(request: pytest.FixtureRequest) -> Cell:
    """Every game x number of seats x option value."""
    return request.param


@pytest.fixture(params=SEATINGS, ids=str)
def seating(request: pytest.FixtureRequest) -> Cell:
    """Every game x number of seats, options at their defaults."""
    return request.param


@pytest.fixture(params=DEFAULT_CELLS, ids=str)
def default_cell(request: pytest.FixtureRequest) -> Cell:
    """Every game as it comes."""
    return request.param


@pytest.fixture(params=MECHANICS, ids=str)
def mechanics_cell(request: pytest.FixtureRequest) -> Cell:
    """Two games: for what the engine does alike for all, whatever the rules."""
    return request.param


@pytest.fixture(params=railenvs.game_ids())
def game_id(request: pytest.FixtureRequest) -> str:
    """Every game's id."""
    return request.param
