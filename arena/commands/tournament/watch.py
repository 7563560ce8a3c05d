"""`arena tournament watch`."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import Final

import click

from arena.admin.client import Admin, AdminError, Change, Tournament, tournament_state
from arena.commands.calling import FAILED, admin_options, print_json
from arena.terminal import progress, tables

NONE: Final = "no referee is alive, so nothing is played; `arena up` or `arena referee` starts one"
UNFIT: Final = (
    "no referee takes matches: each is draining, or its host is too slow; "
    "`arena referees` lists them"
)


@click.command()
@click.argument("tournament")
@admin_options
def watch(admin: Admin, tournament: str, as_json: bool) -> None:
    """Follow TOURNAMENT to its end, then show the standings.

    With --json one object a line for every change, the standings in it when they are new. Ends
    with status 1 when the tournament is cancelled. Ctrl-C ends the watching only.
    """
    changes = admin.watch(tournament, standings=as_json)
    if not as_json:
        changes = with_referees(admin, changes)
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


def with_referees(admin: Admin, changes: Iterator[Change]) -> Iterator[Change]:
    """Pass changes on; say once on standard error where nothing is played for want of a referee."""
    said = False
    for change in changes:
        yield change
        going = tournament_state(change.tournament) in ("scheduling", "running")
        if said or not going or change.tournament.progress.playing:
            continue
        try:
            found = admin.referees()
        except AdminError:
            continue  # the watching outlives a restart of the service; the next change asks again
        if all(each.draining for each in found):
            click.echo(UNFIT if found else NONE, err=True)
            said = True
