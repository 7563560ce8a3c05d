"""The tasks by name. Each finds its work by id in the store of its process."""

from __future__ import annotations

import os
from functools import lru_cache

from arena.store import Store, broker
from workers import dispatching, scheduling, settling, sweeping
from workers.app import app


def store() -> Store:
    """The store of this process: a forked child must not share its parent's connections."""
    return _store_of(os.getpid())


@lru_cache(maxsize=1)
def _store_of(pid: int) -> Store:
    return Store.connect()


@app.task(name=broker.task_name("schedule"))
def schedule(tournament_id: str) -> None:
    """Make matches of the next batch of a tournament's pairings; enqueues itself for the rest."""
    scheduling.schedule(store(), tournament_id)


@app.task(name=broker.task_name("dispatch"))
def dispatch(match_id: str) -> None:
    """Put a match into the inbox of a referee, or let it wait."""
    dispatching.dispatch(store(), match_id)


@app.task(name=broker.task_name("dispatch_due"))
def dispatch_due() -> None:
    """Enqueue `dispatch` for every waiting match there is room for."""
    dispatching.dispatch_due(store())


@app.task(name=broker.task_name("settle"))
def settle(match_id: str) -> None:
    """A match has its result: the next ones begin, the standings are derived."""
    settling.settle(store(), match_id)


@app.task(name=broker.task_name("derive"))
def derive(tournament_id: str) -> None:
    """Derive a tournament's standings, if that is called for."""
    settling.derive(store(), tournament_id)


@app.task(name=broker.task_name("sweep"))
def sweep() -> None:
    """Look after everything that stands still."""
    sweeping.sweep(store())
