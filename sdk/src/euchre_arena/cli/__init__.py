"""The command ``euchre-arena``: one command a file, imported when it is called.

`COMMANDS` is the table: what a command is called, where it lies, and its line in the help.
"""

from __future__ import annotations

from typing import Final

import click

from euchre_arena.cli.lazy import Entry, LazyGroup

COMMANDS: Final = {
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


@click.command(
    "euchre-arena",
    cls=LazyGroup,
    commands=COMMANDS,
    epilog=EXAMPLES,
    context_settings={"max_content_width": 100},
)
@click.version_option(package_name="euchre-arena", prog_name="euchre-arena")
def main() -> None:
    """Write a euchre bot, play it at home, connect it to an arena.

    Each command explains itself: euchre-arena COMMAND --help.
    """
