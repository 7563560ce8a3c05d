"""A referee dies in the middle of a match, and the next goes on with it to the very turn."""

from __future__ import annotations

import asyncio
import json
import signal
from typing import Any

import pytest
from euchre_arena.bot import Bot
from euchre_arena.match.replay import replay_record

from arena.store import Embedded, Store
from arena.store.types import MatchState
from tests.referee.halls import Process, referees, sweeping
from tests.referee.rig import Bold, Calm, Rig, Seen, until
from tests.support.valkey import flush

GAMES = {"games": 40, "duplicate": True}


class Memory(Bot):
    """Plays as `Bold` does and remembers every turn it was shown and what it said to it."""

    capacity = 64

    def __init__(self) -> None:
        self.shown: dict[tuple[int, int], tuple[Any, ...]] = {}
        self.differed: list[str] = []

    def act(self, turn: Any) -> str:
        key = (turn.game, turn.turn)
        seen = (turn.hand, turn.history, turn.trick, turn.score, turn.legal)
        if self.shown.setdefault(key, seen) != seen:
            self.differed.append(f"{key}: {self.shown[key]} became {seen}")
        return str(turn.legal[-1])


def record(rig: Rig, match: str) -> str:
    return (rig.data / "records" / rig.info(match).record).read_text()


async def played(rig: Rig, hall: Process, **spec: Any) -> tuple[str, list[Seen], list[Memory]]:
    """Two bots at a referee, and a match under way between them."""
    bots = [Memory(), Memory()]
    seen = [
        rig.play(name, bot, server=hall.address)
        for name, bot in zip(("ada", "bob"), bots, strict=True)
    ]
    spec = {"match_format": GAMES, "secret_seed": "seven", **spec}
    (match,) = rig.order("ada", "bob", **spec)
    return match, seen, bots


def begin_again(rig: Rig, store: Store) -> None:
    flush(store)
    rig.tokens.clear()
    rig.tournaments = 0


@pytest.mark.slow
async def test_killed_again_and_again_the_record_is_the_same(
    valkey: Embedded, store: Store, rig: Rig
) -> None:
    async with referees(1, valkey, rig) as (hall,), sweeping(store):
        match, _, _ = await played(rig, hall)
        await rig.finished(match)
        undisturbed = record(rig, match)
        result = rig.result(match)
    rig.stop = asyncio.Event()
    rig.players.clear()
    begin_again(rig, store)
    (rig.data / "records" / "cup1" / "cup1-m0.jsonl").unlink()

    async with referees(1, valkey, rig, lease_ms=3000) as (hall,), sweeping(store):
        match, seen, bots = await played(rig, hall)
        for kill in range(1, 4):
            mark = [each.stats.decisions for each in seen]
            await until(
                lambda mark=mark, kill=kill: all(
                    each.stats.decisions > before + 250 * kill
                    for each, before in zip(seen, mark, strict=True)
                ),
                "they play",
            )
            assert rig.info(match).state is MatchState.PLAYING
            await hall.end()
            await hall.start()
        await rig.finished(match)
        assert record(rig, match) == undisturbed
        assert rig.result(match) == result
        assert rig.info(match).attempts == 1
        assert store.matches.attempts(match) == []
        assert [bot.differed for bot in bots] == [[], []]
        assert [len(each.losses) >= 3 for each in seen] == [True, True]
        assert store._link.client.keys("*checkpoint*") == []
    report = replay_record(undisturbed.splitlines())
    assert report.ok
    assert report.faults == []


@pytest.mark.slow
async def test_another_referee_goes_on_where_one_died(
    valkey: Embedded, store: Store, rig: Rig
) -> None:
    """Its bots come by summons; what they knew of their games still holds."""
    async with referees(2, valkey, rig, lease_ms=3000) as halls, sweeping(store):
        bots = [Memory(), Memory()]
        seen = [
            rig.play(name, bot, server=home.address)
            for name, bot, home in zip(("ada", "bob"), bots, halls, strict=True)
        ]
        (match,) = rig.order("ada", "bob", match_format=GAMES)
        await until(lambda: all(each.stats.decisions > 400 for each in seen), "they play")
        addresses = {each.referee: each.address for each in store.referees.all()}
        there = addresses[rig.info(match).referee]
        (first,) = [hall for hall in halls if hall.address == there]
        await first.end()
        # Its bots come back to it, as it is started again; the match is wherever it suits.
        await first.start()
        await rig.finished(match)
        assert rig.info(match).attempts == 1
        assert [bot.differed for bot in bots] == [[], []]
        assert rig.result(match)["faults"] == [{}, {}]
        report = replay_record(record(rig, match).splitlines())
        assert report.ok, report.message


async def test_a_summoned_bot_that_is_started_again_is_summoned_again(
    valkey: Embedded, store: Store, rig: Rig
) -> None:
    """Its new process knows of no referee but its home."""
    async with referees(2, valkey, rig, lease_ms=3000) as halls, sweeping(store):
        bots = {"ada": halls[0], "bob": halls[1]}
        seen = {bot: rig.play(bot, Calm(), server=home.address) for bot, home in bots.items()}
        clock = {"move_time_ms": 60_000, "disconnect_grace_ms": 60_000}
        (match,) = rig.order("ada", "bob", match_format={"games": 20}, clock=clock)
        await until(lambda: all(each.stats.decisions > 50 for each in seen.values()), "they play")
        addresses = {each.referee: each.address for each in store.referees.all()}
        there = addresses[rig.info(match).referee]
        (visitor,) = [bot for bot, home in bots.items() if home.address != there]
        process = rig.players[list(bots).index(visitor)]
        process.cancel()
        await asyncio.gather(process, return_exceptions=True)
        rig.play(visitor, Bold(), server=bots[visitor].address)
        await rig.finished(match)
        assert rig.info(match).attempts == 1
        assert rig.result(match)["faults"] == [{}, {}]


async def test_a_journal_that_may_lack_its_end_voids_the_attempt(
    valkey: Embedded, store: Store, rig: Rig
) -> None:
    """As after a power cut: the store lives another life than the journal is sure of."""
    async with referees(1, valkey, rig, lease_ms=3000) as (hall,):
        match, seen, _ = await played(rig, hall)
        async with sweeping(store):
            await until(lambda: all(each.stats.decisions > 200 for each in seen), "they play")
        (dead,) = [each.referee for each in store.referees.all()]
        await hall.end()
        store._link.client.hset(f"arena:r:{dead}:pen", "life", "before the lights went out")
        await hall.start()
        async with sweeping(store):
            await rig.finished(match)
        (attempt,) = store.matches.attempts(match)
        assert "forgotten" in attempt["reason"]
        assert attempt["secret"]
        assert rig.info(match).attempts == 2
        assert rig.result(match)["faults"] == [{}, {}]


async def test_clocks_and_faults_live_on(valkey: Embedded, store: Store, rig: Rig) -> None:
    """What was taken from a bank stays taken, a fault stays charged; the referee's death costs
    nobody anything."""

    class Slow(Bold):
        """Is late once, takes from its bank, and breaks the rules once."""

        said = 0

        async def act(self, turn: Any) -> str:  # type: ignore[override]  # authors may do either
            self.said += 1
            if self.said == 5:
                await asyncio.sleep(6)  # beyond move time, bank and lag
            return "call n" if self.said == 8 else str(turn.legal[-1])

    clock = {"move_time_ms": 2000, "bank_ms": 2000, "disconnect_grace_ms": 60_000}
    async with referees(1, valkey, rig, lease_ms=3000) as (hall,), sweeping(store):
        slow = rig.play("ada", Slow(), server=hall.address, capacity=1)
        quick = rig.play("bob", Bold(), server=hall.address)
        (match,) = rig.order("ada", "bob", match_format={"games": 6}, clock=clock)
        await until(lambda: slow.stats.decisions > 30, "they play")
        assert rig.info(match).state is MatchState.PLAYING
        await hall.end()
        await hall.start()
        await rig.finished(match)
        assert quick.stats.decisions > 10
        faults = [json.loads(line) for line in record(rig, match).splitlines() if '"fault"' in line]
        assert [each["fault"] for each in faults] == ["timeout", "illegal"]
        assert rig.result(match)["faults"] == [{"illegal": 1, "timeout": 1}, {}]


@pytest.mark.slow
async def test_a_stopped_referee_that_comes_back_writes_nothing(
    valkey: Embedded, store: Store, rig: Rig
) -> None:
    async with referees(2, valkey, rig, lease_ms=2000) as halls, sweeping(store):
        bots = [Memory(), Memory()]
        seen = []
        for name, bot in zip(("ada", "bob"), bots, strict=True):
            # Everybody is at home in both, so that either can play the match.
            seen += [rig.play(name, bot, server=hall.address) for hall in halls]
        (match,) = rig.order("ada", "bob", match_format=GAMES)
        await until(lambda: sum(each.stats.decisions for each in seen) > 800, "they play")
        addresses = {each.referee: each.address for each in store.referees.all()}
        (first,) = [h for h in halls if h.address == addresses[rig.info(match).referee]]
        first.process.send_signal(signal.SIGSTOP)
        before = rig.info(match).referee
        await until(
            lambda: (
                (rig.info(match).state is MatchState.PLAYING and rig.info(match).referee != before)
                or rig.info(match).state is MatchState.FINISHED
            ),
            "the other goes on",
        )
        first.process.send_signal(signal.SIGCONT)
        await rig.finished(match)
        assert rig.info(match).attempts == 1
        assert rig.result(match)["faults"] == [{}, {}]
        assert [bot.differed for bot in bots] == [[], []]
        report = replay_record(record(rig, match).splitlines())
        assert report.ok, report.message
        # The one that was stopped is sound: it plays on.
        second = rig.order("ada", "bob", match_format={"games": 2})
        await rig.finished(*second)
