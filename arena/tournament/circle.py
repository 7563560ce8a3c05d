"""The circle method: a round robin of two sides.

The entrants are labelled 0 … n-1; one more or one fewer makes m, odd, the number of places on the
circle. In round r the places r + k and r - k (mod m) meet, for k = 1 … (m-1)/2; the place r itself
meets the entrant off the circle when n is even and has a bye when n is odd.

Balance, exact, by entrant over the whole tournament:
- sides in game 0: first side as often as second, or one more of either (imbalance 0 or 1), and 0
  for an even number of cycles, in which every pair of opponents meets equally often both ways
  round. On the circle the place r + k has the first side, so each place has it (m-1)/2 times of
  m - 1; the entrant off the circle has it in every other round. Odd cycles are turned round.
- seats within a team: its bots change places from match to match (imbalance 0 or 1).
"""

from __future__ import annotations

from typing import NamedTuple


class Meeting(NamedTuple):
    """A pairing by the labels of its entrants."""

    cycle: int
    round: int
    """Of the whole tournament."""
    table: int
    labels: tuple[int, ...]
    """By side, or by seat where partners change."""
    earlier: tuple[int, ...]
    """How many matches each of them has played when the round begins; 0 where seats are single."""


class Circle:
    """Meetings of n entrants by index."""

    def __init__(self, entrants: int, cycles: int) -> None:
        self.entrants = entrants
        self.cycles = cycles
        self.rounds_per_cycle = entrants if entrants % 2 else entrants - 1
        self.tables = entrants // 2
        self.pairings_per_cycle = self.rounds_per_cycle * self.tables
        self.rounds = self.rounds_per_cycle * cycles

    def __len__(self) -> int:
        return self.pairings_per_cycle * self.cycles

    def __getitem__(self, index: int) -> Meeting:
        cycle, within = divmod(index, self.pairings_per_cycle)
        round_, table = divmod(within, self.tables)
        labels = self._labels(round_, table)
        if cycle % 2:
            labels = (labels[1], labels[0])
        earlier = tuple(self._matches_before(label, cycle, round_) for label in labels)
        return Meeting(cycle, cycle * self.rounds_per_cycle + round_, table, labels, earlier)

    def _labels(self, round_: int, table: int) -> tuple[int, int]:
        """Labels of the two that meet; the first takes the first side."""
        m = self.rounds_per_cycle
        if self.entrants % 2:
            k = table + 1
        elif table:
            k = table
        else:
            off = m  # the entrant off the circle
            return (off, round_) if round_ % 2 == 0 else (round_, off)
        return (round_ + k) % m, (round_ - k) % m

    def _matches_before(self, label: int, cycle: int, round_: int) -> int:
        """How many matches this entrant has played when the round begins."""
        bye = self.entrants % 2 == 1 and label < round_
        return cycle * (self.entrants - 1) + round_ - bye
