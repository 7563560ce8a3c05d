"""The store as its callers see it: one object, its domains as attributes."""

from __future__ import annotations

import time

from arena.store.bots import Bots, Tokens
from arena.store.events import Events
from arena.store.inspecting import Inspecting
from arena.store.journal import Journals
from arena.store.link import Link
from arena.store.matches import Matches
from arena.store.referees import Referees
from arena.store.restoring import Restoring
from arena.store.settings import StoreSettings
from arena.store.standings import Standings
from arena.store.tasks import Tasks
from arena.store.tournaments import Tournaments

DURABLE_MS = 3_000


class Store:
    """Everything the service remembers. Thread-safe and synchronous: call it from threads.

    Every call may raise StoreUnavailable (the server is away; repeating the same call later is
    safe, all of them are idempotent by id).
    """

    def __init__(self, link: Link) -> None:
        self._link = link
        self.tokens = Tokens(link)
        self.bots = Bots(link, self.tokens)
        self.tournaments = Tournaments(link)
        self.matches = Matches(link)
        self.referees = Referees(link)
        self.standings = Standings(link)
        self.events = Events(link)
        self.journals = Journals(link)
        self.restoring = Restoring(link)
        self.inspecting = Inspecting(link)
        self.tasks = Tasks(link)

    @classmethod
    def connect(cls, settings: StoreSettings | str | None = None) -> Store:
        """Connect to a URL, to settings, or to what ``StoreSettings.find()`` finds.

        redis://, rediss://, unix:// and sentinel:// URLs (see ``settings``). Raises
        StoreUnavailable when nobody answers, StoreMisconfigured for a wrong password or a server
        older than Redis 7, with a text that names address and cause.
        """
        if not isinstance(settings, StoreSettings):
            settings = StoreSettings.find(settings)
        link = Link(settings)
        try:
            link.check()
        except BaseException:
            link.close()
            raise
        return cls(link)

    def ping(self) -> float:
        """Seconds of one round trip."""
        before = time.perf_counter()
        self._link.call("PING")
        return time.perf_counter() - before

    def durable(self) -> bool:
        """Wait until all that was written before is on the server's disk, and with Sentinel on a
        replica; False: not within `DURABLE_MS`, or the server keeps no file or is too old to tell
        (Redis 7.0), or its user may not ask."""
        return self._link.durable(DURABLE_MS)

    def now(self) -> int:
        """The server's clock, ms since the epoch."""
        return self._link.now()

    def close(self) -> None:
        """Give the connections back."""
        self.tasks.close()
        self.journals.close()
        self._link.close()

    @property
    def settings(self) -> StoreSettings:
        """Which server it is."""
        return self._link.settings
