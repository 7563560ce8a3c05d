"""`arena up`: everything on one machine."""

from __future__ import annotations

import click

from arena.commands.calling import fail
from arena.commands.options import LogLevel, address_option, data_option, log_option
from arena.commands.security import Security, security_options
from arena.config import ADMIN, METRICS, REFEREE, Address, Data
from arena.tls import TlsError
from arena.up import Plan, Supervisor, UpError


@click.command()
@address_option("--listen", REFEREE, "Where bots connect.", optional=False)
@address_option("--admin", ADMIN, "Where organizers and operators call.", optional=False)
@address_option("--metrics", METRICS, "Where /metrics is scraped; a worker's is the port after.")
@click.option(
    "--referees",
    default=1,
    show_default=True,
    type=click.IntRange(1, 64),
    help="Referee processes; those beyond the first take free ports.",
)
@click.option(
    "--concurrency",
    default=2,
    show_default=True,
    type=click.IntRange(1, 256),
    help="Of the worker.",
)
@click.option(
    "--durability",
    default="everysec",
    show_default=True,
    type=click.Choice(["everysec", "always"]),
    help="When Valkey writes to the disk. always: a power cut takes nothing, for a slower journal.",
)
@security_options
@data_option
@log_option
def up(
    listen: Address,
    admin: Address,
    metrics: Address | None,
    referees: int,
    concurrency: int,
    durability: str,
    security: Security,
    data: Data,
    log_level: LogLevel,
) -> None:
    """Run everything on this machine until Ctrl-C or SIGTERM.

    A real Valkey in the data directory (or the server in ARENA_REDIS_URL), a referee, a Celery
    worker and beat, each a process of its own; one that dies is started again. The first start
    writes organizer.token and operator.token (mode 0600) in the data directory.

    Logs are in logs/ of the data directory, records in records/.
    """
    plan = Plan(
        *(data, listen, admin, metrics, referees, concurrency, log_level.name),
        security=tuple(security.words()),
        durability=durability,
    )
    try:
        security.check(listen=listen, admin=admin)
        Supervisor(plan, click.echo).run()
    except (UpError, TlsError) as error:
        fail(str(error))
