"""Hostile input (issue 4): well-behaved bots at the same referee notice nothing, memory stays.

The referee is a process of its own; two bots play a match at it all the while. When a test is over
their match is played to its end without a fault, and the process has not grown.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import random
import resource
import socket
import struct
import sys
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass
from pathlib import Path

import click
import grpc
import pytest
from euchre_arena.bot import Bot
from euchre_arena.rules.turn import Turn
from euchre_arena.wire import pb

from arena.store import Embedded, Store
from tests.chaos.hostile import Sender, Stream
from tests.referee.halls import ROOT, Process, referees, sweeping
from tests.referee.rig import Rig, Seen, until

pytestmark = [pytest.mark.chaos, pytest.mark.timeout(1000)]

FRAMES = 100_000
BAD, STREAMS = 8, 4
"""Bots, and streams of each: as many as one may have."""
IDLE = 5_000
FILES = 3 * IDLE
GROWTH_KB = 64 * 1024
"""What a referee may grow by under attack: its buffers, not what it was sent."""
MANY = 100
"""Frames of 10,000 pieces each."""
IDLE_KB = 40
"""A connection that says nothing may cost so much."""


class Steady(Bot):
    """Takes its time while others attack, then none."""

    quick = False

    async def act(self, turn: Turn) -> str:  # type: ignore[override]  # sync or async, as authors may
        if not self.quick:
            await asyncio.sleep(0.2)  # so that its match lasts as long as the attack
        return turn.legal[-1]


@dataclass
class Victims:
    """A referee under attack and two bots at it."""

    rig: Rig
    referee: Process
    bots: list[Steady]
    seen: list[Seen]
    match: str

    @property
    def rss_kb(self) -> int:
        """Memory of the referee now."""
        pages = Path(f"/proc/{self.referee.process.pid}/statm").read_text().split()[1]
        return int(pages) * resource.getpagesize() // 1024

    async def go_on(self, more: int = 20) -> None:
        """Wait until both have decided so many times more."""
        marks = [each.stats.decisions + more for each in self.seen]
        await until(
            lambda: all(
                each.stats.decisions >= mark for each, mark in zip(self.seen, marks, strict=True)
            ),
            "the well-behaved bots play on",
            240,
        )


@pytest.fixture(autouse=True)
def files() -> Iterator[None]:
    """As many open files as this machine allows, for the processes started here too."""
    before = resource.getrlimit(resource.RLIMIT_NOFILE)
    most = FILES if before[1] == resource.RLIM_INFINITY else min(FILES, before[1])
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(most, before[0]), before[1]))
    yield
    resource.setrlimit(resource.RLIMIT_NOFILE, before)


@pytest.fixture
def settings() -> dict[str, object]:
    """Settings of the referee; a test parametrizes them."""
    return {}


@pytest.fixture
def games() -> int:
    """Games of the victims' match, which lasts longer than the attack."""
    return 40


@pytest.fixture
async def victims(
    valkey: Embedded, store: Store, rig: Rig, settings: dict[str, object], games: int
) -> AsyncIterator[Victims]:
    async with referees(1, valkey, rig, **settings) as (hall,), sweeping(store):
        bots = [Steady(), Steady()]
        seen = [
            rig.play(name, bot, server=hall.address)
            for name, bot in zip(("nora", "ned"), bots, strict=True)
        ]
        (match,) = rig.order("nora", "ned", match_format={"games": games})
        victims = Victims(rig, hall, bots, seen, match)
        await victims.go_on()
        yield victims
        assert victims.seen[0].stats.matches_ended == 0, "the attack outlasted the match"
        await victims.go_on()
        for bot in bots:
            bot.quick = True
        await until(lambda: rig.store.matches.result(match), "their match is over", 480)
        assert rig.result(match)["faults"] == [{}, {}]
        assert [each.losses for each in seen] == [[], []], "they kept their connection"
        assert [each.stats.connections for each in seen] == [1, 1]


@pytest.mark.parametrize("games", [150])
async def test_a_hundred_thousand_hostile_frames(
    victims: Victims, seed: int, capsys: pytest.CaptureFixture[str]
) -> None:
    rig = victims.rig
    names = [f"mallory{number}" for number in range(BAD)]
    tokens = [rig.token(name) for name in names]
    # They lose one now and then: by pausing for too long, by crashing.
    for pair in zip(names[::2], names[1::2], strict=True):
        rig.order(*pair, matches=3, match_format={"games": 5_000})
    before = victims.rss_kb
    words = ("tests.chaos.hostile", victims.referee.address, *map(str, (seed, FRAMES, STREAMS)))
    pipe = asyncio.subprocess.PIPE
    attack = await asyncio.create_subprocess_exec(
        # Who attacks would have a machine of its own: here it gets what the others leave.
        *("nice", "-n", "10", sys.executable, "-m", *words),
        cwd=ROOT,
        stdin=pipe,
        stdout=pipe,
    )
    try:
        said, _ = await attack.communicate("\n".join(tokens).encode())
    finally:
        if attack.returncode is None:
            attack.kill()
            await attack.wait()
    await victims.go_on()
    grown = victims.rss_kb - before
    found = json.loads(said)
    with capsys.disabled():
        click.echo(
            f"seed {seed}: {found['sent']} hostile frames, thrown out {found['thrown_out']} times, "
            f"{found['stuck']} streams given up, the referee grew by {grown / 1024:.0f} MB"
        )
    assert found["sent"] >= FRAMES
    assert grown < GROWTH_KB


def rubbish(rng: random.Random) -> bytes:
    """What no gRPC client sends."""
    noise = rng.randbytes(rng.randrange(1, 4_000))
    preface = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
    kind = rng.randrange(256)
    frame = struct.pack(">I", len(noise))[1:] + bytes([kind, rng.randrange(256)]) + noise[:4]
    return rng.choice(
        [
            noise,
            preface + noise,
            preface + frame + noise,
            preface[: rng.randrange(24)],
            b"GET /metrics HTTP/1.1\r\nHost: x\r\n\r\n",
            b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + noise,
            b"*1\r\n$8\r\nFLUSHALL\r\n",
        ]
    )


def connect(address: str) -> socket.socket:
    host, _, port = address.rpartition(":")
    return socket.create_connection((host, int(port)), 60)


async def test_garbage_on_the_port(victims: Victims, seed: int) -> None:
    rng = random.Random(seed)
    before = victims.rss_kb

    def throw() -> None:
        for number in range(2_000):
            with connect(victims.referee.address) as line, contextlib.suppress(OSError):
                line.sendall(rubbish(rng))
                if number % 2:  # a reset instead of an end
                    line.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))

    await asyncio.to_thread(throw)
    await victims.go_on()
    assert victims.rss_kb - before < GROWTH_KB


async def test_thousands_of_idle_and_half_open_connections(
    victims: Victims, seed: int, capsys: pytest.CaptureFixture[str]
) -> None:
    """Some say nothing, some stop in the middle of a sentence."""
    allowed = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
    wanted = min(IDLE, allowed - 500)
    rng = random.Random(seed)
    before = victims.rss_kb
    lines: list[socket.socket] = []

    def open_all() -> None:
        for number in range(wanted):
            lines.append(connect(victims.referee.address))
            if number % 5 == 0:
                lines[-1].sendall(b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"[: rng.randrange(1, 25)])

    try:
        await asyncio.to_thread(open_all)
        await victims.go_on()
        late = victims.rig.play("late", Steady(), server=victims.referee.address)
        await until(lambda: late.stats.connections, "another bot comes in", 120)
        grown = victims.rss_kb - before
    finally:
        for line in lines:
            line.close()
    with capsys.disabled():
        click.echo(
            f"{wanted} idle connections (of at most {allowed} files), {grown / wanted:.1f} KB each"
        )
    assert grown < wanted * IDLE_KB


async def test_more_handshakes_than_there_may_be(victims: Victims) -> None:
    """Streams without a word take nobody's place for long."""
    silent = [grpc.aio.insecure_channel(victims.referee.address) for _ in range(20)]
    calls = [
        channel.stream_stream("/euchre_arena.v1.RefereeService/Play")()
        for channel in silent
        for _ in range(20)
    ]
    codes = await asyncio.wait_for(asyncio.gather(*(call.code() for call in calls)), 240)
    assert set(codes) == {grpc.StatusCode.RESOURCE_EXHAUSTED}
    for channel in silent:
        await channel.close()


def flood(count: int) -> bytes:
    """Answers to no game."""
    answers = [pb.Answer(game=n + 1, turn=1) for n in range(count)]
    return pb.PlayRequest(answers=answers).SerializeToString()


async def test_answers_at_a_hundred_times_the_allowed_rate(victims: Victims) -> None:
    """A million answers, as fast as they go: nobody may send more than 10,000 a second."""
    sender = Sender(victims.referee.address, victims.rig.token("mallory"))
    frame = flood(10_000)
    before = victims.rss_kb

    def attack() -> None:
        while sender.sent < 100 or len(sender.thrown_out) < 10:
            sender.send(lambda number, told: frame)

    await asyncio.to_thread(attack)
    await victims.go_on()
    assert victims.rss_kb - before < GROWTH_KB
    await asyncio.to_thread(sender.close)
    assert set(sender.thrown_out) == {grpc.StatusCode.RESOURCE_EXHAUSTED}


def entropy(count: int) -> bytes:
    """Randomness nobody asked for: each piece is answered with a warning."""
    pieces = [pb.Entropy(game=n + 1, nonce=b"?") for n in range(count)]
    return pb.PlayRequest(entropy=pieces).SerializeToString()


@pytest.mark.parametrize("settings", [{"unmatched_answers": 100_000_000}])
@pytest.mark.parametrize("make", [flood, entropy])
async def test_a_reader_that_never_reads(
    victims: Victims, make: object, capsys: pytest.CaptureFixture[str]
) -> None:
    """What it is to be told does not pile up."""
    assert callable(make)
    frame = make(10_000)
    channel = grpc.insecure_channel(victims.referee.address)
    before = victims.rss_kb
    streams = [Stream(channel, victims.rig.token("mallory"), reads=False) for _ in range(3)]

    def attack(stream: Stream) -> None:
        for _ in range(MANY):
            # Soon the referee reads no more of it, or has thrown it out: who never reads is not
            # told which.
            if not stream.send(lambda number, told: frame, 1.0):
                break

    for stream in streams:
        await asyncio.to_thread(attack, stream)
    await victims.go_on()
    grown = victims.rss_kb - before
    for stream in streams:
        stream.close()
    channel.close()
    with capsys.disabled():
        click.echo(f"{make.__name__} unread: the referee grew by {grown / 1024:.0f} MB")
    assert grown < GROWTH_KB
