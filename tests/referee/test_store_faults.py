"""The store is cut off, slow, full, gone and back: play waits with its clocks stopped, goes on,
and nothing is lost or doubled."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import AsyncIterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
import redis
from euchre_arena.match.replay import replay_record

from arena.store import Embedded, Store, StoreMisconfigured, StoreUnavailable
from arena.store.journal import Durability
from arena.store.types import MatchState
from tests.referee.halls import sweeping
from tests.referee.rig import Bold, Rig, Seen, until
from tests.support.line import Line
from tests.support.servers import answers, free_port, server
from tests.support.tournaments import wait_for

QUICK = {"move_time_ms": 2_000, "bank_ms": 0, "disconnect_grace_ms": 60_000}


@pytest.fixture
async def line(valkey: Embedded, rig: Rig) -> AsyncIterator[Line]:
    """Between the rig's referee and its store; the test's own way to the store is another."""
    async with Line(valkey.settings) as line:
        through = await asyncio.to_thread(Store.connect, line.settings)
        await rig.start(store=through, lease_ms=60_000, journal_wait_ms=300)
        yield line
        line.flow()
        await rig.close()
        rig.started = False
        through.close()


async def at_play(rig: Rig, games: int = 60) -> tuple[str, list[Seen]]:
    """Two bots with little time, and a match between them under way."""
    seen = [rig.play(name, Bold()) for name in ("ada", "bob")]
    (match,) = rig.order("ada", "bob", match_format={"games": games}, clock=QUICK)
    await rig.place(match)
    await go_on(seen)
    return match, seen


async def go_on(seen: list[Seen], more: int = 60) -> None:
    """Wait until they have decided so often again."""
    marks = [each.stats.decisions + more for each in seen]
    await until(
        lambda: all(s.stats.decisions >= mark for s, mark in zip(seen, marks, strict=True)),
        "they play on",
    )


async def ended_well(rig: Rig, match: str) -> None:
    """One attempt, one result, no fault, a record that replays."""
    await rig.finished(match)
    info = rig.info(match)
    assert info.attempts == 1
    assert rig.store.matches.attempts(match) == []
    assert rig.result(match)["faults"] == [{}, {}]
    report = replay_record((rig.data / "records" / info.record).read_text().splitlines())
    assert report.ok, report.message
    assert report.faults == []
    assert sum(rig.store.matches.depths().rejected.values()) == 0
    assert rig.metrics.registry.get_sample_value("euchre_arena_store_away") == 0


async def test_a_line_that_is_cut_again_and_again(rig: Rig, line: Line) -> None:
    match, seen = await at_play(rig)
    for _ in range(10):
        line.cut()
        await go_on(seen, 20)
    await ended_well(rig, match)


async def test_answers_lost_in_the_middle_of_scripts(rig: Rig, line: Line) -> None:
    """What was asked for is done, and who asked does not know."""
    match, seen = await at_play(rig)
    for _ in range(10):
        line.answers_to_lose = 2
        await go_on(seen, 20)
    assert line.lost >= 10
    line.answers_to_lose = 0
    await ended_well(rig, match)


async def test_a_store_that_hangs_stops_the_clocks(rig: Rig, line: Line) -> None:
    match, seen = await at_play(rig)
    line.hold()
    away = "euchre_arena_store_away"
    await until(lambda: rig.metrics.registry.get_sample_value(away) == 1, "clocks stand still")
    hosted = rig.referee.engine.hosted[match]
    assert hosted.match.next_deadline() is None
    # For longer than any bot has; turns that were out are answered, no other is asked.
    quiet = [each.stats.decisions for each in seen]
    await rig.scans(150)
    assert sum(each.stats.decisions for each in seen) - sum(quiet) <= 8
    line.flow()
    await go_on(seen)
    await ended_well(rig, match)


async def test_a_full_store_stops_play_until_there_is_room(rig: Rig, line: Line) -> None:
    match, seen = await at_play(rig)
    rig.store._link.call("CONFIG", "SET", "maxmemory", 1)
    try:
        away = "euchre_arena_store_away"
        await until(lambda: rig.metrics.registry.get_sample_value(away) == 1, "play waits")
    finally:
        rig.store._link.call("CONFIG", "SET", "maxmemory", 0)
    await go_on(seen)
    await ended_well(rig, match)


@pytest.fixture
async def own_rig(tmp_path: Path) -> AsyncIterator[tuple[Rig, Embedded]]:
    """A rig whose store may be killed."""
    with Embedded(tmp_path / "own", free_port()) as embedded:
        store = Store.connect(embedded.settings)
        rig = Rig(store, tmp_path)
        yield rig, embedded
        await rig.close()
        store.close()


async def test_a_store_killed_and_started_again(own_rig: tuple[Rig, Embedded]) -> None:
    rig, embedded = own_rig
    await rig.start(lease_ms=15_000, journal_wait_ms=300)
    match, seen = await at_play(rig)
    for _ in range(3):
        os.kill(embedded.pid, signal.SIGKILL)
        await until(lambda: not embedded.alive(), "it is dead")
        await asyncio.to_thread(embedded.start)
        async with sweeping(rig.store):
            await go_on(seen, 20)
    await ended_well(rig, match)


def state(rig: Rig, match: str) -> MatchState | None:
    """Of a match, unless the sentinels are at it."""
    try:
        return rig.info(match).state
    except StoreUnavailable:
        return None


@pytest.mark.slow
async def test_a_replica_takes_over(tmp_path: Path) -> None:
    """What the replica had not heard of yet is told again by the referee."""
    main, replica, watcher = free_port(), free_port(), free_port()
    watch = (
        f"port {watcher}\nsentinel monitor arena 127.0.0.1 {main} 1\n"
        "sentinel down-after-milliseconds arena 1000\nsentinel failover-timeout arena 2000\n"
    )
    with ExitStack() as stack:
        kept = "appendonly yes\n"
        first = stack.enter_context(server(tmp_path / "main", f"port {main}\n{kept}"))
        answers(redis.Redis(port=main))
        stack.enter_context(
            server(tmp_path / "rep", f"port {replica}\nreplicaof 127.0.0.1 {main}\n{kept}")
        )
        copy: Any = answers(redis.Redis(port=replica, decode_responses=True))
        wait_for(lambda: copy.info("replication")["master_link_status"] == "up")
        stack.enter_context(server(tmp_path / "sentinel", watch, "--sentinel"))
        sentinel: Any = answers(redis.Redis(port=watcher, decode_responses=True))
        wait_for(lambda: sentinel.sentinel_slaves("arena"))
        store = Store.connect(f"sentinel://127.0.0.1:{watcher}/0?master=arena")
        rig = Rig(store, tmp_path)
        try:
            await rig.start(lease_ms=15_000, journal_wait_ms=300)
            match, seen = await at_play(rig, games=150)
            # The replica falls behind, and the machine of the other is gone.
            copy.execute_command("CLIENT", "KILL", "TYPE", "master")
            os.kill(first.pid, signal.SIGKILL)
            await until(
                lambda: sentinel.sentinel_master("arena")["port"] == replica, "it takes over"
            )
            await go_on(seen)
            await until(lambda: state(rig, match) is MatchState.FINISHED, "it is finished")
            await ended_well(rig, match)
        finally:
            await rig.close()
            store.close()


async def test_a_store_that_keeps_less_than_it_should_is_refused(
    rig: Rig, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with pytest.raises(StoreMisconfigured, match=r"always, and redis://.* appendfsync everysec"):
        await rig.start(durability="always")
    await rig.close()
    with Embedded(tmp_path / "always", durability="always") as embedded:
        store = Store.connect(embedded.settings)
        careful = Rig(store, tmp_path)
        await careful.start(durability="always")
        assert store.journals.durability() is Durability.ALWAYS
        store._link.call("CONFIG", "SET", "appendonly", "no")
        await careful.close()
        await careful.start()
        assert "keeps no append-only file" in caplog.text
        await careful.close()
        store.close()
