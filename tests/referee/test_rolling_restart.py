"""An upgrade in the middle of a tournament: referees and workers one after the other."""

from __future__ import annotations

import asyncio
import signal
from pathlib import Path
from typing import Any

import pytest
from euchre_arena.bot import MatchOutcome
from euchre_arena.match.replay import replay_record

from arena.store import Embedded, Store
from arena.store.types import TournamentState
from tests.referee.halls import referees
from tests.referee.rig import Rig, until
from tests.referee.test_recovery import Memory
from tests.support.tournaments import create
from tests.support.workers import hall

NAMES = ("ada", "bob", "cleo", "dora")


class Holding(Memory):
    """Answers nothing more when so many of its matches are over, until it may play more."""

    def __init__(self) -> None:
        super().__init__()
        self.most = 0
        self.ended: set[str] = set()

    async def act(self, turn: Any) -> str:  # type: ignore[override]  # authors may do either
        while len(self.ended) >= self.most:  # noqa: ASYNC110 - what is waited for has no event
            await asyncio.sleep(0.02)
        return super().act(turn)

    def match_ended(self, outcome: MatchOutcome) -> None:
        self.ended.add(outcome.match_id)


@pytest.mark.slow
@pytest.mark.timeout(600)
async def test_a_rolling_restart_loses_nothing_and_charges_nobody(
    valkey: Embedded, store: Store, rig: Rig, tmp_path: Path
) -> None:
    # Of dora's twelve matches two are over when the first referee is started again, and at most
    # the four that were under way; seven and four when the second is: however fast all others play,
    # there is something left.
    dora = Holding()
    bots = {**{name: Memory() for name in NAMES[:3]}, "dora": dora}

    def finished() -> int:
        return store.tournaments.get("t").progress.finished

    with hall(valkey.settings, tmp_path) as workers:
        first = await asyncio.to_thread(workers.worker)
        workers.beat()
        async with referees(2, valkey, rig, lease_ms=5000, matches=2) as halls:
            for number, (name, bot) in enumerate(bots.items()):
                rig.play(name, bot, server=halls[number % 2].address)
            await until(lambda: all(store.referees.homes(name) for name in NAMES), "all are there")
            total = create(store, NAMES, cycles=4, games=20, patient=True).progress.total
            store.tournaments.start("t")
            assert store.tasks.schedule("t")
            for number, referee in enumerate(halls):
                dora.most = 2 + 5 * number
                before = finished()
                await until(lambda before=before: finished() > before, "matches are played", 120)
                assert await referee.end(signal.SIGTERM) == 0
                if number == 0:
                    second = await asyncio.to_thread(workers.worker)
                    first.process.send_signal(signal.SIGTERM)
                await referee.start()
            assert finished() < total
            dora.most = total
            state = TournamentState.FINISHED
            await until(lambda: store.tournaments.get("t").state is state, "it is over", 240)
            assert first.process.wait(60) == 0
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
