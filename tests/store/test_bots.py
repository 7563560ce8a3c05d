from __future__ import annotations

import stat
from pathlib import Path

import pytest

from arena.store import AlreadyExists, NotFound, Store
from arena.store.types import Principal, Role
from tests.support.tournaments import FakeReferee


def test_a_token_is_256_bits_and_only_its_hash_is_stored(store: Store) -> None:
    token = store.bots.register("book")
    assert len(bytes.fromhex(token)) == 32
    assert store.tokens.check(token) == Principal(Role.BOT, "book")
    client = store._link.client
    read = {"hash": client.hgetall, "zset": lambda key: client.zrange(key, 0, -1)}
    for key in client.keys("*"):
        assert token not in str(read[client.type(key)](key))


@pytest.mark.parametrize("token", ["", "x", "0" * 64, "\udcff", "é" * 300, "a" * 10_000_000])
def test_what_is_no_token(store: Store, token: str) -> None:
    store.bots.register("book")
    assert store.tokens.check(token) is None


def test_rotation_and_revocation_take_effect_at_once(store: Store) -> None:
    first = store.bots.register("book")
    referee = FakeReferee(store, {"book": 1})
    second = store.bots.rotate("book")
    assert store.tokens.check(first) is None
    assert store.tokens.check(second) == Principal(Role.BOT, "book")
    store.bots.revoke("book")
    assert store.tokens.check(second) is None
    assert [(m.kind, m.bot) for m in referee.orders()] == [("revoked", "book")] * 2
    assert store.bots.get("book").revoked
    third = store.bots.rotate("book")
    assert store.tokens.check(third) is not None
    assert not store.bots.get("book").revoked


def test_a_bot_is_registered_once(store: Store) -> None:
    token = store.bots.register("book")
    with pytest.raises(AlreadyExists, match="'book'"):
        store.bots.register("book")
    assert store.tokens.check(token) is not None
    for call in (store.bots.rotate, store.bots.revoke, store.bots.get):
        with pytest.raises(NotFound, match="'other'"):
            call("other")


@pytest.mark.parametrize("name", ["", "A", "-a", "a-", "a b", "a,b", "a:b", "a" * 65, "ä", "a\n"])
def test_what_is_no_name(store: Store, name: str) -> None:
    with pytest.raises(ValueError, match="is not a name"):
        store.bots.register(name)


def test_the_list(store: Store) -> None:
    for name in ("random", "book", "first"):
        store.bots.register(name)
    store.bots.revoke("first")
    FakeReferee(store, {"book": 1})
    found = store.bots.all()
    assert [bot.name for bot in found] == ["book", "first", "random"]
    assert [bot.connected for bot in found] == [True, False, False]
    assert found[0].last_seen > 0
    assert found[2].last_seen == 0
    assert store.bots.missing(["book", "first", "nobody"]) == ["first", "nobody"]
    assert store.bots.missing([]) == []


def test_an_organizers_token_in_a_file(store: Store, tmp_path: Path) -> None:
    path = tmp_path / "organizer.token"
    assert store.tokens.ensure(Role.ORGANIZER, "organizer", path)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    token = path.read_text().strip()
    assert store.tokens.check(token) == Principal(Role.ORGANIZER, "organizer")
    assert not store.tokens.ensure(Role.ORGANIZER, "organizer", path)
    store.tokens.revoke(Role.ORGANIZER, "organizer")
    assert store.tokens.check(token) is None
    assert store.tokens.ensure(Role.ORGANIZER, "organizer", path)
    assert path.read_text().strip() != token


def test_roles_do_not_mix(store: Store) -> None:
    bot = store.bots.register("ann")
    operator = store.tokens.issue(Role.OPERATOR, "ann")
    store.bots.revoke("ann")
    assert store.tokens.check(bot) is None
    assert store.tokens.check(operator) == Principal(Role.OPERATOR, "ann")
