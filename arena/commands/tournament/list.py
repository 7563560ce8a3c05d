"""`arena tournament list`."""

from __future__ import annotations

import click

from arena.admin.client import Admin, tournament_state
from arena.commands.calling import admin_options, plain, print_json
from arena.terminal.tables import Column, show, when


@click.command("list")
@admin_options
def list_(admin: Admin, as_json: bool) -> None:
    """List all tournaments, the newest first."""
    found = admin.tournaments()
    if as_json:
        print_json([plain(tournament) for tournament in found])
        return
    columns = [
        Column("tournament"),
        Column("name"),
        Column("state"),
        Column("matches", right=True),
        Column("games", right=True),
        Column("created"),
        Column("note"),
    ]
    rows = [
        [
            one.tournament_id,
            one.name,
            tournament_state(one),
            f"{one.progress.finished}/{one.progress.total}",
            str(one.progress.games),
            when(one.created_ms),
            one.note,
        ]
        for one in found
    ]
    show(columns, rows)
