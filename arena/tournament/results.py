"""What one finished match adds to the tables: a `Tally`, small enough to keep for 100,000 matches.

The referee counts a match with `tally(...)` and hands `.as_dict()` in as the match's result:

    {"games": 100, "won": [57, 43], "points": [872, 801], "units": [3, 10, 14, 18, 5],
     "winners": [0], "faults": [{}, {"timeout": 2}]}

and where more than two entrants meet, besides (`units` is then left empty where there are more
than two sides):

    {"sides": [0, 1, 2], "shared": [2, 2, 0], "score": [12180, …], "ahead": [[20, 2, 28], …],
     "places": ["021", …], "net": [34, 1290]}

A match played as a rubber or for stakes, or that marks skunks, has what came of it for each entrant
as the match itself counted it (rules.md 11): `"rubber"`, `"stakes"`, `"skunks"`.

Whoever derives tables reads it back with `Tally.of_result(index, entrants, result)`.

The unit of ratings (architecture.md) is the duplicate pair, with k sides the set of k games on the
same cards, scored as the mean of its games; without `duplicate` it is the game. With two sides a
unit is worth 0, ¼, ½, ¾ or 1 to the first entrant, so five counts hold all of a match's units; with
more it orders the sides, by what they won, then by points. Every sum over matches is a sum of
integers: exact, and the same in whatever order the results arrive.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from types import MappingProxyType
from typing import Any, NamedTuple

Counts = tuple[int, ...]
"""Units by quarters scored by the match's first entrant: [0, ¼, ½, ¾, 1]; else empty."""

WHOLE = 420
"""What a game is worth to a lone winner. It divides evenly among up to seven."""


WORTH = ("rubber", "stakes", "skunks")
"""What a match may count besides games and points."""
NOTHING: Mapping[str, Sequence[int] | None] = MappingProxyType({})


class GameScore(NamedTuple):
    """One game of a match as the tables see it; entrants have the match's own numbers."""

    number: int
    """Number of the game in its match; with `duplicate`, games 2i and 2i + 1 are one unit, with k
    sides games k·i … k·i + k - 1."""
    winners: tuple[int, ...]
    """Entrants whose side won, ascending; all of several sides that won together."""
    points: tuple[int, ...]
    """Final score of each entrant's side."""


@dataclass(frozen=True, slots=True)
class Tally:
    """One match, counted. `entrants` are indices into `Spec.entrants`; other tuples follow them."""

    pairing: int
    entrants: tuple[int, ...]
    games: int
    won: tuple[int, ...]
    """Games each won alone."""
    points: tuple[int, ...]
    units: Counts
    winners: tuple[int, ...]
    """Who won the match; all of those who are level; empty for a match that did not finish."""
    faults: tuple[Mapping[str, int], ...]
    """Faults charged to each entrant, by kind."""
    sides: tuple[int, ...] = (0, 1)
    """Side of each entrant in game 0."""
    shared: tuple[int, ...] = ()
    """Games each won together with other sides; empty between two entrants: all others."""
    score: tuple[int, ...] = ()
    """What each has of the games, a game shared by w sides being 1/w each, in `WHOLE`ths."""
    ahead: tuple[tuple[int, int, int], ...] = field(default=())
    """For each two sides, (0, 1), (0, 2) … (1, 2) …: games in which the first was ahead, level
    and behind. A winner is ahead of a loser, else more points are."""
    places: tuple[str, ...] = ()
    """Of each unit, in order: a digit a side, its place from 0, the same for those level."""
    net: tuple[int, int] = (0, 0)
    """Of two sides of several entrants: Σ x and Σ x² over units, x the points side 0 scored more
    than side 1."""
    rubber: tuple[int, ...] = ()
    """Rubber points of each; empty where no rubber is played."""
    stakes: tuple[int, ...] = ()
    """What each won, or with a minus owes; the sum is zero. Empty where nothing is staked."""
    skunks: tuple[int, ...] = ()
    """Games each won that are marked skunk; empty where none is marked."""

    @property
    def level(self) -> tuple[int, ...]:
        """Games each shared."""
        return self.shared or (self.games - sum(self.won),) * 2

    @property
    def shares(self) -> tuple[int, ...]:
        """What each has of the games, in `WHOLE`ths."""
        if self.score:
            return self.score
        drawn = WHOLE // 2 * self.level[0]
        return tuple(WHOLE * won + drawn for won in self.won)

    @property
    def between(self) -> tuple[tuple[int, int, int], ...]:
        """`ahead`, of two sides too."""
        if self.ahead:
            return self.ahead
        won = dict(zip(self.sides, self.won, strict=True))
        return ((won[0], self.games - won[0] - won[1], won[1]),)

    @property
    def number_of_sides(self) -> int:
        """Two, or more."""
        return max(self.sides) + 1

    def as_dict(self) -> dict[str, Any]:
        """The result as JSON has it; pairing and entrants are known from the match."""
        data: dict[str, Any] = {
            "games": self.games,
            "won": list(self.won),
            "points": list(self.points),
            "units": list(self.units),
            "winners": list(self.winners),
            "faults": [dict(kinds) for kinds in self.faults],
        }
        if len(self.entrants) > 2:
            data |= {
                "sides": list(self.sides),
                "shared": list(self.shared),
                "score": list(self.score),
                "ahead": [list(counts) for counts in self.ahead],
                "places": list(self.places),
                "net": list(self.net),
            }
        return data | {name: list(getattr(self, name)) for name in WORTH if getattr(self, name)}

    @classmethod
    def of_result(cls, pairing: int, entrants: Sequence[int], result: Mapping[str, Any]) -> Tally:
        """Read `as_dict` back. Raises ValueError naming what is missing or wrong."""
        more: dict[str, Any] = {}
        try:
            for name in WORTH:
                more[name] = tuple(map(int, result.get(name, ())))
            units = tuple(result["units"])
            if len(entrants) > 2:
                for name in ("sides", "shared", "score", "places"):
                    more[name] = tuple(result[name])
                more["ahead"] = tuple((a, level, b) for a, level, b in result["ahead"])
                more["net"] = (result["net"][0], result["net"][1])
            made = cls(
                pairing=pairing,
                entrants=tuple(entrants),
                games=int(result["games"]),
                won=tuple(result["won"]),
                points=tuple(result["points"]),
                units=units,
                winners=tuple(result["winners"]),
                faults=tuple(result["faults"]),
                **more,
            )
        except (KeyError, IndexError, TypeError, ValueError) as error:
            raise ValueError(f"result of pairing {pairing}: {error!r}") from None
        made._check()
        return made

    def _check(self) -> None:
        """ValueError for counts that no match can have."""
        n = len(self.entrants)
        each = [self.won, self.points, self.faults, self.sides]
        each += [values for name in WORTH if (values := getattr(self, name))]
        if n > 2:
            each += [self.shared, self.score]
        if n < 2 or any(len(values) != n for values in each):
            raise ValueError(f"result of pairing {self.pairing}: it is of {n} entrants")
        sides = self.number_of_sides
        if len(self.units) != (5 if sides == 2 else 0) or (
            n > 2 and len(self.ahead) != sides * (sides - 1) // 2
        ):
            raise ValueError(f"result of pairing {self.pairing}: counts of {sides} sides are amiss")
        if min(self.level) < 0 or min(self.won) < 0 or min(self.units, default=0) < 0:
            raise ValueError(f"result of pairing {self.pairing}: counts do not add up")
        if sum(self.stakes):
            raise ValueError(f"result of pairing {self.pairing}: stakes do not sum to zero")


def tally(
    games: Iterable[GameScore],
    *,
    duplicate: bool,
    winners: Sequence[int],
    faults: Sequence[Mapping[str, int]] = ({}, {}),
    pairing: int = 0,
    entrants: Sequence[int] = (0, 1),
    sides: Sequence[int] | None = None,
    by_points: bool = False,
    worth: Mapping[str, Sequence[int] | None] = NOTHING,
) -> Tally:
    """Count a match; its games may come in any order. `sides`: of each entrant, else its number.

    Forfeited games are games with their winners like any other: a game lost by a fault is lost
    in the standings and in the ratings. A unit of which not every game was played (a `best_of`
    decided in between) is scored as the mean of those that were. `by_points`: units are ordered
    by points alone, as where single deals are played. `worth`: of `WORTH` what the match counted,
    by entrant. Raises ValueError for a game twice.
    """
    side_of = tuple(range(len(entrants)) if sides is None else sides)
    count = _Count(max(side_of) + 1, duplicate, by_points)
    points = [0] * len(side_of)
    for game in sorted(games):
        by_side = dict(zip(side_of, game.points, strict=True))
        count.add(game, sorted({side_of[entrant] for entrant in game.winners}), by_side)
        for entrant, scored in enumerate(game.points):
            points[entrant] += scored
    many = len(side_of) > 2
    return Tally(
        pairing=pairing,
        entrants=tuple(entrants),
        games=len(count.numbers),
        won=tuple(count.won[side] for side in side_of),
        points=tuple(points),
        units=count.quarters() if count.sides == 2 else (),
        winners=tuple(winners),
        faults=tuple(dict(kinds) for kinds in faults),
        sides=side_of,
        shared=tuple(count.shared[side] for side in side_of) if many else (),
        score=tuple(count.score[side] for side in side_of) if many else (),
        ahead=tuple((a, level, b) for a, level, b in count.ahead) if many else (),
        places=tuple(count.places()) if many else (),
        net=count.net() if many and count.sides == 2 else (0, 0),
        **{name: tuple(worth.get(name) or ()) for name in WORTH},
    )


class _Count:
    """A match's games by side."""

    def __init__(self, sides: int, duplicate: bool, by_points: bool) -> None:
        self.sides = sides
        self.size = sides if duplicate else 1
        self.by_points = by_points
        self.numbers: set[int] = set()
        self.won = [0] * sides
        self.shared = [0] * sides
        self.score = [0] * sides
        self.pairs = list(combinations(range(sides), 2))
        self.ahead = [[0, 0, 0] for _ in self.pairs]
        self.units: dict[int, list[tuple[int, int, int]]] = {}
        """By unit, for each side: games of it, its score in `WHOLE`ths, and its points."""

    def add(self, game: GameScore, winners: list[int], points: Mapping[int, int]) -> None:
        """Count a game by its winning sides."""
        if game.number in self.numbers:
            raise ValueError(f"game {game.number} is there twice")
        self.numbers.add(game.number)
        shares = [0] * self.sides
        for side in winners:
            shares[side] = WHOLE // len(winners)
            self.score[side] += shares[side]
            (self.won if len(winners) == 1 else self.shared)[side] += 1
        keys = [(shares[side], points[side]) for side in range(self.sides)]
        for (a, b), counts in zip(self.pairs, self.ahead, strict=True):
            counts[0 if keys[a] > keys[b] else 1 if keys[a] == keys[b] else 2] += 1
        unit = self.units.setdefault(game.number // self.size, [(0, 0, 0)] * self.sides)
        for side, (played, share, scored) in enumerate(unit):
            unit[side] = (played + 1, share + shares[side], scored + points[side])

    def quarters(self) -> Counts:
        """Units of two sides by what the first scored."""
        counts = [0] * 5
        for (played, share, _), _ in self.units.values():
            counts[4 * share // (WHOLE * played)] += 1
        return tuple(counts)

    def places(self) -> list[str]:
        """The order of the sides in each unit."""
        found = []
        for _, unit in sorted(self.units.items()):
            keys = [(0 if self.by_points else share, points) for _, share, points in unit]
            found.append("".join(str(sum(other > key for other in keys)) for key in keys))
        return found

    def net(self) -> tuple[int, int]:
        """Σ x and Σ x² of what the first of two sides scored more in a unit."""
        differences = [unit[0][2] - unit[1][2] for unit in self.units.values()]
        return sum(differences), sum(x * x for x in differences)
