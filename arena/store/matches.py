"""Matches: placed at a referee, leased, played, finished once.

scheduled ── place ──▶ queued ── lease ──▶ leased ── begin ──▶ playing ── finish ──▶ finished
    ▲                    │                   │                    │
    └──── reclaim ◀──────┴─── release ◀──────┴────────────────────┘   (the attempt is voided)
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from arena.store.link import Link
from arena.store.types import (
    Depths,
    Finish,
    Json,
    Lease,
    MatchInfo,
    MatchOrder,
    MatchResult,
    MatchState,
    Placed,
)

LEASE_MS = 10_000
"""How long a lease lives without ``renew``."""
STALL_MS = 60_000
"""How long an attempt may stand without progress although its lease is renewed."""


class Matches:
    """Matches by id. ``match_id`` is ``<tournament id>-<index in schedule order>``."""

    def __init__(self, link: Link) -> None:
        self._link = link

    # --- dispatch (workers) ---

    def due(self, limit: int = 100) -> list[str]:
        """Take up to ``limit`` waiting matches, no more than referees have room for.

        Whoever takes them has five seconds to ``place`` each; after that ``reclaim`` puts it back.
        """
        raise NotImplementedError

    def place(self, match_id: str) -> Placed:
        """Put a scheduled match into the inbox of the best referee, atomically.

        Best: all entrants connected there with room, then the least loaded; else one with room to
        which the others can be summoned. A bot absent for the tournament's ``no_show_grace_s``
        (counted while referees were there) is listed in the order's ``no_show``.
        """
        raise NotImplementedError

    # --- play (referees) ---

    def lease(self, referee: str, match_id: str, ttl_ms: int = LEASE_MS) -> Lease | None:
        """Take an order from the inbox; None when it is not (any more) queued at this referee."""
        raise NotImplementedError

    def begin(self, lease: Lease, commitment: str) -> bool:
        """The attempt begins: its secret's ``SHA-256`` (hex) is out. False: the lease is lost."""
        raise NotImplementedError

    def renew(self, progress: Mapping[Lease, int], stall_ms: int = STALL_MS) -> set[str]:
        """Renew many leases at once; the ids of the matches whose lease is lost.

        The value is the attempt's progress (decisions so far; any number that grows). An attempt
        that makes none for ``stall_ms`` is reclaimed although renewed; while it waits for a
        reconnecting bot on purpose let the number grow.
        """
        raise NotImplementedError

    def release(self, lease: Lease, reason: str, secret: str = "") -> bool:
        """Void the attempt and hand the match back (drain, a referee's own trouble).

        ``secret`` (hex) is published with the voided attempt ([rules] §9). False: lease lost.
        """
        raise NotImplementedError

    def finish(
        self,
        lease: Lease,
        result: Json,
        *,
        record: str = "",
        counts: Mapping[str, int] | None = None,
        secret: str = "",
    ) -> Finish:
        """Write the result, once; every other writer is told why not (see ``Finish``).

        ``result``: a JSON object for ``arena.tournament``; ``record``: the record's file name
        below the records directory; ``counts``: ``games``, ``hands``, ``decisions`` added to the
        tournament's counters. Call ``store.tasks.settle(lease.match_id)`` after it.
        """
        raise NotImplementedError

    # --- the safety net (sweep) ---

    def reclaim(self, limit: int = 1000) -> list[str]:
        """Void what lost its lease, made no progress, or lies at a dead referee; the ids.

        They wait again afterwards. Costs O(expired): the due times stand in sorted sets.
        """
        raise NotImplementedError

    # --- reading ---

    def order(self, match_id: str) -> MatchOrder:
        """The order of a match. NotFound."""
        raise NotImplementedError

    def get(self, match_id: str) -> MatchInfo:
        """Where a match stands. NotFound."""
        raise NotImplementedError

    def page(
        self,
        tournament_id: str,
        start: int = 0,
        count: int = 100,
        state: MatchState | None = None,
    ) -> list[MatchInfo]:
        """Matches ``start`` … ``start + count - 1`` of the schedule, those in ``state`` only."""
        raise NotImplementedError

    def attempts(self, match_id: str) -> list[Json]:
        """Voided attempts, the oldest first: attempt, referee, reason, commitment, secret, at."""
        raise NotImplementedError

    def result(self, match_id: str) -> MatchResult | None:
        """The result, if it is finished. NotFound for an unknown match."""
        raise NotImplementedError

    def results(self, tournament_id: str, batch: int = 500) -> Iterator[MatchResult]:
        """All results in schedule order, read in batches (bounded memory)."""
        raise NotImplementedError

    def depths(self) -> Depths:
        """What waits where, for metrics; O(referees + unfinished tournaments)."""
        raise NotImplementedError
