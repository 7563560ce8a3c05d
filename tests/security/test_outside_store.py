"""An outside Redis over TLS, with a user that may do what the arena does and nothing else.

The embedded Valkey speaks no TLS, so these tests take Debian's redis-server; CI installs it.
"""

from __future__ import annotations

import re
import select
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import quote

import pytest
import redis
from redis import exceptions as trouble

from arena.store import Store, StoreMisconfigured, StoreSettings, StoreUnavailable
from arena.store.journal import Durability
from arena.store.types import TournamentState
from tests.support.certificates import Authority, Pair
from tests.support.servers import answers, free_port, server
from tests.support.tournaments import FakeReferee, create, wait_for
from tests.support.workers import hall

PASSWORD = "a p@ss/word:with?signs"
ROOT = Path(__file__).parents[2]
GUIDE = (ROOT / "docs" / "operators.md").read_text(encoding="utf-8")
RULES = re.search(r"^ACL SETUSER arena on >PASSWORD (.*)$", GUIDE, re.MULTILINE)
"""What the operators' guide tells to set is what is tested."""

if shutil.which("redis-server") is None:
    pytest.skip("no redis-server (Debian: apt-get install redis-server)", allow_module_level=True)


class Outside:
    """A redis-server with TLS and no other port, and how to reach it."""

    def __init__(self, port: int, ours: Authority, mine: Pair) -> None:
        self.port = port
        self.ours = ours
        self.mine = mine

    def url(self, user: str = "arena", password: str = PASSWORD, **files: Path) -> str:
        login = f"{user}:{quote(password, safe='')}@"
        query = "&".join(f"{name}={quote(str(path))}" for name, path in files.items())
        return f"rediss://{login}127.0.0.1:{self.port}/0?{query}"

    @property
    def good(self) -> str:
        """As an operator would write it."""
        return self.url(
            ssl_ca_certs=self.ours.certificate,
            ssl_certfile=self.mine.certificate,
            ssl_keyfile=self.mine.key,
        )

    def client(self, user: str, password: str) -> redis.Redis:
        """A bare client."""
        return redis.Redis(
            port=self.port,
            username=user,
            password=password,
            ssl=True,
            ssl_ca_certs=str(self.ours.certificate),
            ssl_certfile=str(self.mine.certificate),
            ssl_keyfile=str(self.mine.key),
        )


@contextmanager
def serving(folder: Path, ours: Authority) -> Iterator[Outside]:
    assert RULES is not None
    pair, port = ours.issue("redis"), free_port()
    config = [
        *("port 0", f"tls-port {port}", "bind 127.0.0.1", "appendonly yes"),
        f'tls-cert-file "{pair.certificate}"',
        f'tls-key-file "{pair.key}"',
        f'tls-ca-cert-file "{ours.certificate}"',
        *("tls-auth-clients yes", "maxmemory-policy noeviction"),
        "user default off",
        "user root on >root ~* &* +@all",
        f'user arena on ">{PASSWORD}" {RULES[1]}',
    ]
    outside = Outside(port, ours, ours.issue("arena"))
    program = Path(shutil.which("redis-server") or "")
    with (
        server(folder, "\n".join(config) + "\n", program=program),
        answers(outside.client("root", "root")),
    ):
        yield outside


@pytest.fixture
def outside(tmp_path: Path, ours: Authority) -> Iterator[Outside]:
    with serving(tmp_path / "redis", ours) as found:
        yield found


@pytest.mark.slow
def test_a_tournament_is_worked_through_with_that_user(outside: Outside, tmp_path: Path) -> None:
    """Real workers and beat, over TLS, with the user of the guide."""
    settings = StoreSettings(outside.good)
    store = Store.connect(settings)
    with hall(settings, tmp_path) as found:
        found.worker()
        found.beat()
        create(store, ["ada", "bob", "cyd"], "cup", cycles=4)
        referee = FakeReferee(store, dict.fromkeys(("ada", "bob", "cyd"), 8))
        store.tournaments.start("cup")
        store.tasks.schedule("cup")

        def over() -> bool:
            referee.beat()
            referee.play()
            return store.tournaments.get("cup").state is TournamentState.FINISHED

        wait_for(over, 120, about="\n".join(w.log.read_text() for w in found.all))
        logs = "".join(worker.log.read_text() for worker in found.all)
    assert "NOPERM" not in logs
    assert PASSWORD not in logs
    assert quote(PASSWORD, safe="") not in logs
    store.close()
    with outside.client("root", "root") as root:
        strangers = [key for key in root.scan_iter() if not key.startswith(b"arena:")]
        assert strangers == []
        log = [entry for entry in root.acl_log() if entry["username"] == "arena"]
        assert log == [], "the guide's user may not do what we asked of it"


FORBIDDEN: dict[str, Callable[[redis.Redis], object]] = {
    "another's key": lambda client: client.get("other:key"),
    "all keys": lambda client: client.flushall(),
    "settings": lambda client: client.config_set("appendonly", "no"),
    "users": lambda client: client.acl_list(),
    "the process": lambda client: client.shutdown(nosave=True),
    "another's key in a script": lambda client: client.eval("return redis.call('GET','x')", 0),
    "replication": lambda client: client.replicaof("127.0.0.1", "1"),
}


@pytest.mark.parametrize("what", FORBIDDEN.values(), ids=FORBIDDEN)
def test_that_user_reaches_nothing_else(
    outside: Outside, what: Callable[[redis.Redis], object]
) -> None:
    with outside.client("arena", PASSWORD) as client:
        assert client.ping()
        # A key in a script is refused with a ResponseError, which the other is too.
        with pytest.raises(trouble.ResponseError, match=r"no permissions|can't access"):
            what(client)


def test_a_server_that_cannot_show_who_it_is_is_not_spoken_to(
    outside: Outside, theirs: Authority
) -> None:
    with pytest.raises(StoreUnavailable, match="CERTIFICATE_VERIFY_FAILED") as error:
        Store.connect(outside.url(ssl_ca_certs=theirs.certificate))
    assert PASSWORD not in str(error.value)


def test_a_name_the_certificate_is_not_for_is_refused(outside: Outside) -> None:
    wrong = outside.good.replace("127.0.0.1", "127.0.0.2")
    with pytest.raises(StoreUnavailable, match=r"CERTIFICATE_VERIFY_FAILED|refused"):
        Store.connect(wrong)


def test_without_a_certificate_of_ours_it_does_not_answer(outside: Outside) -> None:
    with pytest.raises(StoreUnavailable):
        Store.connect(outside.url(ssl_ca_certs=outside.ours.certificate))
    with pytest.raises(StoreUnavailable):
        Store.connect(f"redis://127.0.0.1:{outside.port}/0")


def test_a_wrong_password_is_told_without_it(outside: Outside) -> None:
    wrong = outside.good.replace(quote(PASSWORD, safe=""), "hunter2")
    with pytest.raises(StoreMisconfigured) as error:
        Store.connect(wrong)
    assert "hunter2" not in str(error.value)
    assert "invalid username-password pair" in str(error.value)


def test_a_journal_is_kept_over_tls_with_that_user(outside: Outside) -> None:
    """The pen writes to the socket itself, beside the client."""
    store = Store.connect(StoreSettings(outside.good))
    assert store.journals.durability() is Durability.UNKNOWN  # CONFIG is not for this user
    store.journals.open("r1")
    pen = store.journals.pen("r1")
    entries = [b"first", bytes(range(256)) * 4_000, b"last"]
    for number, entry in enumerate(entries, 1):
        if not pen.send(number, 0, entry):
            while not pen.flush():
                select.select([], [pen], [], 60)
        while not pen.acknowledged():
            assert select.select([pen], [], [], 60)[0]
    assert store.journals.last("r1") == 3
    # WAITAOF came with Redis 7.2: an older one cannot tell.
    version = tuple(map(int, str(store._link.call("INFO", "server")["redis_version"]).split(".")))
    assert store.durable() == (version >= (7, 2))
    pen.close()
    store.close()
