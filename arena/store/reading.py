"""Matches read back: orders, where they stand, results."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from arena.store import keys
from arena.store.errors import NotFound
from arena.store.link import Link
from arena.store.tournaments import entrants_of
from arena.store.types import Entrant, Json, MatchInfo, MatchOrder, MatchResult, MatchState

REMEMBERED = 64
"""Tournaments whose unchanging part is kept."""
FIELDS = ("t", "i", "e", "s", "bt", "st", "n", "r", "c", "p", "b", "d", "rec", "ns", "sm", "x", "f")


@dataclass(frozen=True, slots=True)
class Terms:
    """The part of a tournament that never changes, as its matches need it."""

    entrants: tuple[Entrant, ...]
    spec: Json


class Reading:
    """Reads matches; remembers the terms of tournaments. Thread-safe."""

    def __init__(self, link: Link) -> None:
        self._link = link
        self._terms: dict[str, Terms] = {}

    def order(self, match_id: str) -> MatchOrder:
        """The order of a match. NotFound."""
        return self._order(match_id, self._match(match_id))

    def queued(self, match_id: str, entry: str) -> MatchOrder | None:
        """The order that lies in an inbox as ``entry``; None when it has been leased or called
        back since."""
        match = self._match(match_id)
        if match["st"] != MatchState.QUEUED or match["x"] != entry:
            return None
        return self._order(match_id, match)

    def _order(self, match_id: str, match: Mapping[str, str]) -> MatchOrder:
        spec = self.terms(match["t"]).spec
        seed = spec.get("secret_seed")
        return MatchOrder(
            match_id=match_id,
            tournament_id=match["t"],
            index=int(match["i"]),
            entrants=self._entrants(match),
            seating=numbers(match["s"]),
            preset=spec.get("preset", "standard"),
            options=spec.get("options", {}),
            match_format=spec.get("match_format", {}),
            clock=spec.get("clock"),
            faults=spec.get("faults", {}),
            seeded=seed is not None,
            seed=seed or "",
            attempt=int(match["n"] or 0),
            no_show=tuple(filter(None, match["ns"].split(","))),
            summon=tuple(filter(None, match["sm"].split(","))),
            parallel=self._parallel(match_id) if match["c"] else 0,
        )

    def _parallel(self, match_id: str) -> int:
        """Games at once in the attempt that waits to be gone on with."""
        return int(self._link.call("HGET", keys.of("checkpoint", match_id), "parallel") or 0)

    def info(self, match_id: str) -> MatchInfo:
        """Where a match stands. NotFound."""
        match = self._match(match_id)
        return self._info(match_id, match, cancelled=self._cancelled(match["t"]))

    def infos(self, tournament_id: str, indices: range) -> list[MatchInfo]:
        """Those of the matches that exist. NotFound for an unknown tournament."""
        cancelled = self._cancelled(tournament_id)
        ids = [f"{tournament_id}-m{index}" for index in indices]
        with self._link.pipeline() as pipe:
            for match_id in ids:
                pipe.hmget(keys.of("match", match_id), *FIELDS)
            found = pipe.execute()
        return [
            self._info(match_id, _fields(values), cancelled=cancelled)
            for match_id, values in zip(ids, found, strict=True)
            if values[0] is not None
        ]

    def closing(self, match_id: str) -> Json:
        """See ``Matches.closing``. NotFound."""
        match = self._match(match_id)
        return {
            "index": int(match["i"]),
            "entrants": list(numbers(match["e"])),
            "seating": list(numbers(match["s"])),
            "bots": json.loads(match["bt"] or "null"),
            "attempt": int(match["n"] or 0),
            "fence": int(match["f"] or 0),
            "referee": match["r"],
            "commitment": match["c"],
            "started": int(match["b"] or 0),
            "finished": self._link.now(),
            "attempts": self.attempts(match_id),
        }

    def attempts(self, match_id: str) -> list[Json]:
        """Voided attempts, the oldest first."""
        found = self._link.call("LRANGE", keys.of("attempts", match_id), 0, -1)
        return [json.loads(text) for text in found]

    def results(self, tournament_id: str, indices: range) -> Iterator[MatchResult]:
        """The results among these indices, in their order."""
        if not indices:
            return
        found = self._link.call("HMGET", keys.of("results", tournament_id), *indices)
        for index, text in zip(indices, found, strict=True):
            if text is not None:
                stored = json.loads(text)
                yield MatchResult(
                    match_id=f"{tournament_id}-m{index}",
                    index=index,
                    entrants=tuple(stored["entrants"]),
                    result=stored["result"],
                    record=stored["record"],
                    attempt=stored["attempt"],
                    finished_at=stored["at"],
                    fence=stored["fence"],
                    secret=stored["secret"],
                    sha256=stored.get("sha256", ""),
                )

    def cursor(self, tournament_id: str) -> int:
        """How many matches there are so far. NotFound."""
        found = self._link.call("HGET", keys.of("tournament", tournament_id), "cursor")
        if found is None:
            raise NotFound("tournament", tournament_id)
        return int(found)

    def terms(self, tournament_id: str) -> Terms:
        """What never changes of a tournament, read once. NotFound."""
        known = self._terms.get(tournament_id)
        if known is not None:
            return known
        spec, entrants = self._link.call(
            "HMGET", keys.of("tournament", tournament_id), "spec", "entrants"
        )
        if spec is None:
            raise NotFound("tournament", tournament_id)
        if len(self._terms) >= REMEMBERED:
            self._terms.clear()
        terms = self._terms[tournament_id] = Terms(entrants_of(entrants), json.loads(spec))
        return terms

    def _match(self, match_id: str) -> dict[str, str]:
        values = self._link.call("HMGET", keys.of("match", match_id), *FIELDS)
        if values[0] is None:
            raise NotFound("match", match_id)
        return _fields(values)

    def _cancelled(self, tournament_id: str) -> bool:
        state = self._link.call("HGET", keys.of("tournament", tournament_id), "state")
        if state is None:
            raise NotFound("tournament", tournament_id)
        return bool(state == "cancelled")

    def _entrants(self, match: Mapping[str, str]) -> tuple[Entrant, ...]:
        everyone = self.terms(match["t"]).entrants
        entrants = [everyone[index] for index in numbers(match["e"])]
        if match["bt"]:
            teams = json.loads(match["bt"])
            entrants = [
                replace(entrant, bots=tuple(bots))
                for entrant, bots in zip(entrants, teams, strict=True)
            ]
        return tuple(entrants)

    def _info(self, match_id: str, match: Mapping[str, str], *, cancelled: bool) -> MatchInfo:
        state = MatchState(match["st"])
        if cancelled and state is MatchState.SCHEDULED:
            state = MatchState.CANCELLED
        return MatchInfo(
            match_id=match_id,
            tournament_id=match["t"],
            index=int(match["i"]),
            entrants=self._entrants(match),
            seating=numbers(match["s"]),
            state=state,
            attempts=int(match["n"] or 0),
            referee=match["r"],
            commitment=match["c"],
            progress=int(match["p"] or 0),
            started_at=int(match["b"] or 0),
            finished_at=int(match["d"] or 0),
            record=match["rec"],
        )


def numbers(text: str) -> tuple[int, ...]:
    """``"0,1"`` → (0, 1)."""
    return tuple(map(int, text.split(",")))


def _fields(values: Sequence[str | None]) -> dict[str, str]:
    return {name: value or "" for name, value in zip(FIELDS, values, strict=True)}
