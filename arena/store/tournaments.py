"""Tournaments: creation, states, the schedule's cursor and the counters."""

from __future__ import annotations

from collections.abc import Sequence

from arena.store.link import Link
from arena.store.types import Entrant, Json, Pairing, Tournament, TournamentState


class Tournaments:
    """Tournaments and their progress. All calls raise NotFound for an unknown id."""

    def __init__(self, link: Link) -> None:
        self._link = link

    def create(
        self,
        tournament_id: str,
        *,
        name: str,
        spec_text: str,
        spec: Json,
        entrants: Sequence[Entrant],
        total: int,
        seeded: bool = False,
    ) -> Tournament:
        """Store a new tournament, state ``created``.

        ``spec`` is the organizer's file as JSON ([architecture] The organizer's spec), checked by
        the caller; ``total`` the number of its pairings; ``seeded``: match secrets are made of
        ``spec["seed"]``. Raises ValueError for an id that is none, AlreadyExists.
        """
        raise NotImplementedError

    def get(self, tournament_id: str) -> Tournament:
        """One tournament with its counters."""
        raise NotImplementedError

    def all(self, state: TournamentState | None = None) -> list[Tournament]:
        """All tournaments, the newest first, or those in one state."""
        raise NotImplementedError

    def start(self, tournament_id: str) -> TournamentState:
        """created → scheduling; started again: no effect. WrongState when over or paused.

        Call ``store.tasks.schedule(tournament_id)`` after it.
        """
        raise NotImplementedError

    def pause(self, tournament_id: str) -> TournamentState:
        """No new match begins; those under way are played out. Paused again: no effect."""
        raise NotImplementedError

    def resume(self, tournament_id: str) -> TournamentState:
        """paused → scheduling or running. Call ``store.tasks.schedule`` after it."""
        raise NotImplementedError

    def cancel(self, tournament_id: str, note: str = "") -> TournamentState:
        """End it for good: what waits is dropped, referees are told to stop what they play."""
        raise NotImplementedError

    def add(self, tournament_id: str, start: int, pairings: Sequence[Pairing]) -> int:
        """Append a batch of the schedule whose first index is ``start``; the cursor after it.

        A batch that does not begin at the cursor changes nothing (another worker was first), so
        the call may be repeated. At the cursor ``total`` the tournament is ``running``.
        """
        raise NotImplementedError

    def cursor(self, tournament_id: str) -> int:
        """How many pairings of the schedule exist as matches."""
        raise NotImplementedError
