"""Tests of PettingZoo's registry are skipped where it has none."""

import pettingzoo
import pytest

needs_registry = pytest.mark.skipif(
    not hasattr(pettingzoo, "register"), reason="PettingZoo has no registry before 1.27"
)
