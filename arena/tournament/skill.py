"""Ratings where more than two meet, and beside Bradley-Terry's where two do: Plackett-Luce, by the
`openskill` library, with ± 95 %.

Each unit (`results.py`) orders the sides; the library moves the mean and the deviation of every
entrant's skill after it (Weng and Lin, 2011), partners as a team. That depends on the order of the
units, so they are always gone through in schedule order: any order of arrival gives the same
ratings. No skill drifts within a tournament: the library's `tau`, which is for that, is 0.

On the Elo scale: with the library's β the odds that one of k sides is ahead of another are
exp(Δ / (β·√k)); 400 points are odds of ten to one, and the mean of the field is 1500. Everyone
begins with the library's own prior, which is wide, and its steps shrink as the deviation does: an
interval here is the library's belief, not a frequency as Bradley-Terry's are (`ratings.py`). In
simulated fields of true Plackett-Luce strengths it held 98 to 100 % of them where the field was
170 points wide (3 of 6 entrants a unit, 60 and 600 units), and 92 % where it was 520 wide (200
units): the first steps from the prior are then still felt.

Between two a result keeps how many units each was ahead in, not in which order; they are taken as
spread evenly over the match (`spread`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from math import sqrt

from openskill.models import PlackettLuce, PlackettLuceRating

from arena.tournament.ratings import MEAN, QUANTILE, SCALE, Rating

MOST_UNITS = 5_000
"""Of a schedule of two sides: beyond so many units a match is rated as one, and of more matches
not before all are over. Standings are derived anew every second, and a unit takes 50 µs."""

Unit = tuple[Sequence[int], Sequence[int], str]
"""Entrants of a match, the side of each, and the place of each side: a digit each, 0 the best."""


def rate_units(entrants: int, units: Iterable[Unit]) -> list[Rating]:
    """Ratings of entrants 0 … entrants-1 after these units, in the order given."""
    model = PlackettLuce(tau=0.0)
    skills = [model.rating() for _ in range(entrants)]
    played = [0] * entrants
    sides = 2
    for who, side_of, places in units:
        sides = len(places)
        teams: list[list[PlackettLuceRating]] = [[] for _ in places]
        for entrant, side in zip(who, side_of, strict=True):
            teams[side].append(skills[entrant])
            played[entrant] += 1
        rated = model.rate(teams, ranks=[float(place) for place in places])
        members = [iter(team) for team in rated]
        for entrant, side in zip(who, side_of, strict=True):
            skills[entrant] = next(members[side])
    mean = sum(skill.mu for skill in skills) / max(entrants, 1)
    scale = SCALE / (sqrt(sides) * model.beta)
    return [
        Rating(MEAN + scale * (skill.mu - mean), QUANTILE * scale * skill.sigma, count)
        for skill, count in zip(skills, played, strict=True)
    ]


def spread(ahead: int, level: int, behind: int) -> Iterator[str]:
    """The places of two sides in so many units of a match, each kind as evenly as can be.

    Of kinds as far behind their share the level comes first, then that of the lower number.
    """
    total = ahead + level + behind
    left = {"00": level, "01": ahead, "10": behind}
    owed = dict.fromkeys(left, 0)
    for _ in range(total):
        for places, count in (("00", level), ("01", ahead), ("10", behind)):
            owed[places] += count
        most = max(owed, key=lambda places: (left[places] > 0, owed[places]))
        owed[most] -= total
        left[most] -= 1
        yield most


def units_between(counts: Sequence[int], whole: bool) -> Iterator[str]:
    """Of a match between two: the places in its units, or in the match as one.

    ``counts``: units by quarters scored by the first (`Tally.units`).
    """
    ahead, level, behind = sum(counts[3:]), counts[2], sum(counts[:2])
    if not whole:
        yield from spread(ahead, level, behind)
    elif sum(counts):
        first = sum(quarters * count for quarters, count in enumerate(counts))
        other = 4 * sum(counts) - first
        yield "01" if first > other else "10" if first < other else "00"
