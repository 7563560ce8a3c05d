from __future__ import annotations

from pathlib import Path

import pytest
from kombu import Connection

from arena.store import StoreMisconfigured, StoreSettings
from arena.store.private import write_private
from arena.store.settings import url_file


@pytest.mark.parametrize(
    ("url", "user", "password", "db", "hosts"),
    [
        ("redis://h", None, None, 0, [("h", 6379)]),
        ("redis://:p%40w@h:7000/3", None, "p@w", 3, [("h", 7000)]),
        ("rediss://u:p@[::1]:7000", "u", "p", 0, [("::1", 7000)]),
        ("unix://u:p@/a%20b/x.sock?db=2", "u", "p", 2, []),
        ("sentinel://:p@a,b:7/1?master=m", None, "p", 1, [("a", 26379), ("b", 7)]),
        ("sentinel://:p@a:5;sentinel://b:7/1?master=m", None, "p", 1, [("a", 5), ("b", 7)]),
    ],
)
def test_urls(
    url: str, user: str | None, password: str | None, db: int, hosts: list[tuple[str, int]]
) -> None:
    settings = StoreSettings(url)
    assert (settings.username, settings.password) == (user, password)
    assert (settings.db, settings.hosts) == (db, hosts)
    assert "p@w" not in settings.safe_url
    assert "p%40w" not in settings.safe_url
    assert url not in repr(settings)


def test_unix_path() -> None:
    assert StoreSettings("unix://u:p@/a%20b/x.sock?db=2").path == "/a b/x.sock"


@pytest.mark.parametrize(
    ("url", "says"),
    [
        ("http://h", "scheme must be one of"),
        ("redis://u:geheim@h/x", "must be a number"),
        ("redis://u:geheim@h:port", "ort"),
        ("sentinel://u:geheim@h", r"\?master=NAME"),
    ],
)
def test_bad_urls_are_refused_without_their_password(url: str, says: str) -> None:
    with pytest.raises(StoreMisconfigured, match=says) as refused:
        StoreSettings(url)
    assert "geheim" not in str(refused.value)


def test_celery_reads_the_same_server_from_it() -> None:
    cases = {
        "redis://u:p%2Fw@h:7/3": ("redis", "h", 7, "u", "p/w", "3"),
        "rediss://:p@h/0": ("rediss", "h", 6379, "", "p", "0"),
        "sentinel://:p@a:1,b:2/4?master=m": ("sentinel", "a", 1, "", "p", "4"),
    }
    for url, expected in cases.items():
        broker = StoreSettings(url).broker()
        connection = Connection(broker["broker_url"])
        found = (
            connection.transport_cls,
            connection.hostname,
            connection.port,
            connection.userid or "",
            connection.password,
            connection.virtual_host,
        )
        assert found == expected
    assert StoreSettings("sentinel://:p@a:1,b:2/4?master=m&sentinel_password=s").broker()[
        "broker_transport_options"
    ] == {"master_name": "m", "sentinel_kwargs": {"password": "s"}}
    assert StoreSettings("rediss://h?ssl_ca_certs=/ca.pem").broker()["broker_use_ssl"] == {
        "ssl_cert_reqs": "required",
        "ssl_ca_certs": "/ca.pem",
    }


def test_where_the_address_is_looked_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("ARENA_REDIS_URL", raising=False)
    monkeypatch.setenv("ARENA_DATA", str(tmp_path))
    with pytest.raises(StoreMisconfigured, match=r"Start `arena up`.*ARENA_REDIS_URL"):
        StoreSettings.find()
    url_file(tmp_path).parent.mkdir()
    write_private(url_file(tmp_path), "redis://embedded\n")
    assert StoreSettings.find().url == "redis://embedded"
    monkeypatch.setenv("ARENA_REDIS_URL", "redis://outside")
    assert StoreSettings.find(data=tmp_path).url == "redis://outside"
    assert StoreSettings.find("redis://given").url == "redis://given"
