"""Bots that remember what happened to them, and a client that plays them on the stub."""

from __future__ import annotations

import asyncio
import io
from collections import Counter
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

from euchre_arena import Bot, GameOutcome, MatchOutcome, Table, Turn
from euchre_arena.client import (
    ConsoleReporter,
    Stats,
    connect,
)

from tests.sdk.stub import Stub

DEADLINE_S = 60


class First(Bot):
    """Remembers what it was asked and told."""

    def __init__(self) -> None:
        self.asked: Counter[tuple[int, int]] = Counter()
        self.started: list[Table] = []
        self.ended: list[GameOutcome] = []
        self.matches: list[MatchOutcome] = []

    def act(self, turn: Turn) -> str:
        self.asked[turn.game, turn.turn] += 1
        return turn.legal[len(turn.legal) // 2]

    def game_started(self, table: Table) -> None:
        self.started.append(table)

    def game_ended(self, table: Table, outcome: GameOutcome) -> None:
        self.ended.append(outcome)

    def match_ended(self, outcome: MatchOutcome) -> None:
        self.matches.append(outcome)


class Slow(First):
    """Thinks aside."""

    async def act(self, turn: Turn) -> str:  # type: ignore[override]  # async is allowed
        self.asked[turn.game, turn.turn] += 1
        await asyncio.sleep(0.001)
        return turn.legal[-1]


@asynccontextmanager
async def serving(stub: Stub) -> AsyncIterator[Stub]:
    await stub.start()
    try:
        yield stub
    finally:
        await stub.stop()


class Log(ConsoleReporter):
    """What the author would read."""

    def __init__(self) -> None:
        self.buffer = io.StringIO()
        self.causes: list[str] = []
        """Of every attempt that failed, also those not spoken of."""
        super().__init__(self.buffer)

    def lost(self, server: str, cause: str, retry_s: float) -> None:
        super().lost(server, cause, retry_s)
        self.causes.append(cause)

    @property
    def text(self) -> str:
        return self.buffer.getvalue()


async def until(condition: Callable[[], bool]) -> None:
    """Wait for a condition, or fail."""
    async with asyncio.timeout(DEADLINE_S):
        while not condition():  # noqa: ASYNC110 - what is waited for has no event
            await asyncio.sleep(0.005)


async def play(
    stub: Stub,
    bot: Bot,
    log: Log,
    *until_too: Callable[[], bool],
    over: Callable[[], bool] | None = None,
) -> Stats:
    """Connect until the stub's games are over (or ``over``) and all conditions hold, then stop."""
    stop = asyncio.Event()
    playing = asyncio.create_task(connect(bot, stub.address, "token", reporter=log, stop=stop))

    def finished() -> bool:
        ended = (over or stub.done.is_set)() and all(condition() for condition in until_too)
        return ended or playing.done()

    await until(finished)
    stop.set()
    return await asyncio.wait_for(playing, DEADLINE_S)
