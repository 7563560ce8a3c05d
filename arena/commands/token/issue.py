"""`arena token issue`."""

from __future__ import annotations

import click

from arena.commands.bot.token import token_option, write_into
from arena.commands.calling import fail, print_json
from arena.commands.options import data_option
from arena.commands.token import ROLES
from arena.config import Data
from arena.store import Store, StoreError
from arena.store.types import Role


@click.command()
@click.argument("role", type=click.Choice(ROLES))
@click.argument("name")
@token_option
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@data_option
def issue(role: str, name: str, output: str | None, as_json: bool, data: Data) -> None:
    """Print a token for NAME in ROLE, once; one that NAME had before is void at once.

    Give each person a token of their own: then one can be taken back without the others.
    """
    del data  # the store finds it in the environment

    def make() -> tuple[str, str]:
        return name, store.tokens.issue(Role(role), name)

    try:
        store = Store.connect()
        _, token = make() if output is None else write_into(output, make)
        store.close()
    except (StoreError, ValueError) as error:
        fail(str(error))
    if as_json:
        print_json({"role": role, "name": name, **({"token": token} if output is None else {})})
        return
    click.echo(f"{name} is {role} now; the token is shown this once:", err=True)
    if output is None:
        click.echo(token)
    else:
        click.echo(f"written to {output}", err=True)
