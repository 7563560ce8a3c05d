"""Record files: the truth about a match, on disk before its result counts.

A record is written line by line into ``<tournament>/<match>.jsonl.<fence>.part``, its checksums
(`arena.archive.sums`) into ``….sums.<fence>.part``; when the match is over both are fsync'd and put
in place, the record as ``<match>.jsonl`` in one step, so a reader sees a whole record or none. The
fence of the lease stands in the name: a referee that was stopped and comes back can only spoil its
own files. Parts are locked while their writer lives.

Disks block, so a `Recorder` does all of it in one thread of its own, in batches: a thread that
woke for every line would take the interpreter's lock from the loop each time.
"""

from __future__ import annotations

import asyncio
import contextlib
import fcntl
import logging
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future
from pathlib import Path
from queue import SimpleQueue
from threading import Thread
from typing import Any, BinaryIO, Final, TypeVar

from arena.archive import sums
from arena.archive.sums import Summer, sync_folder

log: Final = logging.getLogger(__name__)

T = TypeVar("T")

SUFFIX = ".jsonl"


class RecordError(Exception):
    """A record could not be written; the text names the file and the system's reason."""


class RecordFile:
    """One record being written, without a thread. Every method may raise RecordError."""

    def __init__(self, root: Path, tournament: str, match: str, fence: int) -> None:
        self.path = root / tournament / f"{match}{SUFFIX}"
        self.part = self.path.with_name(f"{match}{SUFFIX}.{fence}.part")
        self.sums_part = self.path.with_name(f"{match}{sums.SUFFIX}.{fence}.part")
        self._summer = Summer()
        with self._named():
            self.part.parent.mkdir(parents=True, exist_ok=True)
            self._file = _locked(self.part)
            self._sums = _locked(self.sums_part)

    def write(self, lines: Sequence[str]) -> None:
        """Append lines, each without its newline."""
        encoded = [f"{line}\n".encode() for line in lines]
        with self._named():
            for file, data in (
                (self._file, b"".join(encoded)),
                (self._sums, self._summer.add(encoded)),
            ):
                file.write(data)
                file.flush()

    def seal(self) -> None:
        """What was written is on the disk when this returns."""
        with self._named():
            for file in (self._file, self._sums):
                os.fsync(file.fileno())

    def close(self, facts: Mapping[str, Any]) -> str:
        """Write the closing facts, to the disk; the record's SHA-256. Nothing is written after."""
        with self._named():
            self._sums.write(self._summer.closing(facts))
            self._sums.flush()
            os.fsync(self._sums.fileno())
        return self._summer.sha256

    def publish(self, *, over: bool) -> bool:
        """Put the closed record in its place; False when one is there already and not ``over``."""
        with self._named():
            if over:
                self.part.replace(self.path)
            else:
                try:
                    os.link(self.part, self.path)
                except FileExistsError:
                    return False
                self.part.unlink()
            # Should this process die here, `sweep_parts` does the rest.
            self.sums_part.replace(sums.sums_of(self.path))
            self._file.close()
            self._sums.close()
            sync_folder(self.path.parent)
        return True

    def discard(self) -> None:
        """Forget it: the attempt was voided. Never raises."""
        for part, file in ((self.part, self._file), (self.sums_part, self._sums)):
            with contextlib.suppress(OSError):
                part.unlink()
            # Closing writes what is still buffered, which a full disk refuses once more.
            with contextlib.suppress(OSError):
                file.close()

    @contextlib.contextmanager
    def _named(self) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            raise RecordError(f"record {self.part}: {error.strerror or error}") from error


def _locked(part: Path) -> BinaryIO:
    file: BinaryIO = part.open("wb")
    fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    return file


def sweep_parts(root: Path) -> int:
    """Remove the parts whose writers are dead: their attempts were voided. Returns how many
    records that were."""
    removed = 0
    for part in root.glob(f"*/*{SUFFIX}.*.part"):
        with contextlib.suppress(OSError), part.open("rb") as file:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            part.unlink()
            removed += 1
    for part in root.glob(f"*/*{sums.SUFFIX}.*.part"):
        with contextlib.suppress(OSError), part.open("rb") as file:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            _sweep_sums(part)
    return removed


def _sweep_sums(part: Path) -> None:
    """Sums left by a dead writer: in their place if their record is in its own, else gone."""
    record = part.with_name(part.name.rpartition(f"{sums.SUFFIX}.")[0] + SUFFIX)
    closing = sums.read_closing(part)
    if closing is not None and sums.check(record).sha256 == closing.get("sha256"):
        part.replace(sums.sums_of(record))
    else:
        part.unlink()


class Recording:
    """A record written by the recorder's thread; its methods belong to the loop's thread."""

    def __init__(self, recorder: Recorder, tournament: str, match: str, fence: int) -> None:
        self.name = f"{tournament}/{match}{SUFFIX}"
        """Where it will stand below the records folder."""
        self.error: RecordError | None = None
        """What went wrong first; from then on nothing more is written."""
        self._recorder = recorder
        self._where = (recorder.root, tournament, match, fence)
        self._lines: list[str] = []
        self._file: RecordFile | None = None
        self._discarded = False

    def write(self, lines: Sequence[str]) -> None:
        """Append lines with the recorder's next flush; a failure is told to its ``on_error``."""
        if not self._lines:
            self._recorder.dirty.append(self)
        self._lines.extend(lines)

    async def seal(self) -> None:
        """Wait until everything is on the disk. Raises RecordError."""
        self._recorder.flush()
        await self._recorder.run(lambda: self.opened().seal())

    async def close(self, facts: Mapping[str, Any]) -> str:
        """Write the closing facts and wait for the disk; its SHA-256. Raises RecordError."""
        return await self._recorder.run(lambda: self.opened().close(facts))

    async def publish(self, *, over: bool) -> bool:
        """Put the closed record in its place, see `RecordFile.publish`. Raises RecordError."""
        return await self._recorder.run(lambda: self.opened().publish(over=over))

    async def discard(self) -> None:
        """Forget it."""
        await self._recorder.run(self._discard)

    def take(self) -> list[str]:
        """The lines not yet handed to the thread."""
        lines, self._lines = self._lines, []
        return lines

    # In the recorder's thread from here on.

    def opened(self) -> RecordFile:
        """The file, made when it is first needed. Raises the error it failed with before."""
        if self.error is not None:
            raise self.error
        if self._file is None:
            self._file = RecordFile(*self._where)
        return self._file

    def append(self, lines: Sequence[str]) -> bool:
        """Write lines, unless all is lost or discarded; False when that failed just now."""
        if self._discarded:
            return True
        try:
            self.opened().write(lines)
        except RecordError as error:
            self.error = error
            self._discard()
            return False
        return True

    def _discard(self) -> None:
        self._discarded = True
        if self._file is not None:
            self._file.discard()


class Recorder:
    """The thread that writes all records of a referee. Made and used on the loop's thread."""

    def __init__(self, root: Path, on_error: Callable[[Recording], None]) -> None:
        # Records under way show every hand: bots of another user on this machine are kept out.
        with contextlib.suppress(OSError):  # told, where it matters, with the first record
            root.mkdir(parents=True, exist_ok=True, mode=0o700)
        self.root = root
        self.dirty: list[Recording] = []
        """Records with lines for the next flush."""
        self._on_error = on_error
        self._jobs: SimpleQueue[Callable[[], object] | None] = SimpleQueue()
        self._loop = asyncio.get_running_loop()
        self._thread = Thread(target=self._work, name="records", daemon=True)
        self._thread.start()

    def open(self, tournament: str, match: str, fence: int) -> Recording:
        """Begin a record; its file is made with the first line."""
        return Recording(self, tournament, match, fence)

    def flush(self) -> None:
        """Hand everything written so far to the thread."""
        if self.dirty:
            batch = [(recording, recording.take()) for recording in self.dirty]
            self.dirty = []
            self._jobs.put(lambda: self._append(batch))

    async def run(self, job: Callable[[], T]) -> T:
        """Run something in the thread, after what was asked before, and return what it returns."""
        future: Future[T] = Future()

        def work() -> None:
            try:
                future.set_result(job())
            except BaseException as error:
                future.set_exception(error)

        self._jobs.put(work)
        return await asyncio.wrap_future(future)

    async def close(self) -> None:
        """Finish what was asked for and end the thread."""
        self.flush()
        self._jobs.put(None)
        await asyncio.to_thread(self._thread.join)

    def _append(self, batch: list[tuple[Recording, list[str]]]) -> None:
        for recording, lines in batch:
            if not recording.append(lines):
                self._loop.call_soon_threadsafe(self._on_error, recording)

    def _work(self) -> None:
        while (job := self._jobs.get()) is not None:
            try:
                job()
            except Exception:
                # The thread is all records': no single one may end it.
                log.exception("a record failed")
