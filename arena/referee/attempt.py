"""One attempt at a match: lease → commitment → nonces → play → record → result.

Whatever ends it without a result voids it: the secret is published, nobody is charged, and the
match waits to be played again.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final

from euchre_arena.match import Match, MatchResult
from euchre_arena.rules.dealing import commitment, seeded_secret

from arena.metrics import Metrics
from arena.referee import frames
from arena.referee.calls import Calls
from arena.referee.config import RefereeConfig
from arena.referee.hosted import Hosted, Share, spec_of
from arena.referee.loop import Engine, VoidedError, now_ns
from arena.referee.presence import Presence
from arena.referee.records import Recorder, RecordError
from arena.store import Store
from arena.store.types import Lease, MatchOrder

log: Final = logging.getLogger(__name__)

NONCE_BYTES: Final = 32


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
        order = self.order
        secret = (
            seeded_secret(order.seed, order.match_id)
            if order.seeded
            else secrets.token_bytes(NONCE_BYTES)
        )
        grace_ms = int((order.clock or {}).get("disconnect_grace_ms", 0))
        grace_ms = grace_ms or self.desk.config.disconnect_grace_ms
        hosted = self.hosted = Hosted(order, lease, secret, self.shares, self.parallel, grace_ms)
        hosted.recording = self.desk.recorder.open(order.tournament_id, order.match_id, lease.fence)
        try:
            result = await self._play(hosted)
            await self._finish(hosted, result)
        except (VoidedError, RecordError) as why:
            await self._void(hosted, why)
            return why
        except Exception as error:
            log.exception("match %s failed", order.match_id)
            failure = VoidedError(f"the referee failed: {error!r}")
            await self._void(hosted, failure)
            return failure
        return None

    async def _play(self, hosted: Hosted) -> MatchResult:
        desk, order = self.desk, self.order
        begun = await desk.calls.until_done(
            desk.store.matches.begin, hosted.lease, commitment(hosted.secret).hex()
        )
        if not begun:
            raise VoidedError("the lease was lost before play", lost=True)
        nonces = await self._nonces(hosted)
        updates = any(session.updates for session in hosted.sessions)
        hosted.match = Match(spec_of(order), hosted.secret, nonces, self.parallel, updates)
        desk.engine.hosted[order.match_id] = hosted
        if order.no_show:
            self._forfeit_absent(hosted)
        else:
            desk.engine.feed(hosted, hosted.match.start(now_ns()))
            for bot, detail in hosted.gone_early:
                desk.engine.gone(hosted, bot, detail)
        return await hosted.ended

    def _forfeit_absent(self, hosted: Hosted) -> None:
        """Bots did not come: their entrants forfeit; when nobody came, nobody has won."""
        match, now = hosted.match, now_ns()
        absent = sorted(
            {entrant for bot in self.order.no_show for entrant in hosted.entrants_of(bot)}
        )
        hosted.quiet = hosted.silent = True
        effects = match.start(now)
        if len(absent) == len(self.order.entrants):
            effects += match.abort(now)
        for entrant in absent:
            bots = ", ".join(
                bot for bot in self.order.entrants[entrant].bots if bot in self.order.no_show
            )
            effects += match.disconnected(entrant, now, f"{bots} did not come")
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
        outcome = hosted.outcome(result)
        counts = {
            "games": len(hosted.games_over),
            "hands": hosted.hands,
            "decisions": hosted.decisions,
        }
        # Beside the record, before the result counts, stands all that the store is told.
        facts = dict(await desk.calls.until_done(desk.store.matches.closing, order.match_id))
        secret = hosted.secret.hex()
        sha256 = await recording.close(
            {
                "match": order.match_id,
                **facts,
                "record": recording.name,
                "secret": secret,
                "counts": counts,
                "result": outcome,
            }
        )
        if not await recording.publish(over=False):
            if await desk.calls.until_done(desk.store.matches.result, order.match_id) is not None:
                raise VoidedError("another attempt's result stands", lost=True)
            await recording.publish(over=True)
        finish = await desk.calls.until_done(
            desk.store.matches.finish,
            hosted.lease,
            outcome,
            record=recording.name,
            counts=counts,
            secret=secret,
            sha256=sha256,
            at=facts["finished"],
        )
        if not finish.stands:
            raise VoidedError(f"the result was not taken: {finish.value}", lost=True)
        desk.metrics.match_over("finished")
        winners = [order.entrants[entrant].name for entrant in result.winners]
        self._tell_ended(hosted, winners, voided=False)
        await desk.calls.once(desk.store.tasks.settle, order.match_id)

    async def _void(self, hosted: Hosted, why: VoidedError | RecordError) -> None:
        """No result: forget the record, publish the secret, hand the match back."""
        desk, match_id = self.desk, self.order.match_id
        log.warning("match %s: attempt %d voided: %s", match_id, hosted.lease.attempt, why)
        handed_back = isinstance(why, VoidedError) and why.handed_back
        desk.metrics.match_over("handed-back" if handed_back else "voided")
        self._tell_ended(hosted, [], voided=True)
        await hosted.recording.discard()
        if not (isinstance(why, VoidedError) and why.lost):
            await desk.calls.until_done(
                desk.store.matches.release, hosted.lease, str(why), hosted.secret.hex()
            )

    def _tell_ended(self, hosted: Hosted, winners: Sequence[str], *, voided: bool) -> None:
        """Tell every seat, and open its games' places."""
        match_id = self.order.match_id
        for (entrant, ordinal), handle in hosted.match_handles.items():
            bots = self.order.entrants[entrant].bots
            part = frames.match_ended(handle, match_id, winners, hosted.secret, voided=voided)
            for share in hosted.shares.get(bots[ordinal % len(bots)], ()):
                share.session.put_ending(handle, part)
        self._leave(hosted)

    def _leave(self, hosted: Hosted) -> None:
        """Nothing of the match is under way any more."""
        self.desk.engine.drop(hosted)
        sessions = hosted.sessions
        hosted.give_back()
        now = now_ns()
        for session in sessions:
            session.poke(now)
            self.desk.presence.forget_if_idle(session)
        self.desk.presence.changed()

    def _clear(self, lease: Lease | None) -> None:
        """Also where the lease was refused or the task cancelled."""
        if self.hosted is not None:
            self._leave(self.hosted)
        elif lease is None:
            for shares in self.shares.values():
                for share in shares:
                    share.give_back()
