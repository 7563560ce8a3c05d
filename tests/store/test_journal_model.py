"""Journals, checkpoints and takeovers against a model: referees die, stand still and come back, in
whatever order; what was acknowledged is found by the next one, and nothing else."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    Bundle,
    RuleBasedStateMachine,
    initialize,
    invariant,
    multiple,
    rule,
    run_state_machine_as_test,
)

from arena.store import Store, keys
from arena.store.journal import Refused
from arena.store.types import Lease
from tests.support.tournaments import RESULT, FakeReferee, dispatch, start
from tests.support.valkey import flush

BOTS = ["a", "b", "c"]
HOUR_MS = 3_600_000
MATCHES = [f"t-m{i}" for i in range(3)]


class Writer:
    """A referee, and what it believes: it may have been taken for dead meanwhile."""

    def __init__(self, store: Store, name: str) -> None:
        self.referee = FakeReferee(store, dict.fromkeys(BOTS, 3), ttl_ms=HOUR_MS, name=name)
        self.last = 0
        self.held: dict[str, Lease] = {}
        store.journals.open(self.referee.id)

    @property
    def id(self) -> str:
        return self.referee.id


class Journals(RuleBasedStateMachine):
    """Three matches in the hands of referees that write what is decided in them."""

    store: Store
    writers = Bundle("writers")

    def __init__(self) -> None:
        super().__init__()
        flush(self.store)
        start(self.store, BOTS)
        self.client: Any = self.store._link.client
        self.good: dict[str, Lease] = {}  # match → the lease that counts
        self.kept: dict[str, list[int]] = {}  # match → decisions that were acknowledged
        self.over: set[str] = set()
        self.decided = 0
        self.joined = 0

    @initialize(target=writers)
    def two(self) -> Any:
        return multiple(self.writer(), self.writer())

    @rule(target=writers)
    def join(self) -> Writer:
        return self.writer()

    def writer(self) -> Writer:
        self.joined += 1
        return Writer(self.store, f"r{self.joined:03}")

    @rule(writer=writers)
    def take(self, writer: Writer) -> None:
        """Lease what lies in the inbox, and begin it or go on with it."""
        dispatch(self.store)
        for message in writer.referee.orders():
            match = message.match_id
            lease = self.store.matches.lease(writer.id, match, HOUR_MS)
            if lease is None or self.good.get(match) == lease:
                continue
            assert lease.goes_on == (match in self.kept)
            self.good[match] = writer.held[match] = lease
            known = self.found(match) if lease.goes_on else []
            assert known == self.kept.setdefault(match, [])
            assert self.store.matches.begin(lease, "c0ffee")
            self.checkpoint(writer, match)

    @rule(writer=writers)
    def decide(self, writer: Writer) -> None:
        """One entry for all it holds, whoever they belong to by now."""
        lost = {match for match, lease in writer.held.items() if self.good.get(match) != lease}
        refused = self.append(writer, ())
        if refused is not None and refused.why == "gone":
            assert lost == set(writer.held), "it was taken for dead, and all of it went elsewhere"
            writer.held.clear()
            return
        if refused is None:
            assert not lost
            return
        assert refused.why == "sealed"
        for seal in refused.seals:
            match, _, fence = seal.rpartition(" ")
            if match in writer.held and str(writer.held[match].fence) == fence:
                lost.remove(match)
                del writer.held[match]
        assert not lost, "no seal was set on what was taken away"
        assert self.append(writer, refused.seals) is None

    def append(self, writer: Writer, seals: tuple[str, ...]) -> Refused | None:
        self.decided += 1
        entry = json.dumps(dict.fromkeys(writer.held, self.decided)).encode()
        refused = self.store.journals.append(writer.id, writer.last + 1, 0, entry, seals)
        if refused is None:
            # Told again after a lost answer it changes nothing.
            assert self.store.journals.append(writer.id, writer.last + 1, 0, entry) is None
            writer.last += 1
            for match in writer.held:
                self.kept[match].append(self.decided)
        return refused

    @rule(writer=writers, match=st.sampled_from(MATCHES))
    def checkpoint(self, writer: Writer, match: str) -> None:
        lease = writer.held.get(match)
        if lease is None:
            return
        good = self.good.get(match) == lease
        state = json.dumps(self.kept[match]).encode() if good else b"[0]"
        fields = {"at": writer.last, "state": state}
        assert self.store.journals.checkpoint(lease, fields) == good

    @rule(writer=writers, match=st.sampled_from(MATCHES))
    def finish(self, writer: Writer, match: str) -> None:
        lease = writer.held.get(match)
        if lease is None:
            return
        good = self.good.get(match) == lease
        assert self.store.matches.finish(lease, RESULT).stands == good
        if good:
            del self.good[match], self.kept[match], writer.held[match]
            self.over.add(match)

    @rule(writer=writers, match=st.sampled_from(MATCHES))
    def hand_over(self, writer: Writer, match: str) -> None:
        lease = writer.held.get(match)
        if lease is None:
            return
        good = self.good.get(match) == lease
        assert self.store.matches.hand_over(lease, "model") == good
        if good:
            del self.good[match], writer.held[match]

    @rule(match=st.sampled_from(MATCHES))
    def lapse(self, match: str) -> None:
        """A lease runs out: its referee stands still, and knows of nothing."""
        self.reclaim("leases", match)

    @rule(writer=writers)
    def die(self, writer: Writer) -> None:
        """A referee is taken for dead; it may come back all the same."""
        self.reclaim("referees", writer.id)

    def reclaim(self, name: str, member: str) -> None:
        for _ in range(2):  # after a pause the first look only gives everybody more time
            self.client.zadd(keys.single(name), {member: 1}, xx=True)
            for match in self.store.matches.reclaim():
                self.good.pop(match, None)

    def found(self, match: str) -> list[int]:
        """The decisions of a match as the next referee finds them."""
        saved = self.store.journals.load(match)
        assert saved is not None
        assert saved.whole
        later = [json.loads(entry) for entry in saved.entries]
        return json.loads(saved.fields["state"]) + [e[match] for e in later if match in e]

    @invariant()
    def all_that_was_acknowledged_is_found(self) -> None:
        for match in self.kept:
            assert self.found(match) == self.kept[match]

    @invariant()
    def nothing_is_left_of_what_is_over(self) -> None:
        for match in self.over:
            assert self.store.journals.load(match) is None


@pytest.fixture
def machine(store: Store) -> Iterator[type[Journals]]:
    Journals.store = store
    yield Journals
    del Journals.store


def run(machine: type[Journals], examples: int, steps: int) -> None:
    run_state_machine_as_test(  # type: ignore[no-untyped-call]  # hypothesis left it untyped
        machine,
        settings=settings(
            max_examples=examples,
            stateful_step_count=steps,
            deadline=None,
            suppress_health_check=list(HealthCheck),
        ),
    )


def test_journals_against_a_model(machine: type[Journals]) -> None:
    run(machine, 15, 40)


@pytest.mark.slow
@pytest.mark.timeout(1200)
def test_journals_against_a_model_for_long(machine: type[Journals]) -> None:
    run(machine, 80, 60)
