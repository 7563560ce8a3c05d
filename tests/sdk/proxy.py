"""A TCP line between a bot and a server that can be cut."""

from __future__ import annotations

import asyncio
from typing import Self


class Proxy:
    """Passes bytes on both ways until it is told otherwise."""

    def __init__(self, target: str) -> None:
        host, _, port = target.rpartition(":")
        self.target = host, int(port)
        self._lines: set[asyncio.Task[None]] = set()
        self._ends: list[asyncio.StreamWriter] = []

    async def __aenter__(self) -> Self:
        self._server = await asyncio.start_server(self._connected, "127.0.0.1", 0)
        port = self._server.sockets[0].getsockname()[1]
        self.address = f"127.0.0.1:{port}"
        return self

    async def __aexit__(self, *_: object) -> None:
        self._server.close()
        self.cut()
        for task in self._lines:
            task.cancel()
        await asyncio.gather(*self._lines, return_exceptions=True)

    def cut(self) -> None:
        """Break every line with a reset."""
        for writer in self._ends:
            writer.transport.abort()
        self._ends.clear()

    async def _connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            there, back = await asyncio.open_connection(*self.target)
        except OSError:
            writer.transport.abort()
            return
        self._ends += (writer, back)
        for source, sink in ((reader, back), (there, writer)):
            task = asyncio.create_task(self._pass(source, sink))
            self._lines.add(task)
            task.add_done_callback(self._lines.discard)

    @staticmethod
    async def _pass(source: asyncio.StreamReader, sink: asyncio.StreamWriter) -> None:
        try:
            while data := await source.read(65536):
                sink.write(data)
                await sink.drain()
        except OSError:
            pass
        finally:
            sink.transport.abort()
