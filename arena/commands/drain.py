"""`arena drain`."""

from __future__ import annotations

import click

from arena.admin.client import Admin
from arena.commands.calling import admin_options, print_json


@click.command()
@click.argument("referee")
@admin_options
def drain(admin: Admin, referee: str, as_json: bool) -> None:
    """Have REFEREE (a name of `arena referees`) end in good order, as SIGTERM does.

    It takes nothing new, finishes hands, hands its matches over and ends; nothing is lost and
    nobody is charged. Under `arena up` it is started again at once. An operator's token does.
    """
    found = admin.drain(referee)
    if as_json:
        print_json(found)
    else:
        click.echo(f"{found.name} at {found.address} was told to drain, {found.matches} matches")
