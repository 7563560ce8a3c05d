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


def show(rows: Sequence[Row]) -> None:
    """Print rows in columns."""
    table = [Row("", "measured", "asked for"), *rows]
    what, value, floor = (max(map(len, column)) for column in zip(*table, strict=True))
    for row in table:
        print(f"{row.what:<{what}}  {row.value:>{value}}  {row.floor:>{floor}}".rstrip())
