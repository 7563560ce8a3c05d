"""Celery over the same server: the settings that producers and workers must share.

What a killed worker had taken comes back after VISIBILITY_S, looked for every second: without the
two ``unacked_restore`` options that takes ten times as long ([measured] Celery). No task may run
longer than that, or it runs twice at once; ours end within a second or so and bear it anyway.
"""

from __future__ import annotations

import sys
from typing import Any

from arena.store import keys
from arena.store.depths import QUEUE
from arena.store.settings import StoreSettings

VISIBILITY_S = 8


def worker_argv(concurrency: int = 0, loglevel: str = "info") -> list[str]:
    """The command of a worker, to run with the store's address in the environment or the data
    directory; ``concurrency`` 0: the app's default."""
    argv = [sys.executable, "-m", "celery", "--quiet", "-A", "workers.app", "worker"]
    # Gossip, mingle and heartbeats are for clusters of workers that talk to each other.
    argv += ["--without-gossip", "--without-mingle", "--without-heartbeat", "-l", loglevel]
    return argv + (["--concurrency", str(concurrency)] if concurrency else [])


def beat_argv(loglevel: str = "info") -> list[str]:
    """The command of beat. One is enough, two do no harm."""
    argv = [sys.executable, "-m", "celery", "--quiet", "-A", "workers.app", "beat"]
    return [*argv, "--pidfile", "", "-l", loglevel]


def task_name(task: str) -> str:
    """The full name of a task of ``workers.tasks``."""
    return f"arena.{task}"


def settings(store: StoreSettings) -> dict[str, Any]:
    """Celery's configuration for the broker at ``store``."""
    found = store.broker()
    options = {
        "visibility_timeout": VISIBILITY_S,
        "unacked_restore_interval": 1,
        "unacked_restore_throttle": 1,
        "global_keyprefix": keys.CELERY_PREFIX,
        "socket_connect_timeout": 5,
        "socket_timeout": 10,
        "socket_keepalive": True,
        **found.pop("broker_transport_options", {}),
    }
    return {
        **found,
        "broker_transport_options": options,
        "task_default_queue": QUEUE,
        "task_ignore_result": True,
        "task_serializer": "json",
        "accept_content": ["json"],
        "timezone": "UTC",
    }
