"""Referees as processes of a test, killed and started again, and what workers do between."""

from __future__ import annotations

import asyncio
import contextlib
import json
import signal
import sys
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

from arena.store import Embedded, Store
from tests.referee.rig import Rig
from tests.support.servers import free_port

ROOT = Path(__file__).parents[2]


class Process:
    """One referee as a process, at one address however often it is started."""

    def __init__(self, url: str, data: Path, **settings: Any) -> None:
        self.url = url
        self.port = free_port()
        self.address = f"127.0.0.1:{self.port}"
        base: dict[str, Any] = {"data": str(data), "entropy_ms": 0, "drain_s": 5.0, "parallel": 4}
        base["fitness_window_ms"] = 1  # as the rig's
        self.settings = {**base, "port": self.port, **settings}
        self.log = data / f"referee-{self.port}.log"
        self.process: asyncio.subprocess.Process

    async def start(self) -> Process:
        """Start it, and wait until it listens."""
        with self.log.open("ab") as log:
            self.process = await asyncio.create_subprocess_exec(
                *(sys.executable, "-m", "bench.referee", self.url, json.dumps(self.settings)),
                stdout=asyncio.subprocess.PIPE,
                stderr=log,
                cwd=ROOT,
            )
        assert self.process.stdout is not None
        async with asyncio.timeout(120):
            assert await self.process.stdout.readline(), self.log.read_text()
        self._drained = asyncio.create_task(self._read(self.process.stdout))
        return self

    @staticmethod
    async def _read(stream: asyncio.StreamReader) -> None:
        while await stream.readline():
            pass

    async def end(self, number: signal.Signals = signal.SIGKILL) -> int:
        """Have it end; its exit status."""
        with contextlib.suppress(ProcessLookupError):
            self.process.send_signal(number)
            if number is signal.SIGKILL:
                self.process.send_signal(signal.SIGCONT)
        async with asyncio.timeout(120):
            await self._drained
            return await self.process.wait()


@contextlib.asynccontextmanager
async def sweeping(store: Store) -> AsyncIterator[None]:
    """Sweeps and dispatches, as workers do, for as long as the block lasts."""

    async def work() -> None:
        while True:
            await asyncio.to_thread(once, store)
            await asyncio.sleep(0.1)  # the workers' pace, only quicker

    task = asyncio.create_task(work())
    try:
        yield
    finally:
        task.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await task


def once(store: Store) -> None:
    """One sweep."""
    store.matches.reclaim()
    for match_id in store.matches.due():
        store.matches.place(match_id)


@contextlib.asynccontextmanager
async def referees(
    count: int, valkey: Embedded, rig: Rig, **settings: Any
) -> AsyncIterator[list[Process]]:
    """So many referees, none of which is left."""
    rig.data.mkdir(exist_ok=True)
    made = [Process(valkey.settings.url, rig.data, **settings) for _ in range(count)]
    try:
        for each in made:
            await each.start()
        yield made
    finally:
        rig.stop.set()
        await asyncio.gather(*rig.players, return_exceptions=True)
        for each in made:
            if each.process.returncode is None:
                await each.end()
