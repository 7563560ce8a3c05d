"""The loop: answers into matches, effects out of them, through the journal's place into outboxes.

Everything runs on one thread. Answers of one loop turn are given to their matches as they are
read; what the matches say in return is collected and passes the journal together, and only then
reaches the outboxes (`_release`), from where the streams take it when credit and pace allow.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import Any, Final, Literal, Protocol

from euchre_arena.match import (
    Acted,
    Ask,
    Effect,
    FaultNoted,
    GameBegan,
    GameOver,
    HandBegan,
    MatchOver,
    Record,
    Rejected,
)
from euchre_arena.match.effects import REPEATED
from euchre_arena.wire import GameWriter, action_code, chosen_code

from arena.metrics import Metrics
from arena.referee import frames
from arena.referee.hosted import Hosted
from arena.referee.journal import Journal, NoJournal
from arena.referee.session import Seat, Session

log = logging.getLogger(__name__)

Batch = list[tuple[Hosted, Sequence[Effect]]]
now_ns: Final = time.monotonic_ns


class VoidedError(Exception):
    """An attempt ends without a result, through no bot's fault."""

    def __init__(self, reason: str, *, handed_back: bool = False, lost: bool = False) -> None:
        super().__init__(reason)
        self.handed_back = handed_back
        """The referee drains."""
        self.lost = lost
        """The lease is another's already, or the match is not to be played any more."""


class AnswerLike(Protocol):
    """An ``Answer`` message."""

    game: int
    turn: int
    choice: int

    @property
    def action(self) -> Any: ...
    def HasField(self, field_name: Literal["action"]) -> bool: ...  # noqa: N802 - protobuf's name


class Engine:
    """Plays the matches of one referee."""

    def __init__(self, metrics: Metrics, journal: Journal | None = None) -> None:
        self.metrics = metrics
        self.journal: Journal = journal or NoJournal()
        self.hosted: dict[str, Hosted] = {}
        """Matches under way, by id."""
        self.draining = False
        self._pending: Batch = []
        self._scheduled = False
        self._dirty: dict[str, Session] = {}
        self._handlers: dict[type[Effect], Callable[[Hosted, Any], None]] = {
            Ask: self._ask,
            Rejected: self._rejected,
            Record: self._record,
            HandBegan: self._hand_began,
            GameBegan: self._game_began,
            GameOver: self._game_over,
            MatchOver: self._match_over,
            FaultNoted: self._fault,
            Acted: self._acted,
        }

    # -- in

    def answers(self, session: Session, answers: Iterable[AnswerLike], now: int, limit: int) -> int:
        """Give a frame's answers to their matches.

        Returns how many of them were looked at before ``limit`` in a second met no open turn.
        """
        seats, rtt, pending = session.seats, session.rtt_ns, self._pending
        referee: list[int] = []
        network: list[int] = []
        thinking: list[int] = []
        seen = 0
        for answer in answers:
            seen += 1
            seat = seats.get(answer.game)
            if seat is None:
                if not self._unmatched(session, answer, limit):
                    break
                continue
            match = seat.match
            if seat.spelled or answer.HasField("action"):
                effects = self._spelled(seat, answer, now, rtt)
            else:
                effects = match.choose(seat.game, seat.number, answer.turn, answer.choice, now, rtt)
            if effects:
                pending.append((seat.hosted, effects))
                # Nothing but an Ask is by far the commonest.
                if type(effects[0]) is not Ask and not _counts(effects):
                    if type(effects[0]) is Rejected:
                        session.unmatched += 1
                        if session.unmatched > limit:
                            break
                    continue
            seat.hosted.decisions += 1
            referee.append(match.referee_ns)
            network.append(match.network_ns)
            thinking.append(match.thinking_ns)
        self.metrics.observe_decisions(referee, network, thinking)
        self.commit_soon()
        return seen

    def _spelled(self, seat: Seat, answer: AnswerLike, now: int, rtt: int) -> Sequence[Effect]:
        """An action spelled out, or chosen from a list that stood in another order on the wire."""
        match, turn = seat.match, answer.turn
        if answer.HasField("action"):
            try:
                code = action_code(answer.action)
            except ValueError:
                code = -1
            return match.receive(seat.game, seat.number, turn, code, now, rtt)
        open_turn = seat.open_turn(now)
        if open_turn is None or open_turn.turn != turn:
            return match.choose(seat.game, seat.number, turn, answer.choice, now, rtt)
        chosen = chosen_code(open_turn.legal, answer.choice)
        return match.receive(
            seat.game, seat.number, turn, -1 if chosen is None else chosen, now, rtt
        )

    def _unmatched(self, session: Session, answer: AnswerLike, limit: int) -> bool:
        """An answer to no game of this session; False when there were too many."""
        if answer.game in session.retired:
            return True  # the match was voided while the answer was on its way
        session.unmatched += 1
        if session.unmatched > limit:
            return False
        self.metrics.answer_rejected("unknown-game")
        session.put(answer.game, frames.unknown_game(answer.game, answer.turn))
        self._dirty[session.id] = session
        return True

    def crashed(self, session: Session, handle: int, turn: int, detail: str, now: int) -> bool:
        """A bot's own code failed: its game is forfeited. False when it has no such game."""
        seat = session.seats.get(handle)
        if seat is None:
            return False
        detail = f"turn {turn}: {detail[:2000]}"
        self.feed(seat.hosted, seat.match.crashed(seat.game, seat.number, detail, now))
        return True

    def gone(self, hosted: Hosted, bot: str, detail: str) -> None:
        """A bot is gone beyond its grace: its entrant forfeits what is left of the match."""
        if hosted.order.match_id not in self.hosted:
            hosted.gone_early.append((bot, detail))
            return
        for entrant in hosted.entrants_of(bot):
            self.feed(hosted, hosted.match.disconnected(entrant, now_ns(), detail))

    def feed(self, hosted: Hosted, effects: Sequence[Effect]) -> None:
        """What a match said goes out with everything else of this loop turn."""
        if effects:
            self._pending.append((hosted, effects))
            self.commit_soon()

    def commit_soon(self) -> None:
        """Commit at the end of this loop turn."""
        if not self._scheduled:
            self._scheduled = True
            asyncio.get_running_loop().call_soon(self._commit)

    # -- the one way out

    def _commit(self) -> None:
        """All that was decided in this loop turn becomes durable together."""
        self._scheduled = False
        batch, self._pending = self._pending, []
        self.journal.commit(batch, partial(self._release, batch))

    def _release(self, batch: Batch) -> None:
        """What bots are told, and nothing a bot is told comes another way."""
        handlers, dirty = self._handlers, self._dirty
        for hosted, effects in batch:
            if hosted.dropped:
                continue  # cancelled while its answers waited for the end of this loop turn
            try:
                for effect in effects:
                    # The commonest, without a call.
                    if type(effect) is Ask and not hosted.quiet:
                        seat = hosted.games[effect.game][effect.seat]
                        seat.turn = effect.turn
                        session = seat.session
                        if not seat.queued and session.stream is not None:
                            seat.queued = True
                            session.outbox.turns.append(seat)
                            dirty[session.id] = session
                    else:
                        handlers[type(effect)](hosted, effect)
            except Exception:
                # Ours, not a bot's: the attempt is given up, and no other match notices.
                log.exception("match %s: the referee failed", hosted.order.match_id)
                hosted.void(VoidedError("the referee failed"))
        if self.draining:
            self.hand_back()
        self._dirty = {}
        now = now_ns()
        for session in dirty.values():
            session.poke(now)

    def drain(self) -> None:
        """Finish the hands under way, then void the attempts."""
        self.draining = True
        for hosted in self.hosted.values():
            hosted.quiet = hosted.draining = True
        self.hand_back()

    def hand_back(self) -> None:
        """While draining: give up the matches that are at rest."""
        for hosted in self.hosted.values():
            if hosted.at_rest:
                hosted.void(VoidedError("the referee is draining", handed_back=True))

    def drop(self, hosted: Hosted) -> None:
        """A match is over or voided: its games are nobody's any more."""
        if self.hosted.get(hosted.order.match_id) is hosted:
            del self.hosted[hosted.order.match_id]
            self.metrics.open_games.dec(len(hosted.games))
        hosted.dropped = True
        for game in list(hosted.games):
            for seat in hosted.clear_table(game):
                seat.session.retire(seat.handle)

    # -- effects

    def _ask(self, hosted: Hosted, effect: Ask) -> None:
        if hosted.silent:
            return
        if effect.game in hosted.halted:
            hosted.games[effect.game][effect.seat].turn = effect.turn
            return
        seat = hosted.games[effect.game][effect.seat]
        seat.turn = effect.turn
        if seat.session.stream is not None:
            seat.session.outbox.ask(seat)
            self._dirty[seat.session.id] = seat.session

    def _rejected(self, hosted: Hosted, effect: Rejected) -> None:
        if effect.reason == REPEATED:
            self.metrics.answer_rejected("duplicate")
            return
        self.metrics.answer_rejected(effect.reason)
        seats = hosted.games.get(effect.game)
        if seats:
            seat = seats[effect.seat]
            self._tell(seat, frames.rejected(seat.handle, effect))

    def _record(self, hosted: Hosted, effect: Record) -> None:
        hosted.recording.write(effect.lines)

    def _game_began(self, hosted: Hosted, effect: GameBegan) -> None:
        if hosted.silent:
            return
        writer = GameWriter()
        for seat in hosted.deal_in(effect.game, effect.seats):
            seat.match = hosted.match
            seat.writer = writer
            seat.session.seats[seat.handle] = seat
            self._tell(seat, frames.game_started(hosted, seat))
        self.metrics.open_games.inc()
        if hosted.draining:
            hosted.halted.add(effect.game)

    def _hand_began(self, hosted: Hosted, effect: HandBegan) -> None:
        if effect.hand:
            self._tell_updates(hosted, effect.game)
            hosted.hands += 1
            self.metrics.hands_over()
            if hosted.draining:
                hosted.halted.add(effect.game)
        hosted.scores[effect.game] = (effect.hand, effect.score)

    def _acted(self, hosted: Hosted, effect: Acted) -> None:
        entry = effect.seat << 16 | effect.code
        for seat in hosted.games.get(effect.game, ()):
            if seat.session.updates and seat.session.stream is not None:
                seat.actions.append(entry)
                seat.session.outbox.updated[seat.handle] = seat
                self._dirty[seat.session.id] = seat.session

    def _tell_updates(self, hosted: Hosted, game: int) -> None:
        """What was done in a hand goes out under that hand's number."""
        for seat in hosted.games.get(game, ()):
            if seat.actions:
                seat.session.outbox.updated.pop(seat.handle, None)
                self._tell(seat, frames.updated(seat))

    def _fault(self, hosted: Hosted, effect: FaultNoted) -> None:
        fault = effect.fault
        hosted.faults[fault.entrant][fault.kind] += 1
        self.metrics.fault(fault.kind, hosted.bot_at(fault.game, fault.seat))

    def _game_over(self, hosted: Hosted, effect: GameOver) -> None:
        hosted.game_ended(effect)
        self.metrics.game_over(effect.fault)
        if effect.game not in hosted.games:
            return  # forfeited before it began
        self._tell_updates(hosted, effect.game)
        hosted.hands += 1
        self.metrics.hands_over()
        self.metrics.open_games.dec()
        for seat in hosted.clear_table(effect.game):
            seat.session.put_ending(seat.handle, frames.game_ended(seat, effect))
            self._dirty[seat.session.id] = seat.session

    def _match_over(self, hosted: Hosted, effect: MatchOver) -> None:
        if not hosted.ended.done():
            hosted.ended.set_result(effect.result)

    def _tell(self, seat: Seat, part: bytes) -> None:
        seat.session.put(seat.handle, part)
        self._dirty[seat.session.id] = seat.session

    # -- clocks

    def expire(self, now: int) -> None:
        """Decide every turn whose time is up."""
        for hosted in self.hosted.values():
            deadline = hosted.match.next_deadline()
            if deadline is not None and deadline <= now:
                self.feed(hosted, hosted.match.expire(now))

    # -- sessions coming and going

    def resend(self, session: Session, now: int) -> None:
        """After a reconnect: every game, every open turn, every end not acknowledged."""
        session.outbox.clear()
        for handle, part in session.endings.items():
            session.put(handle, part)
        self.hand_over(session, list(session.seats.values()))
        session.poke(now)

    def hand_over(self, session: Session, seats: Sequence[Seat]) -> None:
        """Tell a session of games that go on there."""
        for seat in seats:
            session.put(seat.handle, frames.game_started(seat.hosted, seat, resumed=True))
            if seat.turn and seat.game not in seat.hosted.halted:
                session.outbox.ask(seat)


def _counts(effects: Sequence[Effect]) -> bool:
    """Whether an answer took effect, by what followed from it."""
    return not any(type(effect) is Rejected for effect in effects)
