"""One tournament played for all tests; each test has its records to itself, and an empty store."""

from __future__ import annotations

import asyncio
import shutil
from pathlib import Path

import pytest

from arena.store import Embedded
from tests.archive.played import Played, play
from tests.support.valkey import store, valkey

__all__ = ["store", "valkey"]


@pytest.fixture(scope="session")
def original(valkey: Embedded, tmp_path_factory: pytest.TempPathFactory) -> Played:
    """The tournament as it was played."""
    return asyncio.run(play(valkey, tmp_path_factory.mktemp("played")))


@pytest.fixture
def played(original: Played, tmp_path: Path) -> Played:
    """The same, with records a test may spoil."""
    shutil.copytree(original.records, tmp_path / "records")
    return Played(tmp_path / "records", original.exported, original.standings)
