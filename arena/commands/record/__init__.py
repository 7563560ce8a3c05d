"""`arena record`: matches and their records."""

from __future__ import annotations

from typing import Final

import click
from euchre_arena.cli.lazy import Entry, LazyGroup

COMMANDS: Final = {
    "list": Entry("arena.commands.record.list:list_", "The matches of a tournament."),
    "watch": Entry("arena.commands.record.watch:watch", "A match as it is played."),
    "get": Entry("arena.commands.record.get:get", "The record of a match that is over."),
}


@click.command(cls=LazyGroup, commands=COMMANDS)
def record() -> None:
    """Watch a match hand by hand; read it card by card once it is over."""
