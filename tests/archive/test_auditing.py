"""`arena audit` finds each kind of damage, in the store and in the files, and names it."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from euchre_arena.rules.dealing import commitment

from arena.archive import cups, sums
from arena.archive.sums import Summer
from arena.store import Embedded, Store, keys
from tests.archive.played import ID, Played, local
from tests.support.tournaments import FakeReferee, create, dispatch, start

M0 = f"{ID}-m0"


class Bench:
    """A restored tournament for a test to damage."""

    def __init__(self, played: Played, store: Store, valkey: Embedded, data: Path) -> None:
        self.records = played.records
        self.store = store
        self._valkey = valkey
        self._data = data
        self.record = self.records / ID / f"{M0}.jsonl"
        local(valkey, data, "restore")

    def redis(self, *command: Any) -> Any:
        """Change the store behind its back."""
        return self.store._link.call(*command)

    def result(self, edit: Callable[[dict[str, Any]], object]) -> None:
        """Change a stored result."""
        key = keys.of("results", ID)
        found = json.loads(self.redis("HGET", key, 0))
        edit(found)
        self.redis("HSET", key, 0, json.dumps(found))

    def rewrite(self, edit: Callable[[bytes], bytes], **facts: Any) -> None:
        """Forge a record: other lines, and sums that fit them."""
        closing = dict(sums.read_closing(sums.sums_of(self.record)) or {})
        for name in ("sha256", "lines", "bytes"):
            del closing[name]
        data = edit(self.record.read_bytes())
        self.record.write_bytes(data)
        summer = Summer()
        text = summer.add(data.splitlines(keepends=True))
        sums.sums_of(self.record).write_bytes(text + summer.closing({**closing, **facts}))

    def audit(self, *words: str, status: int = 1) -> list[str]:
        """What the audit names."""
        found = local(self._valkey, self._data, "audit", *words, status=status)
        assert found["tournaments"] >= 1
        return [
            f"{each['match'] or each['tournament']}: {each['what']}"
            for each in found["differences"]
        ]


@pytest.fixture
def bench(played: Played, store: Store, valkey: Embedded, tmp_path: Path) -> Bench:
    return Bench(played, store, valkey, tmp_path)


def test_where_all_agree_nothing_is_named(bench: Bench) -> None:
    assert bench.audit(status=0) == []


def change(path: Path, edit: Callable[[bytes], bytes]) -> None:
    path.write_bytes(edit(path.read_bytes()))


def spoil_a_line(bench: Bench) -> None:
    change(bench.record, lambda data: data.replace(b'"score": [0, 0]', b'"score": [0, 1]', 1))


def tear(bench: Bench) -> None:
    change(bench.record, lambda data: data[:-9])


def forge(bench: Bench) -> None:
    bench.rewrite(lambda data: data.replace(b'"score": [0, 0]', b'"score": [0, 1]', 1))


def forge_an_action(bench: Bench) -> None:
    bench.rewrite(lambda data: data.replace(b'"order alone"', b'"order"', 1))


def retime(bench: Bench) -> None:
    bench.rewrite(lambda data: data, finished=12)


def count_again(bench: Bench) -> None:
    bench.redis("HINCRBY", keys.of("tournament", ID), "n:finished", 1)


def spoil_the_cup(bench: Bench) -> None:
    change(cups.path_of(bench.records, ID), lambda data: data.replace(b"Friday", b"Monday"))


def another_cup(bench: Bench) -> None:
    path = cups.path_of(bench.records, ID)
    cups.write(bench.records, {**cups.read(path), "total": 4})


def other_standings(bench: Bench) -> None:
    table = json.loads(bench.redis("HGET", keys.of("table", ID), "table"))
    table["standings"][0]["rating"] += 1
    bench.redis("HSET", keys.of("table", ID), "table", json.dumps(table))


DAMAGE: dict[str, tuple[Callable[[Bench], Any], str]] = {
    "a line of a record": (spoil_a_line, rf"{M0}.jsonl: line \d+ is not as written"),
    "the end of a record": (tear, rf"{M0}.jsonl: line \d+ is cut short"),
    "a record": (lambda b: b.record.unlink(), f"{M0}.jsonl: the record is missing"),
    "its sums": (lambda b: sums.sums_of(b.record).unlink(), f"{M0}.sums is missing"),
    "a forged record": (forge, f"{M0}.jsonl: its SHA-256 is not the one in the store's result"),
    "a forged action": (forge_an_action, rf"{M0}.jsonl: line \d+: "),
    "the facts beside it": (retime, r"its finished is \d+ in the store and 12 beside the record"),
    "a stranger's record": (
        lambda b: (b.records / ID / f"{ID}-m77.jsonl").write_bytes(b""),
        f"{ID}-m77.jsonl is there, and the store has no match",
    ),
    "a stranger's folder": (
        lambda b: cups.write(b.records, {"tournament": "unknown"}),
        "unknown belongs to no tournament of the store",
    ),
    "the tournament's file": (lambda b: cups.path_of(b.records, ID).unlink(), "json is missing"),
    "a spoilt tournament's file": (spoil_the_cup, "it is not as it was written"),
    "another tournament's file": (another_cup, "has another total than the store: 4, not 3"),
    "a stored result": (
        lambda b: b.result(lambda r: r["result"].update(won=[2, 0], units=[0, 0, 0, 0, 1])),
        f"{M0}.jsonl tells of won",
    ),
    "a stored stake": (
        lambda b: b.result(lambda r: r["result"].update(stakes=[99, -99])),
        rf"{M0}.jsonl tells of stakes .*, the store's result of \[99, -99\]",
    ),
    "a stored skunk": (
        lambda b: b.result(lambda r: r["result"].update(skunks=[9, 0])),
        rf"{M0}.jsonl tells of skunks .*, the store's result of \[9, 0\]",
    ),
    "a result nobody can count": (
        lambda b: b.result(lambda r: r["result"].update(won=[2])),
        "its result in the store cannot be counted",
    ),
    "a stored secret": (
        lambda b: b.result(lambda r: r.update(secret="00")),
        "its secret is '00' in the store",
    ),
    "another record named": (
        lambda b: b.result(lambda r: r.update(record="../x")),
        r"its result names no record: '\.\./x'",
    ),
    "a lost result": (
        lambda b: b.redis("HDEL", keys.of("results", ID), 0),
        "it is finished and has no result",
    ),
    "a match's state": (
        lambda b: b.redis("HSET", keys.of("match", M0), "st", "playing"),
        "it has a result and is playing",
    ),
    "a counter": (count_again, "the store counts 4 results and has 3"),
    "the standings": (other_standings, "standings: standings is not what its results give"),
    "lost standings": (
        lambda b: b.redis("DEL", keys.of("table", ID)),
        "it is finished and has no standings",
    ),
}


@pytest.mark.parametrize(("damage", "named"), DAMAGE.values(), ids=DAMAGE)
def test_damage_is_named(bench: Bench, damage: Callable[[Bench], Any], named: str) -> None:
    damage(bench)
    found = bench.audit()
    assert [each for each in found if re.search(named, each)], found


def test_without_replay_checksums_still_tell(bench: Bench) -> None:
    spoil_a_line(bench)
    found = bench.audit("--no-replay")
    assert any("is not as written" in each for each in found)
    assert not any("tells of" in each for each in found)


def test_what_is_under_way_is_no_difference(bench: Bench) -> None:
    """A record is in its place a moment before its result: no difference while the match plays;
    one when the match waits again."""
    start(bench.store, ["ada", "bob"], "young")
    cups.write(bench.records, bench.store.restoring.facts("young"))
    (bench.records / "young" / "young-m0.jsonl").write_bytes(b"{}\n")
    referee = FakeReferee(bench.store, {"ada": 4, "bob": 4})
    dispatch(bench.store)
    lease = referee.lease("young-m0")
    assert bench.audit(status=0) == []
    bench.store.matches.release(lease, "voided")
    assert bench.audit() == ["young-m0: young-m0.jsonl is there, and the store has no result"]


def test_a_tournament_just_made_has_its_file(bench: Bench) -> None:
    create(bench.store, ["ada", "bob"], "young")
    assert bench.audit() == [f"young: {cups.path_of(bench.records, 'young')} is missing"]


class Journaled:
    """A match under way with a checkpoint, whose referee has a journal of three entries."""

    def __init__(self, bench: Bench) -> None:
        self.bench = bench
        store = bench.store
        start(store, ["ada", "bob"], "young")
        cups.write(bench.records, store.restoring.facts("young"))
        self.referee = FakeReferee(store, {"ada": 4, "bob": 4})
        dispatch(store)
        lease = self.referee.lease("young-m0")
        store.journals.open(self.referee.id)
        for number in (1, 2, 3):
            assert store.journals.append(self.referee.id, number, 1, b"\xff\x00") is None
        secret = bytes(32)
        store.matches.begin(lease, commitment(secret).hex())
        assert store.journals.checkpoint(lease, {"secret": secret.hex(), "at": 2})

    def key(self, family: str, match: str = "young-m0") -> str:
        return keys.of(family, match if family in ("checkpoint", "match") else self.referee.id)


JOURNALS: dict[str, tuple[Callable[[Journaled], Any], str]] = {
    "an entry": (
        lambda j: j.bench.redis("XDEL", j.key("journal"), "2-1"),
        r": the journal of \S+: entry 2 is missing",
    ),
    "the last number": (
        lambda j: j.bench.redis("HSET", j.key("pen"), "last", 2),
        r": the journal of \S+: its last entry is 3, and 2 is noted",
    ),
    "a journal": (
        lambda j: j.bench.redis("DEL", j.key("pen"), j.key("journal")),
        r"young-m0: its checkpoint is continued in a journal of \S+ that is not there",
    ),
    "a checkpoint from the future": (
        lambda j: j.bench.redis("HSET", j.key("checkpoint"), "at", 9),
        r"young-m0: its checkpoint is of entry 9, the journal of \S+ ends with 3",
    ),
    "another secret": (
        lambda j: j.bench.redis("HSET", j.key("checkpoint"), "secret", "11" * 32),
        "young-m0: the secret in its checkpoint is not the one it is committed to",
    ),
    "a checkpoint left behind": (
        lambda j: j.bench.redis("HSET", j.key("checkpoint", M0), "referee", j.referee.id),
        f"{M0}: it is finished, and its checkpoint is still there",
    ),
}


@pytest.mark.parametrize(("damage", "named"), JOURNALS.values(), ids=JOURNALS)
def test_damage_to_the_journal_is_named(
    bench: Bench, damage: Callable[[Journaled], Any], named: str
) -> None:
    journaled = Journaled(bench)
    assert bench.audit(status=0) == []
    damage(journaled)
    found = bench.audit()
    assert [each for each in found if re.fullmatch(named, each)], found
