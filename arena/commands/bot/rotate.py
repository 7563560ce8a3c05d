"""`arena bot rotate`."""

from __future__ import annotations

import click

from arena.admin.client import Admin
from arena.commands.bot.token import hand_out, token_option
from arena.commands.calling import admin_options


@click.command()
@click.argument("name")
@token_option
@admin_options
def rotate(admin: Admin, name: str, output: str | None, as_json: bool) -> None:
    """Print a new token for the bot NAME, once; the old one is void at once.

    Streams open with the old token are closed.
    """
    hand_out(lambda: admin.rotate(name), output, as_json, "given a new token")
