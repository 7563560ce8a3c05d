"""`arena bot rotate`."""

from __future__ import annotations

import click

from arena.admin.client import Admin
from arena.commands.bot.token import tell_token, token_option
from arena.commands.calling import admin_options


@click.command()
@click.argument("name")
@token_option
@admin_options
def rotate(admin: Admin, name: str, output: str | None, as_json: bool) -> None:
    """Print a new token for the bot NAME, once; the old one is void at once.

    Streams open with the old token are closed.
    """
    made, token = admin.rotate(name)
    tell_token(made, token, output, as_json, "given a new token")
