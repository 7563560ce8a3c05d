"""Redis: the one place that knows keys and scripts.

Store                         what callers hold; its domains are attributes
  .tokens .bots               who may do what (bots.py)
  .tournaments                states, schedule cursor, counters (tournaments.py)
  .matches                    placed, leased, finished once, reclaimed (matches.py)
  .referees                   presence, connected bots, inboxes (referees.py)
  .standings .events          what is derived and what is watched (standings.py, events.py)
  .inspecting                 journals seen from outside (inspecting.py)
  .restoring                  a tournament as a file holds it, and back (restoring.py)
  .journals                   what a match goes on from (journal.py; pen.py is its fast way)
  .tasks                      Celery tasks by name (tasks.py)
StoreSettings, Embedded       which server, and one of our own (settings.py, embedded.py)
types, errors                 the words and the troubles
link, broker                  redis-py and Celery on the same server (link.py, broker.py)
keys, scripts, lua/           every key and every script, nowhere else
"""

from __future__ import annotations

from arena.store.embedded import Embedded
from arena.store.errors import (
    AlreadyExists,
    EmbeddedError,
    NotFound,
    StoreError,
    StoreMisconfigured,
    StoreUnavailable,
    WrongState,
)
from arena.store.settings import StoreSettings
from arena.store.store import Store

__all__ = [
    "AlreadyExists",
    "Embedded",
    "EmbeddedError",
    "NotFound",
    "Store",
    "StoreError",
    "StoreMisconfigured",
    "StoreSettings",
    "StoreUnavailable",
    "WrongState",
]
