"""A worker outlives its broker.

Two ways in which Celery 5.7 on kombu's Redis transport does not, met where they come up:
- The broker goes away while a task is under way: the connection is closed and then its channel,
  which wants to give the task's message back and asks the closed connection where the server is.
  That is an AttributeError, "Unrecoverable error", and the worker ends. The late acknowledgement
  of that task meets the same end. Said as what it is, a connection that is closed, both are
  ignored there, and the worker connects anew.
- A task is done and its acknowledgement does not get through: "Couldn't ack", and the message
  stays among those the worker holds, for good. With as many of them as it may hold at once it
  never asks for another. So what was acknowledged or given back is no longer held, even if the
  broker was not told.

Both times the message comes back by itself (`arena.store.broker.VISIBILITY_S`).
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, Final

from kombu.transport import redis

SETTLING: Final = ("ack", "reject")


def install() -> None:
    """Have the channels of this process say when their connection is closed, and let go."""
    channels: Any = redis.Channel  # its annotations leave this method out
    original = channels._connparams

    def connparams(channel: Any, asynchronous: bool = False) -> Any:
        if channel.connection.client is None:
            raise ConnectionError("the connection to the broker was closed")
        return original(channel, asynchronous)

    channels._connparams = connparams
    held: Any = redis.QoS
    for name in SETTLING:
        setattr(held, name, letting_go(getattr(held, name)))


def letting_go(settle: Callable[..., None]) -> Callable[..., None]:
    """A way to settle a message after which it is not held, whatever came of it."""

    @wraps(settle)
    def settling(held: Any, delivery_tag: str, *args: Any, **kwargs: Any) -> None:
        try:
            settle(held, delivery_tag, *args, **kwargs)
        finally:
            held._quick_ack(delivery_tag)  # what `settle` ends with itself

    return settling
