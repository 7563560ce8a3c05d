"""Results, records and restore against a model: whatever is played, dies, is torn or lost, in
whatever order, what the files hold is what comes back."""

from __future__ import annotations

import json
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any, ClassVar

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from arena.archive import cups
from arena.archive.auditing import Audit
from arena.archive.restoring import restore
from arena.referee.records import RecordFile
from arena.store import Store
from arena.store.types import Lease, MatchState, TournamentState
from tests.support.tournaments import RESULT, FakeReferee, dispatch, start
from tests.support.valkey import flush
from workers.settling import derive

BOTS = ("a", "b", "c")
CUP = "t"


class Archive(RuleBasedStateMachine):
    """A tournament of six matches, played by referees that die at every point of its end."""

    store: ClassVar[Store]
    records: ClassVar[Path]

    def __init__(self) -> None:
        super().__init__()
        flush(self.store)
        shutil.rmtree(self.records, ignore_errors=True)
        self.ids = start(self.store, BOTS, cycles=2)
        cups.write(self.records, self.store.restoring.facts(CUP))
        self.results: dict[str, str] = {}  # match → SHA-256, as the store must have it
        self.files: dict[str, Mapping[str, Any]] = {}  # match → closing facts in its place
        self.torn: set[str] = set()
        self.cut: set[str] = set()  # by a restore, and not yet played again
        self.voided: dict[str, int] = dict.fromkeys(self.ids, 0)
        self.begin()

    def begin(self) -> None:
        self.referee = FakeReferee(self.store, dict.fromkeys(BOTS, 8))
        self.queued: list[str] = []

    def leased(self, number: int) -> Lease | None:
        """A lease of a match that waits, if any does."""
        dispatch(self.store)
        self.queued += [message.match_id for message in self.referee.orders()]
        if not self.queued:
            return None
        return self.referee.lease(self.queued.pop(number % len(self.queued)))

    def record(self, lease: Lease, lines: int) -> RecordFile:
        file = RecordFile(self.records, CUP, lease.match_id, lease.fence)
        file.write([json.dumps({"line": n, "fence": lease.fence}) for n in range(lines)])
        file.seal()
        return file

    def published(self, lease: Lease, lines: int) -> Mapping[str, Any]:
        """The record of an attempt closed and in its place, as a referee puts it there."""
        file = self.record(lease, lines)
        facts = {
            "match": lease.match_id,
            **self.store.matches.closing(lease.match_id),
            "record": f"{CUP}/{lease.match_id}.jsonl",
            "secret": "00" * 32,
            "counts": {"games": 2, "hands": lines, "decisions": 10 * lines},
            "result": RESULT,
        }
        facts["sha256"] = file.close(facts)
        if not file.publish(over=False):
            assert self.store.matches.result(lease.match_id) is None
            assert file.publish(over=True)
        self.files[lease.match_id] = facts
        self.torn.discard(lease.match_id)
        self.cut.discard(lease.match_id)
        return facts

    # -- what happens

    @rule(number=st.integers(0, 5), lines=st.integers(1, 4))
    def finish(self, number: int, lines: int) -> None:
        lease = self.leased(number)
        if lease is None:
            return
        facts = self.published(lease, lines)
        more = {name: facts[name] for name in ("record", "secret", "counts", "sha256")}
        done = self.store.matches.finish(lease, RESULT, at=facts["finished"], **more)
        assert done.stands
        self.results[lease.match_id] = facts["sha256"]

    @rule(number=st.integers(0, 5), lines=st.integers(1, 4), published=st.booleans())
    def die(self, number: int, lines: int, published: bool) -> None:
        """A referee dies before its record is in its place, or before its result is told."""
        lease = self.leased(number)
        if lease is None:
            return
        if published:
            self.published(lease, lines)
        else:
            self.record(lease, lines)._file.close()
        assert self.store.matches.release(lease, "died")
        self.voided[lease.match_id] += 1

    @precondition(lambda self: self.files)
    @rule(number=st.integers(0, 5), lost=st.integers(1, 30))
    def tear(self, number: int, lost: int) -> None:
        """The end of a record is not on the disk after all."""
        match = sorted(self.files)[number % len(self.files)]
        path = self.records / CUP / f"{match}.jsonl"
        path.write_bytes(path.read_bytes()[:-lost])
        self.torn.add(match)

    @rule()
    def derive(self) -> None:
        derive(self.store, CUP)
        cups.write(self.records, self.store.restoring.facts(CUP))

    @rule()
    def lose_the_store(self) -> None:
        """Everything comes back that is whole in the files, whether its result was told or not."""
        flush(self.store)
        (outcome,) = restore(self.store, self.records)
        assert len(outcome.problems) >= len(self.torn)
        for match in self.torn:
            del self.files[match]
        self.cut |= self.torn
        self.torn.clear()
        self.results = {match: facts["sha256"] for match, facts in self.files.items()}
        self.voided = {
            match: len(self.files[match]["attempts"]) if match in self.files else 0
            for match in self.ids
        }
        table = self.store.standings.get(CUP)
        assert (table.results if table else 0) == len(self.results)
        for bot in BOTS:
            self.store.bots.register(bot)
        if len(self.results) < len(self.ids):
            assert outcome.state == TournamentState.PAUSED
            self.store.tournaments.resume(CUP)
        else:
            assert outcome.state == TournamentState.FINISHED
        self.begin()

    # -- what holds

    @invariant()
    def results_are_those_told_or_restored(self) -> None:
        found = {result.match_id: result.sha256 for result in self.store.matches.results(CUP)}
        assert found == self.results
        progress = self.store.tournaments.get(CUP).progress
        assert progress.finished == len(self.results)
        assert progress.games == 2 * len(self.results)
        for match in self.ids:
            assert len(self.store.matches.attempts(match)) == self.voided[match]

    @invariant()
    def the_audit_names_what_is_torn_or_was_never_told_and_nothing_else(self) -> None:
        named = {each.match for each in Audit(self.store, self.records, replay=False).run()}
        untold = {match for match in self.files if match not in self.results}
        queued = {
            match
            for match in untold | self.cut
            if self.store.matches.get(match).state is not MatchState.SCHEDULED
        }
        left = (untold | self.cut) - queued
        assert named - {""} == (self.torn & set(self.results)) | left


@pytest.mark.slow
@pytest.mark.timeout(1200)
def test_what_the_files_hold_is_what_comes_back(store: Store, tmp_path: Path) -> None:
    Archive.store, Archive.records = store, tmp_path / "records"
    run_state_machine_as_test(
        Archive,
        settings=settings(
            max_examples=10,
            stateful_step_count=15,
            deadline=None,
            suppress_health_check=list(HealthCheck),
        ),
    )
