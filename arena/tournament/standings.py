"""Tallies → a `Table`: standings, crosstable and ratings, the same for any order of arrival.

Order of the standings: score (games won and half of the level ones; matches likewise where a
match stops early, as `best_of` does; points scored less points conceded where single deals are
played); then the score between those level; then points scored less
points conceded. Entrants level in all three share the rank and stand in the spec's order.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from itertools import groupby
from typing import Any

from arena.tournament.ratings import Rating, Unit, rate
from arena.tournament.results import Tally
from arena.tournament.spec import Spec


@dataclass(frozen=True, slots=True)
class Standing:
    """A row of the standings."""

    rank: int
    """From 1; shared by entrants that are level."""
    index: int
    """Of the entrant in the spec."""
    entrant: str
    """Its name."""
    rating: float
    """On the Elo scale, the field's mean being 1500."""
    interval: float
    """Half the width of the rating's 95 % interval: rating ± interval."""
    score: float
    """What the rank goes by."""
    matches: int
    matches_won: int
    matches_drawn: int
    games: int
    won: int
    drawn: int
    points: int
    conceded: int
    units: int
    """Units behind the rating."""
    faults: dict[str, int]
    """By kind."""

    @property
    def lost(self) -> int:
        """Games lost."""
        return self.games - self.won - self.drawn

    @property
    def low(self) -> float:
        """Lower end of the rating's 95 % interval."""
        return self.rating - self.interval

    @property
    def high(self) -> float:
        """Upper end of it."""
        return self.rating + self.interval


@dataclass(frozen=True, slots=True)
class Cell:
    """What one entrant did against another: games won, level and lost, and points."""

    won: int = 0
    drawn: int = 0
    lost: int = 0
    points: int = 0
    conceded: int = 0

    @property
    def score(self) -> float:
        """Games won and half of those level."""
        return self.won + self.drawn / 2


class Table:
    """Adds up tallies; the sums are of integers, so their order does not matter."""

    def __init__(self, spec: Spec) -> None:
        self.spec = spec
        self.results = 0
        n = len(spec.entrants)
        self._sums = [Counter[str]() for _ in range(n)]
        self._faults = [Counter[str]() for _ in range(n)]
        self._cells: dict[tuple[int, int], list[int]] = {}  # (i, j): won, drawn, lost, points ±
        self._matches: dict[tuple[int, int], int] = {}  # (i, j): halves of matches i took off j
        self._units: dict[tuple[int, int], list[int]] = {}  # i < j: counts by quarters

    @classmethod
    def of(cls, spec: Spec, tallies: Iterable[Tally]) -> Table:
        """A table of all of them."""
        table = cls(spec)
        for one in tallies:
            table.add(one)
        return table

    def add(self, tally: Tally) -> None:
        """Count one match. Each match once: a table does not remember which it has."""
        self.results += 1
        for me in (0, 1):
            self._add_side(tally, me)
        i, j = tally.entrants
        counts = tally.units if i < j else tally.units[::-1]
        kept = self._units.setdefault((min(i, j), max(i, j)), [0] * 5)
        for quarters, count in enumerate(counts):
            kept[quarters] += count

    def _add_side(self, tally: Tally, me: int) -> None:
        mine, theirs = tally.entrants[me], tally.entrants[1 - me]
        sums = self._sums[mine]
        sums["matches"] += 1
        if me in tally.winners:
            level = len(tally.winners) > 1
            sums["matches_drawn" if level else "matches_won"] += 1
            halves = 1 if level else 2
            self._matches[mine, theirs] = self._matches.get((mine, theirs), 0) + halves
        self._faults[mine].update(tally.faults[me])
        cell = self._cells.setdefault((mine, theirs), [0] * 5)
        row = (tally.won[me], tally.drawn, tally.won[1 - me], *_turned(tally.points, me))
        for place, value in enumerate(row):
            cell[place] += value
        sums["games"] += tally.games
        counted = (row[0], row[1], row[3], row[4])
        for key, value in zip(("won", "drawn", "points", "conceded"), counted, strict=True):
            sums[key] += value

    def cell(self, entrant: int, opponent: int) -> Cell:
        """What one did against another."""
        return Cell(*self._cells.get((entrant, opponent), ()))

    def crosstable(self) -> list[list[Cell]]:
        """Rows and columns in the spec's order; the diagonal is empty."""
        everyone = range(len(self.spec.entrants))
        return [[self.cell(i, j) for j in everyone] for i in everyone]

    def ratings(self) -> list[Rating]:
        """One an entrant, in the spec's order."""
        units = {}
        for pair, counts in self._units.items():
            quarters = sum(q * n for q, n in enumerate(counts))
            squares = sum(q * q * n for q, n in enumerate(counts))
            units[pair] = Unit(sum(counts), quarters / 4, squares / 16)
        return rate(len(self.spec.entrants), units)

    def standings(self) -> list[Standing]:
        """Everyone, the best first."""
        ratings = self.ratings()
        everyone = range(len(self.spec.entrants))
        rows: list[Standing] = []
        by_score = sorted(everyone, key=lambda i: -self._halves(i))
        for _, level in groupby(by_score, key=self._halves):
            group = list(level)
            keys = {
                i: (-sum(self._halves(i, j) for j in group if j != i), -self._difference(i))
                for i in group
            }
            group.sort(key=lambda i: (keys[i], i))
            first = len(rows)
            for i in group:
                above = rows[-1] if len(rows) > first else None
                shared = above is not None and keys[above.index] == keys[i]
                rank = above.rank if above is not None and shared else len(rows) + 1
                rows.append(self._standing(rank, i, ratings[i]))
        return rows

    def as_dict(self) -> dict[str, Any]:
        """All of it for JSON: what the store keeps and the API gives out.

        `standings`: rows, the best first, with `rating`, `interval`, `low`, `high` rounded to
        0.01; `crosstable`: for each entrant in that order, against each in that order, a list
        [won, drawn, lost, points, conceded], or null on the diagonal.
        """
        rows = self.standings()
        order = [row.index for row in rows]
        return {
            "results": self.results,
            "scoring": self.spec.scoring,
            "unit": "duplicate pair" if self.spec.duplicate else "game",
            "standings": [_row(row) for row in rows],
            "crosstable": [
                [None if i == j else list(self._cells.get((i, j), [0] * 5)) for j in order]
                for i in order
            ],
        }

    def _standing(self, rank: int, i: int, rating: Rating) -> Standing:
        sums = self._sums[i]
        return Standing(
            rank=rank,
            index=i,
            entrant=self.spec.entrants[i].name,
            rating=rating.value,
            interval=rating.interval,
            score=self._halves(i) / 2,
            matches=sums["matches"],
            matches_won=sums["matches_won"],
            matches_drawn=sums["matches_drawn"],
            games=sums["games"],
            won=sums["won"],
            drawn=sums["drawn"],
            points=sums["points"],
            conceded=sums["conceded"],
            units=rating.units,
            faults=dict(sorted(self._faults[i].items())),
        )

    def _halves(self, i: int, against: int | None = None) -> int:
        """Twice the score, an integer: against everyone or one opponent."""
        if against is None:
            sums = self._sums[i]
            match self.spec.scoring:
                case "matches":
                    return 2 * sums["matches_won"] + sums["matches_drawn"]
                case "points":
                    return 2 * self._difference(i)
            return 2 * sums["won"] + sums["drawn"]
        cell = self.cell(i, against)
        match self.spec.scoring:
            case "matches":
                return self._matches.get((i, against), 0)
            case "points":
                return 2 * (cell.points - cell.conceded)
        return 2 * cell.won + cell.drawn

    def _difference(self, i: int) -> int:
        return self._sums[i]["points"] - self._sums[i]["conceded"]


def _turned(pair: tuple[int, ...], me: int) -> tuple[int, int]:
    return (pair[1], pair[0]) if me else (pair[0], pair[1])


def _row(row: Standing) -> dict[str, Any]:
    values = asdict(row)
    values["lost"] = row.lost
    for key, value in (
        ("rating", row.rating),
        ("interval", row.interval),
        ("low", row.low),
        ("high", row.high),
    ):
        values[key] = round(value, 2)
    return values
