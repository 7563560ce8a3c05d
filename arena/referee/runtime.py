"""What a referee's process runs on: its event loop, its memory.

A lonely decision takes half a dozen turns of the loop (gRPC's completions, the journal's answer),
and asyncio's own are written in Python. With uvloop it takes less CPU, a sixth in three runs by
turns; with a thousand games it makes no difference. uvloop does not exist for Windows.

glibc gives every thread a heap of its own, which keeps what a checkpoint or a record once took; and
from the first large buffer on such ones come from the heap, too, and leave holes there. That is two
to three megabytes with a thousand games. One thread at a time runs Python anyway, so all share one
heap; large buffers come from the system and go back there.
"""

from __future__ import annotations

import asyncio
import ctypes
import sys
from collections.abc import Coroutine
from typing import Final, TypeVar

if sys.platform == "win32":
    new_event_loop = asyncio.new_event_loop
else:
    from uvloop import new_event_loop

T = TypeVar("T")
M_MMAP_THRESHOLD: Final = -3
M_ARENA_MAX: Final = -8
"""Of glibc's malloc.h."""
LARGE: Final = 128 * 1024


def one_heap() -> None:
    """Before there are threads. Where the C library is another nothing is changed."""
    if sys.platform == "linux":
        mallopt = getattr(ctypes.CDLL(None), "mallopt", None)
        if mallopt is not None:
            mallopt(M_ARENA_MAX, 1)
            mallopt(M_MMAP_THRESHOLD, LARGE)


def run(main: Coroutine[None, None, T]) -> T:
    """`asyncio.run`, faster, of a process that is a referee's alone."""
    one_heap()
    with asyncio.Runner(loop_factory=new_event_loop) as runner:
        return runner.run(main)
