"""One stream to a server: the bytes between gRPC and a `Player`, and when to send them.

A message costs the same whatever is in it, so answers travel together: when nothing is being
thought about any more they go at once, otherwise at most every `PACE_S`. An acknowledgement
without answers waits that long for company; a reply to a ping waits for nothing.

A frame is acknowledged when all its turns were asked. The server would answer earlier with a small
frame, which would wait here, its clocks running, while turns that are answered later miss it.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable
from typing import Any, Final

import grpc
from google.protobuf.message import DecodeError

from euchre_arena import wire
from euchre_arena.client.address import Server
from euchre_arena.client.ending import Ending
from euchre_arena.client.errors import LostError, verdict
from euchre_arena.client.player import Player
from euchre_arena.wire import pb

PACE_S: Final = 0.002
HANDSHAKE_S: Final = 10.0
SILENT_S: Final = 8
"""Nothing heard for so long from a server that pings every second: the line is dead, though nobody
said so. Well within the grace a bot has to come back."""
CLOSING_S: Final = 1.0
SPARE_BYTES: Final = 4096
"""Room in a frame for all that is not answers."""
CRASH_BYTES: Final = 2200
LEAST_FRAME_BYTES: Final = 16384


class Stream:
    """One stream, from Hello to its end."""

    def __init__(
        self, server: Server, player: Player, summoned: Callable[[str, str], None] | None = None
    ) -> None:
        """``summoned`` is told address and ticket when another referee wants this bot."""
        self.server = server
        self.player = player
        self.summoned = summoned
        self._frame = 0
        self._read = 0
        self._acked = 0
        self._read_at = 0.0
        self._sent_at = 0.0
        self._pong = 0
        self._welcome = False
        self._listening = False
        self._heard = 0
        """Frames."""
        self._pinged_at = float("-inf")
        self._ping_s = float("inf")
        """Least time between two pings."""
        self._limit = LEAST_FRAME_BYTES
        self._signal = asyncio.Event()
        self._timer: asyncio.TimerHandle | None = None
        self._paced = False
        """The timer waits for more answers, no longer than it must."""
        self._loop = asyncio.get_running_loop()
        self._call: Any = None  # grpc.aio's types want message classes; these are bytes

    async def open(self, hello: pb.Hello, had_session: bool) -> pb.Welcome:
        """Say Hello and wait for the Welcome. ClientError or LostError."""
        self._channel = self.server.channel()
        self._call = self._channel.stream_stream(wire.PLAY)()
        self._ending = Ending(self._call)
        self._had_session = had_session
        self._frame = 1
        first = wire.request_bytes(1, 0, (), pb.PlayRequest(hello=hello))
        try:
            async with asyncio.timeout(HANDSHAKE_S):
                with contextlib.suppress(asyncio.InvalidStateError, grpc.aio.AioRpcError):
                    await self._call.write(first)  # a stream refused says why when it is read
                frame = await self._next()
        except TimeoutError:
            raise LostError(f"no answer within {HANDSHAKE_S:.0f} s") from None
        if frame is None or not frame.HasField("welcome"):
            raise LostError("the server ended the stream without a Welcome")
        self._first = frame
        self._welcome = True
        welcome: pb.Welcome = frame.welcome
        self._limit = max(welcome.limits.frame_bytes, LEAST_FRAME_BYTES)
        return welcome

    async def run(self) -> None:
        """Play until the stream ends. ClientError or LostError says how."""
        writer = asyncio.create_task(self._write())
        reader = asyncio.create_task(self._receive())
        watcher = asyncio.create_task(self._watch())
        tasks = reader, writer, watcher
        try:
            await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
            if not (reader.done() or watcher.done()):
                # The writer fails first when the stream breaks; the reader knows the status.
                await asyncio.wait((reader,), timeout=CLOSING_S)
            for task in tasks:
                if task.done() and task.exception() is not None:
                    raise task.exception() or AssertionError
            raise LostError("the server ended the stream")
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            if self._timer is not None:
                self._timer.cancel()

    async def close(self) -> None:
        """End the stream in good order, or as it is after a second."""
        if self._call is not None and not self._call.done():
            with contextlib.suppress(Exception):
                async with asyncio.timeout(CLOSING_S):
                    await self._call.done_writing()
                    await self._call.code()
            self._call.cancel()
        if self._call is not None:
            await self._channel.close()

    async def _next(self) -> Any:
        """The next frame; None when the server ended the stream in good order."""
        try:
            raw = await self._call.read()
        except grpc.aio.AioRpcError as error:
            code, details = self._ending.status or (error.code(), error.details() or "")
            raise verdict(code, details, self._had_session, welcome=self._welcome) from None
        except asyncio.CancelledError:
            task = asyncio.current_task()
            if task is not None and task.cancelling():
                raise
            # grpc.aio raises this when the call, not this task, was cancelled.
            raise LostError("the stream was cancelled") from None
        if raw is grpc.aio.EOF:
            return None
        try:
            return wire.read_frame(raw)
        except DecodeError as error:
            raise LostError(f"the server sent what is no frame: {error}") from None

    async def _receive(self) -> None:
        frame = self._first
        while frame is not None:
            self._read_at = self._loop.time()
            self.player.reporter.stats.frames += 1
            if frame.ping:
                self._pong = frame.ping
                self._ping_s = min(self._ping_s, self._read_at - self._pinged_at)
                self._pinged_at = self._read_at
                self._signal.set()
            if frame.HasField("notice"):
                self._notice(frame.notice)
            for _ in self.player.receive(frame):
                self._signal.set()
                await asyncio.sleep(0)
            self._read = frame.frame
            self.schedule()
            self._listening = True
            frame = await self._next()
            self._listening = False
            self._heard += 1

    async def _watch(self) -> None:
        """Raise LostError when the server is silent too long.

        Seconds are counted in which this loop turned and the stream was waited for: a bot that
        thinks for long, or was stopped, hears nothing either.
        """
        silent = heard = 0
        while silent < max(SILENT_S, 4 * self._ping_s):
            await asyncio.sleep(1)
            silent = silent + 1 if self._listening and self._heard == heard else 0
            heard = self._heard
        raise LostError(f"nothing heard for {silent} s")

    def _notice(self, notice: pb.Notice) -> None:
        if notice.draining:
            self.player.reporter.warning("the server is about to stop; this bot will reconnect")
        elif notice.HasField("summons"):
            if self.summoned is not None:
                self.summoned(notice.summons.address, notice.summons.ticket)
        elif notice.warning:
            self.player.reporter.warning(f"from the server: {notice.warning}")

    def changed(self) -> None:
        """An answer is ready that was thought about aside."""
        if self._signal.is_set():
            return  # goes with those before it
        if self._timer is None or not self._paced or not self.player.thinking:
            self.schedule()

    def schedule(self) -> None:
        """Something may be ready to send: at once, later, or nothing."""
        due = self._due()
        if due is None:
            return
        if due <= self._loop.time():
            self._signal.set()
        elif self._timer is None or self._timer.when() > due:
            if self._timer is not None:
                self._timer.cancel()
            self._timer = self._loop.call_at(due, self._fire)
            self._paced = bool(self.player.answers)

    def _fire(self) -> None:
        self._timer = None
        self._signal.set()

    def _due(self) -> float | None:
        """When to send, on the loop's clock; None for nothing to send."""
        player = self.player
        if self._pong or player.nonces or player.crashes:
            return 0.0
        if player.answers:
            return self._sent_at + PACE_S if player.thinking else 0.0
        if self._read != self._acked:
            return self._read_at + PACE_S
        return None

    async def _write(self) -> None:
        while True:
            await self._signal.wait()
            self._signal.clear()
            raw = self._compose()
            if raw is None:
                continue
            self._sent_at = self._loop.time()
            try:
                await self._call.write(raw)
            except (asyncio.InvalidStateError, grpc.aio.AioRpcError):
                return  # the reader says why
            self.schedule()

    def _compose(self) -> bytes | None:
        """The next frame within the server's limit, None for nothing to say."""
        player = self.player
        room = self._limit - SPARE_BYTES
        rest = None
        if self._pong or player.nonces or player.crashes:
            rest = pb.PlayRequest(pong=self._pong)
            crashes = player.crashes[: room // CRASH_BYTES]
            rest.crashes.extend(crashes)
            del player.crashes[: len(crashes)]
            nonces = player.nonces[: (room - len(crashes) * CRASH_BYTES) // 64]
            rest.entropy.extend(nonces)
            del player.nonces[: len(nonces)]
            self._pong = 0
            room -= rest.ByteSize()
        answers = player.answers
        if sum(map(len, answers)) > room:
            count = 0
            while room >= len(answers[count]):
                room -= len(answers[count])
                count += 1
            player.answers = answers[count:]
            answers = answers[:count]
        else:
            player.answers = []
        if rest is None and not answers and self._read == self._acked:
            return None
        self._frame += 1
        self._acked = self._read
        return wire.request_bytes(self._frame, self._acked, answers, rest)
