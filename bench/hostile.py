"""How fast well-behaved bots play while others send hostile frames to the same referee.

The frames are those of the tests (`tests.chaos.hostile`). Who sends them would have a machine of
its own, so it gets here only what processor the others leave.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from bench.arena import Arena, arena

BOTS = ("ada", "bob")
GAMES = 64
ENDLESS = 10**9
"""Frames nobody ever gets sent."""


@dataclass(frozen=True)
class Beside:
    """Decisions a second of the well-behaved, alone and attacked."""

    alone: float
    attacked: float

    @property
    def ratio(self) -> float:
        return self.attacked / self.alone if self.alone else 0.0


@contextmanager
def attacking(running: Arena) -> Iterator[None]:
    """Two bots without a game send hostile frames on two streams each."""
    tokens = [running.store.bots.register(name) for name in ("mallory", "mort")]
    address = running.referees[0].address
    command = [sys.executable, "-m", "tests.chaos.hostile", address, "7", str(ENDLESS), "2"]
    with subprocess.Popen(["nice", "-n", "19", *command], stdin=subprocess.PIPE, text=True) as bad:
        try:
            assert bad.stdin is not None
            bad.stdin.write("\n".join(tokens))
            bad.stdin.close()
            yield
            if bad.poll() is not None:
                raise RuntimeError("the attack ended before it was measured")
        finally:
            bad.kill()


def measure(seconds: int) -> Beside:
    """The same games first alone, then attacked."""
    with arena(parallel=GAMES, matches=1) as running:
        for name in BOTS:
            running.bot(name, "thinking")
        running.play(list(BOTS))
        alone = running.measure(seconds).decisions_s
        with attacking(running):
            return Beside(alone, running.measure(seconds, warm_up=8).decisions_s)
