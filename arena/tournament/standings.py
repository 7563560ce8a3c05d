"""Tallies → a `Table`: standings, crosstable and ratings, the same for any order of arrival.

What the score is:
- games won; a game won by w sides together is 1/w to each (between two sides, ½: level);
- matches likewise where a match stops early, as `best_of` does;
- points where single deals are played: those scored less those conceded, of more than two sides
  less the mean of the others' points; in a progressive tournament the same per deal.

Order of the standings: the score; then the score between those level; then points scored less
points conceded. Entrants level in all three share the rank and stand in the spec's order.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import cache
from itertools import combinations, groupby
from typing import Any

from euchre_arena.match import MatchFormat

from arena.tournament.pairing import Schedule
from arena.tournament.per_deal import PerDeal, per_deal
from arena.tournament.ratings import Rating, Unit, rate
from arena.tournament.results import WHOLE, WORTH, Tally
from arena.tournament.rows import Cell, Standing
from arena.tournament.skill import MOST_UNITS, rate_units, units_between
from arena.tournament.spec import Spec

__all__ = ["Cell", "Standing", "Table"]


def worth_of(spec: Spec) -> tuple[str, ...]:
    """Which of `WORTH` the matches of a tournament count."""
    match_format = MatchFormat.of(spec.match_format)
    counted = {
        "rubber": match_format.kind == "rubber",
        "stakes": match_format.stake_per_point or match_format.stake_per_trick,
        "skunks": match_format.skunk,
    }
    return tuple(name for name in WORTH if counted[name])


class Table:
    """Adds up tallies; the sums are of whole numbers, so their order does not matter."""

    def __init__(self, spec: Spec) -> None:
        self.spec = spec
        self.results = 0
        n = len(spec.entrants)
        self._sides = spec.rules.sides
        self._sums = [Counter[str]() for _ in range(n)]
        self._faults = [Counter[str]() for _ in range(n)]
        self._cells: dict[tuple[int, int], list[int]] = {}
        """(i, j): games ahead, level, behind, points and conceded."""
        self._matches: Counter[tuple[int, int]] = Counter()
        """(i, j): what i took of the matches off j, in `WHOLE`ths."""
        self._units: dict[tuple[int, int], list[int]] = {}
        """i < j: units of two entrants by quarters."""
        self._places: list[Tally] = []
        """Matches of more than two entrants, for the ratings."""
        self._between: list[tuple[int, tuple[int, ...], Sequence[int]]] = []
        """Matches of two: pairing, entrants and units by quarters, for the ratings beside."""
        self._worth = worth_of(spec)

    @classmethod
    def of(cls, spec: Spec, tallies: Iterable[Tally]) -> Table:
        """A table of all of them."""
        table = cls(spec)
        for one in tallies:
            table.add(one)
        return table

    @property
    def pairwise(self) -> bool:
        """Two entrants meet: ratings are Bradley-Terry's; else Plackett-Luce's."""
        return self._sides == 2 and not self.spec.progressive

    def add(self, tally: Tally) -> None:
        """Count one match. Each match once: a table does not remember which it has."""
        self.results += 1
        for me in range(len(tally.entrants)):
            self._add_entrant(tally, me)
        sides = list(combinations(range(tally.number_of_sides), 2))
        between = dict(zip(sides, tally.between, strict=True))
        for a, b in combinations(range(len(tally.entrants)), 2):
            if tally.sides[a] != tally.sides[b]:
                turned = tally.sides[a] > tally.sides[b]
                first, second = (b, a) if turned else (a, b)
                counts = between[tally.sides[first], tally.sides[second]]
                self._add_pair(tally, first, second, counts)
        if not self.pairwise:
            self._places.append(tally)
            return
        self._between.append((tally.pairing, tally.entrants, tally.units))
        i, j = tally.entrants
        units = tally.units if i < j else tally.units[::-1]
        kept = self._units.setdefault((min(i, j), max(i, j)), [0] * 5)
        for quarters, count in enumerate(units):
            kept[quarters] += count

    def _add_entrant(self, tally: Tally, me: int) -> None:
        sums = self._sums[tally.entrants[me]]
        won_by = {tally.sides[winner] for winner in tally.winners}
        sums["matches"] += 1
        if me in tally.winners:
            sums["matches_drawn" if len(won_by) > 1 else "matches_won"] += 1
            sums["matches_share"] += WHOLE // len(won_by)
        points = dict(zip(tally.sides, tally.points, strict=True))
        mine = points[tally.sides[me]]
        conceded = sum(points.values()) - mine
        for key, value in (
            ("games", tally.games),
            ("won", tally.won[me]),
            ("drawn", tally.level[me]),
            ("share", tally.shares[me]),
            ("points", mine),
            ("conceded", conceded),
            ("units", len(tally.places)),
            ("squares", tally.net[1]),
            *((name, getattr(tally, name)[me]) for name in WORTH if getattr(tally, name)),
        ):
            sums[key] += value
        self._faults[tally.entrants[me]].update(tally.faults[me])

    def _add_pair(self, tally: Tally, a: int, b: int, counts: tuple[int, int, int]) -> None:
        """Opponents; `counts`: games a was ahead, level and behind."""
        points = (tally.points[a], tally.points[b])
        for me, other, row in (
            (a, b, (*counts, *points)),
            (b, a, (*counts[::-1], *points[::-1])),
        ):
            pair = (tally.entrants[me], tally.entrants[other])
            cell = self._cells.setdefault(pair, [0] * 5)
            for place, value in enumerate(row):
                cell[place] += value
            if me in tally.winners:
                self._matches[pair] += WHOLE // 2 if other in tally.winners else WHOLE

    def cell(self, entrant: int, opponent: int) -> Cell:
        """What one did against another."""
        return Cell(*self._cells.get((entrant, opponent), ()))

    def crosstable(self) -> list[list[Cell]]:
        """Rows and columns in the spec's order; the diagonal is empty."""
        everyone = range(len(self.spec.entrants))
        return [[self.cell(i, j) for j in everyone] for i in everyone]

    def ratings(self) -> list[Rating]:
        """One an entrant, in the spec's order."""
        n = len(self.spec.entrants)
        if not self.pairwise:
            in_order = sorted(self._places, key=lambda tally: tally.pairing)
            return rate_units(n, ((t.entrants, t.sides, p) for t in in_order for p in t.places))
        units = {}
        for pair, counts in self._units.items():
            quarters = sum(q * n for q, n in enumerate(counts))
            squares = sum(q * q * n for q, n in enumerate(counts))
            units[pair] = Unit(sum(counts), quarters / 4, squares / 16)
        return rate(n, units)

    @property
    def whole(self) -> bool:
        """The ratings beside take a match as one unit: of so many units it would take too long."""
        units = len(Schedule(self.spec)) * self.spec.games // (2 if self.spec.duplicate else 1)
        return units > MOST_UNITS

    @property
    def beside(self) -> str:
        """What the ratings beside Bradley-Terry's are; empty where there are none."""
        if not self.pairwise:
            return ""
        return f"Plackett-Luce over {'matche' if self.whole else self.spec.unit}s"

    def ratings_beside(self) -> list[Rating]:
        """Plackett-Luce's where two meet, one an entrant in the spec's order; else none, nor while
        very many matches are not all over."""
        if not self.pairwise or self.results < len(Schedule(self.spec)) > MOST_UNITS:
            return []
        whole = self.whole
        return rate_units(
            len(self.spec.entrants),
            (
                (entrants, (0, 1), places)
                for _, entrants, counts in sorted(self._between)
                for places in units_between(counts, whole)
            ),
        )

    def standings(self) -> list[Standing]:
        """Everyone, the best first."""
        ratings, beside = self.ratings(), self.ratings_beside()
        rows: list[Standing] = []
        score = cache(self._score)
        by_score = sorted(range(len(self.spec.entrants)), key=lambda i: -score(i))
        for _, level in groupby(by_score, key=score):
            group = list(level)
            keys = {
                i: (-sum(self._against(i, j) for j in group if j != i), -self._difference(i))
                for i in group
            }
            group.sort(key=lambda i: (keys[i], i))
            first = len(rows)
            for i in group:
                above = rows[-1] if len(rows) > first else None
                shared = above is not None and keys[above.index] == keys[i]
                rank = above.rank if above is not None and shared else len(rows) + 1
                row = self._standing(rank, i, ratings[i], score(i))
                if beside:
                    other = beside[i]
                    row = replace(
                        row, plackett_luce=other.value, plackett_luce_interval=other.interval
                    )
                rows.append(row)
        return rows

    def as_dict(self) -> dict[str, Any]:
        """All of it for JSON: what the store keeps and the API gives out.

        `standings`: rows, the best first, with `rating`, `interval`, `low`, `high` rounded to
        0.01; `crosstable`: for each entrant in that order, against each in that order, a list
        [won, drawn, lost, points, conceded], or null on the diagonal; `balance`: how even the
        whole schedule is (`Balance.as_dict`).
        """
        rows = self.standings()
        order = [row.index for row in rows]
        return {
            "results": self.results,
            "kind": self.spec.kind,
            "sides": self._sides,
            "scoring": "per deal" if self.spec.progressive else self.spec.scoring,
            "unit": self.spec.unit,
            "ratings": "Bradley-Terry" if self.pairwise else "Plackett-Luce",
            "beside": self.beside,
            "balance": Schedule(self.spec).balance.as_dict(),
            "standings": [row.as_dict() for row in rows],
            "crosstable": [
                [None if i == j else list(self._cells.get((i, j), [0] * 5)) for j in order]
                for i in order
            ],
        }

    def _standing(self, rank: int, i: int, rating: Rating, score: Fraction) -> Standing:
        sums = self._sums[i]
        deals = self._per_deal(i) if self.spec.progressive else None
        return Standing(
            rank=rank,
            index=i,
            entrant=self.spec.entrants[i].name,
            rating=rating.value,
            interval=rating.interval,
            score=float(score),
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
            per_deal=deals and deals.mean,
            per_deal_interval=deals and deals.interval,
            **{name: sums[name] for name in self._worth},
        )

    def _per_deal(self, i: int) -> PerDeal:
        sums = self._sums[i]
        net = sums["points"] - sums["conceded"]
        return per_deal(sums["units"], net, sums["squares"], sums["games"])

    def _score(self, i: int) -> Fraction:
        sums = self._sums[i]
        if self.spec.progressive:
            return Fraction(sums["points"] - sums["conceded"], sums["games"] or 1)
        match self.spec.scoring:
            case "matches":
                return Fraction(sums["matches_share"], WHOLE)
            case "points":
                return self._difference(i)
        return Fraction(sums["share"], WHOLE)

    def _against(self, i: int, j: int) -> int:
        """The score against one opponent, doubled or more: whole numbers, to compare."""
        cell = self.cell(i, j)
        if self.spec.scoring == "matches":
            return self._matches[i, j]
        if self.spec.scoring == "points":
            return cell.points - cell.conceded
        return 2 * cell.won + cell.drawn

    def _difference(self, i: int) -> Fraction:
        """Points scored less the mean of the other sides' points."""
        sums = self._sums[i]
        return sums["points"] - Fraction(sums["conceded"], self._sides - 1)
