"""`arena record list`."""

from __future__ import annotations

import click

from arena.admin.client import Admin, Match, match_state
from arena.commands.calling import admin_options, print_json
from arena.terminal.tables import Column, show


@click.command("list")
@click.argument("tournament")
@click.option("--finished", is_flag=True, help="Only matches that are over.")
@admin_options
def list_(admin: Admin, tournament: str, finished: bool, as_json: bool) -> None:
    """List the matches of TOURNAMENT in schedule order, with their results.

    With --json one object a line, so that a long tournament needs no memory.
    """
    matches = admin.matches(tournament, finished=finished)
    if as_json:
        for match in matches:
            print_json(match)
        return
    columns = [
        Column("match"),
        Column("entrants"),
        Column("state"),
        Column("games", right=True),
        Column("points", right=True),
        Column("faults", right=True),
        Column("attempts", right=True),
    ]
    show(columns, map(_row, matches))


def _row(match: Match) -> list[str]:
    games = points = faults = "–"
    if match.HasField("outcome"):
        outcome = match.outcome
        level = outcome.games - sum(outcome.won)
        games = "-".join(f"{won + level / 2:g}" for won in outcome.won)
        points = "-".join(map(str, outcome.points))
        faults = str(sum(sum(counts.kinds.values()) for counts in outcome.faults) or "–")
    names = " : ".join(match.entrants)
    return [
        match.match_id,
        names,
        match_state(match),
        games,
        points,
        faults,
        str(match.attempts),
    ]
