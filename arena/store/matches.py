"""Matches: placed at a referee, leased, played, finished once.

scheduled ── place ──▶ queued ── lease ──▶ leased ── begin ──▶ playing ── finish ──▶ finished
    ▲                    │                   │                    │
    └──── reclaim ◀──────┴─── release ◀──────┴────────────────────┘   (the attempt is voided)
    └──── reclaim ◀──────┴── hand_over ◀─────┴────────────────────┘   (… or goes on elsewhere)

An attempt with a checkpoint (``journal.py``) goes on at the next referee, under a new fence.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence

from arena.store import keys
from arena.store.depths import read_depths
from arena.store.link import Link
from arena.store.reading import Reading
from arena.store.types import (
    Depths,
    Finish,
    Json,
    Lease,
    MatchInfo,
    MatchOrder,
    MatchResult,
    MatchState,
    Placed,
    Placement,
)

LEASE_MS = 10_000
"""How long a lease lives without ``renew``."""
STALL_MS = 60_000
"""How long an attempt may stand without progress although its lease is renewed."""
AWAKE_MS = 10_000
"""Between two looks for what stands still; after a longer pause leases get `GRACE_MS` more."""
GRACE_MS = 6_000
"""Time for a referee to be heard of again: it renews every second or two."""
QUEUE_MS = 60_000
"""How long an order may lie in the inbox of a referee that lives."""
UNTOLD_MS = 600_000
"""How long a bot that was not told how a match ended is told when it comes."""
HOLD_MS = 5_000
"""How long dispatch has to place what ``due`` gave it."""
WINDOW = 1_000
"""How far ahead in a schedule ``due`` looks for a match that can be played now."""


class Matches:
    """Matches by id. ``match_id`` is ``<tournament id>-m<index in schedule order>``."""

    def __init__(self, link: Link) -> None:
        self._link = link
        self._reading = Reading(link)

    # --- dispatch (workers) ---

    def due(self, limit: int = 100, hold_ms: int = HOLD_MS) -> list[str]:
        """Take up to ``limit`` waiting matches that referees and bots have room for now.

        In schedule order, the tournament with the least under way first. Whoever takes them has
        ``hold_ms`` to ``place`` each; after that ``reclaim`` lets it wait again.
        """
        found: list[str] = self._link.run("due", limit, hold_ms, WINDOW)
        return found

    def place(self, match_id: str, queue_ms: int = QUEUE_MS) -> Placed:
        """Put a scheduled match into the inbox of the best referee, atomically.

        Best: all entrants connected there with room, then the least loaded; else one with room to
        which the others can be summoned. A bot absent for the tournament's ``no_show_grace_s``
        (counted while referees were there) is listed in the order's ``no_show``. What cannot be
        placed waits again. May be repeated: what is placed already stays where it is (NOTHING).
        """
        what, referee, bot = self._link.run("place", match_id, queue_ms)
        return Placed(Placement(what), referee, bot)

    # --- play (referees) ---

    def lease(self, referee: str, match_id: str, ttl_ms: int = LEASE_MS) -> Lease | None:
        """Take an order from the inbox; None when it is not (any more) queued at this referee.

        Asked again the referee gets the lease it has: an order may be delivered twice, so ignore
        one whose match is being played here.
        """
        found = self._link.run("lease", match_id, referee, ttl_ms)
        if not found:
            return None
        fence, attempt, goes_on = found
        tournament_id = match_id.rpartition("-m")[0]
        return Lease(match_id, tournament_id, referee, fence, attempt, ttl_ms, bool(goes_on))

    def begin(self, lease: Lease, commitment: str) -> bool:
        """The attempt begins: its secret's ``SHA-256`` (hex) is out. False: the lease is lost."""
        return bool(self._link.run("begin", lease.match_id, lease.fence, commitment))

    def renew(
        self, progress: Mapping[Lease, int], games: Mapping[str, int] | None = None
    ) -> set[str]:
        """Renew many leases at once; the ids of the matches whose lease is lost.

        The value is the attempt's progress (decisions so far; any number that changes). An
        attempt that makes none for ``STALL_MS`` is reclaimed although renewed; while it waits on
        purpose (for a bot that may reconnect) let the number change. ``games``, by match: those
        over in this attempt, which the tournament's progress shows until the match is over.
        """
        lost: set[str] = set()
        over = games or {}
        by_ttl: dict[int, list[str | int]] = {}
        for lease, done in progress.items():
            by_ttl.setdefault(lease.ttl_ms, []).extend(
                (lease.match_id, lease.fence, done, over.get(lease.match_id, ""))
            )
        for ttl_ms, flat in by_ttl.items():
            lost.update(self._link.run("renew", ttl_ms, *flat))
        return lost

    def release(self, lease: Lease, reason: str, secret: str = "") -> bool:
        """Void the attempt and hand the match back (drain, a referee's own trouble).

        ``secret`` (hex) is published with the voided attempt ([rules] §9). False: lease lost.
        """
        return bool(self._link.run("release", lease.match_id, lease.fence, reason, secret))

    def hand_over(self, lease: Lease, reason: str, secret: str = "") -> bool:
        """Give the match to another referee, which goes on from its checkpoint. Without one the
        attempt is voided and ``secret`` (hex) published. False: the lease is lost."""
        return bool(self._link.run("hand_over", lease.match_id, lease.fence, reason, secret))

    def finish(
        self,
        lease: Lease,
        result: Json,
        *,
        record: str = "",
        counts: Mapping[str, int] | None = None,
        secret: str = "",
        sha256: str = "",
        at: int = 0,
        ends: Mapping[str, Sequence[tuple[int, bytes]]] | None = None,
    ) -> Finish:
        """Write the result, once; every other writer is told why not (see ``Finish``).

        ``result``: ``arena.tournament.Tally.as_dict()``; ``record``: the record's file name
        below the records directory; ``counts``: ``games``, ``hands``, ``decisions`` added to the
        tournament's counters; ``sha256``: of the record; ``at``: when it was over, as ``closing``
        told (0: now); ``ends``: what each bot is to be told of it, by handle, until `told`. Call
        ``store.tasks.settle(lease.match_id)`` after it.
        """
        more: list[str | int] = []
        for name, amount in (counts or {}).items():
            if name not in ("games", "hands", "decisions"):
                raise ValueError(f"no tournament counts {name!r}")
            more.extend((name, amount))
        text = json.dumps(result, separators=(",", ":"))
        owed = {
            bot: [(f"{handle:x}", part.hex()) for handle, part in parts]
            for bot, parts in (ends or {}).items()
        }
        about = (record, secret, sha256, at, json.dumps(owed))
        return Finish(self._link.run("finish", lease.match_id, lease.fence, text, *about, *more))

    def untold(
        self, referee: str, bots: Iterable[str], keep_ms: int = UNTOLD_MS
    ) -> dict[tuple[str, str], list[tuple[int, bytes]]]:
        """What a referee is to tell of matches that are over, because who played them died first:
        by match and bot, of those that are connected here. It is its to tell from now on."""
        found: dict[tuple[str, str], list[tuple[int, bytes]]] = {}
        for name, ends in self._link.run("untold", referee, keep_ms, *bots):
            match_id, bot = name.split(" ")
            found[match_id, bot] = [
                (int(handle, 16), bytes.fromhex(part)) for handle, part in json.loads(ends)
            ]
        return found

    def told(self, ends: Iterable[tuple[str, str]]) -> None:
        """Bots know how these matches ended, by match and bot, or do not ask any more."""
        names = [f"{match_id} {bot}" for match_id, bot in ends]
        if names:
            self._link.call("HDEL", keys.single("untold"), *names)

    # --- the safety net (sweep) ---

    def reclaim(self, limit: int = 1000, stall_ms: int = STALL_MS) -> list[str]:
        """Take what lost its lease, made no progress, or lies at a dead referee; the ids.

        They wait again afterwards, to be gone on with or, where there is no checkpoint, to be
        played again; so does what a dispatch took and never placed. After a time in which nobody
        called this (the store was away) it only gives everybody `GRACE_MS`. Costs O(expired): the
        times stand in sorted sets.
        """
        found: list[str] = self._link.run("reclaim", limit, stall_ms, AWAKE_MS, GRACE_MS)
        return found

    # --- reading ---

    def order(self, match_id: str) -> MatchOrder:
        """The order of a match. NotFound."""
        return self._reading.order(match_id)

    def get(self, match_id: str) -> MatchInfo:
        """Where a match stands. NotFound."""
        return self._reading.info(match_id)

    def page(
        self,
        tournament_id: str,
        start: int = 0,
        count: int = 100,
        state: MatchState | None = None,
    ) -> list[MatchInfo]:
        """Matches ``start`` … ``start + count - 1`` of the schedule, those in ``state`` only.

        Ends where the schedule ends so far. NotFound.
        """
        found = self._reading.infos(tournament_id, range(start, start + count))
        return [info for info in found if state is None or info.state == state]

    def closing(self, match_id: str) -> Json:
        """What the store alone knows of a match about to finish, for the file beside its record:
        ``index, entrants, seating, bots`` (of teams, by entrant; else null)``, attempt, fence,
        referee, commitment, started, finished`` (now) and ``attempts``, the voided ones. NotFound.
        """
        return self._reading.closing(match_id)

    def attempts(self, match_id: str) -> list[Json]:
        """Voided attempts, the oldest first: ``attempt, referee, reason, commitment, secret,
        progress, began_at, at``."""
        return self._reading.attempts(match_id)

    def result(self, match_id: str) -> MatchResult | None:
        """The result, if it is finished."""
        tournament_id, _, index = match_id.rpartition("-m")
        if not index.isdigit():
            return None
        return next(self._reading.results(tournament_id, range(int(index), int(index) + 1)), None)

    def results(self, tournament_id: str, batch: int = 500) -> Iterator[MatchResult]:
        """All results in schedule order, read in batches (bounded memory). NotFound."""
        total = self._reading.cursor(tournament_id)
        for start in range(0, total, batch):
            stop = min(start + batch, total)
            yield from self._reading.results(tournament_id, range(start, stop))

    def depths(self) -> Depths:
        """What waits where, for metrics; O(referees + tournaments)."""
        return read_depths(self._link)
