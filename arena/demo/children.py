"""The demo's processes: `arena up` and one a bot; whatever happens, none stays behind."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from types import TracebackType
from typing import Final

from arena import lifeline
from arena.config import CA_VARIABLE, DATA_VARIABLE, REDIS_VARIABLE, Data
from arena.demo.folder import DemoError

STOP_S: Final = 40.0
POLL_S: Final = 0.05
TAIL_LINES: Final = 15
SETTINGS: Final = {"ARENA_REFEREE_MATCHES": "20"}
"""Enough at once to keep two processors busy; more would only all be over at the same time, and
until then there would be nothing to see."""


class Child:
    """A process with a log."""

    def __init__(self, name: str, argv: Sequence[str], data: Data) -> None:
        self.name = name
        self.log = data.log(name)
        self.log.parent.mkdir(parents=True, exist_ok=True)
        environment = {
            **os.environ,
            **SETTINGS,
            DATA_VARIABLE: str(data.path),
            **lifeline.variables(),
        }
        # A demo plays on a Valkey of its own, and in the clear.
        for variable in (REDIS_VARIABLE, CA_VARIABLE):
            environment.pop(variable, None)
        with self.log.open("wb") as out:
            self.process = subprocess.Popen(
                argv,
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=out,
                env=environment,
                start_new_session=True,  # Ctrl-C is ours: they are stopped in order
            )

    @property
    def alive(self) -> bool:
        """Whether it runs."""
        return self.process.poll() is None

    def check(self) -> None:
        """DemoError with its last words when it has ended."""
        if not self.alive:
            raise DemoError(
                f"{self.name} ended with status {self.process.returncode}; the end of {self.log}:\n"
                + "\n".join(self.log.read_text(errors="replace").splitlines()[-TAIL_LINES:])
            )

    def ask_to_stop(self) -> None:
        """SIGTERM."""
        if self.alive:
            self.process.send_signal(signal.SIGTERM)

    def see_it_gone(self, deadline: float) -> None:
        """Wait for its end, and kill it and its group when that takes too long."""
        try:
            self.process.wait(max(0.1, deadline - time.monotonic()))
        except subprocess.TimeoutExpired:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()


class Children:
    """All of them, as a context: stopped in the reverse order of their start."""

    def __init__(self, data: Data) -> None:
        self._data = data
        self.arena: Child | None = None
        self.bots: list[Child] = []

    def start_arena(self) -> dict[str, str]:
        """`arena up` on free ports; its addresses once it is ready. DemoError."""
        words = ["up", "--listen", "127.0.0.1:0", "--admin", "127.0.0.1:0"]
        words += ["--metrics", "127.0.0.1:0", "--concurrency", "1"]
        arena = self.arena = Child("up", [sys.executable, "-m", "arena.cli", *words], self._data)
        self.wait(
            lambda: self._data.announced("up").get("pid") == arena.process.pid,
            90,
            f"the arena is not ready; see {self._data.logs}",
        )
        return self._data.announced("up")

    def start_bot(self, name: str, bot: str, server: str, token: Path) -> None:
        """A bot as its author would start it."""
        argv = [sys.executable, "-m", "euchre_arena.cli", "connect", bot]
        argv += ["--server", server, "--token-file", str(token), "--give-up", "60"]
        self.bots.append(Child(f"bot-{name}", lifeline.command(argv), self._data))

    def wait(self, done: Callable[[], bool], timeout_s: float, about: str) -> None:
        """Wait for something while everything keeps running. DemoError."""
        deadline = time.monotonic() + timeout_s
        while not done():
            self.check()
            if time.monotonic() > deadline:
                raise DemoError(about)
            time.sleep(POLL_S)  # `done` asks files and services, which tell nobody

    def check(self) -> None:
        """DemoError when one of them has ended."""
        for child in [*([self.arena] if self.arena else []), *self.bots]:
            child.check()

    def __enter__(self) -> Children:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        # Somebody who presses Ctrl-C again wants it sooner; it ends as clean.
        before = signal.signal(signal.SIGINT, signal.SIG_IGN)
        try:
            deadline = time.monotonic() + STOP_S
            for bot in self.bots:
                bot.ask_to_stop()
            if self.arena is not None:
                self.arena.ask_to_stop()
            for bot in self.bots:
                bot.see_it_gone(deadline)
            if self.arena is not None:
                self.arena.see_it_gone(deadline)
        finally:
            signal.signal(signal.SIGINT, before)
