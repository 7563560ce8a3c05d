"""Cards as protobuf packs them, looked up by the mask of the cards."""

from __future__ import annotations

from functools import cache
from typing import Final

from euchre_arena.rules.tables import LOW_BITS, LOW_SIZE, Split, pack_tables


class Pieces:
    """`Split` in bytes: ``low[mask & LOW_BITS] + high[mask >> LOW_SIZE]``."""

    __slots__ = ("high", "low")

    def __init__(self, split: Split) -> None:
        self.low: Final = list(map(bytes, split.low))
        self.high: Final[list[bytes] | Pieces] = (
            Pieces(split.high) if isinstance(split.high, Split) else list(map(bytes, split.high))
        )

    def __getitem__(self, mask: int) -> bytes:
        """The numbers of the cards in ``mask``, packed: each is one byte."""
        return self.low[mask & LOW_BITS] + self.high[mask >> LOW_SIZE]


@cache  # seven packs exist
def packed(pack: str) -> Pieces:
    """By name of the pack (rules.md §1)."""
    return Pieces(pack_tables(pack).names)
