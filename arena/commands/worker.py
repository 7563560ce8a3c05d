"""`arena worker`: Celery's worker with the options that keep work from being lost."""

from __future__ import annotations

import os

import click

from arena.commands.options import LogLevel, data_option, log_option
from arena.config import Data
from arena.store import broker


@click.command()
@click.option(
    "--concurrency", default=2, show_default=True, type=click.IntRange(1, 256), help="Processes."
)
@data_option
@log_option
def worker(concurrency: int, data: Data, log_level: LogLevel) -> None:
    """Run a Celery worker: it schedules, dispatches and settles; it never plays a game.

    Any number may run, on any machine that reaches the store. One that is killed loses nothing:
    its work is taken up again within seconds.
    """
    argv = broker.worker_argv(concurrency, log_level.name)
    os.execv(argv[0], argv)
