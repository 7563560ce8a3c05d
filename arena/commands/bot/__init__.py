"""`arena bot`: names and tokens."""

from __future__ import annotations

from typing import Final

import click
from euchre_arena.cli.lazy import Entry, LazyGroup

COMMANDS: Final = {
    "register": Entry("arena.commands.bot.register:register", "A new bot; prints its token once."),
    "rotate": Entry("arena.commands.bot.rotate:rotate", "A new token for a bot; the old is void."),
    "list": Entry("arena.commands.bot.list:list_", "All bots, and who is connected."),
    "revoke": Entry("arena.commands.bot.revoke:revoke", "Take a bot's token away for good."),
}


@click.command(cls=LazyGroup, commands=COMMANDS)
def bot() -> None:
    """Register bots, hand out and take back their tokens."""
