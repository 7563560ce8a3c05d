"""Whether this host is quick enough to be anybody's referee.

A loop that is late takes the bots' answers late. What it was late by is forgiven (`Engine.late`),
so it costs nobody; but a referee that is late again and again holds every match up, and says that
it is not fit: it takes no match, gives back those it has, and is fit again when it has kept time
for as long as it is watched.
"""

from __future__ import annotations

from collections import deque
from typing import Final

from arena.referee.config import RefereeConfig

TIMES: Final = 3
"""Late so often in the window a referee is unfit: once is a process that was stopped."""


class Fitness:
    """Counts how often the loop was late."""

    def __init__(self, config: RefereeConfig) -> None:
        self.bound_ns = config.late_ms * 1_000_000
        self._window_ns = config.fitness_window_ms * 1_000_000
        self._late: deque[int] = deque(maxlen=TIMES)
        self._fit = True

    def late(self, now: int) -> None:
        """The loop was later than ``bound_ns``."""
        self._late.append(now)

    def fit(self, now: int) -> bool:
        """Whether it is fit now. Once unfit, it must keep time for a whole window."""
        before = now - self._window_ns
        recent = [at for at in self._late if at > before]
        self._fit = not recent or (self._fit and len(recent) < TIMES)
        return self._fit
