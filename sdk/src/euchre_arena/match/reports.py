"""What a replay of a record found."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, NamedTuple


class HandReport(NamedTuple):
    """One hand as replayed, for printing."""

    line: int
    game: int
    hand: int
    dealer: int
    trump: int
    """Suit number, 0 when trumps were not made."""
    maker: int
    """-1 without one; with trumps all the same where the card turned up makes them (écarté)."""
    alone: bool
    result: str
    tricks: tuple[int, ...]
    points: tuple[int, ...]
    score: tuple[int, ...]


@dataclass(slots=True)
class ReplayReport:
    """What a replay found."""

    ok: bool = True
    """Every line keeps the rules and the record is closed."""
    line: int | None = None
    """The first line that does not, from 1."""
    error: str | None = None
    """What is wrong there, without ``line N:``."""
    match: str = ""
    preset: str = ""
    entrants: tuple[str, ...] = ()
    games: int = 0
    """Games that ended."""
    hands: int = 0
    score: tuple[int, ...] = ()
    """Of the last game, points by side."""
    finished: bool = False
    """The match was played to its end."""
    deals_verified: bool = False
    """The secret is the committed one and every deal and first dealer follows from it."""
    nonces: int = 0
    """Seats that sent one; 0: the deals are committed, not unchosen."""
    seeded: bool = False
    result: dict[str, list[int]] | None = None
    skunks: list[int] = field(default_factory=list)
    """Games marked so, by number."""
    skunkers: list[tuple[str, ...]] = field(default_factory=list)
    """Who won each of them, by name; not in the JSON, where the record has it."""
    faults: list[dict[str, Any]] = field(default_factory=list)
    """Those in the record, by its fields."""

    @property
    def message(self) -> str:
        """``line 3: …``; empty when all is well."""
        return "" if self.ok else f"line {self.line}: {self.error}"

    def to_json(self) -> dict[str, Any]:
        """Everything, as an object."""
        return {
            "ok": self.ok,
            "line": self.line,
            "error": self.error,
            "match": self.match,
            "preset": self.preset,
            "entrants": list(self.entrants),
            "games": self.games,
            "hands": self.hands,
            "score": list(self.score),
            "finished": self.finished,
            "deals_verified": self.deals_verified,
            "nonces": self.nonces,
            "seeded": self.seeded,
            "result": self.result,
            "skunks": self.skunks,
            "faults": self.faults,
        }
