"""Results → standings and ratings, always from all results in schedule order.

So any order of arrival gives the same table, and a derivation that is lost or done twice changes
nothing. One worker derives at a time, at most once a second while results pour in.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache

from arena.store import NotFound, Store, StoreError
from arena.tournament import Spec, Table, Tally, parse
from workers.dispatching import dispatch_due

log = logging.getLogger(__name__)

KEEP_S = 1.0
"""Seconds between two renewals of the ticket."""


def settle(store: Store, match_id: str) -> None:
    """A match has its result: there is room for others, and the standings have changed."""
    dispatch_due(store)
    derive(store, match_id.rpartition("-m")[0])


def derive(store: Store, tournament_id: str) -> None:
    """Derive the standings until they hold every result, or it is not yet time to.

    The worker that derives them from the last result finishes the tournament. Results that come
    in meanwhile are seen to here, not by whoever brought them: they found the ticket taken.
    """
    while ticket := store.standings.claim(tournament_id):
        try:
            with kept(store, tournament_id, ticket):
                table = table_of(store, tournament_id)
            store.standings.put(tournament_id, ticket, table.as_dict(), table.results)
        except NotFound:
            log.warning("settle: there is no tournament %s", tournament_id)
            return
        except BaseException:
            store.standings.drop(tournament_id, ticket)
            raise


def table_of(store: Store, tournament_id: str) -> Table:
    """The table of all results there are. NotFound."""
    table = Table(spec_of(store.tournaments.get(tournament_id).spec_text))
    for found in store.matches.results(tournament_id):
        table.add(Tally.of_result(found.index, found.entrants, found.result))
    return table


@contextmanager
def kept(store: Store, tournament_id: str, ticket: str) -> Iterator[None]:
    """Keep the ticket while a large field is computed, but not a moment longer than this process
    lives: a ticket that lives long by itself would outlive a killed worker as long."""
    done = threading.Event()

    def keep() -> None:
        while not done.wait(KEEP_S):
            try:
                store.standings.keep(tournament_id, ticket)
            except StoreError as error:  # the next may succeed; `put` tells in the end
                log.warning("settle %s: ticket not kept: %s", tournament_id, error)

    keeper = threading.Thread(target=keep, name="ticket", daemon=True)
    keeper.start()
    try:
        yield
    finally:
        done.set()
        keeper.join()


@lru_cache(maxsize=16)
def spec_of(spec_text: str) -> Spec:
    """A spec, read once."""
    return parse(spec_text)
