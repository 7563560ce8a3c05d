"""A real Valkey for tests: one server a session, an empty store a test.

    from tests.support.valkey import store, valkey  # noqa: F401 – fixtures, by name

in the conftest.py of a folder of tests gives its tests the fixtures ``valkey`` (the server) and
``store`` (a connected, empty ``Store``).
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from arena.store import Embedded, Store


@pytest.fixture(scope="session")
def valkey(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Embedded]:
    """A running server, in a directory with a space in its name."""
    with Embedded(tmp_path_factory.mktemp("arena data")) as server:
        yield server


@pytest.fixture
def store(valkey: Embedded) -> Iterator[Store]:
    """A store with nothing in it."""
    store = Store.connect(valkey.settings)
    flush(store)
    yield store
    store.close()


def flush(store: Store) -> None:
    """Forget everything (not part of ``Store``: nobody else should)."""
    store._link.call("FLUSHALL")
