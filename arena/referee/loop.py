"""The loop: answers into matches, effects out of them, through the journal into outboxes.

Everything runs on one thread. Answers of one loop turn are given to their matches as they are
read; what the matches say in return is collected and waits for the journal (`_commit`), which holds
what was put in, and only then reaches the outboxes (`_release`), from where the streams take it
when credit and pace allow.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import Any, Final, Literal, Protocol

from euchre_arena.match import Effect, Rejected
from euchre_arena.match.inputs import (
    AWAY,
    CRASHED,
    GONE,
    LIMITED,
    SAID,
    TIMED_OUT,
    Input,
    chose,
    row,
    took_effect,
    without,
)
from euchre_arena.wire import action_code, chosen_code

from arena.metrics import Metrics
from arena.referee import frames
from arena.referee.hosted import Hosted, VoidedError
from arena.referee.journal import Journal, NoJournal
from arena.referee.keeping import Checkpoint, Keeping
from arena.referee.session import NEVER, Seat, Session
from arena.referee.telling import Telling

log = logging.getLogger(__name__)

Batch = list[tuple[Seat | None, int, Hosted, Sequence[Effect]]]
"""What waits to be told: that a seat is asked, and its turn; or, without a seat, effects."""
now_ns: Final = time.monotonic_ns
BETWEEN_S: Final = 0.01
"""Between two parts of what would keep the loop for long."""


class AnswerLike(Protocol):
    """An ``Answer`` message."""

    game: int
    turn: int
    choice: int

    @property
    def action(self) -> Any: ...
    def HasField(self, field_name: Literal["action"]) -> bool: ...  # noqa: N802 - protobuf's name


class Engine(Telling):
    """Plays the matches of one referee."""

    def __init__(self, metrics: Metrics, journal: Journal | None = None) -> None:
        super().__init__(metrics)
        self.journal: Journal = journal or NoJournal()
        self.hosted: dict[str, Hosted] = {}
        """Matches under way, by id."""
        self.draining = False
        self.keeping = Keeping(self)
        self.looked_at = 0
        """When the loop was last seen to turn, nanoseconds."""
        self.late_ns = NEVER
        """Not seen for longer, it was late."""
        self.on_late: Callable[[int], None] = lambda now: None
        self._pending: Batch = []
        self._rows: list[bytes] = []
        """What took effect in this loop turn, for the journal."""
        self._scheduled = False

    # -- in

    def answers(
        self, session: Session, answers: Iterable[AnswerLike], now: int, limit: int
    ) -> bool:
        """Give a frame's answers to their matches; whether any took effect.

        It ends early when ``limit`` of them in a second met no open turn.
        """
        if now - self.looked_at > self.late_ns:
            self.late(now)
        seats, rtt, pending, rows = session.seats, session.rtt_ns, self._pending, self._rows
        taken: list[tuple[int, int, int]] = []
        for answer in answers:
            seat = seats.get(answer.game)
            if seat is None:
                if not self._unmatched(session, answer, limit):
                    break
                continue
            match, hosted = seat.match, seat.hosted
            if seat.spelled or answer.HasField("action"):
                effects = self._spelled(seat, answer, now, rtt)
                counted = counts(effects)
            else:
                live, turn, choice = seat.live, answer.turn, answer.choice
                told = match.answer(live, seat.game, seat.number, turn, choice, now, rtt)
                times = referee, network, thinking = match.clocks.taken
                if told is None and live is not None:  # by far the commonest
                    number, game = hosted.number, live.number
                    rows.append(chose(number, game, turn, choice, referee, network, thinking))
                    pending.append((seat.table[live.seat], live.turn, hosted, ()))
                    hosted.decisions += 1
                    taken.append(times)
                    continue
                effects = told or ()
                counted = counts(effects)
                if took_effect(effects):
                    rows.append(chose(hosted.number, seat.game, turn, choice, *times))
            pending.append((None, 0, hosted, effects))
            if counted:
                hosted.decisions += 1
                taken.append(match.clocks.taken)
            elif type(effects[0]) is Rejected:
                session.unmatched += 1
                if session.unmatched > limit:
                    break
        if taken:
            self.metrics.observe_decisions(*zip(*taken, strict=True))
        self.commit_soon()
        return bool(taken)

    def _spelled(self, seat: Seat, answer: AnswerLike, now: int, rtt: int) -> Sequence[Effect]:
        """An action spelled out, or chosen from a list that stood in another order on the wire."""
        match, turn = seat.match, answer.turn
        if answer.HasField("action"):
            try:
                code = action_code(answer.action)
            except ValueError:
                code = -1
        else:
            open_turn = seat.open_turn(now)
            legal = open_turn.legal if open_turn is not None and open_turn.turn == turn else ()
            chosen = chosen_code(legal, answer.choice)
            code = -1 if chosen is None else chosen
        effects = match.receive(seat.game, seat.number, turn, code, now, rtt)
        if took_effect(effects):
            taken = match.clocks.taken
            self._rows.append(row(Input(seat.hosted.number, SAID, seat.game, turn, code, *taken)))
        return effects

    def _unmatched(self, session: Session, answer: AnswerLike, limit: int) -> bool:
        """An answer to no game of this session; False when there were too many."""
        if answer.game in session.retired or answer.game in session.endings:
            return True  # the game ended or was voided while the answer was on its way
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
        if self._note(seat, CRASHED, detail):
            self.feed(seat.hosted, seat.match.crashed(seat.game, seat.number, detail, now))
        return True

    def away(self, seat: Seat, detail: str, now: int) -> None:
        """A bot was away for longer than one game gives it: that game is forfeited."""
        if self._note(seat, AWAY, detail):
            self.feed(seat.hosted, seat.match.away(seat.game, seat.number, detail, now))

    def _note(self, seat: Seat, kind: int, detail: str) -> bool:
        """Journal that a seat loses its game; False when that is over."""
        live = seat.match.live_game(seat.game)
        if live is None:
            return False
        lost = Input(seat.hosted.number, kind, seat.game, live.turn, seat.number, detail=detail)
        self._rows.append(row(lost))
        return True

    def gone(self, hosted: Hosted, bot: str, detail: str) -> None:
        """A bot is gone beyond its grace: its entrant forfeits what is left of the match."""
        if not hosted.started:
            hosted.gone_early.append((bot, detail))
            return
        if hosted.match.leaving is None:
            self.forfeit(hosted, hosted.entrants_of(bot)[0], detail)

    def forfeit(self, hosted: Hosted, entrant: int, detail: str) -> None:
        """An entrant forfeits what is left: very many games perhaps, so some now, and others'
        matches between."""
        if hosted.dropped or hosted.ended.done():
            return
        if not self.keeping.behind(hosted):
            effects = hosted.match.disconnected(entrant, now_ns(), detail)
            if effects:
                self._rows.append(row(Input(hosted.number, GONE, 0, 0, entrant, detail=detail)))
                self.feed(hosted, effects)
        if not hosted.match.over:
            loop = asyncio.get_running_loop()
            loop.call_later(BETWEEN_S, self.forfeit, hosted, entrant, detail)

    def limit(self, hosted: Hosted, games: int) -> None:
        """A match under way may have so many games at once from now on."""
        if hosted.started and games != hosted.limit and not hosted.match.over:
            hosted.limit = games
            hosted.match.limit(games)
            self._rows.append(row(Input(hosted.number, LIMITED, 0, 0, games)))
            self.feed(hosted, hosted.match.refill(now_ns()))
            self.commit_soon()

    def feed(self, hosted: Hosted, effects: Sequence[Effect]) -> None:
        """What a match said goes out with everything else of this loop turn."""
        if effects:
            self._pending.append((None, 0, hosted, effects))
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
        rows, self._rows = self._rows, []
        save = self.keeping.taken() if self.keeping.wanted else None
        release = partial(self._release, batch, save)
        self.journal.commit(rows, release, cut=save is not None)

    def _release(self, batch: Batch, save: Checkpoint | None, entry: int) -> None:
        """What bots are told, and nothing a bot is told comes another way."""
        handlers, dirty = self._handlers, self._dirty
        for seat, turn, hosted, effects in batch:
            if seat is not None:  # the commonest, without a call
                if hosted.quiet:
                    self._ask(seat, turn)
                    continue
                seat.turn = turn
                session = seat.session
                if not seat.queued and session.stream is not None:
                    seat.queued = True
                    session.outbox.turns.append(seat)
                    dirty[session.id] = session
                continue
            if hosted.dropped:
                continue  # cancelled while its answers waited for the end of this loop turn
            try:
                for effect in effects:
                    handlers[type(effect)](hosted, effect)
            except Exception:
                # Ours, not a bot's: the attempt is given up, and no other match notices.
                log.exception("match %s: the referee failed", hosted.order.match_id)
                hosted.void(VoidedError("the referee failed"))
        if save is not None:
            self.keeping.put(save, entry)
        if self.draining:
            self.hand_back()
        self._dirty = {}
        now = now_ns()
        for session in dirty.values():
            session.poke(now)

    def admit(self, hosted: Hosted) -> None:
        """A match is played here from now on."""
        self.hosted[hosted.order.match_id] = hosted
        if self.keeping.is_away:
            hosted.match.pause(now_ns())

    def look(self, now: int) -> None:
        """The loop turns."""
        if now - self.looked_at > self.late_ns:
            self.late(now)
        self.looked_at = now

    def late(self, now: int) -> None:
        """The loop stood still: answers and timers of that time come only now, which is nobody's
        fault. Clocks go on from where it stopped."""
        log.warning("the loop stood still for %d ms", (now - self.looked_at) // 1_000_000)
        if not self.keeping.is_away:
            for hosted in self.hosted.values():
                hosted.match.pause(self.looked_at)
                hosted.match.unpause(now)
        self.looked_at = now
        self.on_late(now)

    def give_up(self, reason: str) -> None:
        """Give all matches to other referees."""
        for hosted in self.hosted.values():
            hosted.void(VoidedError(reason, handed_back=True))

    def pause(self) -> None:
        """Stop the clocks of all matches. Answers still count."""
        now = now_ns()
        for hosted in self.hosted.values():
            hosted.match.pause(now)

    def unpause(self) -> None:
        """Start them again, where they stopped."""
        now = now_ns()
        for hosted in self.hosted.values():
            hosted.match.unpause(now)

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

    def leave_out(self, number: int) -> None:
        """What took effect in a match in this turn of the loop is not journalled."""
        if self._rows:
            self._rows = [without(b"".join(self._rows), frozenset({number}))]

    def drop(self, hosted: Hosted) -> None:
        """A match is over or voided: its games are nobody's any more."""
        if self.hosted.get(hosted.order.match_id) is hosted:
            del self.hosted[hosted.order.match_id]
            self.keeping.left(hosted)
            self.metrics.open_games.dec(len(hosted.games))
        hosted.dropped = hosted.quiet = True
        for game in list(hosted.games):
            for seat in hosted.clear_table(game):
                seat.session.retire(seat.handle)

    def hand_ended(self, hosted: Hosted) -> None:
        """A moment to make a checkpoint at, once there is enough to go on from it with."""
        self.keeping.hand_ended(hosted)

    # -- clocks

    def expire(self, now: int) -> None:
        """Decide every turn whose time is up."""
        for hosted in self.hosted.values():
            deadline = hosted.match.next_deadline()
            if deadline is not None and deadline <= now:
                effects = hosted.match.expire(now)
                for game, turn, *taken in hosted.match.expired:
                    referee, network, thinking = taken
                    late = (hosted.number, TIMED_OUT, game, turn, 0, referee, network, thinking)
                    self._rows.append(row(Input(*late)))
                self.feed(hosted, effects)


def counts(effects: Sequence[Effect]) -> bool:
    """Whether an answer took effect, by what followed from it."""
    return not any(type(effect) is Rejected for effect in effects)
