"""The command ``euchre-arena``: one command a file, imported when it is called.

`COMMANDS` is the table: what a command is called, where it lies, and its line in the help.
"""

from __future__ import annotations

import difflib
from importlib import import_module
from typing import Final

import click


class Entry:
    """A line of the table."""

    __slots__ = ("summary", "target")

    def __init__(self, target: str, summary: str) -> None:
        self.target = target
        """``module:command``."""
        self.summary = summary


COMMANDS: Final[dict[str, Entry]] = {
    "new": Entry("euchre_arena.cli.new:new", "Start a bot: a folder with a bot and its test."),
    "play": Entry("euchre_arena.cli.play:play", "Play bots against each other, here."),
    "connect": Entry("euchre_arena.cli.connect:connect", "Play a bot on a server."),
    "replay": Entry("euchre_arena.cli.replay:replay", "Referee a record again, card by card."),
    "show": Entry("euchre_arena.cli.show:show", "Draw a recorded hand as people know it."),
    "export": Entry("euchre_arena.cli.export:export", "Write a game in Euchre Game Notation."),
    "presets": Entry("euchre_arena.cli.presets:presets", "List the games and their options."),
    "conformance": Entry(
        "euchre_arena.cli.conformance:conformance", "Check the rules against scenario files."
    ),
}

EXAMPLES: Final = """\
Examples:

\b
  euchre-arena new mybot                                  a first bot, ready to run
  euchre-arena play mybot.py:MyBot book --games 1000      a thousand games at home
  euchre-arena play book random --seed 1 --record m.jsonl the same deals each time, recorded
  euchre-arena replay m.jsonl                             what happened in them
  euchre-arena show m.jsonl --hand 3                      one hand of it, drawn
  euchre-arena connect mybot.py:MyBot --server HOST:7600 --token-file mybot.token

A bot is a house bot's name (random, first, book), module:Class or file.py:Class.
"""


class LazyGroup(click.Group):
    """A group whose commands are imported when they are called."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The names, in the order of the table."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import a command."""
        entry = COMMANDS.get(cmd_name)
        if entry is None:
            return None
        module, _, name = entry.target.partition(":")
        command = getattr(import_module(module), name)
        assert isinstance(command, click.Command), entry.target
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command, or say which was meant."""
        if args and not args[0].startswith("-") and args[0] not in COMMANDS:
            near = difflib.get_close_matches(args[0], COMMANDS, 1)
            hint = f"did you mean {near[0]}?" if near else f"there are {', '.join(COMMANDS)}"
            ctx.fail(f"there is no command {args[0]!r}; {hint}")
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the table without importing anything."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, entry.summary) for name, entry in COMMANDS.items()])


@click.command(
    "euchre-arena", cls=LazyGroup, epilog=EXAMPLES, context_settings={"max_content_width": 100}
)
@click.version_option(package_name="euchre-arena", prog_name="euchre-arena")
def main() -> None:
    """Write a euchre bot, play it at home, connect it to an arena.

    Each command explains itself: euchre-arena COMMAND --help.
    """
