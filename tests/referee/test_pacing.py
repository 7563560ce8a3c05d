"""Credits and pace: one turn-bearing frame at a time, everything ready meanwhile in the next."""

from __future__ import annotations

from arena.referee.config import RefereeConfig
from arena.referee.pacing import Pace, Streams
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
