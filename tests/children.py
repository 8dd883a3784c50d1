"""Python in a process of its own."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import railenvs

ROOT = Path(railenvs.__file__).resolve().parents[1]
PATIENCE = 600
"""Seconds after which a child is taken to hang."""


def start_python(*arguments: str, cwd: Path = ROOT, **environment: str) -> subprocess.Popen[str]:
    """Start ``python ARGUMENTS``, warnings being errors.

    Args:
        *arguments: such as ``"-c", "print(1)"``.
        cwd: where it runs, and where it finds the package first; by default the checkout.
        **environment: variables set on top of the present ones.
    """
    return subprocess.Popen(
        [sys.executable, "-W", "error", *arguments],
        cwd=cwd,
        env={**os.environ, "PYTHONPATH": str(cwd), **environment},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def finish(child: subprocess.Popen[str]) -> str:
    """Wait for a child, which must end well and in silence; returns what it prints."""
    try:
        output, errors = child.communicate(timeout=PATIENCE)
    finally:
        child.kill()
    assert child.returncode == 0, f"{output}\n{errors}"
    assert not errors, errors
    return output


def run_python(*arguments: str, cwd: Path = ROOT, **environment: str) -> str:
    """Run ``python ARGUMENTS`` as :func:`start_python` does; returns what it prints."""
    return finish(start_python(*arguments, cwd=cwd, **environment))
