"""A tournament as a file can hold it, and back: what `arena.archive` makes a lost store anew from.

Nothing that is under way is restored: a match has its result, or it waits to be played.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from arena.store import keys
from arena.store.errors import AlreadyExists, NotFound
from arena.store.link import Link
from arena.store.types import Json, TournamentState

MARK = "restoring"
"""A field of a tournament's hash while it is being restored: begun again, it is written over."""
TEXTS = ("name", "text", "spec", "entrants", "note", "state")
NUMBERS = ("total", "grace", "created", "started", "finished", "cursor")
COUNTS = ("voided", "games", "hands", "decisions")


@dataclass(frozen=True, slots=True)
class Restored:
    """A match to be written: one that waits, or one that is over."""

    index: int
    entrants: Sequence[int]
    seating: Sequence[int]
    bots: Sequence[Sequence[str]] | None = None
    """Of teams by entrant, in the order of their seats."""
    closing: Json | None = None
    """The closing facts (`Matches.closing` and the result); None for a match that waits."""


class Restoring:
    """Facts out, facts in."""

    def __init__(self, link: Link) -> None:
        self._link = link

    def states(self, known: Iterable[str] = ()) -> dict[str, tuple[str, ...]]:
        """Tournaments other than ``known`` by id: a few words each that change when the facts a
        file should hold do. They stay as they are once the first is ``over``."""
        leave = set(known)
        ids = self._link.call("ZRANGE", keys.single("tournaments"), 0, -1)
        wanted = [each for each in ids if each not in leave]
        with self._link.pipeline() as pipe:
            for each in wanted:
                pipe.hmget(keys.of("tournament", each), "state", "note", "n:finished", MARK)
                pipe.hmget(keys.of("table", each), "results", "at")
                pipe.sismember(keys.single("dirty"), each)
            found = pipe.execute()
        states = {}
        for place, each in enumerate(wanted):
            (state, note, finished, mark), derived, dirty = found[3 * place : 3 * place + 3]
            if state is None or mark:
                continue  # what is being restored is less than its file
            over = state in (TournamentState.FINISHED, TournamentState.CANCELLED)
            still = over and not dirty
            more = (finished, *derived) if over else ()
            words = ("over" if still else "open", state, note, *more)
            states[each] = tuple(word or "" for word in words)
        return states

    def facts(self, tournament_id: str) -> Json:
        """All that is to be kept of a tournament beside its matches. NotFound."""
        with self._link.pipeline() as pipe:
            pipe.hgetall(keys.of("tournament", tournament_id))
            pipe.hmget(keys.of("table", tournament_id), "results", "at", "final", "table")
            found, (results, at, final, table) = pipe.execute()
        if not found:
            raise NotFound("tournament", tournament_id)
        facts: dict[str, Any] = {"tournament": tournament_id}
        facts |= {name: found.get(name, "") for name in TEXTS}
        facts |= {name: json.loads(facts[name]) for name in ("spec", "entrants")}
        facts |= {name: int(found.get(name) or 0) for name in (*NUMBERS, *COUNTS)}
        facts["standings"] = None
        if results is not None:
            facts["standings"] = {
                "results": int(results),
                "derived": int(at),
                "final": final == "1",
                "table": json.loads(table),
            }
        return facts

    def begin(self, facts: Json) -> None:
        """Write a tournament that has no matches yet, paused. AlreadyExists unless it was begun
        before and not ended."""
        name = facts["tournament"]
        key = keys.of("tournament", name)
        existed, mark = self._link.call("EXISTS", key), self._link.call("HEXISTS", key, MARK)
        if existed and not mark:
            raise AlreadyExists(f"there is a tournament {name!r} already")
        values = {each: facts[each] for each in TEXTS}
        values |= {each: json.dumps(facts[each]) for each in ("spec", "entrants")}
        values |= {each: facts[each] for each in NUMBERS if facts[each]}
        values |= {"state": TournamentState.PAUSED, "cursor": 0, MARK: 1}
        bots = {i: ",".join(bots) for i, (_, *bots) in enumerate(facts["entrants"])}
        with self._link.pipeline() as pipe:
            pipe.delete(key, keys.of("results", name), keys.of("waiting", name))
            pipe.hset(key, mapping=values)
            pipe.hset(keys.of("entrants", name), mapping=bots)
            pipe.zadd(keys.single("tournaments"), {name: facts["created"]})
            pipe.execute()

    def add(self, tournament_id: str, matches: Sequence[Restored]) -> None:
        """Write matches, in any order; repeated, the same again."""
        with self._link.pipeline() as pipe:
            for match in matches:
                _write(pipe, tournament_id, match)
            pipe.execute()

    def end(self, facts: Json) -> None:
        """The tournament is as ``facts`` say (``cursor``, counts, ``standings``), all matches
        written; ``results`` of them are over."""
        name = facts["tournament"]
        values: dict[str, Any] = {each: facts[each] for each in ("state", "note", "cursor")}
        values |= {each: facts[each] for each in COUNTS}
        values |= {"finished": facts["finished"]} if facts["finished"] else {}
        values |= {
            "n:finished": facts["results"],
            "n:scheduled": facts["cursor"] - facts["results"],
        }
        with self._link.pipeline() as pipe:
            pipe.hset(keys.of("tournament", name), mapping=values)
            if facts["standings"] is not None:
                table = facts["standings"]
                pipe.hset(
                    keys.of("table", name),
                    mapping={
                        "results": table["results"],
                        "at": table["derived"],
                        "took": 0,
                        "final": int(table["final"]),
                        "table": json.dumps(table["table"], separators=(",", ":")),
                    },
                )
            if facts["state"] == TournamentState.CANCELLED:
                pipe.delete(keys.of("waiting", name))
            pipe.hdel(keys.of("tournament", name), MARK)
            pipe.execute()


def _write(pipe: Any, tournament_id: str, match: Restored) -> None:
    match_id = f"{tournament_id}-m{match.index}"
    key = keys.of("match", match_id)
    entrants = ",".join(map(str, match.entrants))
    values: dict[str, Any] = {"t": tournament_id, "i": match.index, "e": entrants}
    values["s"] = ",".join(map(str, match.seating))
    if match.bots:
        values["bt"] = json.dumps(match.bots)
    pipe.delete(key, keys.of("attempts", match_id))
    if match.closing is None:
        pipe.hset(key, mapping={**values, "st": "scheduled"})
        pipe.zadd(keys.of("waiting", tournament_id), {f"{match.index}:{entrants}": match.index})
        return
    closing = match.closing
    values |= {
        "st": "finished",
        "n": closing["attempt"],
        "r": closing["referee"],
        "f": closing["fence"],
        "c": closing["commitment"],
        "p": closing["counts"]["decisions"],
        "b": closing["started"],
        "d": closing["finished"],
        "rec": closing["record"],
    }
    pipe.hset(key, mapping=values)
    if closing["attempts"]:
        pipe.rpush(keys.of("attempts", match_id), *map(json.dumps, closing["attempts"]))
    result = {
        "entrants": list(match.entrants),
        "fence": closing["fence"],
        "attempt": closing["attempt"],
        "at": closing["finished"],
        "record": closing["record"],
        "secret": closing["secret"],
        "sha256": closing["sha256"],
        "result": closing["result"],
    }
    text = json.dumps(result, separators=(",", ":"))
    pipe.hset(keys.of("results", tournament_id), match.index, text)
