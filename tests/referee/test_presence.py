"""Sessions that lose their stream: resumed, adopted, taken over, given up."""

from __future__ import annotations

import asyncio
import json
import os
import re
import signal
import sys
import time
from pathlib import Path

import grpc
from euchre_arena.match import GameOver
from euchre_arena.match.clock import MS
from euchre_arena.match.course import FORFEITED_AT_ONCE
from euchre_arena.match.replay import replay_record
from euchre_arena.wire import pb

from arena.referee.hosted import Hosted
from arena.store.types import MatchState
from tests.referee.rig import Bold, RawBot, Rig, until


async def alone_to_move(rig: Rig, **order: object) -> tuple[RawBot, pb.Turn, str]:
    """Raw bot mia, asked first in a match of one game against an SDK's bot; the match's id."""
    mia = await rig.bot("mia")
    rig.play("bob", Bold())
    (match,) = rig.order("mia", "bob", **order)
    await rig.place(match)
    return mia, await mia.turn(), match


async def test_a_resume_token_brings_back_every_open_game_and_turn(rig: Rig) -> None:
    await rig.start()
    mia, turn, _ = await alone_to_move(rig)
    started = {each.game: each for frame in mia.seen for each in frame.games_started}
    await mia.close()
    again = await rig.bot("mia", resume_token=mia.welcome.resume_token)
    assert again.welcome.session_id == mia.welcome.session_id
    resent = await again.frame()
    assert {each.game for each in resent.games_started} == set(started)
    for each in resent.games_started:
        assert each.resumed
        each.resumed = False
        assert each == started[each.game]
    assert turn in resent.turns
    await again.answer(turn)
    await again.turn()


async def test_ends_a_bot_has_not_acknowledged_are_told_again(rig: Rig) -> None:
    await rig.start()
    mia, turn, match = await alone_to_move(rig, match_format={"games": 2})
    mia.deaf = True
    crash = pb.Crash(game=turn.game, turn=turn.turn, detail="oops")
    await mia.send(crashes=[crash])
    await until(lambda: rig.faults(match) == [{"crashed": 1}, {}], "the game is over")
    await mia.close()
    again = await rig.bot("mia", resume_token=mia.welcome.resume_token)
    told = await again.until(lambda frame: frame.games_ended)
    assert turn.game in {each.game for each in told.games_ended}
    assert turn.game not in {each.game for each in told.games_started}


async def test_the_end_of_a_match_is_told_to_a_bot_that_was_lost_before_it_knew(rig: Rig) -> None:
    await rig.start()
    mia, turn, match = await alone_to_move(rig, match_format={"games": 1})
    mia.deaf = True
    await mia.send(crashes=[pb.Crash(game=turn.game, turn=turn.turn, detail="oops")])
    await rig.finished(match)
    await mia.close()
    await until(lambda: not rig.referee.roster.connected("mia"), "the loss is noticed")
    again = await rig.bot("mia", resume_token=mia.welcome.resume_token)
    assert again.welcome.session_id == mia.welcome.session_id
    told = await again.until(lambda frame: frame.matches_ended)
    assert {each.match_id for each in told.matches_ended} == {match}


async def test_a_bot_that_never_asks_how_its_match_ended_is_forgotten(rig: Rig) -> None:
    await rig.start(disconnect_grace_ms=300)
    mia, turn, match = await alone_to_move(rig, match_format={"games": 1})
    mia.deaf = True
    await mia.send(crashes=[pb.Crash(game=turn.game, turn=turn.turn, detail="oops")])
    await rig.finished(match)
    await mia.close()
    await until(lambda: not rig.referee.roster.of("mia"), "its session is over")


async def test_a_new_process_of_the_bot_takes_its_games_up(rig: Rig) -> None:
    await rig.start()
    mia, turn, _ = await alone_to_move(rig)
    await mia.close()
    await until(lambda: not rig.referee.roster.connected("mia"), "the loss is noticed")
    again = await rig.bot("mia")
    assert turn in (await again.until(lambda frame: frame.turns)).turns


async def test_an_unknown_resume_token_begins_a_new_session(rig: Rig) -> None:
    await rig.start()
    mia = await rig.bot("mia", resume_token="of another day")
    assert mia.welcome.resume_token != "of another day"
    other = await rig.bot("max", resume_token=mia.welcome.resume_token)
    assert other.welcome.session_id != mia.welcome.session_id
    assert other.welcome.bot == "max"


async def test_a_summoned_bot_comes_back_with_its_ticket(rig: Rig) -> None:
    """It has nothing else to show here, and its stream may break like any other."""
    await rig.start()
    rig.token("mia")
    rig.tokens["mia"] = ticket = rig.referee.admission.ticket("mia")
    mia, turn, _ = await alone_to_move(rig)
    rig.referee.admission._tickets[ticket] = ("mia", 0.0)  # its minute is over
    await mia.close()
    await until(lambda: not rig.referee.roster.connected("mia"), "the loss is noticed")
    again = await rig.bot("mia", resume_token=mia.welcome.resume_token)
    assert again.welcome.session_id == mia.welcome.session_id
    assert turn in (await again.until(lambda frame: frame.turns)).turns


async def test_a_ticket_nobody_came_with_is_void_after_a_minute(rig: Rig) -> None:
    await rig.start()
    rig.token("mia")
    rig.tokens["mia"] = ticket = rig.referee.admission.ticket("mia")
    rig.referee.admission._tickets[ticket] = ("mia", 0.0)
    mia = await rig.stranger("mia")
    _, _, info = await mia.status()
    assert info.reason == "TOKEN"


async def test_resuming_ends_the_old_stream(rig: Rig) -> None:
    """A connection may be dead for its bot long before the server notices."""
    await rig.start()
    mia, turn, _ = await alone_to_move(rig)
    again = await rig.bot("mia", resume_token=mia.welcome.resume_token)
    code, text, info = await mia.status()
    assert (code, info.reason) == (grpc.StatusCode.ABORTED, "TAKEN_OVER")
    assert "another stream took this session up" in text
    assert turn in (await again.until(lambda frame: frame.turns)).turns


async def test_a_bot_gone_beyond_its_grace_forfeits_the_match(rig: Rig) -> None:
    await rig.start(disconnect_grace_ms=100)
    mia, _, match = await alone_to_move(rig, match_format={"games": 6})
    assert mia.welcome.limits.disconnect_grace_ms == 100
    await mia.close()
    await rig.finished(match)
    result = rig.result(match)
    assert result["winners"] == [1]
    assert result["won"] == [0, 6]
    assert result["faults"] == [{"disconnected": 6}, {}]
    await until(lambda: not rig.referee.roster.of("mia"), "nobody waits for it any more")


async def test_who_is_gone_from_a_long_match_does_not_hold_others_up(rig: Rig) -> None:
    """Very many games are forfeited some at a time: others are played between."""
    await rig.start(disconnect_grace_ms=100)
    mia, _, match = await alone_to_move(rig, match_format={"games": 2_000})
    engine = rig.referee.engine
    most, forfeited = 0, 0
    ended = engine._handlers[GameOver]

    def count(hosted: Hosted, effect: GameOver) -> None:
        nonlocal forfeited
        forfeited += 1
        ended(hosted, effect)

    engine._handlers[GameOver] = count  # every game's end is told through it
    await mia.close()
    while rig.info(match).state is not MatchState.FINISHED:
        before = forfeited
        await asyncio.sleep(0)  # one turn of the loop
        most = max(most, forfeited - before)
    assert forfeited == 2_000
    assert most <= 2 * FORFEITED_AT_ONCE
    assert rig.result(match)["faults"] == [{"disconnected": 2_000}, {}]


async def test_the_matchs_own_grace_counts(rig: Rig) -> None:
    await rig.start(disconnect_grace_ms=60_000)
    clock = {"move_time_ms": 60_000, "disconnect_grace_ms": 50}
    mia, _, match = await alone_to_move(rig, clock=clock)
    await mia.close()
    await rig.finished(match)
    assert rig.result(match)["faults"] == [{"disconnected": 1}, {}]


async def test_a_bot_that_comes_and_goes_loses_the_game_that_gave_it_all_it_gives(
    rig: Rig,
) -> None:
    """No absence is longer than its grace; the other games have theirs yet."""
    await rig.start(parallel=1)
    clock = {
        "move_time_ms": 60_000,
        "disconnect_grace_ms": 60_000,
        "disconnect_grace_per_game_ms": 60_000,
    }
    mia, turn, match = await alone_to_move(rig, match_format={"games": 2}, clock=clock)
    hosted = rig.referee.engine.hosted[match]
    hosted.away_ms = 4_000  # a spec cannot say less than the grace at once
    token, came, goes = mia.welcome.resume_token, 0, 0
    while not hosted.games_over:
        goes += 1
        await mia.close()
        await until(lambda: not rig.referee.roster.connected("mia"), "the loss is noticed")
        seat = rig.referee.roster.of("mia")[0].seats.get(turn.game)
        # Back while there is something left of it, as long as it lasts.
        await until(
            lambda seat=seat, goes=goes: (
                hosted.games_over or seat.away(time.monotonic_ns()) > goes * 1_000 * MS
            ),
            "it is away for a while",
        )
        if not hosted.games_over:
            mia = await rig.bot("mia", resume_token=token)
            came += 1
            await mia.until(lambda frame: frame.turns or frame.games_ended)
    assert came >= 1
    assert hosted.faults == [{"disconnected": 1}, {}]
    hosted.away_ms = 60_000
    mia = await rig.bot("mia", resume_token=token)
    await mia.play_on(lambda frame: frame.matches_ended)
    await rig.finished(match)
    told = {each.game: each for bot in rig.raw for f in bot.seen for each in f.games_ended}
    assert (told[turn.game].won, told[turn.game].fault) == (False, "disconnected")
    assert rig.result(match)["faults"] == [{"disconnected": 1}, {}]
    record = (rig.data / "records" / rig.info(match).record).read_text().splitlines()
    (fault,) = [json.loads(line) for line in record if '"fault"' in line]
    assert re.fullmatch(
        r"mia was gone [2-9]\d* times in this game, for \d+ ms in all; 4000 ms are given",
        fault["detail"],
    )
    report = replay_record(record)
    assert report.ok, report.message


async def test_what_a_game_gives_is_the_specs(rig: Rig) -> None:
    await rig.start(disconnect_grace_ms=100, disconnect_grace_per_game_ms=700)
    clock = {"move_time_ms": 60_000, "disconnect_grace_ms": 200}
    mia, _, match = await alone_to_move(rig, clock=clock)
    assert mia.welcome.limits.disconnect_grace_per_game_ms == 700
    assert rig.referee.engine.hosted[match].away_ms == 700
    given = {**clock, "disconnect_grace_per_game_ms": 900}
    (match,) = rig.order("mia", "bob", clock=given)
    await rig.place(match)
    hosted = await until(lambda: rig.referee.engine.hosted.get(match), "it is hosted")
    assert hosted.away_ms == 900


async def test_another_stream_takes_over_from_one_that_comes_and_goes(rig: Rig) -> None:
    await rig.start(disconnect_grace_ms=60_000)
    mia, turn, match = await alone_to_move(rig)
    second = await rig.bot("mia")
    rig.referee.engine.hosted[match].away_ms = 100
    await mia.close()
    frame = await second.until(lambda frame: frame.turns)
    assert turn in frame.turns
    assert rig.faults(match) == [{}, {}]


async def test_another_stream_of_the_bot_takes_over_after_the_grace(rig: Rig) -> None:
    await rig.start(disconnect_grace_ms=100)
    mia, turn, match = await alone_to_move(rig)
    # It came later, so it has no game yet.
    second = await rig.bot("mia")
    assert second.welcome.session_id != mia.welcome.session_id
    await mia.close()
    frame = await second.until(lambda frame: frame.turns)
    assert turn in frame.turns
    await second.answer(turn)
    assert rig.faults(match) == [{}, {}]


async def test_the_seats_of_a_game_are_spread_over_a_bots_streams(rig: Rig) -> None:
    await rig.start()
    streams = [await rig.bot("mia"), await rig.bot("mia")]
    rig.play("bob", Bold())
    (match,) = rig.order("mia", "bob", match_format={"games": 4})
    await rig.place(match)
    games = []
    for stream in streams:
        await stream.until(lambda frame: frame.games_started)
        told = [each for frame in stream.seen for each in frame.games_started]
        games.append(sorted(each.game_number for each in told))
    assert games == [[0, 1, 2, 3], [0, 1, 2, 3]]
    assert all(session.reserved == 4 for session in rig.referee.roster.of("mia"))


async def test_no_stream_gets_more_games_than_it_takes(rig: Rig) -> None:
    await rig.start(parallel=32)
    mia = await rig.bot("mia", capacity=3)
    assert mia.welcome.limits.games == 3
    rig.play("bob", Bold())
    matches = rig.order("mia", "bob", matches=2, match_format={"games": 50})
    await rig.place(matches[0])
    await mia.turn()
    assert len({each.game_number for f in mia.seen for each in f.games_started}) == 3
    # A second match waits at the store until the first is over.
    assert rig.store.matches.place(matches[1]).placement.value == "waiting"


async def test_a_paused_stream_gets_no_new_match(rig: Rig) -> None:
    await rig.start()
    mia = await rig.bot("mia")
    await mia.send(control=pb.Control(pause=True))
    rig.play("bob", Bold())
    await until(lambda: rig.referee.roster.connected("bob"), "bob is there")
    await until(lambda: rig.referee.hosting.bots().get("mia") == 0, "mia is paused")
    await mia.send(control=pb.Control(pause=False))
    (match,) = rig.order("mia", "bob")
    await rig.place(match)
    await mia.turn()


async def test_a_bot_that_crashed_forfeits_that_game_only(rig: Rig) -> None:
    await rig.start()
    mia, turn, match = await alone_to_move(rig, match_format={"games": 2})
    await mia.send(crashes=[pb.Crash(game=turn.game, turn=turn.turn, detail="ValueError: oops")])
    ended = await mia.until(lambda frame: frame.games_ended)
    assert {(each.won, each.fault) for each in ended.games_ended} == {(False, "crashed")}
    assert rig.faults(match) == [{"crashed": 1}, {}]
    # The other game goes on to its end.
    await mia.answer_all(turn for frame in mia.seen for turn in frame.turns)
    await mia.play_on(lambda frame: frame.matches_ended)
    assert rig.result(match)["games"] == 2


async def test_two_bots_of_one_team_have_a_seat_each(rig: Rig) -> None:
    await rig.start()
    mia, max_ = await rig.bot("mia"), await rig.bot("max")
    rig.play("bob", Bold())
    (match,) = rig.order(("mia", "max"), "bob")
    await rig.place(match)
    for bot, seat in ((mia, 0), (max_, 2)):
        frame = await bot.until(lambda frame: frame.games_started)
        assert [each.seat for each in frame.games_started] == [seat]
    await asyncio.gather(mia.close(), max_.close())


async def test_a_bot_that_was_stopped_is_noticed(rig: Rig) -> None:
    """Its connection stays open, and without pings nobody would ever know."""
    await rig.start(keepalive_ms=1_000, keepalive_timeout_ms=1_000)
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "bench.bot", "quick", rig.referee.address),
        env={**os.environ, "BENCH_TOKEN": rig.token("mia")},
        cwd=Path(__file__).parents[2],
    )
    try:
        await until(lambda: rig.referee.roster.connected("mia"), "it is there")
        process.send_signal(signal.SIGSTOP)
        await until(lambda: not rig.referee.roster.connected("mia"), "it is gone")
    finally:
        process.kill()
        await process.wait()
