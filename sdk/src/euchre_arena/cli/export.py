"""``euchre-arena export``: a game of a record in a notation others read."""

from __future__ import annotations

import sys
from pathlib import Path

import click


@click.command()
@click.option("--egn", is_flag=True, help="As Euchre Game Notation 1.4.")
@click.argument("record", type=click.Path(path_type=Path, allow_dash=True))
@click.option(
    "--game",
    type=click.IntRange(min=0),
    metavar="G",
    help="The game, counted from 0; needed where the record has several.",
)
@click.option(
    "-o",
    "--output",
    type=click.Path(dir_okay=False, path_type=Path, allow_dash=True),
    metavar="FILE",
    help="Write to FILE (replaced if there is one).  [default: standard output]",
)
def export(egn: bool, record: Path, game: int | None, output: Path | None) -> None:
    """Write a game of a RECORD in a notation others read: Euchre Game Notation with --egn.

    The notation is of four-handed games with a card turned up (standard, stick, hoyle, british,
    canadian), with the house rules it has words for. What it cannot say is refused, by the name
    of the preset or option. `euchre-arena replay FILE.egn` reads what is written.

    Examples:

    \b
      euchre-arena export --egn match.jsonl --game 0 -o game.egn
      euchre-arena replay game.egn

    The exit status is 1 for a record that breaks the rules or a file that cannot be written, 2
    when the record cannot be read or the notation cannot say it.
    """
    from euchre_arena.match.egn import EgnError
    from euchre_arena.match.egn.writer import egn_text, write_egn
    from euchre_arena.match.reading import RecordError

    if not egn:
        raise click.UsageError("say in which notation: --egn")
    try:
        data = sys.stdin.buffer.read() if str(record) == "-" else record.read_bytes()
    except OSError as error:
        raise click.UsageError(f"{record}: {error.strerror or error}") from None
    try:
        text = egn_text(write_egn(data.splitlines(), game))
    except EgnError as error:
        raise click.UsageError(f"{record}: {error}") from None
    except RecordError as error:
        raise click.ClickException(f"{record}: {error}") from None
    if output is None or str(output) == "-":
        click.echo(text, nl=False)
        return
    try:
        output.write_text(text, encoding="utf-8", newline="\n")
    except OSError as error:
        raise click.ClickException(f"{output}: {error.strerror or error}") from None
