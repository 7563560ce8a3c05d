"""The connection: a pool of synchronous clients and the scripts, shared by the domains."""

from __future__ import annotations

from arena.store.settings import StoreSettings


class Link:
    """A connected client. Thread-safe."""

    def __init__(self, settings: StoreSettings) -> None:
        self.settings = settings
