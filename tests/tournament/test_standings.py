from __future__ import annotations

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from arena.tournament import GameScore, Schedule, Table, tally
from tests.tournament.specs import field


def match(pairing, entrants, winners, points=(10, 0), *, duplicate=True, faults=({}, {})):
    """A match whose games were won by these."""
    games = [GameScore(n, tuple(w), points) for n, w in enumerate(winners)]
    halves = [sum(2 if w == [e] else e in w for w in winners) for e in (0, 1)]
    best = [e for e in (0, 1) if halves[e] == max(halves)]
    return tally(
        games,
        duplicate=duplicate,
        winners=best,
        faults=faults,
        pairing=pairing,
        entrants=entrants,
    )


def names(table):
    return [(row.rank, row.entrant) for row in table.standings()]


def test_the_score_decides_then_the_games_between_those_level_then_points():
    # Everyone has three games; between all four that is level too, so points decide.
    tallies = [
        match(0, (0, 1), [[0], [0]], (10, 9)),
        match(1, (2, 0), [[0], [0]], (10, 9)),
        match(2, (1, 2), [[0], [0]], (10, 2)),
        match(3, (0, 3), [[0], [1]], (6, 5)),
        match(4, (3, 1), [[0], [1]], (6, 5)),
        match(5, (2, 3), [[0], [1]], (6, 5)),
    ]
    rows = Table.of(field(4), tallies).standings()
    assert [(row.rank, row.entrant, row.score, row.points - row.conceded) for row in rows] == [
        (1, "bot-1", 3, 12),
        (2, "bot-0", 3, 2),
        (3, "bot-3", 3, -2),
        (4, "bot-2", 3, -12),
    ]


def test_direct_games_come_before_points():
    spec = field(3)
    tallies = [
        match(0, (0, 1), [[0], [0]], (10, 9)),
        match(1, (1, 2), [[0], [0]], (10, 0)),
        match(2, (0, 2), [[0, 1], [0, 1]], (9, 9)),
        match(3, (1, 2), [[0], [1]], (10, 0)),
    ]
    # bot-0: 2 + 1 = 3, bot-1: 2 + 1 = 3 with more points, but it lost to bot-0.
    assert names(Table.of(spec, tallies))[:2] == [(1, "bot-0"), (2, "bot-1")]


def test_level_in_everything_is_one_rank():
    table = Table.of(field(4), [match(0, (0, 1), [[0], [1]], (5, 5))])
    assert names(table) == [(1, "bot-0"), (1, "bot-1"), (3, "bot-2"), (3, "bot-3")]


def test_a_row_counts_everything():
    faults = ({"timeout": 2}, {})
    table = Table.of(
        field(2),
        [
            match(0, (0, 1), [[0], [0], [0, 1], [1]], (10, 4), faults=faults),
            match(1, (1, 0), [[0], [1]], (10, 4), faults=({}, {"timeout": 1, "illegal": 1})),
        ],
    )
    best, worst = table.standings()
    assert (best.entrant, best.rank, best.score) == ("bot-0", 1, 3.5)
    assert (best.games, best.won, best.drawn, best.lost) == (6, 3, 1, 2)
    assert (best.matches, best.matches_won, best.matches_drawn) == (2, 1, 1)
    assert (best.points, best.conceded) == (48, 36)
    assert best.units == 3
    assert best.faults == {"illegal": 1, "timeout": 3}
    assert worst.faults == {}
    assert best.rating > 1500 > worst.rating
    assert best.low < best.rating < best.high


def test_the_crosstable_has_every_meeting_from_both_sides():
    table = Table.of(field(3), [match(0, (2, 0), [[0], [0, 1]], (10, 7))])
    cells = table.crosstable()
    assert (cells[2][0].won, cells[2][0].drawn, cells[2][0].lost) == (1, 1, 0)
    assert (cells[0][2].won, cells[0][2].drawn, cells[0][2].lost) == (0, 1, 1)
    assert cells[2][0].score == 1.5
    assert (cells[0][2].points, cells[0][2].conceded) == (14, 20)
    assert cells[1][0].score == 0


def test_best_of_counts_matches():
    spec = replace(field(3), match_format={"best_of": 3})
    table = Table.of(
        spec,
        [
            match(0, (0, 1), [[0], [1], [0]], duplicate=False),
            match(1, (1, 2), [[0], [0]], duplicate=False),
            match(2, (2, 0), [[1], [1]], duplicate=False),
        ],
    )
    assert [(row.entrant, row.score, row.won) for row in table.standings()] == [
        ("bot-0", 2, 4),
        ("bot-1", 1, 3),
        ("bot-2", 0, 0),
    ]


def test_deals_count_net_points():
    spec = replace(field(3), match_format={"deals": 2})
    table = Table.of(
        spec,
        [
            match(0, (0, 1), [[0], [0]], (1, 0), duplicate=False),
            match(1, (1, 2), [[0], [1]], (4, 2), duplicate=False),
        ],
    )
    assert [(row.entrant, row.score) for row in table.standings()] == [
        ("bot-0", 2),
        ("bot-1", 2),
        ("bot-2", -4),
    ]


def test_what_is_stored_is_in_the_order_of_the_standings():
    stored = Table.of(field(3), [match(0, (2, 0), [[0], [0]], (10, 7))]).as_dict()
    assert [row["entrant"] for row in stored["standings"]] == ["bot-2", "bot-1", "bot-0"]
    assert stored["crosstable"] == [
        [None, [0, 0, 0, 0, 0], [2, 0, 0, 20, 14]],
        [[0, 0, 0, 0, 0], None, [0, 0, 0, 0, 0]],
        [[0, 0, 2, 14, 20], [0, 0, 0, 0, 0], None],
    ]
    row = stored["standings"][0]
    assert row["low"] < row["rating"] < row["high"]
    assert stored["unit"] == "duplicate pair"
    assert stored["results"] == 1


def test_before_the_first_result_everyone_is_level():
    table = Table(field(3))
    assert names(table) == [(1, "bot-0"), (1, "bot-1"), (1, "bot-2")]
    assert all(row.rating == 1500 and row.interval > 0 for row in table.standings())


winners = st.lists(st.sampled_from([[0], [1], [0, 1]]), min_size=1, max_size=6)


@given(st.integers(2, 6), st.data(), st.randoms(use_true_random=False))
def test_any_order_of_arrival_gives_the_same_table(size, data, random):
    spec = field(size, cycles=2)
    tallies = [
        match(p.index, p.entrants, data.draw(winners), data.draw(st.sampled_from([(1, 0), (7, 9)])))
        for p in Schedule(spec)
    ]
    table = Table.of(spec, tallies)
    random.shuffle(tallies)
    again = Table.of(spec, tallies)
    assert again.as_dict() == table.as_dict()
    assert again.standings() == table.standings()  # to the last bit of every rating
    rows = table.standings()
    assert sum(row.score for row in rows) == sum(t.games for t in tallies)
    assert sum(row.points for row in rows) == sum(row.conceded for row in rows)
