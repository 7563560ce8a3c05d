"""Bots that pause, or take fewer games or more, in the middle of a match."""

from __future__ import annotations

import gc
from collections import Counter

from euchre_arena.match.live import LiveGame
from euchre_arena.wire import pb

from arena.referee.session import Seat
from tests.referee.rig import Bold, RawBot, Rig, until

CLOCK = {"move_time_ms": 60_000, "disconnect_grace_ms": 60_000}


async def match_of(rig: Rig, games: int, **clock: int) -> tuple[RawBot, str]:
    """mia, of raw frames, with up to four games at once in a match; the match's id."""
    await rig.start(parallel=4)
    mia = await rig.bot("mia", capacity=4)
    rig.play("bob", Bold())
    format_ = {"games": games}
    options = {"max_deals": 1}
    spec = {"match_format": format_, "options": options, "clock": {**CLOCK, **clock}}
    (match,) = rig.order("mia", "bob", **spec)
    await rig.place(match)
    await until(lambda: live(rig, match) == 4, "four games are under way")
    return mia, match


def live(rig: Rig, match: str) -> int:
    hosted = rig.referee.engine.hosted.get(match)
    return len(hosted.games) if hosted is not None else 0


async def play_until(mia: RawBot, rig: Rig, match: str, games: int) -> None:
    """Answer until so many games are over."""
    hosted = rig.referee.engine.hosted[match]
    while len(hosted.games_over) < games:
        frame = await mia.frame()
        if frame.turns:
            await mia.answer_all(frame.turns)


async def test_a_pause_holds_in_a_match_under_way(rig: Rig) -> None:
    mia, match = await match_of(rig, 10)
    await mia.send(control=pb.Control(pause=True))
    await play_until(mia, rig, match, 4)
    assert live(rig, match) == 0
    hosted = rig.referee.engine.hosted[match]
    assert not hosted.ended.done()
    await mia.send(control=pb.Control(pause=False))
    await until(lambda: live(rig, match) == 4, "it goes on")
    await mia.play_on(lambda frame: frame.matches_ended)
    await rig.finished(match)
    assert rig.result(match)["games"] == 10
    assert rig.result(match)["faults"] == [{}, {}]


async def test_a_pause_beyond_the_grace_is_absence(rig: Rig) -> None:
    mia, match = await match_of(rig, 10, disconnect_grace_ms=200)
    await mia.send(control=pb.Control(pause=True))
    await play_until(mia, rig, match, 4)
    await rig.finished(match)
    assert rig.result(match)["faults"] == [{"disconnected": 6}, {}]


async def test_a_paused_stream_hands_over_to_another_of_its_bot(rig: Rig) -> None:
    mia, match = await match_of(rig, 6, disconnect_grace_ms=200)
    second = await rig.bot("mia", capacity=4)
    await mia.send(control=pb.Control(pause=True))
    await play_until(mia, rig, match, 4)
    await second.play_on(lambda frame: frame.matches_ended)
    assert rig.result(match)["faults"] == [{}, {}]


async def test_fewer_games_from_now_on_and_then_more(rig: Rig) -> None:
    mia, match = await match_of(rig, 20)
    await mia.send(control=pb.Control(capacity=1))
    await play_until(mia, rig, match, 4)
    most = 0
    hosted = rig.referee.engine.hosted[match]
    while len(hosted.games_over) < 8:
        most = max(most, live(rig, match))
        frame = await mia.frame()
        if frame.turns:
            await mia.answer_all(frame.turns)
    assert most == 1
    await mia.send(control=pb.Control(capacity=9))
    await until(lambda: live(rig, match) == 4, "as many as were reserved, no more")
    await mia.play_on(lambda frame: frame.matches_ended)
    assert rig.result(match)["faults"] == [{}, {}]


async def test_games_begun_after_a_pause_are_gone_on_with_elsewhere(rig: Rig) -> None:
    """The journal holds what the pause changed: a match made again has the same games."""
    mia, match = await match_of(rig, 10)
    await mia.send(control=pb.Control(pause=True))
    await play_until(mia, rig, match, 4)
    await mia.send(control=pb.Control(pause=False))
    await until(lambda: live(rig, match) == 4, "it goes on")
    hosted = rig.referee.engine.hosted[match]
    decided = hosted.decisions
    while hosted.decisions < decided + 6:
        frame = await mia.frame()
        if frame.turns:
            await mia.answer_all(frame.turns)
    rig.referee.engine.give_up("as the test likes")
    await until(lambda: match not in rig.referee.engine.hosted, "it is given up")
    await rig.place(match)
    await mia.play_on(lambda frame: frame.matches_ended)
    await rig.finished(match)
    assert rig.info(match).attempts == 1
    assert rig.result(match)["games"] == 10
    assert rig.result(match)["faults"] == [{}, {}]


async def test_fewer_games_hold_in_a_match_made_again(rig: Rig) -> None:
    """Its journal says when they became fewer: nothing else keeps the games that nobody was told
    of from beginning when the match is made again."""
    mia, match = await match_of(rig, 10)
    await mia.send(control=pb.Control(capacity=1))
    await play_until(mia, rig, match, 5)
    before = rig.referee.engine.hosted[match]
    assert (live(rig, match), before.at) == (1, 0), "one game, and no checkpoint since the start"
    rig.referee.engine.give_up("as the test likes")
    await until(lambda: match not in rig.referee.engine.hosted, "it is given up")
    await rig.place(match)
    await until(lambda: live(rig, match), "it goes on")
    hosted = rig.referee.engine.hosted[match]
    assert sorted(hosted.games) == [5]
    assert [number for number, _, _ in hosted.match.open_turns()] == [5]
    await mia.play_on(lambda frame: frame.matches_ended)
    await rig.finished(match)
    assert rig.info(match).attempts == 1
    assert rig.result(match)["faults"] == [{}, {}]


async def test_a_game_that_is_over_leaves_nothing_behind(rig: Rig) -> None:
    """Without Python's search for objects that hold each other, which comes seldom."""
    mia, match = await match_of(rig, 40)
    gc.collect()
    gc.disable()
    try:
        await play_until(mia, rig, match, 30)
        found = Counter(type(each) for each in gc.get_objects())
        hosted = rig.referee.engine.hosted[match]
        games = len(hosted.games)
    finally:
        gc.enable()
    assert found[Seat] == 4 * games
    # A session may hold one that ended just now until its frame is sent.
    assert found[LiveGame] <= games + 4
