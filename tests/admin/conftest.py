"""Admin services on a real Valkey, called over real gRPC."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from arena.admin.server import AdminConfig
from arena.store import Store
from tests.admin.rig import Served, in_a_loop
from tests.support.valkey import store, valkey

__all__ = ["store", "valkey"]


@pytest.fixture
def served(store: Store, tmp_path: Path) -> Iterator[Served]:
    """Services on a free port, in a thread with a loop of its own."""
    records = tmp_path / "records"
    records.mkdir()
    with in_a_loop(AdminConfig(records, port=0), store) as address:
        found = Served(address, store, records)
        yield found
        found.close()
