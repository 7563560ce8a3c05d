"""Processes that end with the one that started them, also when that one is killed.

Whoever starts a process puts `variables()` into its environment; the process calls `follow()`
first thing. On Linux the kernel then sends it SIGTERM when its parent dies; elsewhere a parent
killed with SIGKILL leaves its children running, and the next start on the same data directory
says so.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import signal
import sys
from typing import Final

VARIABLE: Final = "ARENA_PARENT"
_PR_SET_PDEATHSIG: Final = 1


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
