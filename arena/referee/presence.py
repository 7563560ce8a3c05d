"""Sessions coming and going: streams attached, lost, taken up again, given up.

A lost stream starts the grace of every match its session plays in. Until it is over the bot may
come back (with the resume token, or as a new process of the same bot); after it another stream of
the bot takes over, and a bot without one has left the match.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable
from typing import Final

from arena.referee import frames
from arena.referee.config import RefereeConfig
from arena.referee.hosted import Hosted
from arena.referee.loop import Engine, now_ns
from arena.referee.reserving import allowed
from arena.referee.session import NEVER, Roster, Session, Stream

log: Final = logging.getLogger(__name__)


class Presence:
    """Keeps roster, streams and matches in step."""

    def __init__(
        self,
        config: RefereeConfig,
        roster: Roster,
        engine: Engine,
        changed: Callable[[], None],
    ) -> None:
        self.config = config
        self.roster = roster
        self.engine = engine
        self.changed = changed
        """Called when bots come or go or take more or fewer games."""
        self.draining = False

    def attach(self, session: Session, stream: Stream, *, resumed: bool) -> None:
        """A stream for a session: welcome it, and tell it what is open."""
        old, session.stream = session.stream, stream
        if old is not None:
            old.end("ABORTED", "TAKEN_OVER", "another stream took this session up")
            session.outbox.clear()
        session.lost_at = NEVER
        session.rtt_ns = 0
        stream.notice(
            frames.welcome(
                session, self.config, time.time_ns() // 1_000_000, self.config.disconnect_grace_ms
            )
        )
        if self.draining:
            stream.notice(frames.draining())
        if resumed:
            self.engine.resend(session, now_ns())
        self.engine.metrics.session_opened(resumed=resumed)
        self.controlled(session)

    def controlled(self, session: Session) -> None:
        """A session takes more games than before, or fewer, or none: so do its matches. One that
        stands still for want of a bot that has paused waits as for one that is away."""
        for hosted in list(session.matches.values()):
            self.engine.limit(hosted, allowed(hosted))
            if session.paused:
                self._begin_pause(session, hosted)
        self.changed()

    def _begin_pause(self, session: Session, hosted: Hosted) -> None:
        loop = asyncio.get_running_loop()
        grace_s = hosted.grace_ms / 1000
        loop.call_later(grace_s, self._pause_over, session, hosted, session.paused_at)

    def _pause_over(self, session: Session, hosted: Hosted, paused_at: int) -> None:
        if session.paused_at != paused_at or hosted.ended.done():
            return
        if hosted.games or hosted.limit:
            self._begin_pause(session, hosted)  # it goes on, with what it has
        else:
            self._out(session, hosted, f"had paused for more than {hosted.grace_ms} ms")

    def detach(self, session: Session, stream: Stream) -> None:
        """A stream ended. Its session waits for another, if it plays in any match."""
        self.engine.metrics.session_closed()
        if session.stream is not stream:
            return  # taken over
        session.stream = None
        session.outbox.clear()
        session.lost_at = now_ns()
        for hosted in session.matches.values():
            self._begin_grace(session, hosted)
        self.forget_if_idle(session)
        if self.draining:
            self.engine.hand_back()
        self.changed()

    def began(self, hosted: Hosted) -> None:
        """Who was lost between being chosen for a match and its beginning has its grace, too."""
        for session in hosted.sessions:
            if session.stream is None:
                self._begin_grace(session, hosted)

    def _begin_grace(self, session: Session, hosted: Hosted) -> None:
        loop = asyncio.get_running_loop()
        loop.call_later(hosted.grace_ms / 1000, self._grace_over, session, hosted, session.lost_at)

    def forget_if_idle(self, session: Session) -> None:
        """A session without stream, matches and promised games has nothing to come back to, unless
        it is to how they ended."""
        if session.stream is not None or session.matches or session.reserved:
            return
        if session.endings:
            grace_s = self.config.disconnect_grace_ms / 1000
            loop = asyncio.get_running_loop()
            loop.call_later(grace_s, self._endings_over, session, session.lost_at)
        else:
            self.roster.remove(session)

    def _endings_over(self, session: Session, lost_at: int) -> None:
        if session.lost_at == lost_at:
            session.endings.clear()
            self.forget_if_idle(session)

    def _grace_over(self, session: Session, hosted: Hosted, lost_at: int) -> None:
        if session.lost_at != lost_at or hosted.ended.done():
            return
        self._out(session, hosted, f"was gone for more than {hosted.grace_ms} ms")

    def _out(self, session: Session, hosted: Hosted, why: str) -> None:
        """Another stream of the bot takes over, or the bot has left the match."""
        connected = self.roster.connected(session.bot)
        others = [each for each in connected if not each.paused] or (hosted.games and connected)
        if others:
            other = min(others, key=lambda each: each.reserved - each.capacity)
            self.engine.hand_over(other, hosted.move(session, other))
            self.engine.limit(hosted, allowed(hosted))
            other.poke(now_ns())
        else:
            log.info("match %s: %s is gone", hosted.order.match_id, session.bot)
            self.engine.gone(hosted, session.bot, f"{session.bot} {why}")
        self.forget_if_idle(session)
