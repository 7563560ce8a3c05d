"""Referees: presence, connected bots, inboxes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from arena.store.link import Link
from arena.store.types import Inbox, RefereeInfo

PRESENCE_MS = 6_000
"""How long a referee counts as alive after a heartbeat; beat every 2 s and at every change."""
AHEAD = 2
"""Orders a referee may have in its inbox beyond what it can play now, so that it never idles."""


class Referees:
    """Referees by id; an id lives as long as the process that joined."""

    def __init__(self, link: Link) -> None:
        self._link = link

    def join(
        self,
        address: str,
        capacity: int,
        *,
        ahead: int = AHEAD,
        ttl_ms: int = PRESENCE_MS,
    ) -> str:
        """Announce a new referee process at ``address`` (as bots reach it); its id."""
        raise NotImplementedError

    def heartbeat(
        self,
        referee: str,
        *,
        capacity: int,
        bots: Mapping[str, int],
        draining: bool = False,
        ttl_ms: int = PRESENCE_MS,
    ) -> bool:
        """Say that the referee lives and who is connected: bot → *matches* it takes at once here.

        The whole truth every time; call it at once when a bot comes or goes. True: something
        changed that lets matches be placed (``store.tasks.dispatch_due()`` then saves a second).
        A referee whose presence had lapsed is simply there again; its leases tell what it lost.
        """
        raise NotImplementedError

    def leave(self, referee: str) -> list[str]:
        """The process ends: what is queued or leased there waits again; these matches."""
        raise NotImplementedError

    def all(self) -> list[RefereeInfo]:
        """Referees alive now, by id."""
        raise NotImplementedError

    def homes(self, bot: str) -> dict[str, int]:
        """Referees where the bot is connected → matches it takes at once there."""
        raise NotImplementedError

    def inbox(self, referee: str, count: int = 10, block_ms: int = 1000) -> list[Inbox]:
        """The next messages, waiting up to ``block_ms`` for the first. Ask for no more orders
        than can be begun now; call from a thread of its own (it blocks)."""
        raise NotImplementedError

    def done(self, referee: str, entries: Sequence[str]) -> None:
        """Messages were dealt with (an order: leased, or found stale)."""
        raise NotImplementedError

    def summon(self, bot: str, address: str, ticket: str, match_id: str) -> list[str]:
        """Have the bot told, on its home streams, to open one to ``address``; who tells it."""
        raise NotImplementedError
