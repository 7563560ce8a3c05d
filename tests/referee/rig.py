"""A referee on a free port with a real store, matches put before it, and bots of raw frames."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import grpc
from euchre_arena.bot import Bot, GameOutcome
from euchre_arena.client import Reporter, connect
from euchre_arena.client.ending import Ending
from euchre_arena.rules.turn import Table
from euchre_arena.wire import PLAY, pb
from google.rpc.error_details_pb2 import ErrorInfo
from google.rpc.status_pb2 import Status

from arena.metrics import Metrics
from arena.referee.config import RefereeConfig
from arena.referee.server import Referee
from arena.store import Store
from arena.store.types import Entrant, MatchInfo, MatchState, Placement
from arena.tls import Tls

DEADLINE_S = 60.0


async def until(condition: Callable[[], Any], what: str, deadline_s: float = DEADLINE_S) -> Any:
    """Wait for something to be true, and return it; an AssertionError says what was not."""
    ends = time.monotonic() + deadline_s
    while not (found := condition()):
        assert time.monotonic() < ends, f"not within {deadline_s} s: {what}"
        await asyncio.sleep(0.005)
    return found


@dataclass(frozen=True)
class Pairing:
    """As `arena.tournament` makes them."""

    index: int
    entrants: tuple[int, ...]
    seating: tuple[int, ...]
    bots: tuple[str, ...]


class Rig:
    """What a test of the referee works with."""

    def __init__(self, store: Store, data: Path) -> None:
        self.store = store
        self.data = data
        self.metrics = Metrics()
        self.referee: Referee
        self.started = False
        self.tournaments = 0
        self.tokens: dict[str, str] = {}
        self.players: list[asyncio.Task[Any]] = []
        self.stop = asyncio.Event()
        self.raw: list[RawBot] = []

    async def start(
        self, tls: Tls | None = None, *, store: Store | None = None, **settings: Any
    ) -> Referee:
        """A referee with these settings over the test's own, on ``store`` instead of the rig's."""
        base: dict[str, Any] = {"port": 0, "data": self.data, "entropy_ms": 0, "drain_s": 5.0}
        base["parallel"] = 4
        # Never late three times within it: how fast this machine is decides no test.
        base["fitness_window_ms"] = 1
        config = RefereeConfig(**{**base, **settings})
        self.referee = Referee(config, store or self.store, self.metrics, tls)
        await self.referee.start()
        self.started = True
        return self.referee

    async def close(self) -> None:
        """End bots, then the referee."""
        if not self.started:
            return
        self.stop.set()
        for bot in self.raw:
            await bot.close()
        await asyncio.gather(*self.players, return_exceptions=True)
        await self.referee.drain()

    def token(self, name: str) -> str:
        """The token of a bot, registered when first asked for."""
        if name not in self.tokens:
            self.tokens[name] = self.store.bots.register(name)
        return self.tokens[name]

    def play(self, name: str, bot: Bot, server: str = "", **settings: Any) -> Seen:
        """Connect a bot through the SDK, to this rig's referee unless told otherwise."""
        seen = Seen()
        self.players.append(
            asyncio.create_task(
                connect(
                    bot,
                    server or self.referee.address,
                    self.token(name),
                    reporter=seen,
                    stop=self.stop,
                    **settings,
                )
            )
        )
        return seen

    async def bot(self, name: str, **hello: Any) -> RawBot:
        """Connect a bot of raw frames, and wait for its Welcome, which may carry more."""
        bot = RawBot(self.referee.address, self.token(name))
        self.raw.append(bot)
        await bot.hello(**hello)
        bot.again = await bot.frame()
        bot.welcome = bot.again.welcome
        return bot

    async def stranger(self, name: str, **hello: Any) -> RawBot:
        """Connect a bot that may be turned away, even before it has said Hello."""
        bot = RawBot(self.referee.address, self.token(name))
        self.raw.append(bot)
        with contextlib.suppress(grpc.aio.AioRpcError):  # `status` tells
            await bot.hello(**hello)
        return bot

    def order(self, *entrants: str | Sequence[str], matches: int = 1, **spec: Any) -> list[str]:
        """A tournament of so many matches between entrants; the ids of its matches."""
        self.tournaments += 1
        tournament = f"cup{self.tournaments}"
        teams = [(e,) if isinstance(e, str) else tuple(e) for e in entrants]
        for bot in {bot for team in teams for bot in team}:
            self.token(bot)
        count = len(teams)
        self.store.tournaments.create(
            tournament,
            name=tournament,
            spec_text="",
            spec={"preset": "standard", "match_format": {"games": 1}, **spec},
            entrants=[Entrant("+".join(team), team) for team in teams],
            total=matches,
        )
        self.store.tournaments.start(tournament)
        seats = range(4)
        seating = tuple(seat % count for seat in seats)
        bots = tuple(
            teams[seat % count][seat // count % len(teams[seat % count])] for seat in seats
        )
        pairings = [Pairing(i, tuple(seats[:count]), seating, bots) for i in range(matches)]
        self.store.tournaments.add(tournament, 0, pairings)
        return [f"{tournament}-m{i}" for i in range(matches)]

    async def place(self, *match_ids: str) -> None:
        """Have matches put into the referee's inbox, as soon as their bots are there."""
        for match_id in match_ids:
            await until(
                lambda match_id=match_id: (
                    self.store.matches.place(match_id).placement is Placement.PLACED
                ),
                f"{match_id} placed",
            )

    def info(self, match_id: str) -> MatchInfo:
        """Where a match stands."""
        return self.store.matches.get(match_id)

    def faults(self, match_id: str) -> list[dict[str, int]]:
        """Faults charged so far in a match under way, by entrant."""
        return [dict(kinds) for kinds in self.referee.engine.hosted[match_id].faults]

    async def scans(self, times: int) -> None:
        """Wait until the referee has looked at all its clocks so many times."""
        lag = self.metrics.loop_lag
        enough = sum(lag.counts) + times
        await until(lambda: sum(lag.counts) >= enough, f"{times} scans")

    async def finished(self, *match_ids: str) -> None:
        """Wait until matches have their results."""
        for match_id in match_ids:
            await until(
                lambda match_id=match_id: self.info(match_id).state is MatchState.FINISHED,
                f"{match_id} finished",
                4 * DEADLINE_S,
            )

    def result(self, match_id: str) -> dict[str, Any]:
        """The result as stored."""
        found = self.store.matches.result(match_id)
        assert found is not None
        return dict(found.result)


class Seen(Reporter):
    """What an SDK's bot was told."""

    def __init__(self) -> None:
        super().__init__()
        self.outcomes: list[GameOutcome] = []
        self.warnings: list[str] = []
        self.losses: list[str] = []

    def game_ended(self, table: Table, outcome: GameOutcome) -> None:
        super().game_ended(table, outcome)
        self.outcomes.append(outcome)

    def warning(self, text: str) -> None:
        self.warnings.append(text)

    def lost(self, server: str, cause: str, retry_s: float) -> None:
        self.losses.append(cause)


@dataclass(frozen=True)
class Neighbours:
    """A match of others, under way."""

    rig: Rig
    match: str
    seen: list[Seen]

    async def go_on(self) -> None:
        """Wait until both have decided twenty times more."""
        marks = [each.stats.decisions + 20 for each in self.seen]
        await until(
            lambda: all(
                each.stats.decisions >= mark for each, mark in zip(self.seen, marks, strict=True)
            ),
            "the other bots' games go on",
        )


class Bold(Bot):
    """Plays the last legal action: orders alone, so that games are short."""

    def act(self, turn: Any) -> str:
        return str(turn.legal[-1])


class Calm(Bold):
    """The same after a while, so as not to keep the processor from the test."""

    async def act(self, turn: Any) -> str:  # type: ignore[override]  # authors may do either
        await asyncio.sleep(0.01)
        return str(turn.legal[-1])


class RawBot:
    """A bot that speaks frames, well or badly."""

    def __init__(self, address: str, token: str) -> None:
        self.token = token
        options = [("grpc.max_send_message_length", -1), ("grpc.use_local_subchannel_pool", 1)]
        self.channel = grpc.aio.insecure_channel(address, options=options)
        self.call: Any = self.channel.stream_stream(PLAY)()
        self.ending = Ending(self.call)
        self.frames = 0
        self.seen: list[pb.PlayResponse] = []
        self.acked = 0
        self.deaf = False
        """It acknowledges nothing more."""
        self.again: pb.PlayResponse | None = None
        self.welcome = pb.Welcome()
        # A read that is cancelled ends the stream, so nobody waits in one but this task.
        self.arrived: asyncio.Queue[pb.PlayResponse | None] = asyncio.Queue()
        self.reader = asyncio.create_task(self._read())

    async def _read(self) -> None:
        with contextlib.suppress(grpc.aio.AioRpcError, asyncio.CancelledError):
            while (raw := await self.call.read()) is not grpc.aio.EOF:
                if self.deaf:
                    continue
                self.arrived.put_nowait(pb.PlayResponse.FromString(raw))
        self.arrived.put_nowait(None)

    async def hello(self, **fields: Any) -> None:
        """Say Hello."""
        hello = pb.Hello(**{"protocol": 1, "token": self.token, "capacity": 64, **fields})
        await self.send(hello=hello)

    async def send(self, **fields: Any) -> None:
        """Send a frame."""
        self.frames += 1
        request = pb.PlayRequest(**{"frame": self.frames, "ack": self.acked, **fields})
        await self.call.write(request.SerializeToString())

    async def frame(self, *, ack: bool = True) -> pb.PlayResponse:
        """Read the next frame, whatever it is; a ping is answered."""
        if self.again is not None:
            frame, self.again = self.again, None
            return frame
        async with asyncio.timeout(DEADLINE_S):
            arrived = await self.arrived.get()
        assert arrived is not None, "the stream ended"
        frame = arrived
        self.seen.append(frame)
        if ack:
            self.acked = frame.frame
        if frame.ping:
            await self.send(pong=frame.ping)
        return frame

    async def until(
        self, found: Callable[[pb.PlayResponse], Any], *, ack: bool = True
    ) -> pb.PlayResponse:
        """Read frames until one has what is looked for; pings keep nobody waiting for ever."""
        async with asyncio.timeout(DEADLINE_S):
            while True:
                frame = await self.frame(ack=ack)
                if found(frame):
                    return frame

    async def turn(self, *, ack: bool = True) -> pb.Turn:
        """Read frames until one asks for a decision; the first it asks for."""
        frame = await self.until(lambda frame: frame.turns, ack=ack)
        return frame.turns[0]

    async def answer(self, asked: pb.Turn, choice: int = 0, **fields: Any) -> None:
        """Answer a turn by index."""
        answer = pb.Answer(**{"game": asked.game, "turn": asked.turn, "choice": choice, **fields})
        await self.send(answers=[answer])

    async def play_on(self, until: Callable[[pb.PlayResponse], Any]) -> pb.PlayResponse:
        """Answer whatever is asked until a frame has something."""
        while True:
            frame = await self.until(lambda frame: frame.turns or until(frame))
            if until(frame):
                return frame
            await self.answer_all(frame.turns)

    async def answer_all(self, turns: Iterable[pb.Turn]) -> None:
        """Answer with the last legal action, so that games are short."""
        await self.send(
            answers=[
                pb.Answer(
                    game=turn.game,
                    turn=turn.turn,
                    choice=len(turn.legal) + len(turn.legal_more) - 1,
                )
                for turn in turns
            ]
        )

    async def status(self) -> tuple[grpc.StatusCode, str, ErrorInfo]:
        """How the server ended the stream: code, text, and the ErrorInfo in its details."""
        async with asyncio.timeout(DEADLINE_S):
            await self.call.code()
        assert self.ending.status is not None
        info = ErrorInfo()
        for key, value in self.ending.metadata:
            if key == "grpc-status-details-bin":
                status = Status.FromString(value)
                assert len(status.details) == 1
                assert status.details[0].Unpack(info)
        return *self.ending.status, info

    async def close(self) -> None:
        """Go away."""
        self.call.cancel()
        await self.reader
        await self.channel.close()
