"""How a token is handed out: to standard output, or to a file that others cannot read."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

from arena.admin.client import Bot
from arena.commands.calling import fail, plain, print_json

F = TypeVar("F", bound=Callable[..., Any])
T = TypeVar("T")


def token_option(command: F) -> F:
    """Add --output."""
    return click.option(
        "--output",
        "-o",
        metavar="FILE",
        help="Write the token to FILE (mode 0600, which must not exist) instead of printing it.",
    )(command)


def hand_out(
    make: Callable[[], tuple[Bot, str]], output: str | None, as_json: bool, done: str
) -> None:
    """Have a token made and hand it out; nothing is made where it could not be written.

    Words go to standard error, so that `> FILE` catches the token alone.
    """
    bot, token = make() if output is None else write_into(output, make)
    if as_json:
        print_json({"bot": plain(bot), **({"token": token} if output is None else {})})
        return
    click.echo(f"{bot.name} is {done}; its token is shown this once:", err=True)
    if output is None:
        click.echo(token)
    else:
        click.echo(f"written to {output}", err=True)


def write_into(output: str, make: Callable[[], tuple[T, str]]) -> tuple[T, str]:
    """Have a token made and write it.

    The file first, for a token made already would be another's void, or a name taken.
    """
    try:
        handle = os.open(output, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        fail(f"{output} is there already, so nothing was done; name another file with -o")
    except OSError as error:
        fail(f"{output}: {error.strerror}; nothing was done")
    with os.fdopen(handle, "w") as file:
        try:
            bot, token = make()
        except BaseException:
            Path(output).unlink(missing_ok=True)
            raise
        try:
            file.write(token + "\n")
            file.flush()
        except OSError as error:
            click.echo(token, err=True)  # it is made already, and nowhere else to be had
            fail(f"{output}: {error.strerror}; the token stands above")
    return bot, token
