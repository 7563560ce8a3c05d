"""Frames that parse and mean harm, and who sends them: raw streams, read or not.

`python -m tests.chaos.hostile ADDRESS SEED FRAMES STREAMS` sends that many, from so many streams
for each of the tokens on its input in turn, and prints how many it sent and how often it was thrown
out.

A `Recipe` is drawn once and made anew each time it is sent, with what its sender has been told
meanwhile: games and turns that are open, the number of the last frame.
"""

from __future__ import annotations

import json
import queue
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import cycle
from typing import Any

import click
import grpc
import hypothesis
from euchre_arena.wire import PLAY, pb
from hypothesis import HealthCheck, Phase, given
from hypothesis import strategies as st

from tests.support.tournaments import wait_for

U64, U32 = st.integers(0, 2**64 - 1), st.integers(0, 2**32 - 1)
ODD = st.sampled_from([0, 1, 2, 3, 17, 63, 255, 2**16, 2**31 - 1, 2**31, 2**32 - 1])
NUMBERS = ODD | U32
ACTIONS = st.builds(
    lambda kind, cards, suit, amount, alone: {
        "kind": kind, "cards": cards, "suit": suit, "amount": amount, "alone": alone
    },
    st.integers(0, 40),
    st.lists(st.integers(0, 255), max_size=6),
    st.integers(0, 9),
    st.integers(0, 99),
    st.booleans(),
)  # fmt: skip


STUCK_S = 5.0
LAST = 0x1A57
"""A game nobody has."""


@dataclass
class Told:
    """What a sender knows of its games."""

    frame: int = 0
    """The last frame read."""
    turns: dict[int, int] = field(default_factory=dict)
    """By game, the turn last asked."""
    done: bool = False
    """The referee has read all that was sent."""


@dataclass(frozen=True)
class Aim:
    """A game and a turn: one that is open, nearly, or none."""

    which: int
    off: int

    def at(self, told: Told) -> tuple[int, int]:
        open_turns = list(told.turns.items())
        if self.which >= 2**32 or not open_turns:
            return self.which, self.off % 2**32
        game, turn = open_turns[self.which % len(open_turns)]
        return game, max(0, turn + (self.off if abs(self.off) < 3 else 0))


AIMS = st.builds(Aim, st.integers(0, 31) | U64, st.integers(-2, 2) | NUMBERS)


@dataclass(frozen=True)
class Recipe:
    """A frame to be."""

    ack: int
    """0: none; 1: the last frame; else this."""
    answers: Sequence[tuple[Aim, int, dict[str, Any] | None]] = ()
    entropy: Sequence[tuple[Aim, bytes]] = ()
    crashes: Sequence[tuple[Aim, str]] = ()
    control: dict[str, Any] | None = None
    pong: int = 0
    hello: bool = False

    def made(self, frame: int, told: Told) -> bytes:
        request = pb.PlayRequest(frame=frame, ack=told.frame if self.ack == 1 else self.ack)
        for aim, choice, action in self.answers:
            game, turn = aim.at(told)
            request.answers.append(pb.Answer(game=game, turn=turn, choice=choice, action=action))
        for aim, nonce in self.entropy:
            request.entropy.append(pb.Entropy(game=aim.at(told)[0], nonce=nonce))
        for aim, detail in self.crashes:
            game, turn = aim.at(told)
            request.crashes.append(pb.Crash(game=game, turn=turn, detail=detail))
        if self.control is not None:
            request.control.CopyFrom(pb.Control(**self.control))
        if self.hello:
            request.hello.CopyFrom(pb.Hello(protocol=1, token="again", capacity=1))
        request.pong = self.pong
        return request.SerializeToString()


def seldom(strategy: st.SearchStrategy[Any], default: object) -> st.SearchStrategy[Any]:
    """One time in eight."""
    return st.integers(0, 7).flatmap(lambda n: st.just(default) if n else strategy)


RECIPES = st.builds(
    Recipe,
    st.sampled_from([1, 1, 1, 0]) | U64,
    st.lists(st.tuples(AIMS, NUMBERS, st.none() | ACTIONS), max_size=4),
    seldom(st.lists(st.tuples(AIMS, st.binary(max_size=64)), max_size=3), ()),
    seldom(st.lists(st.tuples(AIMS, st.text(max_size=200)), max_size=2), ()),
    seldom(
        st.fixed_dictionaries(
            {}, optional={"pause": st.booleans(), "capacity": st.integers(0, 9) | NUMBERS}
        ),
        None,
    ),
    seldom(U64, 0),
    seldom(seldom(st.booleans(), False), False),
)


class Stream:
    """A raw stream in threads of its own."""

    def __init__(self, channel: grpc.Channel, token: str, *, reads: bool = True) -> None:
        self.told = Told()
        self.frames = 0
        self.sent = 0
        """Taken by the transport, which waits for the server."""
        self.code: grpc.StatusCode | None = None
        self._queue: queue.Queue[bytes | None] = queue.Queue(8)
        self._call = channel.stream_stream(PLAY)(self._requests())
        self._call.add_callback(self._ended)
        self.send(lambda n, told: pb.PlayRequest(
            frame=n, hello=pb.Hello(protocol=1, token=token, capacity=64, updates=True)
        ).SerializeToString())  # fmt: skip
        if reads:
            threading.Thread(target=self._read, daemon=True).start()

    def send(self, make: Callable[[int, Told], bytes], patience_s: float = 60.0) -> bool:
        """Send a frame; False when the stream has ended, or nobody reads it any more."""
        self.frames += 1
        data = make(self.frames, self.told)
        ends = time.monotonic() + patience_s
        while self.code is None and time.monotonic() < ends:
            try:
                self._queue.put(data, timeout=0.2)
            except queue.Full:
                continue
            return True
        return False

    def close(self) -> None:
        self._call.cancel()

    def _ended(self) -> None:
        self.code = self._call.code()
        # The thread that takes frames may be waiting for one.
        while not self._queue.empty():
            self._queue.get_nowait()
        self._queue.put(None)

    def _requests(self) -> Iterator[bytes]:
        while (data := self._queue.get()) is not None:
            self.sent += 1
            yield data

    def _read(self) -> None:
        try:
            for raw in self._call:
                self._take(pb.PlayResponse.FromString(raw))
        except grpc.RpcError:
            pass  # `code` has it

    def _take(self, frame: pb.PlayResponse) -> None:
        self.told.frame = frame.frame
        for turn in frame.turns:
            self.told.turns[turn.game] = turn.turn
        for ended in frame.games_ended:
            self.told.turns.pop(ended.game, None)
        self.told.done = self.told.done or any(each.game == LAST for each in frame.rejections)


class Sender:
    """A bot that means harm: comes back whenever it is thrown out."""

    def __init__(self, address: str, token: str) -> None:
        self.token = token
        self._channel = grpc.insecure_channel(address, [("grpc.use_local_subchannel_pool", 1)])
        self.stream = Stream(self._channel, token)
        self.before = 0
        self.thrown_out: list[grpc.StatusCode] = []
        self.stuck = 0
        """Streams that were neither read nor ended for `STUCK_S`, and left."""

    @property
    def sent(self) -> int:
        """Frames that reached the transport."""
        return self.before + self.stream.sent

    def send(self, make: Callable[[int, Told], bytes]) -> None:
        while not self.stream.send(make, STUCK_S):
            if self.stream.code is not None:
                self.thrown_out.append(self.stream.code)
            else:
                self.stuck += 1
                self.stream.close()
            self.before += self.stream.sent
            self.stream = Stream(self._channel, self.token)

    def finish(self) -> None:
        """Wait until all of it has been read: a last answer is refused, or the stream ended."""

        def read() -> bool:
            goes_on = self.stream.send(last, STUCK_S)
            return self.stream.told.done or not goes_on

        wait_for(read, 240, about="the referee does not read what it was sent")

    def close(self) -> None:
        self.stream.close()
        wait_for(lambda: self.stream.code is not None)
        self._channel.close()


def last(frame: int, told: Told) -> bytes:
    """An answer to no game, of a stream that reads."""
    answers = [pb.Answer(game=LAST, turn=1)]
    return pb.PlayRequest(frame=frame, ack=told.frame, answers=answers).SerializeToString()


def barrage(seed: int, senders: Sequence[Sender], frames: int) -> None:
    """At least so many frames of drawn recipes."""
    drawn, times = 20, 50
    examples = -(-frames // (drawn * times))

    @hypothesis.seed(seed)
    @hypothesis.settings(
        max_examples=examples,
        phases=[Phase.generate],
        deadline=None,
        database=None,
        suppress_health_check=list(HealthCheck),
    )
    @given(st.lists(RECIPES, min_size=drawn, max_size=drawn))
    def send(recipes: list[Recipe]) -> None:
        for _ in range(times):
            if sum(sender.sent for sender in senders) >= frames:
                return
            for recipe in recipes:
                # In turn: the referee reads each of them slowly.
                next(ring).send(recipe.made)

    ring = cycle(senders)

    while sum(sender.sent for sender in senders) < frames:
        send()


def main(address: str, seed: int, frames: int, streams: int) -> None:
    """A process of its own: who is attacked must not wait for the interpreter of who attacks."""
    tokens = sys.stdin.read().split()
    senders = [Sender(address, token) for token in tokens for _ in range(streams)]
    barrage(seed, senders, frames)
    for sender in senders:
        sender.finish()
    sent = sum(sender.sent for sender in senders)
    thrown_out = sum(len(sender.thrown_out) for sender in senders)
    stuck = sum(sender.stuck for sender in senders)
    click.echo(json.dumps({"sent": sent, "thrown_out": thrown_out, "stuck": stuck}))
    for sender in senders:
        sender.close()


if __name__ == "__main__":
    main(sys.argv[1], *map(int, sys.argv[2:]))
