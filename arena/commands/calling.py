"""What every command that calls the service shares: where it is, the token, errors as exits."""

from __future__ import annotations

import functools
import json
import os
import stat
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final, NoReturn, TypeVar

import click
from google.protobuf.json_format import MessageToDict
from google.protobuf.message import Message

from arena import config
from arena.admin.client import Admin, AdminError

FAILED: Final = 1
USAGE: Final = 2
TOKEN: Final = 3
REFUSED: Final = 4
UNREACHABLE: Final = 5
INTERRUPTED: Final = 130

F = TypeVar("F", bound=Callable[..., Any])


def admin_options(command: F) -> F:
    """Add --server, --token-file, those of TLS, and --json.

    The command gets `admin` (a context) and `as_json`.
    """

    @click.option(
        "--server",
        metavar="HOST:PORT",
        default=lambda: os.environ.get(config.SERVER_VARIABLE) or config.ADMIN,
        help=f"The admin address.  [default: {config.SERVER_VARIABLE}, else {config.ADMIN}]",
    )
    @click.option(
        "--token-file",
        metavar="FILE",
        help=f"The token to show.  [default: {config.TOKEN_FILE_VARIABLE}, else organizer.token "
        "of the data directory]",
    )
    @click.option(
        "--ca",
        metavar="FILE",
        envvar=config.CA_VARIABLE,
        help=f"Use TLS and trust the certificates in FILE.  [default: {config.CA_VARIABLE}]",
    )
    @click.option(
        "--cert",
        metavar="FILE",
        envvar=config.CERT_VARIABLE,
        help=f"A certificate of yours, where one is asked for.  [default: {config.CERT_VARIABLE}]",
    )
    @click.option(
        "--key",
        metavar="FILE",
        envvar=config.KEY_VARIABLE,
        help=f"Its private key.  [default: {config.KEY_VARIABLE}]",
    )
    @click.option(
        "--insecure", is_flag=True, help="No TLS to another machine: anyone between reads tokens."
    )
    @click.option("--json", "as_json", is_flag=True, help="Print JSON.")
    @functools.wraps(command)
    def wrapped(
        server: str,
        token_file: str | None,
        ca: str | None,
        cert: str | None,
        key: str | None,
        insecure: bool,
        *args: Any,
        **kwargs: Any,
    ) -> Any:
        with errors_as_exits():
            token = read_token(token_file)
            with Admin(server, token, ca=ca, cert=cert, key=key, insecure=insecure) as admin:
                return command(admin, *args, **kwargs)

    return wrapped  # type: ignore[return-value]  # click calls it with the options added above


@contextmanager
def errors_as_exits() -> Iterator[None]:
    """AdminError and Ctrl-C become messages and exit statuses."""
    try:
        yield
    except AdminError as error:
        fail(str(error), status_of(error))
    except KeyboardInterrupt:
        click.echo(err=True)
        sys.exit(INTERRUPTED)
    except BrokenPipeError:  # `arena … | head`
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(0)


def status_of(error: AdminError) -> int:
    """The exit status of a call that was not answered as asked."""
    if error.code in ("UNAUTHENTICATED", "PERMISSION_DENIED"):
        return TOKEN
    if error.reason in ("SPEC", "ADDRESS"):
        return USAGE
    return UNREACHABLE if error.code in ("UNAVAILABLE", "DEADLINE_EXCEEDED") else REFUSED


def fail(message: str, status: int = FAILED) -> NoReturn:
    """Say what is wrong and end."""
    click.echo(f"Error: {message}", err=True)
    sys.exit(status)


def read_token(file: str | None) -> str:
    """The token in the file named, or the environment's, or the data directory's."""
    named = file or os.environ.get(config.TOKEN_FILE_VARIABLE)
    path = Path(named) if named else config.Data.find().organizer_token
    try:
        token = path.read_text().strip()
        mode = path.stat().st_mode
    except FileNotFoundError:
        fail(
            f"{path}: no such file. `arena up` writes organizer.token at its first start; name its "
            f"data directory with {config.DATA_VARIABLE} or a token with --token-file",
            TOKEN,
        )
    except (OSError, UnicodeDecodeError) as error:
        fail(f"{path}: the token cannot be read: {error}", TOKEN)
    if not token or not token.isascii() or not token.isprintable():
        fail(f"{path}: there is no token in it", TOKEN)
    if mode & (stat.S_IRGRP | stat.S_IROTH):
        click.echo(f"warning: {path} can be read by others; chmod 600 mends it", err=True)
    return token


def print_json(value: Message | dict[str, Any] | list[Any]) -> None:
    """One JSON value, messages with the field names of the .proto files and no field left out."""
    click.echo(json.dumps(plain(value), ensure_ascii=False))


def plain(value: Any) -> Any:
    """A message as JSON has it; 64-bit counts as numbers, as every JSON reader here takes them."""
    if isinstance(value, Message):
        found = MessageToDict(
            value, preserving_proto_field_name=True, always_print_fields_with_no_presence=True
        )
        return _numbers(value, found)
    if isinstance(value, list):
        return [plain(item) for item in value]
    return value


def _numbers(message: Message, found: dict[str, Any]) -> dict[str, Any]:
    """Undo the strings protobuf's JSON makes of 64-bit integers."""
    for field in message.DESCRIPTOR.fields:
        value = found.get(field.name)
        if value is None:
            continue
        if field.message_type is not None and not field.message_type.GetOptions().map_entry:
            inner = getattr(message, field.name)
            if isinstance(value, list):
                found[field.name] = [_numbers(m, v) for m, v in zip(inner, value, strict=True)]
            else:
                found[field.name] = _numbers(inner, value)
        elif field.cpp_type in (field.CPPTYPE_INT64, field.CPPTYPE_UINT64):
            found[field.name] = [int(v) for v in value] if isinstance(value, list) else int(value)
    return found
