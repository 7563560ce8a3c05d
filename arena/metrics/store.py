"""What is read from the store at each scrape: matches, queues, the stalled lease, ratings.

Any process with a store may show these; they are the same wherever they are read, so queries take
the ``max`` over instances.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily
from prometheus_client.metrics_core import Metric
from prometheus_client.registry import Collector

from arena.metrics.catalogue import BY_NAME, PREFIX
from arena.store import Store, StoreError
from arena.store.types import Depths, TournamentState

_RATED = (TournamentState.SCHEDULING, TournamentState.RUNNING, TournamentState.PAUSED)


class StoreCollector(Collector):
    """Asks the store twice a scrape; shows ``store_up 0`` and nothing else when it is away."""

    def __init__(self, store: Store, *, max_ratings: int = 256) -> None:
        self._store = store
        self._max_ratings = max_ratings

    def describe(self) -> Iterable[Metric]:
        """Names and types without asking the store: it may be away when this is registered."""
        return [_family(name) for name, spec in BY_NAME.items() if spec.part == "store"]

    def collect(self) -> Iterator[Metric]:
        """What a scrape reads."""
        up = _family("store_up")
        try:
            families = [*_depths(self._store.matches.depths()), *self._ratings()]
        except StoreError:
            up.add_metric((), 0)
            yield up
            return
        up.add_metric((), 1)
        yield up
        yield from families

    def _ratings(self) -> Iterator[Metric]:
        """Of unfinished tournaments, the newest first, while there is room for all their bots."""
        families = [_family(name) for name in ("rating", "rating_low", "rating_high")]
        room = self._max_ratings
        for tournament in self._store.tournaments.all():
            if tournament.state not in _RATED or len(tournament.entrants) > room:
                continue
            snapshot = self._store.standings.get(tournament.tournament_id)
            if snapshot is None:
                continue
            room -= len(tournament.entrants)
            for row in snapshot.table.get("standings", ()):
                labels = (tournament.tournament_id, str(row["entrant"]))
                for family, key in zip(families, ("rating", "low", "high"), strict=True):
                    if row.get(key) is not None:
                        family.add_metric(labels, float(row[key]))
        yield from families


def _depths(depths: Depths) -> Iterator[Metric]:
    yield _filled("store_matches", {str(state): n for state, n in depths.matches.items()})
    yield _filled("tournaments", {str(state): n for state, n in depths.tournaments.items()})
    yield _filled(
        "queue_depth",
        {
            "waiting": depths.waiting,
            "pending": depths.pending,
            "inbox": sum(depths.inbox.values()),
            "tasks": depths.tasks,
            "unacked": depths.unacked,
        },
    )
    stalled = _family("oldest_stalled_match_seconds")
    stalled.add_metric((), depths.oldest_progress_ms / 1000)
    yield stalled
    yield _filled("results_rejected", depths.rejected)


def _filled(name: str, values: Mapping[str, int]) -> Metric:
    family = _family(name)
    for label, value in values.items():
        family.add_metric((label,), value)
    return family


def _family(name: str) -> CounterMetricFamily | GaugeMetricFamily:
    spec = BY_NAME[name]
    kind = CounterMetricFamily if spec.type == "counter" else GaugeMetricFamily
    return kind(PREFIX + name, spec.help, labels=spec.labels)
