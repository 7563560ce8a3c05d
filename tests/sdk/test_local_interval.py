"""Means and their intervals, against numbers worked out by hand."""

from __future__ import annotations

from math import isclose, sqrt

from euchre_arena.local.interval import Sums, Units


def sums(*values: float) -> Sums:
    made = Sums()
    for value in values:
        made.add(value)
    return made


def test_of_won_and_lost_it_is_agresti_and_coull_s():
    """40 of 50: centre (40 + z²/2) / (50 + z²)."""
    share = sums(*[1.0] * 40, *[0.0] * 10).share()
    assert share is not None
    z = 1.959964
    centre = (40 + z * z / 2) / (50 + z * z)
    reach = z * sqrt(centre * (1 - centre) / (50 + z * z))
    assert share.mean == 0.8
    assert isclose(share.low, centre - reach)
    assert isclose(share.high, centre + reach)


def test_a_clean_sweep_is_not_certain():
    share = sums(1, 1, 1, 1).share()
    assert share is not None
    assert (share.mean, share.high) == (1, 1)
    assert 0.4 < share.low < 0.6


def test_halves_are_tighter_than_wins_and_losses():
    halves, extremes = sums(*[0.5] * 20).share(), sums(*[0.0, 1.0] * 10).share()
    assert halves is not None
    assert extremes is not None
    assert halves.mean == extremes.mean == 0.5
    assert halves.high - halves.low < extremes.high - extremes.low


def test_a_mean_needs_two_units():
    assert sums(3).mean() is None
    assert sums().share() is None
    mean = sums(2, 4).mean()
    assert mean is not None
    assert mean.mean == 3
    assert isclose(mean.high - 3, 1.959964 * sqrt(2 / 2))


def test_a_unit_counts_when_it_is_whole_whatever_came_between():
    units = Units(2, 2, (0, 1, 0, 1))
    units.add(0, (0, 1, 0, 1), (10, 4), (0,))
    units.add(3, (1, 0, 1, 0), (2, 10), (1,))
    assert units.won[0].count == 0
    units.add(1, (1, 0, 1, 0), (10, 8), (0,))
    assert [unit.count for unit in units.won] == [1, 1]
    assert units.won[0].total == 0.5
    assert units.ahead[0].total == (6 - 2) / 2
    assert units.games == 3


def test_a_shared_win_counts_in_parts():
    units = Units(3, 1, (0, 1, 2))
    units.add(0, (0, 1, 2), (5, 5, 0), (0, 1))
    assert [unit.total for unit in units.won] == [0.5, 0.5, 0]
    assert [unit.total for unit in units.ahead] == [2.5, 2.5, -5]
