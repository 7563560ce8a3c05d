"""One attempt at a match: lease → commitment → nonces → play → record → result.

It outlives its referee: the next one goes on from the checkpoint (`recovery`) under a new lease.
What cannot be gone on with is voided: the secret is published, nobody is charged, and the match
waits to be played again.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final

from euchre_arena.match import Effect, Match, MatchResult
from euchre_arena.match.saving import reopen
from euchre_arena.rules.dealing import commitment, seeded_secret

from arena.metrics import Metrics
from arena.referee import frames
from arena.referee.calls import Calls
from arena.referee.config import RefereeConfig
from arena.referee.hosted import Hosted, Share, VoidedError, graces, ordinals, spec_of
from arena.referee.keeping import Checkpoint
from arena.referee.loop import BETWEEN_S, Engine, now_ns
from arena.referee.presence import Presence
from arena.referee.records import Recorder, RecordError
from arena.referee.recovery import Begun, RecoveryError, begun, first_fields, recovered
from arena.referee.reserving import allowed
from arena.referee.untold import UNTOLD_S, Untold, endings_of, put_endings
from arena.store import Store
from arena.store.errors import StoreError
from arena.store.journal import Saved, Value
from arena.store.types import Lease, MatchOrder

log: Final = logging.getLogger(__name__)

NONCE_BYTES: Final = 32
SALT_BYTES: Final = 16


@dataclass(frozen=True, slots=True)
class Desk:
    """What an attempt works with."""

    config: RefereeConfig
    referee: str
    """The store's id of this process."""
    store: Store
    calls: Calls
    engine: Engine
    presence: Presence
    recorder: Recorder
    metrics: Metrics
    untold: Untold


class Attempt:
    """Plays one order whose bots have reserved room for it."""

    def __init__(
        self, desk: Desk, order: MatchOrder, shares: dict[str, list[Share]], parallel: int
    ) -> None:
        self.desk = desk
        self.order = order
        self.shares = shares
        self.parallel = parallel
        self.hosted: Hosted | None = None
        """None until there is a lease."""

    async def run(self) -> VoidedError | RecordError | None:
        """Play it. Returns why it was voided, or None for a result or a match that was not ours."""
        desk = self.desk
        lease = None
        try:
            matches, ttl = desk.store.matches, desk.config.lease_ms
            lease = await desk.calls.until_done(
                matches.lease, desk.referee, self.order.match_id, ttl
            )
            if lease is None:
                return None
            return await self._leased(lease)
        finally:
            self._clear(lease)

    async def _leased(self, lease: Lease) -> VoidedError | RecordError | None:
        desk, order = self.desk, self.order
        saved = None
        if lease.goes_on:
            saved = await desk.calls.until_done(desk.store.journals.load, order.match_id)
        try:
            start = self._anew() if saved is None else begun(saved)
        except RecoveryError as error:
            await desk.calls.until_done(desk.store.matches.release, lease, str(error))
            return VoidedError(str(error))
        hosted = self.hosted = Hosted(
            *(order, lease, start.secret, self.shares, start.parallel),
            *graces(order, desk.config),
            start.salt,
        )
        desk.presence.began(hosted)
        hosted.recording = desk.recorder.open(order.tournament_id, order.match_id, lease.fence)
        try:
            if saved is None:
                await self._begin(hosted)
            else:
                await self._go_on(hosted, saved, start)
            await self._finish(hosted, await hosted.ended)
        except (VoidedError, RecordError) as why:
            if isinstance(why, VoidedError) and why.handed_back and hosted.at >= 0:
                await self._hand_over(hosted, why)
            else:
                await self._void(hosted, why)
            return why
        except Exception as error:
            log.exception("match %s failed", order.match_id)
            failure = VoidedError(f"the referee failed: {error!r}")
            await self._void(hosted, failure)
            return failure
        return None

    def _anew(self) -> Begun:
        """A new attempt's own randomness."""
        order = self.order
        secret = (
            seeded_secret(order.seed, order.match_id)
            if order.seeded
            else secrets.token_bytes(NONCE_BYTES)
        )
        return Begun(secret, secrets.token_bytes(SALT_BYTES), self.parallel)

    async def _committed(self, hosted: Hosted) -> None:
        desk = self.desk
        if not await desk.calls.until_done(
            desk.store.matches.begin, hosted.lease, commitment(hosted.secret).hex()
        ):
            raise VoidedError("the lease was lost before play", lost=True)

    async def _begin(self, hosted: Hosted) -> None:
        """Play from the start."""
        desk, order = self.desk, self.order
        await self._committed(hosted)
        nonces = await self._nonces(hosted)
        updates = any(session.updates for session in hosted.sessions)
        match = Match(spec_of(order), hosted.secret, nonces, hosted.parallel, updates)
        hosted.match = match
        desk.engine.admit(hosted)
        if order.no_show:
            await self._forfeit_absent(hosted, match.start(now_ns()))
            return
        match.keep_lines()
        desk.engine.keeping.enrol(hosted)
        if not await desk.engine.keeping.write(hosted, first_fields(hosted, nonces)):
            raise VoidedError("the lease was lost before play", lost=True)
        if hosted.ended.done():
            return
        desk.engine.feed(hosted, match.start(now_ns()))
        self._start(hosted)

    async def _go_on(self, hosted: Hosted, saved: Saved, start: Begun) -> None:
        """Play on from where another referee, or this one before, has left the match."""
        desk, order, engine = self.desk, self.order, self.desk.engine
        await self._committed(hosted)
        updates = any(session.updates for session in hosted.sessions)
        try:
            make = partial(recovered, order, saved, start, updates=updates)
            found = await desk.calls.once(make)
        except RecoveryError as error:
            raise VoidedError(str(error)) from error
        match = hosted.match = found.match
        if found.counts:
            hosted.count_on(found.counts)
        if found.released:
            hosted.recording.write(found.released)
        hosted.decisions += found.decisions
        hosted.kept = hosted.decisions
        log.info("match %s goes on at decision %d", order.match_id, hosted.decisions)
        desk.metrics.recovered.inc()
        for entrant, ordinal in zip(order.seating, ordinals(order.seating), strict=True):
            hosted.handle_of(entrant, ordinal)  # who is told when the match ends
        for bot, handle, part in found.counts.get("endings", ()):
            engine.tell_end(hosted, bot, handle, bytes.fromhex(part))
        engine.retell(hosted, found.effects)
        engine.commit_soon()
        if match.over:
            return
        hosted.parallel = min(hosted.parallel, self.parallel)
        match.limit(hosted.parallel)
        hosted.limit = -1  # whatever may begin does so when it is set
        reopen(match, now_ns())
        engine.admit(hosted)
        if order.no_show:
            match.keep_lines(False)
            await self._forfeit_absent(hosted, [])
            return
        engine.keeping.enrol(hosted)
        now = Checkpoint(hosted)
        fields: dict[str, Value] = {"parallel": hosted.parallel, "number": hosted.number}
        fields |= await desk.calls.once(now.fields, hosted.at, now.counted())
        if not await engine.keeping.write(hosted, fields):
            raise VoidedError("the lease was lost before play", lost=True)
        if not hosted.ended.done():
            engine.go_on(hosted)
            self._start(hosted)

    def _start(self, hosted: Hosted) -> None:
        hosted.started = True
        self.desk.engine.limit(hosted, allowed(hosted))
        if hosted.match.leaving is not None:  # begun at another referee
            self.desk.engine.forfeit(hosted, *hosted.match.leaving)
        for bot, detail in hosted.gone_early:
            self.desk.engine.gone(hosted, bot, detail)

    async def _forfeit_absent(self, hosted: Hosted, effects: list[Effect]) -> None:
        """Bots did not come: their entrants forfeit; when nobody came, nobody has won."""
        match, now = hosted.match, now_ns()
        absent = sorted(
            {entrant for bot in self.order.no_show for entrant in hosted.entrants_of(bot)}
        )
        hosted.quiet = hosted.silent = True
        if len(absent) == len(self.order.entrants):
            effects += match.abort(now)
        for entrant in absent:
            bots = ", ".join(
                bot for bot in self.order.entrants[entrant].bots if bot in self.order.no_show
            )
            while not match.over:
                effects += match.disconnected(entrant, now, f"{bots} did not come")
                self.desk.engine.feed(hosted, effects)
                effects = []
                await asyncio.sleep(BETWEEN_S)
        self.desk.engine.feed(hosted, effects)

    async def _nonces(self, hosted: Hosted) -> Sequence[bytes]:
        """Ask every seat of game 0 for its nonce and wait a while (rules.md §9)."""
        config, order = self.desk.config, self.order
        if order.seeded or order.no_show or not config.entropy_ms:
            return ()
        seats = hosted.deal_in(0, order.seating)
        nonces = [b""] * len(seats)
        complete = asyncio.Event()

        def take(number: int, nonce: bytes) -> str:
            if len(nonce) != NONCE_BYTES:
                return f"{len(nonce)} bytes, {NONCE_BYTES} are needed"
            if nonces[number]:
                return "this seat has sent one already"
            nonces[number] = nonce
            if all(nonces):
                complete.set()
            return ""

        public = commitment(hosted.secret)
        now = now_ns()
        for seat in seats:
            seat.session.entropy[seat.handle] = partial(take, seat.number)
            seat.session.put(
                seat.handle, frames.entropy_wanted(seat.handle, public, config.entropy_ms)
            )
            seat.session.poke(now)
        hosted.ended.add_done_callback(lambda _: complete.set())
        try:
            async with asyncio.timeout(config.entropy_ms / 1000):
                await complete.wait()
        except TimeoutError:
            pass  # the deals are chosen without the missing ones
        finally:
            for seat in seats:
                seat.session.entropy.pop(seat.handle, None)
        if hosted.ended.done():
            hosted.ended.result()  # raises why it was voided
        return nonces

    async def _finish(self, hosted: Hosted, result: MatchResult) -> None:
        """Record on the disk, then the result in the store, once."""
        desk, order, recording = self.desk, self.order, hosted.recording
        await recording.seal()
        # A lease lost meanwhile may have a successor whose record must not be touched.
        lost = await desk.calls.until_done(
            desk.store.matches.renew, {hosted.lease: hosted.decisions}
        )
        if order.match_id in lost:
            raise VoidedError("the lease was lost at the end", lost=True)
        # Beside the record, before the result counts, stands all that the store is told.
        facts = await desk.calls.until_done(desk.store.matches.closing, order.match_id)
        # In a thread: a match of very many games is counted up for seconds.
        closing = await desk.calls.once(hosted.closing, facts, result)
        sha256 = await recording.close(closing)
        if not await recording.publish(over=False):
            if await desk.calls.until_done(desk.store.matches.result, order.match_id) is not None:
                raise VoidedError("another attempt's result stands", lost=True)
            await recording.publish(over=True)
        winners = [order.entrants[entrant].name for entrant in result.winners]
        endings = endings_of(hosted, winners, voided=False)
        ends = desk.untold.begin(order.match_id, endings)
        finish = await desk.calls.until_done(
            desk.store.matches.finish,
            hosted.lease,
            closing["result"],
            record=recording.name,
            counts=closing["counts"],
            secret=closing["secret"],
            sha256=sha256,
            at=closing["finished"],
            ends=ends,
        )
        if not finish.stands:
            desk.untold.forget(order.match_id)
            raise VoidedError(f"the result was not taken: {finish.value}", lost=True)
        desk.metrics.match_over("finished")
        # Another stream of a bot may have taken over meanwhile.
        endings = endings_of(hosted, winners, voided=False)
        self._leave(hosted)
        # What is told of a result a power cut must not take back.
        if not await desk.calls.until_done(desk.store.durable):
            await asyncio.sleep(UNTOLD_S)
        desk.untold.tell(order.match_id, endings)
        await desk.calls.once(desk.store.tasks.settle, order.match_id)

    async def _void(self, hosted: Hosted, why: VoidedError | RecordError) -> None:
        """No result: forget the record, publish the secret, hand the match back."""
        desk, match_id = self.desk, self.order.match_id
        log.warning("match %s: attempt %d voided: %s", match_id, hosted.lease.attempt, why)
        desk.metrics.match_over("voided")
        lost = isinstance(why, VoidedError) and why.lost
        endings = endings_of(hosted, [], voided=True)
        self._leave(hosted)
        # One that was lost may go on elsewhere, with the same secret.
        if not lost or await self._is_void(hosted):
            put_endings(endings)
        await hosted.recording.discard()
        if not lost:
            await desk.calls.until_done(
                desk.store.matches.release, hosted.lease, str(why), hosted.secret.hex()
            )

    async def _is_void(self, hosted: Hosted) -> bool:
        """Whether the attempt is over for everybody, as far as the store can tell us now."""
        desk, attempt = self.desk, hosted.lease.attempt
        try:
            voided = await desk.calls.once(desk.store.matches.attempts, self.order.match_id)
        except StoreError:
            return False
        return any(each["attempt"] == attempt for each in voided)

    async def _hand_over(self, hosted: Hosted, why: VoidedError) -> None:
        """Sound, and given to another referee: the bots are told of it by that one."""
        desk = self.desk
        log.info("match %s is handed over: %s", self.order.match_id, why)
        desk.metrics.match_over("handed-back")
        self._leave(hosted)
        await desk.engine.journal.flushed()
        await hosted.recording.discard()
        hand_over = desk.store.matches.hand_over
        await desk.calls.until_done(hand_over, hosted.lease, str(why), hosted.secret.hex())

    def _leave(self, hosted: Hosted) -> None:
        """Nothing of the match is under way any more."""
        engine = self.desk.engine
        engine.drop(hosted)
        sessions = hosted.sessions
        hosted.give_back()
        for other in {id(m): m for s in sessions for m in s.matches.values()}.values():
            engine.limit(other, allowed(other))  # there is room now
        now = now_ns()
        for session in sessions:
            session.poke(now)
            self.desk.presence.forget_if_idle(session)
        self.desk.presence.changed()

    def _clear(self, lease: Lease | None) -> None:
        """Also where the lease was refused or the task cancelled."""
        if self.hosted is not None:
            self._leave(self.hosted)
            self.hosted.forget()
        elif lease is None:
            for shares in self.shares.values():
                for share in shares:
                    share.give_back()
                    self.desk.presence.forget_if_idle(share.session)
