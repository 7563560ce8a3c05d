"""Sessions: a bot process, its games, and what waits to be sent to it.

A `Session` outlives its stream: a bot that loses its connection comes back with the resume token
within its grace and finds its games open. A `Seat` is one seat of one game as the bot knows it,
under an opaque handle; an `Outbox` holds what the next frame will carry.
"""

from __future__ import annotations

import secrets
import time
from collections import deque
from collections.abc import Callable
from typing import TYPE_CHECKING, Final, Protocol

from euchre_arena.wire import GameWriter

if TYPE_CHECKING:
    from euchre_arena.match import Match, OpenTurn
    from euchre_arena.match.live import LiveGame

    from arena.referee.hosted import Hosted

NEVER: Final = 1 << 62
"""A time that does not come, nanoseconds."""
RETIRED: Final = 4096
"""How many voided games a session remembers."""


class Seat:
    """One seat of one game."""

    __slots__ = (
        *("absences", "actions", "away_ns", "game", "handle", "hosted", "live", "lost_at", "match"),
        *("number", "queued", "sent", "session", "spelled", "table", "turn", "writer"),
    )

    def __init__(
        self, session: Session, hosted: Hosted, game: int, number: int, table: list[Seat]
    ) -> None:
        self.handle = hosted.handle("seat", game, number)
        self.session = session
        self.hosted = hosted
        self.match: Match
        """Set when the game begins."""
        self.live: LiveGame | None
        """Likewise: the game in there; None when it was over before anybody was told of it."""
        self.writer: GameWriter
        """Likewise; shared by the seats of a game."""
        self.game = game
        """Number of the game in its match."""
        self.number = number
        """Number of the seat at the table."""
        self.table = table
        """All seats of the game, by number."""
        self.turn = 0
        """The turn last asked for, 0 before the first."""
        self.sent = 0
        """The turn last handed to the transport, whose clock runs."""
        self.spelled = False
        """That turn's list of actions stood on the wire in another order than the canonical."""
        self.queued = False
        """It waits in the outbox."""
        self.actions: tuple[int, ...] = ()
        """Public actions for the next GameUpdated, seat * 65536 + code."""
        self.absences = 0
        """How often its bot was away in this game."""
        self.away_ns = 0
        """For how long, all together, but for the absence that lasts."""
        self.lost_at = NEVER
        """When that began, nanoseconds."""
        if session.stream is None:
            self.lost(time.monotonic_ns())

    def lost(self, now: int) -> None:
        """Its bot's stream is gone."""
        self.absences += 1
        self.lost_at = now

    def back(self, now: int) -> None:
        """Its bot has a stream, again or still."""
        self.away_ns = self.away(now)
        self.lost_at = NEVER

    def away(self, now: int) -> int:
        """For how long its bot was away in this game until now, nanoseconds."""
        return self.away_ns + max(0, now - self.lost_at)

    def open_turn(self, now: int) -> OpenTurn | None:
        """The decision this seat was asked for, if the game still waits for it."""
        try:
            turn = self.match.open_turn(self.game, now if self.sent == self.turn else None)
        except KeyError:
            return None
        return turn if turn.seat == self.number and turn.turn == self.turn else None


class Outbox:
    """What the next frame to one session carries."""

    __slots__ = ("parts", "turns", "updated")

    def __init__(self) -> None:
        self.turns: deque[Seat] = deque()
        """Seats with a decision to make, in the order in which it came up."""
        self.parts: list[tuple[int, bytes]] = []
        """Everything else, encoded, each with the handle it is about."""
        self.updated: dict[int, Seat] = {}
        """Seats with `Seat.actions` to tell, by handle."""

    def __bool__(self) -> bool:
        return bool(self.turns or self.parts or self.updated)

    def ask(self, seat: Seat) -> None:
        """Queue a seat's open turn, once."""
        if not seat.queued:
            seat.queued = True
            self.turns.append(seat)

    def clear(self) -> None:
        """Forget it all: the stream is gone."""
        for seat in self.turns:
            seat.queued = False
        self.turns.clear()
        self.parts.clear()
        for seat in self.updated.values():
            seat.actions = ()
        self.updated.clear()


class Stream(Protocol):
    """The transport under a session."""

    def poke(self, now: int) -> None:
        """Something waits in the outbox: send it when credit and pace allow."""

    def end(self, code: str, reason: str, detail: str) -> None:
        """End the stream with a status; ``code`` is the name of a gRPC status."""

    def notice(self, part: bytes) -> None:
        """Send an encoded notice, whatever the credits."""


class Session:
    """One bot process and everything that is its own."""

    def __init__(self, bot: str, capacity: int = 1) -> None:
        self.bot = bot
        """Registered name."""
        self.id = secrets.token_hex(6)
        self.resume_token = secrets.token_urlsafe(24)
        self.capacity = capacity
        """Games granted at once."""
        self.presets: frozenset[str] = frozenset()
        """Presets it plays; empty for all."""
        self.updates = False
        """It wants GameUpdated."""
        self.paused = False
        """It takes no new games."""
        self.paused_at = NEVER
        self.summoned = False
        """It came with a ticket: its home is another referee."""
        self.reserved = 0
        """Games promised to matches under way, of `capacity`."""
        self.matches: dict[str, Hosted] = {}
        """Matches under way that reserved games here, by id."""
        self.seats: dict[int, Seat] = {}
        """Seats of games under way, by handle."""
        self.entropy: dict[int, Callable[[bytes], str]] = {}
        """Who takes the nonce for a handle; it returns what is wrong with it, or nothing."""
        self.outbox = Outbox()
        self.endings: dict[int, tuple[bytes, Hosted | None]] = {}
        """Games' and matches' ends not yet acknowledged, by handle: a reconnect repeats them. With
        each game the match it was part of."""
        self.stream: Stream | None = None
        """None while disconnected."""
        self.lost_at = NEVER
        """When the stream was lost, nanoseconds."""
        self.rtt_ns = 0
        """Smoothed round trip of ping and pong."""
        self.retired: dict[int, None] = {}
        """Handles of voided games: answers to them are on their way and nobody's fault."""
        self.unmatched = 0
        """Answers in this second that met no open turn."""

    @property
    def free(self) -> int:
        """Games it can still be given."""
        return 0 if self.paused or self.stream is None else max(0, self.capacity - self.reserved)

    def plays(self, preset: str) -> bool:
        """Whether the bot said that it plays a preset."""
        return not self.presets or preset in self.presets

    def put(self, handle: int, part: bytes) -> None:
        """Queue an encoded message; `poke` sends it."""
        if self.stream is not None:
            self.outbox.parts.append((handle, part))

    def put_ending(self, handle: int, part: bytes, hosted: Hosted | None = None) -> None:
        """Queue the end of a match, or of a game of one, and keep it until it is acknowledged."""
        self.endings[handle] = part, hosted
        self.put(handle, part)

    def retire(self, handle: int) -> None:
        """A game was voided or is over: answers to it are ignored for a while."""
        self.retired[handle] = None
        if len(self.retired) > RETIRED:
            del self.retired[next(iter(self.retired))]

    def poke(self, now: int) -> None:
        """Have what waits sent, if there is a stream."""
        if self.stream is not None:
            self.stream.poke(now)

    def measured(self, sample_ns: int) -> None:
        """One more round trip was measured."""
        # An eighth of the new one, as TCP does: one late pong forgives nobody much.
        self.rtt_ns += (sample_ns - self.rtt_ns) >> 3 if self.rtt_ns else sample_ns


class Roster:
    """All sessions of a referee, connected or within their grace."""

    def __init__(self) -> None:
        self.by_bot: dict[str, list[Session]] = {}
        self._by_token: dict[str, Session] = {}

    def __len__(self) -> int:
        return len(self._by_token)

    def __contains__(self, session: Session) -> bool:
        return self._by_token.get(session.resume_token) is session

    def all(self) -> list[Session]:
        """Every session."""
        return list(self._by_token.values())

    def of(self, bot: str) -> list[Session]:
        """The sessions of a bot."""
        return self.by_bot.get(bot, [])

    def connected(self, bot: str) -> list[Session]:
        """Those that have a stream."""
        return [session for session in self.of(bot) if session.stream is not None]

    def add(self, session: Session) -> None:
        """A session began."""
        self.by_bot.setdefault(session.bot, []).append(session)
        self._by_token[session.resume_token] = session

    def remove(self, session: Session) -> None:
        """A session is over."""
        if self._by_token.pop(session.resume_token, None) is None:
            return
        others = self.by_bot[session.bot]
        others.remove(session)
        if not others:
            del self.by_bot[session.bot]

    def find(self, bot: str, resume_token: str) -> Session | None:
        """The session a bot wants to take up again."""
        session = self._by_token.get(resume_token)
        return session if session is not None and session.bot == bot else None
