"""`arena worker`: Celery's worker with the options that keep work from being lost."""

from __future__ import annotations

import os

import click

from arena.commands.options import LogLevel, address_option, data_option, log_option
from arena.config import NOWHERE, WORKER_METRICS_VARIABLE, Address, Data
from arena.store import broker


@click.command()
@click.option(
    "--concurrency", default=2, show_default=True, type=click.IntRange(1, 256), help="Processes."
)
@address_option("--metrics", NOWHERE, "Where its /metrics is scraped.")
@data_option
@log_option
def worker(concurrency: int, metrics: Address | None, data: Data, log_level: LogLevel) -> None:
    """Run a Celery worker: it schedules, dispatches and settles; it never plays a game.

    Any number may run, on any machine that reaches the store. One that is killed loses nothing:
    its work is taken up again within seconds.
    """
    if metrics is not None:
        os.environ[WORKER_METRICS_VARIABLE] = str(metrics)
    argv = broker.worker_argv(concurrency, log_level.name)
    os.execv(argv[0], argv)
