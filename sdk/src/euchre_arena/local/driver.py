"""Hands turns to bots and their answers to the referee.

Bots that answer at once are played without an event loop, one decision after another; answers that
are awaited run side by side (`waiting`).
"""

from __future__ import annotations

import asyncio
import traceback
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from inspect import isawaitable
from typing import Any, Final

from euchre_arena.bot import Bot, GameOutcome, MatchOutcome
from euchre_arena.local.waiting import Waiting
from euchre_arena.match import (
    Ask,
    Effect,
    Fault,
    FaultNoted,
    GameBegan,
    GameOver,
    HandBegan,
    Match,
    Record,
    Rejected,
)
from euchre_arena.match.faults import ILLEGAL
from euchre_arena.rules.actions import parse_action
from euchre_arena.rules.named_action import Action
from euchre_arena.rules.turn import Table, Turn

ERRORS_KEPT: Final = 20
DETAIL_KEPT: Final = 2000
SAID_KEPT: Final = 100


@dataclass(frozen=True, slots=True)
class BotError:
    """An exception of a bot, for its author."""

    entrant: int
    name: str
    game: int
    """Number of the game it forfeited; of the match that ended, for its `match_ended`."""
    turn: str
    """The turn that caused it, as a person reads it; what was called, for a hook."""
    error: BaseException
    text: str
    """The traceback, from the bot's own code on."""


@dataclass(frozen=True, slots=True)
class BotRefusal:
    """The first answer of an entrant that the rules forbid, for its author."""

    name: str
    """Of the bot."""
    game: int
    said: str
    """The answer as the bot gave it, cut at a line's length."""
    turn: str
    """The turn so answered, as a person reads it."""
    detail: str
    """What it was read as and why it was refused: ``play B: wrong-phase``."""


class Interrupted(Exception):  # noqa: N818 - a signal, not an error
    """Somebody asked to stop."""


class Driver:
    """Plays one match to its end."""

    def __init__(
        self,
        match: Match,
        bots: Sequence[Bot],
        names: Sequence[str],
        clock: Callable[[], int] | None,
        write: Callable[[Sequence[str]], None],
        game_over: Callable[[GameOver, tuple[int, ...]], None],
    ) -> None:
        """``bots`` and ``names``: of each seat of game 0. ``clock``: nanoseconds; None: untimed."""
        self.match = match
        self.bots = bots
        self.names = names
        self.now: Callable[[], int] = clock or (lambda: 0)
        self.timed = clock is not None
        self.write = write
        self.game_over = game_over
        self.stop = False
        """Set to end the match at the next decision."""
        self.in_bot = False
        """A bot is running: interrupting it breaks nothing of ours."""
        self.hands = 0
        self.decisions = 0
        self.faults: list[Fault] = []
        self.fault_counts: Counter[tuple[int, str]] = Counter()
        self.errors: list[BotError] = []
        self.refusals: list[BotRefusal] = []
        """The first of each entrant."""
        self._asks: list[Ask] = []
        self._tables: dict[int, list[Table]] = {}
        self._seated: dict[int, list[Bot]] = {}
        self._refused: dict[int, str] = {}
        """By game: why the last answer to the open turn was refused."""
        self._waiting: Waiting[tuple[Ask, Turn]] = Waiting()

    def run(self) -> bool:
        """Play; False when it was interrupted."""
        try:
            self._handle(self.match.start(self.now()))
            while not self.match.over:
                while self._asks:
                    if self.stop:
                        raise Interrupted
                    self._decide(self._asks.pop())
                if not self.match.over:
                    self._wait()
        except Interrupted:
            self._handle(self.match.abort(self.now()))
            return False
        finally:
            self._waiting.close()
        self._end_hooks()
        return True

    def interrupt(self) -> bool:
        """End the match soon, from a signal handler.

        True when a bot is running, which nothing but an exception can stop.
        """
        self.stop = True
        self._waiting.interrupt()
        return self.in_bot

    def _decide(self, ask: Ask) -> None:
        game, seat = ask.game, ask.seat
        if game not in self._tables:
            return  # an answer to a turn timed out before failed, and with it the game
        opened = self.match.open_turn(game)
        turn = Turn(
            opened.view,
            self._tables[game][seat],
            opened.turn,
            opened.move_time_ms,
            opened.bank_ms,
        )
        if self._refused and game in self._refused:
            turn.refusal = self._refused.pop(game)
        if self.timed:
            self.match.sent(game, seat, opened.turn, self.now())
        self.decisions += 1
        bot = self._seated[game][seat]
        self.in_bot = True
        try:
            answer: Any = bot.act(turn)
        except (Exception, SystemExit) as error:
            self._crash(ask, turn, error)
            return
        except KeyboardInterrupt:
            raise Interrupted from None
        finally:
            self.in_bot = False
        if isinstance(answer, str):
            self._answer(ask, turn, answer)
        elif isawaitable(answer):
            self._waiting.add(answer, (ask, turn))
        else:
            self._crash(ask, turn, _no_action(answer))

    def _answer(self, ask: Ask, turn: Turn, answer: str) -> None:
        if type(answer) is Action:
            code = answer.code
        else:
            try:
                code = parse_action(answer)
            except ValueError:
                code = -1
        game, seat = ask.game, ask.seat
        known = len(self.faults)
        self._handle(self.match.receive(game, seat, ask.turn, code, self.now()))
        if len(self.faults) > known:
            self._note_refusal(self.faults[known], seat, turn, answer)

    def _note_refusal(self, fault: Fault, seat: int, turn: Turn, answer: str) -> None:
        """A fault of a kind its entrant had not committed before."""
        if fault.kind != ILLEGAL or fault.seat != seat:
            return
        name = self.names[self.match.places(fault.game)[seat]]
        said = str(answer)[:SAID_KEPT]
        self.refusals.append(BotRefusal(name, fault.game, said, str(turn), fault.detail))

    def _crash(self, ask: Ask, turn: Turn, error: BaseException) -> None:
        self._note_error(ask.game, ask.seat, str(turn), error)
        detail = f"{type(error).__name__}: {error}"[:DETAIL_KEPT]
        self._handle(self.match.crashed(ask.game, ask.seat, detail, self.now()))

    def _note_error(self, game: int, seat: int, turn: str, error: BaseException) -> None:
        if len(self.errors) >= ERRORS_KEPT:
            return
        trace = error.__traceback__
        own = trace.tb_next if trace is not None else None
        text = "".join(traceback.format_exception(type(error), error, own or trace))
        entrant = self.match.seats(game)[seat]
        name = self.names[self.match.places(game)[seat]]
        self.errors.append(BotError(entrant, name, game, turn, error, text))

    def _handle(self, effects: list[Effect]) -> None:
        for effect in effects:
            kind = type(effect)
            if kind is Ask:
                self._asks.append(effect)  # type: ignore[arg-type]  # kind says so
            elif kind is Record:
                self.write(effect.lines)  # type: ignore[attr-defined]  # kind says so
            elif kind is HandBegan:
                self.hands += 1
            else:
                self._handle_rare(effect)

    def _handle_rare(self, effect: Effect) -> None:
        if isinstance(effect, GameBegan):
            self._seat(effect)
        elif isinstance(effect, GameOver):
            self._unseat(effect)
        elif isinstance(effect, Rejected):
            if effect.current_turn == effect.turn:
                self._refused[effect.game] = effect.detail
                self._asks.append(Ask(effect.game, effect.seat, effect.turn))
        elif isinstance(effect, FaultNoted):
            key = (effect.fault.entrant, effect.fault.kind)
            self.fault_counts[key] += 1
            if self.fault_counts[key] == 1:
                self.faults.append(effect.fault)

    def _seat(self, began: GameBegan) -> None:
        """Entrants move on together with their seats, and a team's bots with them."""
        match, game = self.match, began.game
        seats = match.rules.seats
        places = match.places(game)
        players = tuple(self.names[place] for place in places)
        clock = match.spec.clock
        self._seated[game] = [self.bots[place] for place in places]
        self._tables[game] = tables = [
            Table(
                rules=match.rules,
                seat=seat,
                game=game * seats + seat,
                game_number=game,
                players=players,
                move_time_ms=clock.move_time_ms if clock else 0,
                bank_ms=clock.bank_ms if clock else 0,
                increment_ms=clock.increment_ms if clock else 0,
                commitment=match.commitment,
            )
            for seat in range(seats)
        ]
        for table, bot in zip(tables, self._seated[game], strict=True):
            if type(bot).game_started is not Bot.game_started:
                self._hook(game, table.seat, "game_started", bot.game_started, table)

    def _unseat(self, over: GameOver) -> None:
        game = over.game
        tables = self._tables.get(game)
        if tables is not None:
            side_of = self.match.rules.side_of
            for table, bot in zip(tables, self._seated[game], strict=True):
                if type(bot).game_ended is not Bot.game_ended:
                    won = side_of[table.seat] in over.winners
                    outcome = GameOutcome(over.score, over.winners, won, over.fault or None)
                    self._hook(game, table.seat, "game_ended", bot.game_ended, table, outcome)
            del self._tables[game], self._seated[game]
        self._refused.pop(game, None)
        self.game_over(over, self.match.seats(game))

    def _hook(
        self, game: int, seat: int, name: str, hook: Callable[..., object], *given: object
    ) -> None:
        """Call what an author may have written; an exception in it is told and costs nothing."""
        self.in_bot = True
        try:
            hook(*given)
        except Exception as error:
            self._note_error(game, seat, f"{name}() of game {game}, seat {seat}", error)
        except KeyboardInterrupt:
            self.stop = True
        finally:
            self.in_bot = False

    def _end_hooks(self) -> None:
        match = self.match
        result = match.result
        if result is None:
            return
        winners = tuple(match.spec.entrants[entrant] for entrant in result.winners)
        outcome = MatchOutcome(0, match.spec.match_id, winners, match.secret)
        told: list[Bot] = []
        for seat, bot in enumerate(self.bots):
            if type(bot).match_ended is not Bot.match_ended and bot not in told:
                told.append(bot)
                self._hook(0, seat, "match_ended", bot.match_ended, outcome)

    def _wait(self) -> None:
        """Let asynchronous bots go on until one answers or a clock runs out."""
        deadline = self.match.next_deadline() if self.timed else None
        seconds = None if deadline is None else max(0.0, (deadline - self.now()) / 1e9)
        try:
            done = self._waiting.run(seconds)
        except KeyboardInterrupt:  # asked a second time
            raise Interrupted from None
        if self.stop:
            raise Interrupted
        for task, (ask, turn) in done:
            self._finish(task, ask, turn)
        if deadline is not None:
            self._handle(self.match.expire(self.now()))

    def _finish(self, task: asyncio.Task[Any], ask: Ask, turn: Turn) -> None:
        error = asyncio.CancelledError("cancelled") if task.cancelled() else task.exception()
        if error is not None:
            self._crash(ask, turn, error)
        elif isinstance(task.result(), str):
            self._answer(ask, turn, task.result())
        else:
            self._crash(ask, turn, _no_action(task.result()))


def _no_action(answer: object) -> TypeError:
    return TypeError(
        f"act returned {answer!r:.100}; it must return one of turn.legal or an action's text"
    )
