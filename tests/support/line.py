"""A TCP line to a store that can be cut, held, and made to lose answers or requests."""

from __future__ import annotations

import asyncio
from typing import Self

from arena.store import StoreSettings


class Line:
    """Passes bytes on both ways until it is told otherwise. For a store used from threads."""

    def __init__(self, settings: StoreSettings) -> None:
        self._target = settings.hosts[0]
        login = f"{settings.username}:{settings.password}@"
        self._url = f"redis://{login}127.0.0.1:%d/{settings.db}"
        self.answers_to_lose = 0
        """So many of the next answers are lost, and the connection with each."""
        self.lost = 0
        self.break_at: list[bytes] = []
        """Words of requests: the next request with the first of them does not arrive, and its
        connection ends; then it is the turn of the second."""
        self._flows = asyncio.Event()
        self._flows.set()
        self._tasks: set[asyncio.Task[None]] = set()
        self._ends: set[asyncio.StreamWriter] = set()

    async def __aenter__(self) -> Self:
        self._server = await asyncio.start_server(self._connected, "127.0.0.1", 0)
        port = self._server.sockets[0].getsockname()[1]
        self.settings = StoreSettings(self._url % port)
        return self

    async def __aexit__(self, *_: object) -> None:
        self._server.close()
        self.cut()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def hold(self) -> None:
        """From now on nothing gets through, and nobody is told."""
        self._flows.clear()

    def flow(self) -> None:
        """What was held gets through."""
        self._flows.set()

    def cut(self) -> None:
        """Break every connection with a reset."""
        for end in self._ends:
            end.transport.abort()
        self._ends.clear()

    async def _connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        there, back = await asyncio.open_connection(*self._target)
        self._ends |= {writer, back}
        for source, sink, answers in ((reader, back, False), (there, writer, True)):
            task = asyncio.create_task(self._pass(source, sink, answers))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    async def _pass(
        self, source: asyncio.StreamReader, sink: asyncio.StreamWriter, answers: bool
    ) -> None:
        try:
            while data := await source.read(65536):
                await self._flows.wait()
                if answers and self.answers_to_lose:
                    self.answers_to_lose -= 1
                    self.lost += 1
                    break
                if not answers and self.break_at and self.break_at[0] in data:
                    del self.break_at[0]
                    break
                sink.write(data)
                await sink.drain()
        except OSError:
            pass
        finally:
            sink.transport.abort()
