"""`<tournament>/tournament.json` beside its records: what it is, and how it stands or ended.

Written when a tournament is made, at every change of its state and when it ends, each time whole:
a reader finds the old file or the new. With it and the records a lost store is made anew; the spec
in it may hold the seed of a seeded tournament, so it is for its owner's eyes.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from arena.archive.sums import sync_folder
from arena.store.private import write_private

NAME: Final = "tournament.json"
VERSION: Final = 1

Facts = Mapping[str, Any]
"""As `arena.store.restoring.Restoring.facts` gives them."""


class CupError(Exception):
    """A tournament's file that cannot be used; the text names it and what is wrong."""


def path_of(records: Path, tournament_id: str) -> Path:
    """Where the file of a tournament stands."""
    return records / tournament_id / NAME


def write(records: Path, facts: Facts) -> None:
    """Put a tournament's facts on the disk. OSError."""
    path = path_of(records, facts["tournament"])
    path.parent.mkdir(parents=True, exist_ok=True)
    text = json.dumps(facts, ensure_ascii=False)
    whole = {"version": VERSION, "crc32": f"{zlib.crc32(text.encode()):08x}", "facts": facts}
    write_private(path, json.dumps(whole, ensure_ascii=False, indent=1) + "\n")
    sync_folder(path.parent)


def read(path: Path) -> Facts:
    """The facts in a file. CupError; FileNotFoundError."""
    try:
        whole = json.loads(path.read_text(encoding="utf-8"))
        version, crc, facts = whole["version"], whole["crc32"], whole["facts"]
        text = json.dumps(facts, ensure_ascii=False)
    except (ValueError, KeyError, TypeError) as error:
        raise CupError(f"{path}: this is no tournament's file: {error!r}") from None
    if version != VERSION:
        raise CupError(f"{path}: version {version} is not read here, {VERSION} is")
    if crc != f"{zlib.crc32(text.encode()):08x}" or not isinstance(facts, dict):
        raise CupError(f"{path}: it is not as it was written (CRC-32)")
    return facts


def all_of(records: Path) -> list[Path]:
    """The files of all tournaments below a folder of records, by id."""
    return sorted(records.glob(f"*/{NAME}"))
