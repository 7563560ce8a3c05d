"""`arena record watch`."""

from __future__ import annotations

import click

from arena.admin.client import Admin
from arena.commands.calling import admin_options, print_json
from arena.terminal import hands


@click.command()
@click.argument("match")
@click.option(
    "--from-start", is_flag=True, help="From its first hand, not from the game under way."
)
@admin_options
def watch(admin: Admin, match: str, from_start: bool, as_json: bool) -> None:
    """Follow MATCH as it is played, hand by hand, until it is over.

    A hand is told when it is over, as all of its seats saw it: of cards put away only the number.
    Games are told one after another, also where several are played at once. Ctrl-C ends the
    watching only. With --json one object a line.
    """
    names: list[str] = []
    for told in admin.watch_match(match, from_start=from_start):
        if as_json:
            print_json(told)
            continue
        if not names:
            found = admin.match(match)
            names = list(found.entrants) if found is not None else []
        for line in hands.lines(told, names):
            click.echo(line)
    if not as_json:
        click.echo(f"{match} is over; `arena record get {match}` shows all of it", err=True)
