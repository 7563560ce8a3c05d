"""Tournaments: creation, states, the schedule's cursor and the counters."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence

from arena.store import keys
from arena.store.errors import AlreadyExists, NotFound, WrongState
from arena.store.link import Link
from arena.store.types import (
    Entrant,
    Json,
    Pairing,
    Progress,
    Tournament,
    TournamentState,
    check_name,
)

NO_SHOW_GRACE_S = 120
"""[architecture] The organizer's spec: ``entrants.no_show_grace_s`` by default."""
STILL_MS = 3_000
"""A schedule whose cursor has not moved for this long is taken up again by ``sweep``."""


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
    ) -> Tournament:
        """Store a new tournament, state ``created``.

        ``spec`` is ``dataclasses.asdict`` of ``arena.tournament.Spec``; of it the store reads
        ``preset``, ``options``, ``match_format``, ``clock``, ``secret_seed`` and
        ``no_show_grace_s``. ``total`` is the number of pairings, ``len(Schedule(spec))``. Raises
        ValueError for an id that is none, AlreadyExists.
        """
        check_name(tournament_id)
        if total < 1:
            raise ValueError("a tournament needs at least one pairing")
        for entrant in entrants:
            for bot in entrant.bots:
                check_name(bot)
        values = {
            "name": name,
            "text": spec_text,
            "spec": json.dumps(spec),
            "entrants": json.dumps([[entrant.name, *entrant.bots] for entrant in entrants]),
            "total": str(total),
            "grace": str(int(1000 * spec.get("no_show_grace_s", NO_SHOW_GRACE_S))),
        }
        bots = [",".join(entrant.bots) for entrant in entrants]
        if not self._link.run("create", tournament_id, json.dumps(values), *bots):
            raise AlreadyExists(f"there is a tournament {tournament_id!r} already")
        return self.get(tournament_id)

    def get(self, tournament_id: str) -> Tournament:
        """One tournament with its counters."""
        found = self._link.call("HGETALL", keys.of("tournament", tournament_id))
        if not found:
            raise NotFound("tournament", tournament_id)
        return tournament_of(tournament_id, found)

    def ids(self) -> list[str]:
        """The ids of all tournaments, the newest first."""
        found: list[str] = self._link.call("ZREVRANGE", keys.single("tournaments"), 0, -1)
        return found

    def all(self, state: TournamentState | None = None) -> list[Tournament]:
        """All tournaments, the newest first, or those in one state."""
        ids = self.ids()
        with self._link.pipeline() as pipe:
            for tournament_id in ids:
                pipe.hgetall(keys.of("tournament", tournament_id))
            found = pipe.execute()
        tournaments = [tournament_of(i, f) for i, f in zip(ids, found, strict=True) if f]
        return [t for t in tournaments if state is None or t.state == state]

    def start(self, tournament_id: str) -> TournamentState:
        """created → scheduling; started again: no effect. WrongState when over or paused.

        Call ``store.tasks.schedule(tournament_id)`` after it.
        """
        return self._enter(tournament_id, "start")

    def pause(self, tournament_id: str) -> TournamentState:
        """No new match begins; those under way are played out. Paused again: no effect."""
        return self._enter(tournament_id, "pause")

    def resume(self, tournament_id: str) -> TournamentState:
        """paused → scheduling or running. Call ``store.tasks.schedule`` after it."""
        return self._enter(tournament_id, "resume")

    def cancel(self, tournament_id: str, note: str = "") -> TournamentState:
        """End it for good: what waits is dropped, referees are told to stop what they play."""
        return self._enter(tournament_id, "cancel", note)

    def add(self, tournament_id: str, start: int, pairings: Sequence[Pairing]) -> bool:
        """Append a batch of the schedule whose first index is ``start``; whether that was done.

        A batch that does not begin at the cursor changes nothing (another worker was first), nor
        does one for a tournament that is not ``scheduling``, so the call may be repeated. At the
        cursor ``total`` the tournament is ``running``.
        """
        flat: list[str] = []
        for index, pairing in enumerate(pairings, start):
            if pairing.index != index:
                raise ValueError(f"pairing {pairing.index} stands at place {index} of the batch")
            flat.append(",".join(map(str, pairing.entrants)))
            flat.append(",".join(map(str, pairing.seating)))
            flat.append(_seat_order(pairing))
        done = self._link.run("add", tournament_id, start, *flat)
        if done < 0:
            raise NotFound("tournament", tournament_id)
        return bool(done)

    def cursor(self, tournament_id: str) -> int:
        """How many pairings of the schedule exist as matches."""
        found = self._link.call("HGET", keys.of("tournament", tournament_id), "cursor")
        if found is None:
            raise NotFound("tournament", tournament_id)
        return int(found)

    def standing_still(self, still_ms: int = STILL_MS) -> list[str]:
        """Tournaments in state ``scheduling`` whose cursor has not moved for ``still_ms``."""
        ids = sorted(self._link.call("SMEMBERS", keys.single("active")))
        before = self._link.now() - still_ms
        with self._link.pipeline() as pipe:
            for tournament_id in ids:
                pipe.hmget(keys.of("tournament", tournament_id), "state", "cursor_at")
            found = pipe.execute()
        return [
            tournament_id
            for tournament_id, (state, moved) in zip(ids, found, strict=True)
            if state == TournamentState.SCHEDULING and int(moved or 0) <= before
        ]

    def _enter(self, tournament_id: str, action: str, note: str = "") -> TournamentState:
        state = self._link.run("transition", tournament_id, action, note)
        if not state:
            raise NotFound("tournament", tournament_id)
        if state.startswith("!"):
            raise WrongState(f"cannot {action} tournament {tournament_id!r}: it is {state[1:]}")
        return TournamentState(state)


def _seat_order(pairing: Pairing) -> str:
    """The bots of each entrant in the order of its seats, as JSON; "" when one bot plays all."""
    teams: list[list[str]] = [[] for _ in pairing.entrants]
    for entrant, bot in zip(pairing.seating, pairing.bots, strict=True):
        if bot not in teams[entrant]:
            teams[entrant].append(bot)
    return json.dumps(teams) if any(len(team) > 1 for team in teams) else ""


def tournament_of(tournament_id: str, found: Mapping[str, str]) -> Tournament:
    """A tournament from the fields of its hash."""

    def number(name: str) -> int:
        return int(found.get(name) or 0)

    spec = json.loads(found["spec"])
    return Tournament(
        tournament_id=tournament_id,
        name=found["name"],
        state=TournamentState(found["state"]),
        spec_text=found["text"],
        spec=spec,
        entrants=entrants_of(found["entrants"]),
        seeded=spec.get("secret_seed") is not None,
        created_at=number("created"),
        started_at=number("started"),
        finished_at=number("finished"),
        progress=Progress(
            total=number("total"),
            scheduled=number("cursor"),
            queued=number("n:queued"),
            playing=number("n:leased") + number("n:playing"),
            finished=number("n:finished"),
            voided=number("voided"),
            games=number("games") + number("under"),
            decisions=number("decisions"),
            hands=number("hands"),
        ),
        note=found.get("note", ""),
    )


def entrants_of(text: str) -> tuple[Entrant, ...]:
    """Entrants as ``create`` stored them."""
    return tuple(Entrant(name, tuple(bots)) for name, *bots in json.loads(text))
