"""SECURITY.md says what is so: every test it names exists, every attempt has one."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
POLICY = (ROOT / "SECURITY.md").read_text(encoding="utf-8")
NAMED = sorted(set(re.findall(r"`(tests/[\w/]+\.py)::(\w+)`", POLICY)))


def rows() -> list[list[str]]:
    """The cells of all tables of attempts."""
    found, inside = [], False
    for line in POLICY.splitlines():
        if line.startswith("| attempt |"):
            inside = True
        elif not line.startswith("|"):
            inside = False
        elif inside and not line.startswith("|---"):
            found.append([cell.strip() for cell in line.strip("|").split("|")])
    return found


@pytest.mark.parametrize(("file", "name"), NAMED, ids=[name for _, name in NAMED])
def test_every_test_it_names_exists(file: str, name: str) -> None:
    tree = ast.parse((ROOT / file).read_text(encoding="utf-8"))
    functions = (ast.FunctionDef, ast.AsyncFunctionDef)
    assert name in {node.name for node in tree.body if isinstance(node, functions)}


def test_every_attempt_is_stopped_and_shown_to_be() -> None:
    assert len(rows()) > 30
    for cells in rows():
        assert len(cells) == 3, cells
        attempt, stopped, tests = cells
        assert attempt
        assert stopped
        assert re.fullmatch(r"`tests/[\w/]+\.py::\w+`(, `tests/[\w/]+\.py::\w+`)*", tests), cells


def test_every_test_of_this_folder_is_named() -> None:
    """A test here that the policy does not know shows something the policy should say."""
    files = {file for file, _ in NAMED}
    here = {
        str(path.relative_to(ROOT))
        for path in Path(__file__).parent.glob("test_*.py")
        if path != Path(__file__)
    }
    assert here <= files
