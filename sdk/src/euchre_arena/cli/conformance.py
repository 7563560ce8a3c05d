"""``euchre-arena conformance``: scenarios, records and EGN games as a test of the rules."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import click

from euchre_arena.rules import PRESETS


@click.command()
@click.argument("paths", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option(
    "--preset",
    "presets",
    multiple=True,
    metavar="PRESET",
    help="Run only what is of this preset; may be given several times.",
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object instead of lines.")
def conformance(paths: tuple[Path, ...], presets: tuple[str, ...], as_json: bool) -> None:
    """Check the rules against scenario files, match records and EGN games.

    PATHS are files or folders; folders are searched to the bottom. A *.json file holds scenarios:
    tables in a known position, actions, refusals and what must be true. A folder with an
    expected.json holds records (*.jsonl) and EGN games (*.egn), each of which is replayed and
    compared with what expected.json says of it.

    One line is printed for each case that fails, then a total:

    \b
        lone-hand: step 4: expected to_act 1, got 2
        records/bad-points.jsonl: replay: expected line 3, got 4 (line 4: …)
        301 cases: 299 passed, 2 failed

    Steps are counted from 1, tricks and deals of an EGN game from 0.

    The exit status is 0 when all hold, 1 when one fails, 2 when a file cannot be read.
    """
    unknown = [preset for preset in presets if preset not in PRESETS]
    if unknown:
        raise click.BadParameter(
            f"there is no preset {unknown[0]!r}; there are {', '.join(PRESETS)}",
            param_hint="--preset",
        )
    # Here, so that asking for help does not load the rules.
    from euchre_arena.conformance import run

    report = run(paths, presets)
    for unreadable in report.unreadable:
        click.echo(str(unreadable), err=True)
    if as_json:
        click.echo(json.dumps(report.to_json(), ensure_ascii=False))
    else:
        for failed in report.failed:
            click.echo(str(failed))
        click.echo(report.summary)
    sys.exit(report.exit_code)
