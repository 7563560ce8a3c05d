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
FAR: Final = 1 << 62
"""A time that does not come."""
LONG: Final = 100 * MS
"""Of a move time; see `Clocks.begin`."""


def milliseconds(ns: int) -> str:
    """``12.345 ms``."""
    micros = ns // 1000
    return f"{micros // 1000}.{micros % 1000:03d} ms"


class Clocks:
    """The clocks of one match. The state of each seat is kept in its `LiveGame`."""

    __slots__ = (
        "_bank_before", "bank", "bound", "increment", "lag_per_game",
        "lag_per_move", "move", "move_ms", "paused_at", "taken", "timed",
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
        self.bound = FAR
        """No deadline is earlier. It is not raised when a turn is answered: that would cost every
        decision a search, and an `expire` too early costs one a while."""
        self.taken = (0, 0, 0)
        """Of the turn last answered or run out: the referee's, network's and thinking share of its
        time."""
        self._bank_before = 0
        """Of the seat that last took longer than the move time."""

    def run(self, live: LiveGame, now: int) -> None:
        """The open turn was handed to the transport."""
        live.started = now if self.paused_at is None else self.paused_at
        if self.timed:
            self.bound = min(self.bound, self.deadline(live))

    def begin(self, live: LiveGame, now: int) -> None:
        """`run`, one turn of very many.

        No time is over before the move time is, so no deadline need be worked out where the bound
        lies before that, or may: an `expire` too early once a move time is no matter.
        """
        live.started = now if self.paused_at is None else self.paused_at
        if live.started + self.move < self.bound and self.timed:
            sure = live.started + self.move + 1
            self.bound = min(self.bound, sure if self.move >= LONG else self.deadline(live))

    def deadline(self, live: LiveGame) -> int:
        """When the time of a turn whose clock runs is up, whatever the network may have taken."""
        seat = live.seat
        forgiven = min(self.lag_per_move, live.lag[seat])
        return live.started + self.move + live.bank[seat] + forgiven + 1

    def stop(self, live: LiveGame, now: int, network: int) -> bool:
        """An answer came: charge its time and tell whether it came in time.

        The split of the time is in `taken` until the next call.
        """
        started = live.started
        if self.paused_at is not None:
            now = self.paused_at
        if started < 0:
            started = now
        elapsed = now - started
        if not self.timed:
            forgiven = min(network, elapsed)
            self.taken = (started - live.asked_at, forgiven, elapsed - forgiven)
            return True
        seat = live.seat
        lag = live.lag
        # The least of four and not below nothing: `min` would cost more than all else here.
        forgiven = network if network < elapsed else elapsed
        if forgiven > self.lag_per_move:
            forgiven = self.lag_per_move
        left = lag[seat]
        if forgiven > left:
            forgiven = left
        if forgiven > 0:
            lag[seat] = left - forgiven
        else:
            forgiven = 0
        thinking = elapsed - forgiven
        self.taken = (started - live.asked_at, forgiven, thinking)
        if thinking <= self.move:
            return True
        bank = self._bank_before = live.bank[seat]
        beyond = thinking - self.move
        live.draw(max(0, bank - beyond))
        return beyond <= bank

    def take_back(self, live: LiveGame) -> None:
        """The answer just stopped was refused: the clock has run on all the while."""
        if self.timed:
            _, forgiven, thinking = self.taken
            live.lag[live.seat] += forgiven
            if thinking > self.move:
                live.draw(self._bank_before)

    def run_out(self, live: LiveGame, now: int) -> None:
        """No answer came and none is waited for any more."""
        seat = live.seat
        forgiven = min(self.lag_per_move, live.lag[seat])
        self._bank_before = live.bank[seat]
        thinking = now - live.started - forgiven
        self.taken = (live.started - live.asked_at, forgiven, thinking)
        live.lag[seat] -= forgiven
        live.draw(0)

    def evidence(self, network: str = "") -> str:
        """Why the last turn stopped or run out was late, in words.

        ``network``: put before its share; what it took of an answer that never came is not known.
        """
        referee, forgiven, thinking = map(milliseconds, self.taken)
        return (
            f"thinking {thinking} of {milliseconds(self.move)} "
            f"and {milliseconds(self._bank_before)} bank, "
            f"network {network}{forgiven}, referee {referee}"
        )

    def due(self, live: LiveGame, now: int) -> bool:
        """The time of the open turn is up, whatever the network may have taken."""
        return live.started >= 0 and now >= self.deadline(live)

    def any_due(self, now: int) -> bool:
        """Some turn may be `due`."""
        return self.paused_at is None and now >= self.bound

    def renew(self, games: Iterable[LiveGame]) -> None:
        """Work out ``bound`` again."""
        if self.timed:
            running = [self.deadline(live) for live in games if live.started >= 0]
            self.bound = min(running, default=FAR)

    def next_deadline(self) -> int | None:
        """See `Match.next_deadline`."""
        return self.bound if self.paused_at is None and self.bound < FAR else None

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
        self.renew(running)

    def left(self, live: LiveGame, now: int) -> tuple[int, int]:
        """Milliseconds left of the move time and of the bank in the open turn."""
        if live.started < 0:
            return self.move_ms, live.bank[live.seat] // MS
        if not self.timed:
            return 0, 0
        elapsed = (now if self.paused_at is None else self.paused_at) - live.started
        beyond = max(0, elapsed - self.move)
        move = max(0, self.move - elapsed)
        return move // MS, max(0, live.bank[live.seat] - beyond) // MS
