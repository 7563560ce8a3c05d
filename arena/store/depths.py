"""How much waits where: what metrics read at each scrape."""

from __future__ import annotations

from collections import Counter
from typing import Any

from arena.store import keys
from arena.store.link import Link
from arena.store.types import Depths, MatchState, TournamentState

QUEUE = "arena"
"""The Celery queue of all tasks."""
STATES = tuple(MatchState)
OVER = (TournamentState.FINISHED, TournamentState.CANCELLED)


def read_depths(link: Link) -> Depths:
    """All of it in three round trips."""
    now = link.now()
    referees = link.live()
    ids = link.call("ZRANGE", keys.single("tournaments"), 0, -1)
    with link.pipeline() as pipe:
        pipe.hgetall(keys.single("rejected"))
        pipe.zrange(keys.single("progress"), 0, 0, withscores=True)
        pipe.zcard(keys.single("pending"))
        pipe.llen(keys.CELERY_PREFIX + QUEUE)
        pipe.hlen(keys.CELERY_PREFIX + "unacked")
        for referee in referees:
            pipe.xlen(keys.of("inbox", referee))
        for tournament_id in ids:
            names = ["state", *(f"n:{state}" for state in STATES)]
            pipe.hmget(keys.of("tournament", tournament_id), *names)
        rejected, oldest, pending, tasks, unacked, *rest = pipe.execute()
    lengths, rows = rest[: len(referees)], rest[len(referees) :]
    matches, tournaments, waiting = _count(rows)
    return Depths(
        matches=matches,
        waiting=waiting,
        pending=pending,
        inbox=dict(zip(referees, lengths, strict=True)),
        tasks=tasks,
        unacked=unacked,
        rejected={name: int(rejected.get(name, 0)) for name in ("duplicate", "stale")},
        oldest_progress_ms=max(0, now - int(oldest[0][1])) if oldest else 0,
        tournaments=tournaments,
    )


def _count(
    rows: list[list[Any]],
) -> tuple[dict[MatchState, int], dict[TournamentState, int], int]:
    """Matches of unfinished tournaments by state, tournaments by state, matches that wait."""
    matches: Counter[MatchState] = Counter()
    tournaments: Counter[TournamentState] = Counter()
    waiting = 0
    for text, *counts in rows:
        if text is None:
            continue
        state = TournamentState(text)
        tournaments[state] += 1
        if state in OVER:
            continue
        found = {s: int(n or 0) for s, n in zip(STATES, counts, strict=True)}
        matches.update(found)
        if state in (TournamentState.SCHEDULING, TournamentState.RUNNING):
            waiting += found[MatchState.SCHEDULED]
    return (
        {state: matches[state] for state in STATES},
        {state: tournaments[state] for state in TournamentState},
        waiting,
    )
