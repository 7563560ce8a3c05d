"""Calls of the store from the loop: in threads, with the synchronous client (measured.md)."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Final, ParamSpec, TypeVar

from arena.store.errors import StoreUnavailable

log: Final = logging.getLogger(__name__)

P = ParamSpec("P")
T = TypeVar("T")

_FIRST_WAIT_S: Final = 0.1
_LONGEST_WAIT_S: Final = 2.0


class Calls:
    """A few threads of its own, so that nothing else's waiting delays a lease."""

    def __init__(self, threads: int = 4) -> None:
        self._pool = ThreadPoolExecutor(threads, thread_name_prefix="store")

    async def once(self, call: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Run a call of the store; it may raise StoreUnavailable."""
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._pool, partial(call, *args, **kwargs))

    async def until_done(self, call: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Run a call as often as it takes: what it does must not be left undone.

        Every call of the store may be repeated.
        """
        wait = _FIRST_WAIT_S
        while True:
            try:
                return await self.once(call, *args, **kwargs)
            except StoreUnavailable as error:
                log.warning("store away, %s waits: %s", getattr(call, "__name__", call), error)
                await asyncio.sleep(wait)
                wait = min(_LONGEST_WAIT_S, wait * 2)

    def close(self) -> None:
        """Let the threads end when their calls do."""
        self._pool.shutdown(wait=False, cancel_futures=True)
