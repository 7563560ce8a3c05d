"""A small server that speaks the protocol: one bot plays every seat of some hands.

It keeps its games when its port goes away and comes back, refuses what it is told to refuse, and
remembers every frame it got.
"""

from __future__ import annotations

import asyncio
import random
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import grpc
from euchre_arena import wire
from euchre_arena.rules import Hand, Rules, deal_cards, view
from euchre_arena.wire import pb

Refusal = tuple[grpc.StatusCode, str]


class StubGame:
    """One hand; every seat has a handle of its own."""

    def __init__(self, number: int, rules: Rules, rng: random.Random) -> None:
        self.number = number
        self.rules = rules
        self.handles = [rng.getrandbits(64) for _ in range(rules.seats)]
        order = list(range(rules.pack.size))
        rng.shuffle(order)
        dealer = rng.randrange(rules.seats)
        self.hand = Hand(rules, dealer, deal_cards(rules, dealer, order), (0,) * rules.sides)
        self.turns = [0] * rules.seats
        self.writer = wire.GameWriter()
        self.over = False
        self.ask()

    @property
    def seat(self) -> int:
        return self.hand.to_act

    def ask(self) -> None:
        """Play what is forced, then count the turn that is open."""
        while not self.hand.over and len(self.hand.legal()) == 1:
            self.hand.apply(self.hand.legal()[0])
        if self.hand.over:
            self.over = True
        else:
            self.turns[self.seat] += 1

    def turn(self) -> bytes:
        seat = self.seat
        handle = self.handles[seat]
        return self.writer.turn(handle, self.turns[seat], view(self.hand, seat), 1000, 60_000)


@dataclass
class Stub:
    """The server and what it saw."""

    games: int = 8
    rules: Rules = field(default_factory=lambda: Rules.of("standard"))
    batch: int = 256
    refuse: Callable[[pb.Hello], Refusal | None] = lambda hello: None
    extra: Callable[[Stub, int], pb.PlayResponse | None] = lambda stub, frame: None
    """What a frame of this number carries besides."""
    reject: Callable[[StubGame, pb.Answer], str | None] = lambda game, answer: None
    break_off: Callable[[Stub], bool] = lambda stub: False
    """Whether to abort the stream after a frame was read."""
    frame_bytes: int = 256 * 1024

    def __post_init__(self) -> None:
        rng = random.Random(7)
        self.table = [StubGame(n, self.rules, rng) for n in range(self.games)]
        self.by_handle = {h: (g, s) for g in self.table for s, h in enumerate(g.handles)}
        self.hellos: list[pb.Hello] = []
        self.frames: list[pb.PlayRequest] = []
        self.sizes: list[int] = []
        self.answered: list[tuple[int, int]] = []
        self.crashed: list[pb.Crash] = []
        self.rejected = 0
        self.done = asyncio.Event()
        self.port = 0
        self.streams = 0
        self._server: Any = None

    async def start(self, credentials: Any = None) -> None:
        """Listen, on the same port as before if there was one."""
        self._server = grpc.aio.server(options=[("grpc.so_reuseport", 0)])
        handler = grpc.stream_stream_rpc_method_handler(self._play)
        service = wire.PLAY.split("/")[1]
        self._server.add_generic_rpc_handlers(
            (grpc.method_handlers_generic_handler(service, {"Play": handler}),)
        )
        address = f"127.0.0.1:{self.port}"
        if credentials is None:
            self.port = self._server.add_insecure_port(address)
        else:
            self.port = self._server.add_secure_port(address, credentials)
        await self._server.start()

    async def stop(self) -> None:
        """Go away at once."""
        await self._server.stop(0)

    @property
    def address(self) -> str:
        return f"127.0.0.1:{self.port}"

    async def _play(self, requests: Any, context: Any) -> None:
        first = pb.PlayRequest.FromString(await context.read())
        self.hellos.append(first.hello)
        refusal = self.refuse(first.hello)
        if refusal is not None:
            await context.abort(*refusal)
        self.streams += 1
        limits = pb.Limits(games=64, streams=1, frame_bytes=self.frame_bytes)
        welcome = pb.Welcome(session_id="s1", resume_token="again", bot="tester", limits=limits)
        started = [
            wire.game_started_message(
                *(handle, game.number, game.number, seat, self.rules, ["tester"] * 4),
                resumed=len(self.hellos) > 1,
            )
            for game in self.table
            if not game.over
            for seat, handle in enumerate(game.handles)
        ]
        rest = pb.PlayResponse(welcome=welcome, games_started=started)
        ready = deque(game for game in self.table if not game.over)
        sent = outstanding = 0
        while True:
            turns = []
            if not outstanding:
                while ready and len(turns) < self.batch:
                    turns.append(ready.popleft().turn())
            more = self.extra(self, sent + 1)
            if more is not None:
                rest.MergeFrom(more)
            if turns or rest.ByteSize():
                sent += 1
                outstanding = sent if turns else outstanding
                await context.write(wire.response_bytes(sent, turns, rest))
            rest = pb.PlayResponse()
            raw = await context.read()
            if raw is grpc.aio.EOF:
                return
            request = pb.PlayRequest.FromString(raw)
            self.frames.append(request)
            self.sizes.append(len(raw))
            if self.break_off(self):
                await context.abort(grpc.StatusCode.UNAVAILABLE, "gone")
            if request.ack >= outstanding:
                outstanding = 0
            self._take(request, ready, rest)
            if (
                all(game.over for game in self.table)
                and request.ack >= sent
                and not rest.ByteSize()
            ):
                self.done.set()  # and the bot knows

    def _take(self, request: pb.PlayRequest, ready: deque[StubGame], rest: pb.PlayResponse) -> None:
        for answer in request.answers:
            game, seat = self.by_handle[answer.game]
            if game.over or seat != game.seat or answer.turn != game.turns[seat]:
                continue
            self.answered.append((answer.game, answer.turn))
            why = self.reject(game, answer)
            if why is not None:
                self.rejected += 1
                rest.rejections.append(
                    wire.rejection_message(answer.game, answer.turn, "illegal", why, answer.turn)
                )
                continue
            legal = game.hand.legal()
            code = (
                wire.action_code(answer.action)
                if answer.HasField("action")
                else legal[answer.choice]
            )
            assert code in legal
            game.hand.apply(code)
            game.ask()
            if game.over:
                self._end(game, rest)
            else:
                ready.append(game)
        for crash in request.crashes:
            self.crashed.append(crash)
            game, _ = self.by_handle[crash.game]
            game.over = True
            self._end(game, rest, "crashed")

    def _end(self, game: StubGame, rest: pb.PlayResponse, fault: str = "") -> None:
        for seat, handle in enumerate(game.handles):
            won = self.rules.side_of[seat] == 0
            rest.games_ended.append(wire.game_ended_message(handle, (2, 0), (0,), won, fault))
