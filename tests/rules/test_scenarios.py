"""Every scenario, record and EGN game under tests/, one test each."""

from __future__ import annotations

from pathlib import Path

import pytest
from euchre_arena.conformance import Case, find
from euchre_arena.conformance.report import check

TESTS = Path(__file__).resolve().parents[1]
FOUND = list(find([TESTS / "conformance", TESTS / "egn"]))
CASES = [case for case in FOUND if isinstance(case, Case)]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
def test_scenario(case: Case):
    check(case)


def test_all_files_can_be_read():
    assert [str(case) for case in FOUND if isinstance(case, Exception)] == []
    assert len(CASES) > 320
