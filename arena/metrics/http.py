"""`/metrics` over HTTP, on an address of its own and in a thread of its own."""

from __future__ import annotations

from threading import Thread
from typing import TYPE_CHECKING

from prometheus_client import CollectorRegistry, start_http_server

if TYPE_CHECKING:
    from wsgiref.simple_server import WSGIServer


class MetricsServer:
    """A running server. Close it, or let it die with the process: its thread is a daemon."""

    def __init__(self, server: WSGIServer, thread: Thread) -> None:
        self._server = server
        self._thread = thread

    @property
    def port(self) -> int:
        """The port listened on, also when 0 was asked for."""
        return int(self._server.server_port)

    def close(self) -> None:
        """Stop listening and wait for the thread."""
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()


def serve(registry: CollectorRegistry, address: str) -> MetricsServer:
    """Serve a registry at ``host:port``; port 0 takes a free one.

    Raises ValueError for an address that is none, OSError (named) when it cannot be listened on.
    """
    host, colon, port = address.rpartition(":")
    if not colon or not port.isdecimal() or int(port) > 65535:
        raise ValueError(f"metrics address {address!r} is not host:port, e.g. 127.0.0.1:7602")
    try:
        server, thread = start_http_server(int(port), addr=host.strip("[]"), registry=registry)
    except OSError as error:
        raise OSError(
            error.errno, f"metrics cannot listen on {address}: {error.strerror}"
        ) from error
    return MetricsServer(server, thread)
