"""A tournament of real processes: `arena up` with two referees, bots behind lines that can fail.

bot ── line of its own ──▶ referee 1 or 2        (its home)
    ── line of all ──────▶ the other referee     (when summoned)
"""

from __future__ import annotations

import contextlib
import os
import signal
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import redis

from arena.admin.client import Admin
from arena.archive import cups
from arena.config import Data
from arena.store import Store, StoreSettings
from arena.store.link import client_for
from arena.store.types import TournamentState
from tests.chaos.parts import Line, Part, Player, send
from tests.e2e.halls import environment, gone, holders
from tests.support.servers import free_port
from tests.support.tournaments import wait_for

ID = "chaos"
NAMES = ("ada", "bob", "cyd", "dee", "eve", "fay", "gus", "hal")
GRACE_S = 20
"""A bot away for longer is charged with it."""
LEASE_MS = 4_000
"""Referees stand still for longer, now and then."""
SPEC = """\
name = "chaos"
seed = "{seed}"
[match]
games = 2
duplicate = true
[clock]
move_time_ms = 10000
bank_ms = 30000
disconnect_grace_ms = {grace_ms}
[format]
cycles = {cycles}
[entrants]
bots = [{bots}]
"""
READY_S = 240.0


@dataclass(frozen=True)
class Scale:
    """How much of it."""

    cycles: int
    """28 matches of two games each."""
    faults: int
    think_s: float
    """A bot's decision takes so long, more or less."""

    @property
    def matches(self) -> int:
        return self.cycles * len(NAMES) * (len(NAMES) - 1) // 2


class Cup:
    """Everything that runs, by name."""

    def __init__(self, folder: Path, seed: int, scale: Scale) -> None:
        self.folder = folder
        self.seed = seed
        self.scale = scale
        self.data = Data(folder / "data")
        self.data.path.mkdir()
        ports = [free_port() for _ in range(2)]
        self.listen = [f"127.0.0.1:{port}" for port in ports]
        self.between = [
            Line(at, folder, f"between-{number}") for number, at in enumerate(self.listen, 1)
        ]
        pairs = [f"{at}={line.address}" for at, line in zip(self.listen, self.between, strict=True)]
        env = environment(self.data.path, ARENA_REFEREE_LEASE_MS=str(LEASE_MS))
        words = ["tests.chaos.up", str(self.data.path), *pairs]
        self.up = Part(words, folder / "up.log", env)
        self.players: dict[str, Player] = {}

    # -- beginning

    def start(self) -> None:
        """Bring everything up and let the tournament begin."""
        for line in self.between:
            line.up()
        self.up.start()
        wait_for(self.ready, READY_S, about=f"not up: {self.up.log}")
        token = self.data.organizer_token.read_text().strip()
        with Admin(self.data.announced("up")["admin"], token, patience_s=60) as admin:
            for number, name in enumerate(NAMES):
                line = Line(self.listen[number % 2], self.folder, f"line-{name}")
                line.up()
                file = self.folder / f"{name}.token"
                file.write_text(admin.register(name)[1])
                file.chmod(0o600)
                think_s = self.scale.think_s
                self.players[name] = Player(name, line, file, self.folder, think_s)
                self.players[name].start()
            connected = lambda: all(bot.connected for bot in admin.bots())
            wait_for(connected, READY_S, about="not all bots connected")
            text = SPEC.format(
                seed=self.seed,
                grace_ms=GRACE_S * 1000,
                cycles=self.scale.cycles,
                bots=", ".join(f'"{name}"' for name in NAMES),
            )
            admin.create(text, ID)
            admin.start(ID)

    def ready(self) -> bool:
        """`arena up` has said that all of it is."""
        assert self.up.process is not None
        assert self.up.process.poll() is None, self.up.log.read_text()
        return self.data.announced("up").get("pid") == self.up.pid

    # -- looking

    def records(self) -> int:
        """Matches that are over, told by their files: nobody need answer for that."""
        return sum(1 for _ in (self.data.records / ID).glob("*.jsonl"))

    def seen(self) -> int:
        """Grows as long as any bot is asked anything."""
        return sum(player.seen() for player in self.players.values())

    def pids(self) -> dict[str, int]:
        """The parts of `arena up` that run, by name."""
        found: dict[str, int] = {}
        kinds = {
            "workers.app worker": "worker",
            "workers.app beat": "beat",
            "valkey-server": "valkey",
        }
        for pid, command in sorted(holders(self.data.path).items()):
            if "arena.cli referee" in command:
                words = command.split()
                found.setdefault(words[words.index("--name") + 1], pid)
            for words_in, name in kinds.items():
                if words_in in command and "arena.cli" not in command:
                    found.setdefault(name, pid)
        return found

    def children(self, pid: int) -> list[int]:
        """Processes a process has started."""
        try:
            text = Path(f"/proc/{pid}/task/{pid}/children").read_text()
        except OSError:
            return []
        return [int(word) for word in text.split()]

    def client(self) -> redis.Redis:
        """A connection to the store of our own; it is impatient."""
        return client_for(self.settings(), 2.0)

    def settings(self) -> StoreSettings:
        """Where the store is."""
        return StoreSettings.find(data=self.data.path)

    @contextlib.contextmanager
    def store(self) -> Iterator[Store]:
        """The store, once it answers."""
        store = Store.connect(self.settings())
        try:
            yield store
        finally:
            store.close()

    # -- ending

    def finished(self, deadline_s: float) -> None:
        """Wait until the tournament is over with its final table, and its file says so."""
        file = cups.path_of(self.data.records, ID)
        with self.store() as store:
            for over in (
                lambda: store.tournaments.get(ID).state is TournamentState.FINISHED,
                lambda: cups.read(file)["state"] == TournamentState.FINISHED,
            ):
                wait_for(
                    over,
                    deadline_s,
                    about=f"{ID} does not finish: {self.records()} of {self.scale.matches} records",
                )

    def end(self) -> None:
        """In good order; everything is gone then."""
        for player in self.players.values():
            player.end(signal.SIGTERM)
        self.up.end(signal.SIGTERM)
        assert self.up.process is not None
        assert self.up.process.returncode == 0, self.up.log.read_text()
        gone(self.data.path)

    def kill(self) -> None:
        """Whatever is left."""
        lines = [*self.between, *(player.line for player in self.players.values())]
        for part in (*self.players.values(), self.up, *lines):
            part.end()
        for pid in holders(self.data.path):
            if pid != os.getpid():
                send(pid, signal.SIGKILL)


@contextlib.contextmanager
def cup(folder: Path, seed: int, scale: Scale) -> Iterator[Cup]:
    """A tournament under way, of which nothing is left afterwards."""
    running = Cup(folder, seed, scale)
    try:
        running.start()
        yield running
    finally:
        running.kill()
