"""A store for the tests of the referee, and the rig to test it with."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from arena.store import Store
from tests.referee.rig import Calm, Neighbours, Rig
from tests.support.valkey import store, valkey  # noqa: F401 - fixtures, by name


@pytest.fixture
async def rig(store: Store, tmp_path: Path) -> AsyncIterator[Rig]:  # noqa: F811 - the fixture
    """Start its referee with `Rig.start`; everything ends with the test."""
    rig = Rig(store, tmp_path)
    yield rig
    await rig.close()


@pytest.fixture
def settings() -> dict[str, Any]:
    """Settings of the referee; a test parametrizes them."""
    return {}


@pytest.fixture
async def neighbours(rig: Rig, settings: dict[str, Any]) -> AsyncIterator[Neighbours]:
    """Two well-behaved bots in a match that is under way during the test.

    When the test is over they must have gone on without a fault or a broken connection.
    """
    await rig.start(**settings)
    seen = [rig.play("nora", Calm()), rig.play("ned", Calm())]
    (match,) = rig.order("nora", "ned", match_format={"games": 100_000})
    await rig.place(match)
    neighbours = Neighbours(rig, match, seen)
    await neighbours.go_on()
    yield neighbours
    await neighbours.go_on()
    assert rig.faults(match) == [{}, {}]
    assert [each.losses for each in seen] == [[], []]
    assert [each.stats.connections for each in seen] == [1, 1]
