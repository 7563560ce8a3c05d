"""Options several commands share."""

from __future__ import annotations

import logging
import os
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar

import click

from arena.config import DATA_VARIABLE, DEFAULT_DATA, NOWHERE, Address, Data

F = TypeVar("F", bound=Callable[..., Any])

FORMAT = "%(asctime)s %(levelname)-7s %(name)s: %(message)s"


class AddressType(click.ParamType[Address | None]):
    """`host:port`, or `none` where there may be none."""

    name = "HOST:PORT"

    def __init__(self, optional: bool) -> None:
        self._optional = optional

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> Address | None:
        """Read it, or fail with what is wrong."""
        if isinstance(value, Address):
            return value
        if value == NOWHERE and self._optional:
            return None
        try:
            return Address.parse(value)
        except ValueError as error:
            self.fail(str(error), param, ctx)


def address_option(
    flag: str, default: str, text: str, *, optional: bool = True
) -> Callable[[F], F]:
    """An option for an address; port 0 takes a free one."""
    none = f" {NOWHERE!r} for not at all." if optional else ""
    return click.option(
        flag,
        default=default,
        show_default=True,
        type=AddressType(optional),
        help=f"{text}{none}",
    )


def data_option(command: F) -> F:
    """Add --data; it is put into the environment too, for the store and for child processes."""

    def found(ctx: click.Context, param: click.Parameter, value: str | None) -> Data:
        data = Data.find(value)
        os.environ[DATA_VARIABLE] = str(data.path)
        return data

    return click.option(
        "--data",
        metavar="DIR",
        callback=found,
        help=f"The data directory.  [default: {DATA_VARIABLE}, else ./{DEFAULT_DATA}]",
    )(command)


@dataclass(frozen=True)
class LogLevel:
    """How much is logged."""

    name: str

    def apply(self) -> None:
        """Log to standard error, with times."""
        logging.basicConfig(level=self.name.upper(), format=FORMAT)


def log_option(command: F) -> F:
    """Add --log-level."""
    return click.option(
        "--log-level",
        default="info",
        show_default=True,
        type=click.Choice(["debug", "info", "warning", "error"]),
        callback=lambda ctx, param, value: LogLevel(value),
        help="How much is logged, to standard error.",
    )(command)
