import re
import subprocess
import sys
import zipfile
from importlib.metadata import version
from pathlib import Path

import pytest

import railenvs

ROOT = Path(__file__).resolve().parents[1]


def test_version_matches_installed_metadata():
    assert railenvs.__version__ == version("railenvs")


@pytest.mark.slow
def test_wheel_ships_the_package_alone(tmp_path):
    build = subprocess.run(
        [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", tmp_path, ROOT],
        capture_output=True,
        text=True,
    )
    assert build.returncode == 0, build.stdout + build.stderr

    (wheel,) = tmp_path.glob("*.whl")
    names = set(zipfile.ZipFile(wheel).namelist())
    dist_info = f"railenvs-{railenvs.__version__}.dist-info"
    assert {name.split("/")[0] for name in names} == {"railenvs", dist_info}
    assert "railenvs/py.typed" in names

    files = {
        path.relative_to(ROOT).as_posix()
        for path in ROOT.glob("railenvs/**/*.*")
        if path.suffix in {".py", ".txt"}
    }
    assert "railenvs/games/tchu_tchu_train/boards/default.txt" in files
    assert files <= names
    assert not [name for name in names if "__pycache__" in name]


def test_make_targets_in_readme_exist():
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    mentioned = set(re.findall(r"(?:^|`)make ([a-z-]+)", readme, flags=re.MULTILINE))
    targets = set(re.findall(r"^([a-z-]+):", makefile, flags=re.MULTILINE))
    assert {"demo", "test"} <= mentioned
    assert mentioned <= targets
