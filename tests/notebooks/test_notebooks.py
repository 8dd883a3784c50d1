"""Every notebook runs from top to bottom."""

from pathlib import Path

import pytest

nbclient = pytest.importorskip("nbclient", reason="executing notebooks needs the dev extra")
nbformat = pytest.importorskip("nbformat", reason="executing notebooks needs the dev extra")
pytest.importorskip("sb3_contrib", reason="the notebooks train, which needs the train extra")

ROOT = Path(__file__).resolve().parents[2]
NOTEBOOKS = sorted((ROOT / "notebooks").glob("*.ipynb"))


def test_there_are_notebooks():
    assert NOTEBOOKS


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::RuntimeWarning")
@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_notebook_runs(path, tmp_path, monkeypatch):
    # agents and experiments run from the checkout; files the notebook writes go elsewhere.
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    notebook = nbformat.read(path, as_version=4)
    for cell in notebook.cells:
        cell.source = cell.source.replace("STEPS = 60_000", "STEPS = 2_048")
    client = nbclient.NotebookClient(
        notebook, timeout=300, resources={"metadata": {"path": str(tmp_path)}}
    )
    client.execute()
    printed = [output for cell in notebook.cells for output in cell.get("outputs", [])]
    assert any("against heuristic" in output.get("text", "") for output in printed)
