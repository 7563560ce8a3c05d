"""Clocks as the referee keeps them: from the transport to the answer, never its own queueing."""

from __future__ import annotations

from euchre_arena.wire import pb

from tests.referee.rig import Bold, RawBot, Rig, until

QUICK = {"move_time_ms": 30, "lag_per_move_ms": 0}


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
    assert (turn.move_time_ms, turn.bank_ms) == (30, 0)
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
    clock = {"move_time_ms": 300, "lag_per_move_ms": 0}
    mia, match = await mia_against_bob(rig, clock=clock, match_format={"deals": 2})
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
    await rig.scans(5)
    assert rig.faults(match) == faults
    mia.acked = first.frame
    await mia.send()
    turn = await mia.turn()
    assert turn.move_time_ms == 30
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
