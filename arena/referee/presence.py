"""Sessions coming and going: streams attached, lost, taken up again, given up.

A lost stream starts the grace of every match its session plays in. Until it is over the bot may
come back (with the resume token, or as a new process of the same bot); after it another stream of
the bot takes over, and a bot without one has left the match. One that comes and goes again and
again uses up what each game gives it for being away, and then loses that game.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable
from typing import Final

from euchre_arena.match.clock import MS

from arena.referee import frames
from arena.referee.config import RefereeConfig
from arena.referee.hosted import Hosted
from arena.referee.loop import Engine, now_ns
from arena.referee.reserving import allowed
from arena.referee.session import NEVER, Roster, Seat, Session, Stream

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
        now = now_ns()
        for seat in session.seats.values():
            seat.back(now)
        stream.notice(frames.welcome(session, self.config, time.time_ns() // MS))
        if self.draining:
            stream.notice(frames.draining())
        if resumed:
            self.engine.resend(session, now)
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
        for seat in session.seats.values():
            seat.lost(session.lost_at)
        for hosted in session.matches.values():
            self._begin_grace(session, hosted)
            self._watch_games(session, hosted)
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

    def _watch_games(self, session: Session, hosted: Hosted) -> None:
        """Look again when the first of the session's games has given its bot all it gives for
        being away; that of one absence alone is less (`Hosted.grace_ms`)."""
        used = [seat.away(now_ns()) for seat in _under_way(session, hosted)]
        if used:
            left_s = max(0, hosted.away_ms * MS - max(used)) / 1e9
            loop = asyncio.get_running_loop()
            loop.call_later(left_s, self._games_over, session, hosted, session.lost_at)

    def _games_over(self, session: Session, hosted: Hosted, lost_at: int) -> None:
        if session.lost_at != lost_at or hosted.ended.done():
            return
        now = now_ns()
        for seat in _under_way(session, hosted):
            away_ms = seat.away(now) // MS
            if away_ms < hosted.away_ms:
                continue
            if self._handed_over(session, hosted):
                break
            why = (
                f"{session.bot} was gone {seat.absences} times in this game, for {away_ms} ms in "
                f"all; {hosted.away_ms} ms are given"
            )
            log.info("match %s: %s", hosted.order.match_id, why)
            self.engine.away(seat, why, now)
        self._watch_games(session, hosted)

    def _out(self, session: Session, hosted: Hosted, why: str) -> None:
        """Another stream of the bot takes over, or the bot has left the match."""
        if not self._handed_over(session, hosted):
            log.info("match %s: %s is gone", hosted.order.match_id, session.bot)
            self.engine.gone(hosted, session.bot, f"{session.bot} {why}")
        self.forget_if_idle(session)

    def _handed_over(self, session: Session, hosted: Hosted) -> bool:
        """Have another stream of the bot take over, if there is one."""
        connected = self.roster.connected(session.bot)
        others = [each for each in connected if not each.paused] or (hosted.games and connected)
        if not others:
            return False
        other = min(others, key=lambda each: each.reserved - each.capacity)
        now = now_ns()
        seats = hosted.move(session, other)
        for seat in seats:
            seat.back(now)
        self.engine.hand_over(other, seats)
        self.engine.limit(hosted, allowed(hosted))
        other.poke(now)
        self.forget_if_idle(session)
        return True


def _under_way(session: Session, hosted: Hosted) -> list[Seat]:
    """The session's seats in games of a match that has begun, none of them over."""
    if not hosted.started:
        return []
    seats = [seat for seat in session.seats.values() if seat.hosted is hosted]
    return [seat for seat in seats if seat.match.live_game(seat.game) is not None]
