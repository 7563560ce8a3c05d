"""The journal's place: what must be durable before a frame may reveal it.

There is no journal yet: `NoJournal` releases at once, and the death of a referee voids its
attempts, which `sweep` has played again. The write-ahead journal will be another implementation:
it keeps the actions of one loop turn, appends them for all matches together from a thread, and
calls ``release`` when the append is safe.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol


class Journal(Protocol):
    """Takes the actions of one loop turn and says when what they reveal may be sent."""

    def commit(self, actions: Sequence[object], release: Callable[[], None]) -> None:
        """Make ``actions`` durable, then call ``release`` once, on the event loop's thread."""


class NoJournal:
    """Releases at once."""

    def commit(self, actions: Sequence[object], release: Callable[[], None]) -> None:
        """Nothing is kept."""
        release()
