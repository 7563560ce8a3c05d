"""An editable install hides what a wheel leaves out; so build both and look inside."""

from __future__ import annotations

import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


def tracked(*folders: str) -> set[str]:
    command = ["git", "ls-files", "-z", "--cached", *folders]
    out = subprocess.run(command, cwd=ROOT, capture_output=True, check=True, text=True)
    return {name for name in out.stdout.split("\0") if name and (ROOT / name).is_file()}


@pytest.mark.parametrize(
    ("project", "packages", "prefix", "others"),
    [
        ("sdk", ["sdk/src/euchre_arena"], "sdk/src/", ["LICENSE", "README.md", "pyproject.toml"]),
        (".", ["arena", "workers"], "", ["LICENSE", "README.md", "pyproject.toml"]),
    ],
    ids=["euchre-arena", "euchre-arena-service"],
)
def test_a_wheel_holds_every_file_of_its_packages(tmp_path, project, packages, prefix, others):
    files = tracked(*packages)
    # A copy, because setuptools builds in the tree it is given.
    for name in [*files, *(str(Path(project, other)) for other in others)]:
        target = tmp_path / "tree" / name
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(ROOT / name, target)
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check"]
    offline = ["--no-deps", "--no-build-isolation", "--no-index"]
    subprocess.run(
        [*pip, "wheel", "-q", *offline, "-w", tmp_path, tmp_path / "tree" / project], check=True
    )
    (wheel,) = tmp_path.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        inside = set(archive.namelist())
    assert {name.removeprefix(prefix) for name in files} - inside == set()
