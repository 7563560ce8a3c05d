"""`arena tournament create`."""

from __future__ import annotations

from typing import TextIO

import click

from arena.admin.client import Admin
from arena.commands.calling import admin_options, print_json


@click.command()
@click.argument("spec", type=click.File(encoding="utf-8"))
@click.option("--id", "tournament_id", default="", help="Its id.  [default: made of its name]")
@click.option("--start", is_flag=True, help="Start it at once.")
@click.option("--check", is_flag=True, help="Only check the spec; nothing is stored.")
@admin_options
def create(
    admin: Admin, spec: TextIO, tournament_id: str, start: bool, check: bool, as_json: bool
) -> None:
    """Store the tournament that the file SPEC (TOML, - for standard input) asks for.

    A spec that says less than needed, or something twice, is refused with the line:

    \b
      name = "Friday night"
      preset = "standard"
      seed = "any text"             # pairings and seats; deals come from each match's secret
      [match]
      games = 100
      duplicate = true              # every deal is played from both sides
      [entrants]
      bots = ["book", "my-bot"]     # registered names; a team of two is ["a", "b"]

    All keys are in docs/organizers.md.
    """
    if start and check:
        raise click.UsageError("--check stores nothing, so there is nothing to --start")
    text = spec.read()
    made = admin.create(text, tournament_id, check_only=check)
    if start:
        made = admin.start(made.tournament_id)
    if as_json:
        print_json(made)
        return
    total = made.progress
    size = f"{len(made.entrants)} entrants, {total.total} matches, {total.games_total} games"
    if check:
        click.echo(f"good: {made.name}, {size}")
        click.echo(made.balance.text, err=True)
        return
    click.echo(made.tournament_id)
    click.echo(made.balance.text, err=True)
    if start:
        click.echo(f"{made.name}: {size}; started", err=True)
    else:
        begin = f"arena tournament start {made.tournament_id}"
        click.echo(f"{made.name}: {size}; begin with `{begin}`", err=True)
    if made.seeded:
        click.echo(
            "note: its deals are seeded (secret_seed); who knows the seed knows them in advance",
            err=True,
        )
