"""What a match played at home came to."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any

from euchre_arena.local.driver import BotError, BotRefusal
from euchre_arena.local.interval import Estimate
from euchre_arena.match import Fault, MatchResult, MatchSpec


class RecordWriteError(OSError):
    """The record could not be written; the message names the file and the cause."""


@dataclass(slots=True)
class LocalResult:
    """A match played at home. Lists have one entry an entrant, in order."""

    spec: MatchSpec
    result: MatchResult
    units: int
    """Whole units the estimates are over: duplicate pairs, or games."""
    won: list[Estimate | None]
    """Share of the games won, a shared win in parts; None without a unit."""
    ahead: list[Estimate | None]
    """Points a game above the other sides; None with fewer than two units."""
    hands: int
    decisions: int
    """Answers asked of bots; forced plays are not among them."""
    seconds: float
    faults: list[Fault] = field(default_factory=list)
    """The first of each kind and entrant."""
    fault_counts: Counter[tuple[int, str]] = field(default_factory=Counter)
    """By entrant and kind."""
    errors: list[BotError] = field(default_factory=list)
    """The first exceptions of bots."""
    refusals: list[BotRefusal] = field(default_factory=list)
    """The first illegal answer of each entrant."""
    level: int = 0
    """Games won by several sides at once: level after `max_deals` or `num_deals`, or where more
    play than two, at the target together or beside one at fault. Each has won (rules.md §6)."""
    shared: list[int] = field(default_factory=list)
    """Of the games each won, those it won together with others."""
    interrupted: bool = False
    """Stopped before its end; the result is that of the games which ended."""

    @property
    def entrants(self) -> tuple[str, ...]:
        """Their names."""
        return self.spec.entrants

    @property
    def winners(self) -> tuple[str, ...]:
        """Names of the best."""
        return tuple(self.entrants[entrant] for entrant in self.result.winners)

    @property
    def games(self) -> tuple[int, ...]:
        """Games won."""
        return self.result.games

    @property
    def points(self) -> tuple[int, ...]:
        """Points made."""
        return self.result.points

    @property
    def lost_by_fault(self) -> int:
        """Games that ended by a fault."""
        ending = ("forfeit", "crashed", "disconnected")
        return sum(count for (_, kind), count in self.fault_counts.items() if kind in ending)

    def to_json(self) -> dict[str, Any]:
        """Everything that is the same on a second run: no times."""
        return {
            "match": self.spec.match_id,
            "preset": self.spec.preset,
            "options": dict(sorted(self.spec.options.items())),
            "match_format": dict(self.spec.match_format),
            "seeded": self.spec.seeded,
            "entrants": list(self.entrants),
            "finished": not self.interrupted,
            "played": self.result.played,
            "hands": self.hands,
            "decisions": self.decisions,
            "result": self.result.as_dict(),
            **({"skunks": list(self.result.skunks)} if self.result.skunks is not None else {}),
            "shared": self.shared,
            "units": self.units,
            "won": [_rounded(estimate) for estimate in self.won],
            "ahead": [_rounded(estimate) for estimate in self.ahead],
            "faults": [
                {kind: count for (of, kind), count in sorted(self.fault_counts.items()) if of == e}
                for e in range(len(self.entrants))
            ],
        }


def _rounded(estimate: Estimate | None) -> dict[str, float] | None:
    if estimate is None:
        return None
    return {name: round(value, 6) for name, value in estimate._asdict().items()}


class RecordFile:
    """A record being written. RecordWriteError from every call."""

    def __init__(self, path: Path) -> None:
        self.path = path
        try:
            self._file: IO[str] = path.open("w", encoding="utf-8", newline="\n")
        except OSError as error:
            raise self._error(error) from error

    def write(self, lines: Sequence[str]) -> None:
        """Add lines."""
        try:
            self._file.write("\n".join(lines) + "\n")
        except OSError as error:
            raise self._error(error) from error

    def close(self) -> None:
        """Everything written is with the operating system."""
        try:
            self._file.close()
        except OSError as error:
            raise self._error(error) from error

    def _error(self, error: OSError) -> RecordWriteError:
        cause = error.strerror or str(error)
        return RecordWriteError(f"record {self.path}: {cause}")
