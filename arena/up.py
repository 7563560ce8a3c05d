"""`arena up`: everything on one machine, each part a process of its own started by command.

    valkey    the embedded server (none with ARENA_REDIS_URL)
    referee   the first serves organizers and metrics too; more are referee-2, referee-3 …
    worker    Celery, beat beside it

A `Supervisor` starts them, starts dead ones again (sooner at first, later if they keep dying), and
stops them in the order in which they need one another. Parts write to `<data>/logs/<part>.log`.
One supervisor a data directory: it holds `<data>/up.lock`.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import FrameType
from typing import Final, TextIO

from arena import lifeline
from arena.config import NOWHERE, REDIS_VARIABLE, Address, Data
from arena.store import Embedded, EmbeddedError

POLL_S: Final = 0.1
READY_S: Final = 60.0
STOP_S: Final = 30.0
DURABILITY_VARIABLE: Final = "ARENA_REFEREE_DURABILITY"
FIRST_WAIT_S: Final = 0.5
LONGEST_WAIT_S: Final = 30.0
LIVED_S: Final = 60.0
"""A part that lived so long is started again as if for the first time."""
LARGEST_LOG: Final = 10 * 1024 * 1024
TAIL_LINES: Final = 12


class UpError(Exception):
    """The arena cannot be brought up; the text says why and what to do."""


@dataclass
class Part:
    """A process to keep running."""

    name: str
    command: Callable[[], list[str]]
    """Arguments of `arena`; asked for anew at every start."""
    ready: Callable[[Part], bool]
    process: subprocess.Popen[bytes] | None = None
    started: float = 0.0
    offset: int = 0
    """Where its log stood when it was started."""
    wait_s: float = FIRST_WAIT_S
    again_at: float = 0.0
    told: bool = False
    """That it is ready has been said."""

    @property
    def alive(self) -> bool:
        return self.process is not None and self.process.poll() is None

    @property
    def pid(self) -> int:
        return self.process.pid if self.process is not None else 0


@dataclass(frozen=True)
class Plan:
    """What to bring up."""

    data: Data
    listen: Address
    admin: Address
    metrics: Address | None
    referees: int = 1
    concurrency: int = 2
    log_level: str = "info"
    durability: str = "everysec"
    """When the embedded Valkey writes to the disk: everysec or always."""
    environment: Mapping[str, str] = field(default_factory=dict)
    security: tuple[str, ...] = ()
    """Options of `arena referee` about TLS."""

    def check(self) -> None:
        """Refuse addresses nobody could listen on, before anything is started. UpError."""
        wanted = {"--listen": self.listen, "--admin": self.admin, "--metrics": self.metrics}
        seen: dict[Address, str] = {}
        for option, address in wanted.items():
            if address is None or not address.port:
                continue
            if address in seen:
                raise UpError(
                    f"{seen[address]} and {option} are both {address}: give each its own port"
                )
            seen[address] = option
            if why := address.blocked():
                raise UpError(
                    f"nothing can listen on {address}: {why}. Choose another address with "
                    f"{option} HOST:PORT (port 0 for any that is free), or stop what listens there"
                )


class Supervisor:
    """Starts, watches and stops the parts."""

    def __init__(self, plan: Plan, say: Callable[[str], None]) -> None:
        self.plan = plan
        self.data = plan.data
        self.say = say
        self._stop = False
        self._lock: TextIO | None = None
        self._valkey: Embedded | None = None
        self._url = ""
        self._parts = [
            *self._referees(),
            Part("worker", self._worker, lambda part: self._logged(part, " ready.")),
            Part("beat", self._beat, lambda part: self._logged(part, "beat: Starting")),
        ]

    def run(self) -> None:
        """Bring everything up and keep it up until SIGTERM or SIGINT; then stop it. UpError."""
        before = {
            number: signal.signal(number, self._signalled)
            for number in (signal.SIGTERM, signal.SIGINT)
        }
        self._own()
        try:
            self.plan.check()
            self._start_valkey()
            for part in self._parts:
                self._start(part)
            self._first_start()
            self._announce()
            while not self._stop:
                self._look()
                time.sleep(POLL_S)  # no one call waits for any child's end, a file and a signal
            self.say("stopping")
        finally:
            self._stop_all()
            for number, handler in before.items():
                signal.signal(number, handler)

    # -- the directory

    def _own(self) -> None:
        try:
            self.data.logs.mkdir(parents=True, exist_ok=True)
            self._lock = self.data.lock.open("a+")
        except OSError as error:
            raise UpError(f"{self.data.path}: {error.strerror}") from None
        try:
            fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            self._lock.seek(0)
            holder = self._lock.read().strip() or "(unknown)"
            self._lock.close()
            raise UpError(
                f"{self.data.path} is in use by another `arena up`, process {holder}; stop that "
                "one, or name another directory with --data"
            ) from None
        self._lock.truncate(0)
        self._lock.write(f"{os.getpid()}\n")
        self._lock.flush()
        for stale in (self.data.path / "run").glob("*.json"):
            stale.unlink(missing_ok=True)

    def _announce(self) -> None:
        at = self.data.announced("referee")
        at.pop("pid", None)
        self.data.announce("up", **at)

    # -- starting

    def _start_valkey(self) -> None:
        if os.environ.get(REDIS_VARIABLE):
            self.say(f"store     {REDIS_VARIABLE}")
            return
        self._valkey = self._valkey or Embedded(self.data.path, durability=self.plan.durability)
        try:
            settings = self._valkey.start()
        except EmbeddedError as error:
            raise UpError(str(error)) from None
        self._url = settings.url
        self.say(f"valkey    {settings.safe_url}, files in {self.data.path / 'valkey'}")

    def _start(self, part: Part) -> None:
        log = self.data.log(part.name)
        if log.exists() and log.stat().st_size > LARGEST_LOG:
            log.replace(log.with_suffix(".log.1"))
        durability = {DURABILITY_VARIABLE: self.plan.durability}
        environment = {**durability, **os.environ, **self.plan.environment, **lifeline.variables()}
        with log.open("ab") as out:
            part.offset = out.tell()
            part.process = subprocess.Popen(
                [sys.executable, "-m", "arena.cli", *part.command()],
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=out,
                env=environment,
                # Ctrl-C reaches the whole foreground group; the parts are stopped in order.
                start_new_session=True,
            )
        part.started = time.monotonic()
        part.told = False

    def _first_start(self) -> None:
        """Wait until every part is ready. UpError with its last words if one ends before."""
        deadline = time.monotonic() + READY_S
        waiting = list(self._parts)
        while waiting and not self._stop:
            for part in waiting[:]:
                if part.ready(part):
                    self._tell(part)
                    waiting.remove(part)
                elif not part.alive:
                    raise UpError(f"{part.name} ended at once:\n{self._tail(part)}")
                elif time.monotonic() > deadline:
                    raise UpError(
                        f"{part.name} is not ready after {READY_S:.0f} s; its log is "
                        f"{self.data.log(part.name)}:\n{self._tail(part)}"
                    )
            time.sleep(POLL_S / 4)  # parts say that they are ready in files and logs

    def _tell(self, part: Part) -> None:
        part.told = True
        if not part.name.startswith("referee"):
            self.say(f"{part.name:<9} ready")
            return
        at = self.data.announced(part.name)
        how = " (TLS)" if "--tls-cert" in self.plan.security else ""
        self.say(f"{part.name:<9} bots connect to {at['referee']}{how}")
        if "admin" in at:
            self.say(f"admin     organizers call {at['admin']}{how}, token in {self._token}")
        if "metrics" in at:
            self.say(f"metrics   http://{at['metrics']}/metrics")
        if self.plan.metrics is not None and self.plan.metrics.port and "admin" in at:
            self.say(f"          http://{self.plan.metrics.next}/metrics of the worker")

    @property
    def _token(self) -> Path:
        return self.data.organizer_token

    # -- watching

    def _look(self) -> None:
        now = time.monotonic()
        if self._valkey is not None and not self._valkey.alive():
            self.say("valkey died; starting it again")
            before = self._url
            try:
                self._start_valkey()
            except UpError as error:
                self.say(f"valkey does not start: {error}")
                time.sleep(1)  # before the next attempt; without a store nothing else matters
                return
            if self._url != before:  # it has another port now, which the parts must be told
                for part in self._parts:
                    self._end(part, signal.SIGTERM)
        for part in self._parts:
            if part.alive:
                if not part.told and part.ready(part):
                    self._tell(part)
                if now - part.started > LIVED_S:
                    part.wait_s = FIRST_WAIT_S
            elif part.process is not None:
                self.say(
                    f"{part.name} died ({_how(part.process.returncode)}); starting it again in "
                    f"{part.wait_s:g} s; its log is {self.data.log(part.name)}"
                )
                part.process = None
                self.data.withdraw(part.name)
                part.again_at = now + part.wait_s
                part.wait_s = min(LONGEST_WAIT_S, part.wait_s * 2)
            elif now >= part.again_at:
                self._start(part)

    # -- stopping

    def _signalled(self, number: int, frame: FrameType | None) -> None:
        self._stop = True

    def _stop_all(self) -> None:
        """Referees first, who hand their matches back; then workers; the store last."""
        referees = [part for part in self._parts if part.name.startswith("referee")]
        others = [part for part in self._parts if part not in referees]
        for group in (referees, others):
            for part in group:
                self._end(part, signal.SIGTERM)
            deadline = time.monotonic() + STOP_S
            for part in group:
                self._wait(part, max(0.1, deadline - time.monotonic()))
        if self._valkey is not None:
            self._valkey.stop()
        if self._lock is not None:
            self.data.withdraw("up")
            self._lock.truncate(0)
            self._lock.close()
            self._lock = None
            self.say("stopped")

    def _end(self, part: Part, number: signal.Signals) -> None:
        if part.process is not None and part.alive:
            part.process.send_signal(number)

    def _wait(self, part: Part, timeout_s: float) -> None:
        process = part.process
        if process is None:
            return
        try:
            process.wait(timeout_s)
        except subprocess.TimeoutExpired:
            self.say(f"{part.name} does not stop; killed")
        # A worker that died may have left children in its group; nothing stays behind.
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()

    # -- the parts' commands

    def _referees(self) -> list[Part]:
        def part(number: int) -> Part:
            name = "referee" if number == 1 else f"referee-{number}"
            return Part(name, lambda: self._referee(number, name), self._announced)

        return [part(number) for number in range(1, self.plan.referees + 1)]

    def _referee(self, number: int, name: str) -> list[str]:
        plan = self.plan
        before = self.data.announced("up") if number == 1 else {}
        listen = before.get("referee") or (
            plan.listen if number == 1 else Address(plan.listen.host, 0)
        )
        words = ["referee", "--name", name, "--data", str(self.data.path)]
        words += ["--log-level", plan.log_level, "--listen", str(listen), *plan.security]
        if number > 1:
            return [*words, "--admin", NOWHERE, "--metrics", f"{plan.listen.host}:0"]
        # A port that was free the first time is the one bots and organizers know by now.
        words += ["--admin", str(before.get("admin") or plan.admin)]
        words += ["--metrics", str(before.get("metrics") or plan.metrics or NOWHERE)]
        return words

    def _worker(self) -> list[str]:
        plan = self.plan
        words = ["worker", "--data", str(self.data.path), "--log-level", plan.log_level]
        words += ["--concurrency", str(plan.concurrency)]
        if plan.metrics is not None and plan.metrics.port:
            words += ["--metrics", str(plan.metrics.next)]
        return words

    def _beat(self) -> list[str]:
        return ["beat", "--data", str(self.data.path), "--log-level", self.plan.log_level]

    # -- how a part says that it is ready

    def _announced(self, part: Part) -> bool:
        return self.data.announced(part.name).get("pid") == part.pid

    def _logged(self, part: Part, words: str) -> bool:
        return words in self._since(part)

    def _since(self, part: Part) -> str:
        """What the part logged since it was started."""
        with self.data.log(part.name).open("rb") as log:
            log.seek(part.offset)
            return log.read(LARGEST_LOG).decode(errors="replace")

    def _tail(self, part: Part) -> str:
        return "\n".join(self._since(part).splitlines()[-TAIL_LINES:])


def _how(code: int) -> str:
    """A return code in words."""
    if code >= 0:
        return f"status {code}"
    try:
        return signal.Signals(-code).name
    except ValueError:
        return f"signal {-code}"
