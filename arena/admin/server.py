"""The three services on an address of their own, in the process of a referee or by themselves."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import grpc
from euchre_arena.v1 import (
    bot_pb2,
    bot_pb2_grpc,
    operator_pb2,
    operator_pb2_grpc,
    record_pb2,
    record_pb2_grpc,
    tournament_pb2,
    tournament_pb2_grpc,
)
from grpc_health.v1 import health, health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha import reflection

from arena.admin.bots import BotService
from arena.admin.desk import Desk
from arena.admin.keeping import Keeper
from arena.admin.records import RecordService
from arena.admin.referees import OperatorService
from arena.admin.tournaments import TournamentService
from arena.store import Store, StoreError
from arena.tls import Tls, add_port

log: Final = logging.getLogger(__name__)

SERVICES: Final = (
    tournament_pb2.DESCRIPTOR.services_by_name["TournamentService"].full_name,
    bot_pb2.DESCRIPTOR.services_by_name["BotService"].full_name,
    record_pb2.DESCRIPTOR.services_by_name["RecordService"].full_name,
    operator_pb2.DESCRIPTOR.services_by_name["OperatorService"].full_name,
)
OPTIONS: Final = [
    ("grpc.max_receive_message_length", 2 * 1024 * 1024),
    ("grpc.keepalive_time_ms", 20_000),
    ("grpc.keepalive_timeout_ms", 5_000),
    ("grpc.http2.ping_timeout_ms", 5_000),
    ("grpc.http2.min_recv_ping_interval_without_data_ms", 20_000),
    ("grpc.keepalive_permit_without_calls", 1),
    # Two referees on one port would share callers at random.
    ("grpc.so_reuseport", 0),
]
GRACE_S: Final = 1.0


@dataclass(frozen=True, slots=True)
class AdminConfig:
    """Where organizers and operators call."""

    records: Path
    """The folder of record files."""
    host: str = "127.0.0.1"
    port: int = 7601
    """0 takes a free one."""
    tls: Tls | None = None
    """None: in the clear."""


class AdminServer:
    """The running services."""

    def __init__(self, config: AdminConfig, store: Store) -> None:
        self.config = config
        self.address = ""
        """host:port, once started."""
        self._desk = Desk(store)
        self._keeper = Keeper(self._desk, config.records)
        self._keeping: asyncio.Task[None]
        self._health = health.aio.HealthServicer()
        self._server: grpc.aio.Server

    async def start(self) -> None:
        """Listen. OSError names an address that is taken."""
        self._server = server = grpc.aio.server(options=OPTIONS)
        tournament_pb2_grpc.add_TournamentServiceServicer_to_server(
            TournamentService(self._desk, self._keeper), server
        )
        bot_pb2_grpc.add_BotServiceServicer_to_server(BotService(self._desk), server)
        record_pb2_grpc.add_RecordServiceServicer_to_server(
            RecordService(self._desk, self.config.records), server
        )
        operator_pb2_grpc.add_OperatorServiceServicer_to_server(OperatorService(self._desk), server)
        health_pb2_grpc.add_HealthServicer_to_server(self._health, server)
        names = (*SERVICES, health.SERVICE_NAME, reflection.SERVICE_NAME)
        reflection.enable_server_reflection(names, server)
        wanted = f"{self.config.host}:{self.config.port}"
        try:
            port = add_port(server, wanted, self.config.tls)
        except RuntimeError as error:
            raise OSError(f"the admin services cannot listen on {wanted}: {error}") from error
        self.address = f"{self.config.host}:{port}"
        await server.start()
        for name in ("", *SERVICES):
            await self._health.set(name, health_pb2.HealthCheckResponse.SERVING)
        self._keeping = asyncio.create_task(self._keeper.run())
        log.info("organizers and operators call %s", self.address)

    async def stop(self) -> None:
        """End what is being served within a second, and stop listening."""
        await self._health.enter_graceful_shutdown()
        await self._server.stop(GRACE_S)
        self._keeping.cancel()
        await asyncio.gather(self._keeping, return_exceptions=True)
        with contextlib.suppress(StoreError):
            await self._desk.run(self._keeper.look)  # what ended within the last second
        self._desk.close()


@contextlib.asynccontextmanager
async def running(config: AdminConfig, store: Store) -> AsyncIterator[AdminServer]:
    """The services for as long as the block lasts."""
    server = AdminServer(config, store)
    await server.start()
    try:
        yield server
    finally:
        await server.stop()
