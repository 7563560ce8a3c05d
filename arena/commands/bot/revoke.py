"""`arena bot revoke`."""

from __future__ import annotations

import click

from arena.admin.client import Admin
from arena.commands.calling import admin_options, print_json


@click.command()
@click.argument("name")
@admin_options
def revoke(admin: Admin, name: str, as_json: bool) -> None:
    """Void the token of the bot NAME and close its streams.

    Its name stays taken; `arena bot rotate NAME` lets it play again.
    """
    bot = admin.revoke(name)
    if as_json:
        print_json(bot)
    else:
        click.echo(f"{bot.name} has no token any more")
