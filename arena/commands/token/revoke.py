"""`arena token revoke`."""

from __future__ import annotations

import click

from arena.commands.calling import fail, print_json
from arena.commands.options import data_option
from arena.commands.token import ROLES
from arena.config import Data
from arena.store import Store, StoreError
from arena.store.types import Role


@click.command()
@click.argument("role", type=click.Choice(ROLES))
@click.argument("name")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@data_option
def revoke(role: str, name: str, as_json: bool, data: Data) -> None:
    """Void the token of NAME in ROLE; what it watches ends within a second."""
    del data  # the store finds it in the environment
    try:
        store = Store.connect()
        had = store.tokens.revoke(Role(role), name)
        store.close()
    except StoreError as error:
        fail(str(error))
    if not had:
        fail(f"{name} has no {role}'s token")
    if as_json:
        print_json({"role": role, "name": name})
    else:
        click.echo(f"{name} is {role} no more")
