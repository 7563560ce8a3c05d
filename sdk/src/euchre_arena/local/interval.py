"""How sure one can be of a result: means over units with a 95 % interval (architecture.md).

A unit is what is independent of the rest: the games of one index in a match with duplicates, where
every entrant had every side's cards, else the single game.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt
from typing import Final, NamedTuple

_Z: Final = 1.959964
"""Two-sided 95 % of the normal distribution."""


class Estimate(NamedTuple):
    """A mean and its 95 % interval, in the unit of what was averaged."""

    mean: float
    low: float
    high: float


class Sums:
    """Units of one entrant added up."""

    __slots__ = ("count", "square", "total")

    def __init__(self) -> None:
        self.count = 0
        self.total = 0.0
        self.square = 0.0

    def add(self, value: float) -> None:
        """One more unit."""
        self.count += 1
        self.total += value
        self.square += value * value

    def share(self) -> Estimate | None:
        """Of values from 0 to 1. None without a unit.

        The interval is Agresti and Coull's, carried over to units between won and lost: it is
        worked out as if z²/2 more had been won and as many lost, so that a clean sweep of four
        games does not look certain.
        """
        if not self.count:
            return None
        more = _Z * _Z / 2
        count = self.count + 2 * more
        centre = (self.total + more) / count
        variance = max(0.0, (self.square + more) / count - centre * centre)
        reach = _Z * sqrt(variance / count)
        return Estimate(self.total / self.count, max(0.0, centre - reach), min(1.0, centre + reach))

    def mean(self) -> Estimate | None:
        """Of any values; None with fewer than two units."""
        if self.count < 2:
            return None
        mean = self.total / self.count
        variance = max(0.0, self.square - self.count * mean * mean) / (self.count - 1)
        reach = _Z * sqrt(variance / self.count)
        return Estimate(mean, mean - reach, mean + reach)


class Units:
    """Collects the games of a match into units, in whatever order they end."""

    def __init__(self, entrants: int, games_a_unit: int, side_of: Sequence[int]) -> None:
        self.games_a_unit = games_a_unit
        self.side_of = side_of
        self.won = [Sums() for _ in range(entrants)]
        """Share of the games won, a shared win counted in parts."""
        self.ahead = [Sums() for _ in range(entrants)]
        """Points a game above the mean of the other sides."""
        self.games = 0
        """Games that ended."""
        self.level = 0
        """Of these, won by several sides at once."""
        self.shared = [0] * entrants
        """Games each won together with others."""
        self._open: dict[int, list[list[tuple[float, float]]]] = {}

    def add(
        self, game: int, seats: Sequence[int], score: Sequence[int], winners: Sequence[int]
    ) -> None:
        """A game is over; a unit counts when it is whole."""
        self.games += 1
        if len(winners) > 1:
            self.level += 1
            for entrant, side in set(zip(seats, self.side_of, strict=True)):
                self.shared[entrant] += side in winners
        index = game // self.games_a_unit
        games = self._open.setdefault(index, [])
        games.append(self._worth(seats, score, winners))
        if len(games) < self.games_a_unit:
            return
        del self._open[index]
        for entrant, sums in enumerate(self.won):
            sums.add(sum(worth[entrant][0] for worth in games) / len(games))
            self.ahead[entrant].add(sum(worth[entrant][1] for worth in games) / len(games))

    def _worth(
        self, seats: Sequence[int], score: Sequence[int], winners: Sequence[int]
    ) -> list[tuple[float, float]]:
        worth = [(0.0, 0.0)] * len(self.won)
        others = len(score) - 1
        for entrant, side in set(zip(seats, self.side_of, strict=True)):
            share = 1 / len(winners) if side in winners else 0.0
            ahead = score[side] - (sum(score) - score[side]) / others
            before = worth[entrant]
            worth[entrant] = (before[0] + share, before[1] + ahead)
        return worth
