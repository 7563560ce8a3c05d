"""Answers that are awaited: an event loop of our own, started with the first of them."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Sequence
from typing import Any, Generic, TypeVar

K = TypeVar("K")


class Waiting(Generic[K]):
    """Answers on their way, each kept with what it answers."""

    def __init__(self) -> None:
        self._loop: asyncio.AbstractEventLoop | None = None
        self._tasks: dict[asyncio.Task[Any], K] = {}
        self._stop: asyncio.Future[None] | None = None
        """While the loop runs: settle it to end the wait."""

    def add(self, answer: Awaitable[Any], to: K) -> None:
        """Begin to wait for an answer."""
        if self._loop is None:
            self._loop = asyncio.new_event_loop()
        self._tasks[self._loop.create_task(_await(answer))] = to

    def run(self, seconds: float | None) -> list[tuple[asyncio.Task[Any], K]]:
        """Wait until an answer is there, the time is up (None: never), or `interrupt`.

        Gives what has come, in the order in which it was begun. An interrupt that does not wait
        (KeyboardInterrupt) passes through.
        """
        loop = self._loop
        assert loop is not None, "a match that is not over waits for somebody"
        self._stop = loop.create_future()
        waiting = loop.create_task(_first_of([*self._tasks, self._stop], seconds))
        try:
            loop.run_until_complete(waiting)
        except KeyboardInterrupt:
            _forget(waiting)
            raise
        finally:
            self._stop = None
        done = [(task, to) for task, to in self._tasks.items() if task.done()]
        for task, _ in done:
            del self._tasks[task]
        return done

    def interrupt(self) -> None:
        """End `run` soon; from a signal handler."""
        if self._loop is not None and self._stop is not None:
            self._loop.call_soon_threadsafe(_settle, self._stop)

    def close(self) -> None:
        """Give up what has not come."""
        loop = self._loop
        if loop is None:
            return
        for task in self._tasks:
            _forget(task)
        left = asyncio.all_tasks(loop)
        for task in left:
            task.cancel()
        if left:
            loop.run_until_complete(asyncio.gather(*left, return_exceptions=True))
        loop.run_until_complete(loop.shutdown_asyncgens())
        loop.close()


async def _await(answer: Awaitable[Any]) -> Any:
    return await answer


async def _first_of(futures: Sequence[asyncio.Future[Any]], seconds: float | None) -> None:
    await asyncio.wait(futures, timeout=seconds, return_when=asyncio.FIRST_COMPLETED)


def _settle(future: asyncio.Future[None]) -> None:
    if not future.done():
        future.set_result(None)


def _forget(task: asyncio.Task[Any]) -> None:
    """Of a task that is done, take note of its exception, which nobody will ask for."""
    if task.done() and not task.cancelled():
        task.exception()
