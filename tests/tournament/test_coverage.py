"""Simulated tournaments: a 95 % interval holds the truth about 95 times in 100."""

from __future__ import annotations

from math import exp, sqrt
from random import Random

import pytest

from arena.tournament.ratings import MEAN, SCALE, Unit, rate

TOURNAMENTS = 600


def pair(random: Random, p: float, together: float) -> float:
    """A duplicate pair of games each won with chance p, worth their mean.

    `together` > 0: as often both games go the same way; < 0: the cards decide, so that one side's
    luck is the other's in the second game.
    """
    first = random.random()
    if random.random() >= abs(together):
        second = random.random()
    else:
        second = first if together > 0 else 1 - first
    return ((first < p) + (second < p)) / 2


def tournament(random: Random, strength: list[float], pairs: int, together: float):
    units = {}
    for i in range(len(strength)):
        for j in range(i + 1, len(strength)):
            p = 1 / (1 + exp(strength[j] - strength[i]))
            scores = [pair(random, p, together) for _ in range(pairs)]
            units[i, j] = Unit(pairs, sum(scores), sum(s * s for s in scores))
    return rate(len(strength), units)


def coverage(size: int, spread: float, pairs: int, together: float) -> float:
    random = Random(20)
    strength = [spread * (2 * i / (size - 1) - 1) for i in range(size)]
    held = 0
    for _ in range(TOURNAMENTS):
        for rating, value in zip(
            tournament(random, strength, pairs, together), strength, strict=True
        ):
            held += abs(rating.value - MEAN - SCALE * value) <= rating.interval
    return held / (TOURNAMENTS * size)


# What chance alone may move a share of 95 % by, over so many tournaments: three deviations, the
# entrants of one taken as one another's copies.
CHANCE = 3 * sqrt(0.95 * 0.05 / TOURNAMENTS)


@pytest.mark.slow
@pytest.mark.parametrize("together", [-0.7, 0.0, 0.7])
@pytest.mark.parametrize(("size", "spread"), [(4, 0.3), (8, 0.5), (8, 1.5)])
def test_intervals_hold_what_they_promise(size, spread, together):
    assert coverage(size, spread, 50, together) == pytest.approx(0.95, abs=CHANCE)


@pytest.mark.slow
@pytest.mark.parametrize("together", [-0.7, 0.0, 0.7])
@pytest.mark.parametrize("pairs", [3, 10])
def test_few_units_do_not_promise_too_much(pairs, together):
    assert coverage(6, 0.8, pairs, together) >= 0.95 - CHANCE


@pytest.mark.slow
def test_an_interval_that_ignored_the_pairs_would_be_wrong():
    """The games of a pair are not independent: counted as such, intervals are too wide here."""
    random = Random(3)
    strength = [0.5, 0.0, -0.5]
    ratings = tournament(random, strength, 200, -0.7)
    apart = {
        (i, j): Unit(400, 400 * p, 400 * p)
        for i in range(3)
        for j in range(i + 1, 3)
        for p in [1 / (1 + exp(strength[j] - strength[i]))]
    }
    for clustered, independent in zip(ratings, rate(3, apart), strict=True):
        assert clustered.interval < 0.9 * independent.interval
