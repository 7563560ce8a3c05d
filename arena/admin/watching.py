"""`WatchTournament`: a tournament's changes, as its events come in.

A watcher asks the store for new events a few times a second, which needs no thread that waits.
Events between two looks become one message, so a fast tournament does not drown a slow reader.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

from euchre_arena.v1 import tournament_pb2 as pb

from arena.admin import messages
from arena.admin.desk import Desk, Places
from arena.store.types import Snapshot, Tournament, TournamentState
from arena.tournament import parse

LOOK_S = 0.25
QUIET_S = 5.0
WATCHERS = 64
OVER = (TournamentState.FINISHED, TournamentState.CANCELLED)


class Watchers:
    """All who watch, counted."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk
        self._store = desk.store
        self._places = Places("watchers")

    async def watch(
        self, tournament_id: str, standings: bool
    ) -> AsyncIterator[pb.WatchTournamentResponse]:
        """The tournament now and after every change, until it is over. NotFound, Refusal."""
        with self._places.taken(WATCHERS):
            async for change in self._changes(tournament_id, standings):
                yield change

    async def _changes(
        self, tournament_id: str, standings: bool
    ) -> AsyncIterator[pb.WatchTournamentResponse]:
        run = self._desk.run
        # Read first where the events stand, then the state: a change in between is told twice,
        # never missed.
        after = await run(lambda: self._store.events.last(tournament_id))
        derived = 0
        while True:
            tournament, snapshot = await run(lambda: self._look(tournament_id, standings))
            spec = parse(tournament.spec_text)
            change = pb.WatchTournamentResponse(tournament=messages.tournament(tournament, spec))
            if snapshot is not None and snapshot.derived_at > derived:
                derived = snapshot.derived_at
                table = messages.standings(snapshot, tournament.progress.total)
                change.standings.CopyFrom(table)
            yield change
            if tournament.state in OVER:
                return
            after = await self._next(tournament_id, after)

    def _look(self, tournament_id: str, standings: bool) -> tuple[Tournament, Snapshot | None]:
        tournament = self._store.tournaments.get(tournament_id)
        return tournament, self._store.standings.get(tournament_id) if standings else None

    async def _next(self, tournament_id: str, after: str) -> str:
        """Wait for events and pass over all there are; the last one's entry.

        Not for long: a watcher is told every few seconds that all is as it was.
        """
        for _ in range(int(QUIET_S / LOOK_S)):
            await asyncio.sleep(LOOK_S)
            last = await self._desk.run(lambda: self._store.events.last(tournament_id))
            if last != after:
                return last
        return after
