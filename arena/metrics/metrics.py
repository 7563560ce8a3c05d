"""What a referee's parts call; one `Metrics` a process, made where the process starts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from prometheus_client import (
    CollectorRegistry,
    Counter,
    Gauge,
    GCCollector,
    ProcessCollector,
    disable_created_metrics,
)

from arena.metrics.buckets import Histogram, HistogramFamily
from arena.metrics.catalogue import BY_NAME, FAULTS, PREFIX, REJECT_REASONS, Part

OTHER: Final = "other"

# A second series beside each counter with the time it was made, which nothing here reads.
disable_created_metrics()  # type: ignore[no-untyped-call]  # the library forgot `-> None`


class Metrics:
    """The metrics of a referee's process. One thread, the loop's, writes."""

    def __init__(self, registry: CollectorRegistry | None = None, *, max_bots: int = 256) -> None:
        self.registry = registry if registry is not None else CollectorRegistry()
        self.max_bots = max_bots
        self._bots: set[str] = set()
        ProcessCollector(registry=self.registry)
        GCCollector(registry=self.registry)

        self._decisions = self._counter("decisions")
        decision_time = self._histogram("decision_seconds")
        self.referee_time: Histogram = decision_time.labels("referee")
        self.network_time: Histogram = decision_time.labels("network")
        self.thinking_time: Histogram = decision_time.labels("thinking")
        frames = self._counter("frames")
        sizes, batches = self._histogram("frame_size_bytes"), self._histogram("frame_decisions")
        self._frames_in, self._frames_out = frames.labels("in"), frames.labels("out")
        self._size_in, self._size_out = sizes.labels("in"), sizes.labels("out")
        self._batch_in, self._batch_out = batches.labels("in"), batches.labels("out")
        self._rejected = self._counter("answers_rejected")
        for reason in REJECT_REASONS:
            self._rejected.labels(reason)
        self.loop_lag: Histogram = self._histogram("loop_lag_seconds").labels()
        """Nanoseconds: ``metrics.loop_lag.observe(lag_ns)``."""

        self._games = self._counter("games")
        self._games.labels("played")
        self._hands = self._counter("hands")
        self._matches = self._counter("matches")
        self._referee_matches = self._gauge("referee_matches")
        self.open_games = self._gauge("open_games")
        self._faults = self._counter("faults")
        self._time_losses = self._counter("time_losses")
        self.sessions = self._gauge("sessions")
        self._opened = self._counter("sessions_opened")
        self._refused = self._counter("sessions_refused")
        self.draining = self._gauge("draining")
        self.unfit = self._gauge("unfit")
        self.store_away = self._gauge("store_away")
        self.journal_time: Histogram = self._histogram("journal_seconds").labels()
        """Nanoseconds."""
        self.recovered = self._counter("matches_recovered")
        self._record_errors = self._counter("record_errors")

    # -- the hot path: once a frame

    def frame_read(self, size: int, answers: int) -> None:
        """A frame of ``size`` bytes with so many answers came in."""
        self._frames_in.inc()
        self._size_in.observe(size)
        if answers:
            self._batch_in.observe(answers)

    def frame_sent(self, size: int, turns: int) -> None:
        """A frame of ``size`` bytes with so many turns was handed to the transport."""
        self._frames_out.inc()
        self._size_out.observe(size)
        if turns:
            self._batch_out.observe(turns)

    def observe_decisions(
        self,
        referee_ns: Sequence[int],
        network_ns: Sequence[int],
        thinking_ns: Sequence[int],
    ) -> None:
        """Decisions that took effect, with their times in nanoseconds, one entry a decision.

        Where a part is the same for the whole frame, use `count_decisions` and
        ``metrics.network_time.observe(ns, times)`` instead: it is cheaper still.
        """
        self._decisions.inc(len(thinking_ns))
        self.referee_time.observe_many(referee_ns)
        self.network_time.observe_many(network_ns)
        self.thinking_time.observe_many(thinking_ns)

    def count_decisions(self, number: int) -> None:
        """So many answers took effect; their times are observed apart."""
        self._decisions.inc(number)

    # -- games, matches, faults

    def answer_rejected(self, reason: str, number: int = 1) -> None:
        """An answer changed nothing: malformed, stale, unknown-game, illegal, late, duplicate."""
        self._rejected.labels(reason if reason in REJECT_REASONS else OTHER).inc(number)

    def fault(self, kind: str, bot: str) -> None:
        """A fault was charged to a bot; a timeout counts as a loss of time besides."""
        self._faults.labels(kind if kind in FAULTS else OTHER, self.bot_label(bot)).inc()
        if kind == "timeout":
            self._time_losses.inc()

    def hands_over(self, number: int = 1) -> None:
        """Hands ended."""
        self._hands.inc(number)

    def game_over(self, fault: str = "", number: int = 1) -> None:
        """Games ended, played out or by a fault."""
        ended = "played" if not fault else fault if fault in FAULTS else OTHER
        self._games.labels(ended).inc(number)

    def match_over(self, outcome: str) -> None:
        """A match left this referee: finished, voided or handed-back."""
        known = outcome in ("finished", "voided", "handed-back")
        self._matches.labels(outcome if known else OTHER).inc()

    def referee_matches(self, state: str, number: int) -> None:
        """How many matches of this referee are waiting, playing or paused now."""
        self._referee_matches.labels(state).set(number)

    def record_error(self) -> None:
        """A record could not be written: a full disk, no permission."""
        self._record_errors.inc()

    # -- sessions

    def session_opened(self, *, resumed: bool = False) -> None:
        """A session began, or was taken up again."""
        self.sessions.inc()
        self._opened.labels("resumed" if resumed else "new").inc()

    def session_closed(self) -> None:
        """A session's stream ended."""
        self.sessions.dec()

    def session_refused(self, reason: str) -> None:
        """A stream was turned away; the reason is the status in lower case, not its text."""
        self._refused.labels(reason).inc()

    # -- making them

    def bot_label(self, bot: str) -> str:
        """The bot's name while there are few enough of them, then "other"."""
        if bot in self._bots:
            return bot
        if len(self._bots) >= self.max_bots:
            return OTHER
        self._bots.add(bot)
        return bot

    def _counter(self, name: str) -> Counter:
        spec = BY_NAME[name]
        return Counter(PREFIX + name, spec.help, spec.labels, registry=self.registry)

    def _gauge(self, name: str) -> Gauge:
        spec = BY_NAME[name]
        return Gauge(PREFIX + name, spec.help, spec.labels, registry=self.registry)

    def _histogram(self, name: str) -> HistogramFamily:
        family = HistogramFamily(BY_NAME[name])
        self.registry.register(family)
        return family


def part_names(part: Part) -> tuple[str, ...]:
    """The names, as scraped, that processes of one part show."""
    return tuple(spec.exposed for spec in BY_NAME.values() if spec.part == part)
