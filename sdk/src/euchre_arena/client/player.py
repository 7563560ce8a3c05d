"""A bot's end of a stream without the stream: frames in, answers out.

A `Player` keeps the games of one session, asks the bot, and collects what is to be sent. It knows
nothing of gRPC; `stream` moves the bytes.
"""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Awaitable, Callable, Coroutine, Iterator, Sequence
from functools import partial
from inspect import isawaitable
from time import monotonic
from typing import Final

from euchre_arena import wire
from euchre_arena.bot import Bot, GameOutcome, MatchOutcome
from euchre_arena.client.reporting import Reporter, crash_text
from euchre_arena.rules import OptionError
from euchre_arena.rules.turn import Table
from euchre_arena.wire import pb
from euchre_arena.wire.decoding import Frame, PackedTurn, turn_of
from euchre_arena.wire.encoding import answer_bytes
from euchre_arena.wire.messages import REASON_NAMES

BREATH_S: Final = 0.01
"""A plain ``act`` that is slow lets go this often, so that the answers it has given are sent. A
quick one is through with a whole frame by then, on a busy machine too: to send costs as much as to
decide dozens of turns."""
SETTLED_S: Final = 600.0
"""After this time in a session, games of earlier ones that were not announced again are gone: a
referee that was started again has its matches back long before."""
TOLD: Final = 4096
"""Matches whose end is remembered: after a reconnect it is told again."""
NONCE_BYTES: Final = 32


class Seat:
    """One game of the bot, and its last decision in it."""

    __slots__ = ("crash", "handle", "player", "said", "sent", "table", "task", "turn")

    def __init__(self, table: Table, player: Player) -> None:
        self.table = table
        self.player = player
        """Of the session it is played in now."""
        self.handle = wire.handle_bytes(table.game)
        self.turn: wire.WireTurn | None = None
        """The last one asked, with what we know was refused."""
        self.said = ""
        self.sent: bytes | None = None
        """The answer to it; None while the bot thinks."""
        self.crash: pb.Crash | None = None
        """Instead of an answer: the bot failed."""
        self.task: asyncio.Task[None] | None = None


class Player:
    """All games of one session."""

    def __init__(
        self,
        bot: Bot,
        reporter: Reporter,
        changed: Callable[[], None],
        others: Sequence[Player] = (),
    ) -> None:
        """``others``: of the same bot at other referees, from which a match may move to here."""
        self.bot = bot
        self.reporter = reporter
        self.changed = changed
        """Called when an answer is ready that was thought about aside."""
        self.seats: dict[int, Seat] = {}
        self._before: dict[int, Seat] = {}
        """Games of sessions before, until the server has told which of them go on."""
        self._since = monotonic()
        self._others = others
        # A referee that died may leave telling it to one where this bot has a stream, too.
        self._told: dict[int, None] = others[0]._told if others else {}
        self._unplayable: dict[int, str] = {}
        self.thinking = 0
        """Turns that are thought about aside."""
        self.answers: list[bytes] = []
        self.crashes: list[pb.Crash] = []
        self.nonces: list[pb.Entropy] = []

    def new_session(self) -> None:
        """A stream begins. What the server still wants to know it will ask again."""
        now = monotonic()
        if now - self._since > SETTLED_S:
            _stop(self._before)
            self._before.clear()
        self._since = now
        self._before |= self.seats
        self.seats = {}
        self.answers.clear()
        self.crashes.clear()
        self.nonces.clear()

    def close(self) -> None:
        """Stop thinking."""
        _stop(self.seats)
        _stop(self._before)

    def release(self, game: int) -> Seat | None:
        """A game's seat that is played elsewhere from now on; None for one not known here."""
        return self._before.pop(game, None) or self.seats.pop(game, None)

    def receive(self, frame: Frame) -> Iterator[None]:
        """Take in a frame. Yields where it is time to send what is ready."""
        for wanted in frame.entropy_wanted:
            self.nonces.append(pb.Entropy(game=wanted.game, nonce=os.urandom(NONCE_BYTES)))
        for started in frame.games_started:
            self._started(started)
        for rejection in frame.rejections:
            self._rejected(rejection)
        yield from self._turns(frame)
        for ended in frame.games_ended:
            self._ended(ended)
        for match in frame.matches_ended:
            if match.match in self._told:
                continue
            self._told[match.match] = None
            if len(self._told) > TOLD:
                del self._told[next(iter(self._told))]
            outcome = MatchOutcome(
                match.match, match.match_id, tuple(match.winners), match.secret, match.voided
            )
            self.reporter.match_ended(outcome)
            self._hook("match_ended", partial(self.bot.match_ended, outcome))

    def _turns(self, frame: Frame) -> Iterator[None]:
        seats, stats = self.seats, self.reporter.stats
        breath = monotonic() + BREATH_S
        for raw in frame.turns:
            seat = seats.get(raw.game)
            if seat is None:
                self._unknown(raw)
                continue
            turn, last = turn_of(raw, seat.table), seat.turn
            if last is not None and last.turn == turn.turn:
                self._asked_again(seat, last, turn)
                continue
            stats.decisions += 1
            self._decide(seat, turn)
            if monotonic() > breath:
                yield
                breath = monotonic() + BREATH_S

    def _asked_again(self, seat: Seat, last: wire.WireTurn, turn: wire.WireTurn) -> None:
        """The last turn, once more after a reconnect."""
        if turn.refusals > last.refusals:
            # The answer was refused, and the line broke before we were told.
            self.reporter.rejected(last, seat.said, "illegal", turn.refusal or "")
            self._decide(seat, turn)
        elif seat.sent is not None and seat.sent not in self.answers:
            self.answers.append(seat.sent)
        elif seat.crash is not None:
            self.crashes.append(seat.crash)

    def _decide(self, seat: Seat, turn: wire.WireTurn) -> None:
        seat.turn = turn
        seat.sent = seat.crash = None
        try:
            answer: object = self.bot.act(turn)  # whatever the author's code gives
            if isinstance(answer, str):
                self.answers.append(_answer(seat, turn, answer))
                return
        except Exception as error:
            self._crash(seat, turn, error)
            return
        if isawaitable(answer):
            if seat.task is not None:
                seat.task.cancel()
            self.thinking += 1
            seat.task = _start(self._think(seat, turn, answer))
        else:
            self._crash(seat, turn, _no_answer(answer))

    async def _think(self, seat: Seat, turn: wire.WireTurn, answer: Awaitable[object]) -> None:
        try:
            said: object = await answer
            if not isinstance(said, str):
                raise _no_answer(said)
            sent, player = _answer(seat, turn, said), seat.player
            # A game the server has not spoken of since a reconnect: it will ask again, if at all.
            if player.seats.get(seat.table.game) is seat:
                player.answers.append(sent)
        except Exception as error:
            self._crash(seat, turn, error)
        finally:
            self.thinking -= 1
        seat.player.changed()

    def _crash(self, seat: Seat, turn: wire.WireTurn, error: Exception) -> None:
        self.reporter.crashed(turn, error)
        game, player = seat.table.game, seat.player
        seat.crash = pb.Crash(game=game, turn=turn.turn, detail=crash_text(error))
        if player.seats.get(game) is seat:
            player.crashes.append(seat.crash)

    def _started(self, message: pb.GameStarted) -> None:
        try:
            table = wire.read_table(message)
        except (OptionError, ValueError) as error:
            text = f"a game this library cannot play ({error}); update euchre-arena"
            self.reporter.warning(text)
            self._unplayable[message.game] = text
            return
        seat = self._known(table.game) if message.resumed else None
        if seat is not None:  # nothing that the author need know of
            seat.player = self
            self.seats[table.game] = seat
            return
        self.seats[table.game] = Seat(table, self)
        self.reporter.game_started(table)
        self._hook("game_started", partial(self.bot.game_started, table))

    def _known(self, game: int) -> Seat | None:
        """A game that goes on: it was here before, or at another referee."""
        found = (player.release(game) for player in self._others)
        return self.release(game) or next(filter(None, found), None)

    def _unknown(self, packed: PackedTurn) -> None:
        text = self._unplayable.get(packed.game, "a turn of a game that was never announced")
        self.crashes.append(pb.Crash(game=packed.game, turn=packed.turn, detail=text))

    def _rejected(self, message: pb.TurnRejected) -> None:
        seat = self.seats.get(message.game)
        reason = REASON_NAMES.get(message.reason, str(message.reason))
        turn = None if seat is None else seat.turn
        if seat is None or turn is None or turn.turn != message.turn:
            self.reporter.rejected(None, "?", reason, message.detail)
            return
        self.reporter.rejected(turn, seat.said, reason, message.detail)
        if message.current_turn == message.turn and reason in ("illegal", "malformed"):
            self._decide(seat, turn.refused(message.detail or reason))

    def _ended(self, message: pb.GameEnded) -> None:
        seat = self.seats.pop(message.game, None) or self._before.pop(message.game, None)
        if seat is None:
            self._unplayable.pop(message.game, None)
            return
        if seat.task is not None:
            seat.task.cancel()
        outcome = GameOutcome(
            tuple(message.score), tuple(message.winners), message.won, message.fault or None
        )
        self.reporter.game_ended(seat.table, outcome)
        self._hook("game_ended", partial(self.bot.game_ended, seat.table, outcome))

    def _hook(self, name: str, call: Callable[[], None]) -> None:
        try:
            call()
        except Exception as error:
            self.reporter.crashed(None, error, name)


def _answer(seat: Seat, turn: wire.WireTurn, said: str) -> bytes:
    """An answer, kept in case it is asked for again."""
    choice, action = turn.answer(said)
    seat.said = said
    seat.sent = sent = answer_bytes(seat.handle, turn.turn, choice, action)
    return sent


def _stop(seats: dict[int, Seat]) -> None:
    """Nobody waits for these thoughts."""
    for seat in seats.values():
        if seat.task is not None:
            seat.task.cancel()


def _start(thought: Coroutine[None, None, None]) -> asyncio.Task[None]:
    """A task with less ado than asyncio.create_task, which matters at 50,000 a second."""
    loop = asyncio.get_running_loop()
    if sys.version_info >= (3, 12):  # thoughts that never wait end here
        return asyncio.Task(thought, loop=loop, eager_start=True)
    return asyncio.Task(thought, loop=loop)


def _no_answer(answer: object) -> TypeError:
    return TypeError(
        f"act returned {answer!r}; it returns one of turn.legal, or the same text, or is async"
    )
