"""A bot of a measurement, a process of its own: answers at random, at once or after a while."""

from __future__ import annotations

import asyncio
import os
import random
import sys

from euchre_arena.bot import Bot
from euchre_arena.client import Reporter, run
from euchre_arena.rules.turn import Turn


class Quick(Bot):
    """Any legal action, at once."""

    def __init__(self) -> None:
        self.random = random.Random(7).random

    def act(self, turn: Turn) -> str:
        legal = turn.legal
        return legal[int(self.random() * len(legal))]


class Thinking(Quick):
    """Any legal action after a millisecond, more or less; no CPU is used meanwhile."""

    async def act(self, turn: Turn) -> str:  # type: ignore[override]  # sync or async, as authors may
        await asyncio.sleep(self.random() * 0.002)
        return super().act(turn)


if __name__ == "__main__":
    kind, server = sys.argv[1:3]
    bot = {"quick": Quick, "thinking": Thinking}[kind]()
    run(bot, server, os.environ["BENCH_TOKEN"], capacity=4096, reporter=Reporter())
