"""What a bot did wrong, typed and with its evidence (architecture.md, conformance.md Record)."""

from __future__ import annotations

from typing import Final

TIMEOUT: Final = "timeout"
"""A decision did not come in time."""
ILLEGAL: Final = "illegal"
"""An action the rules forbid, refused."""
DISCONNECTED: Final = "disconnected"
"""The bot was gone beyond its grace, which ends every game left in the match; or again and again,
for longer than one game gives it, which ends that game."""
CRASHED: Final = "crashed"
"""The bot's own code failed; ends the game."""
REVOKE: Final = "revoke"
"""An illegal card where the competition plays revokes; ends the hand."""
FORFEIT: Final = "forfeit"
"""The game is lost because of the fault before it."""

KINDS: Final = (TIMEOUT, ILLEGAL, DISCONNECTED, CRASHED, REVOKE, FORFEIT)
ENDS_GAME: Final = frozenset((DISCONNECTED, CRASHED, FORFEIT))
"""Faults that carry ``winners``: the game ends with them."""


class Fault:
    """One fault of one seat. It stands in the record with the fields named here."""

    __slots__ = ("action", "detail", "entrant", "game", "hand", "kind", "points", "seat", "winners")

    def __init__(
        self,
        kind: str,
        game: int,
        hand: int,
        action: int,
        seat: int,
        entrant: int,
        detail: str,
        points: tuple[int, ...] | None = None,
        winners: tuple[int, ...] | None = None,
    ) -> None:
        self.kind = kind
        """One of `KINDS`."""
        self.game = game
        """Number of the game in the match, from 0."""
        self.hand = hand
        """Number of the deal in the game, from 0."""
        self.action = action
        """Index in the hand's actions: where the action missing or refused would have stood."""
        self.seat = seat
        """Whose fault, 0 … n-1."""
        self.entrant = entrant
        """The entrant sitting there (not in the record, which has the seats)."""
        self.detail = detail
        """The evidence in words: ``play Kh: must-follow-suit``; times split by who took them."""
        self.points = points
        """Points by side a revoke gives; None for every other fault."""
        self.winners = winners
        """Sides, ascending, that win a game ended by this fault; None when it goes on."""

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Fault):
            return NotImplemented
        return all(getattr(self, name) == getattr(other, name) for name in self.__slots__)

    __hash__ = None  # type: ignore[assignment]  # compared in tests, never a key

    def __repr__(self) -> str:
        return (
            f"<Fault {self.kind}: game {self.game} hand {self.hand} action {self.action} "
            f"seat {self.seat}: {self.detail}>"
        )
