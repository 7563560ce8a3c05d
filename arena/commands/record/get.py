"""`arena record get`."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from arena.admin.client import Admin
from arena.commands.calling import admin_options, fail


@click.command()
@click.argument("match")
@click.option(
    "--output", "-o", metavar="FILE", type=click.Path(path_type=Path), help="Write it to FILE."
)
@admin_options
def get(admin: Admin, match: str, output: Path | None, as_json: bool) -> None:
    """Print the record of MATCH: one JSON object a line, all hands, all actions, the secret.

    It can be had once the match is over, and refereed again by anyone. A match that was cancelled
    before that has none.

    \b
      arena record get friday-night-m0 -o m0.jsonl
      euchre-arena replay m0.jsonl
    """
    del as_json  # a record is JSON
    pieces = admin.record(match)
    if output is None:
        for piece in pieces:
            sys.stdout.buffer.write(piece)
        sys.stdout.buffer.flush()
        return
    scratch = output.with_name(f".{output.name}.part")
    try:
        with scratch.open("wb") as file:
            file.writelines(pieces)
        scratch.replace(output)
    except OSError as error:
        fail(f"{output}: {error.strerror}")
    finally:
        scratch.unlink(missing_ok=True)
