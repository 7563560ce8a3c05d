from __future__ import annotations

import tracemalloc
from collections import Counter
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.tournament import Schedule
from tests.tournament.specs import field, teams

sizes = st.integers(2, 17)
cycles = st.integers(1, 5)
seeds = st.text(max_size=5)


@given(sizes, cycles, seeds)
def test_each_meets_each_in_every_cycle(size, cycles, seed):
    schedule = Schedule(field(size, cycles=cycles, seed=seed))
    met = Counter((p.cycle, frozenset(p.entrants)) for p in schedule)
    every = [frozenset(pair) for pair in combinations(range(size), 2)]
    assert met == Counter((cycle, pair) for cycle in range(cycles) for pair in every)


@given(sizes, cycles, seeds)
def test_nobody_plays_twice_in_a_round_and_rounds_come_in_order(size, cycles, seed):
    schedule = Schedule(field(size, cycles=cycles, seed=seed))
    played = Counter((p.round, entrant) for p in schedule for entrant in p.entrants)
    assert set(played.values()) == {1}
    assert sorted({p.round for p in schedule}) == list(range(schedule.rounds))
    assert [(p.round, p.table) for p in schedule] == sorted((p.round, p.table) for p in schedule)
    # All tables are full: a round robin in the fewest rounds there can be.
    assert len(schedule) == schedule.rounds * (size // 2)


@given(sizes, cycles, seeds)
def test_sides_are_balanced_for_every_entrant(size, cycles, seed):
    schedule = Schedule(field(size, cycles=cycles, seed=seed))
    for entrant in range(size):
        sides = [p.entrants.index(entrant) for p in schedule if entrant in p.entrants]
        assert abs(sides.count(0) - sides.count(1)) == len(sides) % 2


@given(sizes, seeds)
def test_a_double_round_robin_turns_every_meeting_round(size, seed):
    schedule = Schedule(field(size, cycles=2, seed=seed))
    assert Counter(p.entrants for p in schedule) == Counter(
        (i, j) for i in range(size) for j in range(size) if i != j
    )


@given(sizes, cycles, seeds)
def test_a_teams_bots_change_places(size, cycles, seed):
    schedule = Schedule(teams(size, cycles=cycles, seed=seed))
    first = {team: Counter() for team in range(size)}
    for pairing in schedule:
        for seat, place in enumerate(pairing.seating):
            assert pairing.bots[seat] in schedule.spec.entrants[pairing.entrants[place]].bots
        assert len(set(pairing.bots)) == 4
        for place, entrant in enumerate(pairing.entrants):
            first[entrant][pairing.bots[pairing.seating.index(place)]] += 1
    for team, counted in first.items():
        a, b = schedule.spec.entrants[team].bots
        assert abs(counted[a] - counted[b]) <= 1


@given(sizes, cycles, seeds, st.data())
def test_any_pairing_is_found_by_its_index(size, cycles, seed, data):
    schedule = Schedule(field(size, cycles=cycles, seed=seed))
    everything = list(schedule)
    index = data.draw(st.integers(0, len(schedule) - 1))
    assert schedule[index] == everything[index]
    assert schedule[index - len(schedule)] == everything[index]
    assert everything[index].index == index
    batch = data.draw(st.integers(1, 7))
    assert [i for indices in schedule.batches(batch, index) for i in indices] == list(
        range(index, len(schedule))
    )


def test_the_schedule_is_the_same_wherever_it_is_computed():
    pairings = list(Schedule(field(5, seed="any text")))
    assert [p.entrants for p in pairings] == [
        *[(2, 4), (3, 1)],
        *[(3, 0), (1, 4)],
        *[(1, 2), (4, 0)],
        *[(4, 3), (0, 2)],
        *[(0, 1), (2, 3)],
    ]
    assert pairings[3].seating == (0, 1, 0, 1)
    assert pairings[3].bots == ("bot-1", "bot-4", "bot-1", "bot-4")
    assert pairings[3].match_id("friday") == "friday-m3"


def test_another_seed_is_another_schedule():
    first = [p.entrants for p in Schedule(field(8, seed="a"))]
    assert first != [p.entrants for p in Schedule(field(8, seed="b"))]


def test_a_hundred_thousand_pairings_need_no_list():
    schedule = Schedule(field(450))
    assert len(schedule) == 450 * 449 // 2 > 100_000
    pairings = iter(schedule)
    next(pairings)
    tracemalloc.start()
    for _ in range(10_000):
        last = next(pairings)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert last == schedule[10_000]
    assert peak < 50_000  # bytes: one pairing at a time
    assert schedule[-1].index == len(schedule) - 1


@pytest.mark.parametrize("index", [10, -11])
def test_there_is_no_pairing_beyond_the_last(index):
    with pytest.raises(IndexError, match="the schedule has 10"):
        Schedule(field(5))[index]
