"""Who has how long: move time, bank, increment and what the network is forgiven (protocol.md).

The clock of a turn runs from `Match.sent` to the answer; what lies before, the referee's own
queueing, is charged to nobody. All times are nanoseconds.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from euchre_arena.match.live import LiveGame
from euchre_arena.match.spec import Clock

MS: Final = 1_000_000


def milliseconds(ns: int) -> str:
    """``12.345 ms``."""
    micros = ns // 1000
    return f"{micros // 1000}.{micros % 1000:03d} ms"


class Clocks:
    """The clocks of one match. The state of each seat is kept in its `LiveGame`."""

    __slots__ = (
        "_bank_before", "_lag_before", "bank", "bound", "increment", "lag_per_game",
        "lag_per_move", "move", "move_ms", "network", "paused_at", "referee", "thinking", "timed",
    )  # fmt: skip

    def __init__(self, clock: Clock | None) -> None:
        self.timed = clock is not None
        given = clock or Clock(1)
        self.move = given.move_time_ms * MS
        self.move_ms = given.move_time_ms if self.timed else 0
        self.bank = given.bank_ms * MS if self.timed else 0
        self.increment = given.increment_ms * MS if clock else 0
        self.lag_per_move = given.lag_per_move_ms * MS
        self.lag_per_game = given.lag_per_game_ms * MS
        self.paused_at: int | None = None
        self.bound: int | None = None
        """No deadline is earlier. It is not raised when a turn is answered: that would cost every
        decision a search, and an `expire` too early costs one a while."""
        self.thinking = self.network = self.referee = 0
        self._bank_before = self._lag_before = 0

    def run(self, live: LiveGame, now: int) -> None:
        """The open turn was handed to the transport."""
        live.started = started = now if self.paused_at is None else self.paused_at
        if self.timed:
            seat = live.seat
            forgiven = live.lag[seat]
            if forgiven > self.lag_per_move:
                forgiven = self.lag_per_move
            live.deadline = deadline = started + self.move + live.bank[seat] + forgiven + 1
            if self.bound is None or deadline < self.bound:
                self.bound = deadline

    def stop(self, live: LiveGame, now: int, network: int) -> bool:
        """An answer came: charge its time and tell whether it came in time.

        The split of the time is in ``referee``, ``network`` and ``thinking`` until the next call.
        """
        started = live.started
        if self.paused_at is not None:
            now = self.paused_at
        if started < 0:
            started = now
        self.referee = started - live.asked_at
        elapsed = now - started
        forgiven = network if network < elapsed else elapsed
        if not self.timed:
            self.network = forgiven
            self.thinking = elapsed - forgiven
            return True
        seat = live.seat
        lag = self._lag_before = live.lag[seat]
        bank = self._bank_before = live.bank[seat]
        if forgiven > self.lag_per_move:
            forgiven = self.lag_per_move
        if forgiven > lag:
            forgiven = lag
        if forgiven > 0:
            live.lag[seat] = lag - forgiven
        else:
            forgiven = 0
        self.network = forgiven
        self.thinking = thinking = elapsed - forgiven
        beyond = thinking - self.move
        if beyond > 0:
            live.bank[seat] = max(0, bank - beyond)
            return beyond <= bank
        return True

    def take_back(self, live: LiveGame) -> None:
        """The answer just stopped was refused: the clock has run on all the while."""
        if self.timed:
            live.lag[live.seat] = self._lag_before
            live.bank[live.seat] = self._bank_before

    def run_out(self, live: LiveGame, now: int) -> None:
        """No answer came and none is waited for any more."""
        seat = live.seat
        forgiven = min(self.lag_per_move, live.lag[seat])
        self._bank_before = live.bank[seat]
        self.referee = live.started - live.asked_at
        self.network = forgiven
        self.thinking = now - live.started - forgiven
        live.lag[seat] -= forgiven
        live.bank[seat] = 0

    def evidence(self, network: str = "") -> str:
        """Why the last turn stopped or run out was late, in words.

        ``network``: put before its share; what it took of an answer that never came is not known.
        """
        return (
            f"thinking {milliseconds(self.thinking)} of {milliseconds(self.move)} "
            f"and {milliseconds(self._bank_before)} bank, "
            f"network {network}{milliseconds(self.network)}, referee {milliseconds(self.referee)}"
        )

    def due(self, live: LiveGame, now: int) -> bool:
        """The time of the open turn is up, whatever the network may have taken."""
        return live.started >= 0 and now >= live.deadline

    def any_due(self, now: int) -> bool:
        """Some turn may be `due`."""
        return self.paused_at is None and self.bound is not None and now >= self.bound

    def renew(self, games: Iterable[LiveGame]) -> None:
        """Work out ``bound`` again."""
        running = [live.deadline for live in games if live.started >= 0]
        self.bound = min(running, default=None) if self.timed else None

    def next_deadline(self) -> int | None:
        """See `Match.next_deadline`."""
        return self.bound if self.paused_at is None else None

    def pause(self, now: int) -> None:
        """Stop all clocks."""
        if self.paused_at is None:
            self.paused_at = now

    def unpause(self, now: int, games: Iterable[LiveGame]) -> None:
        """Start all clocks where they stopped."""
        if self.paused_at is None:
            return
        away = now - self.paused_at
        self.paused_at = None
        running = [live for live in games if live.started >= 0]
        for live in running:
            # One that began after the time the pause is reckoned from has lost no more than since.
            lost = min(away, now - live.started)
            live.started += lost
            live.asked_at += lost
            live.deadline += lost
        self.renew(running)

    def left(self, live: LiveGame, now: int) -> tuple[int, int]:
        """Milliseconds left of the move time and of the bank in a turn whose clock runs."""
        if not self.timed:
            return 0, 0
        elapsed = (now if self.paused_at is None else self.paused_at) - live.started
        beyond = max(0, elapsed - self.move)
        move = max(0, self.move - elapsed)
        return move // MS, max(0, live.bank[live.seat] - beyond) // MS
