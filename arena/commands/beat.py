"""`arena beat`: Celery beat, which wakes `sweep` every second."""

from __future__ import annotations

import os

import click

from arena.commands.options import LogLevel, data_option, log_option
from arena.config import Data
from arena.store import broker


@click.command()
@data_option
@log_option
def beat(data: Data, log_level: LogLevel) -> None:
    """Run Celery beat: every second it has a worker look after whatever stands still.

    One is enough; two do no harm.
    """
    argv = broker.beat_argv(log_level.name)
    os.execv(argv[0], argv)
