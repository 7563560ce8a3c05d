"""Tasks of a worker whose children do them: counted in memory the children share with it.

A prefork worker's children are processes; only the worker itself can be scraped. Each child has a
row of its own, so there is no lock which a killed child could take with it; the scrape adds up.
"""

from __future__ import annotations

import mmap
from bisect import bisect_left
from collections.abc import Iterator, Sequence

from prometheus_client.core import CounterMetricFamily, HistogramMetricFamily
from prometheus_client.metrics_core import Metric
from prometheus_client.registry import Collector

from arena.metrics.buckets import cumulated
from arena.metrics.catalogue import BY_NAME, PREFIX

OUTCOMES = ("ok", "failed")
_COUNT, _TIME = BY_NAME["tasks"], BY_NAME["task_seconds"]


class TaskBoard(Collector):
    """Made before the children are forked; ``rows`` is the most of them there can be at once."""

    def __init__(self, tasks: Sequence[str], rows: int = 64) -> None:
        self._tasks = {task: index for index, task in enumerate(tasks)}
        self._rows = rows
        # per task: outcomes, buckets and one above them all, sum of nanoseconds
        self._width = len(OUTCOMES) + len(_TIME.bounds) + 2
        size = rows * len(self._tasks) * self._width * 8
        self._cells = memoryview(mmap.mmap(-1, size)).cast("Q")

    def done(self, row: int, task: str, outcome: str, time_ns: int) -> None:
        """A task ended, told by the child of that row. Tasks of no known name are not counted."""
        index = self._tasks.get(task)
        if index is None:
            return
        at = self._at(row % self._rows, index)
        self._cells[at + OUTCOMES.index(outcome)] += 1
        self._cells[at + len(OUTCOMES) + bisect_left(_TIME.bounds, time_ns)] += 1
        self._cells[at + self._width - 1] += time_ns

    def describe(self) -> list[Metric]:
        """Names and types."""
        return [
            CounterMetricFamily(PREFIX + _COUNT.name, _COUNT.help, labels=_COUNT.labels),
            HistogramMetricFamily(_TIME.exposed, _TIME.help, labels=_TIME.labels),
        ]

    def collect(self) -> Iterator[Metric]:
        """What a scrape reads."""
        counts = CounterMetricFamily(PREFIX + _COUNT.name, _COUNT.help, labels=_COUNT.labels)
        times = HistogramMetricFamily(_TIME.exposed, _TIME.help, labels=_TIME.labels)
        for task, index in self._tasks.items():
            sums = [0] * self._width
            for row in range(self._rows):
                at = self._at(row, index)
                for place, value in enumerate(self._cells[at : at + self._width]):
                    sums[place] += value
            for outcome, value in zip(OUTCOMES, sums, strict=False):
                counts.add_metric((task, outcome), value)
            buckets = cumulated(_TIME, sums[len(OUTCOMES) : -1])
            times.add_metric((task,), buckets, sums[-1] * _TIME.scale)
        yield counts
        yield times

    def _at(self, row: int, task: int) -> int:
        return (row * len(self._tasks) + task) * self._width
