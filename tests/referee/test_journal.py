"""The journal's writer on a real store: in order, once, and what happens when the store forgets."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from typing import Any

import pytest
from euchre_arena.match.inputs import chose, rows

from arena.referee.journal import WriteAhead
from arena.store import Store, keys
from arena.store.types import Lease
from tests.referee.rig import until
from tests.support.tournaments import FakeReferee, dispatch, start

BOTS = ["a", "b"]


def a_row(match: int, turn: int) -> bytes:
    return chose(match, 0, turn, 0, 1, 2, 3)


class Kept:
    """A keeper that writes down what it is told."""

    def __init__(self) -> None:
        self.said: list[Any] = []

    def oldest(self) -> int:
        return 0

    def away(self) -> None:
        self.said.append("away")

    def back(self) -> None:
        self.said.append("back")

    def took(self, elapsed: int) -> None:
        assert elapsed > 0

    def sealed(self, seals: Sequence[str]) -> frozenset[int]:
        self.said.append(tuple(seals))
        return frozenset({1})

    def forgot(self) -> None:
        self.said.append("forgot")

    def lost(self) -> None:
        self.said.append("lost")


class Desk:
    """A journal, its keeper, and what it released."""

    def __init__(self, store: Store, referee: FakeReferee) -> None:
        self.store, self.referee = store, referee
        self.keeper = Kept()
        self.journal = WriteAhead(store.journals, referee.id, self.keeper, 200)
        self.released: list[tuple[Any, int]] = []

    def commit(self, name: Any, *given: bytes, cut: bool = False) -> None:
        self.journal.commit(given, lambda entry: self.released.append((name, entry)), cut=cut)

    @property
    def names(self) -> list[Any]:
        return [name for name, _ in self.released]

    def entries(self) -> list[list[tuple[int, int]]]:
        """(match, turn) of the rows of each entry in the store."""
        raw = self.store.journals._raw
        found = raw.xrange(keys.of("journal", self.referee.id))
        return [[(r.number, r.turn) for r in rows(fields[b"d"])] for _, fields in found]

    def forget(self, count: int) -> None:
        """The store forgets its last entries, and cuts everybody off."""
        client = self.store._link.client
        key, pen = (keys.of(name, self.referee.id) for name in ("journal", "pen"))
        for entry, _ in client.xrevrange(key, count=count):
            client.xdel(key, entry)
        last = client.xrevrange(key, count=1)
        number = last[0][0].partition("-")[0] if last else 0
        kept = client.xrange(key)
        client.delete(key)  # a stream remembers the highest number it had
        for entry, fields in kept:
            client.xadd(key, fields, id=entry)
        client.hset(pen, "last", number)
        client.client_kill_filter(_type="normal", skipme=True)


@pytest.fixture
async def desk(store: Store) -> AsyncIterator[Desk]:
    desk = Desk(store, FakeReferee(store, dict.fromkeys(BOTS, 5)))
    await desk.journal.open()
    yield desk
    await desk.journal.close()


async def test_what_has_no_rows_waits_for_what_came_before(desk: Desk) -> None:
    desk.commit("nothing before it")
    assert desk.names == ["nothing before it"]
    desk.commit("one", a_row(1, 1))
    desk.commit("its rejections")
    desk.commit("two", a_row(1, 2))
    assert desk.names == ["nothing before it"]
    await desk.journal.flushed()
    assert desk.names[1:] == ["one", "its rejections", "two"]
    assert [turn for entry in desk.entries() for _, turn in entry] == [1, 2]


async def test_what_comes_while_one_is_on_its_way_is_one_entry(desk: Desk) -> None:
    for turn in range(1, 6):
        desk.commit(turn, a_row(1, turn))
    await desk.journal.flushed()
    assert desk.entries() == [[(1, 1)], [(1, 2), (1, 3), (1, 4), (1, 5)]]
    assert desk.released == [(1, 1), (2, 2), (3, 2), (4, 2), (5, 2)]


async def test_a_cut_ends_an_entry(desk: Desk) -> None:
    desk.commit(1, a_row(1, 1))
    desk.commit(2, a_row(1, 2), cut=True)
    desk.commit(3, a_row(1, 3))
    await desk.journal.flushed()
    assert desk.entries() == [[(1, 1)], [(1, 2)], [(1, 3)]]
    assert desk.released == [(1, 1), (2, 2), (3, 3)]


async def test_what_the_store_forgot_is_told_again(desk: Desk) -> None:
    for turn in range(1, 6):
        desk.commit(turn, a_row(1, turn))
        await desk.journal.flushed()
    await asyncio.to_thread(desk.forget, 3)
    desk.commit(6, a_row(1, 6))
    await desk.journal.flushed()
    assert desk.entries() == [[(1, turn)] for turn in range(1, 7)]
    assert desk.names == [1, 2, 3, 4, 5, 6]
    assert {"forgot"} == set(desk.keeper.said) - {"away", "back"}


async def test_an_idle_journal_is_found_sound_in_the_stores_next_life(desk: Desk) -> None:
    desk.commit(1, a_row(1, 1))
    await desk.journal.flushed()
    client, pen = desk.store._link.client, keys.of("pen", desk.referee.id)
    life = client.hget(pen, "life")
    client.hset(pen, "life", "the one before")
    client.client_kill_filter(_type="normal", skipme=True)
    await until(lambda: client.hget(pen, "life") == life, "it is sure again")


async def test_a_journal_forgotten_whole_is_lost_and_begins_anew(desk: Desk) -> None:
    desk.commit(1, a_row(1, 1))
    await desk.journal.flushed()
    desk.store._link.client.delete(*(keys.of(n, desk.referee.id) for n in ("journal", "pen")))
    desk.commit(2, a_row(1, 2))
    await desk.journal.flushed()
    assert desk.keeper.said.count("lost") == 1
    assert desk.entries() == [[]]
    desk.commit(3, a_row(2, 3))
    await desk.journal.flushed()
    assert desk.entries() == [[], [(2, 3)]]
    assert desk.names == [1, 2, 3]


async def test_a_match_taken_away_is_left_out_of_what_waits(store: Store, desk: Desk) -> None:
    start(store, BOTS)
    assert dispatch(store) == ["t-m0"]
    desk.referee.orders()
    lease: Lease = desk.referee.lease("t-m0")
    assert store.journals.checkpoint(lease, {"at": 0})
    desk.commit(1, a_row(1, 1), a_row(2, 1))
    await desk.journal.flushed()
    assert store.matches.hand_over(lease, "taken")
    desk.commit(2, a_row(1, 2), a_row(2, 2))
    desk.commit(3, a_row(1, 3), a_row(2, 3))
    await desk.journal.flushed()
    assert (f"t-m0 {lease.fence}",) in desk.keeper.said
    assert desk.entries() == [[(1, 1), (2, 1)], [(2, 2)], [(2, 3)]]
    assert desk.names == [1, 2, 3]
