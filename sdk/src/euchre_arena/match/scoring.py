"""Who won a match: the games of its entrants added up (rules.md §11, conformance.md Record)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from euchre_arena.match.spec import MatchFormat
from euchre_arena.match.stakes import (
    RUBBER_BONUS,
    owed_points,
    owed_tricks,
    rubber_points,
    skunked,
)


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
    rubber: tuple[int, ...] | None = None
    """Rubber points, those for the rubber included; None where none is played."""
    stakes: tuple[int, ...] | None = None
    """What it has won, or with a minus owes; the sum is zero. None where nothing is staked."""
    skunks: tuple[int, ...] | None = None
    """Games it won that are marked skunk; None where none is marked."""

    def as_dict(self) -> dict[str, Any]:
        """The object of the record's result line."""
        data = {
            "winners": list(self.winners),
            "games": list(self.games),
            "points": list(self.points),
        }
        if self.rubber is not None:
            data["rubber"] = list(self.rubber)
        if self.stakes is not None:
            data["stakes"] = list(self.stakes)
        return data


class Tally:
    """Adds up games in any order."""

    __slots__ = (
        "_net", "format", "games", "played", "points", "rubber", "side_of", "skunks", "target",
    )  # fmt: skip

    def __init__(
        self,
        match_format: MatchFormat,
        entrants: int,
        side_of: tuple[int, ...],
        target: int = 0,
    ) -> None:
        """``target``: points that win a game, against which rubber points are counted."""
        self.format = match_format
        self.side_of = side_of
        self.target = target
        self.games = [0] * entrants
        self.points = [0] * entrants
        self.rubber = [0] * entrants
        self.skunks = [0] * entrants
        self._net = [0] * entrants
        """What each is ahead in what is staked: points, tricks or rubber points."""
        self.played = 0

    def add(
        self,
        seats: Sequence[int],
        score: Sequence[int],
        winners: Sequence[int],
        tricks: Sequence[int] = (),
    ) -> None:
        """A game is over: the entrant of each seat, points by side, winning sides.

        ``tricks``: by side over the whole game; needed where tricks are staked.
        """
        self.played += 1
        seated = set(zip(seats, self.side_of, strict=True))
        for entrant, side in seated:
            self.points[entrant] += score[side]
            if side in winners:
                self.games[entrant] += 1
        if self.format.two_sided and len(winners) == 1:
            self._settle(seated, score, winners[0], tricks)

    def _settle(
        self,
        seated: set[tuple[int, int]],
        score: Sequence[int],
        winner: int,
        tricks: Sequence[int],
    ) -> None:
        """A game that has losers: what it is worth beyond itself."""
        rubber = self.format.kind == "rubber"
        if rubber:
            worth = rubber_points(self.target, score[1 - winner])
        elif self.format.stake_per_trick:
            worth = owed_tricks(tricks, winner)
        else:
            worth = owed_points(score, winner)
        skunk = skunked(score, (winner,))
        for entrant, side in seated:
            self._net[entrant] += worth if side == winner else -worth
            if side == winner:
                self.skunks[entrant] += skunk
                if rubber:
                    self.rubber[entrant] += worth

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
        rubber, net = list(self.rubber), list(self._net)
        if self.format.kind == "rubber" and 0 < len(winners) < len(best):
            for entrant in range(len(best)):
                won = entrant in winners
                rubber[entrant] += RUBBER_BONUS if won else 0
                net[entrant] += RUBBER_BONUS if won else -RUBBER_BONUS
        stake = self.format.stake_per_point or self.format.stake_per_trick
        return MatchResult(
            winners,
            tuple(self.games),
            tuple(self.points),
            self.played,
            tuple(rubber) if self.format.kind == "rubber" else None,
            tuple(stake * ahead for ahead in net) if stake else None,
            tuple(self.skunks) if self.format.skunk else None,
        )
