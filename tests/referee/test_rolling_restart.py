"""An upgrade in the middle of a tournament: referees and workers one after the other."""

from __future__ import annotations

import asyncio
import signal
from pathlib import Path

import pytest
from euchre_arena.match.replay import replay_record

from arena.store import Embedded, Store
from arena.store.types import TournamentState
from tests.referee.halls import referees
from tests.referee.rig import Rig, until
from tests.referee.test_recovery import Memory
from tests.support.tournaments import create
from tests.support.workers import hall

NAMES = ("ada", "bob", "cleo", "dora")


@pytest.mark.slow
@pytest.mark.timeout(300)
async def test_a_rolling_restart_loses_nothing_and_charges_nobody(
    valkey: Embedded, store: Store, rig: Rig, tmp_path: Path
) -> None:
    bots = {name: Memory() for name in NAMES}

    def finished() -> int:
        return store.tournaments.get("t").progress.finished

    with hall(valkey.settings, tmp_path) as workers:
        first = await asyncio.to_thread(workers.worker)
        workers.beat()
        async with referees(2, valkey, rig, lease_ms=5000, matches=2) as halls:
            for number, (name, bot) in enumerate(bots.items()):
                rig.play(name, bot, server=halls[number % 2].address)
            await until(lambda: all(store.referees.homes(name) for name in NAMES), "all are there")
            total = create(store, NAMES, cycles=4, games=20).progress.total
            store.tournaments.start("t")
            assert store.tasks.schedule("t")
            for number, referee in enumerate(halls):
                before = finished()
                await until(lambda before=before: finished() > before, "matches are played", 60)
                assert await referee.end(signal.SIGTERM) == 0
                if number == 0:
                    second = await asyncio.to_thread(workers.worker)
                    first.process.send_signal(signal.SIGTERM)
                await referee.start()
            assert finished() < total
            state = TournamentState.FINISHED
            await until(lambda: store.tournaments.get("t").state is state, "it is over", 120)
            assert first.process.wait(30) == 0
            assert second.process.poll() is None

    found = list(store.matches.results("t"))
    assert len(found) == total
    assert [each.result["faults"] for each in found] == [[{}, {}]] * total
    assert {each.attempt for each in found} == {1}
    assert store.tournaments.get("t").progress.voided == 0
    assert sum(store.matches.depths().rejected.values()) == 0
    assert [bot.differed for bot in bots.values()] == [[]] * len(bots)
    for each in found:
        report = replay_record((rig.data / "records" / each.record).read_text().splitlines())
        assert report.ok, report.message
