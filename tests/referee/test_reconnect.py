"""Bots go on through the death of their referee, and at another: their authors notice nothing."""

from __future__ import annotations

import asyncio
import threading
from collections import Counter
from typing import Any

import pytest
from euchre_arena.bot import Bot, GameOutcome, MatchOutcome
from euchre_arena.rules.turn import Table
from euchre_arena.wire import pb

from arena.store import Embedded, Store
from tests.referee.halls import Process, referees, sweeping
from tests.referee.rig import DEADLINE_S, Calm, RawBot, Rig, Seen, until
from tests.sdk.proxy import Proxy

GAMES = 40
DEALT = {"secret_seed": "seven"}
"""The first to be asked in a game of two is mia: bob, who plays by hand too, answers nothing."""
CLOCK = {"move_time_ms": 60_000, "disconnect_grace_ms": 60_000}
SPEC = {"match_format": {"games": GAMES}, "options": {"max_deals": 4}, "clock": CLOCK}


class Attentive(Bot):
    """Thinks for a moment, and counts what it was told."""

    capacity = 8

    def __init__(self) -> None:
        self.asked: Counter[tuple[int, int]] = Counter()
        self.begun: Counter[int] = Counter()
        self.over: Counter[int] = Counter()
        self.matches: list[MatchOutcome] = []

    async def act(self, turn: Any) -> str:  # type: ignore[override]  # authors may do either
        self.asked[turn.game, turn.turn] += 1
        await asyncio.sleep(0.002)  # a thought
        return str(turn.legal[-1])

    def game_started(self, table: Table) -> None:
        self.begun[table.game] += 1

    def game_ended(self, table: Table, outcome: GameOutcome) -> None:
        self.over[table.game] += 1
        assert outcome.fault is None

    def match_ended(self, outcome: MatchOutcome) -> None:
        self.matches.append(outcome)

    async def noticed_nothing(self, seen: Seen) -> None:
        """Every game and match began and ended once, every decision was asked once."""
        await until(lambda: len(self.matches) == 2, "both seats know that the match is over")
        assert set(self.asked.values()) == {1}
        assert self.begun == self.over == dict.fromkeys(self.begun, 1)
        assert len(self.over) == 2 * GAMES
        assert (seen.stats.crashes, seen.stats.rejections, seen.warnings) == (0, 0, [])


@pytest.mark.slow
async def test_its_referee_dies_and_dies_again(valkey: Embedded, store: Store, rig: Rig) -> None:
    async with referees(1, valkey, rig, lease_ms=3000) as (hall,), sweeping(store):
        bots = {name: Attentive() for name in ("ada", "bob")}
        seen = {name: rig.play(name, bot, server=hall.address) for name, bot in bots.items()}
        (match,) = rig.order("ada", "bob", **SPEC)
        for mark in (100, 250, 400):
            await until(
                lambda mark=mark: min(len(bot.asked) for bot in bots.values()) > mark, "they play"
            )
            await hall.end()
            await hall.start()
        await rig.finished(match)
        assert rig.info(match).attempts == 1
        assert rig.result(match)["faults"] == [{}, {}]
        for name, bot in bots.items():
            await bot.noticed_nothing(seen[name])


async def apart(rig: Rig, halls: list[Process]) -> tuple[str, Attentive, Seen, int]:
    """ada and bob are at home at one referee each, and play at one of them: the match, who was
    summoned, and which referee it was to."""
    bots = [Attentive(), Attentive()]
    seen = []
    for name, bot, home in zip(("ada", "bob"), bots, halls, strict=True):
        seen.append(rig.play(name, bot, server=home.address))
    (match,) = rig.order("ada", "bob", **SPEC)
    await until(lambda: min(len(bot.asked) for bot in bots) > 50, "they play")
    addresses = {each.referee: each.address for each in rig.store.referees.all()}
    there = next(i for i, h in enumerate(halls) if h.address == addresses[rig.info(match).referee])
    return match, bots[1 - there], seen[1 - there], there


@pytest.mark.slow
async def test_a_summoned_bot_comes_back_to_a_referee_that_died(
    valkey: Embedded, store: Store, rig: Rig
) -> None:
    async with referees(2, valkey, rig, lease_ms=3000) as halls, sweeping(store):
        match, bot, seen, there = await apart(rig, halls)
        assert seen.stats.connections >= 2, "it was summoned"
        await halls[there].end()
        await halls[there].start()
        await rig.finished(match)
        assert rig.info(match).attempts == 1
        assert rig.result(match)["faults"] == [{}, {}]
        await bot.noticed_nothing(seen)


@pytest.mark.slow
async def test_a_match_moves_to_the_home_of_the_bot_that_was_summoned(
    valkey: Embedded, store: Store, rig: Rig
) -> None:
    """Its referee dies for good, and the bot that was at home there is started elsewhere."""
    async with referees(2, valkey, rig, lease_ms=2000) as halls, sweeping(store):
        match, bot, seen, there = await apart(rig, halls)
        await halls[there].end()
        rig.play(("ada", "bob")[there], Calm(), server=halls[1 - there].address)
        await rig.finished(match)
        assert rig.info(match).attempts == 1
        assert rig.result(match)["faults"] == [{}, {}]
        await bot.noticed_nothing(seen)


async def test_a_summoned_bots_line_is_cut(rig: Rig, store: Store) -> None:
    """It has nothing but the ticket and the resume token to come back with."""
    async with Proxy("127.0.0.1:1") as proxy:
        await rig.start(advertise=proxy.address)
        host, _, port = rig.referee.address.rpartition(":")
        proxy.target = host, int(port)
        home = Rig(store, rig.data / "home")
        home.tokens = rig.tokens
        await home.start()
        try:
            bot = Attentive()
            seen = home.play("ada", bot)
            # A match is played where most of its bots are.
            rig.play("bob", Calm()), rig.play("ben", Calm())
            (match,) = rig.order("ada", ("bob", "ben"), **SPEC)
            for name in ("ada", "bob", "ben"):
                await until(lambda name=name: store.referees.homes(name), f"{name} is at home")
            await rig.place(match)
            for mark in (40, 80):
                await until(lambda mark=mark: len(bot.asked) > mark, "they play")
                proxy.cut()
            await rig.finished(match)
            assert rig.result(match)["faults"] == [{}, {}]
            await bot.noticed_nothing(seen)
            assert proxy.lines >= 3
        finally:
            await home.close()


async def test_a_game_that_ended_while_its_bot_was_away_is_told_at_another_referee(
    rig: Rig, store: Store
) -> None:
    """The referee that knew of it hands its matches over meanwhile."""
    await rig.start()
    mia = await rig.bot("mia", capacity=4)
    bob = await rig.bot("bob", capacity=4)
    (match,) = rig.order("mia", "bob", match_format={"games": 4}, clock=CLOCK, **DEALT)
    await rig.place(match)
    asked = await mia.turn()
    turns = [turn for frame in mia.seen for turn in frame.turns]
    await mia.close()
    theirs = await bob.until(lambda frame: len(frame.games_started) >= 8)
    lost = theirs.games_started[0]
    number = lost.game_number
    await bob.send(crashes=[pb.Crash(game=lost.game, turn=0, detail="oops")])
    await until(lambda: rig.faults(match)[1] == {"crashed": 1}, "the game is over")
    handles = {
        game.game for f in mia.seen for game in f.games_started if game.game_number == number
    }
    assert len(handles) == 2
    assert turns[0].game == asked.game
    await rig.referee.drain()
    rig.started = False
    await bob.close()

    other = Rig(store, rig.data)
    other.tokens = rig.tokens
    await other.start()
    try:
        again, _ = await other.bot("mia", capacity=4), await other.bot("bob", capacity=4)
        async with sweeping(store):
            told: set[int] = set()
            while not handles <= told:
                frame = await again.frame()
                told |= {each.game for each in frame.games_ended}
        assert not told & set(other.referee.roster.of("mia")[0].seats)
    finally:
        await other.close()


async def test_how_a_match_ended_is_told_although_its_referee_died_over_it(
    valkey: Embedded, store: Store, rig: Rig
) -> None:
    """The result stood, and its bots had not heard of it."""

    async def bot(name: str) -> RawBot:
        made = RawBot(hall.address, rig.token(name))
        rig.raw.append(made)
        await made.hello()
        await made.frame()
        return made

    async with referees(1, valkey, rig, lease_ms=3000) as (hall,), sweeping(store):
        mia, bob = await bot("mia"), await bot("bob")
        (match,) = rig.order("mia", "bob", match_format={"games": 1}, clock=CLOCK)
        begun = await mia.until(lambda frame: frame.games_started)
        mia.deaf = True
        game = begun.games_started[0]
        await mia.send(crashes=[pb.Crash(game=game.game, turn=0, detail="oops")])
        await rig.finished(match)
        knows = await bob.until(lambda frame: frame.matches_ended)
        await bob.send()  # bob has acknowledged it
        handles = {each.match for frame in mia.seen for each in frame.games_started}
        await until(lambda: store._link.client.hlen("arena:untold") == 1, "mia alone is to be told")
        await hall.end()
        for each in (mia, bob):
            await each.close()
        await hall.start()
        again, other = await bot("mia"), await bot("bob")
        told = (await again.until(lambda frame: frame.matches_ended)).matches_ended
        assert {each.match for each in told} <= handles
        assert {(each.match_id, *each.winners) for each in told} == {(match, "bob")}
        assert told[0].secret == knows.matches_ended[0].secret
        await again.send()
        await until(lambda: not store._link.client.exists("arena:untold"), "nobody is to be told")
        # A frame later bob has heard nothing again.
        await other.until(lambda frame: frame.ping)
        assert not [each for frame in other.seen for each in frame.matches_ended]
        await again.close(), await other.close()


async def test_a_bot_lost_before_its_match_begins_has_its_grace_too(rig: Rig) -> None:
    """Chosen for a match, it goes while the store is asked for the lease."""
    await rig.start(disconnect_grace_ms=300)
    mia = await rig.bot("mia")
    rig.play("bob", Calm())
    matches = rig.referee.store.matches
    lease, gone = matches.lease, threading.Event()

    def slow(*args: Any) -> Any:
        assert gone.wait(DEADLINE_S)
        return lease(*args)

    matches.lease = slow  # type: ignore[method-assign]  # a store that is slow at the wrong time
    try:
        (match,) = rig.order("mia", "bob", match_format={"games": 2})
        await rig.place(match)
        await until(lambda: rig.referee.roster.of("mia")[0].reserved, "room is reserved")
        await mia.close()
        await until(lambda: not rig.referee.roster.connected("mia"), "the loss is noticed")
        gone.set()
        await rig.finished(match)
    finally:
        matches.lease = lease  # type: ignore[method-assign]  # as it was
    assert rig.result(match)["faults"] == [{"disconnected": 2}, {}]


async def test_a_turn_asked_again_says_that_its_answer_was_refused(rig: Rig) -> None:
    """The refusal itself may be lost with the line, and the answer given again would be a second
    fault. Only who was refused is told."""
    await rig.start()
    mia, bob = await rig.bot("mia"), await rig.bot("bob")
    (match,) = rig.order("mia", "bob", clock=CLOCK)
    await rig.place(match)
    await until(lambda: rig.referee.engine.hosted.get(match), "it begins")
    hosted = rig.referee.engine.hosted[match]
    await until(lambda: hosted.games, "it is dealt")
    ((_, seat, _),) = hosted.match.open_turns()
    asked, other = (mia, bob) if seat in (0, 2) else (bob, mia)
    who = "mia" if asked is mia else "bob"
    turn = await asked.turn()
    assert (turn.refusals, turn.refusal) == (0, "")
    asked.deaf = True
    await asked.answer(turn, choice=99)
    await until(lambda: sum(sum(f.values()) for f in rig.faults(match)) == 1, "it is refused")
    await asked.close()
    again = await rig.bot(who, resume_token=asked.welcome.resume_token)
    told = (await again.until(lambda frame: frame.turns)).turns[0]
    assert (told.turn, told.refusals, told.refusal) == (turn.turn, 1, "choice 99 of 3")
    # At another referee, too.
    rig.referee.engine.give_up("as the test likes")
    await until(lambda: match not in rig.referee.engine.hosted, "it is given up")
    await rig.place(match)
    told = (await again.until(lambda frame: frame.turns)).turns[0]
    assert (told.turn, told.refusals, told.refusal) == (turn.turn, 1, "choice 99 of 3")
    # The next turn says nothing of it.
    await again.answer(told)
    told = await other.turn()
    assert (told.refusals, told.refusal) == (0, "")
    assert sum(sum(fault.values()) for fault in rig.faults(match)) == 1


async def test_answers_to_a_game_that_is_over_are_ignored(rig: Rig) -> None:
    """A client that repeats after a reconnect whatever may not have arrived is no nuisance."""
    await rig.start()
    mia, _ = await rig.bot("mia"), await rig.bot("bob")
    (match,) = rig.order("mia", "bob", match_format={"games": 2}, clock=CLOCK, **DEALT)
    await rig.place(match)
    turn = await mia.turn()
    mia.deaf = True
    await mia.send(crashes=[pb.Crash(game=turn.game, turn=turn.turn, detail="oops")])
    await until(lambda: rig.faults(match) == [{"crashed": 1}, {}], "the game is over")
    await mia.close()
    again = await rig.bot("mia", resume_token=mia.welcome.resume_token)
    unknown = pb.Answer(game=turn.game ^ 1, turn=1)
    answer = pb.Answer(game=turn.game, turn=turn.turn)
    session = rig.referee.roster.of("mia")[0]
    assert turn.game in session.endings
    await again.send(answers=[answer, answer, unknown], ack=0)
    await again.until(lambda frame: frame.rejections)
    await again.send()
    await until(lambda: turn.game not in session.endings, "the end is acknowledged")
    await again.send(answers=[answer, answer, unknown])
    await again.until(lambda frame: frame.rejections)
    said = [each.game for frame in again.seen for each in frame.rejections]
    assert said == [unknown.game, unknown.game]
