"""Standings as last derived, who derives them now, and what changed meanwhile."""

from __future__ import annotations

import json

from arena.store import keys
from arena.store.link import Link
from arena.store.types import Json, Snapshot

INTERVAL_MS = 1_000
"""[architecture] Standings are derived at most once a second while results pour in."""
CLAIM_MS = 5_000
"""How long a ticket lives without ``keep``: a killed worker's is free again after that."""


class Standings:
    """Snapshots by tournament; derived by ``settle``, read by everyone."""

    def __init__(self, link: Link) -> None:
        self._link = link

    def get(self, tournament_id: str) -> Snapshot | None:
        """The latest snapshot, None before the first."""
        found = self._link.call(
            "HMGET", keys.of("table", tournament_id), "results", "at", "final", "table"
        )
        if found[0] is None:
            return None
        results, at, final, table = found
        return Snapshot(int(results), int(at), final == "1", json.loads(table))

    def claim(
        self, tournament_id: str, interval_ms: int = INTERVAL_MS, ttl_ms: int = CLAIM_MS
    ) -> str:
        """Single flight: a ticket to derive now, or "" – nothing changed, another does it, or the
        last was less than ``interval_ms`` ago and the tournament is not complete."""
        ticket: str = self._link.run("claim", tournament_id, interval_ms, ttl_ms)
        return ticket

    def keep(self, tournament_id: str, ticket: str, ttl_ms: int = CLAIM_MS) -> bool:
        """Go on holding a ticket; False when it had expired and another may have it."""
        return bool(self._link.run("keep", tournament_id, ticket, ttl_ms))

    def put(self, tournament_id: str, ticket: str, table: Json, results: int) -> bool:
        """Store a snapshot made under ``ticket`` from ``results`` results and give the ticket
        back; a snapshot of all results finishes the tournament. False: the ticket had expired."""
        text = json.dumps(table, separators=(",", ":"))
        return bool(self._link.run("put", tournament_id, ticket, results, text))

    def drop(self, tournament_id: str, ticket: str) -> None:
        """Give the ticket back without a snapshot (an error); it stays dirty."""
        self._link.run("drop", tournament_id, ticket)

    def dirty(self) -> list[str]:
        """Tournaments with results newer than their snapshot."""
        return sorted(self._link.call("SMEMBERS", keys.single("dirty")))
