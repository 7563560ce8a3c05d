"""100,000 pairings: scheduled in batches, in bounded memory."""

from __future__ import annotations

import resource
from pathlib import Path

import pytest

from arena.store import Embedded, Store
from tests.support.tournaments import create, wait_for
from tests.support.workers import hall

PAIRINGS = 100_000
WORKER_MB = 30
"""How much the processes of a worker may grow by; the pairings alone would take twice that."""
SERVER_BYTES = 600
"""Of the server's memory a match may take."""


def resident_mb(group: int) -> float:
    """Resident memory of all processes of a group, MB."""
    total = 0
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = stat.read_text().rpartition(")")[2].split()
        except (FileNotFoundError, ProcessLookupError):
            continue
        if int(fields[2]) == group:
            total += int(fields[21]) * resource.getpagesize()
    return total / 1e6


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_100_000_pairings(store: Store, valkey: Embedded, tmp_path: Path) -> None:
    bots = [f"b{i}" for i in range(80)]
    made = create(store, bots, cycles=32)
    assert made.progress.total >= PAIRINGS
    create(store, bots, "warm", cycles=1)
    with hall(valkey.settings, tmp_path) as workers:
        worker = workers.worker()
        # A first tournament loads what a worker loads once.
        store.tournaments.start("warm")
        store.tasks.schedule("warm")
        wait_for(lambda: store.tournaments.get("warm").state == "running")
        before = resident_mb(worker.process.pid)
        used = store._link.client.info("memory")["used_memory"]
        store.tournaments.start("t")
        store.tasks.schedule("t")
        most, queue = before, 0

        def scheduled() -> bool:
            nonlocal most, queue
            most = max(most, resident_mb(worker.process.pid))
            queue = max(queue, store.matches.depths().tasks)
            return store.tournaments.get("t").state == "running"

        wait_for(scheduled, 480)
        each = (store._link.client.info("memory")["used_memory"] - used) / made.progress.total

        assert store.tournaments.cursor("t") == made.progress.total
        assert most - before < WORKER_MB
        assert queue <= 3, "batches follow one another; they do not pile up"
        assert each < SERVER_BYTES
        last = store.matches.page("t", made.progress.total - 1, 10)
        assert [match.index for match in last] == [made.progress.total - 1]
