"""Varints and tables of encoded pieces, made when first met and kept while there is room."""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable
from typing import Final, Generic, TypeVar

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")


class Memo(dict[K, V], Generic[K, V]):
    """A function's results by argument; emptied when it has grown to ``limit`` entries."""

    def __init__(self, make: Callable[[K], V], limit: int = 1 << 14) -> None:
        super().__init__()
        self.make = make
        self.limit = limit

    def __missing__(self, key: K) -> V:
        value = self.make(key)
        if len(self) >= self.limit:
            self.clear()
        self[key] = value
        return value


def _varint(number: int) -> bytes:
    """A number from 0 as protobuf writes it: seven bits a byte, lowest first."""
    out = bytearray()
    while number > 127:
        out.append(number & 127 | 128)
        number >>= 7
    out.append(number)
    return bytes(out)


VARINT: Final[Memo[int, bytes]] = Memo(_varint)
"""The varint of a number from 0."""


SHORT: Final = [_varint(number) for number in range(1 << 11)]
"""The varints of small numbers, faster to look up: lengths."""


def number_field(field: int, number: int) -> bytes:
    """A varint field; nothing for 0, as proto3 has it."""
    return _varint(field << 3) + _varint(number) if number else b""


def bytes_field(field: int, payload: bytes) -> bytes:
    """A length-delimited field; nothing when empty."""
    return _varint(field << 3 | 2) + _varint(len(payload)) + payload if payload else b""


def zigzag(number: int) -> int:
    """A signed number as sint32 writes it."""
    return number << 1 if number >= 0 else (-number << 1) - 1


split_varints: Final[Callable[[bytes], list[bytes]]] = re.compile(
    rb"[\x80-\xff]*[\x00-\x7f]"
).findall
"""Packed varints, each as its own bytes."""


def read_varint(chunk: bytes) -> int:
    """The number of one varint."""
    number = 0
    for place, byte in enumerate(chunk):
        number |= (byte & 127) << 7 * place
    return number


NUMBER: Final[Memo[bytes, int]] = Memo(read_varint)
"""The number of a varint's bytes."""
