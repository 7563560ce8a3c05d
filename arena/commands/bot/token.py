"""How a token is handed out: to standard output, or to a file that others cannot read."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any, TypeVar

import click

from arena.admin.client import Bot
from arena.commands.calling import fail, plain, print_json

F = TypeVar("F", bound=Callable[..., Any])


def token_option(command: F) -> F:
    """Add --output."""
    return click.option(
        "--output",
        "-o",
        metavar="FILE",
        help="Write the token to FILE (mode 0600, which must not exist) instead of printing it.",
    )(command)


def tell_token(bot: Bot, token: str, output: str | None, as_json: bool, done: str) -> None:
    """Hand a token out; words go to standard error, so that `> FILE` catches the token alone."""
    if output is not None:
        _write(output, token)
    if as_json:
        print_json({"bot": plain(bot), **({"token": token} if output is None else {})})
        return
    click.echo(f"{bot.name} is {done}; its token is shown this once:", err=True)
    if output is None:
        click.echo(token)
    else:
        click.echo(f"written to {output}", err=True)


def _write(output: str, token: str) -> None:
    try:
        handle = os.open(output, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except OSError as error:
        click.echo(token, err=True)  # it is made already, and nowhere else to be had
        fail(f"{output}: {error.strerror}; the token stands above")
    with os.fdopen(handle, "w") as file:
        file.write(token + "\n")
