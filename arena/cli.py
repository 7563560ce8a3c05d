"""The command `arena`: for organizers, and for those who run the service.

One command a file below `arena.commands`, imported when it is called; `COMMANDS` is the table.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Final, NoReturn

# gRPC writes to the terminal when a server goes away; it is told not to before it is imported.
os.environ.setdefault("GRPC_VERBOSITY", "NONE")

import click
from euchre_arena.cli.lazy import Entry, LazyGroup

COMMANDS: Final = {
    "up": Entry("arena.commands.up:up", "Run everything on this machine."),
    "demo": Entry("arena.commands.demo:demo", "Watch eight bots play a tournament."),
    "bot": Entry("arena.commands.bot:bot", "Register bots, hand out and take back their tokens."),
    "token": Entry(
        "arena.commands.token:token", "Hand out and take back organizers' and operators' tokens."
    ),
    "tournament": Entry(
        "arena.commands.tournament:tournament", "Create, start and follow tournaments."
    ),
    "record": Entry("arena.commands.record:record", "Read what happened, card by card."),
    "audit": Entry("arena.commands.audit:audit", "Compare the store with the record files."),
    "restore": Entry("arena.commands.restore:restore", "Rebuild a lost store from record files."),
    "referee": Entry("arena.commands.referee:referee", "Run a referee (part of `up`)."),
    "referees": Entry("arena.commands.referees:referees", "List referees and what they do."),
    "drain": Entry("arena.commands.drain:drain", "Have a referee end in good order."),
    "worker": Entry("arena.commands.worker:worker", "Run a Celery worker (part of `up`)."),
    "beat": Entry("arena.commands.beat:beat", "Run Celery beat (part of `up`)."),
}

EXAMPLES: Final = """\
From nothing to a table:

\b
  arena up                                 one terminal: everything, on this machine
  arena bot register mybot                 another: a bot, and its token
  arena tournament create friday.toml      store what is to be played
  arena tournament start friday-night
  arena tournament watch friday-night      until it is over, then the standings

The commands call the service at --server (ARENA_SERVER, else 127.0.0.1:7601) and show the token
in ARENA_TOKEN_FILE, else in organizer.token of the data directory (ARENA_DATA, else ./arena-data).

Exit status: 0 done, 1 failed, 2 a command line or a spec that is no good, 3 a token that is not
known or may not do this, 4 refused by the service, 5 nobody answers there, 130 interrupted.
"""


@click.command(
    cls=LazyGroup,
    commands=COMMANDS,
    epilog=EXAMPLES,
    context_settings={"max_content_width": 100, "help_option_names": ["-h", "--help"]},
)
@click.version_option(package_name="euchre-arena-service", prog_name="arena")
def cli() -> None:
    """Referee euchre bots: tournaments from a spec to a table nobody can dispute.

    Each command explains itself: arena COMMAND --help.
    """


def main(args: Sequence[str] | None = None) -> NoReturn:
    """Entry of the console script."""
    from arena import lifeline

    lifeline.follow()
    cli.main(args=list(args) if args is not None else None, prog_name="arena")
    raise AssertionError("click leaves by SystemExit")


if __name__ == "__main__":
    main()
