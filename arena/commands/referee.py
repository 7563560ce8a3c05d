"""`arena referee`: one referee process, the admin services and metrics beside it."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import hashlib
import logging
import signal
import socket
import time
from pathlib import Path
from typing import Final

import click

from arena.admin.server import AdminConfig
from arena.admin.server import running as admin_running
from arena.commands.calling import fail
from arena.commands.options import LogLevel, address_option, data_option, log_option
from arena.commands.security import Security, security_options
from arena.config import ADMIN, METRICS, REFEREE, Address, Data
from arena.metrics import Metrics, StoreCollector
from arena.metrics import serve as serve_metrics
from arena.referee.config import ConfigError, RefereeConfig
from arena.referee.runtime import run
from arena.referee.server import running as referee_running
from arena.store import Store, StoreError, StoreUnavailable
from arena.store.types import Principal, Role
from arena.tls import TlsError

log: Final = logging.getLogger(__name__)

STORE_WAIT_S: Final = 30.0


@click.command()
@address_option("--listen", REFEREE, "Where bots connect.", optional=False)
@address_option("--admin", ADMIN, "Where organizers and operators call.")
@address_option("--metrics", METRICS, "Where /metrics is scraped.")
@click.option("--name", default="referee", help="Its name in logs and in the run folder.")
@security_options
@data_option
@log_option
def referee(
    listen: Address,
    admin: Address | None,
    metrics: Address | None,
    name: str,
    security: Security,
    data: Data,
    log_level: LogLevel,
) -> None:
    """Run one referee until SIGTERM or Ctrl-C; then it finishes hands and hands matches back.

    `arena up` runs one of these. Several may share a store (ARENA_REDIS_URL), each at an address
    of its own; one of them needs to serve organizers, the others are given --admin none.

    Everything else is set by ARENA_REFEREE_… variables (docs/operators.md).
    """
    log_level.apply()
    try:
        security.check(listen=listen, admin=admin)
        config = RefereeConfig.from_env(host=listen.host, port=listen.port, data=data.path)
        store = connect()
        if admin is not None:
            write_tokens(store, data)
        run(_serve(config, store, admin, metrics, security, name, data))
    except (ConfigError, StoreError, TlsError) as error:
        fail(str(error))
    except OSError as error:
        fail(str(error.strerror if error.filename is None and error.strerror else error))


async def _serve(
    config: RefereeConfig,
    store: Store,
    admin: Address | None,
    metrics: Address | None,
    security: Security,
    name: str,
    data: Data,
) -> None:
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, stop.set)
    measures = Metrics()
    addresses = {}
    async with contextlib.AsyncExitStack() as stack:
        if metrics is not None:
            measures.registry.register(StoreCollector(store))
            server = serve_metrics(measures.registry, str(metrics))
            stack.callback(server.close)
            addresses["metrics"] = f"{metrics.host}:{server.port}"
        if admin is not None:
            settings = AdminConfig(data.records, admin.host, admin.port, security.admin)
            services = await stack.enter_async_context(admin_running(settings, store))
            addresses["admin"] = services.address
        running = await stack.enter_async_context(
            referee_running(config, store, measures, security.bots)
        )
        addresses["referee"] = running.address
        running.on_drain = stop.set
        data.announce(name, **addresses)
        stack.callback(data.withdraw, name)
        # What is loaded by now stays; a collection of everything need not look at it again.
        gc.collect()
        gc.freeze()
        await stop.wait()
        log.info("draining")


def connect() -> Store:
    """The store, waited for while it starts. Raises StoreError."""
    deadline = time.monotonic() + STORE_WAIT_S
    while True:
        try:
            return Store.connect()
        except StoreUnavailable as error:
            if time.monotonic() > deadline:
                raise
            log.info("waiting for the store: %s", error)
            time.sleep(0.2)  # nothing tells when a server begins to answer


def write_tokens(store: Store, data: Data) -> None:
    """See that the data directory holds good tokens of an organizer and an operator."""
    data.path.mkdir(parents=True, exist_ok=True)
    for role, path in (
        (Role.ORGANIZER, data.organizer_token),
        (Role.OPERATOR, data.operator_token),
    ):
        if not _holds(store, role, path) and store.tokens.ensure(role, _owner(data.path), path):
            click.echo(f"{role}'s token written to {path}", err=True)


def _holds(store: Store, role: Role, path: Path) -> bool:
    """Whether a file holds a good token of this role, whoever's."""
    if not path.exists():
        return False
    principal = store.tokens.check(path.read_text().strip())
    return isinstance(principal, Principal) and principal.role is role


def _owner(path: Path) -> str:
    """A name for this data directory: another one on the same store has tokens of its own."""
    place = f"{socket.gethostname()}:{path.resolve()}"
    return f"data-{hashlib.sha256(place.encode()).hexdigest()[:12]}"
