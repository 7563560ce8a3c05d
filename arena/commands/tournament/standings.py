"""`arena tournament standings`."""

from __future__ import annotations

import click

from arena.admin.client import Admin
from arena.commands.calling import admin_options, plain, print_json
from arena.terminal import tables


@click.command()
@click.argument("tournament")
@click.option("--crosstable", is_flag=True, help="Show who did what against whom, too.")
@admin_options
def standings(admin: Admin, tournament: str, crosstable: bool, as_json: bool) -> None:
    """Show the standings of TOURNAMENT: rank, rating with its 95 % interval, score, games.

    Ratings are on the Elo scale with a mean of 1500, computed over duplicate pairs (games, where
    nothing is duplicated): Bradley-Terry between two, Plackett-Luce where more than two meet. The
    rank goes by the score, in a progressive tournament by points per deal. Rubber points, stakes
    (signed: won or owed) and skunks stand there where the matches count them. --json has, between
    two, Plackett-Luce's ratings besides, as plackett_luce.
    """
    table = admin.standings(tournament)
    if as_json:
        print_json(plain(table) if table is not None else {})
        return
    if table is None:
        click.echo("no match is over yet")
        return
    final = "final" if table.final else f"after {table.results} of {table.total} matches"
    tables.standings(table, f"{tournament}: standings, {final}; ratings over {table.unit}s")
    if crosstable:
        click.echo()
        what = "finished ahead and behind" if table.sides > 2 else "won and lost"
        tables.crosstable(table, f"{tournament}: games {what}, a level game half each")
    if table.HasField("balance") and not table.balance.even:
        click.echo(f"schedule: {table.balance.text}")
