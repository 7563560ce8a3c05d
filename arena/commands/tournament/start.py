"""`arena tournament start`."""

from __future__ import annotations

import click

from arena.admin.client import Admin, tournament_state
from arena.commands.calling import admin_options, print_json


@click.command()
@click.argument("tournament")
@admin_options
def start(admin: Admin, tournament: str, as_json: bool) -> None:
    """Begin to play TOURNAMENT, or go on after a pause.

    Matches begin as their bots connect and referees have room; `watch` follows them.
    """
    found = admin.start(tournament)
    if as_json:
        print_json(found)
    else:
        click.echo(f"{found.tournament_id} is {tournament_state(found)}")
