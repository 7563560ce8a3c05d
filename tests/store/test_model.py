"""Leases, attempts, checkpoints and results against a model: whatever happens in whatever order.

Times run out by decree (their marks in the sorted sets are set back), so a run is repeatable.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    Bundle,
    RuleBasedStateMachine,
    consumes,
    initialize,
    invariant,
    multiple,
    rule,
    run_state_machine_as_test,
)

from arena.store import Store, keys
from arena.store.types import Finish, Lease
from tests.support.tournaments import RESULT, FakeReferee, start
from tests.support.valkey import flush

BOTS = ["a", "b", "c"]
HOUR_MS = 3_600_000


class Matches(RuleBasedStateMachine):
    """A tournament of six matches, referees that come and go, leases good and stale."""

    store: Store
    referees = Bundle("referees")
    leases = Bundle("leases")

    def __init__(self) -> None:
        super().__init__()
        flush(self.store)
        self.ids = start(self.store, BOTS, cycles=2)
        self.client: Any = self.store._link.client
        self.good: dict[str, Lease] = {}  # match → the lease that counts
        self.begun = dict.fromkeys(self.ids, 0)  # attempts
        self.voided = dict.fromkeys(self.ids, 0)
        self.saved: set[str] = set()  # matches that can be gone on with
        self.stalls = 0  # times at which every progress ran out
        self.results: dict[str, int] = {}  # match → fence of the one result
        self.under: dict[str, int] = {}  # match → games over in the attempt under way
        self.rejected = 0
        self.paused = False
        self.alive: set[str] = set()
        self.joined = 0
        self.fence = 0

    @initialize(target=referees)
    def two_referees(self) -> Any:
        return multiple(self.referee(3, 3), self.referee(2, 2))

    @rule(target=referees, capacity=st.integers(1, 3), each=st.integers(1, 3))
    def join(self, capacity: int, each: int) -> FakeReferee:
        return self.referee(capacity, each)

    @rule(referee=consumes(referees), properly=st.booleans())
    def go(self, referee: FakeReferee, properly: bool) -> None:
        """A referee leaves, or dies."""
        self.alive.discard(referee.id)
        if properly:
            self.lost(*self.store.referees.leave(referee.id))
        else:
            self.client.zadd(keys.single("referees"), {referee.id: 1})

    @rule(limit=st.integers(1, 4), dies=st.booleans())
    def dispatch(self, limit: int, dies: bool) -> None:
        """Dispatch places what is due, or dies before it does."""
        found = self.store.matches.due(limit)
        assert not (found and self.paused)
        for match_id in found if not dies else ():
            placed = self.store.matches.place(match_id)
            assert placed.placement in ("placed", "waiting", "full")
            assert placed.referee in self.alive | {""}

    @rule(match_id=st.sampled_from([f"t-m{i}" for i in range(6)]))
    def dispatched_twice(self, match_id: str) -> None:
        self.store.matches.place(match_id)

    @rule(referee=referees, match_id=st.sampled_from([f"t-m{i}" for i in range(6)]))
    def lease_of_another(self, referee: FakeReferee, match_id: str) -> None:
        if self.store.matches.get(match_id).referee != referee.id:
            assert self.store.matches.lease(referee.id, match_id) is None

    @rule(target=leases, referee=referees)
    def lease(self, referee: FakeReferee) -> Any:
        """The usual way, at one go, so that runs get beyond a match's first attempt."""
        self.dispatch(4, False)
        return self.take(referee)

    @rule(target=leases, lease=leases, referee=referees)
    def lose_and_lease(self, lease: Lease, referee: FakeReferee) -> Any:
        """The match of a lease is taken away and given to somebody, the same referee perhaps."""
        self.client.zadd(keys.single("leases"), {lease.match_id: 1}, xx=True)
        self.sweep()
        self.store.matches.place(lease.match_id)
        return self.take(referee)

    @rule(
        lease=leases,
        how=st.sampled_from(["begin", "renew", "release", "finish", "finish"]),
        games=st.integers(0, 2),
    )
    def use(self, lease: Lease, how: str, games: int) -> None:
        """Whoever holds a lease, good or lost long ago, does something with it."""
        good = self.good.get(lease.match_id) == lease
        if how == "begin":
            assert self.store.matches.begin(lease, "c0ffee") == good
        elif how == "renew":
            lost = self.store.matches.renew({lease: 1}, {lease.match_id: games})
            assert lost == (set() if good else {lease.match_id})
            if good:
                self.under[lease.match_id] = games
        elif how == "release":
            assert self.store.matches.release(lease, "model") == good
            if good:
                self.saved.discard(lease.match_id)
                self.lost(lease.match_id)
        else:
            result = {**RESULT, "fence": lease.fence}
            found = self.store.matches.finish(lease, result, counts={"games": 2})
            assert found is self.expected(lease)
            if found is Finish.WRITTEN:
                self.results[lease.match_id] = lease.fence
                self.saved.discard(lease.match_id)
                del self.good[lease.match_id]
                self.under.pop(lease.match_id, None)
            self.rejected += found in (Finish.DUPLICATE, Finish.STALE)

    @rule(lease=leases)
    def keep(self, lease: Lease) -> None:
        """A checkpoint is written, by whoever holds a lease good or lost."""
        good = self.good.get(lease.match_id) == lease
        fields = {"secret": "5ec2e7", "parallel": 3}
        assert self.store.journals.checkpoint(lease, fields) == good
        if good:
            self.saved.add(lease.match_id)

    @rule(lease=leases)
    def hand_over(self, lease: Lease) -> None:
        good = self.good.get(lease.match_id) == lease
        assert self.store.matches.hand_over(lease, "model") == good
        if good:
            self.lost(lease.match_id)

    @rule(name=st.sampled_from(["leases", "progress", "pending"]), swept=st.booleans())
    def time_runs_out(self, name: str, swept: bool) -> None:
        key = keys.single(name)
        self.stalls += name == "progress"
        for member in self.client.zrange(key, 0, -1):
            self.client.zadd(key, {member: 1})
        if swept:
            self.sweep()

    @rule()
    def pause_or_resume(self) -> None:
        (self.store.tournaments.resume if self.paused else self.store.tournaments.pause)("t")
        self.paused = not self.paused

    def referee(self, capacity: int, each: int) -> FakeReferee:
        bots = dict.fromkeys(BOTS, each)
        # Of two that joined in one millisecond the first by name is preferred, and what is random
        # in an id stands behind the name: a name of its own keeps the run repeatable.
        self.joined += 1
        name = f"r{self.joined:03}"
        referee = FakeReferee(self.store, bots, capacity=capacity, ttl_ms=HOUR_MS, name=name)
        self.alive.add(referee.id)
        return referee

    def take(self, referee: FakeReferee) -> Any:
        """The referee leases one order of its inbox."""
        found = []
        for message in referee.orders(1):
            lease = self.store.matches.lease(referee.id, message.match_id, HOUR_MS)
            if lease is None or self.good.get(lease.match_id) == lease:
                continue
            assert lease.match_id not in self.results
            assert lease.match_id not in self.good
            assert lease.fence > self.fence
            self.fence = lease.fence
            assert lease.goes_on == (lease.match_id in self.saved)
            self.begun[lease.match_id] += not lease.goes_on
            assert lease.attempt == self.begun[lease.match_id]
            self.good[lease.match_id] = lease
            found.append(lease)
        return multiple(*found)

    def expected(self, lease: Lease) -> Finish:
        """What a result under this lease must meet with."""
        if self.good.get(lease.match_id) == lease:
            return Finish.WRITTEN
        stands = self.results.get(lease.match_id)
        if stands is None:
            return Finish.STALE
        return Finish.AGAIN if stands == lease.fence else Finish.DUPLICATE

    def sweep(self) -> None:
        self.lost(*self.store.matches.reclaim())

    def lost(self, *match_ids: str) -> None:
        for match_id in match_ids:
            had = self.good.pop(match_id, None) is not None
            if match_id in self.saved:
                # Gone on with, unless it has stood still at two referees.
                if len(self.store.matches.attempts(match_id)) == self.voided[match_id]:
                    continue
                assert self.stalls > 1
                self.saved.discard(match_id)
                had = True
            self.under.pop(match_id, None)
            if had:
                self.voided[match_id] += 1

    @invariant()
    def every_match_is_in_one_place(self) -> None:
        waiting = {
            f"t-m{member.partition(':')[0]}"
            for member in self.client.zrange(keys.of("waiting", "t"), 0, -1)
        }
        pending = set(self.client.zrange(keys.single("pending"), 0, -1))
        assigned: list[str] = []
        for referee in self.client.zrange(keys.single("referees"), 0, -1):
            assigned.extend(self.client.smembers(keys.of("referee_matches", referee)))
        assert len(assigned) == len(set(assigned))
        places = [*waiting, *pending, *assigned, *self.results]
        assert sorted(places) == sorted(self.ids)
        assert set(self.good) <= set(assigned)

    @invariant()
    def every_counter_is_true(self) -> None:
        progress = self.store.tournaments.get("t").progress
        found = self.store.matches.page("t")
        assert progress.finished == len(self.results)
        assert progress.games == 2 * len(self.results) + sum(self.under.values())
        assert progress.voided == sum(self.voided.values())
        assert progress.queued == sum(m.state == "queued" for m in found)
        assert progress.playing == sum(m.state in ("leased", "playing") for m in found)
        assert progress.playing == len(self.good)
        assert {m.match_id: m.attempts for m in found} == self.begun
        for match_id, times in self.voided.items():
            assert len(self.store.matches.attempts(match_id)) == times
        assert sum(self.store.matches.depths().rejected.values()) == self.rejected
        loads = Counter(
            entrant.name
            for match in found
            if match.state in ("queued", "leased", "playing")
            for entrant in match.entrants
        )
        stored = self.client.hgetall(keys.single("loads"))
        assert {bot: int(load) for bot, load in stored.items()} == loads

    @invariant()
    def who_can_go_on_finds_everything(self) -> None:
        for match_id in self.ids:
            found = self.store.journals.load(match_id)
            assert (found is not None) == (match_id in self.saved)
        moved = self.client.smembers(keys.single("moved"))
        assert moved <= self.saved - set(self.good)
        assert moved | set(self.good) >= self.saved

    @invariant()
    def a_result_never_changes(self) -> None:
        found = {r.match_id: r.result["fence"] for r in self.store.matches.results("t")}
        assert found == self.results


@pytest.fixture
def machine(store: Store) -> Iterator[type[Matches]]:
    Matches.store = store
    yield Matches
    del Matches.store


def run(machine: type[Matches], examples: int, steps: int) -> None:
    run_state_machine_as_test(  # type: ignore[no-untyped-call]  # hypothesis left it untyped
        machine,
        settings=settings(
            max_examples=examples,
            stateful_step_count=steps,
            deadline=None,
            suppress_health_check=list(HealthCheck),
        ),
    )


def test_model(machine: type[Matches]) -> None:
    run(machine, 15, 40)


@pytest.mark.slow
@pytest.mark.timeout(1200)
def test_model_for_long(machine: type[Matches]) -> None:
    run(machine, 60, 60)
