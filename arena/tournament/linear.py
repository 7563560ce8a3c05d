"""Symmetric positive definite systems, dense, in plain Python.

Ratings need a Cholesky factor, solves and one inverse for as many unknowns as there are entrants:
a few to a few hundred. Plain lists do that in a second for 300; numpy would be faster, but it
would be the service's largest dependency for this one page, and its BLAS may differ in the last
digit from machine to machine, where a table must not.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import sqrt
from operator import mul

Row = list[float]


def dot(a: Iterable[float], b: Iterable[float]) -> float:
    """Σ a·b over the shorter of the two; left to right, so always the same bits."""
    total: float = sum(map(mul, a, b))
    return total


def cholesky(matrix: Sequence[Sequence[float]]) -> list[Row]:
    """L, lower triangular (row i has i + 1 entries), with L·Lᵀ = `matrix`.

    Reads the lower triangle only. Raises ArithmeticError when it is not positive definite.
    """
    lower: list[Row] = []
    for i, given in enumerate(matrix):
        row: Row = []
        for j in range(i):
            other = lower[j]
            row.append((given[j] - dot(row, other)) / other[j])
        pivot = given[i] - dot(row, row)
        if pivot <= 0.0:
            raise ArithmeticError(f"not positive definite at row {i}")
        row.append(sqrt(pivot))
        lower.append(row)
    return lower


def solve(lower: Sequence[Row], right: Sequence[float]) -> Row:
    """x with L·Lᵀ·x = `right`."""
    n = len(lower)
    x: Row = []
    for i, row in enumerate(lower):
        x.append((right[i] - dot(row, x)) / row[i])
    for i in range(n - 1, -1, -1):
        row = lower[i]
        x[i] /= row[i]
        value = x[i]
        for j in range(i):
            x[j] -= row[j] * value
    return x


def inverse(lower: Sequence[Row]) -> list[Row]:
    """The inverse of L·Lᵀ, whole and symmetric."""
    n = len(lower)
    # columns[j] is column j of L⁻¹ from row j down.
    columns: list[Row] = []
    for j in range(n):
        column = [1.0 / lower[j][j]]
        for i in range(j + 1, n):
            row = lower[i]
            column.append(-dot(row[j:i], column) / row[i])
        columns.append(column)
    result = [[0.0] * n for _ in range(n)]
    for i in range(n):
        for j in range(i + 1):
            # Both columns from row i down.
            value = dot(columns[i], columns[j][i - j :])
            result[i][j] = result[j][i] = value
    return result
