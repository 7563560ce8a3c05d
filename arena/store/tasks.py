"""Tasks enqueued by name: the service never imports ``workers``."""

from __future__ import annotations

import logging
import threading
from typing import Any

from celery import Celery
from kombu.exceptions import OperationalError

from arena.store import broker, keys
from arena.store.depths import QUEUE
from arena.store.link import Link

log = logging.getLogger(__name__)


class Tasks:
    """A producer for the Celery queue. Work is named by id and every task may run twice.

    A task that cannot be enqueued is not an error: ``sweep`` finds the work within seconds. The
    calls say so by False and log it. Thread-safe.
    """

    def __init__(self, link: Link) -> None:
        self._link = link
        self._app: Celery | None = None
        self._lock = threading.Lock()

    def schedule(self, tournament_id: str) -> bool:
        """Make matches of the tournament's pairings from its cursor on."""
        return self._send("schedule", tournament_id)

    def dispatch(self, match_id: str) -> bool:
        """Find a referee for the match."""
        return self._send("dispatch", match_id)

    def dispatch_due(self) -> bool:
        """Find referees for what waits, now and not at the next sweep."""
        return self._send("dispatch_due")

    def settle(self, match_id: str) -> bool:
        """A result is there: derive the standings, begin the next matches."""
        return self._send("settle", match_id)

    def derive(self, tournament_id: str) -> bool:
        """Derive the tournament's standings, if they changed and nobody does."""
        return self._send("derive", tournament_id)

    def sweep(self) -> bool:
        """Look after everything that stands still, now and not at the next beat."""
        return self._send("sweep")

    def waiting(self) -> int:
        """Tasks in the queue that no worker has taken. Raises as the store's other calls do."""
        return int(self._link.call("LLEN", keys.CELERY_PREFIX + QUEUE))

    def close(self) -> None:
        """Give the connections back."""
        with self._lock:
            app, self._app = self._app, None
        if app is not None:
            app.close()

    def _send(self, task: str, *args: Any) -> bool:
        try:
            self._producer().send_task(broker.task_name(task), args, retry=False)
        except (OperationalError, OSError) as error:
            log.warning("task %s%r not enqueued, sweep will find it: %s", task, args, error)
            return False
        return True

    def _producer(self) -> Celery:
        with self._lock:
            if self._app is None:
                self._app = Celery("arena", set_as_current=False)
                conf = broker.settings(self._link.settings)
                # Whoever enqueues does not wait for a server that is away: sweep is the net.
                conf["broker_transport_options"] |= {"max_retries": 1, "interval_start": 0}
                self._app.conf.update(conf)
            return self._app
