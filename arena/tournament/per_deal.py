"""Points per deal with a 95 % interval: what the standings of a progressive tournament go by.

A unit is a deal, or with `duplicate` a deal played from both sides: x, the points the entrant's
side scored in it less those it conceded. The mean of the units over their games is what one deal
is worth to the entrant, whoever its partner is; the interval is Student's of that mean. It holds
partners and opponents as drawn: where the schedule is even, everyone has had the same.
"""

from __future__ import annotations

from math import sqrt
from typing import NamedTuple

from arena.tournament.ratings import QUANTILE

FEW = (12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306)
"""Student's 97.5 % quantiles for 1 … 8 degrees of freedom; beyond, the series below is as good."""


class PerDeal(NamedTuple):
    """Points per deal."""

    mean: float
    interval: float | None
    """Half the width of the 95 % interval; None where a single unit says nothing of it."""


def per_deal(units: int, total: int, squares: int, games: int) -> PerDeal:
    """From the number of units, Σ x, Σ x² and the number of games in them."""
    if not games:
        return PerDeal(0.0, None)
    mean = total / games
    if units < 2:
        return PerDeal(mean, None)
    # n·Σx² - (Σx)² in whole numbers first: no digits are lost.
    variance = (units * squares - total * total) / (units * (units - 1))
    error = sqrt(variance / units) * units / games
    return PerDeal(mean, quantile(units - 1) * error)


def quantile(freedom: int) -> float:
    """Student's 97.5 % quantile (Abramowitz and Stegun 26.7.5)."""
    if freedom <= len(FEW):
        return FEW[freedom - 1]
    z = QUANTILE
    return (
        z
        + (z**3 + z) / (4 * freedom)
        + (5 * z**5 + 16 * z**3 + 3 * z) / (96 * freedom**2)
        + (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / (384 * freedom**3)
    )
