from __future__ import annotations

import click
import pytest
from euchre_arena.v1 import tournament_pb2 as pb

from arena.admin.client import Standings
from arena.terminal import tables
from arena.terminal.progress import Rate, follow


def table(*names, level=0):
    rows = [
        pb.Standing(
            rank=place,
            entrant=name,
            rating=1500 + 10.4 * place,
            interval=33.3,
            score=7.5,
            games=12,
            won=7,
            drawn=level,
            lost=5 - level,
            points=90,
            conceded=81,
            faults={"timeout": 2} if place == 1 else {},
        )
        for place, name in enumerate(names, 1)
    ]
    cells = [
        pb.CrosstableRow(
            cells=[pb.CrosstableCell(won=1, lost=3, drawn=level) for _ in names],
        )
        for _ in names
    ]
    return Standings(scoring="games", unit="game", rows=rows, crosstable=cells)


def test_plain_standings_line_up(capsys):
    tables.standings(table("ada", "a-longer-name"), "Title")
    assert capsys.readouterr().out.splitlines() == [
        "Title",
        "rank  entrant        rating  ±95 %  score  games  won  lost  points  faults",
        "   1  ada              1510   ± 33    7.5     12    7     5   90-81       2",
        "   2  a-longer-name    1521   ± 33    7.5     12    7     5   90-81       –",
    ]


def test_level_games_have_a_column_where_there_are_any(capsys):
    tables.standings(table("ada", "bob", level=2))
    heading, first, _ = capsys.readouterr().out.splitlines()
    assert heading.split()[7:] == ["won", "level", "lost", "points", "faults"]
    assert first.split()[7:10] == ["7", "2", "3"]


def test_what_is_staked_has_columns_where_it_is_counted(capsys):
    staked = table("ada", "bob")
    for row, rubber, stakes in zip(staked.rows, (8, 0), (80, -80), strict=True):
        row.rubber, row.stakes, row.skunks = rubber, stakes, 0
    tables.standings(staked)
    heading, first, second = capsys.readouterr().out.splitlines()
    assert heading.split()[-5:] == ["points", "rubber", "stakes", "skunks", "faults"]
    assert first.split()[-4:] == ["8", "+80", "0", "2"]
    assert second.split()[-4:] == ["0", "-80", "0", "–"]


def test_a_crosstable_shares_level_games(capsys):
    tables.crosstable(table("ada", "bob", level=1))
    assert capsys.readouterr().out.splitlines() == [
        "   entrant        1        2",
        "1  ada            –  1.5-3.5",
        "2  bob      1.5-3.5        –",
    ]


def test_standings_fit_a_terminal_of_eighty_columns(capsys):
    wide = table("never-alone", "a-longer-name")
    for row in wide.rows:
        row.games, row.won, row.lost, row.points, row.conceded = 1400, 950, 450, 12421, 8270
    tables.standings(wide)
    assert max(map(len, capsys.readouterr().out.splitlines())) <= 80


@pytest.mark.parametrize(("ms", "text"), [(0, "–"), (1_000, "1970-01-01 00:00:01")])
def test_times_are_utc(ms, text):
    assert tables.when(ms) == text


def test_the_rate_is_that_of_the_last_while():
    rate = Rate()
    assert rate.add(0.0, 0) == 0
    assert rate.add(10.0, 100) == 10
    for second in range(11, 60):
        found = rate.add(second, 100)
    assert found == 0  # what was long ago is forgotten
    assert rate.add(60.0, 300) == pytest.approx(10, rel=0.1)


def test_games_taken_back_are_no_rate():
    rate = Rate()
    rate.add(0.0, 50)
    assert rate.add(1.0, 40) == 0


def change(games, state=pb.TOURNAMENT_STATE_RUNNING, name="cup", **more):
    counts = {"games_total": 100, "finished": games // 10, "total": 10, **more}
    progress = pb.Progress(games=games, **counts)
    tournament = pb.Tournament(name=name, state=state, progress=progress)
    return pb.WatchTournamentResponse(tournament=tournament)


def test_elsewhere_than_on_a_terminal_lines_come_seldom(capsys):
    changes = [change(n) for n in range(0, 100, 5)]
    changes.append(change(100, pb.TOURNAMENT_STATE_FINISHED))
    assert list(follow(iter(changes))) == changes
    lines = capsys.readouterr().err.splitlines()
    assert len(lines) == 2
    assert lines[0].startswith("cup running: 0 of 100 games, 0/10 matches")
    assert lines[1].startswith("cup finished: 100 of 100 games, 10/10 matches")
    assert "games/s" in lines[1]


@pytest.mark.parametrize(
    ("started", "finished", "end"),
    [(1000, 6000, ", 20 games/s"), (1000, 1_001_000, ", 0.1 games/s"), (0, 6000, "10/10 matches")],
)
def test_of_what_is_over_the_average_is_told(capsys, started, finished, end):
    last = change(100, pb.TOURNAMENT_STATE_FINISHED)
    last.tournament.started_ms, last.tournament.finished_ms = started, finished
    list(follow(iter([last])))
    assert capsys.readouterr().err.endswith(f"{end}\n")


def test_on_a_terminal_there_is_a_bar(capsys, monkeypatch):
    monkeypatch.setattr("sys.stderr.isatty", lambda: True, raising=False)
    list(follow(iter([change(0), change(50)])))
    shown = capsys.readouterr().err
    assert "cup running" in shown
    assert "50/100" in shown
    assert "games/s" in shown


@pytest.mark.parametrize("width", [30, 50, 80, 120])
@pytest.mark.parametrize("name", ["cup", "[red]Friday night of the club of the town[/red]"])
def test_the_bar_cuts_no_number_however_narrow(capsys, monkeypatch, width, name):
    monkeypatch.setattr("sys.stderr.isatty", lambda: True, raising=False)
    monkeypatch.setenv("COLUMNS", str(width))
    counts = {"games_total": 2_800_000, "finished": 12_345, "total": 28_000, "voided": 12}
    list(follow(iter([change(0), change(1_234_567, name=name, **counts)])))
    shown = click.unstyle(capsys.readouterr().err)
    last = [line.rstrip() for line in shown.splitlines() if line.strip()][-1]
    assert "1234567/2800000" in last
    assert len(last) <= width
    if width >= 80:
        assert name[:8] in last
        assert "running" in last
        assert sum(last.count(piece) for piece in "━╺╸") >= 10
    assert ("12345/28000 matches" in last) == ("12345/28" in last)
