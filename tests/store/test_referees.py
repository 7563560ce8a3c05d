from __future__ import annotations

import os
import signal
import threading

import pytest

from arena.store import Embedded, Store, StoreUnavailable
from arena.store.link import Link
from tests.support.tournaments import FakeReferee, dispatch, start, wait_for


def test_presence(store: Store) -> None:
    one = FakeReferee(store, {"a": 2, "b": 1}, capacity=7)
    two = FakeReferee(store, {"a": 4}, address="10.0.0.2:7600")
    found = {r.referee: r for r in store.referees.all()}
    assert found[one.id].bots == {"a": 2, "b": 1}
    assert (found[one.id].capacity, found[one.id].load) == (7, 0)
    assert found[two.id].address == "10.0.0.2:7600"
    assert store.referees.homes("a") == {one.id: 2, two.id: 4}
    one.beat(bots={}, ttl_ms=1)
    wait_for(lambda: len(store.referees.all()) == 1)
    assert store.referees.homes("b") == {}


def test_a_name_and_something_of_its_own(store: Store) -> None:
    ids = {store.referees.join("h:1", 1, name="host") for _ in range(3)}
    assert len(ids) == 3
    assert all(referee.startswith("host-") for referee in ids)


def test_a_heartbeat_says_whether_there_is_more_room(store: Store) -> None:
    referee = FakeReferee(store, {"a": 1})
    assert not referee.beat()
    assert referee.beat(bots={"a": 2})
    assert referee.beat(bots={"a": 2, "b": 1})
    assert not referee.beat(bots={"b": 1})
    assert referee.beat(capacity=200)
    assert not referee.beat(capacity=50)
    referee.beat(ttl_ms=1)
    wait_for(lambda: not store.referees.all())
    assert referee.beat(ttl_ms=60_000)


def test_a_message_waits_until_it_is_read(store: Store) -> None:
    start(store, ["a", "b"])
    referee = FakeReferee(store, {"a": 1, "b": 1})
    assert store.referees.inbox(referee.id, block_ms=1) == []
    found = []
    reader = threading.Thread(
        target=lambda: found.extend(store.referees.inbox(referee.id, block_ms=5000))
    )
    reader.start()
    assert dispatch(store) == ["t-m0"]
    reader.join(60)
    assert [m.match_id for m in found] == ["t-m0"]
    assert store.referees.all()[0].queued == 1
    store.referees.done(referee.id, [m.entry for m in found])
    store.referees.done(referee.id, [])
    assert store.referees.all()[0].queued == 0
    assert store.referees.inbox(referee.id, block_ms=1) == []


def test_the_inbox_of_a_referee_nobody_heard_of_for_long(store: Store) -> None:
    referee = FakeReferee(store, {"a": 1, "b": 1})
    referee.beat(ttl_ms=1)
    wait_for(lambda: not store.referees.all())
    store.matches.reclaim()
    assert store.referees.inbox(referee.id, block_ms=1) == []
    referee.beat(ttl_ms=60_000)
    start(store, ["a", "b"])
    dispatch(store)
    assert referee.play() == ["t-m0"]


def test_what_was_read_when_the_connection_broke_is_read_again(store: Store) -> None:
    start(store, ["a", "b"], cycles=2)
    referee = FakeReferee(store, {"a": 2, "b": 2})
    dispatch(store)
    read = store.referees._read

    def broken(*args: object) -> object:
        read(*args)
        raise StoreUnavailable("the answer was lost on its way")

    store.referees._read = broken
    try:
        store.referees.inbox(referee.id, 1)
    except StoreUnavailable:
        store.referees._read = read
    assert [m.match_id for m in referee.orders(1)] == ["t-m0"]
    assert [m.match_id for m in store.referees.inbox(referee.id)] == ["t-m1"]

    # What was leased meanwhile does not come again.
    store.referees._reread.add(referee.id)
    assert [m.match_id for m in store.referees.inbox(referee.id)] == ["t-m1"]
    referee.lease("t-m1")
    store.referees._reread.add(referee.id)
    assert store.referees.inbox(referee.id, block_ms=1) == []
    assert store.referees.all()[0].queued == 0


def test_a_stopped_server_does_not_hang_its_callers_for_ever(
    store: Store, valkey: Embedded
) -> None:
    hasty = Store(Link(valkey.settings, answer_s=2.0))
    referee = FakeReferee(hasty, {})
    os.kill(valkey.pid, signal.SIGSTOP)
    try:
        with pytest.raises(StoreUnavailable, match="imeout"):
            hasty.ping()
    finally:
        os.kill(valkey.pid, signal.SIGCONT)
    assert hasty.referees.inbox(referee.id, block_ms=1) == []
    hasty.close()
