"""What tests of training runs share."""

from __future__ import annotations

import pytest


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory):
    """A folder to train in."""
    with pytest.MonkeyPatch.context() as patch:
        path = tmp_path_factory.mktemp("training")
        patch.chdir(path)
        yield path
