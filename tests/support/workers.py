"""Real Celery workers and beat as processes of their own."""

from __future__ import annotations

import os
import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from arena import lifeline
from arena.store import StoreSettings, broker
from tests.support.tournaments import wait_for

ROOT = Path(__file__).parents[2]
TROUBLE = {
    "ARENA_TEST_STOP": "tests.support.stopping",
    "ARENA_TEST_DEAF": "tests.support.deafening",
}
"""By variable: the app that has it in place of ``workers.app``."""


class Worker:
    """A process group: a worker with its children, or beat."""

    def __init__(
        self, argv: list[str], settings: StoreSettings, log: Path, trouble: dict[str, str]
    ) -> None:
        env = {**os.environ, **lifeline.variables(), "ARENA_REDIS_URL": settings.url, **trouble}
        for variable in trouble:
            argv = [TROUBLE[variable] if word == "workers.app" else word for word in argv]
        self.log = log
        with log.open("wb") as out:
            self.process = subprocess.Popen(
                lifeline.command(argv),
                cwd=ROOT,
                env=env,
                stdout=out,
                stderr=out,
                start_new_session=True,
            )

    def ready(self) -> Worker:
        """This, once it says so."""
        wait_for(lambda: " ready." in self.log.read_text(), 120, about=f"no worker: {self.log}")
        return self

    def kill(self) -> None:
        """SIGKILL to parent and children at once; harmless when it has ended."""
        if self.process.poll() is None:
            os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()


class Hall:
    """Workers and beats of one test."""

    def __init__(self, settings: StoreSettings, folder: Path) -> None:
        self.settings = settings
        self.folder = folder
        self.all: list[Worker] = []

    def worker(self, stop: str = "", concurrency: int = 2, deaf: Path | None = None) -> Worker:
        """Another worker; ``stop``: ``domain.method:before|after`` (see ``stopping``); ``deaf``:
        the file that makes it so (see ``deafening``)."""
        trouble = {"ARENA_TEST_STOP": f"{stop}:{self.folder}"} if stop else {}
        if deaf:
            trouble["ARENA_TEST_DEAF"] = str(deaf)
        return self._start(broker.worker_argv(concurrency), trouble).ready()

    def beat(self) -> Worker:
        """Another beat."""
        return self._start(broker.beat_argv(), {})

    def pipe(self) -> Path:
        """The pipe at which stopping workers stop."""
        pipe = self.folder / "reached"
        os.mkfifo(pipe)
        return pipe

    def _start(self, argv: list[str], trouble: dict[str, str]) -> Worker:
        log = self.folder / f"{len(self.all)}.log"
        self.all.append(Worker(argv, self.settings, log, trouble))
        return self.all[-1]


@contextmanager
def hall(settings: StoreSettings, folder: Path) -> Iterator[Hall]:
    """A hall whose processes are gone afterwards; they bear it."""
    found = Hall(settings, folder)
    try:
        yield found
    finally:
        for worker in reversed(found.all):
            worker.kill()
