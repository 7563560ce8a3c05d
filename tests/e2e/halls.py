"""`arena up` and bots as processes of a test; whatever happens, none is left."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from arena import lifeline
from arena.config import Data
from tests.support.servers import free_port
from tests.support.tournaments import wait_for

BIN = Path(sys.executable).parent
START_S = 120.0
STOP_S = 120.0


def environment(data: Path, **more: str) -> dict[str, str]:
    """The environment of a command; nothing of the tester's own arena gets in."""
    kept = {k: v for k, v in os.environ.items() if not k.startswith(("ARENA_", "EUCHRE_"))}
    path = f"{BIN}{os.pathsep}{kept.get('PATH', '')}"
    return {**kept, "PATH": path, "ARENA_DATA": str(data), **more}


def holders(data: Path) -> dict[int, str]:
    """Processes that work in the data directory or are told of it, by id."""
    found = {}
    for process in Path("/proc").iterdir():
        if not process.name.isdigit() or int(process.name) == os.getpid():
            continue
        try:
            command = (process / "cmdline").read_bytes()
            told = command + (process / "environ").read_bytes()
            # Valkey writes its title over both.
            if str(data).encode() in told or (process / "cwd").readlink().is_relative_to(data):
                found[int(process.name)] = command.replace(b"\0", b" ").decode(errors="replace")
        except OSError:
            continue  # it has ended, or is somebody else's
    return {pid: command for pid, command in found.items() if command}  # a zombie has none


class Hall:
    """A running `arena up`."""

    def __init__(self, data: Path, process: subprocess.Popen[str], log: Path) -> None:
        self.data = Data(data)
        self.process = process
        self.log = log
        self.bots: list[subprocess.Popen[bytes]] = []

    @property
    def at(self) -> dict[str, Any]:
        """Its addresses."""
        return self.data.announced("up")

    def said(self) -> str:
        """What `arena up` printed so far."""
        return self.log.read_text()

    def arena(self, *words: str, status: int = 0, cwd: Path | None = None) -> str:
        """Run an `arena` command; what it printed."""
        return self.run("arena", *words, status=status, cwd=cwd)

    def run(self, *words: str, status: int = 0, cwd: Path | None = None) -> str:
        """Run any command of ours."""
        done = subprocess.run(
            words,
            env=environment(self.data.path, ARENA_SERVER=self.at["admin"]),
            cwd=cwd,
            capture_output=True,
            text=True,
            timeout=240,
            check=False,
        )
        assert done.returncode == status, f"{words}: {done.returncode}\n{done.stdout}{done.stderr}"
        return done.stdout

    def bot(self, name: str, bot: str) -> None:
        """Register a bot and start it."""
        token = self.data.path / f"{name}.token"
        self.arena("bot", "register", name, "-o", str(token))
        with (self.data.path / f"{name}.log").open("wb") as log:
            words = ["connect", bot, "--server", self.at["referee"], "--token-file", str(token)]
            self.bots.append(
                subprocess.Popen(
                    lifeline.command([BIN / "euchre-arena", *words]),
                    env=environment(self.data.path) | lifeline.variables(),
                    stdout=log,
                    stderr=log,
                )
            )

    def child(self, part: str) -> int:
        """The process id of a part, by its command line."""
        wanted = {
            "worker": "workers.app worker",
            "beat": "workers.app beat",
            "valkey": "valkey-server",
            "referee": "arena.cli referee",
        }[part]
        pids = [pid for pid, command in holders(self.data.path).items() if wanted in command]
        parents = {pid: _parent(pid) for pid in pids}
        return next((pid for pid in pids if parents[pid] not in pids), 0)

    def stop(self, number: signal.Signals = signal.SIGTERM) -> int:
        """Stop it; its exit status."""
        for bot in self.bots:
            bot.terminate()
        for bot in self.bots:
            bot.wait(STOP_S)
        if self.process.poll() is None:
            self.process.send_signal(number)
        return self.process.wait(STOP_S)


def _parent(pid: int) -> int:
    try:
        return int((Path("/proc") / str(pid) / "stat").read_text().rpartition(")")[2].split()[1])
    except OSError:
        return 0


@contextmanager
def hall(data: Path, *words: str, **env: str) -> Iterator[Hall]:
    """`arena up` on ports that stay free for it when parts of it die, ready; stopped afterwards,
    which leaves nothing behind."""
    log = data.with_name(f"{data.name}.up.log")
    with log.open("w") as out:
        process = subprocess.Popen(
            [
                *(BIN / "arena", "up", "--listen", f"127.0.0.1:{free_port()}"),
                *("--admin", f"127.0.0.1:{free_port()}", "--metrics", "127.0.0.1:0"),
                *("--concurrency", "1", *words),
            ],
            env=environment(data, **env) | lifeline.variables(),
            stdout=out,
            stderr=out,
            text=True,
        )
    running = Hall(data, process, log)
    try:
        ready(running)
        yield running
        running.stop()
    finally:
        for pid in holders(data):
            os.kill(pid, signal.SIGKILL)
        process.wait()


def ready(running: Hall) -> None:
    """Wait until everything is up."""

    def up() -> bool:
        assert running.process.poll() is None, running.said()
        return running.at.get("pid") == running.process.pid

    wait_for(up, START_S, about=f"not up: {running.said()}")


def gone(data: Path, within_s: float = 60.0) -> None:
    """Nothing that has to do with this data directory is left running."""

    def left() -> dict[int, str]:
        return holders(data)

    try:
        wait_for(lambda: not left(), within_s)
    except AssertionError:
        raise AssertionError(f"left running: {left()}") from None


def until(done: Callable[[], Any], about: str, deadline_s: float = START_S) -> Any:
    """`wait_for` with the patience processes need."""
    return wait_for(done, deadline_s, about=about)
