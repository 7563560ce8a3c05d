"""Standings as last derived, who derives them now, and what changed meanwhile."""

from __future__ import annotations

from arena.store.link import Link
from arena.store.types import Json, Snapshot


class Standings:
    """Snapshots by tournament; derived by ``settle``, read by everyone."""

    def __init__(self, link: Link) -> None:
        self._link = link

    def get(self, tournament_id: str) -> Snapshot | None:
        """The latest snapshot, None before the first."""
        raise NotImplementedError

    def claim(self, tournament_id: str, interval_ms: int = 1000, ttl_ms: int = 60_000) -> str:
        """Single flight: a ticket to derive now, or "" – nothing changed, another does it, or the
        last was less than ``interval_ms`` ago and the tournament is not complete."""
        raise NotImplementedError

    def put(self, tournament_id: str, ticket: str, table: Json, results: int) -> bool:
        """Store a snapshot made under ``ticket`` from ``results`` results and give the ticket
        back; a snapshot of all results finishes the tournament. False: the ticket had expired."""
        raise NotImplementedError

    def drop(self, tournament_id: str, ticket: str) -> None:
        """Give the ticket back without a snapshot (an error); it stays dirty."""
        raise NotImplementedError

    def dirty(self) -> list[str]:
        """Tournaments with results newer than their snapshot."""
        raise NotImplementedError
