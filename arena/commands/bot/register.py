"""`arena bot register`."""

from __future__ import annotations

import click

from arena.admin.client import Admin
from arena.commands.bot.token import hand_out, token_option
from arena.commands.calling import admin_options


@click.command()
@click.argument("name")
@token_option
@admin_options
def register(admin: Admin, name: str, output: str | None, as_json: bool) -> None:
    """Register the bot NAME and print its token, once.

    NAME is 1 to 64 of a-z 0-9 . _ - with a letter or digit at both ends. Give the token to the
    bot's author, who connects with it:

    \b
      arena bot register mybot -o mybot.token
      euchre-arena connect mybot.py:MyBot --server HOST:7600 --token-file mybot.token

    It is stored hashed and cannot be read again; `arena bot rotate` makes a new one.
    """
    hand_out(lambda: admin.register(name), output, as_json, "registered")
