"""What a server says at the end of a stream is what the client hears, whatever it was sending."""

from __future__ import annotations

import asyncio
from typing import Any

import grpc
from euchre_arena import wire
from euchre_arena.client.ending import Ending
from euchre_arena.wire import pb

from tests.sdk.playing import DEADLINE_S, serving
from tests.sdk.stub import Stub

ROUNDS = 60


async def talk(call: Any) -> None:
    """Send until the stream is over."""
    frame = 1
    try:
        while True:
            frame += 1
            await call.write(wire.request_bytes(frame, 1, ()))
    except (asyncio.InvalidStateError, grpc.aio.AioRpcError):
        pass


async def test_a_write_that_meets_the_end_does_not_hide_why() -> None:
    def refuse(hello: pb.Hello) -> tuple[grpc.StatusCode, str]:
        return grpc.StatusCode.ABORTED, "another stream has it"

    heard = []
    async with (
        serving(Stub(refuse=refuse)) as stub,
        grpc.aio.insecure_channel(stub.address) as channel,
        asyncio.timeout(DEADLINE_S),
    ):
        for _ in range(ROUNDS):
            call: Any = channel.stream_stream(wire.PLAY)()
            ending = Ending(call)
            hello = pb.PlayRequest(hello=pb.Hello(protocol=1))
            await call.write(wire.request_bytes(1, 0, (), hello))
            await talk(call)
            await call.code()
            heard.append(ending.status)
    assert heard == [(grpc.StatusCode.ABORTED, "another stream has it")] * ROUNDS
