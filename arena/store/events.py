"""A tournament's events, for those who watch: a capped stream each."""

from __future__ import annotations

import json

from arena.store import keys
from arena.store.link import Link
from arena.store.types import Event


class Events:
    """Events by tournament: ``state`` (state, note), ``match`` (match, state: playing, finished
    or voided) and ``standings`` (results, final)."""

    def __init__(self, link: Link) -> None:
        self._link = link

    def last(self, tournament_id: str) -> str:
        """The newest event's entry, to read on from; "0" when there is none."""
        with self._link.errors():
            found = self._link.client.xrevrange(keys.of("events", tournament_id), count=1)
        return str(found[0][0]) if found else "0"

    def read(
        self, tournament_id: str, after: str = "0", count: int = 100, block_ms: int = 0
    ) -> list[Event]:
        """Events after ``after``, waiting up to ``block_ms`` (at most 5,000) for the first.

        Blocks the calling thread. Old events are trimmed; state and standings can be read anew.
        """
        with self._link.errors():
            found = self._link.client.xread(
                {keys.of("events", tournament_id): after},
                count=count,
                block=min(block_ms, 5000) if block_ms else None,
            )
        entries = found[0][1] if found else []
        return [
            Event(entry, fields["kind"], int(entry.partition("-")[0]), json.loads(fields["data"]))
            for entry, fields in entries
        ]
