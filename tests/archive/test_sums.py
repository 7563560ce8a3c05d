"""Sums beside a record: what is whole, what is torn and may be cut, what is damaged and may not."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from arena.archive.sums import check, cut, read_closing, sums_of
from arena.referee.records import RecordFile, sweep_parts

LINES = ['{"line": "match"}', '{"line": "hand", "hand": 0}', '{"line": "result", "é": 1}']
TEXT = "".join(f"{line}\n" for line in LINES).encode()


@pytest.fixture
def record(tmp_path: Path) -> Path:
    """A record as a referee leaves it."""
    file = RecordFile(tmp_path, "cup", "cup-m0", fence=7)
    file.write(LINES[:1])
    file.write(LINES[1:])
    file.seal()
    file.close({"match": "cup-m0", "result": {"won": [1, 0]}})
    assert file.publish(over=False)
    return file.path


def test_a_records_own_bytes_are_as_they_were_written(record: Path) -> None:
    assert record.read_bytes() == TEXT


def test_a_closed_record_is_whole_and_its_sums_hold_the_facts(record: Path) -> None:
    found = check(record)
    assert found.whole
    assert (found.lines, found.size) == (3, len(TEXT))
    assert found.closing is not None
    assert found.closing["result"] == {"won": [1, 0]}
    assert found.closing["sha256"] == found.sha256
    assert read_closing(sums_of(record)) == found.closing


def change(path: Path, edit: Callable[[bytes], bytes]) -> None:
    path.write_bytes(edit(path.read_bytes()))


@pytest.mark.parametrize("lost", [1, 5, len(LINES[2]) + 1, len(LINES[2]) + 3])
@pytest.mark.parametrize("filled", [b"", b"\0"])
def test_a_torn_tail_is_found_and_cut(record: Path, lost: int, filled: bytes) -> None:
    """Bytes lost at the end, or zeros in their place, at every kind of place."""
    change(record, lambda data: data[:-lost] + filled * lost)
    spoilt = record.read_bytes()
    found = check(record)
    assert found.torn
    assert not found.whole
    assert found.lines == (2 if lost <= len(LINES[2]) + 1 else 1)
    cut(record)
    assert record.read_bytes() == "".join(f"{line}\n" for line in LINES[: found.lines]).encode()
    again = cut(record)
    assert (again.lines, again.fault) == (found.lines, "it was never closed")
    # Cut once more it is left alone, and so is what there was.
    assert record.with_name("cup-m0.jsonl.torn").read_bytes() == spoilt


def test_sums_that_lost_their_end_cut_the_record_to_what_is_known_good(record: Path) -> None:
    sums = sums_of(record)
    second = sums.read_bytes().index(b"\n") + 4
    change(sums, lambda data: data[:second])
    assert cut(record).torn
    assert record.read_bytes() == f"{LINES[0]}\n".encode()
    assert check(record).fault == "it was never closed"


@pytest.mark.parametrize(
    ("edit", "fault"),
    [
        (lambda d: d.replace(b'"hand": 0', b'"hand": 1'), "line 2 is not as written"),
        (lambda d: d.replace(b"\n", b" ", 1), "line 1 is not as written"),
        (lambda d: d + b"more\n", "5 bytes follow its last line"),
    ],
)
def test_damage_is_named_and_left_alone(
    record: Path, edit: Callable[[bytes], bytes], fault: str
) -> None:
    change(record, edit)
    damaged = record.read_bytes()
    found = cut(record)
    assert found.fault == fault
    assert not found.torn
    assert record.read_bytes() == damaged


def test_damaged_sums_are_no_excuse(record: Path) -> None:
    sums = sums_of(record)
    change(sums, lambda data: data.replace(b"won", b"Won"))
    assert check(record).fault == "its closing line is damaged"
    change(sums, lambda data: data + data)
    assert not check(record).whole
    sums.unlink()
    assert check(record).fault == "cup-m0.sums is missing"
    record.unlink()
    assert check(record).fault == "the record is missing"


def test_a_writer_that_died_between_both_files_is_finished_by_the_sweep(
    tmp_path: Path, record: Path
) -> None:
    sums = sums_of(record)
    part = record.with_name("cup-m0.sums.9.part")
    sums.replace(part)
    assert sweep_parts(tmp_path) == 0
    assert check(record).whole
    # Sums of another attempt's record are nobody's.
    change(record, lambda data: data + b"{}\n")
    sums.replace(part)
    sweep_parts(tmp_path)
    assert not part.exists()
    assert not sums.exists()
