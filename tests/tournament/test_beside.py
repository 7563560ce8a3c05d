"""Plackett-Luce's ratings beside Bradley-Terry's, where two meet."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.tournament import GameScore, Schedule, Table, tally
from arena.tournament.skill import MOST_UNITS, spread, units_between
from tests.tournament.specs import field


def played(of, games=20):
    """Every match of a schedule; the lower number wins two games of three."""
    random = Random(5)
    found = []
    for pairing in Schedule(of):
        better = min((0, 1), key=lambda i: pairing.entrants[i])
        won = [better if random.random() < 2 / 3 else 1 - better for _ in range(games)]
        found.append(
            tally(
                [GameScore(n, (w,), (10, 4) if w == 0 else (4, 10)) for n, w in enumerate(won)],
                duplicate=of.duplicate,
                winners=(better,),
                pairing=pairing.index,
                entrants=pairing.entrants,
            )
        )
    return found


@pytest.mark.parametrize("duplicate", [False, True])
def test_both_ratings_stand_in_a_row_and_agree_on_who_is_better(duplicate):
    of = replace(field(4, cycles=2, duplicate=duplicate), match_format={
        "games": 20, **({"duplicate": True} if duplicate else {}),
    })  # fmt: skip  # one call
    table = Table.of(of, played(of)).as_dict()
    assert table["ratings"] == "Bradley-Terry"
    assert table["beside"] == f"Plackett-Luce over {'duplicate pair' if duplicate else 'game'}s"
    rows = sorted(table["standings"], key=lambda row: row["index"])
    for name in ("rating", "plackett_luce"):
        assert rows[0][name] > rows[3][name]
        assert sum(row[name] for row in rows) == pytest.approx(6000, abs=0.05)
    for row in rows:
        assert row["plackett_luce_interval"] > 0
        between = abs(row["rating"] - row["plackett_luce"])
        assert between < row["interval"] + row["plackett_luce_interval"]


def test_any_order_of_arrival_gives_the_same_ratings():
    of = replace(field(5), match_format={"games": 20, "duplicate": True})
    tallies = played(of)
    table = Table.of(of, tallies).as_dict()
    Random(2).shuffle(tallies)
    assert Table.of(of, tallies).as_dict() == table


def test_of_a_great_many_units_a_match_is_one():
    of = field(2, duplicate=False)
    assert not Table(replace(of, match_format={"games": MOST_UNITS})).whole
    large = Table(replace(of, match_format={"games": MOST_UNITS + 1}))
    assert (large.whole, large.beside) == (True, "Plackett-Luce over matches")
    large.add(played(of)[0])
    assert [row.units for row in large.ratings_beside()] == [1, 1]
    assert [row.units for row in large.standings()] == [20, 20]


def test_of_a_great_many_matches_it_waits_for_the_last():
    of = replace(field(2, cycles=MOST_UNITS + 1, duplicate=False), match_format={"games": 1})
    game = [GameScore(0, (0,), (10, 4))]
    table = Table(of)
    for pairing in Schedule(of):
        assert not table.ratings_beside()
        table.add(
            tally(
                game,
                duplicate=False,
                winners=(0,),
                pairing=pairing.index,
                entrants=pairing.entrants,
            )
        )
    assert [row.units for row in table.ratings_beside()] == [MOST_UNITS + 1] * 2
    assert "plackett_luce" in table.as_dict()["standings"][0]


@pytest.mark.parametrize(
    ("counts", "units", "match"),
    [
        ((0, 0, 0, 0, 0), [], []),
        ((0, 0, 0, 0, 2), ["01", "01"], ["01"]),
        ((1, 1, 0, 0, 0), ["10", "10"], ["10"]),
        ((0, 1, 0, 1, 0), ["01", "10"], ["00"]),
        ((2, 0, 1, 0, 0), ["10", "00", "10"], ["10"]),
        ((0, 3, 0, 0, 2), ["10", "01", "10", "01", "10"], ["01"]),
    ],
)
def test_the_places_of_a_match(counts, units, match):
    assert list(units_between(counts, whole=False)) == units
    assert list(units_between(counts, whole=True)) == match


@given(*[st.integers(0, 40)] * 3)
def test_units_are_spread_evenly(ahead, level, behind):
    found = list(spread(ahead, level, behind))
    total = ahead + level + behind
    for places, count in (("00", level), ("01", ahead), ("10", behind)):
        assert found.count(places) == count
        for end in range(total + 1):
            share = end * count / total if total else 0
            assert abs(found[:end].count(places) - share) < 2


def test_where_more_than_two_meet_there_is_one_rating():
    of = replace(field(4), preset="three", match_format={"games": 3})
    table = Table.of(of, []).as_dict()
    assert (table["ratings"], table["beside"]) == ("Plackett-Luce", "")
    assert "plackett_luce" not in table["standings"][0]
