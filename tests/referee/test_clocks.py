"""Clocks as the referee keeps them: from the transport to the answer, never its own queueing."""

from __future__ import annotations

import asyncio
import signal
import time
from typing import Any

from euchre_arena.match import FaultNoted
from euchre_arena.wire import pb
from grpc_health.v1 import health_pb2, health_pb2_grpc

from arena.referee.recovery import begun, recovered
from arena.referee.service import SERVICE
from arena.store import Embedded
from arena.store.types import MatchState
from tests.referee.halls import referees
from tests.referee.rig import Bold, RawBot, Rig, until

QUICK = {"move_time_ms": 1_000, "lag_per_move_ms": 0}
"""For a bot that does not answer; long enough for one that does."""


async def mia_against_bob(rig: Rig, **order: object) -> tuple[RawBot, str]:
    mia = await rig.bot("mia")
    rig.play("bob", Bold())
    (match,) = rig.order("mia", "bob", **order)
    await rig.place(match)
    return mia, match


async def test_a_bot_that_does_not_answer_has_its_decisions_made_for_it(rig: Rig) -> None:
    await rig.start()
    mia, match = await mia_against_bob(rig, clock=QUICK)
    turn = await mia.turn()
    assert (turn.move_time_ms, turn.bank_ms) == (1_000, 0)
    # It acknowledges what it reads and says nothing else.
    await mia.send()
    await until(lambda: rig.faults(match)[0].get("timeout", 0) >= 1, "the first is counted")
    await mia.answer(turn)
    said = (await mia.until(lambda frame: frame.rejections)).rejections[0]
    assert said.reason in (pb.REJECT_REASON_LATE, pb.REJECT_REASON_STALE)
    assert said.turn == turn.turn
    assert set(rig.faults(match)[0]) == {"timeout"}
    assert rig.faults(match)[1] == {}


async def test_a_timeout_forfeits_where_the_organizer_says_so(rig: Rig) -> None:
    await rig.start()
    _, match = await mia_against_bob(rig, clock=QUICK, faults={"on_timeout": "forfeit"})
    await rig.finished(match)
    result = rig.result(match)
    assert result["winners"] == [1]
    assert result["faults"] == [{"forfeit": 1, "timeout": 1}, {}]


async def test_a_bot_that_does_not_acknowledge_loses_its_own_time_only(rig: Rig) -> None:
    """It is sent no second batch, yet its clocks run, and no other bot's do."""
    await rig.start()
    mia, match = await mia_against_bob(rig, clock=QUICK, match_format={"deals": 1})
    await mia.turn(ack=False)
    await rig.finished(match)
    result = rig.result(match)
    assert result["faults"][0]["timeout"] >= 2
    assert result["faults"][1] == {}
    await rig.scans(2)
    assert len([frame for frame in mia.seen if frame.turns]) == 1


async def test_the_referees_queueing_is_not_charged(rig: Rig) -> None:
    """A turn's clock begins when its frame is handed to the transport."""
    await rig.start(ack_ms=60_000)
    mia, match = await mia_against_bob(rig, clock=QUICK)
    first = await mia.until(lambda frame: frame.turns, ack=False)
    await mia.answer_all(first.turns)
    (session,) = rig.referee.roster.of("mia")
    await until(lambda: session.outbox.turns, "the next turn waits for the acknowledgement")
    faults = rig.faults(match)
    # Twenty milliseconds apart: its time would be up.
    await rig.scans(60)
    assert rig.faults(match) == faults
    mia.acked = first.frame
    await mia.send()
    turn = await mia.turn()
    assert turn.move_time_ms == 1_000
    await until(lambda: rig.faults(match) != faults, "now its clock runs")


async def test_the_round_trip_is_measured_by_ping_and_pong(rig: Rig) -> None:
    await rig.start(ping_ms=20)
    mia = await rig.bot("mia")
    (session,) = rig.referee.roster.of("mia")
    assert session.rtt_ns == 0
    await mia.until(lambda frame: frame.ping)
    await until(lambda: session.rtt_ns > 0, "a round trip is known")
    assert session.rtt_ns < 10_000_000_000
    # A pong that was not asked for measures nothing.
    known = session.rtt_ns
    await mia.send(pong=1_000_000)
    await mia.send(pong=1_000_001)
    await mia.until(lambda frame: frame.ping)
    assert session.rtt_ns != 0
    assert known > 0


async def test_what_the_referee_stood_still_for_is_charged_to_nobody(
    valkey: Embedded, rig: Rig
) -> None:
    """Answers that came while it was stopped wait in the socket; clocks wait as well."""

    class Thoughtful(Bold):
        async def act(self, turn: Any) -> str:  # type: ignore[override]  # authors may do either
            await asyncio.sleep(0.05)
            return str(turn.legal[-1])

    clock = {"move_time_ms": 3_000, "bank_ms": 0, "disconnect_grace_ms": 60_000}
    async with referees(1, valkey, rig, lease_ms=60_000) as (hall,):
        seen = [rig.play(name, Thoughtful(), server=hall.address) for name in ("ada", "bob")]
        (match,) = rig.order("ada", "bob", match_format={"games": 1000}, clock=clock)
        await rig.place(match)
        for stop in range(2):
            await until(lambda stop=stop: seen[0].stats.decisions > 20 * (stop + 1), "they play")
            hall.process.send_signal(signal.SIGSTOP)
            await asyncio.sleep(4)  # what is tested: time that passes while it is stopped
            hall.process.send_signal(signal.SIGCONT)
        mark = seen[0].stats.decisions + 40
        await until(lambda: seen[0].stats.decisions > mark, "they play on")
        assert await hall.end(signal.SIGTERM) == 0
        assert rig.store.matches.attempts(match) == []
        saved = rig.store.journals.load(match)
        assert saved is not None
        begun_here = begun(saved)
        order = rig.store.matches.order(match)
        found = recovered(order, saved, begun_here, updates=False)
        assert not [e for e in found.effects if isinstance(e, FaultNoted)]


async def test_a_host_that_is_late_again_and_again_gives_its_matches_away(rig: Rig) -> None:
    await rig.start(late_ms=400, fitness_window_ms=4_000)
    mia = await rig.bot("mia")
    rig.play("bob", Bold())
    (match,) = rig.order("mia", "bob", match_format={"games": 100})
    await rig.place(match)
    await mia.turn()
    health = health_pb2_grpc.HealthStub(mia.channel)
    watch = health.Watch(health_pb2.HealthCheckRequest(service=SERVICE))
    assert (await watch.read()).status == health_pb2.HealthCheckResponse.SERVING
    for _ in range(3):
        # The fault this test injects, no wait: only a call that blocks makes the loop stand still.
        time.sleep(0.6)  # noqa: ASYNC251 - a loop that stands still for too long is the fault
        await rig.scans(2)
    assert (await watch.read()).status == health_pb2.HealthCheckResponse.NOT_SERVING
    await until(lambda: rig.info(match).state is MatchState.SCHEDULED, "it is handed over")
    assert rig.metrics.registry.get_sample_value("euchre_arena_unfit") == 1
    assert rig.store.matches.attempts(match) == []
    await until(lambda: all(r.draining for r in rig.store.referees.all()), "the store knows")
    # It keeps time again, and goes on.
    assert (await watch.read()).status == health_pb2.HealthCheckResponse.SERVING
    await rig.place(match)
    await mia.until(lambda frame: any(each.resumed for each in frame.games_started))
    assert rig.faults(match) == [{}, {}]
    assert rig.metrics.registry.get_sample_value("euchre_arena_matches_recovered_total") == 1


async def test_a_host_that_is_late_gives_the_orders_away_that_wait(rig: Rig) -> None:
    """Not only when they have lain there for a minute."""
    referee = await rig.start(matches=1, late_ms=60_000, fitness_window_ms=60_000)
    mia = await rig.bot("mia")
    rig.play("bob", Bold())
    matches = rig.order("mia", "bob", matches=3, match_format={"games": 100})
    await rig.place(*matches)
    await mia.turn()
    hosting = referee.hosting
    assert hosting is not None
    await until(lambda: sorted(hosting.waiting) == matches[1:], "two wait for the first")
    for _ in range(3):
        referee.fitness.late(time.monotonic_ns())
    for match in matches:
        await until(lambda match=match: rig.info(match).state is MatchState.SCHEDULED, "given away")
        assert rig.store.matches.attempts(match) == []
    assert hosting.waiting == {}
    assert [each.draining for each in rig.store.referees.all()] == [True]
