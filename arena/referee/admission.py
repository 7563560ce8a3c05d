"""Who may play: tokens, caps, and sessions taken up again.

What a stranger can reach is small: one frame, a time limit, a cap on streams that have not shown a
token. Tokens are checked by the store (by hash, compared in constant time) in a thread.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Protocol

from arena.referee.config import RefereeConfig
from arena.referee.refusal import RefusedError, malformed, over_limit
from arena.referee.session import NEVER, Roster, Session
from arena.store.errors import StoreUnavailable
from arena.store.types import Principal, Role

log = logging.getLogger(__name__)

PROTOCOL = 1
LONGEST_TOKEN = 256
TICKET_LIFE_S = 60.0


class HelloLike(Protocol):
    """A ``Hello`` message."""

    protocol: int
    sdk: str
    token: str
    capacity: int
    resume_token: str
    updates: bool

    @property
    def presets(self) -> Iterable[str]: ...


@dataclass(frozen=True, slots=True)
class Admitted:
    """A session that has a stream now."""

    session: Session
    resumed: bool
    """It had games of an earlier stream, or could have had."""


class Admission:
    """Decides about every stream's Hello."""

    def __init__(
        self,
        config: RefereeConfig,
        roster: Roster,
        check: Callable[[str], Principal | None],
    ) -> None:
        self.config = config
        self.roster = roster
        self.handshakes = 0
        """Streams that have not shown a token yet."""
        self._check = check
        self._tickets: dict[str, tuple[str, float]] = {}
        self._revoked = 0
        """Tokens revoked or rotated since this process began."""

    def revoked(self, bot: str) -> None:
        """The bot's token is void: so are tickets, and tokens looked at before and not since."""
        self._revoked += 1
        self._tickets = {t: held for t, held in self._tickets.items() if held[0] != bot}

    def knock(self) -> None:
        """A stream begins its handshake. Raises RefusedError when too many are at it."""
        if self.handshakes >= self.config.handshakes:
            raise over_limit(
                "handshakes", self.config.handshakes, "too many streams without a token"
            )
        self.handshakes += 1

    def ticket(self, bot: str) -> str:
        """A token for one bot, for a summons: for a minute, and as long as the bot has a session
        here, for its stream may break and it has nothing else to show."""
        now = asyncio.get_running_loop().time()
        self._tickets = {t: held for t, held in self._tickets.items() if self._good(held, now)}
        ticket = "ticket-" + secrets.token_urlsafe(24)
        self._tickets[ticket] = (bot, now + TICKET_LIFE_S)
        return ticket

    def _good(self, held: tuple[str, float], now: float) -> bool:
        return held[1] > now or bool(self.roster.of(held[0]))

    async def admit(self, hello: HelloLike) -> Admitted:
        """The session for a Hello: the old one, that of a bot's lost stream, or a new one.

        Raises RefusedError: the cause is in the Hello, its token, or a cap.
        """
        if hello.protocol != PROTOCOL:
            raise RefusedError(
                "INVALID_ARGUMENT",
                "PROTOCOL",
                f"Hello.protocol {hello.protocol} is not spoken here, {PROTOCOL} is",
            )
        if hello.capacity < 1:
            raise malformed("Hello.capacity must be 1 or more")
        bot = await self._bot(hello.token)
        session = self.roster.find(bot, hello.resume_token) if hello.resume_token else None
        if session is None:
            session = self._lost(bot)
        if session is None:
            if len(self.roster.of(bot)) >= self.config.streams_per_bot:
                raise over_limit(
                    "streams_per_bot",
                    self.config.streams_per_bot,
                    f"bot {bot} has as many streams as it may",
                )
            session = Session(bot)
            self.roster.add(session)
            resumed = False
        else:
            resumed = True
        session.capacity = min(hello.capacity, self.config.games_per_stream)
        session.presets = frozenset(hello.presets)
        session.updates = hello.updates
        session.paused, session.paused_at = False, NEVER
        session.summoned = hello.token in self._tickets
        return Admitted(session, resumed)

    def _lost(self, bot: str) -> Session | None:
        """A session of the bot whose stream is gone: a process that died and was started again.

        A turn is complete in itself, so the new process can go on where the old one stopped.
        """
        lost = [session for session in self.roster.of(bot) if session.stream is None]
        return min(lost, key=lambda session: session.lost_at, default=None)

    async def _bot(self, token: str) -> str:
        """The bot a token belongs to. Raises RefusedError."""
        if not 0 < len(token) <= LONGEST_TOKEN:
            raise _unknown_token()
        held = self._tickets.get(token)
        if held is not None and self._good(held, asyncio.get_running_loop().time()):
            return held[0]
        try:
            # Revoked between the look and the answer, a token would have a stream that nobody
            # ends: whoever is told of it sees only the streams there are.
            seen, principal = -1, None
            while seen != self._revoked:
                seen = self._revoked
                principal = await asyncio.to_thread(self._check, token)
        except StoreUnavailable:
            log.warning("a token could not be checked: the store is away")
            raise RefusedError(
                "UNAVAILABLE", "STORE", "tokens cannot be checked now, connect again"
            ) from None
        if principal is None:
            raise _unknown_token()
        if principal.role is not Role.BOT:
            raise RefusedError(
                "PERMISSION_DENIED",
                "NOT_A_BOT",
                f"this token is {principal.role.value}'s; a bot's token is needed to play",
            )
        return principal.name


def _unknown_token() -> RefusedError:
    return RefusedError(
        "UNAUTHENTICATED", "TOKEN", "the token is not known here; it may have been rotated"
    )
