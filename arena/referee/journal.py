"""Writing ahead: what took effect is in the store before a frame reveals it.

The rows of one turn of the loop (`euchre_arena.match.inputs`) are one entry for all matches. One
entry is on its way at a time; what becomes ready meanwhile goes with the next, so an entry costs
the same whether a turn of the loop had one answer or a thousand. What an entry's rows revealed is
released when the store has acknowledged it, in order.

When the store is away or slow, nothing is released and nothing lost: `mend` connects again, finds
out what is there (entries are numbered) and appends the rest. The entries of the last seconds are
kept for a store that forgot them.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections import deque
from collections.abc import Callable, Sequence
from typing import Final, Protocol

from euchre_arena.match.inputs import without

from arena.referee.calls import Calls
from arena.store.errors import StoreError
from arena.store.journal import Journals, Refused
from arena.store.pen import Pen, PenError

log: Final = logging.getLogger(__name__)

Release = Callable[[int], None]
"""Told the number of the entry the rows are in."""

ANSWER_NS: Final = 5_000_000_000
"""After so long without an answer the connection is given up."""
KEPT_BYTES: Final = 16 << 20
"""Entries acknowledged are kept as long as the store may forget them, and no more of them."""
TRIM: Final = 32
"""Every so many entries what is not needed any more is looked for."""
FIRST_WAIT_S: Final = 0.05
LONGEST_WAIT_S: Final = 1.0


class Journal(Protocol):
    """Takes the rows of one loop turn and says when what they reveal may be sent."""

    position: int
    """The number of the last entry made."""

    def commit(self, rows: Sequence[bytes], release: Release, *, cut: bool = False) -> None:
        """Make ``rows`` durable, then call ``release`` once, on the event loop's thread.

        ``cut``: the entry ends with them, for a checkpoint made at this moment.
        """

    async def flushed(self) -> None:
        """Wait until everything committed so far is durable."""


class NoJournal:
    """Releases at once; nothing is kept."""

    position = 0

    def commit(self, rows: Sequence[bytes], release: Release, *, cut: bool = False) -> None:
        """Nothing is kept."""
        release(0)

    async def flushed(self) -> None:
        """Nothing is waited for."""


class Keeper(Protocol):
    """Who plays the matches of a journal."""

    def oldest(self) -> int:
        """The first entry a checkpoint still needs."""

    def away(self) -> None:
        """An entry is not acknowledged in time: play waits."""

    def back(self) -> None:
        """It was: play goes on."""

    def took(self, elapsed: int) -> None:
        """An entry was acknowledged after so long, nanoseconds."""

    def sealed(self, seals: Sequence[str]) -> frozenset[int]:
        """Matches were taken away, ``"match fence"``: drop them now; their numbers."""

    def forgot(self) -> None:
        """The store had forgotten its last second, checkpoints perhaps with it; the journal was
        told again."""

    def lost(self) -> None:
        """The store has forgotten the journal: all of its matches are lost."""


class _Entry:
    """Rows, and what waits for them."""

    __slots__ = ("at", "closed", "data", "number", "releases", "rows")

    def __init__(self) -> None:
        self.rows: list[bytes] = []
        self.releases: list[Release] = []
        self.closed = False
        self.number = 0
        self.data = b""
        self.at = 0
        """When it was sent, later when it was acknowledged, nanoseconds."""


class WriteAhead:
    """The journal of one referee. Made and used on the loop's thread."""

    def __init__(self, journals: Journals, referee: str, keeper: Keeper, wait_ms: int) -> None:
        self.position = 0
        self._journals = journals
        self._referee = referee
        self._keeper = keeper
        self._wait_ns = wait_ms * 1_000_000
        self._queue: deque[_Entry] = deque()
        self._flying: _Entry | None = None
        self._kept: deque[_Entry] = deque()
        """The one on its way and those before it, ascending."""
        self._kept_bytes = 0
        self._kept_ns = journals.forgets_s * 1_000_000_000
        self._oldest = 0
        self._dead: frozenset[int] = frozenset()
        """Numbers of matches taken away while rows of theirs may wait."""
        self._pen: Pen | None = None
        # A thread of its own: the others may all be waiting for the same store.
        self._calls = Calls(1)
        self._mending: asyncio.Task[None] | None = None
        self._is_away = False
        self._forgot = False
        self._loop = asyncio.get_running_loop()

    async def open(self) -> None:
        """Begin. StoreError."""
        await self._calls.once(self._journals.open, self._referee)
        self._take(await self._calls.once(self._journals.pen, self._referee))

    def commit(self, rows: Sequence[bytes], release: Release, *, cut: bool = False) -> None:
        """See `Journal`."""
        if not rows and self._flying is None and not self._queue:
            release(self.position)
            return
        if not self._queue or self._queue[-1].closed:
            self._queue.append(_Entry())
        entry = self._queue[-1]
        entry.rows += rows
        entry.releases.append(release)
        entry.closed = cut
        self._next()

    async def flushed(self) -> None:
        """Wait until everything committed so far is there."""
        done: asyncio.Future[None] = self._loop.create_future()
        self.commit((), lambda _: None if done.done() else done.set_result(None))
        await done

    def watch(self, now: int) -> None:
        """Look whether the store still answers; call it often."""
        entry = self._flying
        if entry is None or now - entry.at < self._wait_ns:
            return
        if not self._is_away:
            self._is_away = True
            self._keeper.away()
        if self._pen is not None and now - entry.at > ANSWER_NS:
            self._broken("no answer")

    async def close(self) -> None:
        """End; what is not there by now is not released any more."""
        if self._mending is not None:
            self._mending.cancel()
            await asyncio.gather(self._mending, return_exceptions=True)
        self._drop_pen()
        self._calls.close()

    # -- one entry after another

    def _next(self) -> None:
        while self._flying is None and self._queue:
            entry = self._queue.popleft()
            if entry.rows:
                self._fly(entry)
            else:
                entry.number = self.position
                self._release(entry)

    def _fly(self, entry: _Entry) -> None:
        self._flying = entry
        self.position += 1
        entry.number = self.position
        entry.data = b"".join(entry.rows)
        if self._dead:
            entry.data = without(entry.data, self._dead)
        entry.rows = []
        if not self.position % TRIM:
            self._oldest = self._keeper.oldest()
        entry.at = time.monotonic_ns()
        self._kept.append(entry)
        self._kept_bytes += len(entry.data)
        self._send(entry)

    def _send(self, entry: _Entry) -> None:
        if self._pen is None:
            self._mend()
            return
        try:
            if not self._pen.send(entry.number, self._oldest, entry.data):
                self._loop.add_writer(self._pen, self._writable)
        except PenError as error:
            self._broken(str(error))

    def _writable(self) -> None:
        if self._pen is None:
            return
        try:
            if self._pen.flush():
                self._loop.remove_writer(self._pen)
        except PenError as error:
            self._broken(str(error))

    def _readable(self) -> None:
        if self._pen is None:
            return
        try:
            if self._pen.acknowledged():
                self._acknowledged()
        except PenError as error:
            self._broken(str(error))

    def _acknowledged(self) -> None:
        """The entry on its way is there. The next goes before what this one releases."""
        entry, self._flying = self._flying, None
        if entry is not None:
            now = time.monotonic_ns()
            self._keeper.took(now - entry.at)
            entry.at = now
        if self._is_away:
            self._is_away = False
            self._keeper.back()
        if self._queue and self._queue[0].rows:
            self._fly(self._queue.popleft())
        elif not self._queue:
            self._dead = frozenset()
        self._forget()
        if entry is not None:
            self._release(entry)
        self._next()

    @staticmethod
    def _release(entry: _Entry) -> None:
        for release in entry.releases:
            release(entry.number)
        entry.releases = []

    def _forget(self) -> None:
        kept, before = self._kept, time.monotonic_ns() - self._kept_ns
        while kept and kept[0] is not self._flying:
            if kept[0].at > before and self._kept_bytes < KEPT_BYTES:
                return
            self._kept_bytes -= len(kept.popleft().data)

    # -- when something is wrong

    def _take(self, pen: Pen) -> None:
        self._pen = pen
        self._loop.add_reader(pen, self._readable)

    def _drop_pen(self) -> None:
        pen, self._pen = self._pen, None
        if pen is not None:
            self._loop.remove_reader(pen)
            self._loop.remove_writer(pen)
            pen.close()

    def _broken(self, why: str) -> None:
        log.warning("the journal waits: %s", why)
        self._drop_pen()
        self._mend()

    def _mend(self) -> None:
        if self._mending is None:
            self._mending = self._loop.create_task(self._mended())
            self._mending.add_done_callback(self._done_mending)

    def _done_mending(self, task: asyncio.Task[None]) -> None:
        self._mending = None
        if task.cancelled():
            return
        if (error := task.exception()) is not None:
            log.error("the journal could not be mended", exc_info=error)
            self._loop.call_later(LONGEST_WAIT_S, self._mend)
        elif self._pen is None:
            self._mend()  # it broke again at once

    async def _mended(self) -> None:
        """Bring the store up to the last entry, and have a pen again."""
        seals: tuple[str, ...] = ()
        wait = FIRST_WAIT_S
        while True:
            there, flying = self.position, self._flying
            acknowledged = there if flying is None else flying.number - 1
            entries = list(self._kept)
            try:
                refused = await self._calls.once(
                    self._catch_up, entries, there, acknowledged, seals
                )
                if refused is None:
                    self._oldest = 0
                    if self._forgot:
                        self._forgot = False
                        self._keeper.forgot()
                    self._take(await self._calls.once(self._journals.pen, self._referee))
                    break
            except StoreError as error:
                log.warning("the journal waits: %s", error)
                await asyncio.sleep(wait)
                wait = min(LONGEST_WAIT_S, wait * 2)
                continue
            if refused.why == "sealed":
                seals = refused.seals
                self._leave_out(self._keeper.sealed(seals))
            else:
                log.error("the store has forgotten this referee's journal (%s)", refused.why)
                self._keeper.lost()
                await self._begin_anew()
        if self._flying is None:
            return
        if self._flying.number <= there:
            self._acknowledged()
        else:  # it came up while the others were looked after
            self._send(self._flying)

    def _catch_up(
        self, entries: Sequence[_Entry], position: int, acknowledged: int, seals: Sequence[str]
    ) -> Refused | None:
        """In the thread: append what is not there yet, and trim nothing."""
        journals, referee = self._journals, self._referee
        last = journals.last(referee)
        if last is None:
            return Refused("gone")
        self._forgot |= last < acknowledged
        for entry in entries:
            if entry.number > last:
                refused = journals.append(referee, entry.number, 0, entry.data, seals)
                if refused is not None:
                    return refused
                last = entry.number
        if last != position:
            return Refused("behind", last=last)
        journals.touch(referee, position)
        return None

    def _leave_out(self, numbers: frozenset[int]) -> None:
        self._dead |= numbers
        for entry in self._kept:
            entry.data = without(entry.data, numbers)
        self._kept_bytes = sum(len(entry.data) for entry in self._kept)

    async def _begin_anew(self) -> None:
        """An empty journal, in which the entry on its way is the first, and empty too."""
        flying = self._flying
        self._kept = deque(() if flying is None else (flying,))
        self._kept_bytes = 0
        for entry in (*self._kept, *self._queue):
            entry.data, entry.rows = b"", [b""] if entry.rows else []
        last = self.position if flying is None else flying.number - 1
        while True:
            try:
                await self._calls.once(self._journals.open, self._referee, last)
                return
            except StoreError as error:
                log.warning("the journal waits: %s", error)
                await asyncio.sleep(LONGEST_WAIT_S)
