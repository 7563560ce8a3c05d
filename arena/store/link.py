"""The connection: a pool of synchronous clients and the scripts, shared by the domains.

redis-py's exceptions end here: callers see the tree of ``errors``.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import redis
from redis import exceptions as trouble
from redis.backoff import ExponentialBackoff, NoBackoff
from redis.retry import Retry
from redis.sentinel import Sentinel

from arena.store import keys
from arena.store.errors import StoreError, StoreMisconfigured, StoreUnavailable
from arena.store.scripts import SCRIPTS, source
from arena.store.settings import StoreSettings

OLDEST = (7, 0)
"""The oldest Redis that will do; every Valkey calls itself Redis 7.2."""
CONNECT_S = 5.0
ANSWER_S = 10.0
# Two quick tries more: enough for a connection the server closed while it was idle. A server that
# is away for longer is the caller's business, who knows whether to wait. One that does not answer
# in time is not asked again: that would only take three times as long.
RETRY = Retry(ExponentialBackoff(cap=0.2, base=0.02), 2, (trouble.ConnectionError,))
ONCE = Retry(NoBackoff(), 0)

_AWAY = (
    trouble.ConnectionError,  # BusyLoadingError, MasterDownError too
    trouble.TimeoutError,
    trouble.ReadOnlyError,
    trouble.TryAgainError,
    trouble.OutOfMemoryError,
    trouble.MaxConnectionsError,
    OSError,
)
_UNFIT = (trouble.AuthenticationError, trouble.AuthorizationError, trouble.NoPermissionError)


class Link:
    """A connected client. Thread-safe: every call takes a connection of its own from the pool."""

    def __init__(self, settings: StoreSettings, answer_s: float = ANSWER_S) -> None:
        self.settings = settings
        # Any: redis-py's annotations allow for every protocol and encoding at once.
        self.client: Any = client_for(settings, answer_s)
        # For reads that take what they read: asked twice they would lose the first answer.
        self.reader: Any = client_for(settings, answer_s, ONCE)
        self._scripts = {name: self.client.register_script(source(name)) for name in SCRIPTS}

    def check(self) -> None:
        """See that a fit server answers; see ``Store.connect`` for what is raised."""
        info = self.call("INFO", "server")
        version = str(info.get("redis_version", "0"))
        if tuple(int(n) for n in version.split(".")[:2]) < OLDEST:
            raise StoreMisconfigured(
                f"{self.settings.safe_url} is Redis {version}; Redis 7 or Valkey is needed"
            )
        if "cluster" in (info.get("redis_mode"), info.get("server_mode")):
            raise StoreMisconfigured(
                f"{self.settings.safe_url} is a cluster, which Celery's transport does not speak; "
                "use a single server or a Sentinel set"
            )

    def call(self, *command: Any) -> Any:
        """One command."""
        with self.errors():
            return self.client.execute_command(*command)

    def run(self, script: str, *args: Any) -> Any:
        """One script of ``scripts`` by name."""
        with self.errors():
            return self._scripts[script](args=list(args))

    @contextmanager
    def pipeline(self) -> Iterator[Any]:
        """Commands sent together; call ``execute`` on it inside the block."""
        with self.errors(), self.client.pipeline(transaction=False) as pipe:
            yield pipe

    @contextmanager
    def errors(self) -> Iterator[None]:
        """Turn redis-py's exceptions into ours, naming the server without its password."""
        try:
            yield
        except _UNFIT as error:
            raise StoreMisconfigured(f"{self.settings.safe_url}: {error}") from error
        except _AWAY as error:
            raise StoreUnavailable(f"{self.settings.safe_url}: {error}") from error
        except trouble.RedisError as error:
            raise StoreError(f"{self.settings.safe_url}: {error}") from error

    def durable(self, wait_ms: int) -> bool:
        """See ``Store.durable``."""
        replicas = int(self.settings.scheme == "sentinel")
        with self.pipeline() as pipe:
            # WAITAOF waits for what its own connection wrote: something after all the rest.
            pipe.incr(keys.single("synced"))
            pipe.execute_command("WAITAOF", 1, 0, wait_ms)
            if replicas:
                pipe.execute_command("WAIT", replicas, wait_ms)
            written, synced, *copied = pipe.execute(raise_on_error=False)
            if isinstance(written, Exception):
                raise written
        if isinstance(synced, Exception) or not synced[0]:
            return False
        return all(not isinstance(each, Exception) and each >= replicas for each in copied)

    def now(self) -> int:
        """The server's clock, ms since the epoch."""
        seconds, micros = self.call("TIME")
        return int(seconds) * 1000 + int(micros) // 1000

    def live(self) -> list[str]:
        """Referees alive now, by id."""
        found = self.call("ZRANGEBYSCORE", keys.single("referees"), f"({self.now()}", "+inf")
        return sorted(found)

    def close(self) -> None:
        """Give the connections back."""
        self.reader.close()
        self.client.close()


def client_for(
    settings: StoreSettings,
    answer_s: float = ANSWER_S,
    retry: Retry = RETRY,
    *,
    decode: bool = True,
) -> redis.Redis:
    """A redis-py client with a pool for any URL of ``settings``; connects at the first call."""
    options: dict[str, Any] = {
        "username": settings.username,
        "password": settings.password,
        "db": settings.db,
        "decode_responses": decode,
        "protocol": 2,
        "socket_connect_timeout": CONNECT_S,
        "socket_timeout": answer_s,
        "health_check_interval": 30,
        "retry": retry,
        "client_name": "euchre-arena",
    }
    if settings.scheme == "unix":
        return redis.Redis(unix_socket_path=settings.path, **options)
    options["socket_keepalive"] = True
    if settings.scheme == "sentinel":
        of_sentinels: Any = Sentinel  # not annotated
        sentinels = of_sentinels(
            settings.hosts,
            sentinel_kwargs={"socket_timeout": CONNECT_S, **settings.sentinel_login()},
            **options,
        )
        client: redis.Redis = sentinels.master_for(settings.query["master"])
        return client
    host, port = settings.hosts[0]
    if settings.scheme == "rediss":
        options |= {"ssl": True, **settings.tls}
    return redis.Redis(host=host, port=port, **options)
