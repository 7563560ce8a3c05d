"""A TCP line between a bot and a server that can be cut, closed, held, slowed and taken down."""

from __future__ import annotations

import asyncio
from typing import Self


class Proxy:
    """Passes bytes on both ways until it is told otherwise."""

    def __init__(self, target: str, port: int = 0) -> None:
        """``target``: ``host:port``; ``port``: where to listen, 0 for any that is free."""
        host, _, number = target.rpartition(":")
        self.target = host, int(number)
        self.port = port
        self.delay_s = 0.0
        """What every piece of what is passed on waits."""
        self.down = False
        """Who connects is reset."""
        self.lines = 0
        """Connections so far."""
        self.cut_after: int | None = None
        """So many bytes more towards the bot, in the middle of whatever they are, then a cut."""
        self._flows = asyncio.Event()
        self._flows.set()
        self._tasks: set[asyncio.Task[None]] = set()
        self._ends: list[asyncio.StreamWriter] = []

    async def __aenter__(self) -> Self:
        self._server = await asyncio.start_server(self._connected, "127.0.0.1", self.port)
        self.address = f"127.0.0.1:{self._server.sockets[0].getsockname()[1]}"
        return self

    async def __aexit__(self, *_: object) -> None:
        self._server.close()
        self.cut()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def cut(self) -> None:
        """Break every line with a reset."""
        for writer in self._ends:
            writer.transport.abort()
        self._ends.clear()

    def close(self) -> None:
        """End every line in good order."""
        for writer in self._ends:
            writer.close()
        self._ends.clear()

    def stall(self) -> None:
        """From now on nothing gets through, on old lines and new, and nobody is told."""
        self._flows.clear()

    def flow(self) -> None:
        """What was held gets through."""
        self._flows.set()

    async def _connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.lines += 1
        try:
            if self.down:
                raise ConnectionRefusedError
            there, back = await asyncio.open_connection(*self.target)
        except OSError:
            writer.transport.abort()
            return
        self._ends += (writer, back)
        for source, sink, down in ((reader, back, False), (there, writer, True)):
            task = asyncio.create_task(self._pass(source, sink, down))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    async def _pass(
        self, source: asyncio.StreamReader, sink: asyncio.StreamWriter, down: bool
    ) -> None:
        try:
            while data := await source.read(65536):
                await self._flows.wait()
                if self.delay_s:
                    await asyncio.sleep(self.delay_s)  # a slow line is what is asked for
                if down and self.cut_after is not None:
                    data, self.cut_after = data[: self.cut_after], self.cut_after - len(data)
                sink.write(data)
                await sink.drain()
                if down and self.cut_after is not None and self.cut_after <= 0:
                    self.cut_after = None
                    self.cut()
        except OSError:
            pass
        finally:
            sink.transport.abort()
