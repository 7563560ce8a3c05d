"""Playing a bot on a server.

`connect` is a coroutine, `run` the same for a program that does nothing else. Behind them:

- `link`: keeps the bot connected, waits between attempts, answers summons to other referees
- `stream`: one stream, and when to send; `ending`: how the server ended it
- `player`: the games of a session; asks the bot
- `reporting`: what the author is told
- `address`, `errors`: where to connect, and what to do when it does not work
"""

from __future__ import annotations

import asyncio
import contextlib
import gc
import os
import signal
from collections.abc import Iterator
from types import FrameType

from euchre_arena.bot import Bot
from euchre_arena.client.address import TOKEN_VARIABLE, parse_server, read_token
from euchre_arena.client.errors import (
    AddressError,
    AuthError,
    ClientError,
    RefusedError,
    UnreachableError,
)
from euchre_arena.client.link import Links, make_hello
from euchre_arena.client.reporting import Connected, ConsoleReporter, Reporter, Stats

__all__ = [
    "AddressError",
    "AuthError",
    "ClientError",
    "Connected",
    "ConsoleReporter",
    "RefusedError",
    "Reporter",
    "Stats",
    "UnreachableError",
    "connect",
    "read_token",
    "run",
]


async def connect(
    bot: Bot,
    server: str,
    token: str,
    *,
    capacity: int | None = None,
    presets: tuple[str, ...] | None = None,
    ca: str | None = None,
    insecure: bool = False,
    cert: str | None = None,
    key: str | None = None,
    give_up_s: float | None = None,
    reporter: Reporter | None = None,
    stop: asyncio.Event | None = None,
) -> Stats:
    """Play ``bot`` on a server until ``stop`` is set, reconnecting as often as it takes.

    ``server`` is ``HOST:PORT``; off this machine it is spoken to with TLS (trusting the
    certificates in the file ``ca``, or those of the system) unless ``insecure``; ``cert`` and
    ``key`` are files of a certificate of the bot's own, where the server asks for one. ``capacity``
    and ``presets`` stand above the bot's own. ``give_up_s``: seconds without a server after which
    UnreachableError is raised; None for never. ``reporter`` is told what happens; by default it is
    written to standard error. ClientError names cause and cure.
    """
    from euchre_arena import __version__

    reporter = reporter or ConsoleReporter()
    where = parse_server(server, ca, insecure, cert, key)
    games = bot.capacity if capacity is None else capacity
    if games < 1:
        raise ClientError(f"a capacity of {games} games: it must be at least 1")
    hello = make_hello(token, games, bot.presets if presets is None else presets, __version__)
    links = asyncio.create_task(Links(bot, where, hello, reporter).run(give_up_s))
    stopped = asyncio.create_task((stop or asyncio.Event()).wait())
    try:
        await asyncio.wait((links, stopped), return_when=asyncio.FIRST_COMPLETED)
        if links.done():
            links.result()
        return reporter.stats
    finally:
        stopped.cancel()
        links.cancel()
        with contextlib.suppress(asyncio.CancelledError, ClientError):
            await links


def run(
    bot: Bot,
    server: str,
    token: str | None = None,
    *,
    capacity: int | None = None,
    presets: tuple[str, ...] | None = None,
    ca: str | None = None,
    insecure: bool = False,
    cert: str | None = None,
    key: str | None = None,
    give_up_s: float | None = None,
    reporter: Reporter | None = None,
) -> Stats:
    """`connect` for a program that does nothing else: until Ctrl-C, or SIGTERM.

    The first Ctrl-C closes the stream, a second ends the program at once, in the middle of ``act``
    too. Without a ``token`` the environment variable EUCHRE_ARENA_TOKEN is taken.
    """
    token = token or os.environ.get(TOKEN_VARIABLE, "")
    if not token:
        raise AddressError(
            f"no token: hand one over (--token-file FILE), or set {TOKEN_VARIABLE} to what "
            "`arena bot register NAME` printed"
        )

    # What was imported stays: collections of garbage need not walk through it again and again.
    gc.freeze()

    async def play() -> Stats:
        stop = asyncio.Event()
        with _signals(stop):
            return await connect(
                bot,
                server,
                token,
                capacity=capacity,
                presets=presets,
                ca=ca,
                insecure=insecure,
                cert=cert,
                key=key,
                give_up_s=give_up_s,
                reporter=reporter,
                stop=stop,
            )

    return asyncio.run(play())


@contextlib.contextmanager
def _signals(stop: asyncio.Event) -> Iterator[None]:
    """Let SIGINT and SIGTERM set ``stop``, and a second one interrupt whatever runs.

    Not loop.add_signal_handler: its handlers wait for the loop, and an ``act`` that never returns
    holds the loop.
    """
    loop = asyncio.get_running_loop()

    asked = False

    def handle(number: int, frame: FrameType | None) -> None:
        nonlocal asked
        if asked:
            raise KeyboardInterrupt
        asked = True
        loop.call_soon_threadsafe(stop.set)

    before = {number: signal.signal(number, handle) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
