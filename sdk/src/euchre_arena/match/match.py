"""The match as a state machine: answers and times in, effects out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from euchre_arena.match.effects import Effect
from euchre_arena.match.scoring import MatchResult
from euchre_arena.match.spec import MatchSpec
from euchre_arena.rules import Rules, View


class OpenTurn(NamedTuple):
    """A decision that waits for an answer, as its seat may see it."""

    game: int
    seat: int
    turn: int
    """Counts the decisions asked of this seat in this game, from 1."""
    view: View
    legal: Sequence[int]
    """Action codes in canonical order, two or more unless ``ask_forced``."""
    move_time_ms: int
    """Left before the bank is drawn on, milliseconds; 0 for no clock."""
    bank_ms: int
    """Bank left, milliseconds."""


class Match:
    """One match. Every call returns the effects it had, in order; times never go backwards.

    The caller holds the secret: it goes into the record when the match ends, nowhere before.
    """

    spec: MatchSpec
    rules: Rules
    """The rules in play, where ``deals`` sets ``num_deals`` to 1."""
    commitment: bytes
    over: bool
    result: MatchResult | None
    """None until the match is over."""
    thinking_ns: int
    """Of the last answer that counted: the bot's own share of its time, nanoseconds."""
    network_ns: int
    """Likewise the network's share, as forgiven."""
    referee_ns: int
    """Likewise from asking to `sent`, which nobody is charged for."""

    def __init__(
        self,
        spec: MatchSpec,
        secret: bytes,
        nonces: Sequence[bytes] = (),
        parallel: int = 32,
        updates: bool = False,
    ) -> None:
        """``secret`` has 32 bytes; ``nonces[i]`` is that of seat i of game 0, 32 bytes or none.

        ``parallel``: games played at once at most; a best-of never begins a game that may turn out
        not to be needed. ``updates``: `Acted` effects are wanted. SpecError, OptionError.
        """
        raise NotImplementedError

    def start(self, now: int) -> list[Effect]:
        """Begin the first games. Once."""
        raise NotImplementedError

    def choose(
        self, game: int, seat: int, turn: int, choice: int, now: int, network_ns: int = 0
    ) -> list[Effect]:
        """An answer by index into the legal list. ``network_ns``: smoothed round trip.

        No answer whatever raises: one that does not count comes back as `Rejected`.
        """
        raise NotImplementedError

    def receive(
        self, game: int, seat: int, turn: int, action: int, now: int, network_ns: int = 0
    ) -> list[Effect]:
        """An answer by action code, legal or not (``claim`` comes this way; -1: malformed)."""
        raise NotImplementedError

    def sent(self, game: int, seat: int, turn: int, now: int) -> None:
        """The frame with that turn is with the transport: its clock starts. Once a turn."""
        raise NotImplementedError

    def expire(self, now: int) -> list[Effect]:
        """Decide the turns whose time is up."""
        raise NotImplementedError

    def next_deadline(self) -> int | None:
        """When to call `expire` next, or sooner than need be; None: nothing runs."""
        raise NotImplementedError

    def pause(self, now: int) -> None:
        """Stop every clock (the store is away, the referee drains). Answers still count."""
        raise NotImplementedError

    def unpause(self, now: int) -> None:
        """Start them again where they stopped."""
        raise NotImplementedError

    def crashed(self, game: int, seat: int, detail: str, now: int) -> list[Effect]:
        """A bot's own code failed: that game is forfeited."""
        raise NotImplementedError

    def disconnected(self, entrant: int, now: int, detail: str = "") -> list[Effect]:
        """An entrant is gone beyond its grace: it forfeits every game left, begun or not."""
        raise NotImplementedError

    def abort(self, now: int) -> list[Effect]:
        """End an unfinished match: its record is closed, without winners, with the secret.

        Games that did not end stand in it with the hands that did.
        """
        raise NotImplementedError

    def open_turn(self, game: int) -> OpenTurn:
        """The decision a game waits for. KeyError: no such game is running."""
        raise NotImplementedError

    def open_turns(self) -> list[tuple[int, int, int]]:
        """(game, seat, turn) of every decision that waits, by game: for a reconnect."""
        raise NotImplementedError
