"""Counts the tasks of a worker and shows them, with what the store knows, on `/metrics`.

``ARENA_WORKER_METRICS=host:port`` says where; without it nothing is served. Children count into
memory they share with the worker they were forked from (`arena.metrics.TaskBoard`).
"""

from __future__ import annotations

import logging
import os
import time
from typing import Any

from billiard.process import current_process
from celery import signals
from prometheus_client import CollectorRegistry, GCCollector, ProcessCollector

from arena.metrics import MetricsServer, StoreCollector, TaskBoard, serve
from arena.store import Store, broker

VARIABLE = "ARENA_WORKER_METRICS"
TASKS = ("schedule", "dispatch", "dispatch_due", "settle", "derive", "sweep")

log = logging.getLogger(__name__)


class Measures:
    """Connects a board to Celery's signals; one a worker."""

    def __init__(self, board: TaskBoard) -> None:
        self.board = board
        self._short = {broker.task_name(name): name for name in TASKS}
        self._started: dict[str, int] = {}

    def connect(self) -> None:
        """From now on tasks of this process and of its children are counted."""
        # Strong references: a bound method would be gone with the last name for this object.
        signals.task_prerun.connect(self.begun, weak=False)
        signals.task_postrun.connect(self.ended, weak=False)

    def begun(self, task_id: str = "", **_: Any) -> None:
        """A task begins here, in the child that does it."""
        self._started[task_id] = time.monotonic_ns()

    def ended(self, task_id: str = "", task: Any = None, state: str = "", **_: Any) -> None:
        """It ended; tasks cut off by the death of their child never come here."""
        began = self._started.pop(task_id, None)
        if began is None:
            return
        row = getattr(current_process(), "index", 0)
        name = self._short.get(task.name, "")
        outcome = "ok" if state == "SUCCESS" else "failed"
        self.board.done(row, name, outcome, time.monotonic_ns() - began)


def start(address: str) -> MetricsServer:
    """Count and serve. Raises as `arena.metrics.serve` does."""
    board = TaskBoard(TASKS)
    registry = CollectorRegistry()
    ProcessCollector(registry=registry)
    GCCollector(registry=registry)
    registry.register(board)
    registry.register(StoreCollector(Store.connect()))
    server = serve(registry, address)
    Measures(board).connect()
    return server


@signals.worker_init.connect
def _worker_init(**_: Any) -> None:
    """Before the children are forked, so that they share the board."""
    address = os.environ.get(VARIABLE)
    if address:
        server = start(address)
        log.info("metrics at http://%s/metrics", address.rpartition(":")[0] + f":{server.port}")
