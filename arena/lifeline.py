"""Processes that end with the one that started them, also when that one is killed.

Whoever starts a process puts `variables()` into its environment; the process calls `follow()`
first thing, and one that is not ours is started by `command()`. On Linux the kernel then sends it
SIGTERM when its parent dies; elsewhere a parent killed with SIGKILL leaves its children running,
and the next start on the same data directory says so.

The kernel takes the thread that started a process for its parent: start them in one that stays.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import signal
import sys
from collections.abc import Sequence
from typing import Final

VARIABLE: Final = "ARENA_PARENT"
_PR_SET_PDEATHSIG: Final = 1


def command(words: Sequence[str | os.PathLike[str]]) -> list[str]:
    """What to start for a program that cannot call `follow()`: it is done in its place.

    The process becomes the program, so its id, its files and what it says are the program's.
    """
    program = [os.fspath(word) for word in words]
    # Isolated and without site-packages: it needs a few hundredths of a second, not a few tenths.
    return [sys.executable, "-I", "-S", __file__, *program] if sys.platform == "linux" else program


def variables() -> dict[str, str]:
    """For the environment of a child that is to end with this process."""
    return {VARIABLE: str(os.getpid())}


def follow() -> None:
    """End with the parent, if it asked for that. Survives `exec`, but not `fork`."""
    parent = os.environ.pop(VARIABLE, "")
    if not parent.isdecimal() or sys.platform != "linux":
        return
    with contextlib.suppress(OSError):
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGTERM)
    if os.getppid() != int(parent):  # it died before we asked
        os.kill(os.getpid(), signal.SIGTERM)


if __name__ == "__main__":
    follow()
    os.execvp(sys.argv[1], sys.argv[1:])
