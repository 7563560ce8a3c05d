"""What the tasks do, called directly; what they enqueue stays in the queue."""

from __future__ import annotations

import random

import pytest

from arena.store import Store
from arena.store.standings import CLAIM_MS
from arena.tournament import Schedule, parse
from tests.support.tournaments import RESULT, FakeReferee, create, dispatch, start, wait_for
from workers import dispatching, scheduling, settling, sweeping

BOTS = {"a": 9, "b": 9, "c": 9}


def tasks(store: Store) -> int:
    """How many tasks wait."""
    return store.matches.depths().tasks


def test_a_batch_enqueues_the_next_until_all_are_there(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(scheduling, "BATCH", 4)
    create(store, list(BOTS), cycles=3)
    scheduling.schedule(store, "t")
    assert store.tournaments.cursor("t") == 0, "it has not been started"
    store.tournaments.start("t")
    for cursor, waiting in ((4, 1), (8, 2), (9, 2)):
        scheduling.schedule(store, "t")
        assert (store.tournaments.cursor("t"), tasks(store)) == (cursor, waiting)
    scheduling.schedule(store, "t")
    assert (store.tournaments.cursor("t"), tasks(store)) == (9, 2)
    assert store.tournaments.get("t").state == "running"
    scheduling.schedule(store, "none")


def test_a_batch_another_worker_appended_first_ends_there(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(scheduling, "BATCH", 4)
    create(store, list(BOTS), cycles=3)
    store.tournaments.start("t")
    stale = store.tournaments.get("t")
    scheduling.schedule(store, "t")
    before = tasks(store)
    monkeypatch.setattr(store.tournaments, "get", lambda _: stale)
    scheduling.schedule(store, "t")
    assert store.tournaments.cursor("t") == 4
    assert tasks(store) == before


def test_scheduled_matches_are_dispatched_as_far_as_there_is_room(store: Store) -> None:
    FakeReferee(store, BOTS, capacity=2)
    create(store, list(BOTS), cycles=3)
    store.tournaments.start("t")
    scheduling.schedule(store, "t")
    depths = store.matches.depths()
    assert (depths.tasks, depths.pending) == (2, 2)
    dispatching.dispatch_due(store)
    assert tasks(store) == 2
    dispatching.dispatch(store, "t-m0")
    assert store.matches.get("t-m0").state == "queued"


def test_a_result_makes_room_for_the_next_match(store: Store) -> None:
    start(store, list(BOTS), cycles=3)
    referee = FakeReferee(store, BOTS, capacity=1)
    dispatch(store)
    assert referee.play() == ["t-m0"]
    settling.settle(store, "t-m0")
    assert store.matches.depths().pending == 1
    snapshot = store.standings.get("t")
    assert snapshot is not None
    assert snapshot.results == 1


def test_any_order_of_arrival_gives_the_same_table(store: Store) -> None:
    made = create(store, list(BOTS), cycles=4)
    pairings = Schedule(parse(made.spec_text))
    draw = random.Random(1)
    results = [
        {**RESULT, "won": [w, 2 - w], "points": [10 * w, 20 - 10 * w], "winners": [0]}
        | {"units": [int(i == 2 * w) for i in range(5)]}
        for w in (draw.randint(0, 2) for _ in pairings)
    ]
    tables = []
    for name in ("one", "two", "three"):
        ids = start(store, list(BOTS), name, cycles=4)
        referee = FakeReferee(store, BOTS)
        dispatch(store)
        referee.orders()
        draw.shuffle(ids)
        for match_id in ids:
            index = int(match_id.rpartition("-m")[2])
            store.matches.finish(referee.lease(match_id), results[index])
            if draw.random() < 0.3:
                settling.derive(store, name)
        settling.derive(store, name)
        snapshot = store.standings.get(name)
        assert snapshot is not None
        assert snapshot.final
        tables.append(snapshot.table)
        assert store.tournaments.get(name).state == "finished"
        store.referees.leave(referee.id)
    assert tables[0] == tables[1] == tables[2]
    assert tables[0]["results"] == len(pairings)


def test_a_result_that_comes_while_deriving_is_derived_by_whoever_derives(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    start(store, ["a", "b"], cycles=2)
    referee = FakeReferee(store, {"a": 2, "b": 2})
    dispatch(store)
    referee.orders()
    store.matches.finish(referee.lease("t-m0"), RESULT)
    table_of = settling.table_of

    def meanwhile(*args: object) -> object:
        found = table_of(*args)  # type: ignore[arg-type]  # whatever derive passes
        if store.matches.finish(referee.lease("t-m1"), RESULT) == "written":
            settling.derive(store, "t")  # the other finds the ticket taken
        return found

    def once(*args: object) -> object:
        monkeypatch.setattr(settling, "table_of", table_of)
        return meanwhile(*args)

    monkeypatch.setattr(settling, "table_of", once)
    settling.derive(store, "t")
    assert store.tournaments.get("t").state == "finished"


def test_an_error_gives_the_ticket_back(store: Store) -> None:
    start(store, ["a", "b"])
    referee = FakeReferee(store, {"a": 2, "b": 2})
    dispatch(store)
    referee.orders()
    store.matches.finish(referee.lease("t-m0"), {"no": "tally"})
    for _ in range(2):
        with pytest.raises(ValueError, match="result of pairing 0"):
            settling.derive(store, "t")
    assert store.standings.dirty() == ["t"]


def test_a_ticket_is_kept_as_long_as_the_work_takes(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(settling, "KEEP_S", 0.02)
    start(store, ["a", "b"])
    referee = FakeReferee(store, {"a": 2, "b": 2})
    dispatch(store)
    referee.play()
    ticket = store.standings.claim("t", ttl_ms=CLAIM_MS // 2)
    key = "arena:t:t:settling"
    with settling.kept(store, "t", ticket):
        wait_for(lambda: store._link.client.pttl(key) > CLAIM_MS // 2)
    assert store.standings.put("t", ticket, {}, 1)


def test_sweep_finds_whatever_stands_still(store: Store) -> None:
    create(store, list(BOTS), "still")
    store.tournaments.start("still")
    store._link.client.hset("arena:t:still", "cursor_at", 1)
    start(store, ["a", "b"], "dirty")
    referee = FakeReferee(store, BOTS, capacity=1)
    dispatch(store)
    referee.play()
    start(store, list(BOTS), "lost")
    dispatch(store)
    referee.orders()
    assert store.matches.lease(referee.id, "lost-m0", ttl_ms=1)
    wait_for(lambda: store.now() > int(store.matches.get("lost-m0").started_at) + 2)
    before = tasks(store)
    sweeping.sweep(store)
    assert store.matches.get("lost-m0").state == "scheduled"
    assert tasks(store) == before + 3, (
        "schedule still, derive dirty, dispatch what there is room for"
    )
    assert store.matches.depths().pending == 1
