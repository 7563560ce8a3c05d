"""A referee that is told to end: hands finished, matches handed back, nobody charged."""

from __future__ import annotations

import asyncio
import json
import signal
import sys
from pathlib import Path

import grpc
import pytest
from euchre_arena.rules.dealing import commitment
from grpc_health.v1 import health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha import reflection_pb2, reflection_pb2_grpc

from arena.referee.service import SERVICE
from arena.store import Embedded
from arena.store.types import MatchState
from tests.referee.rig import DEADLINE_S, Bold, RawBot, Rig, until

SERVING = health_pb2.HealthCheckResponse.SERVING
NOT_SERVING = health_pb2.HealthCheckResponse.NOT_SERVING


async def play_to_the_end_of_the_stream(bot: RawBot) -> None:
    """Answer whatever is asked until the referee ends the stream."""
    with pytest.raises(AssertionError, match="the stream ended"):
        await bot.play_on(lambda frame: frame.matches_ended)


async def test_matches_are_handed_back_at_the_end_of_their_hands(rig: Rig) -> None:
    await rig.start(drain_s=20)
    mia = await rig.bot("mia")
    rig.play("bob", Bold())
    (match,) = rig.order("mia", "bob", match_format={"games": 2})
    await rig.place(match)
    first = await mia.until(lambda frame: frame.turns)
    health = health_pb2_grpc.HealthStub(mia.channel)
    watch = health.Watch(health_pb2.HealthCheckRequest(service=SERVICE))
    assert (await watch.read()).status == SERVING
    published = rig.info(match).commitment

    drain = asyncio.create_task(rig.referee.drain())
    assert (await watch.read()).status == NOT_SERVING
    await mia.until(lambda frame: frame.notice.draining)
    assert not drain.done()
    # The hands go on to their ends, and no further.
    await mia.answer_all(first.turns)
    await play_to_the_end_of_the_stream(mia)
    hands = {turn.hand_number for frame in mia.seen for turn in frame.turns}
    assert hands == {0}
    code, _text, info = await mia.status()
    assert (code, info.reason) == (grpc.StatusCode.UNAVAILABLE, "DRAINING")
    await drain
    rig.started = False

    # It waits to be gone on with: nothing is voided, the secret is told nobody.
    assert not [each for frame in mia.seen for each in frame.matches_ended]
    stands = rig.info(match)
    assert stands.state is MatchState.SCHEDULED
    assert stands.commitment == published
    assert rig.store.matches.attempts(match) == []
    saved = rig.store.journals.load(match)
    assert saved is not None
    assert commitment(bytes.fromhex(saved.fields["secret"].decode())).hex() == published
    assert not list((rig.data / "records").glob("*/*"))
    assert rig.store.referees.all() == []


async def test_a_bot_that_thinks_on_does_not_hold_a_drain_up(rig: Rig) -> None:
    await rig.start(drain_s=0.2)
    mia = await rig.bot("mia")
    rig.play("bob", Bold())
    (match,) = rig.order("mia", "bob")
    await rig.place(match)
    await mia.turn()
    async with asyncio.timeout(DEADLINE_S):
        await rig.referee.drain()
    rig.started = False
    assert rig.info(match).state is MatchState.SCHEDULED


async def test_a_draining_referee_takes_no_stream_and_no_match(rig: Rig) -> None:
    await rig.start(drain_s=20)
    mia = await rig.bot("mia")
    rig.play("bob", Bold())
    first, second = rig.order("mia", "bob", matches=2)
    await rig.place(first)
    turn = await mia.turn()
    drain = asyncio.create_task(rig.referee.drain())
    await mia.until(lambda frame: frame.notice.draining)
    # The store learns of it at the referee's next sign of life.
    await until(lambda: all(r.draining for r in rig.store.referees.all()), "the store knows")
    assert (await asyncio.to_thread(rig.store.matches.place, second)).placement.value in (
        "full",
        "waiting",
    )
    late = await rig.stranger("max")
    code, _, info = await late.status()
    assert (code, info.reason) == (grpc.StatusCode.UNAVAILABLE, "DRAINING")
    await mia.answer_all([turn])
    await play_to_the_end_of_the_stream(mia)
    await drain
    rig.started = False


async def test_reflection_tells_what_is_served(rig: Rig) -> None:
    await rig.start()
    mia = await rig.bot("mia")
    stub = reflection_pb2_grpc.ServerReflectionStub(mia.channel)
    ask = reflection_pb2.ServerReflectionRequest
    call = stub.ServerReflectionInfo(
        iter([ask(list_services=""), ask(file_containing_symbol=SERVICE)])
    )
    listed, described = [answer async for answer in call]
    names = {each.name for each in listed.list_services_response.service}
    assert names >= {SERVICE, "grpc.health.v1.Health"}
    assert described.file_descriptor_response.file_descriptor_proto


async def test_sigterm_ends_the_process_with_zero(valkey: Embedded, rig: Rig) -> None:
    settings = {"port": 0, "data": str(rig.data), "entropy_ms": 0, "drain_s": 2.0, "parallel": 4}
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "bench.referee", valkey.settings.url, json.dumps(settings)),
        stdout=asyncio.subprocess.PIPE,
        cwd=Path(__file__).parents[2],
    )
    assert process.stdout is not None
    async with asyncio.timeout(2 * DEADLINE_S):
        address = json.loads(await process.stdout.readline())["address"]
    players = [rig.play(name, Bold(), server=address) for name in ("ada", "bob")]
    (match,) = rig.order("ada", "bob", match_format={"games": 100_000})
    await rig.place(match)
    await until(lambda: all(each.stats.decisions > 20 for each in players), "they play")
    process.send_signal(signal.SIGTERM)
    async with asyncio.timeout(DEADLINE_S):
        await process.stdout.read()
        assert await process.wait() == 0
    assert rig.info(match).state is MatchState.SCHEDULED
    await until(lambda: all(each.warnings for each in players), "both were told")
    assert all("the server is about to stop" in each.warnings[0] for each in players)
    rig.stop.set()
    await asyncio.gather(*rig.players)
