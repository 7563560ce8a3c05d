from __future__ import annotations

from collections import Counter
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.tournament import balance
from arena.tournament.designs import Design, design, fewest_tables
from arena.tournament.starters_found import FOUND

THREE = (0, 1, 2)
PAIRS = (0, 1, 0, 1)
FIVE = (0, 1, 2, 3, 4)
TRIOS = (0, 1, 0, 1, 0, 1)
SEVEN = (0, 1, 2, 3, 4, 5, 6)


def counted(plan: Design, turns: int, rounds: int) -> dict[str, tuple[int, int]]:
    """The least and the most of everything, table by table."""
    met = {True: Counter(), False: Counter()}
    seats, matches = Counter(), Counter()
    for turn in range(turns + 1):
        for table in plan.walk(turn, None if turn < turns else rounds):
            assert len(set(table)) == len(plan.side_of)
            seats.update((point, seat) for seat, point in enumerate(table))
            matches.update(table)
            for (a, x), (b, y) in combinations(enumerate(table), 2):
                met[plan.side_of[a] == plan.side_of[b]][frozenset((x, y))] += 1
    everyone = range(plan.points)
    pairs = [frozenset(pair) for pair in combinations(everyone, 2)]

    def ends(counter: Counter, keys) -> tuple[int, int]:
        values = [counter[key] for key in keys]
        return min(values), max(values)

    total = turns * plan.rounds + rounds
    played = ends(matches, everyone)
    return {
        "matches": played,
        "opponents": ends(met[False], pairs),
        "partners": ends(met[True], pairs),
        "seats": ends(seats, [(p, s) for p in everyone for s in range(len(plan.side_of))]),
        "byes": (total - played[1], total - played[0]),
    }


sizes = st.one_of(
    st.tuples(st.just(THREE), st.integers(3, 16)),
    st.tuples(st.just(PAIRS), st.integers(4, 14)),
    st.tuples(st.just(FIVE), st.integers(5, 12)),
    st.tuples(st.just(TRIOS), st.integers(6, 11)),
    st.tuples(st.just(SEVEN), st.integers(7, 12)),
)


@settings(max_examples=40)
@given(sizes, st.integers(0, 8), st.data())
def test_the_balance_stated_is_the_balance_there_is(size, turns, data):
    side_of, points = size
    plan = design(points, side_of)
    rounds = data.draw(st.integers(0 if turns else 1, plan.rounds - 1)) if plan.rounds > 1 else 0
    stated = balance.of_design(plan, turns, rounds)
    found = counted(plan, turns, rounds)
    assert tuple(stated.matches) == found["matches"]
    assert tuple(stated.opponents) == found["opponents"]
    assert tuple(stated.seats) == found["seats"]
    assert tuple(stated.byes) == found["byes"]
    if side_of in (PAIRS, TRIOS):
        assert stated.partners is not None
        assert tuple(stated.partners) == found["partners"]
    else:
        assert stated.partners is None


@settings(max_examples=40)
@given(sizes, st.integers(1, 4))
def test_a_whole_turn_is_even(size, turns):
    side_of, points = size
    plan = design(points, side_of)
    found = balance.of_design(plan, turns, 0)
    assert found.matches.spread == 0
    assert found.opponents.spread == 0
    assert found.partners is None or found.partners.spread == 0
    # Seats: exactly, or where one point stays, in as many turns as there are seats.
    if not plan.fixed:
        assert found.even
    assert balance.of_design(plan, len(side_of), 0).even


@settings(max_examples=40)
@given(sizes)
def test_nobody_plays_twice_in_a_round(size):
    plan = design(*reversed(size))
    rounds: dict[int, list[int]] = {}
    for index in range(plan.tables):
        place = plan.place(index)
        assert plan.tables_before(place.round) + place.table == index
        rounds.setdefault(place.round, []).extend(plan.seats(place, 1))
    assert all(len(set(seated)) == len(seated) for seated in rounds.values())
    assert list(rounds) == list(range(plan.rounds))


@pytest.mark.parametrize(
    ("side_of", "points", "tables", "opponents", "partners"),
    [
        (THREE, 4, 4, 2, None),  # all threes of four
        (THREE, 7, 14, 2, None),  # two Fano planes
        (THREE, 9, 24, 2, None),
        (FIVE, 9, 18, 5, None),  # the complement of a 2-(9, 4, 3)
        (SEVEN, 8, 8, 6, None),
        (PAIRS, 4, 3, 2, 1),  # whist for four …
        (PAIRS, 8, 14, 2, 1),  # … eight …
        (PAIRS, 5, 5, 2, 1),  # … and five
        (PAIRS, 13, 39, 2, 1),
        (TRIOS, 7, 7, 3, 2),
    ],
)
def test_designs_as_the_books_have_them(side_of, points, tables, opponents, partners):
    plan = design(points, side_of)
    found = balance.of_design(plan, 1, 0)
    assert plan.tables == tables
    assert found.opponents == (opponents, opponents)
    assert found.partners == (None if partners is None else (partners, partners))


@pytest.mark.parametrize(("side_of", "points"), FOUND)
def test_what_was_found_is_exactly_even(side_of, points):
    found = balance.of_design(design(points, side_of), 1, 0)
    assert found.matches.spread == found.opponents.spread == 0
    assert found.partners is None or found.partners.spread == 0


def test_a_design_too_long_is_one_round_base_and_says_what_is_uneven():
    plan = design(44, THREE)
    assert fewest_tables(44, THREE) * 3 > 100
    assert plan.rounds == 44
    found = balance.of_design(plan, 1, 0)
    assert 0 < found.opponents.spread <= 2
    assert not found.even
    assert f"meets each other in {found.opponents.low} to {found.opponents.high}" in str(found)
    # More turns are more even for their number: every turn takes the points times another unit.
    assert balance.of_design(plan, 10, 0).opponents.spread < 10 * found.opponents.spread


def test_fewer_points_than_seats_are_refused():
    with pytest.raises(ValueError, match="5 seats need as many points, not 4"):
        design(4, FIVE)
