"""The processes a test of trouble starts itself: bots and lines. `arena up` starts the rest."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
from pathlib import Path

from arena import lifeline
from tests.support.servers import free_port
from tests.support.tournaments import wait_for

ROOT = Path(__file__).parents[2]


def send(pid: int, number: signal.Signals) -> None:
    """A signal to a process that may be gone."""
    with contextlib.suppress(ProcessLookupError):
        os.kill(pid, number)


class Part:
    """A process that may be killed and started again."""

    def __init__(self, words: list[str], log: Path, env: dict[str, str] | None = None) -> None:
        self.words = words
        self.log = log
        self.env = {**(os.environ if env is None else env), **lifeline.variables()}
        self.process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start it, unless it runs."""
        if self.process is not None and self.process.poll() is None:
            return
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(
                lifeline.command([sys.executable, "-m", *self.words]),
                cwd=ROOT,
                env=self.env,
                stdin=subprocess.PIPE,
                stdout=log,
                stderr=log,
                bufsize=0,
            )

    @property
    def pid(self) -> int:
        assert self.process is not None
        return self.process.pid

    def tell(self, text: str) -> None:
        """A line for its input."""
        assert self.process is not None
        assert self.process.stdin is not None
        with contextlib.suppress(BrokenPipeError):
            self.process.stdin.write(f"{text}\n".encode())

    def end(self, number: signal.Signals = signal.SIGKILL) -> None:
        """End it and wait for that; harmless when it has ended."""
        if self.process is None:
            return
        if self.process.poll() is None:
            self.process.send_signal(number)
            self.process.send_signal(signal.SIGCONT)
        try:
            self.process.wait(120)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        assert self.process.stdin is not None
        self.process.stdin.close()


class Line(Part):
    """A proxy before an address."""

    def __init__(self, target: str, folder: Path, name: str) -> None:
        self.port = free_port()
        self.address = f"127.0.0.1:{self.port}"
        super().__init__(["tests.chaos.proxy", str(self.port), target], folder / f"{name}.log")

    def up(self) -> None:
        """Start it, and wait until it listens."""
        before = self.log.stat().st_size if self.log.exists() else 0
        self.start()
        wait_for(lambda: self.log.stat().st_size > before, 120, about=f"no line: {self.log}")


class Player(Part):
    """A bot of `tests.chaos.bot`, behind a line of its own."""

    def __init__(self, name: str, line: Line, token: Path, folder: Path, think_s: float) -> None:
        self.name = name
        self.line = line
        self.shown = folder / f"{name}.shown"
        """What it was shown."""
        words = ["tests.chaos.bot", line.address, str(token), str(self.shown), str(think_s)]
        super().__init__(words, folder / f"{name}.log")

    def seen(self) -> int:
        """Bytes of what it was shown: more of them when it has been shown more."""
        return self.shown.stat().st_size if self.shown.exists() else 0
