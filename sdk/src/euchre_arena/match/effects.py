"""What a match says in answer to a call: small objects, in the order in which they hold.

An effect names a game by its number in the match and a decision by ``(game, seat, turn)``. Turns
are counted for each seat of a game by itself, from 1: a count shared by the seats would tell one of
them when another had only one card to play.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar, Final

from euchre_arena.match.faults import Fault

if TYPE_CHECKING:
    from euchre_arena.match.scoring import MatchResult

STALE: Final = "stale"
"""The answer is to a turn that is not open."""
REPEATED: Final = "repeated"
"""The last turn of this seat, answered already: to be counted, not to be sent to anybody."""
LATE: Final = "late"
"""The clock had run out; the referee has decided."""
MALFORMED: Final = "malformed"
"""No index of the legal list, or no action code; counts as an illegal action."""
ILLEGAL: Final = "illegal"
"""The rules forbid it; `Rejected.detail` begins with the reason of conformance.md."""


class Effect:
    """Base of everything a match says."""

    __slots__ = ()
    fields: ClassVar[tuple[str, ...]] = ()
    """Names of the attributes."""

    def __repr__(self) -> str:
        fields = " ".join(f"{name}={getattr(self, name)!r}" for name in self.fields)
        return f"{type(self).__name__}({fields})"

    def __eq__(self, other: object) -> bool:
        if type(self) is not type(other):
            return NotImplemented
        return all(getattr(self, name) == getattr(other, name) for name in self.fields)

    __hash__ = None  # type: ignore[assignment]  # the lists in it may change


class Ask(Effect):
    """A decision is asked of a seat: hand out `Match.open_turn`, then call `Match.sent`."""

    fields: ClassVar = ("game", "seat", "turn")
    __slots__ = fields

    def __init__(self, game: int, seat: int, turn: int) -> None:
        self.game = game
        self.seat = seat
        self.turn = turn
        """Counts the decisions asked of this seat in this game, from 1."""


class GameBegan(Effect):
    """A game begins; its first `Ask` follows."""

    fields: ClassVar = ("first_dealer", "game", "seats")
    __slots__ = fields

    def __init__(self, game: int, seats: tuple[int, ...], first_dealer: int) -> None:
        self.game = game
        self.seats = seats
        """The entrant in each seat."""
        self.first_dealer = first_dealer


class HandBegan(Effect):
    """A deal was made."""

    fields: ClassVar = ("dealer", "game", "hand", "score")
    __slots__ = fields

    def __init__(self, game: int, hand: int, dealer: int, score: tuple[int, ...]) -> None:
        self.game = game
        self.hand = hand
        """Deals made in this game before this one."""
        self.dealer = dealer
        self.score = score
        """Points by side before it."""


class Acted(Effect):
    """An action took effect; only from a match made with ``updates=True``."""

    fields: ClassVar = ("code", "game", "seat")
    __slots__ = fields

    def __init__(self, game: int, seat: int, code: int) -> None:
        self.game = game
        self.seat = seat
        self.code = code
        """The action as every seat may see it: hidden cards are only counted."""


class Rejected(Effect):
    """An answer was refused and changed nothing but the count of refusals."""

    fields: ClassVar = ("current_turn", "detail", "game", "reason", "seat", "turn")
    __slots__ = fields

    def __init__(
        self, game: int, seat: int, turn: int, reason: str, detail: str, current_turn: int
    ) -> None:
        self.game = game
        self.seat = seat
        self.turn = turn
        """As answered."""
        self.reason = reason
        """`STALE`, `REPEATED`, `LATE`, `MALFORMED` or `ILLEGAL`."""
        self.detail = detail
        """The cause in words; for `ILLEGAL` the reason of conformance.md alone."""
        self.current_turn = current_turn
        """The turn now open for this seat, 0 for none."""


class FaultNoted(Effect):
    """A bot's fault, for organizers and metrics; never for the other seats."""

    fields: ClassVar = ("fault",)
    __slots__ = fields

    def __init__(self, fault: Fault) -> None:
        self.fault = fault


class GameOver(Effect):
    """A game ended."""

    fields: ClassVar = ("fault", "game", "score", "winners")
    __slots__ = fields

    def __init__(
        self, game: int, score: tuple[int, ...], winners: tuple[int, ...], fault: str
    ) -> None:
        self.game = game
        self.score = score
        """Points by side."""
        self.winners = winners
        """Sides, ascending."""
        self.fault = fault
        """Empty for a game played out, else the fault that ended it."""


class Record(Effect):
    """The next lines of the record, without line ends; they are in order, whatever finished first.

    They hold every hand, so nobody may read them before the match is over.
    """

    fields: ClassVar = ("lines",)
    __slots__ = fields

    def __init__(self, lines: Sequence[str]) -> None:
        self.lines = lines


class MatchOver(Effect):
    """The match ended; nothing comes after it."""

    fields: ClassVar = ("result",)
    __slots__ = fields

    def __init__(self, result: MatchResult) -> None:
        self.result = result
