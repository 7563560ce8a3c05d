"""The store's words: what goes in and what comes out, without a trace of Redis.

Times are integer milliseconds since the epoch by the *server's* clock, so that all processes
agree; durations are integer milliseconds and end in ``_ms``.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Protocol

Json = Mapping[str, Any]
"""A JSON object as Python reads it."""

NAME = re.compile(r"[a-z0-9](?:[a-z0-9._-]{0,62}[a-z0-9])?")
"""Names of bots and ids of tournaments: 1–64 of a–z 0–9 . _ - beginning and ending with a–z 0–9."""


def check_name(name: str) -> None:
    """ValueError unless ``name`` is one."""
    if not NAME.fullmatch(name):
        raise ValueError(
            f"{name!r} is not a name: 1 to 64 of a–z, 0–9, '.', '_' and '-', "
            "with a letter or digit at both ends"
        )


class Role(StrEnum):
    """Who a token speaks for ([architecture] Tokens)."""

    BOT = "bot"
    ORGANIZER = "organizer"
    OPERATOR = "operator"


class TournamentState(StrEnum):
    """``created → scheduling → running → finished``; paused and cancelled from the middle two."""

    CREATED = "created"
    SCHEDULING = "scheduling"  # playing already, but not all matches exist yet
    RUNNING = "running"
    PAUSED = "paused"  # matches under way are finished, no new one begins
    FINISHED = "finished"
    CANCELLED = "cancelled"


class MatchState(StrEnum):
    """``scheduled → queued → leased → playing → finished``; voided attempts: back to the first."""

    SCHEDULED = "scheduled"
    QUEUED = "queued"  # in a referee's inbox
    LEASED = "leased"  # a referee took it, the secret's commitment is not out yet
    PLAYING = "playing"
    FINISHED = "finished"
    CANCELLED = "cancelled"


@dataclass(frozen=True, slots=True)
class Principal:
    """Whom a valid token belongs to; for a bot, ``name`` is the bot's."""

    role: Role
    name: str


@dataclass(frozen=True, slots=True)
class BotInfo:
    """A registered bot; never its token."""

    name: str
    created_at: int
    rotated_at: int
    revoked: bool
    connected: bool
    last_seen: int  # 0: never


@dataclass(frozen=True, slots=True)
class Entrant:
    """A bot or a team of bots; a bot entrant is a team of one."""

    name: str
    bots: tuple[str, ...]


class Pairing(Protocol):
    """One match of the schedule, as ``arena.tournament.Schedule`` gives it."""

    @property
    def index(self) -> int:
        """Place in schedule order."""

    @property
    def entrants(self) -> tuple[int, ...]:
        """Indices of the tournament's entrants."""

    @property
    def seating(self) -> tuple[int, ...]:
        """For each seat of game 0 the place in ``entrants`` of who sits there."""

    @property
    def bots(self) -> tuple[str, ...]:
        """For each seat of game 0 the bot that plays it."""


@dataclass(frozen=True, slots=True)
class MatchOrder:
    """Everything a referee needs to play a match; what dispatch puts into its inbox."""

    match_id: str
    tournament_id: str
    index: int  # in schedule order
    entrants: tuple[Entrant, ...]  # a team's bots in the order in which they take their seats
    seating: tuple[int, ...]  # for each seat of game 0 the place in ``entrants`` of who sits there
    preset: str
    options: Json
    match_format: Json
    clock: Json | None
    faults: Json
    seeded: bool
    seed: str  # "" unless seeded: the text its secret is made of ([rules] §9)
    attempt: int = 0  # attempts begun before this one
    no_show: tuple[str, ...] = ()  # bots absent beyond their grace: they forfeit
    summon: tuple[str, ...] = ()  # bots whose home stream is at another referee
    parallel: int = 0  # games at once in the attempt it goes on with, 0 for a new one


@dataclass(frozen=True, slots=True)
class MatchInfo:
    """Where a match stands."""

    match_id: str
    tournament_id: str
    index: int
    entrants: tuple[Entrant, ...]
    seating: tuple[int, ...]
    state: MatchState
    attempts: int
    referee: str  # "" while scheduled
    commitment: str  # hex, "" before the attempt begins
    progress: int  # decisions played in this attempt, as last reported
    started_at: int
    finished_at: int
    record: str  # file name below the records directory, "" while there is none


@dataclass(frozen=True, slots=True)
class Lease:
    """The right to play one attempt of a match and to write its result.

    ``fence`` grows with every lease given out by this store, by no fixed step; a write that
    carries an older fence than the match's is refused, so a referee that was stopped and comes
    back writes nothing.
    """

    match_id: str
    tournament_id: str
    referee: str
    fence: int
    attempt: int  # 1 for the first
    ttl_ms: int
    goes_on: bool = False  # with an attempt another referee began: see journal.py


class Finish(StrEnum):
    """What became of a result handed to :meth:`Matches.finish`."""

    WRITTEN = "written"
    AGAIN = "again"  # this very lease had written it before: a retry after a lost answer, harmless
    DUPLICATE = "duplicate"  # another lease's result stands; counted
    STALE = "stale"  # the lease was lost; counted
    CANCELLED = "cancelled"  # the tournament was cancelled meanwhile
    UNKNOWN = "unknown"  # no such match

    @property
    def stands(self) -> bool:
        """Whether the caller's result is the one that counts."""
        return self in (Finish.WRITTEN, Finish.AGAIN)


@dataclass(frozen=True, slots=True)
class MatchResult:
    """A result as it stands, once and for all."""

    match_id: str
    index: int
    entrants: tuple[int, ...]  # indices of the tournament's entrants
    result: Json  # what the referee handed in
    record: str
    attempt: int
    finished_at: int
    fence: int = 0  # of the lease that wrote it
    secret: str = ""  # hex, of the deals
    sha256: str = ""  # of the record's bytes, hex; "" in results of the first release


class Placement(StrEnum):
    """What :meth:`Matches.place` did with a match."""

    PLACED = "placed"
    WAITING = "waiting"  # a bot of an entrant is absent or has no room
    FULL = "full"  # no referee has room
    HELD = "held"  # its tournament is paused
    NOTHING = "nothing"  # not scheduled any more (placed, finished, cancelled) or unknown


@dataclass(frozen=True, slots=True)
class Placed:
    """The answer of :meth:`Matches.place`: where, or which bot it waits for."""

    placement: Placement
    referee: str = ""
    bot: str = ""


@dataclass(frozen=True, slots=True)
class RefereeInfo:
    """A live referee as of its last heartbeat."""

    referee: str
    address: str
    capacity: int  # matches at once
    load: int  # matches assigned: queued, leased or playing
    queued: int  # of these, still in its inbox
    draining: bool
    bots: Mapping[str, int]  # connected here → matches at once each
    since: int
    expires: int


@dataclass(frozen=True, slots=True)
class Inbox:
    """One message of a referee's inbox; acknowledge it with ``done``.

    ``kind``: ``order`` (``order`` is set) · ``cancel`` (``match_id``: stop and forget it) ·
    ``summons`` (``bot`` is to be told ``address`` and ``ticket``; ``match_id`` is why) ·
    ``revoked`` (``bot``'s token is no longer good: close its streams) · ``drain`` (end in good
    order).
    """

    kind: str
    entry: str
    match_id: str = ""
    order: MatchOrder | None = None
    bot: str = ""
    address: str = ""
    ticket: str = ""


@dataclass(frozen=True, slots=True)
class Progress:
    """Counters of a tournament; ``scheduled`` counts matches that exist, in whatever state.

    ``games`` are over, those of matches under way as their referees last reported them: an attempt
    that is voided takes its games back. ``decisions`` and ``hands`` are of finished matches.
    """

    total: int
    scheduled: int
    queued: int
    playing: int
    finished: int
    voided: int  # attempts
    games: int
    decisions: int
    hands: int


@dataclass(frozen=True, slots=True)
class Tournament:
    """A tournament as stored; ``spec`` is the organizer's file as JSON."""

    tournament_id: str
    name: str
    state: TournamentState
    spec_text: str
    spec: Json
    entrants: tuple[Entrant, ...]
    seeded: bool
    created_at: int
    started_at: int
    finished_at: int
    progress: Progress
    note: str = ""  # why it stands still or was cancelled


@dataclass(frozen=True, slots=True)
class Snapshot:
    """Standings and ratings as last derived; ``results`` says from how many results."""

    results: int
    derived_at: int
    final: bool
    table: Json


@dataclass(frozen=True, slots=True)
class Event:
    """One entry of a tournament's events: ``kind`` is state, match, standings or progress."""

    entry: str
    kind: str
    at: int
    data: Json = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Depths:
    """How much waits where, for metrics."""

    matches: Mapping[MatchState, int]  # of unfinished tournaments
    waiting: int  # scheduled, of tournaments that are running
    pending: int  # of these, being dispatched at this moment
    inbox: Mapping[str, int]  # referee → orders queued
    tasks: int  # in the Celery queue
    unacked: int  # taken by a worker, not acknowledged
    rejected: Mapping[str, int]  # results refused: duplicate, stale
    oldest_progress_ms: int  # age of the match longest without progress, 0 if none plays
    tournaments: Mapping[TournamentState, int]
