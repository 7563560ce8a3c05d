"""`arena tournament`: from a spec to a table."""

from __future__ import annotations

from typing import Final

import click
from euchre_arena.cli.lazy import Entry, LazyGroup

HERE: Final = "arena.commands.tournament"
COMMANDS: Final = {
    "create": Entry(f"{HERE}.create:create", "Store a tournament from its spec, or check one."),
    "start": Entry(f"{HERE}.start:start", "Begin to play, or go on after a pause."),
    "pause": Entry(f"{HERE}.pause:pause", "Begin no new match."),
    "cancel": Entry(f"{HERE}.cancel:cancel", "End it for good."),
    "watch": Entry(f"{HERE}.watch:watch", "Follow it to its end."),
    "list": Entry(f"{HERE}.list:list_", "All tournaments."),
    "standings": Entry(f"{HERE}.standings:standings", "Standings, ratings and crosstable."),
    "export": Entry(f"{HERE}.export:export", "Results, tables and records as files."),
}


@click.command(cls=LazyGroup, commands=COMMANDS)
def tournament() -> None:
    """Create, start and follow tournaments.

    docs/organizers.md leads from a spec file to an undisputed table.
    """
