"""A worker that no longer hears ends, so that whoever keeps it running starts another.

`closed` mends the way to become deaf that is known; a connection to the broker has more of them,
and a deaf worker looks well: it lives, its store answers, and nothing moves. So each looks at the
queue itself. Tasks waiting, none taken and none under way, for DEAF_LOOKS looks in a row: it says
so and ends with 1. What it held comes back (`arena.store.broker.VISIBILITY_S`).

Looks are counted, not seconds: a worker that was stopped or waited for its broker has not looked.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Any, Final

from celery import bootsteps, signals
from celery.worker import state

from arena.store import StoreError
from workers import tasks
from workers.app import app

AT_WORK: Final = state.active_requests
"""Tasks that children of this worker are doing; one that hangs has an end of its own
(`workers.app.LONGEST_TASK_S`)."""
LOOK_S: Final = 1.0
DEAF_LOOKS: Final = 20

log = logging.getLogger(__name__)


class Hearing:
    """How long a worker has taken nothing of what waits. ``waiting`` and ``working`` ask for the
    tasks in the queue and whether this worker is at one."""

    def __init__(self, waiting: Callable[[], int], working: Callable[[], bool]) -> None:
        self._waiting = waiting
        self._working = working
        self._missed = 0

    def heard(self, **_: Any) -> None:
        """A task came."""
        self._missed = 0

    def deaf(self) -> bool:
        """One look. Raises what ``waiting`` raises, and has then not looked."""
        idle = self._waiting() > 0 and not self._working()
        self._missed = self._missed + 1 if idle else 0
        return self._missed >= DEAF_LOOKS


class Listening(bootsteps.StartStopStep):
    """A step of the worker: looks from its loop, as long as that runs."""

    requires = ("celery.worker.components:Hub",)

    def start(self, worker: Any) -> None:
        """From now on, in the worker's own process."""
        self.worker = worker
        self.hearing = Hearing(lambda: tasks.store().tasks.waiting(), lambda: bool(AT_WORK))
        signals.task_received.connect(self.hearing.heard, weak=False)
        worker.timer.call_repeatedly(LOOK_S, self.look)

    def look(self) -> None:
        """End the worker if it is deaf."""
        try:
            deaf = self.hearing.deaf()
        except StoreError:
            return  # Celery says what becomes of its broker, which is the same server
        if deaf:
            log.critical(
                "tasks wait and for %.0f s none was received: this worker ends, start another",
                DEAF_LOOKS * LOOK_S,
            )
            # Not a stop, which would wait for the children to finish what none of them has.
            self.worker.exitcode = 1
            state.should_terminate = True  # type: ignore[assignment]  # not only None, as typed


app.steps["worker"].add(Listening)
