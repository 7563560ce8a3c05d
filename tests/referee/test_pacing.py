"""Credits and pace: one turn-bearing frame at a time, everything ready meanwhile in the next."""

from __future__ import annotations

import pytest
from euchre_arena.wire import pb

from arena.referee.config import RefereeConfig
from arena.referee.pacing import Pace, Streams
from arena.referee.service import USELESS
from tests.referee.rig import Bold, Rig, until

MS = 1_000_000


def pace(streams: int = 1) -> Pace:
    shared = Streams()
    shared.open = streams
    return Pace(RefereeConfig(), shared)


def test_a_stream_of_few_games_does_not_wait() -> None:
    lonely = pace()
    lonely.sent(5 * MS, games=2)
    assert lonely.next_at == 5 * MS


def test_a_stream_of_many_games_waits_two_milliseconds() -> None:
    busy = pace()
    busy.sent(5 * MS, games=500)
    assert busy.next_at == 7 * MS
    half = pace()
    half.sent(5 * MS, games=32)
    assert half.next_at == 6 * MS


def test_the_pace_grows_with_the_streams() -> None:
    crowded = pace(streams=80)
    crowded.sent(0, games=500)
    assert crowded.next_at == 20 * MS


async def test_what_becomes_ready_waits_for_the_acknowledgement(rig: Rig) -> None:
    await rig.start(parallel=16, ack_ms=60_000)
    mia = await rig.bot("mia")
    rig.play("bob", Bold())
    (match,) = rig.order("mia", "bob", match_format={"games": 16})
    await rig.place(match)
    first = await mia.until(lambda frame: frame.turns, ack=False)
    await mia.answer_all(first.turns)
    (session,) = rig.referee.roster.of("mia")
    await until(lambda: len(session.outbox.turns) >= 8, "half of the games wait for mia again")
    assert mia.arrived.empty()
    mia.acked = first.frame
    await mia.send()
    second = await mia.until(lambda frame: frame.turns)
    assert len(second.turns) >= 8


async def test_a_frame_without_turns_needs_no_acknowledgement(rig: Rig) -> None:
    await rig.start(ping_ms=20)
    mia = await rig.bot("mia")
    mia.acked = 0
    await mia.until(lambda frame: frame.ping, ack=False)
    await mia.until(lambda frame: frame.ping, ack=False)


async def test_frames_are_split_before_their_limit(rig: Rig) -> None:
    await rig.start(parallel=16, frame_bytes_out=1_000)
    mia = await rig.bot("mia")
    rig.play("bob", Bold())
    (match,) = rig.order("mia", "bob", match_format={"games": 16})
    await rig.place(match)
    await mia.play_on(lambda frame: frame.matches_ended)
    assert rig.result(match)["games"] == 16
    assert rig.result(match)["faults"] == [{}, {}]
    # A part alone may be as long as it is.
    assert all(frame.ByteSize() <= 1_020 for frame in mia.seen[1:])


async def test_handles_are_random_and_a_frame_stands_in_their_order(rig: Rig) -> None:
    """Neither order nor numbers tell which two seats belong to one game."""
    await rig.start(parallel=16)
    mia = await rig.bot("mia")
    rig.play("bob", Bold())
    (match,) = rig.order("mia", "bob", match_format={"games": 16})
    await rig.place(match)
    await mia.play_on(lambda frame: frame.matches_ended)
    started = [each for frame in mia.seen for each in frame.games_started]
    handles = {each.game for each in started}
    assert len(started) == len(handles) == 32
    assert max(handles) > 1 << 60
    for frame in mia.seen:
        for messages in (frame.games_started, frame.turns, frame.games_ended):
            order = [each.game for each in messages]
            assert order == sorted(order)
    # A seat of a match has one handle of the match, and the two seats have different ones.
    assert len({each.match for each in started}) == 2


KINDS = {
    "nothing": {},
    "a stale answer": {"answers": [pb.Answer(game=1, turn=1)]},
    "an illegal answer": {},
    "randomness nobody asked for": {"entropy": [pb.Entropy(game=1, nonce=b"?" * 32)]},
    "a crash in no game": {"crashes": [pb.Crash(game=1, turn=1, detail="?")]},
    "a control": {"control": pb.Control(capacity=16)},
}


async def test_a_few_useless_frames_are_mistakes(rig: Rig) -> None:
    await rig.start(parallel=1, useless_frame_ms=600_000)
    mia = await rig.bot("mia")
    rig.play("bob", Bold())
    (match,) = rig.order("mia", "bob")
    await rig.place(match)
    await mia.until(lambda frame: frame.turns)
    for _ in range(USELESS):
        await mia.send(answers=[pb.Answer(game=1, turn=1)])
    await mia.answer_all(mia.seen[-1].turns)
    await mia.play_on(lambda frame: frame.matches_ended)


@pytest.mark.parametrize("what", KINDS)
async def test_after_useless_frames_a_stream_waits(rig: Rig, what: str) -> None:
    """So long that whoever sends such frames as fast as it can takes nobody else's time."""
    await rig.start(parallel=1, useless_frame_ms=60_000)
    mia = await rig.bot("mia")
    for name in ("bob", "eve"):
        rig.play(name, Bold())
    (match,) = rig.order("mia", "bob", clock={"move_time_ms": 600_000})
    await rig.place(match)
    turn = (await mia.until(lambda frame: frame.turns)).turns[0]
    useless = dict(KINDS[what])
    if what == "an illegal answer":
        useless["answers"] = [pb.Answer(game=turn.game, turn=turn.turn, choice=99)]
    decisions = rig.referee.engine.hosted[match].decisions
    for _ in range(USELESS):
        await mia.send()
    await mia.send()  # the first of them has acknowledged what came
    await mia.send(**useless)
    await mia.answer(turn)
    (other,) = rig.order("bob", "eve")
    await rig.place(other)
    await rig.finished(other)
    # Others have played meanwhile, and the good answer behind it has not been read.
    assert rig.referee.engine.hosted[match].decisions == decisions


async def test_nothing_a_bot_of_the_sdk_sends_is_useless(rig: Rig) -> None:
    """Answers, acknowledgements, pongs, randomness: it never waits."""
    await rig.start(parallel=4, useless_frame_ms=600_000, ping_ms=20, entropy_ms=600_000)
    for name in ("mia", "bob"):
        rig.play(name, Bold())
    matches = rig.order("mia", "bob", matches=3, match_format={"games": 8})
    for match in matches:
        await rig.place(match)
        await rig.finished(match)
    assert [rig.result(match)["games"] for match in matches] == [8, 8, 8]


async def test_neither_is_an_acknowledgement_of_an_update(rig: Rig) -> None:
    await rig.start(parallel=1, useless_frame_ms=600_000)
    mia = await rig.bot("mia", updates=True)
    rig.play("bob", Bold())
    (match,) = rig.order("mia", "bob")
    await rig.place(match)
    while not (frame := await mia.frame()).matches_ended:
        await mia.send()  # `acked` is the frame just read
        if frame.turns:
            await mia.answer_all(frame.turns)
    assert any(frame.updates for frame in mia.seen)
    assert rig.result(match)["faults"] == [{}, {}]
