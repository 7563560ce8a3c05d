"""Streams that end when the token they were opened with is void."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import AsyncIterator, Collection
from typing import Final, TypeVar

from arena.admin.desk import Context, Desk
from arena.store import StoreUnavailable
from arena.store.types import Role

log: Final = logging.getLogger(__name__)

T = TypeVar("T")

LOOK_S: Final = 1.0
"""[issue 4] Revoked at once: a second is what it may take to be noticed."""


async def guarded(
    desk: Desk, context: Context, roles: Collection[Role], stream: AsyncIterator[T]
) -> AsyncIterator[T]:
    """What a stream gives for as long as the caller's token is good. Raises Refusal."""
    await desk.admit(context, roles)
    guard = asyncio.create_task(_until_void(desk, context, roles))
    try:
        while True:
            item: asyncio.Future[T] = asyncio.ensure_future(anext(stream))
            try:
                await asyncio.wait((item, guard), return_when=asyncio.FIRST_COMPLETED)
                if guard.done():
                    guard.result()
                found = await item
            except StopAsyncIteration:
                return
            finally:
                item.cancel()
                with contextlib.suppress(asyncio.CancelledError, Exception):
                    await item
            yield found
    finally:
        guard.cancel()
        await asyncio.gather(guard, return_exceptions=True)


async def _until_void(desk: Desk, context: Context, roles: Collection[Role]) -> None:
    """Raises Refusal when the token is no good any more."""
    while True:
        await asyncio.sleep(LOOK_S)
        try:
            await desk.admit(context, roles)
        except StoreUnavailable as error:
            # Nobody can be void while nobody can say so; the streams' own reads fail too.
            log.warning("a stream's token could not be checked: %s", error)
