"""`arena audit`: the store against the record files."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from arena.archive.auditing import Audit
from arena.commands.calling import FAILED, fail, print_json
from arena.commands.options import data_option
from arena.config import Data
from arena.store import Store, StoreError


@click.command()
@click.option(
    "--records",
    metavar="DIR",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    help="The folder of records.  [default: records/ of the data directory]",
)
@click.option(
    "--replay/--no-replay", default=True, help="Referee every record again (the slow part)."
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@data_option
def audit(records: Path | None, replay: bool, as_json: bool, data: Data) -> None:
    """Compare store, journal and record files, and name every difference.

    Each result is compared with its record (checksum of every line, SHA-256 of the whole), the
    record with what the rules make of it when it is refereed again, counters and standings with
    the results. It changes nothing and may run at any time; matches under way are no difference.

    Exit status: 0 all agree, 1 something differs.
    """
    folder = records or data.records
    try:
        store = Store.connect()
        looked = Audit(store, folder, replay=replay)
        found = []
        for difference in looked.run():
            found.append(difference)
            if not as_json:
                where = difference.match or difference.tournament
                click.echo(f"{where}: {difference.what}")
        store.close()
    except (StoreError, OSError) as error:
        fail(str(error))
    if as_json:
        print_json(
            {
                "tournaments": looked.tournaments,
                "results": looked.results,
                "replayed": looked.replayed,
                "differences": [difference._asdict() for difference in found],
            }
        )
    else:
        click.echo(
            f"{looked.tournaments} tournaments, {looked.results} results, "
            f"{looked.replayed} records refereed again: {len(found)} differences"
        )
    sys.exit(FAILED if found else 0)
