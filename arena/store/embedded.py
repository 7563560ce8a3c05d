"""The embedded server: a real Valkey in the data directory, so that nothing need be installed.

    <data>/valkey/           mode 0700
      valkey.conf users.acl  written anew at every start, mode 0600; the ACL holds a hash only
      url                    the address with the password, mode 0600, for our own processes
      owner.lock             held by the process that started the server
      server.lock            held by the server itself: inherited, so it is free exactly when the
                             server is gone, however its starter ended
      appendonlydir/ valkey.log

The server ends with the process that started it, on Linux also when that one is killed. Elsewhere
it is left running without an owner; the next start ends it and begins anew on the same files.
"""

from __future__ import annotations

import fcntl
import hashlib
import logging
import os
import secrets
import signal
import socket
import subprocess
import time
from pathlib import Path
from types import TracebackType

from redis import exceptions as redis_trouble

from arena import lifeline
from arena.store.binary import find_server
from arena.store.errors import EmbeddedError, StoreMisconfigured
from arena.store.link import client_for
from arena.store.private import write_private
from arena.store.settings import StoreSettings, url_file

log = logging.getLogger(__name__)

HOST = "127.0.0.1"
USER = "arena"
POLL_S = 0.01
PORT_TRIES = 5  # a free port may be taken between our look and the server's bind
CONFIG = """\
bind {host}
port {port}
protected-mode yes
aclfile users.acl
daemonize no
loglevel notice
logfile valkey.log
appendonly yes
appendfsync {durability}
save ""
maxmemory-policy noeviction
tcp-keepalive 60
"""


class Embedded:
    """A Valkey process of our own below ``<data>/valkey``.

        with Embedded(data) as valkey:
            store = Store.connect(valkey.settings)

    Start it in a thread that stays: the server ends with it (see ``arena.lifeline``).

    Loopback only, append-only file on, a password generated at the first start that stands in
    files of mode 0600 and in no command line.
    """

    def __init__(self, data: Path, port: int = 0, durability: str = "everysec") -> None:
        """``port`` 0 takes a free one (the same as before where it can). ``durability``:
        everysec or always, when the append-only file is written to the disk."""
        self.data = data
        self.durability = durability
        self.port = port
        self._home = url_file(data).parent
        self._process: subprocess.Popen[bytes] | None = None
        self._owner: int | None = None
        self._settings: StoreSettings | None = None

    @property
    def settings(self) -> StoreSettings:
        """How to reach it, once started."""
        if self._settings is None:
            raise EmbeddedError("the embedded Valkey has not been started")
        return self._settings

    @property
    def pid(self) -> int:
        """The server's process id, once started."""
        if self._process is None:
            raise EmbeddedError("the embedded Valkey has not been started")
        return self._process.pid

    def start(self, timeout_s: float = 30.0) -> StoreSettings:
        """Start and wait until it answers. EmbeddedError says what is wrong and what to do."""
        if self.alive():
            return self.settings
        binary = find_server()
        try:
            self._home.mkdir(parents=True, exist_ok=True, mode=0o700)
            self._own()
            return self._start(binary, timeout_s)
        except OSError as error:
            self._disown()
            raise EmbeddedError(f"{self._home}: {error.strerror or error}") from error
        except BaseException:
            self._disown()
            raise

    def alive(self) -> bool:
        """Whether the process runs; call ``start`` again when not."""
        return self._process is not None and self._process.poll() is None

    def stop(self, timeout_s: float = 30.0) -> None:
        """Ask it to save and end; returns when it is gone. Harmless when it is not running."""
        process, self._process = self._process, None
        if process is not None and process.poll() is None:
            process.send_signal(signal.SIGTERM)
            try:
                process.wait(timeout_s)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
        self._disown()

    def __enter__(self) -> Embedded:
        self.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.stop()

    # --- who may start it ---

    def _own(self) -> None:
        if self._owner is not None:  # started before; the server died, we did not
            return
        handle = os.open(self._home / "owner.lock", os.O_RDWR | os.O_CREAT, 0o600)
        if not _lock(handle):
            holder = os.read(handle, 32).decode(errors="replace").strip()
            os.close(handle)
            raise EmbeddedError(
                f"{self._home} is in use by process {holder or '(unknown)'}: two cannot share one "
                "data directory. Stop that one, or choose another directory with ARENA_DATA"
            )
        os.ftruncate(handle, 0)
        os.write(handle, f"{os.getpid()}\n".encode())
        self._owner = handle

    def _disown(self) -> None:
        if self._owner is not None:
            os.close(self._owner)
            self._owner = None

    def _end_orphan(self, handle: int, timeout_s: float) -> None:
        """See that the server a killed starter left behind ends, and take its lock."""
        if _lock(handle):
            return
        try:
            old = client_for(StoreSettings(url_file(self.data).read_text().strip()))
            old.shutdown(nosave=True)  # the append-only file is all there is to save
        except (OSError, StoreMisconfigured, redis_trouble.RedisError) as error:
            log.info("asking the Valkey of an earlier start to end: %s", error)
        deadline = time.monotonic() + timeout_s
        while not _lock(handle):
            if time.monotonic() > deadline:
                raise EmbeddedError(
                    f"a Valkey of an earlier start still runs in {self._home} and does not end "
                    "when asked; end that process and start again"
                )
            time.sleep(POLL_S)  # a lock that is waited for knows no deadline

    # --- starting ---

    def _start(self, binary: Path, timeout_s: float) -> StoreSettings:
        handle = os.open(self._home / "server.lock", os.O_RDWR | os.O_CREAT, 0o600)
        try:
            self._end_orphan(handle, timeout_s)
            old = self._old()
            password = (old.password if old else None) or secrets.token_hex(32)
            port = self.port or (old.hosts[0][1] if old else 0)
            for tries_left in reversed(range(PORT_TRIES)):
                port = _free_port(port, fixed=bool(self.port))
                settings = self._write(password, port)
                said = self._spawn(binary, handle, settings, timeout_s)
                if said is None:
                    self._settings = settings
                    return settings
                if "Address already in use" not in said or self.port or not tries_left:
                    raise EmbeddedError(f"Valkey ({binary}) ended at once: {said}")
                port = 0
            raise AssertionError("the last try returns or raises")
        finally:
            os.close(handle)  # the server keeps its own copy

    def _old(self) -> StoreSettings | None:
        try:
            return StoreSettings(url_file(self.data).read_text().strip())
        except (OSError, StoreMisconfigured):
            return None

    def _write(self, password: str, port: int) -> StoreSettings:
        digest = hashlib.sha256(password.encode()).hexdigest()
        acl = f"user default off\nuser {USER} on #{digest} ~* &* +@all\n"
        settings = StoreSettings(f"redis://{USER}:{password}@{HOST}:{port}/0")
        write_private(self._home / "users.acl", acl)
        config = CONFIG.format(host=HOST, port=port, durability=self.durability)
        write_private(self._home / "valkey.conf", config)
        write_private(url_file(self.data), settings.url + "\n")
        return settings

    def _spawn(
        self, binary: Path, lock: int, settings: StoreSettings, timeout_s: float
    ) -> str | None:
        """Run it; None once it answers, its last words if it ended."""
        lines = self._home / "valkey.log"
        before = lines.stat().st_size if lines.exists() else 0
        with (self._home / "valkey.err").open("wb") as errors:
            self._process = subprocess.Popen(
                lifeline.command([binary.absolute(), "valkey.conf"]),
                cwd=self._home,
                env={**os.environ, **lifeline.variables()},
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=errors,
                pass_fds=[lock],
                # Ctrl-C in a terminal reaches the whole foreground group; the store must outlive
                # the referees that write their last results into it.
                start_new_session=True,
            )
        try:
            return self._await(settings, lines, before, timeout_s)
        except BaseException:
            self._process.kill()
            self._process.wait()
            raise

    def _await(
        self, settings: StoreSettings, lines: Path, before: int, timeout_s: float
    ) -> str | None:
        assert self._process is not None
        deadline = time.monotonic() + timeout_s
        client = client_for(settings)
        try:
            while self._process.poll() is None:
                try:
                    if client.ping():
                        return None
                except redis_trouble.BusyLoadingError:
                    deadline = time.monotonic() + timeout_s  # a long file to read; it does answer
                except redis_trouble.RedisError:
                    pass  # not listening yet, or another has the port and ours is about to end
                if time.monotonic() > deadline:
                    raise EmbeddedError(
                        f"Valkey did not answer within {timeout_s:g} s; see {lines}"
                    )
                time.sleep(POLL_S)  # nothing tells when it begins to listen
            return self._last_words(lines, before)
        finally:
            client.close()

    def _last_words(self, lines: Path, before: int) -> str:
        """What a server that ended at once had to say: its error output, else its log."""
        said = (self._home / "valkey.err").read_bytes()
        if not said.strip() and lines.exists():
            with lines.open("rb") as file:
                file.seek(before)
                said = file.read()
        tail = said.decode(errors="replace").strip().splitlines()[-6:]
        return " / ".join(line.strip() for line in tail) or f"nothing said, see {lines}"


def _lock(handle: int) -> bool:
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _free_port(wanted: int, *, fixed: bool) -> int:
    """``wanted`` if it is free, else any; a ``fixed`` one is wanted or nothing."""
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((HOST, wanted))
        except OSError as error:
            if fixed:
                raise EmbeddedError(
                    f"port {wanted} for the embedded Valkey is taken: {error.strerror}"
                ) from None
            probe.bind((HOST, 0))
        port: int = probe.getsockname()[1]
        return port
