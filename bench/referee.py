"""The referee of a measurement, a process of its own; one JSON line a second on its output."""

from __future__ import annotations

import asyncio
import json
import resource
import sys
import time
from array import array
from collections.abc import Sequence
from itertools import islice
from pathlib import Path

from arena.metrics import Metrics
from arena.referee import Referee, RefereeConfig, serve
from arena.referee.runtime import run
from arena.store import Store


class Measured(Metrics):
    """The referee's own metrics, and the whole time of each decision beside them."""

    def __init__(self) -> None:
        super().__init__()
        self.totals = array("q")
        self.decisions = 0
        self.hands = 0

    def observe_decisions(
        self, referee_ns: Sequence[int], network_ns: Sequence[int], thinking_ns: Sequence[int]
    ) -> None:
        super().observe_decisions(referee_ns, network_ns, thinking_ns)
        self.decisions += len(thinking_ns)
        # A few are enough for quantiles; all of them would cost what is measured here.
        few = islice(zip(referee_ns, network_ns, thinking_ns, strict=True), 4)
        self.totals.extend(map(sum, few))

    def hands_over(self, number: int = 1) -> None:
        super().hands_over(number)
        self.hands += number


def resident_kb() -> int:
    """Memory of this process now."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * resource.getpagesize() // 1024


async def report(referee: Referee, metrics: Measured) -> None:
    """Say every second how far it is."""
    while True:
        used = resource.getrusage(resource.RUSAGE_SELF)
        totals, metrics.totals = sorted(metrics.totals), array("q")
        line = {
            "address": referee.address,
            "time": time.monotonic(),
            "cpu": used.ru_utime + used.ru_stime,
            "decisions": metrics.decisions,
            "hands": metrics.hands,
            "games": sum(len(hosted.games) for hosted in referee.engine.hosted.values()),
            "sessions": len(referee.roster),
            "rss_kb": resident_kb(),
            "p50_ns": totals[len(totals) // 2] if totals else 0,
            "p99_ns": totals[len(totals) * 99 // 100] if totals else 0,
        }
        print(json.dumps(line), flush=True)
        await asyncio.sleep(1)


async def main(url: str, settings: str) -> None:
    """``settings``: fields of `RefereeConfig` as JSON."""
    fields = json.loads(settings)
    fields["data"] = Path(fields["data"])
    metrics = Measured()
    tasks: list[asyncio.Task[None]] = []

    def ready(referee: Referee) -> None:
        tasks.append(asyncio.create_task(report(referee, metrics)))

    await serve(RefereeConfig(**fields), Store.connect(url), metrics, ready)
    tasks[0].cancel()


if __name__ == "__main__":
    run(main(*sys.argv[1:]))
