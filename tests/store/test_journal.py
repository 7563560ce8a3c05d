"""Journals and checkpoints on a real server: each entry once, in order, by whom it may."""

from __future__ import annotations

import select
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from arena.store import Store, journal, keys
from arena.store.journal import Durability, Refused
from arena.store.pen import Pen, PenError
from arena.store.types import Lease, MatchState
from tests.support.tournaments import FakeReferee, dispatch, start

BOTS = ["a", "b"]


@pytest.fixture
def playing(store: Store) -> tuple[FakeReferee, Lease]:
    """A referee with a journal that plays t-m0, of which there is a checkpoint."""
    start(store, BOTS)
    referee = FakeReferee(store, dict.fromkeys(BOTS, 5))
    store.journals.open(referee.id)
    return referee, take(store, referee)


def take(store: Store, referee: FakeReferee) -> Lease:
    """The referee leases t-m0 and begins it, or goes on with it."""
    assert dispatch(store) == ["t-m0"]
    referee.orders()
    lease = referee.lease("t-m0")
    assert store.journals.checkpoint(lease, {"secret": b"\xff\x00", "at": 0, "parallel": 8})
    return lease


def entries(store: Store, referee: FakeReferee) -> list[bytes]:
    found = store.journals._raw.xrange(keys.of("journal", referee.id))
    return [fields[b"d"] for _, fields in found]


def test_an_entry_told_twice_stands_once(store: Store, playing: tuple[FakeReferee, Lease]) -> None:
    referee, _ = playing
    for number, entry in ((1, b"\x00\xffone"), (1, b"\x00\xffone"), (2, b"two"), (1, b"one")):
        assert store.journals.append(referee.id, number, 0, entry) is None
    assert entries(store, referee) == [b"\x00\xffone", b"two"]
    assert store.journals.last(referee.id) == 2


def test_a_gap_is_refused(store: Store, playing: tuple[FakeReferee, Lease]) -> None:
    referee, _ = playing
    assert store.journals.append(referee.id, 1, 0, b"one") is None
    assert store.journals.append(referee.id, 3, 0, b"three") == Refused("behind", last=1)
    assert entries(store, referee) == [b"one"]


def test_what_is_older_than_every_checkpoint_is_trimmed(
    store: Store, playing: tuple[FakeReferee, Lease]
) -> None:
    referee, _ = playing
    for number in range(1, 1001):
        store.journals.append(referee.id, number, max(0, number - 10), b"x" * 100)
    assert len(entries(store, referee)) < 150


def test_who_had_a_match_appends_nothing_until_it_has_left_it_out(
    store: Store, playing: tuple[FakeReferee, Lease]
) -> None:
    referee, lease = playing
    assert store.journals.append(referee.id, 1, 0, b"one") is None
    store._link.client.zadd(keys.single("leases"), {"t-m0": 1})
    assert store.matches.reclaim() == ["t-m0"]
    seal = f"t-m0 {lease.fence}"
    assert store.journals.append(referee.id, 2, 0, b"two") == Refused("sealed", (seal,))
    # What was there before is there: its acknowledgement was on its way.
    assert store.journals.append(referee.id, 1, 0, b"one") is None
    assert entries(store, referee) == [b"one"]
    assert store.journals.append(referee.id, 2, 0, b"rest", [seal]) is None
    assert entries(store, referee) == [b"one", b"rest"]
    # Its other ways are shut as well.
    assert not store.journals.checkpoint(lease, {"at": 2})
    assert not store.matches.hand_over(lease, "late")


def test_a_reclaimed_match_goes_on_as_the_same_attempt(
    store: Store, playing: tuple[FakeReferee, Lease]
) -> None:
    referee, lease = playing
    store.journals.append(referee.id, 1, 0, b"one")
    store.journals.checkpoint(lease, {"at": 1, "state": b"\x01\x02"})
    store.journals.append(referee.id, 2, 0, b"two")
    store._link.client.zadd(keys.single("leases"), {"t-m0": 1})
    store._link.client.zadd(keys.single("referees"), {referee.id: 1})
    assert store.matches.reclaim() == ["t-m0"]
    assert store.matches.get("t-m0").state is MatchState.SCHEDULED
    assert store.matches.attempts("t-m0") == []
    assert store.tournaments.get("t").progress.voided == 0

    other = FakeReferee(store, dict.fromkeys(BOTS, 5))
    store.journals.open(other.id)
    assert dispatch(store) == ["t-m0"]
    (message,) = other.orders()
    assert message.order is not None
    assert message.order.parallel == 8
    second = store.matches.lease(other.id, "t-m0")
    assert second is not None
    assert second.goes_on
    assert second.attempt == lease.attempt
    assert second.fence > lease.fence
    saved = store.journals.load("t-m0")
    assert saved is not None
    assert saved.whole
    assert saved.entries == [b"two"]
    assert saved.fields["secret"] == b"\xff\x00"
    assert saved.fields["state"] == b"\x01\x02"
    # The dead one's journal is kept for as long as somebody may go on from it.
    assert entries(store, referee)
    assert store.matches.begin(second, "c0ffee")
    assert store.journals.checkpoint(second, {"at": 0})
    assert entries(store, referee) == []
    assert store.journals.last(referee.id) is None
    assert store.journals.append(referee.id, 3, 0, b"late") == Refused("gone")


def test_a_journal_that_is_being_written_is_whole(
    store: Store, playing: tuple[FakeReferee, Lease]
) -> None:
    """A match handed over is loaded while its old referee plays others on."""
    referee, _ = playing
    over = threading.Event()
    written = 0

    def write() -> None:
        nonlocal written
        while not over.is_set():
            written += 1
            store.journals.append(referee.id, written, 0, b"%d" % written)

    with ThreadPoolExecutor(1) as pool:
        writing = pool.submit(write)
        found = [store.journals.load("t-m0")]
        # Whichever of the two is the quicker, both have their turns.
        while len(found) < 100 or written < 10:
            found.append(store.journals.load("t-m0"))
        over.set()
        writing.result()
    for saved in found:
        assert saved is not None
        assert saved.whole
        assert [int(entry) for entry in saved.entries] == [*range(1, len(saved.entries) + 1)]
    # One that lacks an entry is not.
    assert store.journals._raw.xdel(keys.of("journal", referee.id), "5-1") == 1
    saved = store.journals.load("t-m0")
    assert saved is not None
    assert not saved.whole


def test_a_finished_match_leaves_nothing_to_go_on_from(
    store: Store, playing: tuple[FakeReferee, Lease]
) -> None:
    _referee, lease = playing
    assert store.matches.finish(lease, {"games": 1}).stands
    assert store.journals.load("t-m0") is None
    assert not store._link.client.keys("*checkpoint*")
    assert not store._link.client.keys("*journaled*")


@pytest.mark.parametrize("how", ["cancelled", "handed over, then cancelled", "voided"])
def test_nor_does_one_that_is_given_up(
    store: Store, playing: tuple[FakeReferee, Lease], how: str
) -> None:
    _referee, lease = playing
    if how == "voided":
        assert store.matches.release(lease, "trouble", "5ec2e7")
    else:
        if "over" in how:
            assert store.matches.hand_over(lease, "draining")
            assert store._link.client.smembers(keys.single("moved")) == {"t-m0"}
        store.tournaments.cancel("t")
        assert store.matches.get("t-m0").state is MatchState.CANCELLED
    assert store.journals.load("t-m0") is None
    assert not store._link.client.keys("*checkpoint*")
    assert not store._link.client.smembers(keys.single("moved"))


def test_an_attempt_that_stalls_again_at_another_referee_is_voided(
    store: Store, playing: tuple[FakeReferee, Lease]
) -> None:
    referee, _ = playing
    for voided in (0, 1):
        store._link.client.zadd(keys.single("progress"), {"t-m0": 1})
        assert store.matches.reclaim() == ["t-m0"]
        assert len(store.matches.attempts("t-m0")) == voided
        if not voided:
            take(store, referee)


def test_after_a_time_in_which_nobody_looked_leases_get_a_grace(
    store: Store, playing: tuple[FakeReferee, Lease]
) -> None:
    _referee, lease = playing
    client = store._link.client
    assert store.matches.reclaim() == []
    client.set(keys.single("swept"), store.now() - 60_000)
    client.zadd(keys.single("leases"), {"t-m0": 1})
    assert store.matches.reclaim() == []
    assert store.matches.renew({lease: 1}) == set()
    client.zadd(keys.single("leases"), {"t-m0": 1})
    assert store.matches.reclaim() == ["t-m0"]


def test_in_another_life_of_the_store_a_journal_may_lack_its_end(
    store: Store,
    playing: tuple[FakeReferee, Lease],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    referee, _ = playing
    store.journals.append(referee.id, 1, 0, b"one")
    assert (saved := store.journals.load("t-m0"))
    assert saved.whole
    after_a_power_cut = tmp_path / "boot_id"
    after_a_power_cut.write_text("another\n")
    monkeypatch.setattr(journal, "BOOT_ID", after_a_power_cut)
    assert (saved := store.journals.load("t-m0"))
    assert not saved.whole
    # Its writer, still there, finds everything in its place.
    store.journals.touch(referee.id, 1)
    assert (saved := store.journals.load("t-m0"))
    assert saved.whole


def test_what_the_embedded_server_keeps(store: Store) -> None:
    assert store.journals.durability() is Durability.EVERYSEC
    store._link.call("CONFIG", "SET", "appendfsync", "always")
    try:
        assert store.journals.durability() is Durability.ALWAYS
        assert store.journals.life() == "always"
    finally:
        store._link.call("CONFIG", "SET", "appendfsync", "everysec")


def heard(pen: Pen) -> Any:
    select.select([pen], [], [], 60)
    return pen.acknowledged()


def test_a_pen_appends_and_says_when_it_is_there(
    store: Store, playing: tuple[FakeReferee, Lease]
) -> None:
    referee, lease = playing
    assert store.journals.append(referee.id, 1, 0, b"loads the script") is None
    pen = store.journals.pen(referee.id)
    large = bytes(range(256)) * 20_000
    for number, entry in ((2, b"two"), (3, b""), (4, large)):
        if not pen.send(number, 0, entry):
            while not pen.flush():
                select.select([], [pen], [], 60)
        assert heard(pen) is True
    assert entries(store, referee)[1:] == [b"two", b"", large]
    assert not pen.acknowledged()
    store.matches.release(lease, "taken away")
    pen.send(5, 0, b"five")
    with pytest.raises(PenError, match="sealed"):
        heard(pen)
    pen.close()


def test_a_pen_whose_server_cuts_it_off_says_so(
    store: Store, playing: tuple[FakeReferee, Lease]
) -> None:
    referee, _ = playing
    pen = store.journals.pen(referee.id)
    store._link.client.client_kill_filter(_type="normal", skipme=True)
    with pytest.raises(PenError, match="connection"):
        heard(pen)
    pen.close()


def test_out_of_memory_a_pen_is_refused_and_nothing_half_done(
    store: Store, playing: tuple[FakeReferee, Lease]
) -> None:
    referee, _ = playing
    store.journals.append(referee.id, 1, 0, b"one")
    pen = store.journals.pen(referee.id)
    store._link.call("CONFIG", "SET", "maxmemory", 1)
    try:
        pen.send(2, 0, b"two")
        with pytest.raises(PenError, match="OOM"):
            heard(pen)
    finally:
        store._link.call("CONFIG", "SET", "maxmemory", 0)
        pen.close()
    assert store.journals.append(referee.id, 2, 0, b"two") is None
    assert entries(store, referee) == [b"one", b"two"]
