"""How a server ended a stream, also where gRPC forgets it.

A write that fails because the server has ended the stream makes gRPC's asyncio write INTERNAL over
the status the server gave (https://github.com/grpc/grpc/issues/36066). What was said first counts:
a client told ABORTED must not come back for a session that another process has.
"""

from __future__ import annotations

from collections.abc import Coroutine
from typing import Any, TypeVar

import grpc

T = TypeVar("T")


class Ending:
    """The status of one call."""

    def __init__(self, call: Any) -> None:
        """``call``: of grpc.aio, before it is read from."""
        self.status: tuple[grpc.StatusCode, str] | None = None
        """As the server gave it; None before the end."""
        self.metadata: Any = ()
        """What came with it, pairs."""
        self._call = call
        call.add_done_callback(self._ended)

    def _ended(self, call: Any) -> None:
        # Called each time a status is set.
        if self.status is None or self.status[0] is grpc.StatusCode.INTERNAL:
            self.status = _at_once(self._call.code()), _at_once(self._call.details()) or ""
            self.metadata = _at_once(self._call.trailing_metadata()) or ()


def _at_once(known: Coroutine[Any, Any, T]) -> T:
    """The value of a coroutine that has nothing to wait for."""
    try:
        known.send(None)
    except StopIteration as done:
        value: T = done.value
        return value
    known.close()
    raise RuntimeError("a call that has ended does not know its status")
