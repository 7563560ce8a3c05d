"""The process: gRPC server, health and reflection, clocks, drain.

`Referee` is one of them, started and stopped by its caller; `serve` runs one until a signal.
"""

from __future__ import annotations

import asyncio
import contextlib
import gc
import logging
import signal
from collections.abc import AsyncIterator, Callable
from typing import Final

import grpc
from grpc_health.v1 import health, health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha import reflection

from arena.metrics import Metrics
from arena.referee import frames
from arena.referee.admission import Admission
from arena.referee.attempt import Desk
from arena.referee.calls import Calls
from arena.referee.config import RefereeConfig
from arena.referee.fitness import Fitness
from arena.referee.hosting import Hosting
from arena.referee.journal import WriteAhead
from arena.referee.loop import Engine, now_ns
from arena.referee.presence import Presence
from arena.referee.records import Recorder, Recording, sweep_parts
from arena.referee.service import SERVICE, Play, PlayStream
from arena.referee.session import Roster
from arena.referee.untold import Untold
from arena.store import Store, StoreMisconfigured
from arena.store.journal import Durability
from arena.tls import Tls, add_port

log: Final = logging.getLogger(__name__)


COLLECT: Final = (10_000, 20, 50)
"""Thresholds of the garbage collector. With Python's own a thousand games, which make no cycles,
are walked through twenty times a second, and now and then for longer than a bot thinks."""


def _options(config: RefereeConfig) -> list[tuple[str, int]]:
    """Of the gRPC server. https://grpc.github.io/grpc/core/group__grpc__arg__keys.html"""
    return [
        ("grpc.max_receive_message_length", config.frame_bytes_in),
        ("grpc.max_send_message_length", config.frame_bytes_out + 64 * 1024),
        ("grpc.keepalive_time_ms", config.keepalive_ms),
        ("grpc.keepalive_timeout_ms", config.keepalive_timeout_ms),
        # keepalive alone does not notice a peer that was stopped (measured.md, Traps).
        ("grpc.http2.ping_timeout_ms", config.keepalive_timeout_ms),
        ("grpc.keepalive_permit_without_calls", 1),
        ("grpc.http2.min_ping_interval_without_data_ms", config.client_ping_ms),
        ("grpc.http2.min_recv_ping_interval_without_data_ms", config.client_ping_ms),
        # A stream's window stays at 64 KB. gRPC would let it grow to megabytes: of small frames,
        # each of which it keeps with ten times its size, from whoever sends faster than is read.
        ("grpc.http2.bdp_probe", 0),
        # Two referees on one port would share its bots at random.
        ("grpc.so_reuseport", 0),
    ]


class Referee:
    """One referee process's parts."""

    def __init__(
        self,
        config: RefereeConfig,
        store: Store,
        metrics: Metrics | None = None,
        tls: Tls | None = None,
    ) -> None:
        self.config = config
        self.tls = tls
        """Of its address; None: in the clear."""
        self.store = store
        self.metrics = metrics or Metrics()
        self.address = ""
        """host:port, once started."""
        self.roster = Roster()
        self.engine = Engine(self.metrics)
        self.admission = Admission(config, self.roster, store.tokens.check)
        self.presence = Presence(config, self.roster, self.engine, self._changed)
        self.play = Play(config, self.engine, self.admission, self.presence)
        self.hosting: Hosting | None = None
        self.fitness = Fitness(config)
        self.engine.on_late = self.fitness.late
        self.on_drain: Callable[[], None] = lambda: None
        """Called when an operator wants this referee drained; its caller ends it then."""
        self._calls = Calls()
        self._health = health.aio.HealthServicer()
        self._server: grpc.aio.Server
        self._recorder: Recorder
        self.journal: WriteAhead
        self._scan: asyncio.Task[None] | None = None

    async def start(self) -> None:
        """Listen, announce the referee, take orders. OSError names an address that is taken."""
        config = self.config
        gc.set_threshold(*COLLECT)
        await self._check_durability()
        await asyncio.to_thread(sweep_parts, config.records)
        self._recorder = Recorder(config.records, self._record_failed)
        self._server = grpc.aio.server(options=_options(config))
        self._server.add_generic_rpc_handlers((self.play.handler(),))
        health_pb2_grpc.add_HealthServicer_to_server(self._health, self._server)
        names = (SERVICE, health.SERVICE_NAME, reflection.SERVICE_NAME)
        reflection.enable_server_reflection(names, self._server)
        wanted = f"{config.host}:{config.port}"
        try:
            port = add_port(self._server, wanted, self.tls)
        except RuntimeError as error:
            raise OSError(f"the referee cannot listen on {wanted}: {error}") from error
        self.address = f"{config.host}:{port}"
        await self._server.start()
        advertised = config.advertise or self.address
        referee = await self._calls.once(
            self.store.referees.join, advertised, config.matches, name=config.name
        )
        await self._calls.once(self.store.referees.succeed, referee, advertised)
        self.journal = WriteAhead(
            self.store.journals, referee, self.engine.keeping, config.journal_wait_ms
        )
        await self.journal.open()
        self.engine.journal = self.journal
        self.engine.keeping.begin(self.store, self._calls)
        desk = Desk(
            config=config,
            referee=referee,
            store=self.store,
            calls=self._calls,
            engine=self.engine,
            presence=self.presence,
            recorder=self._recorder,
            metrics=self.metrics,
            untold=Untold(self.store, self._calls, referee, self.roster),
        )
        self.hosting = Hosting(desk, self.roster, self.admission, advertised)
        self.hosting.on_drain = lambda: self.on_drain()
        self.hosting.start()
        self._scan = asyncio.create_task(self._scan_clocks())
        await self._serving(True)
        log.info("referee %s listens on %s", referee, self.address)

    async def _check_durability(self) -> None:
        """See that the store keeps what it should. StoreMisconfigured."""
        found = await self._calls.once(self.store.journals.durability)
        where = self.store.settings.safe_url
        wanted = Durability(self.config.durability)
        if found is Durability.UNKNOWN and wanted is Durability.ALWAYS:
            log.warning("%s does not tell whether it is set to appendfsync always", where)
        elif wanted is Durability.ALWAYS and found is not wanted:
            raise StoreMisconfigured(
                f"durability is to be always, and {where} is set to appendfsync {found.value}: "
                "set it there (CONFIG SET appendfsync always, and in its configuration file), or "
                "ask for everysec"
            )
        if found is Durability.NEVER:
            log.warning(
                "%s keeps no append-only file: what it holds is gone when it ends. "
                "Set appendonly yes and appendfsync everysec there",
                where,
            )
        log.info("durability: %s", found.value)

    async def drain(self) -> None:
        """Finish hands, hand matches back, end all streams, stop. Bounded by ``drain_s``."""
        self.metrics.draining.set(1)
        await self._serving(False)
        self.presence.draining = self.play.closing = True
        for session in self.roster.all():
            if session.stream is not None:
                session.stream.notice(frames.draining())
        if self.hosting is not None:
            await self.hosting.drain(self.config.drain_s)
        for session in self.roster.all():
            if session.stream is not None:
                session.stream.end("UNAVAILABLE", "DRAINING", "this referee is draining")
        await self._server.stop(grace=1.0)
        if self._scan is not None:
            self._scan.cancel()
            await asyncio.gather(self._scan, return_exceptions=True)
        await self._recorder.close()
        await self.journal.close()
        self._calls.close()

    async def _serving(self, yes: bool) -> None:
        status = health_pb2.HealthCheckResponse
        state = status.SERVING if yes else status.NOT_SERVING
        for name in ("", SERVICE):
            await self._health.set(name, state)

    def _changed(self) -> None:
        if self.hosting is not None:
            self.hosting.changed()

    def _record_failed(self, recording: Recording) -> None:
        log.error("%s", recording.error)
        self.metrics.record_error()
        for hosted in self.engine.hosted.values():
            if hosted.recording is recording and recording.error is not None:
                hosted.void(recording.error)

    async def _scan_clocks(self) -> None:
        """Look at all clocks, write records, measure the loop's lag; ping once a second."""
        every = self.config.scan_ms / 1000
        pings = max(1, self.config.ping_ms // self.config.scan_ms)
        loop = asyncio.get_running_loop()
        due = loop.time()
        turn = 0
        self.engine.looked_at, self.engine.late_ns = now_ns(), self.fitness.bound_ns
        while True:
            due += every
            await asyncio.sleep(due - loop.time())
            late = loop.time() - due
            self.metrics.loop_lag.observe(max(0, int(late * 1e9)))
            if late > every:
                due = loop.time()
            now = now_ns()
            self.engine.look(now)
            for session in self.roster.all():
                if isinstance(session.stream, PlayStream):
                    session.stream.charge(now)
            self.engine.expire(now)
            self.journal.watch(now)
            self._recorder.flush()
            turn += 1
            if turn % pings == 0:
                self._ping_all()
                self.engine.keeping.look()
                await self._judge(now)

    async def _judge(self, now: int) -> None:
        """Whether this host keeps time well enough."""
        hosting = self.hosting
        if hosting is None or hosting.draining or hosting.unfit != self.fitness.fit(now):
            return
        hosting.unfit = not hosting.unfit
        self.metrics.unfit.set(int(hosting.unfit))
        if hosting.unfit:
            log.error("this host is too slow to be a referee: matches go to others")
            hosting.give_up("this host is too slow")
        else:
            log.warning("this host keeps time again")
        await self._serving(not hosting.unfit)
        hosting.changed()

    def _ping_all(self) -> None:
        now = now_ns()
        for session in self.roster.all():
            session.unmatched = 0
            if isinstance(session.stream, PlayStream):
                session.stream.ping(now)


@contextlib.asynccontextmanager
async def running(
    config: RefereeConfig,
    store: Store,
    metrics: Metrics | None = None,
    tls: Tls | None = None,
) -> AsyncIterator[Referee]:
    """A referee for as long as the block lasts; drained at its end."""
    referee = Referee(config, store, metrics, tls)
    await referee.start()
    try:
        yield referee
    finally:
        await referee.drain()


async def serve(
    config: RefereeConfig,
    store: Store,
    metrics: Metrics | None = None,
    ready: Callable[[Referee], None] | None = None,
) -> None:
    """Run a referee until SIGTERM or SIGINT, then drain it. ``ready`` is told its address."""
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, stop.set)
    async with running(config, store, metrics) as referee:
        # What is loaded by now stays; a collection of everything need not look at it again.
        gc.collect()
        gc.freeze()
        referee.on_drain = stop.set
        if ready is not None:
            ready(referee)
        await stop.wait()
        log.info("draining")
