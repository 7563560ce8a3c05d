"""A worker goes on taking tasks whatever becomes of its connections, or ends."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from arena.store import Embedded, Store, StoreUnavailable, keys
from tests.support.line import Line
from tests.support.tournaments import wait_for
from tests.support.workers import hall
from workers.deaf import DEAF_LOOKS, Hearing

UNACKED = f"{keys.CELERY_PREFIX}unacked_index".encode()
ACKNOWLEDGED = b"ZREM\r\n$%d\r\n%s" % (len(UNACKED), UNACKED)
"""Of a worker's requests only the acknowledgement of a task has it."""


class Queue:
    """What a hearing asks for."""

    def __init__(self, waiting: int = 3, working: bool = False) -> None:
        self.tasks, self.working = waiting, working
        self.hearing = Hearing(self.waiting, lambda: self.working)

    def waiting(self) -> int:
        if self.tasks < 0:
            raise StoreUnavailable("away")
        return self.tasks

    def looks(self, many: int) -> list[bool]:
        return [self.hearing.deaf() for _ in range(many)]


def test_deaf_is_who_takes_nothing_of_what_waits():
    assert Queue().looks(DEAF_LOOKS) == [False] * (DEAF_LOOKS - 1) + [True]


@pytest.mark.parametrize("idle", [Queue(waiting=0), Queue(working=True)])
def test_who_has_nothing_to_do_or_is_at_it_is_not(idle: Queue):
    assert not any(idle.looks(3 * DEAF_LOOKS))


def test_a_task_that_comes_begins_it_anew():
    queue = Queue()
    assert not any(queue.looks(DEAF_LOOKS - 1))
    queue.hearing.heard()
    assert not any(queue.looks(DEAF_LOOKS - 1))
    assert queue.hearing.deaf()


def test_a_store_that_is_away_says_nothing_of_the_worker():
    queue = Queue(waiting=-1)
    for _ in range(2 * DEAF_LOOKS):
        with pytest.raises(StoreUnavailable):
            queue.hearing.deaf()
    queue.tasks = 3
    assert not any(queue.looks(DEAF_LOOKS - 1))


@pytest.mark.slow
async def test_acknowledgements_that_do_not_get_through(
    valkey: Embedded, store: Store, tmp_path: Path
):
    """One more than a worker holds at once, each on a connection that breaks."""

    def all_done() -> bool:
        depths = store.matches.depths()
        return (depths.tasks, depths.unacked) == (0, 0)

    async with Line(valkey.settings) as line:
        with hall(line.settings, tmp_path) as workers:
            worker = await asyncio.to_thread(workers.worker, concurrency=1)
            line.break_at = [ACKNOWLEDGED, ACKNOWLEDGED]
            for _ in range(5):
                store.tasks.sweep()
            await asyncio.to_thread(wait_for, all_done, 120, about=str(worker.log))
            assert line.break_at == []
            said = worker.log.read_text()
            assert said.count("Couldn't ack") == 2
            assert worker.process.poll() is None


@pytest.mark.slow
@pytest.mark.parametrize("cut", [False, True], ids=["at-first", "after-it-connected-anew"])
async def test_a_deaf_worker_ends_and_another_does_its_work(
    valkey: Embedded, store: Store, tmp_path: Path, cut: bool
):
    deaf = tmp_path / "deaf"

    def connected() -> int:
        return worker.log.read_text().count("Connected to")

    async def all_taken() -> None:
        await asyncio.to_thread(wait_for, lambda: store.tasks.waiting() == 0, 60)

    async with Line(valkey.settings) as line:
        with hall(line.settings, tmp_path) as workers:
            worker = await asyncio.to_thread(workers.worker, deaf=deaf)
            if cut:
                line.cut()
                await asyncio.to_thread(wait_for, lambda: connected() == 2, 60)
            store.tasks.sweep()
            await all_taken()
            deaf.touch()
            store.tasks.sweep()
            store.tasks.sweep()  # the first may come to a request that was sent before
            assert await asyncio.to_thread(worker.process.wait, 120) == 1
            assert "this worker ends" in worker.log.read_text()
            assert store.tasks.waiting() > 0
            deaf.unlink()
            await asyncio.to_thread(workers.worker)
            await all_taken()
