"""The workers' app, made deaf at will: `celery -A tests.support.deafening worker`.

Once the file that ``ARENA_TEST_DEAF`` names is there, a worker takes no more messages, as one does
that believes to hold as many as it may. It lives, its timers run, its broker answers.
"""

from __future__ import annotations

import os
from functools import wraps
from pathlib import Path
from typing import Any

from kombu.transport import redis

from workers.app import app

__all__ = ["app"]

DEAF = Path(os.environ["ARENA_TEST_DEAF"])
held: Any = redis.QoS
may_take = held.can_consume


@wraps(may_take)
def unless_deaf(qos: Any) -> bool:
    return not DEAF.exists() and bool(may_take(qos))


held.can_consume = unless_deaf
