"""`RefereeService.Play`: one stream of frames each way; the only file here that holds gRPC stubs.

`Play` is registered with raw bytes and parsed here, so a frame that does not parse ends the stream
with an error that names it. A `PlayStream` reads frames into the engine and writes what waits in
its session's outbox: one turn-bearing frame is outstanding at most, everything that becomes ready
meanwhile waits for the next, an idle stream sends at once, a busy one no faster than its pace.
"""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from collections.abc import Awaitable, Callable
from typing import Any, Final

import grpc
from euchre_arena.match.clock import MS
from euchre_arena.v1 import referee_pb2 as pb
from google.protobuf.any_pb2 import Any as AnyMessage
from google.protobuf.message import DecodeError
from google.rpc.code_pb2 import Code
from google.rpc.error_details_pb2 import ErrorInfo
from google.rpc.status_pb2 import Status
from grpc_status.rpc_status import to_status

from arena.metrics import Metrics
from arena.referee import frames
from arena.referee.admission import Admission
from arena.referee.config import RefereeConfig
from arena.referee.loop import Engine, now_ns
from arena.referee.pacing import Pace, Streams
from arena.referee.presence import Presence
from arena.referee.refusal import RefusedError, draining, malformed, over_limit
from arena.referee.session import NEVER, Session

log = logging.getLogger(__name__)

SERVICE = pb.DESCRIPTOR.services_by_name["RefereeService"].full_name
DOMAIN = "euchre-arena"

Context = grpc.aio.ServicerContext[bytes, bytes]

UNREAD: Final = 20_000
"""Messages that may wait for a stream besides its turns: more than all its games begin and end
with. Whoever answers much and reads nothing would have them pile up."""

USELESS: Final = 10
"""Useless frames in a row that are read at once: mistakes are no attack."""


def parse(raw: bytes, number: int) -> pb.PlayRequest:
    """Read a frame; ``number`` counts the stream's frames, for the error. Raises RefusedError."""
    try:
        return pb.PlayRequest.FromString(raw)
    except DecodeError as error:
        raise malformed(
            f"frame {number} of this stream ({len(raw)} bytes) is no PlayRequest: {error}"
        ) from None


async def refuse(context: Context, refused: RefusedError) -> None:
    """End the call with a google.rpc.Status."""
    info = ErrorInfo(reason=refused.reason, domain=DOMAIN, metadata=refused.metadata)
    detail = AnyMessage()
    detail.Pack(info)
    status = Status(code=Code.Value(refused.code), message=refused.detail[:1000], details=[detail])
    await context.abort_with_status(to_status(status))


class PlayStream:
    """One call of `Play` after its handshake."""

    def __init__(
        self,
        context: Context,
        session: Session,
        engine: Engine,
        config: RefereeConfig,
        pace: Pace,
        on_change: Callable[[Session], None],
    ) -> None:
        self.context = context
        self.session = session
        self.engine = engine
        self.config = config
        self.metrics: Metrics = engine.metrics
        self.pace = pace
        self.on_change = on_change
        """Called when the session takes more or fewer games."""
        self.read_frames = 1
        self.sent_frames = 0
        self._acknowledged = 0
        """The latest frame that was, of whatever kind."""
        self._useless_until = 0
        """When the useless frames so far would all have been read, nanoseconds."""
        self.outstanding = 0
        """The turn-bearing frame not yet acknowledged, 0 for none."""
        self._outstanding_since = 0
        self.ended: asyncio.Future[RefusedError | None] = asyncio.get_running_loop().create_future()
        self._wake = asyncio.Event()
        self._timer: asyncio.TimerHandle | None = None
        self._urgent: list[bytes] = []
        """Parts that wait for no credit."""
        self._told: deque[tuple[int, list[int]]] = deque()
        """Frames that told of endings, and of which."""
        self._ping_sent = NEVER
        self._ping = 0

    # -- the session's side

    def poke(self, now: int) -> None:
        """See `arena.referee.session.Stream`."""
        if self.outstanding or self._timer is not None or not self.session.outbox:
            return
        wait = self.pace.next_at - now
        if wait <= 0:
            self._wake.set()
        else:
            loop = asyncio.get_running_loop()
            self._timer = loop.call_later(wait / 1e9, self._timer_rang)

    def end(self, code: str, reason: str, detail: str) -> None:
        """See `arena.referee.session.Stream`."""
        self._finish(RefusedError(code, reason, detail))

    def notice(self, part: bytes) -> None:
        """See `arena.referee.session.Stream`."""
        self._urgent.append(part)
        self._wake.set()

    def ping(self, now: int) -> None:
        """Measure the round trip, unless the last measurement still runs."""
        if self._ping_sent == NEVER:
            self._ping += 1
            self._ping_sent = now
            self.notice(frames.ping(self._ping))

    def charge(self, now: int) -> None:
        """Start the clocks of turns that wait because the bot does not read what it was sent.

        A bot that never acknowledged would otherwise stop every game it plays in, and its time
        with it.
        """
        if self.outstanding and now - self._outstanding_since > self.config.ack_ms * MS:
            for seat in self.session.outbox.turns:
                if seat.sent != seat.turn:
                    seat.sent = seat.turn
                    seat.match.sent(seat.game, seat.number, seat.turn, now)

    def _timer_rang(self) -> None:
        self._timer = None
        self.poke(now_ns())

    def _finish(self, refused: RefusedError | None) -> None:
        if not self.ended.done():
            self.ended.set_result(refused)

    # -- running

    async def run(self) -> RefusedError | None:
        """Read and write until the bot goes, or the stream is ended with a refusal."""
        tasks = [asyncio.create_task(self._read()), asyncio.create_task(self._write())]
        for task in tasks:
            task.add_done_callback(self._task_done)
        try:
            return await self.ended
        finally:
            if self._timer is not None:
                self._timer.cancel()
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    def _task_done(self, task: asyncio.Task[None]) -> None:
        if task.cancelled() or (error := task.exception()) is None:
            self._finish(None)
        elif isinstance(error, RefusedError):
            self._finish(error)
        else:
            log.error("the stream of %s failed", self.session.bot, exc_info=error)
            self._finish(RefusedError("INTERNAL", "REFEREE", "the referee failed; connect again"))

    async def _read(self) -> None:
        read: Callable[[], Awaitable[Any]] = self.context.read
        while True:
            raw = await read()
            if raw is grpc.aio.EOF:
                return
            if self.ended.done():
                return  # what was open is asked again elsewhere already
            now = now_ns()
            self.read_frames += 1
            if not self.receive(parse(raw, self.read_frames), len(raw), now):
                wait = self._useless(now)
                if wait > 0:  # the stream's window fills, and its sender waits, nobody else
                    await asyncio.sleep(wait / 1e9)

    async def _write(self) -> None:
        while True:
            await self._wake.wait()
            self._wake.clear()
            data = self._frame(now_ns())
            if data is None:
                continue
            try:
                await self.context.write(data)
            except Exception as error:
                # gRPC has half a dozen words, some of them private, for a peer that went away.
                log.info("%s: not written: %r", self.session.bot, error)
                return

    # -- frames in

    def receive(self, request: pb.PlayRequest, size: int, now: int) -> bool:
        """Deal with a frame; whether it was of use: an answer in it took effect, or it has none and
        did nothing but acknowledge, answer a ping or give randomness.

        Raises RefusedError for one that may not be.
        """
        session = self.session
        self.metrics.frame_read(size, len(request.answers))
        took_effect, spoilt = False, bool(request.crashes) or request.HasField("control")
        useful = self._acknowledged < request.ack <= self.sent_frames
        if useful:
            self._acknowledged = request.ack
        if request.pong and request.pong == self._ping and self._ping_sent != NEVER:
            session.measured(now - self._ping_sent)
            self._ping_sent = NEVER
            useful = True
        if self._told and request.ack >= self._told[0][0]:
            self._forget_endings(request.ack)
        if self.outstanding and request.ack >= self.outstanding:
            self.outstanding = 0
            self.poke(now)
        if request.HasField("hello"):
            raise malformed(f"frame {self.read_frames}: Hello belongs into the first frame only")
        if request.HasField("control"):
            self._control(request.control)
        for entropy in request.entropy:
            take = session.entropy.get(entropy.game)
            wrong = take(entropy.nonce) if take else "no match waits for it"
            session.unmatched += not take
            useful = True
            if wrong:
                spoilt = True
                self.notice(frames.warning(f"entropy for {entropy.game:#x} is not used: {wrong}"))
        for crash in request.crashes:
            if not self.engine.crashed(session, crash.game, crash.turn, crash.detail, now):
                session.unmatched += 1
        if request.answers:
            limit = self.config.unmatched_answers
            took_effect = self.engine.answers(session, request.answers, now, limit)
        if session.unmatched > self.config.unmatched_answers:
            raise over_limit(
                "unmatched_answers",
                self.config.unmatched_answers,
                f"frame {self.read_frames}: too many answers in a second met no open turn",
            )
        if len(session.outbox.parts) + len(self._urgent) > UNREAD:
            raise over_limit("unread", UNREAD, "too much waits for this stream to read it")
        return took_effect if request.answers else useful and not spoilt

    def _useless(self, now: int) -> int:
        """One more useless frame: for how long not to read on, nanoseconds."""
        each = self.config.useless_frame_ms * MS
        self._useless_until = max(self._useless_until, now - USELESS * each) + each
        return self._useless_until - now

    def _forget_endings(self, ack: int) -> None:
        """The bot knows of these games' ends: a reconnect need not repeat them."""
        while self._told and self._told[0][0] <= ack:
            for handle in self._told.popleft()[1]:
                if self.session.endings.pop(handle, None) is not None:
                    self.session.retire(handle)

    def _control(self, control: pb.Control) -> None:
        session = self.session
        before = session.paused, session.capacity
        if control.HasField("pause") and control.pause != session.paused:
            session.paused = control.pause
            session.paused_at = now_ns() if control.pause else NEVER
        if control.HasField("capacity"):
            if control.capacity < 1:
                raise malformed(f"frame {self.read_frames}: control.capacity must be 1 or more")
            session.capacity = min(control.capacity, self.config.games_per_stream)
        if before != (session.paused, session.capacity):
            self.on_change(session)

    # -- frames out

    def _frame(self, now: int) -> bytes | None:
        """The next frame, or None when there is nothing that may be sent."""
        parts, self._urgent = self._urgent, []
        turns = 0
        outbox = self.session.outbox
        if outbox and not self.outstanding and self._timer is None:
            limit = self.config.frame_bytes_out
            turns, told = frames.fill(parts, outbox, self.config.turns_per_frame, limit, now_ns)
            if told and self.session.endings:
                self._told.append((self.sent_frames + 1, told))
            self.pace.sent(now, len(self.session.seats))
            if outbox:
                self.poke(now)
        if not parts:
            return None
        self.sent_frames += 1
        if turns:
            self.outstanding = self.sent_frames
            self._outstanding_since = now
        data = frames.frame(self.sent_frames, parts)
        self.metrics.frame_sent(len(data), turns)
        return data


class Play:
    """The handler of the method: handshake, stream, end."""

    def __init__(
        self, config: RefereeConfig, engine: Engine, admission: Admission, presence: Presence
    ) -> None:
        self.config = config
        self.engine = engine
        self.admission = admission
        self.presence = presence
        self.streams = Streams()
        self.closing = False
        """No stream is taken any more."""

    def handler(self) -> grpc.GenericRpcHandler:
        """For `grpc.aio.Server.add_generic_rpc_handlers`; raw bytes both ways."""
        play: grpc.RpcMethodHandler[bytes, bytes] = grpc.stream_stream_rpc_method_handler(
            self._play
        )
        return grpc.method_handlers_generic_handler(SERVICE, {"Play": play})

    async def _play(self, requests: object, context: Context) -> None:
        try:
            refused = await self._session(context)
        except RefusedError as error:
            refused = error
        if refused is not None:
            self.engine.metrics.session_refused(refused.code.lower())
            await refuse(context, refused)

    async def _session(self, context: Context) -> RefusedError | None:
        hello = await self._hello(context)
        if hello is None:
            return None
        admitted = await self.admission.admit(hello)
        session = admitted.session
        pace = Pace(self.config, self.streams)
        stream = PlayStream(
            context, session, self.engine, self.config, pace, self.presence.controlled
        )
        self.streams.open += 1
        try:
            # From here to `run` nothing is awaited: nobody else takes the session between.
            self.presence.attach(session, stream, resumed=admitted.resumed)
            return await stream.run()
        finally:
            self.streams.open -= 1
            self.presence.detach(session, stream)

    async def _hello(self, context: Context) -> pb.Hello | None:
        """The first frame's Hello; None when the peer went away. Raises RefusedError."""
        if self.closing:
            raise draining()
        self.admission.knock()
        try:
            async with asyncio.timeout(self.config.handshake_ms / 1000):
                raw: Any = await context.read()
        except TimeoutError:
            raise over_limit(
                "handshake_ms", self.config.handshake_ms, "no Hello came in time"
            ) from None
        finally:
            self.admission.handshakes -= 1
        if raw is grpc.aio.EOF:
            return None
        request = parse(raw, 1)
        if not request.HasField("hello"):
            raise malformed("frame 1: the first frame must carry Hello")
        return request.hello
