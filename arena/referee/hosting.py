"""Hosting: which matches this referee plays, and that the store knows it lives.

Orders come through the inbox; each waits until its bots have room and is then an `Attempt`.
Presence is told every two seconds and whenever a bot comes or goes, leases are renewed with the
progress of their matches.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Callable, Coroutine
from functools import partial
from typing import Final

from arena.referee import frames
from arena.referee.admission import Admission
from arena.referee.attempt import Attempt, Desk
from arena.referee.hosted import Hosted, VoidedError
from arena.referee.records import RecordError
from arena.referee.reserving import reserve, takes_at_once
from arena.referee.session import Roster
from arena.store.errors import StoreUnavailable
from arena.store.types import Inbox, MatchOrder

log: Final = logging.getLogger(__name__)

HEARTBEAT_S: Final = 2.0
TOGETHER_S: Final = 0.02
"""Bots that come or go within it are told to the store together: one may do so all the time."""
RENEW_S: Final = 1.0
"""Who watches a tournament sees games as they end; a lease alone asked for less."""
TAKEN_AT_ONCE: Final = 32
"""Messages of the inbox read in one call."""


class Hosting:
    """The matches of one referee."""

    def __init__(self, desk: Desk, roster: Roster, admission: Admission, address: str) -> None:
        self.desk = desk
        self.roster = roster
        self.admission = admission
        self.address = address
        """As bots reach it."""
        self.draining = False
        self.unfit = False
        """This host is too slow at the moment."""
        self.on_drain: Callable[[], None] = lambda: None
        """An operator wants this referee drained."""
        self.waiting: dict[str, MatchOrder] = {}
        """Orders whose bots have no room yet, in the order in which they came."""
        self.playing: dict[str, Attempt] = {}
        self._changed = asyncio.Event()
        self._hold_until = 0.0
        self._tasks: set[asyncio.Task[None]] = set()
        self._attempts: set[asyncio.Task[None]] = set()

    # -- running

    def start(self) -> None:
        """Begin to take orders."""
        for work in (self._read_inbox(), self._beat(), self._renew()):
            self._spawn(work, self._tasks)

    def changed(self) -> None:
        """Bots came or went, or have more room."""
        self._changed.set()
        self._start_what_can()

    async def drain(self, wait_s: float) -> None:
        """Take nothing new, finish hands for so long, hand everything back, leave."""
        self.draining = True
        self.waiting.clear()
        self._changed.set()
        desk = self.desk
        desk.engine.drain()
        for attempt in self.playing.values():
            if attempt.hosted is not None and attempt.order.match_id not in desk.engine.hosted:
                attempt.hosted.void(VoidedError("the referee is draining", handed_back=True))
        if self._attempts:
            await asyncio.wait(self._attempts, timeout=wait_s)
        for attempt in self.playing.values():
            if attempt.hosted is not None:
                attempt.hosted.void(VoidedError("the referee is draining", handed_back=True))
        if self._attempts:
            # What is left is the store's answers; when it is away, leases lapse by themselves.
            await asyncio.wait(self._attempts, timeout=wait_s / 2)
        for task in [*self._tasks, *self._attempts]:
            task.cancel()
        await asyncio.gather(*self._tasks, *self._attempts, return_exceptions=True)
        with contextlib.suppress(StoreUnavailable):
            await desk.calls.once(desk.store.referees.leave, desk.referee)

    def give_up(self, reason: str) -> None:
        """Give everything to other referees, orders that wait as well as matches under way."""
        self.waiting.clear()
        self.desk.engine.give_up(reason)
        self._spawn(self._hand_back(), self._tasks)

    async def _hand_back(self) -> None:
        """What is queued here and not leased waits for another referee."""
        desk = self.desk
        freed = await desk.calls.until_done(desk.store.referees.hand_back, desk.referee)
        if freed:
            log.info("%d orders are handed back", len(freed))
            with contextlib.suppress(StoreUnavailable):
                await desk.calls.once(desk.store.tasks.dispatch_due)

    def _spawn(self, work: Coroutine[object, object, None], tasks: set[asyncio.Task[None]]) -> None:
        task = asyncio.create_task(work)
        tasks.add(task)
        task.add_done_callback(tasks.discard)
        task.add_done_callback(_log_failure)

    # -- the inbox

    async def _read_inbox(self) -> None:
        desk = self.desk
        kinds: dict[str, Callable[[Inbox], None]] = {
            "order": self._order,
            "cancel": self._cancel,
            "summons": self._summons,
            "revoked": self._revoked,
            "drain": lambda message: self.on_drain(),
        }
        while not self.draining:
            try:
                messages = await desk.calls.once(
                    desk.store.referees.inbox,
                    desk.referee,
                    TAKEN_AT_ONCE,
                    desk.config.inbox_wait_ms,
                )
                for message in messages:
                    kinds[message.kind](message)
                if messages:
                    # An order may be told twice after this process's death, never lost: until it
                    # is leased it is queued here, and a dead referee's queue is reclaimed.
                    entries = [message.entry for message in messages]
                    await desk.calls.once(desk.store.referees.done, desk.referee, entries)
                    if self.unfit and self.waiting:
                        # Placed before the store knew.
                        self.waiting.clear()
                        await self._hand_back()
                    self._start_what_can()
            except StoreUnavailable as error:
                log.warning("inbox: %s", error)
                await asyncio.sleep(HEARTBEAT_S / 2)

    def _order(self, message: Inbox) -> None:
        if message.order is not None:
            self.waiting[message.order.match_id] = message.order
            if message.order.summon:
                self._spawn(self._summon(message.order), self._tasks)

    def _cancel(self, message: Inbox) -> None:
        self.waiting.pop(message.match_id, None)
        attempt = self.playing.get(message.match_id)
        if attempt is not None and attempt.hosted is not None:
            attempt.hosted.void(VoidedError("the tournament was cancelled", lost=True))

    def _summons(self, message: Inbox) -> None:
        for session in self.roster.connected(message.bot):
            if session.stream is not None:
                session.stream.notice(frames.summons(message.address, message.ticket))

    def _revoked(self, message: Inbox) -> None:
        self.admission.revoked(message.bot)
        for session in self.roster.connected(message.bot):
            if session.stream is not None:
                session.stream.end(
                    "UNAUTHENTICATED", "TOKEN", f"the token of {message.bot} is void now"
                )

    async def _summon(self, order: MatchOrder) -> None:
        for bot in order.summon:
            if not self.roster.connected(bot):
                await self.desk.calls.until_done(self._summons_for(bot, order.match_id))

    def _summons_for(self, bot: str, match_id: str) -> Callable[[], list[str]]:
        ticket = self.admission.ticket(bot)
        return partial(self.desk.store.referees.summon, bot, self.address, ticket, match_id)

    async def _call_back(self) -> None:
        """Summon bots again that were summoned and are not here: the summons may have met a home
        stream that was broken, and a process started anew knows of no referee but its home."""
        missing = {bot: order.match_id for order in self.waiting.values() for bot in order.summon}
        for session in self.roster.all():
            if session.summoned and session.stream is None and session.matches:
                missing[session.bot] = next(iter(session.matches))
        for bot, match_id in missing.items():
            if not self.roster.connected(bot):
                await self.desk.calls.once(self._summons_for(bot, match_id))

    # -- playing

    def _start_what_can(self) -> None:
        """Begin every waiting match whose bots have room, the oldest first."""
        config = self.desk.config
        loop = asyncio.get_running_loop()
        if self.draining or self.unfit or loop.time() < self._hold_until:
            return
        for match_id, order in list(self.waiting.items()):
            if len(self.playing) >= config.matches:
                break
            found = reserve(self.roster, order, order.parallel or self._parallel(order))
            if found is None:
                continue
            del self.waiting[match_id]
            attempt = self.playing[match_id] = Attempt(self.desk, order, *found)
            self._spawn(self._attempt(attempt), self._attempts)
        self._count()

    def _parallel(self, order: MatchOrder) -> int:
        form = order.match_format
        games = form.get("games") or form.get("best_of") or form.get("deals") or 3
        return min(self.desk.config.parallel, int(games))

    async def _attempt(self, attempt: Attempt) -> None:
        match_id = attempt.order.match_id
        try:
            why = await attempt.run()
        finally:
            del self.playing[match_id]
            self._count()
        if isinstance(why, RecordError):
            # A full disk does not empty itself: no next attempt for a while.
            retry_s = self.desk.config.record_retry_s
            loop = asyncio.get_running_loop()
            self._hold_until = loop.time() + retry_s
            loop.call_later(retry_s + 0.01, self._start_what_can)
        else:
            self._start_what_can()

    def _count(self) -> None:
        self.desk.metrics.referee_matches("waiting", len(self.waiting))
        self.desk.metrics.referee_matches("playing", len(self.playing))

    # -- presence and leases

    def bots(self) -> dict[str, int]:
        """Connected bots and how many matches each takes at once."""
        parallel = self.desk.config.parallel
        return {
            bot: takes_at_once(connected, parallel)
            for bot in self.roster.by_bot
            if (connected := self.roster.connected(bot))
        }

    async def _beat(self) -> None:
        desk = self.desk
        while True:
            self._changed.clear()
            try:
                news = await desk.calls.once(
                    desk.store.referees.heartbeat,
                    desk.referee,
                    capacity=desk.config.matches,
                    bots=self.bots(),
                    draining=self.draining or self.unfit,
                )
                if news:
                    await desk.calls.once(desk.store.tasks.dispatch_due)
                await self._call_back()
                await desk.untold.take_over()
            except StoreUnavailable as error:
                log.warning("heartbeat: %s", error)
                await asyncio.sleep(HEARTBEAT_S / 4)
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(HEARTBEAT_S):
                    await self._changed.wait()
            await asyncio.sleep(TOGETHER_S)

    async def _renew(self) -> None:
        desk = self.desk
        every_s = min(RENEW_S, desk.config.lease_ms / 3000)
        while True:
            await asyncio.sleep(every_s)
            held = {
                attempt.hosted.lease: attempt.hosted
                for attempt in self.playing.values()
                if attempt.hosted is not None
            }
            await desk.engine.keeping.settle(desk.referee)
            with contextlib.suppress(StoreUnavailable):
                await desk.untold.settle()
            if not held:
                continue
            progress = {lease: _progress(hosted) for lease, hosted in held.items()}
            games = {lease.match_id: len(hosted.games_over) for lease, hosted in held.items()}
            try:
                lost = await desk.calls.once(desk.store.matches.renew, progress, games)
            except StoreUnavailable as error:
                log.warning("leases are not renewed: %s", error)
                continue
            for hosted in held.values():
                if hosted.order.match_id in lost:
                    hosted.void(VoidedError("the lease was lost", lost=True))


def _progress(hosted: Hosted) -> int:
    """A number that grows while the match goes on.

    Waiting for a bot that has its turn, or may still come back, is going on too: clocks and
    graces bound it. A game in which nobody is asked anything stands still.
    """
    sessions = hosted.sessions
    asked = any(
        seat.turn and seat.turn == seat.sent for seats in hosted.games.values() for seat in seats
    )
    if asked or not hosted.limit or any(session.stream is None for session in sessions):
        hosted.waits += 1
    return hosted.decisions + hosted.waits + len(hosted.games_over)


def _log_failure(task: asyncio.Task[None]) -> None:
    if not task.cancelled() and (error := task.exception()) is not None:
        log.error("a task of the referee failed", exc_info=error)
