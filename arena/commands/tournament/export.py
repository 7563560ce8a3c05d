"""`arena tournament export`: everything about a tournament as files."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterable, Sequence
from itertools import chain
from pathlib import Path
from typing import Any, Final

import click

from arena.admin.client import Admin, Match, Standings
from arena.commands.calling import admin_options, fail, plain, print_json

WORTH: Final = ("rubber", "stakes", "skunks")
MORE: Final = (*WORTH, "plackett_luce", "plackett_luce_interval")
"""Columns where there is something in them."""
FAULTS = ("timeout", "illegal", "disconnected", "crashed", "revoke", "forfeit")


@click.command()
@click.argument("tournament")
@click.option(
    "--output",
    "-o",
    metavar="DIR",
    type=click.Path(file_okay=False, path_type=Path),
    help="Where to; it must be empty or not be there yet.  [default: ./TOURNAMENT]",
)
@click.option("--records/--no-records", default=True, help="With the records, or without.")
@admin_options
def export(
    admin: Admin, tournament: str, output: Path | None, records: bool, as_json: bool
) -> None:
    """Write TOURNAMENT to a folder: what was played and what came of it.

    \b
      spec.toml          as the organizer wrote it
      tournament.json    state and counters
      standings.csv      rank, ratings and intervals, score, games, points, faults,
                         and rubber points, stakes and skunks where they are counted
      standings.json     the same and the crosstable
      crosstable.csv     games won by each against each
      results.csv        one line a match that is over
      results.jsonl      the same with everything there is
      records/           one record a match, to be refereed again: euchre-arena replay records/*
    """
    folder = output or Path(tournament)
    found = admin.get(tournament)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if any(folder.iterdir()):
            fail(f"{folder} is not empty; name another folder with --output")
        (folder / "spec.toml").write_text(found.spec, encoding="utf-8")
        _json(folder / "tournament.json", plain(found))
        table = admin.standings(tournament)
        if table is not None:
            _standings(folder, table)
        finished = iter(admin.matches(tournament, finished=True))
        first = next(finished, None)
        matches = _results(folder, chain([first] if first else [], finished), first)
        if records:
            _records(admin, folder / "records", matches)
    except OSError as error:
        fail(f"{error.filename or folder}: {error.strerror}")
    counts = {"folder": str(folder), "results": len(matches), "records": records * len(matches)}
    if as_json:
        print_json(counts)
    else:
        with_records = f" and {counts['records']} records" if records else ""
        click.echo(f"{folder}: {len(matches)} results{with_records}")


def _standings(folder: Path, table: Standings) -> None:
    _json(folder / "standings.json", plain(table))
    names = [row.entrant for row in table.rows]
    deals = table.kind == "progressive"
    more = [name for name in MORE if any(row.HasField(name) for row in table.rows)]
    _csv(
        folder / "standings.csv",
        [
            *("rank", "entrant", "rating", "interval", "score", "matches", "matches_won"),
            *("matches_drawn", "games", "won", "drawn", "lost", "points", "conceded", "units"),
            *(("per_deal", "per_deal_interval") if deals else ()),
            *more,
            *(f"faults_{kind}" for kind in FAULTS),
        ],
        [
            [
                *(row.rank, row.entrant, row.rating, row.interval, row.score, row.matches),
                *(row.matches_won, row.matches_drawn, row.games, row.won, row.drawn, row.lost),
                *(row.points, row.conceded, row.units),
                *((row.per_deal, row.per_deal_interval) if deals else ()),
                *(getattr(row, name) for name in more),
                *(row.faults.get(kind, 0) for kind in FAULTS),
            ]
            for row in table.rows
        ],
    )
    _csv(
        folder / "crosstable.csv",
        ["entrant", *names],
        [
            [
                name,
                *(
                    "" if i == j else f"{cell.won + cell.drawn / 2:g}"
                    for j, cell in enumerate(row.cells)
                ),
            ]
            for i, (name, row) in enumerate(zip(names, table.crosstable, strict=True))
        ],
    )


def _results(folder: Path, matches: Iterable[Match], first: Match | None) -> list[str]:
    """Both files of results, a match at a time; the ids. All are of the kind of the `first`."""
    ids = []
    places = range(len(first.entrants) if first else 2)
    worth = [name for name in WORTH if first and getattr(first.outcome, name)]
    with (
        (folder / "results.jsonl").open("w", encoding="utf-8") as lines,
        (folder / "results.csv").open("w", encoding="utf-8", newline="") as table,
    ):
        writer = csv.writer(table)
        writer.writerow(
            [
                *("match", *(f"entrant_{i}" for i in places), "winner", "games"),
                *(f"{what}_{i}" for what in ("won", "points", "faults", *worth) for i in places),
            ]
        )
        for match in matches:
            ids.append(match.match_id)
            lines.write(json.dumps(plain(match), ensure_ascii=False) + "\n")
            outcome = match.outcome
            writer.writerow(
                [
                    match.match_id,
                    *match.entrants,
                    "+".join(match.entrants[winner] for winner in outcome.winners),
                    outcome.games,
                    *outcome.won,
                    *outcome.points,
                    *(sum(counts.kinds.values()) for counts in outcome.faults),
                    *(value for name in worth for value in getattr(outcome, name)),
                ]
            )
    return ids


def _records(admin: Admin, folder: Path, matches: Sequence[str]) -> None:
    folder.mkdir()
    for match in matches:
        with (folder / f"{match}.jsonl").open("wb") as file:
            file.writelines(admin.record(match))


def _json(path: Path, value: Any) -> None:
    path.write_text(json.dumps(value, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")


def _csv(path: Path, headings: Sequence[str], rows: Iterable[Sequence[Any]]) -> None:
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(headings)
        writer.writerows(rows)
