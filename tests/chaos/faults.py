"""What is done to a tournament: kinds of trouble, how often, to whom, for how long.

A kind begins its trouble and returns how it ends. Names of targets are those of `Trouble.targets`:
a bot stands for itself and its line, since whoever is cut off twice over is cut off for longer.
"""

from __future__ import annotations

import signal
from collections.abc import Callable
from dataclasses import dataclass

from redis.exceptions import RedisError

from tests.chaos.cup import GRACE_S, Cup
from tests.chaos.parts import Line, Part, send
from tests.support.tournaments import wait_for

End = Callable[[], None]
Begin = Callable[[Cup, str], End | None]


@dataclass(frozen=True)
class Kind:
    """A kind of trouble."""

    name: str
    whom: str
    """A prefix of its targets' names."""
    weight: int
    hold_s: tuple[float, float]
    """It lasts between the two."""
    begin: Begin
    """None: there was nothing to trouble."""
    charges: bool = False
    """The bot is away beyond its grace, and is to be charged with it."""


def nothing() -> None:
    """It is over as soon as it began."""


# -- bots and lines


def bot_killed(cup: Cup, target: str) -> End:
    player = cup.players[target.partition(":")[2]]
    player.end()
    return player.start


def bot_stopped(cup: Cup, target: str) -> End:
    return stopped(cup.players[target.partition(":")[2]])


def stopped(part: Part) -> End:
    """It stands still."""
    pid = part.pid
    send(pid, signal.SIGSTOP)
    return lambda: send(pid, signal.SIGCONT)


def line_of(cup: Cup, target: str) -> Line:
    kind, _, name = target.partition(":")
    return cup.players[name].line if kind == "bot" else cup.between[int(name) - 1]


def line_cut(cup: Cup, target: str) -> End:
    line_of(cup, target).tell("cut")
    return nothing


def line_stalled(cup: Cup, target: str) -> End:
    return stopped(line_of(cup, target))


def line_slow(cup: Cup, target: str) -> End:
    line = line_of(cup, target)
    line.tell("slow 0.1")
    return lambda: line.tell("slow 0")


def line_killed(cup: Cup, target: str) -> End:
    line = line_of(cup, target)
    line.end()
    return line.start


# -- parts of `arena up`, which starts dead ones again itself


def signalled(number: signal.Signals) -> Begin:
    def begin(cup: Cup, target: str) -> End | None:
        pid = cup.pids().get(target)
        if pid is None:
            return None
        send(pid, number)
        return nothing

    return begin


def held(cup: Cup, target: str) -> End | None:
    pid = cup.pids().get(target)
    if pid is None:
        return None
    send(pid, signal.SIGSTOP)
    return lambda: send(pid, signal.SIGCONT)


def child_killed(cup: Cup, target: str) -> End | None:
    """A worker's child, with the task it may be at."""
    children = cup.children(cup.pids().get(target, 0))
    if not children:
        return None
    send(children[0], signal.SIGKILL)
    return nothing


def valkey_told(*begin: str | int, end: tuple[str | int, ...] = ()) -> Begin:
    def command(cup: Cup, words: tuple[str | int, ...]) -> bool:
        try:
            with cup.client() as client:
                client.execute_command(*words)
        except (RedisError, OSError):
            return False  # it is just being started again, and will have forgotten
        return True

    def told(cup: Cup, target: str) -> End | None:
        if not command(cup, begin):
            return None
        return (lambda: command(cup, end) and None) if end else nothing

    return told


def up_killed(cup: Cup, target: str) -> End:
    """Its parts end with it; the next one is started when they have."""
    cup.up.end()

    def again() -> None:
        wait_for(lambda: not cup.pids(), 120, about=f"parts of a dead `arena up`: {cup.pids()}")
        cup.up.start()
        wait_for(cup.ready, 240, about=f"not up again: {cup.up.log}")

    return again


KINDS = (
    Kind("bot killed", "bot:", 10, (0.0, 2.0), bot_killed),
    Kind("bot stopped", "bot:", 10, (0.3, 3.0), bot_stopped),
    Kind("bot gone", "bot:", 2, (GRACE_S + 3.0, GRACE_S + 6.0), bot_killed, charges=True),
    Kind("line cut", "bot:", 10, (0.0, 0.0), line_cut),
    Kind("line stalled", "bot:", 6, (0.3, 3.0), line_stalled),
    Kind("line slow", "bot:", 6, (1.0, 4.0), line_slow),
    Kind("line killed", "bot:", 6, (0.0, 2.0), line_killed),
    Kind("line of all cut", "between:", 4, (0.0, 0.0), line_cut),
    Kind("line of all stalled", "between:", 3, (0.3, 3.0), line_stalled),
    Kind("line of all killed", "between:", 3, (0.0, 2.0), line_killed),
    Kind("referee killed", "referee", 8, (0.0, 0.0), signalled(signal.SIGKILL)),
    Kind("referee ended", "referee", 2, (0.0, 0.0), signalled(signal.SIGTERM)),
    Kind("referee stopped", "referee", 8, (0.5, 8.0), held),
    Kind("worker killed", "worker", 3, (0.0, 0.0), signalled(signal.SIGKILL)),
    Kind("worker's child killed", "worker", 3, (0.0, 0.0), child_killed),
    Kind("worker stopped", "worker", 3, (0.5, 5.0), held),
    Kind("beat killed", "beat", 2, (0.0, 0.0), signalled(signal.SIGKILL)),
    Kind("beat stopped", "beat", 2, (0.5, 5.0), held),
    Kind("valkey killed", "valkey", 4, (0.0, 0.0), signalled(signal.SIGKILL)),
    Kind("valkey stopped", "valkey", 5, (0.3, 4.0), held),
    Kind(
        "valkey's connections dropped",
        "valkey",
        5,
        (0.0, 0.0),
        valkey_told("CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes"),
    ),
    Kind(
        "valkey full",
        "valkey",
        3,
        (0.3, 3.0),
        valkey_told(*("CONFIG", "SET", "maxmemory", 1), end=("CONFIG", "SET", "maxmemory", 0)),
    ),
    Kind("up killed", "up", 1, (0.0, 0.0), up_killed),
)
