"""Referee a record again, from the first card (conformance.md, Record)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any


@dataclass(slots=True)
class ReplayReport:
    """What a replay found."""

    ok: bool = True
    """Every line keeps the rules."""
    line: int | None = None
    """The first line that does not, from 1."""
    error: str | None = None
    """What is wrong there, without ``line N:``."""
    match: str = ""
    preset: str = ""
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
    result: dict[str, Any] | None = None
    faults: list[dict[str, Any]] = field(default_factory=list)

    @property
    def message(self) -> str:
        """``line 3: …``; empty when all is well."""
        return "" if self.ok else f"line {self.line}: {self.error}"


def replay_record(lines: Iterable[str | bytes]) -> ReplayReport:
    """Replay the lines of one record. Never raises on what stands in them."""
    raise NotImplementedError
