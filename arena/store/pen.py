"""A connection that appends to a journal without a thread: written to and read from by a loop.

A thread would have to take the interpreter's lock from the loop three times an entry, up to five
milliseconds each while the loop is busy. Only the plain case is dealt with here, one entry sent
and acknowledged; whatever else happens, the pen is thrown away and ``Journals.append`` clears up.
"""

from __future__ import annotations

import contextlib
import hashlib
import socket
import ssl
from typing import Any, Final

import hiredis

from arena.store.link import Link
from arena.store.scripts import source

READ_BYTES: Final = 65536
_LATER: Final = (
    BlockingIOError,
    InterruptedError,
    ssl.SSLWantReadError,
    ssl.SSLWantWriteError,
)


class PenError(Exception):
    """The pen is of no use any more; the text says why."""


class Pen:
    """One connection, one entry on its way at most. Not thread-safe."""

    def __init__(self, link: Link, referee: str, life: str) -> None:
        """Connects, blocking; StoreUnavailable and others as every call of the store."""
        self._pool: Any = link.client.connection_pool
        self._referee = referee
        self._life = life
        self._sha = hashlib.sha1(source("append").encode(), usedforsecurity=False).hexdigest()
        self._reader = hiredis.Reader()
        self._rest = b""
        with link.errors():
            self._connection = self._pool.get_connection()
            # redis-py has connected it, with TLS and login as configured, and reads nothing more.
            self._socket: socket.socket = self._connection._sock
        self._socket.setblocking(False)

    def fileno(self) -> int:
        """For the loop's ``add_reader`` and ``add_writer``."""
        return self._socket.fileno()

    def send(self, number: int, oldest: int, entry: bytes) -> bool:
        """Send an entry; False when the rest waits for the socket (`flush`). PenError."""
        # Any: hiredis declares a tuple of one.
        words: Any = ("EVALSHA", self._sha, 0, self._referee, self._life, number, oldest, entry)
        self._rest = hiredis.pack_command(words)
        return self.flush()

    def flush(self) -> bool:
        """Send what is left; True when nothing is. PenError."""
        try:
            while self._rest:
                self._rest = self._rest[self._socket.send(self._rest) :]
        except _LATER:
            return False
        except OSError as error:
            raise PenError(f"the journal's connection broke: {error}") from None
        return True

    def acknowledged(self) -> bool:
        """Read; whether the entry is there. False: not heard yet. PenError: who knows."""
        try:
            data = self._socket.recv(READ_BYTES)
        except _LATER:
            return False
        except OSError as error:
            raise PenError(f"the journal's connection broke: {error}") from None
        if not data:
            raise PenError("the store closed the journal's connection")
        self._reader.feed(data)
        said = self._reader.gets()
        if said is False:
            return False
        if said != 1:
            raise PenError(f"the entry was not appended: {said!r}")
        return True

    def close(self) -> None:
        """Throw the connection away: an answer may still be on its way."""
        with contextlib.suppress(OSError):
            self._connection.disconnect()
        self._pool.release(self._connection)
