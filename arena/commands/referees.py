"""`arena referees`."""

from __future__ import annotations

import click

from arena.admin.client import Admin
from arena.commands.calling import admin_options, plain, print_json
from arena.terminal.tables import Column, show, when


@click.command()
@admin_options
def referees(admin: Admin, as_json: bool) -> None:
    """List the referees alive: where bots reach them, and how much they play."""
    found = admin.referees()
    if as_json:
        print_json([plain(each) for each in found])
        return
    columns = [Column("referee"), Column("address"), Column("state"), Column("matches", right=True)]
    columns += [Column("of", right=True), Column("bots", right=True), Column("since")]
    rows = [
        [
            *(each.name, each.address, "draining" if each.draining else "plays"),
            *(str(each.matches), str(each.capacity), str(each.bots), when(each.since_ms)),
        ]
        for each in found
    ]
    show(columns, rows)
