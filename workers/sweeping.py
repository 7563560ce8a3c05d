"""The safety net. Every piece of work stands in the store until it is done; what no task looks
after (a worker was killed, a message lost, a referee died, a bot came) is found here.
"""

from __future__ import annotations

import logging

from arena.store import Store
from workers.dispatching import dispatch_due

log = logging.getLogger(__name__)


def sweep(store: Store) -> None:
    """Reclaim what is stuck and enqueue anew whatever stands still; cheap when nothing does."""
    reclaimed = store.matches.reclaim()
    if reclaimed:
        log.warning("reclaimed %d matches: %s", len(reclaimed), ", ".join(reclaimed[:10]))
    for tournament_id in store.tournaments.standing_still():
        log.warning("the schedule of %s stands still", tournament_id)
        store.tasks.schedule(tournament_id)
    for tournament_id in store.standings.dirty():
        store.tasks.derive(tournament_id)
    dispatch_due(store)
