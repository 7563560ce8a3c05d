"""Record files: whole or absent, and errors that name file and cause."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from arena.referee.records import Recorder, RecordError, RecordFile, Recording, sweep_parts
from tests.support.disk import full_disk


def test_a_record_is_in_its_place_only_when_published(tmp_path: Path) -> None:
    record = RecordFile(tmp_path, "cup", "m-1", fence=4)
    record.write(['{"line": "match"}', '{"line": "result"}'])
    record.seal()
    assert not record.path.exists()
    record.close({})
    assert record.publish(over=False)
    assert record.path == tmp_path / "cup" / "m-1.jsonl"
    assert record.path.read_text() == '{"line": "match"}\n{"line": "result"}\n'
    assert sorted(path.name for path in record.path.parent.iterdir()) == ["m-1.jsonl", "m-1.sums"]


def test_a_published_record_is_not_overwritten_unasked(tmp_path: Path) -> None:
    for fence, text in ((4, "first"), (5, "second")):
        record = RecordFile(tmp_path, "cup", "m-1", fence)
        record.write([text])
        record.seal()
        assert record.publish(over=False) == (fence == 4)
    assert record.path.read_text() == "first\n"
    assert record.publish(over=True)
    assert record.path.read_text() == "second\n"


def test_parts_of_dead_writers_are_swept_and_of_living_ones_not(tmp_path: Path) -> None:
    living = RecordFile(tmp_path, "cup", "m-1", 1)
    dead = RecordFile(tmp_path, "cup", "m-2", 2)
    living.write(["x"])
    dead._file.close()  # what the death of a process does
    assert sweep_parts(tmp_path) == 1
    assert living.part.exists()
    assert not dead.part.exists()
    living.discard()
    assert not living.part.exists()


def test_a_folder_that_cannot_be_made_is_named(tmp_path: Path) -> None:
    (tmp_path / "cup").write_text("a file where the folder should be")
    with pytest.raises(RecordError, match=r"m-1\.jsonl\.1\.part: File exists"):
        RecordFile(tmp_path, "cup", "m-1", 1)


async def test_a_write_that_fails_is_told_once_and_leaves_nothing(tmp_path: Path) -> None:
    told: list[Recording] = []
    happened = asyncio.Event()

    def on_error(recording: Recording) -> None:
        told.append(recording)
        happened.set()

    recorder = Recorder(tmp_path, on_error)
    spoilt, whole = recorder.open("cup", "m-1", 1), recorder.open("cup", "m-2", 1)
    with full_disk(4096):
        spoilt.write(["x" * 4097])
        whole.write(["y"])
        recorder.flush()
        await asyncio.wait_for(happened.wait(), 60)
    spoilt.write(["more"])
    with pytest.raises(RecordError, match="File too large"):
        await spoilt.seal()
    await whole.seal()
    assert await whole.publish(over=False)
    await recorder.close()
    assert told == [spoilt]
    assert sorted(path.name for path in (tmp_path / "cup").iterdir()) == ["m-2.jsonl", "m-2.sums"]


async def test_a_full_device_is_named(tmp_path: Path) -> None:
    """Every write to /dev/full fails with the error of a full disk."""
    (tmp_path / "cup").mkdir()
    (tmp_path / "cup" / "m-1.jsonl.1.part").symlink_to("/dev/full")
    recorder = Recorder(tmp_path, lambda recording: None)
    recording = recorder.open("cup", "m-1", 1)
    recording.write(["x"])
    with pytest.raises(RecordError, match="No space left on device"):
        await recording.seal()
    await recorder.close()
