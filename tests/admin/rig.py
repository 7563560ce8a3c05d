"""Admin services in a thread of the test's own process, and clients with tokens."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from concurrent.futures import Future
from pathlib import Path

from arena.admin.client import Admin
from arena.admin.server import AdminConfig, AdminServer
from arena.store import Store
from arena.store.types import Role

BOTS = ["ada", "bob", "cyd"]
"""Of the tournament the commands are tried with."""


class Served:
    """Running services and one client a role."""

    def __init__(self, address: str, store: Store, records: Path) -> None:
        self.address = address
        self.store = store
        self.records = records
        self._open: list[Admin] = []

    def as_(self, role: Role) -> Admin:
        """A client with a good token of this role."""
        return self.with_token(self.store.tokens.issue(role, f"test-{role}"))

    def with_token(self, token: str) -> Admin:
        """A client with this token."""
        self._open.append(Admin(self.address, token, timeout_s=60))
        return self._open[-1]

    @property
    def organizer(self) -> Admin:
        """A client that may do everything."""
        return self.as_(Role.ORGANIZER)

    def close(self) -> None:
        for admin in self._open:
            admin.close()


class in_a_loop:  # noqa: N801 - reads as a verb
    """An `AdminServer` on an event loop in another thread, as a context manager."""

    def __init__(self, config: AdminConfig, store: Store) -> None:
        self._server = AdminServer(config, store)
        self._ready: Future[str] = Future()
        self._stop: Callable[[], object] = lambda: None
        self._thread = threading.Thread(target=lambda: asyncio.run(self._run()))

    def __enter__(self) -> str:
        self._thread.start()
        return self._ready.result(60)

    def __exit__(self, *error: object) -> None:
        self._stop()
        self._thread.join(60)

    async def _run(self) -> None:
        stop = asyncio.Event()
        loop = asyncio.get_running_loop()
        self._stop = lambda: loop.call_soon_threadsafe(stop.set)
        try:
            await self._server.start()
        except BaseException as error:
            self._ready.set_exception(error)
            return
        self._ready.set_result(self._server.address)
        await stop.wait()
        await self._server.stop()
