"""`arena tournament watch`."""

from __future__ import annotations

import sys

import click

from arena.admin.client import Admin, Tournament, tournament_state
from arena.commands.calling import FAILED, admin_options, print_json
from arena.terminal import progress, tables


@click.command()
@click.argument("tournament")
@admin_options
def watch(admin: Admin, tournament: str, as_json: bool) -> None:
    """Follow TOURNAMENT to its end, then show the standings.

    With --json one object a line for every change, the standings in it when they are new. Ends
    with status 1 when the tournament is cancelled. Ctrl-C ends the watching only.
    """
    changes = admin.watch(tournament, standings=as_json)
    last = Tournament()  # the service sends at least how it stands
    for change in changes if as_json else progress.follow(changes):
        last = change.tournament
        if as_json:
            print_json(change)
    state = tournament_state(last)
    if not as_json:
        table = admin.standings(tournament)
        if table is not None:
            tables.standings(table, f"{tournament}: {state}; ratings over {table.unit}s")
    if state != "finished":
        click.echo(f"{tournament} is {state}: {last.note or 'no reason given'}", err=True)
        sys.exit(FAILED)
