"""`arena tournament pause`."""

from __future__ import annotations

import click

from arena.admin.client import Admin, tournament_state
from arena.commands.calling import admin_options, print_json


@click.command()
@click.argument("tournament")
@admin_options
def pause(admin: Admin, tournament: str, as_json: bool) -> None:
    """Begin no new match of TOURNAMENT; those under way are played out.

    `arena tournament start` goes on.
    """
    found = admin.pause(tournament)
    if as_json:
        print_json(found)
    else:
        click.echo(f"{found.tournament_id} is {tournament_state(found)}")
