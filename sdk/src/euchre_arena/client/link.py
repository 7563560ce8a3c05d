"""Keeping a bot connected: streams one after another, waiting between attempts, other referees."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Final

from euchre_arena import wire
from euchre_arena.bot import Bot
from euchre_arena.client.address import Server, parse_server
from euchre_arena.client.errors import ClientError, LostError, RefusedError, UnreachableError
from euchre_arena.client.player import Player
from euchre_arena.client.reporting import Connected, Reporter
from euchre_arena.client.stream import Stream
from euchre_arena.wire import pb

FIRST_WAIT_S: Final = 0.1
LONGEST_WAIT_S: Final = 5.0
"""Well within the grace a server gives a bot that is gone."""


def waits(first: float = FIRST_WAIT_S, longest: float = LONGEST_WAIT_S) -> Iterator[float]:
    """Seconds before each attempt: doubling, and drawn from the upper half so that a thousand bots
    of a server that restarts do not come back in one moment."""
    wait = first
    while True:
        yield wait * random.uniform(0.5, 1.0)
        wait = min(wait * 2, longest)


def _nobody() -> None:
    """No stream is there to be told."""


class Link:
    """A bot's tie to one server, across as many streams as it takes."""

    def __init__(
        self,
        bot: Bot,
        server: Server,
        hello: pb.Hello,
        reporter: Reporter,
        give_up_s: float | None = None,
        summoned: Callable[[str, str], None] | None = None,
        others: list[Player] | None = None,
    ) -> None:
        """``others``: the bot's players at all servers; this one joins them."""
        self.server = server
        self.hello = hello
        self.reporter = reporter
        self.give_up_s = give_up_s
        self.summoned = summoned
        others = [] if others is None else others
        self.player = Player(bot, reporter, _nobody, others)
        others.append(self.player)
        self.sessions = 0
        self.granted = 0
        """Games at once, in the session before."""

    async def run(self) -> None:
        """Play until cancelled or refused. ClientError says why it cannot go on."""
        loop = asyncio.get_running_loop()
        pauses = waits()
        last_word = loop.time()
        try:
            while True:
                before = self.sessions
                try:
                    await self._session()
                except LostError as lost:
                    if self.sessions > before:
                        pauses = waits()
                        last_word = loop.time()
                    if lost.anew:
                        self.hello.resume_token = ""
                    pause = next(pauses)
                    self._check_patience(loop.time() + pause - last_word, lost)
                    self.reporter.lost(self.server.target, str(lost), pause)
                    await asyncio.sleep(pause)
        finally:
            self.player.close()

    def _check_patience(self, silence: float, lost: LostError) -> None:
        if self.give_up_s is not None and silence > self.give_up_s:
            raise UnreachableError(
                f"{self.server.target} did not answer for {self.give_up_s:g} s ({lost}): "
                "is the server running, and is this its address?"
            ) from None

    async def _session(self) -> None:
        """One stream from Hello to its end."""
        stream = Stream(self.server, self.player, self.summoned)
        try:
            welcome = await self._open(stream)
            resumed = bool(self.hello.resume_token)
            self.hello.resume_token = welcome.resume_token
            self.sessions += 1
            self.player.new_session()
            self.reporter.connected(
                Connected(
                    self.server.target,
                    welcome.bot,
                    welcome.session_id,
                    welcome.limits.games,
                    resumed,
                )
            )
            if welcome.limits.games < self.hello.capacity and welcome.limits.games != self.granted:
                self.reporter.warning(
                    f"asked for {self.hello.capacity} games at once, granted {welcome.limits.games}"
                )
            self.granted = welcome.limits.games
            self.player.changed = stream.changed
            await stream.run()
        finally:
            self.player.changed = _nobody
            await stream.close()

    async def _open(self, stream: Stream) -> pb.Welcome:
        try:
            return await stream.open(self.hello, self.sessions > 0)
        except RefusedError as refused:
            if not self.hello.resume_token:
                raise
            # Perhaps only the old session is refused: a server that restarted knows it no more.
            raise LostError(str(refused), anew=True) from None


class Links:
    """A home server and the referees it sends the bot to."""

    def __init__(self, bot: Bot, home: Server, hello: pb.Hello, reporter: Reporter) -> None:
        self.bot = bot
        self.home = home
        self.hello = hello
        self.reporter = reporter
        self._others: dict[str, tuple[asyncio.Task[None], pb.Hello]] = {}
        """By address: who keeps that stream, and what it says at its next attempt."""
        self._players: list[Player] = []

    async def run(self, give_up_s: float | None) -> None:
        """Play at home until cancelled or refused."""
        link = self._link(self.home, self.hello, give_up_s, self._summoned)
        try:
            await link.run()
        finally:
            tasks = [task for task, _ in self._others.values()]
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    def _link(
        self,
        server: Server,
        hello: pb.Hello,
        give_up_s: float | None,
        summoned: Callable[[str, str], None] | None = None,
    ) -> Link:
        return Link(self.bot, server, hello, self.reporter, give_up_s, summoned, self._players)

    def _summoned(self, address: str, ticket: str) -> None:
        """Open a stream to another referee, or keep the one that is open.

        The newest ticket is the one to come back with: a referee that was started again knows no
        older ones.
        """
        if address in self._others:
            task, hello = self._others[address]
            hello.token = ticket
            if not task.done():
                return
        hello = pb.Hello()
        hello.CopyFrom(self.hello)
        hello.token, hello.resume_token = ticket, ""
        self._others[address] = asyncio.create_task(self._visit(address, hello)), hello

    async def _visit(self, address: str, hello: pb.Hello) -> None:
        shown, cause = "", ClientError()
        while shown != hello.token:  # summoned again while the ticket before it was refused
            shown, link = hello.token, None
            try:
                # Another referee of the same arena is spoken to as this one is.
                server = replace(self.home, target=parse_server(address).target)
                link = self._link(server, hello, 30.0)
                await link.run()
            except ClientError as error:
                cause = error
                if link is not None and link.sessions:
                    return  # it was started again, or is gone: who wants the bot will call
        self.reporter.warning(f"summoned to {address}, and it did not work out: {cause}")


def make_hello(
    token: str, capacity: int, presets: tuple[str, ...], version: str, updates: bool = False
) -> pb.Hello:
    """How a bot introduces itself."""
    return pb.Hello(
        protocol=wire.PROTOCOL,
        sdk=f"euchre-arena-python/{version}",
        token=token,
        capacity=capacity,
        presets=presets,
        updates=updates,
    )
