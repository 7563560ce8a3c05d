"""The demo's data directory: made anew at each run."""

from __future__ import annotations

import fcntl
import shutil
from pathlib import Path
from typing import Final

from arena.config import Data
from arena.store import Embedded, EmbeddedError

MARK: Final = "demo"
"""A file that says a directory is a demo's, so that it may be emptied."""


class DemoError(Exception):
    """The demo cannot go on; the text says why and what to do."""


def prepare(data: Data) -> None:
    """Empty what an earlier demo left, or make the directory. DemoError, OSError."""
    folder = data.path
    mark = folder / MARK
    if folder.exists():
        if not folder.is_dir():
            raise DemoError(f"{folder} is no directory; name another with --data")
        if not mark.is_file() and any(folder.iterdir()):
            raise DemoError(
                f"{folder} is not empty and no demo's; name another directory with --data"
            )
        if _held(data.lock):
            raise DemoError(
                f"a demo runs in {folder}; wait for it, or name another directory with --data"
            )
        _end_orphan(data)
        for item in folder.iterdir():
            if item.is_dir() and not item.is_symlink():
                shutil.rmtree(item)
            else:
                item.unlink()
    folder.mkdir(parents=True, exist_ok=True)
    mark.write_text("Made by `arena demo`, and emptied by the next one.\n")


def _end_orphan(data: Data) -> None:
    """End the Valkey of a demo that was killed: its files are about to go."""
    if _held(data.path / "valkey" / "server.lock"):
        try:
            with Embedded(data.path):
                pass
        except EmbeddedError as error:
            raise DemoError(str(error)) from None


def _held(lock: Path) -> bool:
    """Whether a process holds this lock file."""
    if not lock.exists():
        return False
    with lock.open("rb") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            return True
    return False
