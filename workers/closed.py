"""A worker outlives its broker.

When the broker goes away while a task is under way, Celery 5.7 closes the connection and then its
channel, which wants to give the task's message back and asks the closed connection where the
server is: an AttributeError, "Unrecoverable error", and the worker ends. The late acknowledgement
of that task meets the same end. Said as what it is, a connection that is closed, both are ignored
where they come up, the worker connects anew, and the message comes back by itself
(`arena.store.broker.VISIBILITY_S`).
"""

from __future__ import annotations

from typing import Any

from kombu.transport import redis


def install() -> None:
    """Have the channels of this process say when their connection is closed."""
    channels: Any = redis.Channel  # its annotations leave this method out
    original = channels._connparams

    def connparams(channel: Any, asynchronous: bool = False) -> Any:
        if channel.connection.client is None:
            raise ConnectionError("the connection to the broker was closed")
        return original(channel, asynchronous)

    channels._connparams = connparams
