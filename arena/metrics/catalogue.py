"""Every metric the service exposes: name, type, labels, meaning, and whose process shows it."""

from __future__ import annotations

from typing import Final, Literal, NamedTuple

PREFIX: Final = "euchre_arena_"

Type = Literal["counter", "gauge", "histogram"]
Part = Literal["referee", "worker", "store"]


class Spec(NamedTuple):
    """One metric. ``name`` is without prefix and without the ``_total`` of a counter."""

    name: str
    type: Type
    part: Part
    labels: tuple[str, ...]
    help: str
    bounds: tuple[int, ...] = ()
    """Upper bounds of a histogram's buckets, in the unit observed (see ``scale``)."""
    scale: float = 1.0
    """What an observed integer is multiplied with when exposed: 1e-9 for nanoseconds."""

    @property
    def exposed(self) -> str:
        """The name as scraped."""
        return f"{PREFIX}{self.name}{'_total' if self.type == 'counter' else ''}"


NANOSECONDS: Final = 1e-9
_US: Final = 1_000
_MS: Final = 1_000_000
_S: Final = 1_000_000_000

DECISION_BOUNDS: Final = tuple(
    [n * _US for n in (10, 25, 50, 100, 250, 500)]
    + [n * _MS for n in (1, 2, 3, 5, 7, 10, 15, 20, 30, 50, 100, 250, 500)]
    + [n * _S for n in (1, 2, 5, 10, 30, 60)]
)
"""10 µs to a minute; close together between 1 and 20 ms, where the promised latencies lie."""
LAG_BOUNDS: Final = (
    *(n * _US for n in (50, 100, 250, 500)),
    *(n * _MS for n in (1, 2, 5, 10, 25, 50, 100, 250, 500)),
    1 * _S,
    5 * _S,
)
BYTES_BOUNDS: Final = tuple(4**n for n in range(3, 11))
"""64 bytes to 1 MiB, the most a frame may have."""
BATCH_BOUNDS: Final = tuple(2**n for n in range(11))
TASK_BOUNDS: Final = (
    *(n * _MS for n in (1, 2, 5, 10, 25, 50, 100, 250, 500)),
    *(n * _S for n in (1, 2, 5, 10, 30, 60, 300)),
)

CATALOGUE: Final[tuple[Spec, ...]] = (
    # -- the referee: decisions and frames
    Spec("decisions", "counter", "referee", (), "Answers of bots that took effect."),
    Spec(
        "decision_seconds",
        "histogram",
        "referee",
        ("part",),
        "Time of a decision by who took it: referee, network or thinking.",
        DECISION_BOUNDS,
        NANOSECONDS,
    ),
    Spec("frames", "counter", "referee", ("direction",), "Frames read (in) and sent (out)."),
    Spec(
        "frame_size_bytes",
        "histogram",
        "referee",
        ("direction",),
        "Size of frames.",
        BYTES_BOUNDS,
    ),
    Spec(
        "frame_decisions",
        "histogram",
        "referee",
        ("direction",),
        "Answers (in) or turns (out) of a frame that had any.",
        BATCH_BOUNDS,
    ),
    Spec("answers_rejected", "counter", "referee", ("reason",), "Answers that changed nothing."),
    Spec(
        "loop_lag_seconds",
        "histogram",
        "referee",
        (),
        "How late the event loop came to a timer: what every clock could be off by.",
        LAG_BOUNDS,
        NANOSECONDS,
    ),
    # -- the referee: games, matches, faults
    Spec("games", "counter", "referee", ("ended",), "Games ended: played, or by which fault."),
    Spec("hands", "counter", "referee", (), "Hands ended, thrown-in ones included."),
    Spec("matches", "counter", "referee", ("outcome",), "Matches that left this referee."),
    Spec("referee_matches", "gauge", "referee", ("state",), "Matches in this referee by state."),
    Spec("open_games", "gauge", "referee", (), "Games under way in this referee."),
    Spec("faults", "counter", "referee", ("kind", "bot"), "Faults charged to bots."),
    Spec("time_losses", "counter", "referee", (), "Decisions the clock made for a bot."),
    # -- the referee: sessions
    Spec("sessions", "gauge", "referee", (), "Sessions open."),
    Spec("sessions_opened", "counter", "referee", ("how",), "Sessions begun: new or resumed."),
    Spec("sessions_refused", "counter", "referee", ("reason",), "Streams turned away."),
    Spec("draining", "gauge", "referee", (), "1 while no new match is taken."),
    Spec("unfit", "gauge", "referee", (), "1 while the host is too slow to play matches."),
    Spec(
        "store_away",
        "gauge",
        "referee",
        (),
        "1 while clocks stand still because the store acknowledges nothing.",
    ),
    Spec(
        "journal_seconds",
        "histogram",
        "referee",
        (),
        "Time until an entry of the journal was acknowledged.",
        DECISION_BOUNDS,
        NANOSECONDS,
    ),
    Spec("matches_recovered", "counter", "referee", (), "Matches gone on with from a checkpoint."),
    Spec("record_errors", "counter", "referee", (), "Records that could not be written."),
    # -- the workers
    Spec("tasks", "counter", "worker", ("task", "outcome"), "Tasks ended: ok or failed."),
    Spec(
        "task_seconds",
        "histogram",
        "worker",
        ("task",),
        "Time a task took.",
        TASK_BOUNDS,
        NANOSECONDS,
    ),
    # -- read from the store at each scrape
    Spec("store_up", "gauge", "store", (), "1 when the store answered this scrape."),
    Spec("store_matches", "gauge", "store", ("state",), "Matches of running tournaments by state."),
    Spec("tournaments", "gauge", "store", ("state",), "Tournaments by state."),
    Spec(
        "queue_depth",
        "gauge",
        "store",
        ("queue",),
        "Matches waiting, pending (being placed) or in an inbox; tasks queued or unacked.",
    ),
    Spec(
        "oldest_stalled_match_seconds",
        "gauge",
        "store",
        (),
        "Lease age of the oldest match without progress; 0 when none is leased.",
    ),
    Spec(
        "results_rejected",
        "counter",
        "store",
        ("reason",),
        "Results turned away: duplicate of a written one, or from an attempt that lost its lease.",
    ),
    Spec("rating", "gauge", "store", ("tournament", "bot"), "Rating on the Elo scale, mean 1500."),
    Spec("rating_low", "gauge", "store", ("tournament", "bot"), "Lower end of its 95 % interval."),
    Spec("rating_high", "gauge", "store", ("tournament", "bot"), "Upper end of its 95 % interval."),
)

BY_NAME: Final = {spec.name: spec for spec in CATALOGUE}

REJECT_REASONS: Final = ("malformed", "stale", "unknown-game", "illegal", "late", "duplicate")
FAULTS: Final = ("timeout", "illegal", "disconnected", "crashed", "revoke", "forfeit")
