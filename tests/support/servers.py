"""Valkey servers of special kinds for tests: on a socket, replicas, sentinels, a cluster node; and
ports for whatever must be told one."""

from __future__ import annotations

import contextlib
import os
import random
import socket
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import redis

from arena import lifeline
from arena.store.binary import find_server
from tests.support.tournaments import wait_for

LOWEST, HIGHEST = 15_000, 30_000
"""Ports the system gives nobody who leaves the choice to it."""
_claims: list[socket.socket] = []


def free_port() -> int:
    """A port nobody listens on, nor will unless told to, until this process ends.

    A server that is killed finds its own free again; no test beside this one is given it.
    """
    while True:
        port = random.SystemRandom().randint(LOWEST, HIGHEST)
        claim = socket.socket(socket.AF_UNIX)
        with contextlib.suppress(OSError), socket.socket() as probe:
            claim.bind(f"\0euchre-arena test port {port}")
            probe.bind(("127.0.0.1", port))
            _claims.append(claim)
            return port
        claim.close()


@contextmanager
def server(
    folder: Path, config: str, *options: str, program: Path | None = None
) -> Iterator[subprocess.Popen[bytes]]:
    """A server with this configuration file, ended afterwards; ``program``: else the embedded's."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "server.conf").write_text(config)
    process = subprocess.Popen(
        lifeline.command([program or find_server(), "server.conf", *options]),
        cwd=folder,
        env={**os.environ, **lifeline.variables()},
        stdout=(folder / "log").open("wb"),
    )
    try:
        yield process
    finally:
        process.kill()
        process.wait()


def answers(client: redis.Redis) -> redis.Redis:
    """The client, once its server answers."""

    def ping() -> bool:
        try:
            return bool(client.ping())
        except redis.ConnectionError:
            return False

    wait_for(ping)
    return client
