"""`arena token`: who may organize and operate. It works on the store itself: whoever reaches that
owns the service, and no token of the services makes another."""

from __future__ import annotations

from typing import Final

import click
from euchre_arena.cli.lazy import Entry, LazyGroup

COMMANDS: Final = {
    "issue": Entry("arena.commands.token.issue:issue", "A token for a person; prints it once."),
    "list": Entry("arena.commands.token.list:list_", "Who has a token, and which role."),
    "revoke": Entry("arena.commands.token.revoke:revoke", "Take a token back."),
}

ROLES: Final = ("organizer", "operator")


@click.command(cls=LazyGroup, commands=COMMANDS)
def token() -> None:
    """Hand out and take back tokens of organizers and operators (bots: arena bot).

    An organizer may do everything about bots and tournaments; an operator reads everything but the
    cards of running matches, and drains referees. The commands work on the store itself
    (ARENA_REDIS_URL, or the data directory's own), so they run where the service does.
    """
