"""Some matches played through the referee's engine, as bytes: what two processes must agree on.

``python -m tests.deploy.played`` prints where the rules are from, then a digest a kind of bytes.
"""

from __future__ import annotations

import asyncio
import json
import random
from hashlib import sha256
from typing import Any

from euchre_arena.match import Match
from euchre_arena.match.saving import saved
from euchre_arena.rules import Rules, hand, parse_action
from euchre_arena.wire import action_message, pb

from arena.metrics import Metrics
from arena.referee import frames
from arena.referee.hosted import Hosted, Share, spec_of
from arena.referee.loop import Engine
from arena.referee.session import Session
from arena.store.types import Entrant, Lease, MatchOrder

PRESETS = ("standard", "british", "hoyle", "three", "two", "bid-six", "ecarte")
MS = 1_000_000
PASS = action_message(parse_action("pass"))
ENOUGH = 600
"""Frames to a bot at most."""


class Line:
    """A bot's stream that sends nothing: frames are filled by hand."""

    def poke(self, now: int) -> None: ...
    def end(self, code: str, reason: str, detail: str) -> None: ...
    def notice(self, part: bytes) -> None: ...


class Journal:
    """Keeps the rows."""

    position = 0

    def __init__(self) -> None:
        self.rows = b""

    def commit(self, rows: Any, release: Any, *, cut: bool = False) -> None:
        self.rows += b"".join(rows)
        release(0)

    async def flushed(self) -> None: ...


class Pages:
    """A record's lines."""

    def __init__(self) -> None:
        self.lines: list[str] = []

    def write(self, lines: list[str]) -> None:
        self.lines += lines


async def played(preset: str) -> dict[str, bytes]:
    """A match of one bot a side: its frames, record, journal and a checkpoint midway."""
    rng, now = random.Random(preset), 1_000 * MS
    engine, journal, pages = Engine(Metrics()), Journal(), Pages()
    engine.journal = journal
    rules = Rules.of(preset, {})
    sessions = [Session(f"bot{number}", 64) for number in range(rules.sides)]
    for session in sessions:
        session.stream, session.updates = Line(), True
    names = tuple(Entrant(session.bot, (session.bot,)) for session in sessions)
    clock = {"move_time_ms": 1_000, "bank_ms": 2_000}
    order = MatchOrder(
        *("m", "t", 0, names, rules.side_of, preset, {}, {"games": 3}, clock, {}, True, "7")
    )
    shares = {session.bot: [Share(session, 3)] for session in sessions}
    lease = Lease("m", "t", "r", 1, 1, 1_000)
    hosted = Hosted(order, lease, bytes(32), shares, 3, 1_000, 1_000, bytes(16))
    hosted.match = Match(spec_of(order), bytes(32), (), 3, False)
    hosted.recording = pages  # type: ignore[assignment]  # all that is used of one
    hosted.match.keep_lines()
    engine.admit(hosted)
    hosted.started = True
    engine.feed(hosted, hosted.match.start(now))
    said, checkpoint = b"", b""
    for number in range(ENOUGH):
        for session in sessions:
            await asyncio.sleep(0)  # the engine commits
            now += rng.randrange(40) * MS
            parts: list[bytes] = []
            at = now
            frames.fill(parts, session.outbox, 8, 4_000, lambda: at)  # noqa: B023 - called at once
            said += (frame := frames.frame(number, parts))
            now += rng.choice((1, 30, 30, 900)) * MS
            answers = [answer(rng, turn) for turn in pb.PlayResponse.FromString(frame).turns]
            if answers:
                engine.answers(session, answers, now, 1_000)
            engine.feed(hosted, hosted.match.expire(now))
        if number == 5:
            checkpoint = json.dumps(saved(hosted.match)).encode()
        if hosted.ended.done():
            break
    text = "\n".join(pages.lines).encode()
    counted = json.dumps(hosted.counted()).encode()
    return {
        "frames": said,
        "record": text,
        "journal": journal.rows,
        "checkpoint": checkpoint + counted,
    }


def answer(rng: random.Random, turn: Any) -> pb.Answer:
    """Mostly an index of the list, now and then nonsense, an old turn or an action spelled out."""
    if rng.random() < 0.01:
        return pb.Answer(game=turn.game, turn=turn.turn - 1, choice=0)
    if rng.random() < 0.01:
        return pb.Answer(game=turn.game, turn=turn.turn, action=PASS)
    choices = len(turn.legal) + len(turn.legal_more) + (rng.random() < 0.01)
    return pb.Answer(game=turn.game, turn=turn.turn, choice=rng.randrange(choices))


def digests() -> dict[str, str]:
    """Of everything, by preset and kind."""
    found = {}
    for preset in PRESETS:
        for kind, data in asyncio.run(played(preset)).items():
            found[f"{preset} {kind}"] = f"{len(data)} {sha256(data).hexdigest()}"
    return found


if __name__ == "__main__":
    print(json.dumps({"from": hand.__file__, **digests()}))  # noqa: T201 - what the test reads
