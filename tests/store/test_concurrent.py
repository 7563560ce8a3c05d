"""Many at once: the scripts keep every promise, and the client is thread-safe."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from itertools import chain
from threading import Barrier
from typing import TypeVar

from arena.store import Store
from arena.store.types import Finish, Lease
from arena.tournament import Schedule, parse
from tests.support.tournaments import RESULT, FakeReferee, create, dispatch, start, wait_for

T = TypeVar("T")
MANY = 16


def at_once(work: Callable[[int], T], count: int = MANY) -> list[T]:
    """What ``count`` threads get that begin at the same moment."""
    gate = Barrier(count)

    def begin(number: int) -> T:
        gate.wait()
        return work(number)

    with ThreadPoolExecutor(count) as pool:
        return list(pool.map(begin, range(count)))


def test_of_many_writers_one_writes(store: Store) -> None:
    start(store, ["a", "b"])
    referee = FakeReferee(store, {"a": 1, "b": 1})
    leases: list[Lease] = []
    for _ in range(MANY):
        dispatch(store)
        referee.orders()
        leases.append(referee.lease("t-m0"))
        if len(leases) < MANY:
            assert store.matches.release(leases[-1], "again")

    def write(number: int) -> Finish:
        return store.matches.finish(leases[number], {**RESULT, "by": number}, counts={"games": 2})

    found = Counter(at_once(write))
    assert found[Finish.WRITTEN] == 1
    assert found[Finish.WRITTEN] + found[Finish.STALE] + found[Finish.DUPLICATE] == MANY
    result = store.matches.result("t-m0")
    assert result is not None
    assert result.result["by"] == MANY - 1, "only the last lease is good"
    assert store.tournaments.get("t").progress.games == 2
    assert sum(store.matches.depths().rejected.values()) == MANY - 1


def test_one_lease_however_often_it_is_asked_for(store: Store) -> None:
    start(store, ["a", "b"])
    referee = FakeReferee(store, {"a": 1, "b": 1})
    dispatch(store)
    found = at_once(lambda _: store.matches.lease(referee.id, "t-m0"))
    assert len(set(found)) == 1
    assert store.matches.get("t-m0").attempts == 1


def test_one_writer_again_and_again_writes_once(store: Store) -> None:
    start(store, ["a", "b"])
    referee = FakeReferee(store, {"a": 1, "b": 1})
    dispatch(store)
    lease = referee.lease("t-m0")
    found = Counter(at_once(lambda _: store.matches.finish(lease, RESULT, counts={"games": 2})))
    assert found == {Finish.WRITTEN: 1, Finish.AGAIN: MANY - 1}
    assert store.tournaments.get("t").progress.games == 2


def test_dispatchers_never_place_a_match_twice_nor_overfill_a_referee(store: Store) -> None:
    bots = ["a", "b", "c", "d"]
    ids = start(store, bots, cycles=20)
    referees = [FakeReferee(store, dict.fromkeys(bots, 9), capacity=n) for n in (5, 7)]
    placed = list(chain.from_iterable(at_once(lambda _: dispatch(store))))
    assert len(placed) == len(set(placed))
    # Some may have been taken by one and put back; nothing hinders the next from placing them.
    wait_for(lambda: placed.extend(dispatch(store)) or len(placed) == 12)
    assert sorted(r.load for r in store.referees.all()) == [5, 7]
    assert sum(r.load for r in store.referees.all()) == len(set(placed))
    finished = [match_id for referee in referees for match_id in referee.play()]
    assert sorted(finished) == sorted(placed)
    assert set(finished) <= set(ids)


def test_batches_of_the_schedule_by_many_workers(store: Store) -> None:

    made = create(store, ["a", "b", "c", "d"], cycles=100)
    store.tournaments.start("t")
    pairings = Schedule(parse(made.spec_text))

    def work(_: int) -> None:
        while (cursor := store.tournaments.cursor("t")) < len(pairings):
            store.tournaments.add("t", cursor, pairings[cursor : cursor + 50])

    at_once(work)
    assert store.matches.depths().waiting == len(pairings) == 600
    assert [m.index for m in store.matches.page("t", 0, 1000)] == list(range(600))


def test_one_derives(store: Store) -> None:
    start(store, ["a", "b"])
    referee = FakeReferee(store, {"a": 1, "b": 1})
    dispatch(store)
    referee.play()
    tickets = at_once(lambda _: store.standings.claim("t"))
    assert sorted(map(bool, tickets)) == [False] * (MANY - 1) + [True]
