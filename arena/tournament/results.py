"""What one finished match adds to the tables: a `Tally`, small enough to keep for 100,000 matches.

The referee counts a match with `tally(...)` and hands `.as_dict()` in as the match's result:

    {"games": 100, "won": [57, 43], "points": [872, 801], "units": [3, 10, 14, 18, 5],
     "winners": [0], "faults": [{}, {"timeout": 2}]}

Whoever derives tables reads it back with `Tally.of_result(index, entrants, result)`.

The unit of ratings (architecture.md) is the duplicate pair, scored as the mean of its games;
without `duplicate` it is the game. With two sides a unit is worth 0, ¼, ½, ¾ or 1 to the first
entrant, so five counts hold all of a match's units and every sum over matches is a sum of
integers: exact, and the same in whatever order the results arrive.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

Counts = tuple[int, int, int, int, int]
"""Units by quarters scored by the match's first entrant: [0, ¼, ½, ¾, 1]."""


class GameScore(NamedTuple):
    """One game of a match as the tables see it; entrants are 0 and 1, the match's own numbers."""

    number: int
    """Number of the game in its match; with `duplicate`, games 2i and 2i + 1 are one unit."""
    winners: tuple[int, ...]
    """Entrants whose side won, ascending; both when the sides ended level."""
    points: tuple[int, ...]
    """Final score of each entrant's side."""


@dataclass(frozen=True, slots=True)
class Tally:
    """One match, counted. `entrants` are indices into `Spec.entrants`; other tuples follow them."""

    pairing: int
    entrants: tuple[int, ...]
    games: int
    won: tuple[int, ...]
    """Games each won alone; what is missing to `games` was level, half a point each."""
    points: tuple[int, ...]
    units: Counts
    winners: tuple[int, ...]
    """Who won the match: 0, 1, or both; empty for a match that did not finish."""
    faults: tuple[Mapping[str, int], ...]
    """Faults charged to each entrant, by kind."""

    @property
    def drawn(self) -> int:
        """Games that ended level."""
        return self.games - sum(self.won)

    def as_dict(self) -> dict[str, Any]:
        """The result as JSON has it; pairing and entrants are known from the match."""
        return {
            "games": self.games,
            "won": list(self.won),
            "points": list(self.points),
            "units": list(self.units),
            "winners": list(self.winners),
            "faults": [dict(kinds) for kinds in self.faults],
        }

    @classmethod
    def of_result(cls, pairing: int, entrants: Sequence[int], result: Mapping[str, Any]) -> Tally:
        """Read `as_dict` back. Raises ValueError naming what is missing or wrong."""
        try:
            units = result["units"]
            made = cls(
                pairing=pairing,
                entrants=tuple(entrants),
                games=int(result["games"]),
                won=tuple(result["won"]),
                points=tuple(result["points"]),
                units=(units[0], units[1], units[2], units[3], units[4]),
                winners=tuple(result["winners"]),
                faults=tuple(result["faults"]),
            )
        except (KeyError, IndexError, TypeError) as error:
            raise ValueError(f"result of pairing {pairing}: {error!r}") from None
        if not len(made.won) == len(made.points) == len(made.faults) == len(made.entrants) == 2:
            raise ValueError(f"result of pairing {pairing}: it is of two entrants")
        if made.drawn < 0 or min(made.won) < 0 or min(made.units) < 0:
            raise ValueError(f"result of pairing {pairing}: counts do not add up")
        return made


def tally(
    games: Iterable[GameScore],
    *,
    duplicate: bool,
    winners: Sequence[int],
    faults: Sequence[Mapping[str, int]] = ({}, {}),
    pairing: int = 0,
    entrants: Sequence[int] = (0, 1),
) -> Tally:
    """Count a match of two entrants; its games may come in any order.

    Forfeited games are games with their winners like any other: a game lost by a fault is lost
    in the standings and in the ratings. A pair of which only one game was played (a `best_of`
    decided in between) is scored as the mean of that game. Raises ValueError for a game twice.
    """
    won = [0, 0]
    points = [0, 0]
    played = 0
    units: dict[int, list[int]] = {}  # unit → halves scored by the first entrant, game by game
    numbers = set()
    for game in games:
        if game.number in numbers:
            raise ValueError(f"game {game.number} is there twice")
        numbers.add(game.number)
        played += 1
        for entrant in (0, 1):
            points[entrant] += game.points[entrant]
        halves = 1
        if len(game.winners) == 1:
            won[game.winners[0]] += 1
            halves = 0 if game.winners[0] else 2
        units.setdefault(game.number // 2 if duplicate else game.number, []).append(halves)
    counts = [0, 0, 0, 0, 0]
    for scored in units.values():
        counts[sum(scored) if len(scored) == 2 else 2 * scored[0]] += 1
    return Tally(
        pairing=pairing,
        entrants=tuple(entrants),
        games=played,
        won=tuple(won),
        points=tuple(points),
        units=(counts[0], counts[1], counts[2], counts[3], counts[4]),
        winners=tuple(winners),
        faults=tuple(dict(kinds) for kinds in faults),
    )
