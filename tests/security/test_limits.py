"""The limits of the protocol that have no test elsewhere (SECURITY.md lists them all)."""

from __future__ import annotations

import asyncio

import grpc
import pytest
from euchre_arena.wire import pb

from tests.referee.rig import DEADLINE_S, Rig, until


@pytest.mark.parametrize("asked", [65, 4_000_000_000])
async def test_no_stream_is_granted_more_games_than_the_limit(rig: Rig, asked: int) -> None:
    await rig.start(games_per_stream=64)
    bot = await rig.bot("mia", capacity=asked)
    assert bot.welcome.limits.games == 64
    (session,) = rig.referee.roster.of("mia")
    assert session.capacity == 64
    await bot.send(control=pb.Control(capacity=8))
    await until(lambda: session.capacity == 8, "it takes fewer")
    await bot.send(control=pb.Control(capacity=asked))
    await until(lambda: session.capacity != 8, "it asks for more")
    assert session.capacity == 64


async def test_a_frame_a_little_too_large_ends_the_stream(rig: Rig) -> None:
    await rig.start()
    limit = rig.referee.config.frame_bytes_in
    assert limit == 256 * 1024
    bot = await rig.bot("mia")
    crash = pb.Crash(game=1, turn=1, detail="x" * (limit - 200))
    await bot.send(crashes=[crash])
    await bot.until(lambda frame: frame.ping)  # it lives
    crash.detail += "x" * 400
    await bot.send(crashes=[crash])
    code, text, _ = await bot.status()
    assert code is grpc.StatusCode.RESOURCE_EXHAUSTED
    assert str(limit) in text


async def test_a_client_that_pings_all_the_time_is_sent_away(rig: Rig) -> None:
    """One ping in 20 s is agreed; a flood of them would cost us and nobody else."""
    await rig.start()
    host, _, port = rig.referee.address.rpartition(":")
    reader, writer = await asyncio.open_connection(host, int(port))
    writer.write(b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + b"\0\0\0\4\0\0\0\0\0")
    ping = b"\0\0\x08\6\0\0\0\0\0" + bytes(8)
    said = b""
    async with asyncio.timeout(DEADLINE_S):
        while b"too_many_pings" not in said:
            writer.write(ping)
            await writer.drain()
            said += await reader.read(4096)
        while await reader.read(4096):  # and then it hangs up
            pass
    writer.close()


async def test_a_bots_message_says_nothing_to_an_organizers_address(rig: Rig) -> None:
    """Bots, organizers and metrics have an address each: none answers for another."""
    await rig.start()
    async with grpc.aio.insecure_channel(rig.referee.address) as channel:
        call = channel.unary_unary("/euchre_arena.v1.BotService/ListBots")
        with pytest.raises(grpc.aio.AioRpcError) as error:
            await call(b"", metadata=(("authorization", "Bearer x"),))
    assert error.value.code() is grpc.StatusCode.UNIMPLEMENTED
