"""Tasks enqueued by name: the service never imports ``workers``."""

from __future__ import annotations

from arena.store.settings import StoreSettings


class Tasks:
    """A producer for the Celery queue. Work is named by id and every task may run twice.

    A task that cannot be enqueued is not an error: ``sweep`` finds the work within seconds. The
    calls say so by False and log it.
    """

    def __init__(self, settings: StoreSettings) -> None:
        self._settings = settings

    def schedule(self, tournament_id: str) -> bool:
        """Make matches of the tournament's pairings from its cursor on."""
        raise NotImplementedError

    def dispatch(self, match_id: str) -> bool:
        """Find a referee for the match."""
        raise NotImplementedError

    def dispatch_due(self) -> bool:
        """Find referees for what waits, now and not at the next sweep."""
        raise NotImplementedError

    def settle(self, match_id: str) -> bool:
        """A result is there: derive the standings, begin the next matches."""
        raise NotImplementedError

    def sweep(self) -> bool:
        """Look after everything that stands still, now and not at the next beat."""
        raise NotImplementedError
