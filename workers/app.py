"""The Celery app. Its broker is the store's server: `ARENA_REDIS_URL`, or the data directory's.

What keeps work from being lost or done twice ([measured] Celery):
- acknowledged after the work, and given back when the child that did it is killed;
- what a killed worker had taken comes back within ten seconds (`arena.store.broker`);
- every task may run twice, and `sweep` enqueues anew whatever no task remembers.
So a task that fails is acknowledged all the same: running it again at once would fail again.
"""

from __future__ import annotations

from typing import Any

from celery import Celery

from arena.store import StoreSettings, broker
from workers import closed

SWEEP_S = 1.0
"""Seconds between sweeps."""
STALE_SWEEP_S = 5.0
"""A sweep nobody ran within so many seconds is dropped: the next is there already."""
LONGEST_TASK_S = 300
"""A task that takes longer hangs; its child is killed."""


def configuration() -> dict[str, Any]:
    """Celery's settings. Raises StoreMisconfigured when no store is named."""
    return {
        **broker.settings(StoreSettings.find()),
        "task_acks_late": True,
        "task_reject_on_worker_lost": True,
        "task_acks_on_failure_or_timeout": True,
        "task_time_limit": LONGEST_TASK_S,
        "worker_prefetch_multiplier": 1,
        "worker_concurrency": 2,
        "worker_cancel_long_running_tasks_on_connection_loss": False,
        "broker_connection_retry_on_startup": True,
        "broker_connection_max_retries": None,
        "worker_hijack_root_logger": False,
        "beat_schedule": {
            "sweep": {
                "task": broker.task_name("sweep"),
                "schedule": SWEEP_S,
                "options": {"expires": STALE_SWEEP_S},
            }
        },
        # A sweep a second has no history worth a file.
        "beat_scheduler": "celery.beat:Scheduler",
        "beat_max_loop_interval": SWEEP_S,
    }


closed.install()
app = Celery(
    "arena",
    include=["workers.tasks", "workers.measuring", "workers.quiet", "workers.deaf"],
    set_as_current=False,
)
app.add_defaults(configuration)
