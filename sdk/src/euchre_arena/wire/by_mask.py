"""Cards and card plays as protobuf packs them, looked up by the mask of the cards."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Final, NamedTuple

from euchre_arena.rules.tables import LOW_BITS, LOW_SIZE, Split, pack_tables
from euchre_arena.wire.packing import VARINT


class Pieces:
    """`Split` in bytes: ``low[mask & LOW_BITS] + high[mask >> LOW_SIZE]``."""

    __slots__ = ("high", "low")

    def __init__(self, split: Split, write: Callable[[tuple[int, ...]], bytes]) -> None:
        self.low: Final = list(map(write, split.low))
        self.high: Final[list[bytes] | Pieces] = (
            Pieces(split.high, write)
            if isinstance(split.high, Split)
            else list(map(write, split.high))
        )

    def __getitem__(self, mask: int) -> bytes:
        """The entries of the bits set in ``mask``, packed."""
        return self.low[mask & LOW_BITS] + self.high[mask >> LOW_SIZE]


class Packed(NamedTuple):
    """Of one pack."""

    cards: Pieces
    """Mask → card numbers."""
    plays: Pieces
    """Mask → action codes ``play …``."""


@cache  # seven packs exist
def packed(pack: str) -> Packed:
    """By name of the pack (rules.md §1)."""
    tables = pack_tables(pack)
    return Packed(Pieces(tables.names, bytes), Pieces(tables.plays, _varints))


def _varints(numbers: tuple[int, ...]) -> bytes:
    return b"".join(map(VARINT.__getitem__, numbers))
