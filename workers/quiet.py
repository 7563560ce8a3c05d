"""What goes well every second is counted (`measuring`), not logged: it would fill the disk.

Celery logs each task twice and beat each sweep; whatever fails is logged all the same.
"""

from __future__ import annotations

import logging
from typing import Any, Final

from celery import signals

EVERY_TASK: Final = ("celery.worker.strategy", "celery.app.trace")
EVERY_SWEEP: Final = "Scheduler: Sending due task"


def failures_only(record: logging.LogRecord) -> bool:
    """Nothing of a task but that it failed."""
    return record.levelno != logging.INFO


def no_sweeps(record: logging.LogRecord) -> bool:
    """Nothing of beat's daily bread."""
    return not str(record.msg).startswith(EVERY_SWEEP)


@signals.after_setup_logger.connect
def quiet(**_: Any) -> None:
    """Once Celery has set its loggers up."""
    for name in EVERY_TASK:
        logging.getLogger(name).addFilter(failures_only)
    logging.getLogger("celery.beat").addFilter(no_sweeps)
