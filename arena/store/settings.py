"""Which server: ``ARENA_REDIS_URL``, else the embedded Valkey of the data directory."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class StoreSettings:
    """Where the store is. ``url`` may hold a password: never print it, print ``safe_url``."""

    url: str

    @classmethod
    def find(cls, url: str | None = None, data: Path | None = None) -> StoreSettings:
        """``url`` if given, else ``ARENA_REDIS_URL``, else the embedded server of ``data``
        (``ARENA_DATA``, ``./arena-data``), whose address stands in ``valkey/url`` (mode 0600).

        Raises StoreMisconfigured when there is none, saying what to do.
        """
        raise NotImplementedError

    @property
    def safe_url(self) -> str:
        """The address without its secrets, for messages."""
        raise NotImplementedError
