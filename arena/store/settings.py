"""Which server: a URL, in the forms redis-py and Celery's transport both speak.

redis://[user[:password]@]host[:port][/db]
rediss://…                       with TLS; ?ssl_ca_certs=FILE&ssl_certfile=…&ssl_keyfile=…
unix://[user[:password]@]/path/to.sock[?db=0]
sentinel://[user[:password]@]host[:26379][,host…]/[db]?master=NAME
                                 user and password are the server's; the sentinels' own are
                                 ?sentinel_username=…&sentinel_password=…
"""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import SplitResult, parse_qsl, quote, unquote, urlsplit

from arena.store.errors import StoreMisconfigured

URL_VARIABLE = "ARENA_REDIS_URL"
DATA_VARIABLE = "ARENA_DATA"
SCHEMES = ("redis", "rediss", "unix", "sentinel")
TLS_FILES = ("ssl_ca_certs", "ssl_certfile", "ssl_keyfile")


def data_directory(data: Path | None = None) -> Path:
    """``data``, else ``ARENA_DATA``, else ``./arena-data``."""
    return data or Path(os.environ.get(DATA_VARIABLE) or "arena-data")


def url_file(data: Path) -> Path:
    """Where the embedded server of ``data`` leaves its address (mode 0600)."""
    return data / "valkey" / "url"


@dataclass(frozen=True, slots=True)
class StoreSettings:
    """Where the store is. ``url`` may hold a password: never print it, print ``safe_url``."""

    url: str = field(repr=False)

    def __post_init__(self) -> None:
        parts = self._parts()
        if parts.scheme not in SCHEMES:
            raise StoreMisconfigured(
                f"{self.safe_url}: the scheme must be one of {', '.join(SCHEMES)}"
            )
        if parts.scheme == "sentinel" and not self.query.get("master"):
            raise StoreMisconfigured(
                f"{self.safe_url}: name the set to ask the sentinels for with ?master=NAME"
            )
        try:
            _ = self.db, self.hosts
        except ValueError as error:
            raise StoreMisconfigured(f"{self.safe_url}: {error}") from None

    @classmethod
    def find(cls, url: str | None = None, data: Path | None = None) -> StoreSettings:
        """``url`` if given, else ``ARENA_REDIS_URL``, else the embedded server of ``data``
        (``ARENA_DATA``, ``./arena-data``), whose address stands in ``valkey/url`` (mode 0600).

        Raises StoreMisconfigured when there is none, saying what to do.
        """
        given = url or os.environ.get(URL_VARIABLE)
        if given:
            return cls(given)
        where = url_file(data_directory(data))
        try:
            return cls(where.read_text().strip())
        except FileNotFoundError:
            raise StoreMisconfigured(
                f"no store: {where} does not exist. Start `arena up` (it brings its own Valkey), "
                f"name its data directory with {DATA_VARIABLE}, or point {URL_VARIABLE} at a "
                "Redis 7 or Valkey server"
            ) from None
        except OSError as error:
            raise StoreMisconfigured(f"cannot read {where}: {error.strerror}") from None

    @property
    def safe_url(self) -> str:
        """The address without its secrets, for messages."""
        parts = self._parts()
        where = parts.netloc.rpartition("@")[2]
        return f"{parts.scheme}://{where}{parts.path}"

    @property
    def scheme(self) -> str:
        return self._parts().scheme

    @property
    def query(self) -> dict[str, str]:
        return dict(parse_qsl(self._parts().query))

    @property
    def username(self) -> str | None:
        return self._login()[0]

    @property
    def password(self) -> str | None:
        return self._login()[1]

    @property
    def path(self) -> str:
        """The socket of a unix:// URL."""
        return unquote(self._parts().path)

    @property
    def db(self) -> int:
        """The number of the logical database. ValueError for anything but a number."""
        text = self.query.get("db") or ""
        if not text and self.scheme != "unix":
            text = self._parts().path.strip("/")
        if text and not text.isdigit():
            raise ValueError(f"the database must be a number, not {text!r}")
        return int(text or 0)

    @property
    def hosts(self) -> list[tuple[str, int]]:
        """Server, or sentinels. ValueError for a port that is none."""
        if self.scheme == "unix":
            return []
        default = 26379 if self.scheme == "sentinel" else 6379
        found = []
        for place in self._parts().netloc.rpartition("@")[2].split(","):
            parts = urlsplit(f"//{place}")
            found.append((parts.hostname or "127.0.0.1", parts.port or default))
        return found

    @property
    def tls(self) -> dict[str, str]:
        """Keyword arguments of redis-py for a rediss:// URL; the certificate is always checked."""
        return {name: self.query[name] for name in TLS_FILES if name in self.query}

    def broker(self) -> dict[str, Any]:
        """Celery's settings for the same server: ``broker_url`` and its transport options."""
        login = ""
        if self.password is not None:
            login = f"{quote(self.username or '', safe='')}:{quote(self.password, safe='')}@"
        if self.scheme == "unix":
            url = f"redis+socket://{login}{quote(self.path)}?virtual_host={self.db}"
            return {"broker_url": url}
        urls = [
            f"{self.scheme}://{login}{f'[{host}]' if ':' in host else host}:{port}/{self.db}"
            for host, port in self.hosts
        ]
        if self.scheme == "sentinel":
            options: dict[str, Any] = {"master_name": self.query["master"]}
            if kwargs := self.sentinel_login():
                options["sentinel_kwargs"] = kwargs
            return {"broker_url": ";".join(urls), "broker_transport_options": options}
        if self.scheme == "rediss":
            return {
                "broker_url": urls[0],
                "broker_use_ssl": {"ssl_cert_reqs": "required"} | self.tls,
            }
        return {"broker_url": urls[0]}

    def sentinel_login(self) -> dict[str, str]:
        """What the sentinels themselves ask for, as keyword arguments of redis-py."""
        names = {"username": "sentinel_username", "password": "sentinel_password"}
        return {key: self.query[name] for key, name in names.items() if name in self.query}

    def _parts(self) -> SplitResult:
        # Celery writes several sentinels as URLs joined by semicolons; take that too.
        return urlsplit(self.url.replace(";sentinel://", ","))

    def _login(self) -> tuple[str | None, str | None]:
        login, found, _ = self._parts().netloc.rpartition("@")
        if not found:
            return None, None
        user, colon, password = login.partition(":")
        return unquote(user) or None, unquote(password) if colon else None
