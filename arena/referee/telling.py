"""What a match says, told to its bots: effects into outboxes, one method an effect.

Base of the loop's `Engine`, which calls it when the journal holds what they follow from.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

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
from euchre_arena.wire import GameWriter

from arena.metrics import Metrics
from arena.referee import frames
from arena.referee.hosted import Hosted
from arena.referee.session import Seat, Session


class Telling:
    """Outboxes filled; which of them, stands in ``_dirty`` until they are poked."""

    def __init__(self, metrics: Metrics) -> None:
        self.metrics = metrics
        self._dirty: dict[str, Session] = {}
        self._handlers: dict[type[Effect], Callable[[Hosted, Any], None]] = {
            Ask: self._asked,
            Rejected: self._rejected,
            Record: self._record,
            HandBegan: self._hand_began,
            GameBegan: self._game_began,
            GameOver: self._game_over,
            MatchOver: self._match_over,
            FaultNoted: self._fault,
            Acted: self._acted,
        }

    def hand_ended(self, hosted: Hosted) -> None:
        """A hand ended, and another began."""

    def commit_soon(self) -> None:
        """Have the outboxes poked at the end of this loop turn."""

    def _asked(self, hosted: Hosted, effect: Ask) -> None:
        if not hosted.silent:
            self._ask(hosted.games[effect.game][effect.seat], effect.turn)

    def _ask(self, seat: Seat, turn: int) -> None:
        """A seat is asked; see `Engine._release` for the short of it."""
        hosted = seat.hosted
        if hosted.silent or hosted.dropped:
            return
        seat.turn = turn
        if seat.session.stream is not None and seat.game not in hosted.halted:
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
        self._seat(hosted, effect.game, effect.seats, resumed=False)
        if hosted.draining:
            hosted.halted.add(effect.game)

    def _seat(
        self, hosted: Hosted, game: int, entrants: tuple[int, ...], *, resumed: bool
    ) -> list[Seat]:
        writer = GameWriter()
        seats = hosted.deal_in(game, entrants)
        live = hosted.match.live_game(game)
        for seat in seats:
            seat.match = hosted.match
            seat.live = live
            seat.writer = writer
            seat.session.seats[seat.handle] = seat
            self._tell(seat, frames.game_started(hosted, seat, resumed=resumed))
        self.metrics.open_games.inc()
        return seats

    def go_on(self, hosted: Hosted) -> None:
        """A match another referee began: tell its bots of the games, ask what is open."""
        for game, number, turn in hosted.match.open_turns():
            seats = self._seat(hosted, game, hosted.match.seats(game), resumed=True)
            live = hosted.match.live_game(game)
            if live is not None and hosted.match.updates:
                hosted.scores[game] = (live.game.deal_number, tuple(live.game.score))
            seats[number].turn = turn
            seats[number].session.outbox.ask(seats[number])
        self.commit_soon()

    def _hand_began(self, hosted: Hosted, effect: HandBegan) -> None:
        if effect.hand:
            self._tell_updates(hosted, effect.game)
            hosted.hands += 1
            self.metrics.hands_over()
            self.hand_ended(hosted)
            if hosted.draining:
                hosted.halted.add(effect.game)
        if hosted.match.updates:
            hosted.scores[effect.game] = (effect.hand, effect.score)

    def _acted(self, hosted: Hosted, effect: Acted) -> None:
        entry = effect.seat << 16 | effect.code
        for seat in hosted.games.get(effect.game, ()):
            if seat.session.updates and seat.session.stream is not None:
                seat.actions += (entry,)
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
        side_of = hosted.match.rules.side_of
        for seat in hosted.clear_table(effect.game):
            part = frames.game_ended(seat.handle, side_of[seat.number], effect)
            seat.session.put_ending(seat.handle, part, hosted)
            self._dirty[seat.session.id] = seat.session

    def _match_over(self, hosted: Hosted, effect: MatchOver) -> None:
        if not hosted.ended.done():
            hosted.ended.set_result(effect.result)

    def _tell(self, seat: Seat, part: bytes) -> None:
        seat.session.put(seat.handle, part)
        self._dirty[seat.session.id] = seat.session

    def retell(self, hosted: Hosted, effects: Sequence[Effect]) -> None:
        """What another referee told or was about to: counted and written, and told nobody but the
        ends of games, which may never have arrived."""
        for effect in effects:
            if isinstance(effect, Record):
                hosted.recording.write(effect.lines)
            elif isinstance(effect, HandBegan):
                hosted.hands += effect.hand > 0
            elif isinstance(effect, FaultNoted):
                hosted.faults[effect.fault.entrant][effect.fault.kind] += 1
            elif isinstance(effect, GameOver):
                hosted.game_ended(effect)
                for number, side in enumerate(hosted.match.rules.side_of):
                    handle = hosted.handle("seat", effect.game, number)
                    part = frames.game_ended(handle, side, effect)
                    self.tell_end(hosted, hosted.bot_at(effect.game, number), handle, part)
            elif isinstance(effect, MatchOver):
                self._match_over(hosted, effect)

    def tell_end(self, hosted: Hosted, bot: str, handle: int, part: bytes) -> None:
        """A game ended at another referee: whichever of the bot's streams had it is told."""
        for share in hosted.shares.get(bot, ()):
            share.session.put_ending(handle, part, hosted)
            self._dirty[share.session.id] = share.session

    # -- sessions coming and going

    def resend(self, session: Session, now: int) -> None:
        """After a reconnect: every game, every open turn, every end not acknowledged."""
        session.outbox.clear()
        for handle, (part, _) in session.endings.items():
            session.put(handle, part)
        self.hand_over(session, list(session.seats.values()))
        session.poke(now)

    def hand_over(self, session: Session, seats: Sequence[Seat]) -> None:
        """Tell a session of games that go on there."""
        for seat in seats:
            session.put(seat.handle, frames.game_started(seat.hosted, seat, resumed=True))
            if seat.turn and seat.game not in seat.hosted.halted:
                session.outbox.ask(seat)
