"""`arena restore`: a store made anew from the record files."""

from __future__ import annotations

import logging
import sys
from pathlib import Path

import click

from arena.archive.restoring import Outcome
from arena.archive.restoring import restore as restore_all
from arena.commands.calling import FAILED, fail, print_json
from arena.commands.options import data_option
from arena.config import Data
from arena.store import Store, StoreError


@click.command()
@click.option(
    "--from",
    "records",
    metavar="DIR",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    help="The folder of records.  [default: records/ of the data directory]",
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@data_option
def restore(records: Path | None, as_json: bool, data: Data) -> None:
    """Rebuild tournaments, results, standings and ratings in the store from record files.

    For a store that was lost: start an empty one (`arena up` on a new data directory, or the
    server in ARENA_REDIS_URL), then restore. Tournaments the store has are left as they are.

    A tournament that was under way comes back paused: register its bots anew (tokens stand in no
    file; those missing are named), then `arena tournament start` goes on, and matches that were
    not over are played again.
    A torn record is cut, the whole of it kept as ….torn; a damaged one is named and left alone.

    Exit status: 0 all restored, 1 something could not be.
    """
    logging.basicConfig(level="WARNING")
    folder = records or data.records
    try:
        store = Store.connect()
        outcomes = restore_all(store, folder, lambda outcome: None if as_json else _say(outcome))
        store.close()
    except (StoreError, OSError) as error:
        fail(str(error))
    if as_json:
        print_json({"tournaments": [outcome.as_dict() for outcome in outcomes]})
    elif not outcomes:
        click.echo(f"{folder}: there is nothing to restore", err=True)
    sys.exit(FAILED if any(outcome.problems for outcome in outcomes) or not outcomes else 0)


def _say(outcome: Outcome) -> None:
    if outcome.state:
        click.echo(
            f"{outcome.tournament}: {outcome.state}, {outcome.results} of {outcome.total} results"
        )
    if outcome.unregistered:
        click.echo(
            f"{outcome.tournament}: register before it can go on, with `arena bot register NAME`: "
            f"{', '.join(outcome.unregistered)}"
        )
    for problem in outcome.problems:
        click.echo(f"{outcome.tournament}: {problem}", err=True)
