"""`arena bot list`."""

from __future__ import annotations

import click

from arena.admin.client import Admin
from arena.commands.calling import admin_options, plain, print_json
from arena.terminal.tables import Column, show, when


@click.command("list")
@admin_options
def list_(admin: Admin, as_json: bool) -> None:
    """List all bots: whether they are connected, and when they last were."""
    bots = admin.bots()
    if as_json:
        print_json([plain(bot) for bot in bots])
        return
    columns = [Column("bot"), Column("state"), Column("last seen"), Column("registered")]
    rows = []
    for bot in bots:
        state = "connected" if bot.connected else "revoked" if bot.revoked else "away"
        rows.append([bot.name, state, when(bot.last_seen_ms), when(bot.created_ms)])
    show(columns, rows)
