"""`arena token list`."""

from __future__ import annotations

import click

from arena.commands.calling import fail, print_json
from arena.commands.options import data_option
from arena.commands.token import ROLES
from arena.config import Data
from arena.store import Store, StoreError
from arena.terminal.tables import Column, show


@click.command("list")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@data_option
def list_(as_json: bool, data: Data) -> None:
    """List who has an organizer's or operator's token. data-… is that of a data directory."""
    del data  # the store finds it in the environment
    try:
        store = Store.connect()
        owners = [owner for owner in store.tokens.owners() if owner.role in ROLES]
        store.close()
    except StoreError as error:
        fail(str(error))
    if as_json:
        print_json([{"role": str(owner.role), "name": owner.name} for owner in owners])
        return
    show([Column("role"), Column("name")], [[str(owner.role), owner.name] for owner in owners])
