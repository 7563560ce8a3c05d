"""The table as it is printed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple


class Row(NamedTuple):
    """One measurement."""

    what: str
    value: str
    floor: str = ""
    """What the project asks for; at least, for times and sizes at most."""
    compiled: str = ""
    """The same by the compiled modules, where both were measured."""


HEAD = Row("", "measured", "asked for", "compiled")
ORDER = ("what", "value", "compiled", "floor")


def show(rows: Sequence[Row]) -> None:
    """Print rows in columns."""
    names = [name for name in ORDER if any(getattr(row, name) for row in rows)]
    table = [[str(getattr(row, name)) for name in names] for row in (HEAD, *rows)]
    widths = [max(map(len, column)) for column in zip(*table, strict=True)]
    for first, *others in table:
        cells = (f"{cell:>{width}}" for cell, width in zip(others, widths[1:], strict=True))
        print("  ".join((f"{first:<{widths[0]}}", *cells)).rstrip())
