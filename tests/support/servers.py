"""Valkey servers of special kinds for tests: on a socket, replicas, sentinels, a cluster node."""

from __future__ import annotations

import os
import socket
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import redis

from arena import lifeline
from arena.store.binary import find_server
from tests.support.tournaments import wait_for


def free_port() -> int:
    """A port nobody listens on at this moment."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


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
