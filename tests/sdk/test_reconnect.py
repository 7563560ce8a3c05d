"""Bots through the SDK on a real referee, through a line that is cut, held, slow or away.

Whatever the line does, the author notices nothing: each decision is asked once, each game and match
begins and ends once, nobody is charged anything, and two lines tell of each loss.
"""

from __future__ import annotations

import asyncio
import re
from collections import Counter
from collections.abc import Awaitable, Callable

import pytest
from euchre_arena import GameOutcome, Table, Turn
from euchre_arena.client import connect

from arena.referee.service import PlayStream
from tests.referee.conftest import rig  # noqa: F401 - a fixture, by name
from tests.referee.rig import Calm, Rig, until
from tests.sdk.playing import First, Log
from tests.sdk.proxy import Proxy
from tests.support.valkey import store, valkey  # noqa: F401 - fixtures, by name

GAMES = 12
Trouble = Callable[[Rig, Proxy, Log], Awaitable[None]]


class Attentive(First):
    """Thinks aside, and counts by game what it was told."""

    capacity = 4

    def __init__(self) -> None:
        super().__init__()
        self.begun: Counter[int] = Counter()
        self.over: Counter[int] = Counter()

    async def act(self, turn: Turn) -> str:  # type: ignore[override]  # async is allowed
        self.asked[turn.game, turn.turn] += 1
        await asyncio.sleep(0.002)  # a thought
        return turn.legal[-1]

    def game_started(self, table: Table) -> None:
        self.begun[table.game] += 1

    def game_ended(self, table: Table, outcome: GameOutcome) -> None:
        super().game_ended(table, outcome)
        self.over[table.game] += 1


async def reset(rig: Rig, proxy: Proxy, log: Log) -> None:  # noqa: F811 - no fixture
    proxy.cut()


async def hang_up(rig: Rig, proxy: Proxy, log: Log) -> None:  # noqa: F811 - no fixture
    """The end of the line in good order, as of a balancer that is restarted."""
    proxy.close()


async def in_the_middle(rig: Rig, proxy: Proxy, log: Log) -> None:  # noqa: F811 - no fixture
    """Some bytes of a frame arrive, the rest does not."""
    proxy.cut_after = 40
    await until(lambda: proxy.cut_after is None, "the frame is cut")


async def away(rig: Rig, proxy: Proxy, log: Log) -> None:  # noqa: F811 - no fixture
    """Nobody can connect for a while."""
    proxy.down = True
    proxy.cut()
    before = len(log.causes)
    await until(lambda: len(log.causes) >= before + 3, "three attempts failed")
    proxy.down = False


async def silence(rig: Rig, proxy: Proxy, log: Log) -> None:  # noqa: F811 - no fixture
    """Nothing arrives, and no error does either; then everything at once."""
    await until(lambda: pings(rig) > 2, "the bot knows how often it is pinged")
    before = len(log.causes)
    proxy.stall()
    await until(lambda: len(log.causes) > before, "the silence is noticed")
    proxy.flow()


def pings(rig: Rig) -> int:  # noqa: F811 - no fixture
    """Sent on ada's stream."""
    streams = [session.stream for session in rig.referee.roster.connected("ada")]
    return max((each._ping for each in streams if isinstance(each, PlayStream)), default=0)


async def slowness(rig: Rig, proxy: Proxy, log: Log) -> None:  # noqa: F811 - no fixture
    """A line with more than half a second to and fro, on which nothing is ever lost."""
    proxy.delay_s = 0.3
    before = log.stats.frames
    await until(lambda: log.stats.frames > before + 4, "some frames come through")
    proxy.delay_s = 0.0


@pytest.mark.parametrize("trouble", [reset, hang_up, in_the_middle, away, silence, slowness])
async def test_the_author_notices_nothing_but_two_lines(
    rig: Rig,  # noqa: F811 - fixture
    monkeypatch: pytest.MonkeyPatch,
    trouble: Trouble,
) -> None:
    monkeypatch.setattr("euchre_arena.client.stream.SILENT_S", 2)
    await rig.start(ping_ms=500)
    games = GAMES * 4 if trouble is silence else GAMES  # it lasts longer than three pings
    bot, log = Attentive(), Log()
    rig.play("bob", Calm())
    async with Proxy(rig.referee.address) as proxy:
        playing = asyncio.create_task(
            connect(bot, proxy.address, rig.token("ada"), reporter=log, stop=rig.stop)
        )
        rig.players.append(playing)
        (match,) = rig.order("ada", "bob", match_format={"games": games}, options={"max_deals": 4})
        await rig.place(match)
        marks = (30,) if trouble is silence else (30, 60)
        for mark in marks:
            await until(lambda mark=mark: len(bot.asked) > mark, f"{mark} decisions")
            await trouble(rig, proxy, log)
        await rig.finished(match)
        await until(lambda: len(bot.matches) == 2, "both seats know that the match is over")
    assert rig.result(match)["faults"] == [{}, {}]
    assert set(bot.asked.values()) == {1}
    assert bot.begun == bot.over == dict.fromkeys(bot.begun, 1)
    assert len(bot.over) == 2 * games, "told by seat, counted by game"
    assert log.stats.games_started == log.stats.games_ended == games
    assert (log.stats.crashes, log.stats.rejections) == (0, 0)
    times = 0 if trouble is slowness else len(marks)
    assert log.stats.connections == 1 + times
    lost = rf"lost {proxy.address} \(.+\); trying again, games go on when it is back\n"
    back = rf"back at {proxy.address} after \d+\.\d s \(session \w+\)\n"
    lines = rf"connected to .*\n({lost}{back}){{{times}}}match .* is over, .*\n"
    assert re.fullmatch(lines, log.text), log.text
    if trouble is silence:
        assert re.search(r"\(nothing heard for \d+ s\)", log.text), log.text


async def test_a_bot_that_thinks_for_long_does_not_take_it_for_silence(
    rig: Rig,  # noqa: F811 - fixture
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    class Ponderous(First):
        """Holds its loop for longer than a silent server is waited for."""

        def act(self, turn: Turn) -> str:
            if not self.asked:
                loop = asyncio.get_running_loop()
                until = loop.time() + 3
                while loop.time() < until:
                    pass
            return super().act(turn)

    monkeypatch.setattr("euchre_arena.client.stream.SILENT_S", 1)
    clock = {"move_time_ms": 60_000}
    await rig.start(ping_ms=500, late_ms=60_000)
    seen = [rig.play("ada", Ponderous()), rig.play("bob", Calm())]
    (match,) = rig.order("ada", "bob", match_format={"games": 2}, clock=clock)
    await rig.place(match)
    await rig.finished(match)
    assert [each.losses for each in seen] == [[], []]
