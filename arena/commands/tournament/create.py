"""`arena tournament create`."""

from __future__ import annotations

from typing import TextIO

import click

from arena.admin.client import Admin, AdminError, Tournament
from arena.admin.meant import slug, unregistered
from arena.commands.calling import REFUSED, admin_options, fail, print_json


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

    All keys are in docs/organizers.md. Bots that are not registered yet are named; with --start
    nothing is stored then.
    """
    if start and check:
        raise click.UsageError("--check stores nothing, so there is nothing to --start")
    text = spec.read()
    made = admin.create(text, tournament_id, check_only=True)
    missing = _missing(admin, made)
    if missing and start:
        fail(f"{missing}. Nothing is stored, for it could not be started", REFUSED)
    if not check:
        made = admin.create(text, tournament_id)
    if start:
        made = _started(admin, made)
    if missing:
        click.echo(f"warning: {missing}", err=True)
    if as_json:
        print_json(made)
        return
    total = made.progress
    size = f"{len(made.entrants)} entrants, {total.total} matches, {total.games_total} games"
    if check:
        click.echo(f"good: {made.name}, {size}")
        own = "" if tournament_id else ", with a number behind it where that is taken"
        click.echo(f"its id will be {tournament_id or slug(made.name)}{own}", err=True)
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


def _missing(admin: Admin, made: Tournament) -> str:
    """Which of its bots nobody could connect as, and the cure; "" for none."""
    revoked = {bot.name: bot.revoked for bot in admin.bots()}
    wanted = dict.fromkeys(bot for entrant in made.entrants for bot in entrant.bots)
    missing = [bot for bot in wanted if revoked.get(bot, True)]
    return unregistered(missing, list(revoked)) if missing else ""


def _started(admin: Admin, made: Tournament) -> Tournament:
    """Start it; where that fails it is stored all the same, and the organizer is told."""
    try:
        return admin.start(made.tournament_id)
    except AdminError:
        again = f"arena tournament start {made.tournament_id}"
        click.echo(f"{made.tournament_id} is stored, but not started: `{again}`", err=True)
        raise
