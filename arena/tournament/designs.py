"""Designs: who meets whom where a match is of more than two, or partners change.

A design seats n points at tables so that each meets each as often as every other, and sits in each
seat as often as in every other, as nearly as can be. It is cyclic: of a few base rounds
(`starters.py`) all others follow by adding 1, 2, 3 … to every point, modulo n. So any table is
computed from its index, and since every point passes through every place of a base round, seats
are exactly even. Where the seats divide n, one point stays and the others go round, modulo n - 1;
seats are then even to within a few in one turn, and exactly in as many turns as there are seats.

Which base rounds, the first of these that comes out exactly even, else the most even of them:
- as many points as seats and no partners: everyone in every round, one seat on each time.
- n or n - 1 a multiple of the seats: one full base round, or two, or three. With sides of one seat
  these are the (near-)resolvable balanced incomplete block designs in which each pair meets once
  less than there are seats; with pairs they are whist tournaments.
- otherwise the fewest base tables by which the pairs' meetings divide evenly, or twice as many:
  balanced incomplete block designs from difference families, in rounds full but for the last;
- one full base round, where that would be more than `MOST` matches for each point.
`starters_found.py` keeps base rounds that take long to find.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache, partial
from math import gcd
from typing import NamedTuple

from arena.tournament.starters import Found, Rounds, search, stays
from arena.tournament.starters_found import FOUND

MOST = 100
"""Matches of each point in a turn of the whole design, the most that evenness may cost."""
LOOKS = 4
"""How often the turning of each table is looked at."""


class Place(NamedTuple):
    """A table of a design's turn."""

    round: int
    table: int
    base: int
    """Which base round."""
    shift: int
    """What is added to its points."""


class Design(NamedTuple):
    """A design of so many points, for tables whose seats belong to these sides."""

    points: int
    side_of: tuple[int, ...]
    base: Rounds
    """All base rounds have as many tables as the first, the last perhaps fewer."""

    @property
    def fixed(self) -> bool:
        """One point stays where it is."""
        return stays(self.points, self.side_of)

    @property
    def ring(self) -> int:
        """Points that go round."""
        return self.points - self.fixed

    @property
    def rounds(self) -> int:
        """Rounds of one turn of the design."""
        return self.ring * len(self.base)

    @property
    def tables(self) -> int:
        """Tables of one turn of the design, all its rounds together."""
        return self.ring * sum(map(len, self.base))

    def tables_before(self, round_: int) -> int:
        """How many tables the rounds before this one of a turn have."""
        base, shift = divmod(round_, self.ring)
        full = len(self.base[0])
        return base * self.ring * full + shift * (len(self.base[base]) if shift else 0)

    def place(self, index: int) -> Place:
        """The table of that index, within a turn."""
        full = len(self.base[0])
        base = min(index // (full * self.ring), len(self.base) - 1)
        within = index - base * full * self.ring
        shift, table = divmod(within, len(self.base[base]))
        return Place(base * self.ring + shift, table, base, shift)

    def seats(self, place: Place, turn: int) -> tuple[int, ...]:
        """The point in each seat of a table, in the turn-th turn of the design.

        From turn to turn everyone moves one seat on and, where nobody stays, the points are
        multiplied by another unit of the ring: pairs that met more rarely now meet more often.
        Where one stays, each table is turned so that seats come out even.
        """
        points = self.base[place.base][place.table]
        ring, move = self.ring, turn
        if self.fixed:
            seats = [p if p == ring else (p + place.shift) % ring for p in points]
            move += turned(self)[self.tables_before(place.round) + place.table]
        else:
            factors = units(ring)
            factor = factors[turn % len(factors)]
            seats = [(p * factor + place.shift) % ring for p in points]
        return rotated(seats, move)

    def walk(self, turn: int, rounds: int | None = None) -> Iterator[tuple[int, ...]]:
        """The seats of every table of a turn, or of its first rounds."""
        for index in range(self.tables if rounds is None else self.tables_before(rounds)):
            yield self.seats(self.place(index), turn)


@lru_cache(maxsize=64)
def design(points: int, side_of: tuple[int, ...]) -> Design:
    """The design to play by. ValueError for fewer points than seats."""
    if points < len(side_of):
        raise ValueError(f"{len(side_of)} seats need as many points, not {points}")
    known = FOUND.get((side_of, points))
    if known is not None:
        return Design(points, side_of, known)
    steps = min(2_500 + 100 * points, 15_000)
    best: Found | None = None
    for tables in candidates(points, side_of):
        found = search(points, side_of, tables, steps)
        if best is None or found.spread < best.spread:
            best = found
        if best.spread == 0:
            break
    assert best is not None  # there always is a candidate
    return Design(points, side_of, best.rounds)


def candidates(points: int, side_of: tuple[int, ...]) -> list[list[int]]:
    """Numbers of tables in each base round, in the order in which to try them."""
    seats = len(side_of)
    full = points // seats
    if points % seats <= 1:
        return [[full], [full] * 2, [full] * 3]
    fewest = fewest_tables(points, side_of)
    exact = [
        [full] * (tables // full) + ([tables % full] if tables % full else [])
        for tables in (fewest, 2 * fewest)
        if tables * seats <= MOST
    ]
    return [*exact, [full]]


def fewest_tables(points: int, side_of: tuple[int, ...]) -> int:
    """The fewest base tables by which the meetings of opponents, and of partners, could be even.

    Each table brings so many meetings of a point with others, opponents and partners apart, to
    be shared by points - 1. In an even ring the pairs half of it apart meet twice in a turn or
    not at all, so all have to meet an even number of times.
    """
    seats = len(side_of)
    partners = seats * (seats // len(set(side_of)) - 1)
    meetings = (partners, seats * (seats - 1) - partners)
    tables = 1
    for number in filter(None, meetings):
        others = (points - 1) * (1 if points % 2 else 2)
        needed = others // gcd(number, others)
        tables = tables * needed // gcd(tables, needed)
    return tables


@lru_cache(maxsize=64)
def turned(plan: Design) -> bytes:
    """How many seats each table of a turn is turned by: what makes seats most even so far."""
    seats = len(plan.side_of)
    tables = []
    for index in range(plan.tables):
        place = plan.place(index)
        points = plan.base[place.base][place.table]
        tables.append([p if p == plan.ring else (p + place.shift) % plan.ring for p in points])
    had = [[0] * seats for _ in range(plan.points)]

    def sit(table: list[int], move: int, number: int) -> None:
        for seat, point in enumerate(rotated(table, move)):
            had[point][seat] += number

    def crowd(table: list[int], move: int) -> int:
        return sum(had[point][seat] for seat, point in enumerate(rotated(table, move)))

    moves = bytearray(plan.tables)
    for again in range(LOOKS):
        for index, table in enumerate(tables):
            if again:
                sit(table, moves[index], -1)
            moves[index] = min(range(seats), key=partial(crowd, table))
            sit(table, moves[index], 1)
    return bytes(moves)


def rotated(seats: Sequence[int], move: int) -> tuple[int, ...]:
    """Everyone so many seats on."""
    move = -move % len(seats)
    return (*seats[move:], *seats[:move])


@lru_cache(maxsize=64)
def units(ring: int) -> tuple[int, ...]:
    """Factors that permute the points of a ring, one of each that differ in sign only."""
    return tuple(u for u in range(1, ring // 2 + 1) if gcd(u, ring) == 1) or (1,)
