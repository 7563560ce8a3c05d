"""What an author is told while a bot plays on a server.

A `Reporter` counts and says nothing else; `ConsoleReporter` writes to a terminal or a log, each
failure in full once and afterwards in a line, for a bot fails in a thousand games at once.
"""

from __future__ import annotations

import sys
import time
import traceback
from collections import Counter
from collections.abc import Hashable
from dataclasses import dataclass
from typing import Final, TextIO

from euchre_arena.bot import GameOutcome, MatchOutcome
from euchre_arena.rules.turn import Table, Turn

COUNTED: Final = ("illegal", "malformed")
"""Reasons of refusals that are faults; an answer that is merely stale costs nothing."""
AGAIN_S: Final = 30.0
"""How often it is said that a server is still away; every attempt would fill the screen."""
REMEMBERED: Final = 1 << 14
"""Games of which the seats told are remembered; those of one game begin and end close together."""


@dataclass(slots=True)
class Stats:
    """Counts since the start of `connect`. A game or match counts once, however many of its seats
    the bot plays."""

    decisions: int = 0
    frames: int = 0
    games_started: int = 0
    games_ended: int = 0
    games_won: int = 0
    """Of those ended, won by a seat of the bot."""
    matches_ended: int = 0
    crashes: int = 0
    rejections: int = 0
    connections: int = 0


@dataclass(frozen=True, slots=True)
class Connected:
    """A session is open."""

    server: str
    bot: str
    """The bot's registered name."""
    session_id: str
    games: int
    """Games at once that the server grants."""
    resumed: bool


class _Seen:
    """Tells the first seat of a thing from the others, of each of which a message comes."""

    def __init__(self) -> None:
        self._seats: dict[Hashable, set[int]] = {}

    def first(self, key: Hashable, seat: int) -> bool:
        """Nothing was heard of it before; or of this seat, and it is played again (a match the
        service voided, on the same cards)."""
        seats = self._seats.get(key)
        new = seats is None or seat in seats
        if seats is None or new:
            self._seats[key] = seats = set()
        seats.add(seat)
        if len(self._seats) > REMEMBERED:
            del self._seats[next(iter(self._seats))]
        return new


def _game(table: Table) -> Hashable:
    """What the seats of one game have in common: their handles are opaque, each has its own."""
    return table.commitment or table.match, table.game_number


class Reporter:
    """Told of everything, by seat; the methods here do nothing but count."""

    def __init__(self) -> None:
        self.stats = Stats()
        self._games_started = _Seen()
        self._games_ended = _Seen()
        self._games_won = _Seen()
        self._matches_ended = _Seen()

    def connected(self, event: Connected) -> None:
        """A session is open, or open again."""
        self.stats.connections += 1

    def lost(self, server: str, cause: str, retry_s: float) -> None:
        """The connection to a server is gone, or was not made; another attempt is in so many
        seconds. Told for each attempt."""

    def game_started(self, table: Table) -> None:
        """A game begins, or goes on that this process did not know of (``table.resumed``)."""
        self.stats.games_started += self._games_started.first(_game(table), table.seat)

    def game_ended(self, table: Table, outcome: GameOutcome) -> None:
        """A game is over for a seat."""
        self.stats.games_ended += self._games_ended.first(_game(table), table.seat)
        if outcome.won:
            self.stats.games_won += self._games_won.first(_game(table), table.seat)

    def match_ended(self, outcome: MatchOutcome) -> None:
        """A match is over for a seat."""
        self.stats.matches_ended += self._matches_ended.first(
            (outcome.match_id, outcome.secret, outcome.voided), outcome.match
        )

    def crashed(self, turn: Turn | None, error: BaseException, hook: str = "act") -> None:
        """The bot raised, in ``act`` (which forfeits the game) or in another hook (no harm)."""
        self.stats.crashes += hook == "act"

    def rejected(self, turn: Turn | None, said: str, reason: str, detail: str) -> None:
        """The server refused an answer."""
        self.stats.rejections += 1

    def warning(self, text: str) -> None:
        """Something the author should know."""

    def close(self) -> None:
        """Nothing more will happen."""


def crash_text(error: BaseException) -> str:
    """A failure as it is sent to the server: kind, text, and the author's line."""
    frames = traceback.extract_tb(error.__traceback__)
    at = f" ({frames[-1].filename}:{frames[-1].lineno} in {frames[-1].name})" if frames else ""
    return f"{type(error).__name__}: {error}{at}"[:2000]


def lost_by(table: Table, fault: str, refused: str) -> str:
    """Why a game was lost by a fault of this seat's side.

    ``refused``: the seat's last answer that was refused, and why; empty for none.
    """
    rules = table.rules
    value = rules.value
    if fault == "disconnected":
        return "a bot of this side was away for longer than the tournament's grace"
    if fault == "crashed":
        return "the bot of this seat's partner failed"
    if refused:
        rule = (
            "an illegal answer forfeits the game here"
            if value("on_illegal") == "forfeit"
            else "the fourth refusal of a seat in one hand forfeits the game"
        )
        return f"answer {refused} was refused; {rule}"
    causes = ["a decision came too late"] if value("on_timeout") == "forfeit" else []
    causes += ["this seat's partner forfeited it"] if rules.sides < rules.seats else []
    return ", or ".join(causes) or "the record says how"


class ConsoleReporter(Reporter):
    """Says it in words, on standard error unless told otherwise."""

    def __init__(self, out: TextIO | None = None) -> None:
        super().__init__()
        self.out = out
        self._seen: Counter[str] = Counter()
        self._refused: dict[int, str] = {}
        """By game: the last answer in it that was refused for what it was."""
        self._crashed: set[int] = set()
        """Games in which the bot failed, until they end."""
        self._away: dict[str, tuple[float, float]] = {}
        """By server: since when it is away, and when that was last said."""
        self._were: set[str] = set()
        """Servers this bot was connected to."""

    def say(self, text: str) -> None:
        """Write a line."""
        print(text, file=self.out or sys.stderr, flush=True)

    def connected(self, event: Connected) -> None:
        super().connected(event)
        away = self._away.pop(event.server, None)
        if away is not None and event.server in self._were:
            away_s = time.monotonic() - away[0]
            self.say(f"back at {event.server} after {away_s:.1f} s (session {event.session_id})")
            return
        self._were.add(event.server)
        games = f"{event.games} game{'s at once' if event.games != 1 else ' at a time'}"
        self.say(
            f"connected to {event.server} as {event.bot}, up to {games} "
            f"(session {event.session_id})"
        )

    def lost(self, server: str, cause: str, retry_s: float) -> None:
        super().lost(server, cause, retry_s)
        now = time.monotonic()
        away = self._away.get(server)
        if away is not None and now - away[1] < AGAIN_S:
            return
        since = away[0] if away is not None else now
        self._away[server] = since, now
        if away is not None:
            self.say(f"{server} is away for {now - since:.0f} s now ({cause}); still trying")
        elif server in self._were:
            self.say(f"lost {server} ({cause}); trying again, games go on when it is back")
        else:
            self.say(f"not connected to {server} ({cause}); trying again until it is there")

    def game_ended(self, table: Table, outcome: GameOutcome) -> None:
        super().game_ended(table, outcome)
        refused = self._refused.pop(table.game, "")
        crashed = table.game in self._crashed
        self._crashed.discard(table.game)
        # Each seat has an end of its own; a failure was told when it happened.
        if outcome.fault is None or outcome.won or crashed:
            return
        cause = lost_by(table, outcome.fault, refused)
        self.say(
            f"game {table.game_number} is lost for seat {table.seat} ({outcome.fault}): {cause}"
        )

    def match_ended(self, outcome: MatchOutcome) -> None:
        told = self.stats.matches_ended
        super().match_ended(outcome)
        if self.stats.matches_ended > told:  # one message comes for each seat
            won = f"won by {', '.join(outcome.winners)}" if outcome.winners else "voided"
            self.say(f"match {outcome.match_id} is over, {won}")

    def crashed(self, turn: Turn | None, error: BaseException, hook: str = "act") -> None:
        super().crashed(turn, error, hook)
        if turn is not None:
            self._crashed.add(turn.game)
        what = "this game is forfeited, the others go on" if hook == "act" else "the game goes on"
        if not self._first(f"{hook} {crash_text(error)}"):
            self.say(f"{hook} failed again: {crash_text(error)}; {what}")
            return
        # The frames of the library before the author's own say nothing to the author.
        trace = error.__traceback__
        own = trace.tb_next if trace is not None and trace.tb_next is not None else trace
        text = "".join(traceback.format_exception(type(error), error, own)).rstrip()
        self.say(f"{hook} failed; {what}.\n{text}")
        if turn is not None:
            self.say(f"The turn was:\n{turn}")

    def rejected(self, turn: Turn | None, said: str, reason: str, detail: str) -> None:
        super().rejected(turn, said, reason, detail)
        why = f"{reason}: {detail}" if detail else reason
        if turn is not None and reason in COUNTED:
            self._refused[turn.game] = f"{said!r} ({why})"
        if turn is None or not self._first(f"{reason} {detail}"):
            self.say(f"answer {said!r} refused ({why})" + (f" in {turn!r}" if turn else ""))
            return
        self.say(f"answer {said!r} refused ({why}). The turn was:\n{turn}")

    def warning(self, text: str) -> None:
        super().warning(text)
        self.say(f"warning: {text}")

    def _first(self, key: str) -> bool:
        self._seen[key] += 1
        return self._seen[key] == 1
