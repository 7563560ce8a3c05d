"""Who won a match: the games of its entrants added up (rules.md §11, conformance.md Record)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from euchre_arena.match.spec import MatchFormat


@dataclass(frozen=True, slots=True)
class MatchResult:
    """How a match ended. One entry an entrant, in the order of `MatchSpec.entrants`."""

    winners: tuple[int, ...]
    """All entrants that are best by the match format; empty when the match did not finish."""
    games: tuple[int, ...]
    """Games won; every side an entrant sits on counts."""
    points: tuple[int, ...]
    """Final scores of its sides, added up."""
    played: int
    """Games that ended, the forfeited ones included."""

    def as_dict(self) -> dict[str, Any]:
        """The object of the record's result line."""
        return {
            "winners": list(self.winners),
            "games": list(self.games),
            "points": list(self.points),
        }


class Tally:
    """Adds up games in any order."""

    __slots__ = ("format", "games", "played", "points", "side_of")

    def __init__(self, match_format: MatchFormat, entrants: int, side_of: tuple[int, ...]) -> None:
        self.format = match_format
        self.side_of = side_of
        self.games = [0] * entrants
        self.points = [0] * entrants
        self.played = 0

    def add(self, seats: Sequence[int], score: Sequence[int], winners: Sequence[int]) -> None:
        """A game is over: the entrant of each seat, points by side, winning sides."""
        self.played += 1
        for entrant, side in set(zip(seats, self.side_of, strict=True)):
            self.points[entrant] += score[side]
            if side in winners:
                self.games[entrant] += 1

    @property
    def majority(self) -> int:
        """Wins that end a match played as best of n."""
        return self.format.count // 2 + 1

    def needed(self, gain: int = 1) -> int:
        """Games that are sure to be played beyond those that ended, however they go.

        ``gain`` is the most wins one game can bring an entrant (its sides).
        """
        left = self.format.count - self.played
        if self.format.kind in ("games", "deals"):
            return left
        missing = self.majority - max(self.games)
        return min(left, -(-missing // gain)) if missing > 0 else 0

    def result(self, finished: bool = True) -> MatchResult:
        """The result as it stands."""
        best = self.points if self.format.kind == "deals" else self.games
        top = max(best)
        winners = tuple(i for i, value in enumerate(best) if value == top) if finished else ()
        return MatchResult(winners, tuple(self.games), tuple(self.points), self.played)
