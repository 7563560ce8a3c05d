"""Searching a design's base rounds by exchanging two places at a time.

A base round seats the points 0 … ring-1, with one more that stays where it is where `fixed`, at
tables. All rounds of a design are its base rounds with the same number added to every point
(`designs.py`), so two points d apart meet as often as differences d stand at a table, and to
balance all pairs is to make the differences equally frequent: between opponents, and between
partners where a side has several seats.

The search takes an exchange that is no worse, now and then one that is a little worse, and stops
when nothing can be more even. Its numbers come from a generator of its own, started the same every
time: the same question has the same answer on every machine.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

Rounds = tuple[tuple[tuple[int, ...], ...], ...]
"""Base rounds of tables of points, in the order of the seats."""

WORD = (1 << 64) - 1


class Found(NamedTuple):
    """What a search came to."""

    rounds: Rounds
    spread: int
    """How many more times the most frequent pair meets than the rarest, opponents and partners
    added; 0: exactly balanced."""


class Random:
    """A linear congruential generator (Knuth's MMIX): numbers that are the same everywhere."""

    def __init__(self, seed: int) -> None:
        self._state = seed

    def below(self, limit: int) -> int:
        """A number from 0, less than `limit`."""
        self._state = (self._state * 6364136223846793005 + 1442695040888963407) & WORD
        return ((self._state >> 33) * limit) >> 31


def search(
    points: int, side_of: Sequence[int], tables: Sequence[int], steps: int, seed: int = 1
) -> Found:
    """The most even base rounds found; `tables` has the number of tables of each.

    Where the seats divide the points, one of them stays: it has the first seat of the first table.
    """
    state = _State(points, side_of, tables, Random(seed))
    for _ in range(steps):
        if state.cost <= state.least:
            break
        state.step()
    return Found(state.rounds(), state.spread())


def stays(points: int, side_of: Sequence[int]) -> bool:
    """One of the points stays in its place."""
    seats = len(side_of)
    if points == seats and len(set(side_of)) == seats:
        return False  # everyone at one table, moving on: even in everything
    return points % seats == 0


class _State:
    """Base rounds under way. Differences d and ring - d are one, the smaller of the two."""

    def __init__(
        self, points: int, side_of: Sequence[int], tables: Sequence[int], random: Random
    ) -> None:
        self.seats = len(side_of)
        self.side_of = side_of
        self.fixed = stays(points, side_of)
        self.ring = points - self.fixed
        self.tables = tables
        self.random = random
        self.pairs = [
            (a, b, int(side_of[a] == side_of[b])) for a in range(self.seats) for b in range(a)
        ]
        half = self.ring // 2
        self.fold = [min(d, self.ring - d) for d in range(self.ring)]
        # A pair half the ring apart is met twice in a turn of the ring, and is its own mirror.
        even = self.ring % 2 == 0
        self.worth = [2 if even and d == half else 1 for d in range(half + 1)]
        self.mirrors = [1 if even and d == half else 2 for d in range(half + 1)]
        self.counts = [[0] * (half + 1), [0] * (half + 1)]
        """Meetings of each pair of opponents, and of partners, by difference."""
        others = self.others = max(self.ring - 1, 1)
        at_table = Counter(kind for _, _, kind in self.pairs)
        with_fixed = Counter(kind for _, b, kind in self.pairs if b == 0 and self.fixed)
        self.totals = [
            2 * (sum(tables) * at_table[k] - len(tables) * with_fixed[k]) for k in (0, 1)
        ]
        # The cost: squares of what a pair's meetings are off the mean, summed, times the square
        # of `others` to keep it whole.
        self.cost = sum(others * total**2 for total in self.totals)
        rests = [total % others for total in self.totals]
        self.least = sum(rest * (others - rest) * others for rest in rests)
        self.little = 4 * others**2
        self.places = [self._shuffled() for _ in tables]
        for places, number in zip(self.places, tables, strict=True):
            for table in range(number):
                self._count(places, table, 1)

    def step(self) -> None:
        """Try an exchange of two places of a round."""
        random = self.random
        round_ = random.below(len(self.places))
        places = self.places[round_]
        seated = self.tables[round_] * self.seats
        a, b = random.below(seated), random.below(len(places))
        if self.fixed and (a == 0 or b == 0):
            return
        here, there = a // self.seats, b // self.seats
        if here == there and self.side_of[a % self.seats] == self.side_of[b % self.seats]:
            return
        both = b < seated and there != here
        before = self.cost
        self._exchange(places, a, b, here, there if both else -1)
        worse = self.cost - before
        if worse > 0 and random.below(1000) >= (
            40 if worse <= self.little else 8 if worse <= 2 * self.little else 0
        ):
            self._exchange(places, a, b, here, there if both else -1)

    def rounds(self) -> Rounds:
        """As they are now."""
        s = self.seats
        return tuple(
            tuple(tuple(places[t * s : t * s + s]) for t in range(number))
            for places, number in zip(self.places, self.tables, strict=True)
        )

    def spread(self) -> int:
        """Of the pairs' meetings, those with the fixed point included."""
        total = 0
        for kind, row in enumerate(self.counts):
            met = row[1:]
            if self.fixed:
                met = [*met, sum(p == kind for a, b, p in self.pairs if b == 0) * len(self.places)]
            total += max(met, default=0) - min(met, default=0)
        return total

    def _exchange(self, places: list[int], a: int, b: int, here: int, there: int) -> None:
        self._count(places, here, -1)
        if there >= 0:
            self._count(places, there, -1)
        places[a], places[b] = places[b], places[a]
        self._count(places, here, 1)
        if there >= 0:
            self._count(places, there, 1)

    def _count(self, places: list[int], table: int, sign: int) -> None:
        """Add a table's meetings to the counts, or take them off."""
        first = table * self.seats
        ring, others = self.ring, self.others
        for a, b, kind in self.pairs:
            x, y = places[first + a], places[first + b]
            if x == ring or y == ring:
                continue
            d = self.fold[abs(x - y)]
            row = self.counts[kind]
            change = sign * self.worth[d]
            off = 2 * (row[d] * others - self.totals[kind]) + change * others
            self.cost += self.mirrors[d] * change * others * off
            row[d] += change

    def _shuffled(self) -> list[int]:
        places = list(range(self.ring))
        for i in range(self.ring - 1, 0, -1):
            j = self.random.below(i + 1)
            places[i], places[j] = places[j], places[i]
        return [self.ring, *places] if self.fixed else places
