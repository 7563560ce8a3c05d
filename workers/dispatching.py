"""Matches → referees: who has room, and where the entrants are connected, the store decides."""

from __future__ import annotations

import logging

from arena.store import Store

log = logging.getLogger(__name__)


def dispatch(store: Store, match_id: str) -> None:
    """Place a match. What cannot be placed now waits for the next result, arrival or sweep."""
    placed = store.matches.place(match_id)
    log.debug("dispatch %s: %s %s%s", match_id, placed.placement, placed.referee, placed.bot)


def dispatch_due(store: Store) -> None:
    """Enqueue `dispatch` for what there is room for. What is not enqueued waits again soon."""
    for match_id in store.matches.due():
        store.tasks.dispatch(match_id)
