"""Pairings → matches. The schedule is a pure function of the spec, its cursor is in the store.

A tournament of any size is scheduled a batch at a time, each batch a task of its own, so neither
this process nor the queue ever holds more than one.
"""

from __future__ import annotations

import logging
from functools import lru_cache

from arena.store import NotFound, Store
from arena.store.types import TournamentState
from arena.tournament import Schedule, parse
from workers.dispatching import dispatch_due

log = logging.getLogger(__name__)

BATCH = 1_000
"""Pairings a task; the store holds still for a few milliseconds to take them."""


def schedule(store: Store, tournament_id: str) -> None:
    """Append one batch at the cursor; enqueue the next, and what can be played already.

    Where another worker appended first this one ends: that one goes on. Should it die, `sweep`
    finds the cursor standing still.
    """
    try:
        tournament = store.tournaments.get(tournament_id)
    except NotFound:
        log.warning("schedule: there is no tournament %s", tournament_id)
        return
    if tournament.state is not TournamentState.SCHEDULING:
        return
    pairings = schedule_of(tournament.spec_text)
    start = tournament.progress.scheduled
    batch = pairings[start : start + BATCH]
    if not store.tournaments.add(tournament_id, start, batch):
        return
    if start + len(batch) < len(pairings):
        store.tasks.schedule(tournament_id)
    dispatch_due(store)


@lru_cache(maxsize=16)
def schedule_of(spec_text: str) -> Schedule:
    """The schedule of a spec, kept between the batches of a tournament."""
    return Schedule(parse(spec_text))
