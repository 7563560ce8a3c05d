"""What an author writes: a `Bot`.

One instance plays all games of its process, at home and on a server. Each turn is complete in
itself, so a bot need not remember anything; one that does keeps it by ``turn.game``.
"""

from __future__ import annotations

from collections.abc import Awaitable
from dataclasses import dataclass

from euchre_arena.rules.turn import Table, Turn


@dataclass(frozen=True, slots=True)
class GameOutcome:
    """How a game ended."""

    score: tuple[int, ...]
    """Points by side."""
    winners: tuple[int, ...]
    """Winning sides, ascending."""
    won: bool
    """This seat's side won."""
    fault: str | None = None
    """None for a game played out, else the fault that ended it: ``"forfeit"``, ``"crashed"`` …"""


@dataclass(frozen=True, slots=True)
class MatchOutcome:
    """How a match ended."""

    match: int
    """The handle that stood in `Table.match`."""
    match_id: str
    """Public name of the match, by which its record is asked for."""
    winners: tuple[str, ...]
    """Winning entrants by name; empty in a match that was voided."""
    secret: bytes
    """The match secret, 32 bytes, with which anyone can check the deals (rules.md §9)."""
    voided: bool = False
    """The service voided this attempt; the match is played again."""


class Bot:
    """Derive from this and write `act`; everything else has a default."""

    name: str | None = None
    """What it is called at home; None for the name of the class. A server knows its own name."""
    capacity: int = 1024
    """Games it plays at once on a server."""
    presets: tuple[str, ...] = ()
    """Presets it plays; empty for all."""

    def act(self, turn: Turn) -> str | Awaitable[str]:
        """Decide: one of ``turn.legal``, or the same text.

        May be ``async def``: then turns are decided side by side. A plain ``def`` decides them one
        after another, and the time a turn waits for its like is the bot's own thinking time.
        """
        raise NotImplementedError(f"{type(self).__name__} has no act(self, turn)")

    def game_started(self, table: Table) -> None:
        """A game begins, or goes on that another process of the bot began (``table.resumed``)."""

    def game_ended(self, table: Table, outcome: GameOutcome) -> None:
        """A game is over."""

    def match_ended(self, outcome: MatchOutcome) -> None:
        """A match is over."""

    @classmethod
    def display_name(cls) -> str:
        """The name shown at home."""
        return cls.name or cls.__name__
