"""A tournament's events, for those who watch: a capped stream each."""

from __future__ import annotations

from arena.store.link import Link
from arena.store.types import Event


class Events:
    """Events by tournament: ``state``, ``match`` (began, finished, voided) and ``standings``."""

    def __init__(self, link: Link) -> None:
        self._link = link

    def last(self, tournament_id: str) -> str:
        """The newest event's entry, to read on from; "0" when there is none."""
        raise NotImplementedError

    def read(
        self, tournament_id: str, after: str = "0", count: int = 100, block_ms: int = 0
    ) -> list[Event]:
        """Events after ``after``, waiting up to ``block_ms`` for the first (0: not at all).

        Blocks the calling thread. Old events are trimmed; state and standings can be read anew.
        """
        raise NotImplementedError
