"""How even a schedule is, and the words for it.

What an organizer has to know before play: how often each entrant plays, meets each other, is each
other's partner and sits in each seat of game 0, the least and the most. Counted, not derived: the
turns of a design by the differences of its points, what is left over table by table.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations
from typing import Any, NamedTuple

from arena.tournament.designs import Design, units

Pairs = dict[tuple[int, int], int]


class Range(NamedTuple):
    """The least and the most of a count."""

    low: int
    high: int

    @property
    def spread(self) -> int:
        """The imbalance."""
        return self.high - self.low

    def __str__(self) -> str:
        return str(self.low) if self.low == self.high else f"{self.low} to {self.high}"


@dataclass(frozen=True, slots=True)
class Balance:
    """Over a whole tournament."""

    matches: Range
    """Of an entrant."""
    opponents: Range
    """Matches in which two entrants, any two, are opponents."""
    partners: Range | None
    """Matches in which they are partners; None where partners do not change."""
    seats: Range
    """Times an entrant has a seat (between two sides: a side) in game 0."""
    byes: Range
    """Rounds an entrant sits out."""

    @property
    def even(self) -> bool:
        """Nothing is uneven."""
        counts = (self.matches, self.opponents, self.partners, self.seats)
        return not any(count.spread for count in counts if count is not None)

    def __str__(self) -> str:
        """A sentence: "each plays 4 matches, meets each other in 2 …"."""
        parts = [f"each plays {self.matches} matches", f"meets each other in {self.opponents}"]
        if self.partners is not None:
            parts.append(f"is each other's partner in {self.partners}")
        parts.append(f"has each seat {_times(self.seats)}")
        if self.byes.high:
            rounds = "round" if self.byes == (1, 1) else "rounds"
            parts.append(f"sits out {self.byes} {rounds}")
        return ", ".join(parts)

    def as_dict(self) -> dict[str, Any]:
        """For JSON: a list [least, most] for each count, `even`, and the sentence as `text`."""
        data: dict[str, Any] = {
            name: list(getattr(self, name))
            for name in ("matches", "opponents", "partners", "seats", "byes")
            if getattr(self, name) is not None
        }
        return {**data, "even": self.even, "text": str(self)}


def _times(count: Range) -> str:
    return "once" if count == (1, 1) else "twice" if count == (2, 2) else f"{count} times"


def of_circle(entrants: int, cycles: int) -> Balance:
    """Of the round robin of two sides (`circle.py`)."""
    played = (entrants - 1) * cycles
    each = Range(cycles, cycles)
    byes = cycles if entrants % 2 else 0
    return Balance(
        matches=Range(played, played),
        opponents=each,
        partners=None,
        seats=Range(played // 2, (played + 1) // 2),
        byes=Range(byes, byes),
    )


@lru_cache(maxsize=64)
def of_design(design: Design, turns: int, rounds: int) -> Balance:
    """Of so many turns of a design and so many rounds of one more."""
    partners = len(set(design.side_of)) < len(design.side_of)
    met = [_met(design, kind, turns) for kind in (0, 1)]
    rest: list[Pairs] = [{}, {}]
    for table in design.walk(turns, rounds):
        _meet(design, table, rest)
    seats = _seats(design, turns, rounds)
    matches = [sum(row) for row in seats]
    total = turns * design.rounds + rounds
    return Balance(
        matches=_range(matches),
        opponents=_pairs(design, met[0], rest[0]),
        partners=_pairs(design, met[1], rest[1]) if partners else None,
        seats=_range(count for row in seats for count in row),
        byes=_range(total - played for played in matches),
    )


def _met(design: Design, kind: int, turns: int) -> list[int]:
    """Meetings in whole turns by difference of the points; the last entry is the fixed point's."""
    ring = design.ring
    once = [0] * (ring + 1)
    for tables in design.base:
        for table in tables:
            for a, b in combinations(range(len(table)), 2):
                if int(design.side_of[a] == design.side_of[b]) != kind:
                    continue
                x, y = table[a], table[b]
                if ring in (x, y):
                    # From each of the ring once in a turn for this place.
                    once[ring] += 1
                else:
                    once[(x - y) % ring] += 1
                    once[(y - x) % ring] += 1
    factors = (1,) if design.fixed else units(ring)
    met = [0] * ring + [once[ring] * turns]
    for place, factor in enumerate(factors):
        # How many of the turns have this factor.
        number = len(range(place, turns, len(factors)))
        if number:
            for d in range(1, ring):
                met[d * factor % ring] += number * once[d]
    return met


def _meet(design: Design, table: tuple[int, ...], met: list[Pairs]) -> None:
    for (a, x), (b, y) in combinations(enumerate(table), 2):
        pairs = met[int(design.side_of[a] == design.side_of[b])]
        pair = (min(x, y), max(x, y))
        pairs[pair] = pairs.get(pair, 0) + 1


def _pairs(design: Design, met: list[int], rest: Pairs) -> Range:
    ring = design.ring
    return _range(
        met[ring if y == ring else y - x] + rest.get((x, y), 0)
        for x, y in combinations(range(design.points), 2)
    )


def _seats(design: Design, turns: int, rounds: int) -> list[list[int]]:
    """For each point, how often it has each seat.

    In as many turns as there are seats every point has every seat as often: only the turns left
    over are counted off.
    """
    number = len(design.side_of)
    counts = Counter[tuple[int, int]]()
    whole = turns - turns % number
    for turn in range(whole, turns):
        for table in design.walk(turn):
            counts.update((point, seat) for seat, point in enumerate(table))
    for table in design.walk(turns, rounds):
        counts.update((point, seat) for seat, point in enumerate(table))
    # Everybody plays equally often in a turn: the point that stays has one table a round.
    tables = sum(map(len, design.base))
    return [
        [
            whole // number * _matches(design, point, tables) + counts[point, seat]
            for seat in range(number)
        ]
        for point in range(design.points)
    ]


def _matches(design: Design, point: int, tables: int) -> int:
    """Matches of a point in one turn."""
    if point == design.ring:
        return design.rounds
    return tables * len(design.side_of) - len(design.base) * design.fixed


def _range(counts: Iterable[int]) -> Range:
    values = list(counts)
    return Range(min(values), max(values))
