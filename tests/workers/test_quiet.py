from __future__ import annotations

from tests.support.tournaments import wait_for
from tests.support.workers import hall


def test_what_goes_well_is_not_logged(store, valkey, tmp_path):
    with hall(valkey.settings, tmp_path) as workers:
        worker = workers.worker(concurrency=1)
        beat = workers.beat()
        wait_for(lambda: "beat: Starting" in beat.log.read_text())
        store.tasks.schedule("nothing")  # logs that there is no such tournament
        wait_for(lambda: "nothing" in worker.log.read_text(), about="what is amiss is logged")
        for _ in range(3):
            store.tasks.sweep()
        wait_for(lambda: store.matches.depths().tasks == 0)
        assert "succeeded" not in worker.log.read_text()
        assert "received" not in worker.log.read_text()
        assert "Sending due task" not in beat.log.read_text()
