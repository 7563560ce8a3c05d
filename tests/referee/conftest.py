"""A store for the tests of the referee, and the rig to test it with."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from arena.store import Store
from tests.referee.rig import Rig
from tests.support.valkey import store, valkey  # noqa: F401 - fixtures, by name


@pytest.fixture
async def rig(store: Store, tmp_path: Path) -> AsyncIterator[Rig]:  # noqa: F811 - the fixture
    """Start its referee with `Rig.start`; everything ends with the test."""
    rig = Rig(store, tmp_path)
    yield rig
    await rig.close()
