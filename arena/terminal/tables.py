"""Tables of aligned text."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from typing import Final, NamedTuple

import click

from arena.admin.client import Standing, Standings

CELL: Final = "{won:g}-{lost:g}"


class Column(NamedTuple):
    """A column's heading, and whether it holds numbers."""

    heading: str
    right: bool = False


def show(columns: Sequence[Column], rows: Iterable[Sequence[str]], title: str = "") -> None:
    """Print a table to standard output, title and headings bold on a terminal.

    Nothing is cut or folded to fit: a name or a number that is half there is worse than a line
    that is too long.
    """
    if title:
        click.secho(title, bold=True)
    heading, *lines = text(columns, [list(row) for row in rows]).split("\n")
    click.secho(heading, bold=True)
    for line in lines:
        click.echo(line)


def text(columns: Sequence[Column], rows: Sequence[Sequence[str]]) -> str:
    """A table as aligned text."""
    headings = [column.heading for column in columns]
    widths = [max(map(len, parts)) for parts in zip(headings, *rows, strict=True)]
    lines = []
    for row in [headings, *rows]:
        cells = [
            part.rjust(width) if column.right else part.ljust(width)
            for column, part, width in zip(columns, row, widths, strict=True)
        ]
        lines.append("  ".join(cells).rstrip())
    return "\n".join(lines)


def when(milliseconds: int) -> str:
    """A time of the service, UTC; a dash for none."""
    if not milliseconds:
        return "–"
    return datetime.fromtimestamp(milliseconds / 1000, UTC).strftime("%Y-%m-%d %H:%M:%S")


def standings(table: Standings, title: str = "") -> None:
    """Rank, name, rating and its interval, score, games, what is staked, faults."""
    level = any(row.drawn for row in table.rows)
    deals = table.kind == "progressive"
    several = table.sides > 2
    there = {field.name for row in table.rows for field, _ in row.ListFields()}
    worth = {name: sign for name, sign in _WORTH.items() if name in there}
    columns = [
        Column("rank", right=True),
        Column("entrant"),
        Column("rating", right=True),
        Column("±95 %", right=True),
        Column(_SCORE.get(table.scoring, table.scoring), right=True),
        *([Column("±95 %", right=True)] if deals else []),
        Column("deals" if deals else "games", right=True),
        Column("won", right=True),
        *([Column("shared" if several else "level", right=True)] if level else []),
        Column("lost", right=True),
        Column("points", right=True),
        *(Column(name, right=True) for name in worth),
        Column("faults", right=True),
    ]
    rows = [
        [
            str(row.rank),
            row.entrant,
            f"{row.rating:.0f}",
            f"± {row.interval:.0f}",
            *(_per_deal(row) if deals else [f"{row.score:.1f}" if several else f"{row.score:g}"]),
            str(row.games),
            str(row.won),
            *([str(row.drawn)] if level else []),
            str(row.lost),
            str(row.points) if several else f"{row.points}-{row.conceded}",
            *(f"{getattr(row, name):{sign}d}" for name, sign in worth.items()),
            str(sum(row.faults.values()) or "–"),
        ]
        for row in table.rows
    ]
    show(columns, rows, title)


_SCORE: Final = {"games": "score", "matches": "matches", "points": "net", "per deal": "per deal"}


_WORTH: Final = {"rubber": "", "stakes": "+", "skunks": ""}
"""Columns where there is something in them, and how their numbers are signed."""


def _per_deal(row: Standing) -> list[str]:
    interval = f"± {row.per_deal_interval:.3f}" if row.HasField("per_deal_interval") else "–"
    return [f"{row.per_deal:+.3f}", interval]


def crosstable(table: Standings, title: str = "") -> None:
    """Games each won and lost against each, in the order of the standings."""
    columns = [
        Column("", right=True),
        Column("entrant"),
        *(Column(str(place), right=True) for place in range(1, len(table.rows) + 1)),
    ]
    rows = [
        [
            str(place),
            row.entrant,
            *(
                "–"
                if place == other
                else CELL.format(won=cell.won + cell.drawn / 2, lost=cell.lost + cell.drawn / 2)
                for other, cell in enumerate(cells.cells, 1)
            ),
        ]
        for place, (row, cells) in enumerate(zip(table.rows, table.crosstable, strict=True), 1)
    ]
    show(columns, rows, title)
