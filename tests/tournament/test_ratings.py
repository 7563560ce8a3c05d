from __future__ import annotations

from math import exp, inf, log, sqrt

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.tournament.linear import cholesky, dot, inverse, solve
from arena.tournament.ratings import MEAN, QUANTILE, SCALE, Unit, expected, gradient, rate


def won(number: int, wins: float) -> Unit:
    """Units that are worth 0 or 1."""
    return Unit(number, wins, wins)


def theta(ratings) -> list[float]:
    return [(rating.value - MEAN) / SCALE for rating in ratings]


def test_the_scale_is_elos():
    assert expected(0) == 0.5
    assert expected(400) == pytest.approx(10 / 11)
    assert expected(-200) == pytest.approx(1 / (1 + sqrt(10)))


def test_two_entrants_have_a_closed_form():
    """n units, w of them won. With θ and -θ: n·(w/n - p(2θ)) = p(θ) - ½, solved by bisection."""
    n, w = 20, 14
    low, high = 0.0, 10.0
    for _ in range(200):
        middle = (low + high) / 2
        slope = w - n / (1 + exp(-2 * middle)) - (1 / (1 + exp(-middle)) - 0.5)
        low, high = (middle, high) if slope > 0 else (low, middle)
    a, b = rate(2, {(0, 1): won(n, w)})
    assert a.value == pytest.approx(MEAN + SCALE * low, abs=1e-6)
    assert a.value - MEAN == pytest.approx(MEAN - b.value)
    assert a.interval == pytest.approx(b.interval)
    assert (a.units, b.units) == (20, 20)


def test_many_units_leave_the_prior_behind():
    """Then the difference is log(w/l) and its error 1/√(n·p·q), the textbook's."""
    n, w = 1_000_000, 700_000
    a, b = rate(2, {(0, 1): won(n, w)})
    assert a.value - b.value == pytest.approx(SCALE * log(0.7 / 0.3), abs=0.01)
    error = 1 / sqrt(n * 0.7 * 0.3)  # of θ0 - θ1; each is half of it from the mean
    assert a.interval == pytest.approx(QUANTILE * SCALE * error / 2, rel=1e-3)


def test_units_that_vary_less_give_narrower_intervals():
    """Pairs always worth ½ to each say more than single games that are won and lost."""
    games = rate(2, {(0, 1): won(100, 50)})[0].interval
    pairs = rate(2, {(0, 1): Unit(100, 50, 25 + 100 / 16)})[0].interval  # s = ½ ± ¼
    steady = rate(2, {(0, 1): Unit(100, 50, 25)})[0].interval
    assert pairs == pytest.approx(games / 2, rel=0.05)
    assert 0 < steady < pairs


def test_a_transitive_field_of_three_is_recovered():
    strength = [0.8, 0.1, -0.9]
    n = 10**7
    units = {
        (i, j): won(n, n / (1 + exp(strength[j] - strength[i])))
        for i in range(3)
        for j in range(i + 1, 3)
    }
    assert theta(rate(3, units)) == pytest.approx(strength, abs=1e-5)


@pytest.mark.parametrize("number", [1, 10, 1_000, 10**9])
def test_a_clean_sweep_is_finite(number):
    best, worst = rate(2, {(0, 1): won(number, number)})
    assert MEAN < best.value < inf
    assert worst.value == pytest.approx(2 * MEAN - best.value)
    assert best.interval > 100  # how much stronger is not known


def test_sweeps_all_the_way_down_are_finite():
    field = 50
    units = {(i, j): won(1000, 1000) for i in range(field) for j in range(i + 1, field)}
    ratings = rate(field, units)
    values = [rating.value for rating in ratings]
    assert values == sorted(values, reverse=True)
    assert sum(values) / field == pytest.approx(MEAN)
    assert all(0 < rating.interval < inf for rating in ratings)


def test_one_drawn_unit_tells_little():
    a, b = rate(2, {(0, 1): Unit(1, 0.5, 0.25)})
    assert a.value == b.value == MEAN
    assert a.interval > 100


def test_fields_that_never_met_share_the_scale():
    """Two pairs without a game between them: equal results, equal ratings."""
    ratings = rate(5, {(0, 1): won(10, 8), (2, 3): won(10, 8)})
    assert ratings[0].value == pytest.approx(ratings[2].value)
    assert ratings[1].value == pytest.approx(ratings[3].value)
    assert ratings[4].value == pytest.approx(MEAN)
    assert ratings[4].units == 0
    # Who has not played is the least known.
    assert ratings[4].interval > max(rating.interval for rating in ratings[:4])


def test_a_field_of_one_or_none():
    assert rate(0, {}) == []
    (alone,) = rate(1, {})
    assert (alone.value, alone.interval) == (MEAN, 0)


@pytest.mark.parametrize(
    "units",
    [
        {(1, 0): won(1, 1)},
        {(0, 0): won(1, 1)},
        {(0, 3): won(1, 1)},
        {(0, 1): won(1, 2)},
        {(0, 1): Unit(2, 0.5, 1)},
        {(0, 1): Unit(2, -1, 0)},
    ],
)
def test_what_cannot_be_is_refused(units):
    with pytest.raises(ValueError, match=r"\(\d, \d\)"):
        rate(3, units)


@st.composite
def fields(draw):
    """A field and its units, in quarters; not everyone need have met."""
    size = draw(st.integers(2, 7))
    units = {}
    for i in range(size):
        for j in range(i + 1, size):
            counts = draw(st.lists(st.integers(0, 40), min_size=5, max_size=5))
            if draw(st.booleans()):
                quarters = sum(q * c for q, c in enumerate(counts))
                squares = sum(q * q * c for q, c in enumerate(counts))
                units[i, j] = Unit(sum(counts), quarters / 4, squares / 16)
    return size, units


@given(fields())
def test_the_likelihood_is_flat_at_the_ratings(field):
    size, units = field
    slope = gradient(theta(rate(size, units)), units)
    assert max(map(abs, slope)) < 1e-6 * (1 + sum(u.number for u in units.values()))


@given(fields())
def test_the_mean_is_1500_and_everything_finite(field):
    size, units = field
    ratings = rate(size, units)
    assert sum(r.value for r in ratings) / size == pytest.approx(MEAN)
    assert all(0 < r.interval < 2_000 for r in ratings)


@given(fields())
def test_turning_every_result_round_turns_the_ratings_round(field):
    size, units = field
    turned = {
        pair: Unit(u.number, u.number - u.score, u.number - 2 * u.score + u.squares)
        for pair, u in units.items()
    }
    for here, there in zip(rate(size, units), rate(size, turned), strict=True):
        assert there.value - MEAN == pytest.approx(MEAN - here.value, abs=1e-6)
        assert there.interval == pytest.approx(here.interval)


@given(fields(), st.randoms(use_true_random=False))
def test_names_do_not_matter(field, random):
    size, units = field
    order = list(range(size))
    random.shuffle(order)
    renamed = {}
    for (i, j), u in units.items():
        a, b = order[i], order[j]
        turned = Unit(u.number, u.number - u.score, u.number - 2 * u.score + u.squares)
        renamed[min(a, b), max(a, b)] = u if a < b else turned
    before, after = rate(size, units), rate(size, renamed)
    for i in range(size):
        assert after[order[i]].value == pytest.approx(before[i].value, abs=1e-6)
        assert after[order[i]].interval == pytest.approx(before[i].interval)


@settings(max_examples=30)
@given(st.integers(1, 8), st.randoms(use_true_random=False))
def test_the_algebra(size, random):
    root = [[random.uniform(-1, 1) for _ in range(size)] for _ in range(size)]
    matrix = [[dot(a, b) + (a is b) for b in root] for a in root]
    lower = cholesky(matrix)
    right = [random.uniform(-1, 1) for _ in range(size)]
    x = solve(lower, right)
    assert [dot(row, x) for row in matrix] == pytest.approx(right)
    back = inverse(lower)
    for i, row in enumerate(matrix):
        assert [dot(row, column) for column in back] == pytest.approx(
            [float(i == j) for j in range(size)], abs=1e-9
        )


def test_what_is_not_definite_is_refused():
    with pytest.raises(ArithmeticError, match="row 1"):
        cholesky([[1.0], [1.0, 1.0]])
