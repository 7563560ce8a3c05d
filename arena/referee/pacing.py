"""How soon one frame of a stream may follow another (measured.md: batching is everything)."""

from __future__ import annotations

from typing import Final

from arena.referee.config import RefereeConfig

_SHORTEST_NS: Final = 300_000
"""A shorter wait is none: timers come up to a millisecond late, and a lonely game would feel it."""


class Streams:
    """How many streams are open; one for all paces of a referee."""

    def __init__(self) -> None:
        self.open = 0


class Pace:
    """When the next frame of one stream may go.

    The first goes at once. A stream with many games waits the full pace, so that what they have
    ready meanwhile makes one frame; with few there is nothing to wait for. More streams share the
    same loop, so each waits longer.
    """

    __slots__ = ("_full", "_games", "_many", "_streams", "next_at")

    def __init__(self, config: RefereeConfig, streams: Streams) -> None:
        self.next_at = 0
        """Nanoseconds on the monotonic clock."""
        self._full = config.pace_us * 1_000
        self._games = config.pace_full_games
        self._many = config.pace_streams
        self._streams = streams

    def sent(self, now: int, games: int) -> None:
        """A frame went out to a stream with so many games under way."""
        wait = self._full
        if games < self._games:
            wait = wait * games // self._games
        if self._streams.open > self._many:
            wait = wait * self._streams.open // self._many
        self.next_at = now + wait if wait >= _SHORTEST_NS else now
