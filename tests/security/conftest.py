"""A store, a referee's rig, and authorities that issue real certificates."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from arena.store import Store
from tests.referee.rig import Rig
from tests.support.certificates import Authority
from tests.support.valkey import store, valkey  # noqa: F401 - fixtures, by name


@pytest.fixture
async def rig(store: Store, tmp_path: Path) -> AsyncIterator[Rig]:  # noqa: F811 - the fixture
    """Start its referee with `Rig.start`; everything ends with the test."""
    rig = Rig(store, tmp_path)
    yield rig
    await rig.close()


@pytest.fixture
def ours(tmp_path: Path) -> Authority:
    """The authority everybody trusts."""
    return Authority(tmp_path, "ours")


@pytest.fixture
def theirs(tmp_path: Path) -> Authority:
    """Another one."""
    return Authority(tmp_path, "theirs")
