"""The least a decision could cost in time: a small message there and back on a stream of grpc.aio,
between two processes that do nothing with it.
"""

from __future__ import annotations

import asyncio
import subprocess
import sys
import time
from typing import Any

import grpc

ASKED = b"x" * 120
"""As large as a turn."""
ANSWER = b"y" * 30
WARM_UP = 300
SERVICE, METHOD = "bench.Echo", "Play"

Context = grpc.aio.ServicerContext[bytes, bytes]


async def _server(rounds: int) -> list[float]:
    """Seconds of each round, sorted; the other process is started here and ends by itself."""
    times: list[float] = []

    async def play(_: object, context: Context) -> None:
        for _ in range(WARM_UP + rounds):
            start = time.perf_counter()
            await context.write(ASKED)
            await context.read()
            times.append(time.perf_counter() - start)

    server = grpc.aio.server()
    method: Any = grpc.stream_stream_rpc_method_handler(play)
    server.add_generic_rpc_handlers(
        (grpc.method_handlers_generic_handler(SERVICE, {METHOD: method}),)
    )
    port = server.add_insecure_port("127.0.0.1:0")
    await server.start()
    command = [sys.executable, "-m", "bench.echo", str(port)]
    await asyncio.to_thread(subprocess.run, command, check=True)
    await server.stop(0)
    return sorted(times[WARM_UP:])


async def _client(port: int) -> None:
    async with grpc.aio.insecure_channel(f"127.0.0.1:{port}") as channel:
        call: Any = channel.stream_stream(f"/{SERVICE}/{METHOD}")()
        while await call.read() is not grpc.aio.EOF:
            await call.write(ANSWER)


def round_trip_ms(rounds: int) -> tuple[float, float]:
    """p50 and p99, milliseconds."""
    times = asyncio.run(_server(rounds))
    return times[len(times) // 2] * 1e3, times[len(times) * 99 // 100] * 1e3


if __name__ == "__main__":
    asyncio.run(_client(int(sys.argv[1])))
