"""What an operator scrapes (docs/operators.md has the table, checked against this code).

- `catalogue`: every metric by name, type, labels and meaning. The only place that names one.
- `buckets`: histograms cheap enough for every decision of the referee.
- `metrics`: `Metrics`, one a referee process: what its parts call.
- `tasks`: `TaskBoard`, what a worker's children did.
- `store`: what is read from the store at each scrape: matches, queues, leases, ratings.
- `http`: `serve`, `/metrics` on an address of its own.

The hot path is three calls a frame, none a decision::

    metrics = Metrics()
    metrics.frame_read(size_bytes, answers)
    metrics.observe_decisions(referee_ns, network_ns, thinking_ns)  # lists, one entry a decision
    metrics.frame_sent(size_bytes, turns)

Label sets are bounded: by enumerations, or by `Metrics.max_bots`, beyond which a bot's name
reads "other".
"""

from arena.metrics.buckets import Histogram
from arena.metrics.http import MetricsServer, serve
from arena.metrics.metrics import Metrics
from arena.metrics.store import StoreCollector
from arena.metrics.tasks import TaskBoard

__all__ = ["Histogram", "Metrics", "MetricsServer", "StoreCollector", "TaskBoard", "serve"]
