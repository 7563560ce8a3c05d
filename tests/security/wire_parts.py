"""Frames as they came, taken apart without being read: fields, in the order of the bytes."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import Iterator
from typing import NamedTuple

import grpc
from euchre_arena.wire import pb

from tests.referee.rig import RawBot

FIELDS = {field.number: field.name for field in pb.PlayResponse.DESCRIPTOR.fields}


class Part(NamedTuple):
    """One field of a frame."""

    kind: str
    """Its name: "turns"."""
    content: bytes
    """Of a message its bytes, of a number nothing."""


def parts(raw: bytes) -> Iterator[Part]:
    """The fields of a PlayResponse in order."""
    place = 0
    while place < len(raw):
        tag, place = varint(raw, place)
        kind = FIELDS[tag >> 3]
        number, place = varint(raw, place)
        if tag & 7 == 0:
            yield Part(kind, b"")
            continue
        assert tag & 7 == 2, "a PlayResponse holds numbers and messages"
        yield Part(kind, raw[place : place + number])
        place += number


def varint(raw: bytes, place: int) -> tuple[int, int]:
    """A number, and where it ends."""
    value = shift = 0
    while True:
        byte = raw[place]
        place += 1
        value |= (byte & 0x7F) << shift
        if byte < 0x80:
            return value, place
        shift += 7


class Listener(RawBot):
    """A bot that keeps what it is sent, with the time it came."""

    def __init__(self, address: str, token: str) -> None:
        self.raws: list[tuple[float, bytes]] = []
        super().__init__(address, token)

    async def _read(self) -> None:
        with contextlib.suppress(grpc.aio.AioRpcError, asyncio.CancelledError):
            while (raw := await self.call.read()) is not grpc.aio.EOF:
                self.raws.append((time.perf_counter(), raw))
                self.arrived.put_nowait(pb.PlayResponse.FromString(raw))
        self.arrived.put_nowait(None)
