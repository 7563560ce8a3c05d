"""Bradley-Terry ratings on the Elo scale with 95 % intervals, from units of two entrants.

Model: entrant i meets entrant j in units (a duplicate pair, or a game), each worth s in [0, 1] to
i, with E[s] = 1 / (1 + exp(θj - θi)). A rating is 1500 + θ · 400 / ln 10, the mean being 1500.
The θ maximise the (quasi-)likelihood Σ s·log p + (1 - s)·log(1 - p), which needs only the mean of
a unit to be right: not its distribution, nor that the games in it be independent.

Prior: one drawn unit of each entrant against the mean of the field. It keeps clean sweeps finite
and ties entrants that never met, even by way of others, to the same scale.

Intervals: the sandwich H⁻¹·M·H⁻¹, H the Hessian of the above, M the sum of squared scores, one
cluster a unit; what the two games of a duplicate pair have in common is so taken as it is, not
assumed. Each residual is divided by 1 - its leverage (the jackknife's correction: few units would
otherwise look more certain than they are). The prior's unit stands in M as the won and the lost
game that make it a drawn one, so that results that fit the ratings too well (a sweep, one drawn
pair) do not give an interval of nothing. The interval is of θ against the mean of the field.

Everything is computed from counts of units in the entrants' order: the same for every order of
arrival, on every run.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import exp, inf, log, log1p, sqrt
from typing import NamedTuple

from arena.tournament.linear import cholesky, dot, inverse, solve

MEAN = 1500.0
SCALE = 400.0 / log(10.0)
"""Rating points to one natural logit."""
QUANTILE = 1.959963984540054
"""Of the normal distribution at 97.5 %."""
STEPS = 100
"""Of Newton's method at most; ten are usual."""
CLOSE = 0.1
"""Steps in logits below which its convergence is sure."""
EXACT = 1e-11
"""The step in logits after which there is nothing left to gain."""


class Unit(NamedTuple):
    """All units of one pair of entrants, summed: enough for rating and interval both."""

    number: int
    """Units played."""
    score: float
    """Σ s, to the first of the two."""
    squares: float
    """Σ s²."""


@dataclass(frozen=True, slots=True)
class Rating:
    """An entrant's strength."""

    value: float
    """On the Elo scale; the field's mean is 1500."""
    interval: float
    """Half the width of the 95 % interval, in the same points."""
    units: int
    """Units behind it."""


def rate(entrants: int, units: Mapping[tuple[int, int], Unit]) -> list[Rating]:
    """Ratings of entrants 0 … entrants-1; `units` by (i, j), i < j, as scored by i.

    Entrants without a unit get the mean with the prior's interval; a field of one is 1500 ± 0.
    Raises ValueError for a pair that is none, or counts no unit can have.
    """
    edges = [(i, j, unit) for (i, j), unit in sorted(units.items()) if unit.number]
    for i, j, unit in edges:
        if not 0 <= i < j < entrants:
            raise ValueError(f"({i}, {j}) is no pair of {entrants} entrants")
        if not 0 <= unit.squares <= unit.score + 1e-9 or unit.score > unit.number + 1e-9:
            raise ValueError(f"({i}, {j}): no {unit.number} units score {unit.score}")
    played = [0] * entrants
    for i, j, unit in edges:
        played[i] += unit.number
        played[j] += unit.number
    if entrants < 2:
        return [Rating(MEAN, 0.0, count) for count in played]
    fit = _Fit(entrants, edges)
    theta = fit.maximum()
    errors = fit.errors(theta)
    return [
        Rating(MEAN + SCALE * value, QUANTILE * SCALE * error, count)
        for value, error, count in zip(theta, errors, played, strict=True)
    ]


def expected(difference: float) -> float:
    """Expected score of a unit at a difference in rating points."""
    return _logistic(difference / SCALE)


def gradient(theta: Sequence[float], units: Mapping[tuple[int, int], Unit]) -> list[float]:
    """Slope of the log likelihood, prior included, at `theta` (logits): zero at its maximum."""
    return _Fit(len(theta), [(i, j, u) for (i, j), u in sorted(units.items())]).gradient(theta)


class _Fit:
    """The likelihood of one field, its maximum, and the errors there."""

    def __init__(self, entrants: int, edges: Sequence[tuple[int, int, Unit]]) -> None:
        self.n = entrants
        self.edges = edges

    def maximum(self) -> list[float]:
        """Newton's method; a long step is halved until it climbs enough. θ sums to zero.

        The likelihood is concave and, by the prior, has one maximum in the finite. Steps below
        `CLOSE` are taken whole: there the method converges quadratically, and the likelihood's
        own rounding can no longer tell better from worse.
        """
        theta = [0.0] * self.n
        before = inf
        for _ in range(STEPS):
            slope = self.gradient(theta)
            step = solve(cholesky(self.hessian(theta)), slope)
            size = max(map(abs, step))
            if size < CLOSE and size > before / 2:
                break  # as good as floats can say
            length = 1.0 if size < CLOSE else self._length(theta, step, dot(step, slope))
            theta = _centred([t + length * s for t, s in zip(theta, step, strict=True)])
            if size < EXACT:
                break
            before = size
        return theta

    def _length(self, theta: Sequence[float], step: Sequence[float], rise: float) -> float:
        height = self.likelihood(theta)
        length = 1.0
        while length > EXACT:
            tried = [t + length * s for t, s in zip(theta, step, strict=True)]
            if self.likelihood(tried) >= height + 1e-4 * length * rise:
                break
            length /= 2
        return length

    def likelihood(self, theta: Sequence[float]) -> float:
        """Logarithm of the (quasi-)likelihood, prior included."""
        total = 0.0
        for i, j, unit in self.edges:
            d = theta[i] - theta[j]
            total -= unit.score * _softplus(-d) + (unit.number - unit.score) * _softplus(d)
        mean = sum(theta) / self.n
        for value in theta:
            total -= (_softplus(value - mean) + _softplus(mean - value)) / 2
        return total

    def gradient(self, theta: Sequence[float]) -> list[float]:
        """Its slope; the prior pulls towards the mean, which moves with every entrant."""
        mean = sum(theta) / self.n
        pull = [0.5 - _logistic(value - mean) for value in theta]
        shared = sum(pull) / self.n
        slope = [value - shared for value in pull]
        for i, j, unit in self.edges:
            surplus = _surplus(unit, theta[i] - theta[j])
            slope[i] += surplus
            slope[j] -= surplus
        return slope

    def hessian(self, theta: Sequence[float]) -> list[list[float]]:
        """Of minus the logarithm; lower triangle, made definite along the ratings' common level.

        That level is free in the likelihood and of no effect on steps or errors: the slope and
        the scores of units sum to zero.
        """
        mean = sum(theta) / self.n
        weights = [_variance(value - mean) for value in theta]
        matrix = self._prior_part(weights)
        level = sum(weights) / self.n
        for i in range(self.n):
            row = matrix[i]
            for j in range(i + 1):
                row[j] += level
        for i, j, unit in self.edges:
            weight = unit.number * _variance(theta[i] - theta[j])
            matrix[j][i] -= weight
            matrix[i][i] += weight
            matrix[j][j] += weight
        return matrix

    def errors(self, theta: Sequence[float]) -> list[float]:
        """Standard errors of θ by the sandwich."""
        bread = inverse(cholesky(self.hessian(theta)))
        mean = sum(theta) / self.n
        drawn = [0.25 + (0.5 - _logistic(value - mean)) ** 2 for value in theta]
        meat = self._prior_part(drawn)
        for i, j, unit in self.edges:
            d = theta[i] - theta[j]
            # Σ(s - p)² is the units' own spread and their mean's distance from p.
            spread = max(0.0, unit.squares - unit.score**2 / unit.number)
            residuals = spread + _surplus(unit, d) ** 2 / unit.number
            leverage = _variance(d) * (bread[i][i] + bread[j][j] - 2 * bread[i][j])
            squared = residuals / (1 - leverage) ** 2
            meat[j][i] -= squared
            meat[i][i] += squared
            meat[j][j] += squared
        # Row · M · row of a symmetric M: twice what is below the diagonal, and the diagonal.
        for i, row in enumerate(meat):
            row[:i] = [2 * value for value in row[:i]]
        return [sqrt(max(0.0, dot(row, [dot(m, row) for m in meat]))) for row in bread]

    def _prior_part(self, weights: Sequence[float]) -> list[list[float]]:
        """C·diag(weights)·C, lower triangle, C taking the mean off: one term an entrant."""
        n = self.n
        total = sum(weights) / (n * n)
        matrix = [[total - (weights[i] + weights[j]) / n for j in range(i + 1)] for i in range(n)]
        for i, weight in enumerate(weights):
            matrix[i][i] += weight
        return matrix


def _centred(values: Sequence[float]) -> list[float]:
    mean = sum(values) / len(values)
    return [value - mean for value in values]


def _surplus(unit: Unit, d: float) -> float:
    """Score beyond what a difference d lets expect; without the loss of digits of 1 - p."""
    return unit.score * _logistic(-d) - (unit.number - unit.score) * _logistic(d)


def _logistic(x: float) -> float:
    if x >= 0:
        return 1.0 / (1.0 + exp(-x))
    grown = exp(x)
    return grown / (1.0 + grown)


def _variance(x: float) -> float:
    """p·(1 - p), without the loss of digits of 1 - p near one."""
    shrunk = exp(-abs(x))
    return shrunk / (1.0 + shrunk) ** 2


def _softplus(x: float) -> float:
    """log(1 + exp(x)) without overflow."""
    return max(x, 0.0) + log1p(exp(-abs(x)))
