from __future__ import annotations

import threading

import pytest

from arena.store import Store
from tests.support.tournaments import RESULT, FakeReferee, dispatch, start, wait_for


@pytest.fixture
def referee(store: Store) -> FakeReferee:
    """Three matches to be finished one at a time."""
    start(store, ["a", "b"], cycles=3)
    return FakeReferee(store, {"a": 1, "b": 1}, capacity=1)


def finish_one(store: Store, referee: FakeReferee) -> None:
    dispatch(store)
    assert len(referee.play(1)) == 1


def test_nothing_to_derive(store: Store, referee: FakeReferee) -> None:
    assert store.standings.get("t") is None
    assert store.standings.claim("t") == ""
    assert store.standings.dirty() == []
    assert store.standings.claim("none") == ""


def test_one_at_a_time_and_not_too_often(store: Store, referee: FakeReferee) -> None:
    finish_one(store, referee)
    assert store.standings.dirty() == ["t"]
    ticket = store.standings.claim("t")
    assert ticket
    assert store.standings.claim("t") == ""
    assert store.standings.put("t", ticket, {"x": 1}, 1)
    assert not store.standings.put("t", ticket, {"x": 2}, 1)
    found = store.standings.get("t")
    assert found is not None
    assert (found.table, found.results, found.final) == ({"x": 1}, 1, False)
    assert store.standings.dirty() == []
    finish_one(store, referee)
    assert store.standings.claim("t", interval_ms=60_000) == ""
    assert wait_for(lambda: store.standings.claim("t", interval_ms=20))


def test_the_last_result_is_derived_at_once_and_finishes_the_tournament(
    store: Store, referee: FakeReferee
) -> None:
    finish_one(store, referee)
    store.standings.put("t", store.standings.claim("t"), {}, 1)
    finish_one(store, referee)
    finish_one(store, referee)
    assert store.tournaments.get("t").state == "running"
    ticket = store.standings.claim("t", interval_ms=60_000)
    assert store.standings.put("t", ticket, {}, 3)
    found = store.tournaments.get("t")
    assert found.state == "finished"
    assert found.finished_at
    snapshot = store.standings.get("t")
    assert snapshot is not None
    assert snapshot.final
    events = [(e.kind, e.data) for e in store.events.read("t")]
    assert events[-2:] == [
        ("standings", {"results": 3, "final": True}),
        ("state", {"state": "finished"}),
    ]


def test_a_result_that_comes_while_deriving_leaves_it_dirty(
    store: Store, referee: FakeReferee
) -> None:
    finish_one(store, referee)
    ticket = store.standings.claim("t")
    finish_one(store, referee)
    assert store.standings.put("t", ticket, {}, 1)
    assert store.standings.dirty() == ["t"]


def test_a_ticket_given_back_or_forgotten(store: Store, referee: FakeReferee) -> None:
    finish_one(store, referee)
    store.standings.drop("t", store.standings.claim("t"))
    old = store.standings.claim("t", ttl_ms=1)
    assert old
    new = wait_for(lambda: store.standings.claim("t"))
    store.standings.drop("t", old)
    assert not store.standings.put("t", old, {}, 1)
    assert store.standings.put("t", new, {}, 1)


def test_paused_when_the_last_result_comes_in_it_is_finished(
    store: Store, referee: FakeReferee
) -> None:
    finish_one(store, referee)
    finish_one(store, referee)
    dispatch(store)
    store.tournaments.pause("t")
    referee.play()
    store.standings.put("t", store.standings.claim("t"), {}, 3)
    assert store.tournaments.get("t").state == "finished"


def test_a_watcher_is_woken(store: Store, referee: FakeReferee) -> None:
    after = store.events.last("t")
    assert after != "0"
    assert store.events.last("none") == "0"
    assert store.events.read("t", after) == []
    found = []
    watcher = threading.Thread(
        target=lambda: found.extend(store.events.read("t", after, block_ms=5000))
    )
    watcher.start()
    dispatch(store)
    referee.orders()
    store.matches.finish(referee.lease("t-m0"), RESULT)
    watcher.join(60)
    assert found[0].kind == "match"
    assert found[0].data["state"] == "playing"
    rest = store.events.read("t", found[0].entry, block_ms=5000)
    assert rest[-1].data["state"] == "finished"
