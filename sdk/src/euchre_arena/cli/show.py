"""``euchre-arena show``: a recorded hand as people know it."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from euchre_arena.cli.drawing.found import Found
    from euchre_arena.cli.drawing.style import Style


@click.command()
@click.argument("record", type=click.Path(path_type=Path, allow_dash=True))
@click.option(
    "--hand", "number", type=click.IntRange(min=0), default=0, show_default=True, metavar="N",
    help="The hand, counted in its game from 0.",
)  # fmt: skip  # one line a thing
@click.option(
    "--game", type=click.IntRange(min=0), default=0, show_default=True, metavar="G",
    help="The game, counted from 0.",
)  # fmt: skip  # one line a thing
@click.option("--ascii", "plain", is_flag=True, help="Letters for suits, no frames of Unicode.")
def show(record: Path, number: int, game: int, plain: bool) -> None:
    """Draw a hand of a RECORD: the cards round the table, what was said, the tricks, the score.

    Seat 0 sits nearest, the others clockwise. The score lies in two small cards: a three and a
    four where a game goes to five, a six and a four where it goes to ten. Hearts and diamonds are
    red on a terminal (not with NO_COLOR). `replay` verifies a record; this only draws it.

    Examples:

    \b
      euchre-arena show match.jsonl --hand 3
      euchre-arena show match.jsonl --game 7 --hand 0 --ascii

    The exit status is 1 for a record that breaks the rules up to that hand, 2 when the file
    cannot be read or has no such hand.
    """
    from euchre_arena.cli.drawing.found import NotFoundError, find
    from euchre_arena.cli.drawing.style import ASCII, UNICODE
    from euchre_arena.match.reading import RecordError

    try:
        data = sys.stdin.buffer.read() if str(record) == "-" else record.read_bytes()
    except OSError as error:
        raise click.UsageError(f"{record}: {error.strerror or error}") from None
    try:
        found = find(data.splitlines(), game, number)
    except NotFoundError as error:
        raise click.UsageError(f"{record}: {error}") from None
    except RecordError as error:
        raise click.ClickException(str(error)) from None
    style = ASCII if plain else UNICODE
    colour = False if "NO_COLOR" in os.environ else None
    for line in drawn(found, style):
        click.echo(style.colour(line), color=colour)


def drawn(found: Found, style: Style) -> Iterator[str]:
    """The whole picture, line by line, without colour."""
    from euchre_arena.cli.drawing.markers import score_lines
    from euchre_arena.cli.drawing.round import card_lines, draw_table
    from euchre_arena.cli.drawing.tricks import said_lines, trick_lines

    yield style.text(
        f"{found.rules.preset}, {found.match}, game {found.game}, hand {found.number}, "
        f"score {' : '.join(map(str, found.before))}"
    )
    yield ""
    yield from (line.rstrip() for line in draw_table(found, style))
    yield ""
    yield from card_lines(found, style)
    yield from said_lines(found, style)
    yield ""
    if found.tricks:
        yield from trick_lines(found, style)
        yield ""
    yield _ending(found, style)
    yield from score_lines(found, style)


def _ending(found: Found, style: Style) -> str:
    hand = found.hand
    if not hand.over:
        return style.text(f"broken off: {found.fault}" if found.fault else "broken off")
    result = str(hand.result)
    tricks = " : ".join(map(str, hand.tricks))
    points = " : ".join(map(str, hand.points))
    return f"{result}: tricks {tricks}, points {points}"
