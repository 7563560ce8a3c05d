"""Where everything is: addresses, and the files of a data directory.

    <data>/organizer.token, operator.token   mode 0600, written at the first start
    <data>/records/<tournament>/<match>.jsonl
    <data>/logs/<part>.log
    <data>/run/<part>.json                    addresses of what is running
    <data>/valkey/                            the embedded server's (arena.store.embedded)

Environment: `ARENA_DATA` (the data directory), `ARENA_SERVER` (the admin address the commands
call), `ARENA_TOKEN_FILE` (the token they show), `ARENA_CA`, `ARENA_CERT`, `ARENA_KEY` (their TLS),
`ARENA_REDIS_URL` (a server of your own).
"""

from __future__ import annotations

import json
import os
import socket
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, NamedTuple

REFEREE: Final = "127.0.0.1:7600"
ADMIN: Final = "127.0.0.1:7601"
METRICS: Final = "127.0.0.1:7602"
NOWHERE: Final = "none"
"""In place of an address: do not serve this."""

DATA_VARIABLE: Final = "ARENA_DATA"
SERVER_VARIABLE: Final = "ARENA_SERVER"
TOKEN_FILE_VARIABLE: Final = "ARENA_TOKEN_FILE"
CA_VARIABLE: Final = "ARENA_CA"
CERT_VARIABLE: Final = "ARENA_CERT"
KEY_VARIABLE: Final = "ARENA_KEY"
WORKER_METRICS_VARIABLE: Final = "ARENA_WORKER_METRICS"
REDIS_VARIABLE: Final = "ARENA_REDIS_URL"
DEFAULT_DATA: Final = "arena-data"


class Address(NamedTuple):
    """Where a server listens; port 0 takes a free one."""

    host: str
    port: int

    @classmethod
    def parse(cls, text: str) -> Address:
        """Read `host:port`, `[::1]:port`. ValueError says what is wrong."""
        host, colon, port = text.rpartition(":")
        if not colon or not host or not port.isdecimal() or int(port) > 65535:
            raise ValueError(f"{text!r} is no address: write host:port, such as 127.0.0.1:7600")
        return cls(host, int(port))

    @property
    def next(self) -> Address:
        """The port after it."""
        return Address(self.host, self.port + 1)

    def blocked(self) -> str:
        """Why nobody can listen here, in the system's words; empty when the port is free or 0."""
        if not self.port:
            return ""
        try:
            (family, kind, _, _, at), *_ = socket.getaddrinfo(
                self.host.strip("[]"), self.port, type=socket.SOCK_STREAM
            )
            with socket.socket(family, kind) as probe:
                probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
                probe.bind(at)
        except OSError as error:
            return error.strerror or str(error)
        return ""

    def __str__(self) -> str:
        return f"{self.host}:{self.port}"


@dataclass(frozen=True, slots=True)
class Data:
    """A data directory."""

    path: Path

    @classmethod
    def find(cls, path: str | Path | None = None) -> Data:
        """The one named, else `ARENA_DATA`, else `./arena-data`."""
        return cls(Path(path or os.environ.get(DATA_VARIABLE) or DEFAULT_DATA).absolute())

    @property
    def records(self) -> Path:
        return self.path / "records"

    @property
    def logs(self) -> Path:
        return self.path / "logs"

    @property
    def organizer_token(self) -> Path:
        return self.path / "organizer.token"

    @property
    def operator_token(self) -> Path:
        return self.path / "operator.token"

    @property
    def lock(self) -> Path:
        """Held by the `arena up` that uses the directory."""
        return self.path / "up.lock"

    def log(self, part: str) -> Path:
        """The log of a part."""
        return self.logs / f"{part}.log"

    def running(self, part: str) -> Path:
        """Where a part says that it runs, and at which addresses."""
        return self.path / "run" / f"{part}.json"

    def announce(self, part: str, **facts: Any) -> None:
        """Say that this process is the part and ready; `withdraw` before ending."""
        file = self.running(part)
        file.parent.mkdir(parents=True, exist_ok=True)
        scratch = file.with_name(f".{file.name}.{os.getpid()}")
        scratch.write_text(json.dumps({"pid": os.getpid(), **facts}))
        scratch.replace(file)

    def withdraw(self, part: str) -> None:
        """Take back what `announce` said."""
        self.running(part).unlink(missing_ok=True)

    def announced(self, part: str) -> dict[str, Any]:
        """What the part announced; empty when it has not."""
        try:
            found = json.loads(self.running(part).read_text())
        except (OSError, ValueError):
            return {}
        return found if isinstance(found, dict) else {}
