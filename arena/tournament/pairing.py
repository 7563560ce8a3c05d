"""Round robin: who meets whom, in which round, and who sits where in game 0.

A schedule is a pure function of the spec's entrants, cycles and seed. Any pairing is computed
from its index alone, so a tournament of a million pairings needs no list of them.

The circle method. The entrants, in an order drawn from the seed, are labelled 0 … n-1; one more
or one fewer makes m, odd, the number of places on the circle. In round r the places r + k and
r - k (mod m) meet, for k = 1 … (m-1)/2; the place r itself meets the entrant off the circle when
n is even and has a bye when n is odd.

Balance, exact, by entrant over the whole tournament:
- sides in game 0: first side as often as second, or one more of either (imbalance 0 or 1), and 0
  for an even number of cycles, in which every pair of opponents meets equally often both ways
  round. On the circle the place r + k has the first side, so each place has it (m-1)/2 times of
  m - 1; the entrant off the circle has it in every other round. Odd cycles are turned round.
- seats within a team: its two bots change places from match to match (imbalance 0 or 1).
- first deals: the dealer is drawn from the match key (rules.md 9), which no seed chooses. With
  `duplicate` both entrants are dealt every hand from both sides, so first deals are equal in
  every match; without it they are fair by the draw.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import overload

from arena.tournament.spec import Spec


@dataclass(frozen=True, slots=True)
class Pairing:
    """The entrants of one match and their seats. Names are for humans; indices are the spec's."""

    index: int
    """Place in schedule order, 0 …"""
    cycle: int
    round: int
    """Round of the whole tournament, 0 …: within one no entrant plays twice."""
    table: int
    """Place within the round."""
    entrants: tuple[int, ...]
    """Indices into `Spec.entrants`; entrants[i] takes side i in game 0."""
    names: tuple[str, ...]
    """Their names."""
    seating: tuple[int, ...]
    """For each seat of game 0, the place in `entrants` of who sits there: (0, 1, 0, 1)."""
    bots: tuple[str, ...]
    """For each seat of game 0, the bot that plays it."""

    def match_id(self, tournament: str) -> str:
        """The match's name: part of its record, its keys and (seeded) its secret."""
        return f"{tournament}-m{self.index}"


class Schedule(Sequence[Pairing]):
    """All pairings of a tournament, by index, computed when asked for."""

    def __init__(self, spec: Spec) -> None:
        self.spec = spec
        self.order = seeded_order(spec.seed, len(spec.entrants))
        n = len(spec.entrants)
        self._side_of = spec.side_of
        self._circle = n if n % 2 else n - 1
        self._tables = n // 2
        self.rounds_per_cycle = self._circle
        self.pairings_per_cycle = self._circle * self._tables

    def __len__(self) -> int:
        return self.pairings_per_cycle * self.spec.cycles

    @property
    def rounds(self) -> int:
        """Rounds of the whole tournament."""
        return self.rounds_per_cycle * self.spec.cycles

    @overload
    def __getitem__(self, index: int) -> Pairing: ...
    @overload
    def __getitem__(self, index: slice) -> list[Pairing]: ...
    def __getitem__(self, index: int | slice) -> Pairing | list[Pairing]:
        if isinstance(index, slice):
            return [self[i] for i in range(*index.indices(len(self)))]
        if not -len(self) <= index < len(self):
            raise IndexError(f"no pairing {index}: the schedule has {len(self)}")
        return self._pairing(index % len(self))

    def __iter__(self) -> Iterator[Pairing]:
        return map(self._pairing, range(len(self)))

    def batches(self, size: int, start: int = 0) -> Iterator[range]:
        """Index ranges of at most `size` pairings from `start`: how a scheduler walks it."""
        for first in range(start, len(self), size):
            yield range(first, min(first + size, len(self)))

    def _pairing(self, index: int) -> Pairing:
        cycle, within = divmod(index, self.pairings_per_cycle)
        round_, table = divmod(within, self._tables)
        labels = self._meeting(round_, table)
        if cycle % 2:
            labels = (labels[1], labels[0])
        entrants = tuple(self.order[label] for label in labels)
        seating = self._side_of
        return Pairing(
            index=index,
            cycle=cycle,
            round=cycle * self.rounds_per_cycle + round_,
            table=table,
            entrants=entrants,
            names=tuple(self.spec.entrants[entrant].name for entrant in entrants),
            seating=seating,
            bots=self._bots(entrants, labels, cycle, round_),
        )

    def _meeting(self, round_: int, table: int) -> tuple[int, int]:
        """Labels of the two that meet; the first takes the first side."""
        m = self._circle
        if len(self.order) % 2:
            k = table + 1
        elif table:
            k = table
        else:
            off = m  # the entrant off the circle
            return (off, round_) if round_ % 2 == 0 else (round_, off)
        return (round_ + k) % m, (round_ - k) % m

    def _bots(
        self, entrants: tuple[int, ...], labels: tuple[int, int], cycle: int, round_: int
    ) -> tuple[str, ...]:
        seated = [0] * len(entrants)
        turn = [self._matches_before(label, cycle, round_) for label in labels]
        bots = []
        for side in self._side_of:
            members = self.spec.entrants[entrants[side]].bots
            bots.append(members[(turn[side] + seated[side]) % len(members)])
            seated[side] += 1
        return tuple(bots)

    def _matches_before(self, label: int, cycle: int, round_: int) -> int:
        """How many matches this entrant has played when the round begins."""
        bye = len(self.order) % 2 == 1 and label < round_
        return cycle * (len(self.order) - 1) + round_ - bye


def seeded_order(seed: str, size: int) -> tuple[int, ...]:
    """A permutation of 0 … size-1: sorted by SHA-256 of seed and number."""

    def key(number: int) -> bytes:
        return hashlib.sha256(f"{seed}\0pairing\0{number}".encode()).digest()

    return tuple(sorted(range(size), key=key))
