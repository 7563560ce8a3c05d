"""`arena tournament cancel`."""

from __future__ import annotations

import click

from arena.admin.client import Admin, tournament_state
from arena.commands.calling import admin_options, print_json


@click.command()
@click.argument("tournament")
@click.option("--note", default="", help="Why, for those who look at it later.")
@admin_options
def cancel(admin: Admin, tournament: str, note: str, as_json: bool) -> None:
    """End TOURNAMENT for good.

    Results and records of matches that are over stay. Those under way are given up: no result, no
    record, nobody charged. It cannot be undone; `pause` can.
    """
    found = admin.cancel(tournament, note)
    if as_json:
        print_json(found)
    else:
        click.echo(f"{found.tournament_id} is {tournament_state(found)}")
