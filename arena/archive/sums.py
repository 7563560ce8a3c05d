"""Checksums of a record, in a file beside it: the record's own bytes are for anyone to read.

    3a5f90c1 214                       one line a line of the record: CRC-32, and bytes with newline
    …
    closed 9d01c2aa {"sha256": …}      the last: CRC-32 of what follows, and the closing facts

The closing line is written before the result counts, and holds whatever the store is told of the
match, so that a store can be made anew. A record without it is unfinished: its attempt was voided
or its writer died. Damage is told from a torn tail: where the good lines are all that is missing
nothing but an end, the tail is torn and may be cut.
"""

from __future__ import annotations

import hashlib
import json
import os
import zlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

SUFFIX: Final = ".sums"
CLOSED: Final = "closed"


class Summer:
    """Checksums of a record as it is written."""

    def __init__(self) -> None:
        self._whole = hashlib.sha256()
        self.lines = 0
        self.size = 0

    def add(self, lines: list[bytes]) -> bytes:
        """What belongs into the sums for further lines, each with its newline."""
        for line in lines:
            self._whole.update(line)
            self.size += len(line)
        self.lines += len(lines)
        return b"".join(b"%08x %d\n" % (zlib.crc32(line), len(line)) for line in lines)

    @property
    def sha256(self) -> str:
        """Of all lines so far, hex."""
        return self._whole.hexdigest()

    def closing(self, facts: Mapping[str, Any]) -> bytes:
        """The closing line; ``facts`` are kept as they are."""
        data = {"sha256": self.sha256, "lines": self.lines, "bytes": self.size, **facts}
        text = json.dumps(data, ensure_ascii=False)
        return f"{CLOSED} {zlib.crc32(text.encode()):08x} {text}\n".encode()


@dataclass(frozen=True, slots=True)
class Checked:
    """What a record was found to be."""

    lines: int
    """Good lines, from the first."""
    size: int
    """Their bytes."""
    sha256: str
    """Of the whole file as it is; empty when there is none."""
    closing: Mapping[str, Any] | None = field(default=None)
    """The closing facts, where they are whole."""
    fault: str = ""
    """What is wrong first, in words; empty for a whole, closed record."""
    torn: bool = False
    """The fault is an end that is missing or half written: every line before it is good."""

    @property
    def whole(self) -> bool:
        """Closed, and every byte as it was written."""
        return not self.fault


def sums_of(record: Path) -> Path:
    """Where the checksums of a record stand."""
    return record.with_suffix(SUFFIX)


def check(record: Path) -> Checked:
    """Compare a record with its sums. OSError only for files that cannot be read at all."""
    try:
        data = record.read_bytes()
    except FileNotFoundError:
        return Checked(0, 0, "", read_closing(sums_of(record)), "the record is missing")
    digest = hashlib.sha256(data).hexdigest()
    try:
        sums = sums_of(record).read_bytes()
    except FileNotFoundError:
        return Checked(0, 0, digest, None, f"{sums_of(record).name} is missing")
    wanted, closing, fault, torn = _read(sums)
    place = 0
    for number, (crc, size) in enumerate(wanted, 1):
        line = data[place : place + size]
        if zlib.crc32(line) != crc or len(line) != size:
            # A power cut leaves a short last line, or zeros where the file had grown already.
            end = b"\n" not in data[place:].rstrip(b"\0")
            what = f"line {number} is cut short" if end else f"line {number} is not as written"
            return Checked(number - 1, place, digest, closing, what, torn=end)
        place += size
    lines = len(wanted)
    if not fault and place != len(data):
        fault, torn = f"{len(data) - place} bytes follow its last line", False
    if not fault and closing is not None and closing.get("sha256") != digest:
        fault = "its SHA-256 is another than at the close"
    return Checked(lines, place, digest, closing, fault, torn)


def read_closing(sums: Path) -> Mapping[str, Any] | None:
    """The closing facts, None where there are none or they are damaged."""
    try:
        return _read(sums.read_bytes())[1]
    except FileNotFoundError:
        return None


def cut(record: Path) -> Checked:
    """Cut a torn tail off a record and its sums; what there was before stays as ``….torn``.

    A record that is whole, or damaged elsewhere than at its end, is left alone.
    """
    found = check(record)
    if not found.torn:
        return found
    sums = sums_of(record)
    wanted = {record: found.size, sums: _length(sums.read_bytes(), found.lines)}
    if all(path.stat().st_size == size for path, size in wanted.items()):
        return found  # cut before: what there was then stays
    for path, size in wanted.items():
        kept = path.read_bytes()[:size]
        before = path.with_name(path.name + ".torn")
        path.replace(before)
        with path.open("wb") as file:
            file.write(kept)
            file.flush()
            os.fsync(file.fileno())
    sync_folder(record.parent)
    return found


def sync_folder(folder: Path) -> None:
    """Names given in a folder are on the disk too, not only the bytes of its files."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _length(sums: bytes, lines: int) -> int:
    """Bytes of the first so many lines."""
    return sum(len(line) + 1 for line in sums.split(b"\n")[:lines])


def _read(sums: bytes) -> tuple[list[tuple[int, int]], Mapping[str, Any] | None, str, bool]:
    """CRC and size of each line, the closing facts, what is wrong, and whether that is an end."""
    wanted: list[tuple[int, int]] = []
    *lines, rest = sums.split(b"\n")
    for number, line in enumerate(lines, 1):
        if line.startswith(CLOSED.encode()):
            closing = _closing(line)
            if closing is None:
                return wanted, None, "its closing line is damaged", number == len(lines)
            if rest or number < len(lines):
                return wanted, closing, "something follows its closing line", False
            if closing.get("lines") != len(wanted):
                return wanted, closing, f"{len(wanted)} lines, {closing.get('lines')} closed", False
            return wanted, closing, "", False
        try:
            crc, size = line.split(b" ")
            wanted.append((int(crc, 16), int(size)))
        except ValueError:
            return wanted, None, f"its sums are damaged at line {number}", number == len(lines)
    return wanted, None, "it was never closed", True


def _closing(line: bytes) -> Mapping[str, Any] | None:
    try:
        _, crc, text = line.split(b" ", 2)
        if int(crc, 16) != zlib.crc32(text):
            return None
        found = json.loads(text)
    except ValueError:
        return None
    return found if isinstance(found, dict) else None
