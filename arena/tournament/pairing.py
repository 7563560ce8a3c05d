"""Who meets whom, in which round, and who sits where in game 0.

A schedule is a pure function of the spec's entrants, format and seed. Any pairing is computed
from its index alone, so a tournament of a million pairings needs no list of them. The entrants,
in an order drawn from the seed, are labelled 0 … n-1, and the labels meet

- two sides: by the circle method, each once a cycle (`circle.py`);
- more sides, or partners that change: by a cyclic design, a cycle of which is one turn of it
  (`designs.py`).

`Schedule.balance` says how even it comes out (`balance.py`). The first dealer is drawn from the
match key (rules.md 9), which no seed chooses. With `duplicate` the entrants of a match are dealt
every hand from every side, so first deals are equal in every match; without it they are fair by
the draw.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import overload

from arena.tournament import balance
from arena.tournament.balance import Balance
from arena.tournament.circle import Circle, Meeting
from arena.tournament.designs import Design, design
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
    """Indices into `Spec.entrants`; entrants[i] takes side i in game 0, in a progressive
    tournament seat i."""
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
        n = len(spec.entrants)
        self.order = seeded_order(spec.seed, n)
        self._seating = tuple(range(len(spec.side_of))) if spec.progressive else spec.side_of
        self._sides = len(set(self._seating))
        self._meetings: Circle | _Turns
        if self._sides == 2:
            self._meetings = Circle(n, spec.cycles)
        else:
            # Where every seat is an entrant of its own, sides matter only if there are partners.
            self._meetings = _Turns(design(n, spec.side_of), spec.cycles, spec.rounds)

    def __len__(self) -> int:
        return len(self._meetings)

    @property
    def rounds(self) -> int:
        """Rounds of the whole tournament."""
        return self._meetings.rounds

    @property
    def rounds_per_cycle(self) -> int:
        """Rounds of a cycle."""
        return self._meetings.rounds_per_cycle

    @property
    def pairings_per_cycle(self) -> int:
        """Pairings of a cycle."""
        return self._meetings.pairings_per_cycle

    @property
    def balance(self) -> Balance:
        """How even the whole schedule is."""
        meetings = self._meetings
        if isinstance(meetings, Circle):
            return balance.of_circle(meetings.entrants, meetings.cycles)
        return balance.of_design(meetings.design, *divmod(meetings.rounds, meetings.design.rounds))

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
        meeting = self._meetings[index]
        entrants = tuple(self.order[label] for label in meeting.labels)
        return Pairing(
            index=index,
            cycle=meeting.cycle,
            round=meeting.round,
            table=meeting.table,
            entrants=entrants,
            names=tuple(self.spec.entrants[entrant].name for entrant in entrants),
            seating=self._seating,
            bots=self._bots(entrants, meeting.earlier),
        )

    def _bots(self, entrants: tuple[int, ...], earlier: tuple[int, ...]) -> tuple[str, ...]:
        seated = [0] * len(entrants)
        bots = []
        for place in self._seating:
            members = self.spec.entrants[entrants[place]].bots
            bots.append(members[(earlier[place] + seated[place]) % len(members)])
            seated[place] += 1
        return tuple(bots)


class _Turns:
    """Meetings by a design, in so many turns of it, or in the first rounds of them."""

    def __init__(self, plan: Design, cycles: int, rounds: int) -> None:
        self.design = plan
        self.rounds_per_cycle = plan.rounds
        self.pairings_per_cycle = plan.tables
        self.rounds = rounds or cycles * plan.rounds
        turns, rest = divmod(self.rounds, plan.rounds)
        self._length = turns * plan.tables + plan.tables_before(rest)

    def __len__(self) -> int:
        return self._length

    def __getitem__(self, index: int) -> Meeting:
        turn, within = divmod(index, self.pairings_per_cycle)
        place = self.design.place(within)
        labels = self.design.seats(place, turn)
        round_ = turn * self.rounds_per_cycle + place.round
        return Meeting(turn, round_, place.table, labels, (0,) * len(labels))


def seeded_order(seed: str, size: int) -> tuple[int, ...]:
    """A permutation of 0 … size-1: sorted by SHA-256 of seed and number."""

    def key(number: int) -> bytes:
        return hashlib.sha256(f"{seed}\0pairing\0{number}".encode()).digest()

    return tuple(sorted(range(size), key=key))
