from __future__ import annotations

import shlex
from pathlib import Path

import pytest
from euchre_arena.bots import DEMO_FIELD
from hypothesis import given
from hypothesis import strategies as st

from arena.config import Data
from arena.demo.folder import DemoError, prepare
from arena.demo.show import Programme
from arena.demo.verify import command, verify
from arena.tournament import parse

RECORDS = Path(__file__).parents[1] / "conformance" / "records"


def test_the_field_is_eight():
    assert len(DEMO_FIELD) == 8
    assert {"random", "first", "book"} <= set(DEMO_FIELD)


@given(st.text(max_size=20).filter(str.strip))
def test_any_seed_makes_a_spec(seed):
    spec = parse(Programme(DEMO_FIELD, 50, 2, seed).spec())
    assert spec.secret_seed == seed
    assert spec.seed == seed
    assert spec.duplicate
    assert len(spec.entrants) == 8


def test_without_a_seed_nothing_is_known_beforehand():
    programme = Programme(DEMO_FIELD, 50, 2, None)
    first, second = parse(programme.spec()), parse(programme.spec())
    assert first.secret_seed is None
    assert first.seed != second.seed


def test_bots_are_registered_under_names_that_are_names():
    field = ("book?order=3&alone=5.5", "my folder/My_Bot.py:Bot")
    names = Programme(field, 2, 1, "7").names
    assert names == ["book-order-3-alone-5.5", "my-folder-my-bot.py-bot"]
    parse(Programme(field, 2, 1, "7").spec())


def test_good_records_are_verified():
    found = verify([RECORDS / "good-standard.jsonl", RECORDS / "good-hoyle.jsonl"])
    assert found.records == 2
    assert found.hands > 2
    assert found.wrong == ()


@pytest.mark.parametrize(
    "bad", ["bad-revoke", "bad-deal", "bad-commitment", "bad-winners", "bad-truncated"]
)
def test_a_bad_record_is_found(bad):
    found = verify([RECORDS / "good-standard.jsonl", RECORDS / f"{bad}.jsonl"])
    assert len(found.wrong) == 1


def test_a_record_that_is_not_there_is_found(tmp_path):
    assert verify([tmp_path / "nothing.jsonl"]).wrong


def test_the_line_it_prints_can_be_typed(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    words = shlex.split(command(tmp_path / "a demo" / "m0.jsonl"))
    assert words[1:] == ["replay", "a demo/m0.jsonl"]


def test_a_demos_folder_is_made_anew(tmp_path):
    data = Data(tmp_path / "a demo")
    prepare(data)
    (data.path / "records").mkdir()
    (data.path / "records" / "old").write_text("x")
    prepare(data)
    assert [item.name for item in data.path.iterdir()] == ["demo"]


def test_a_folder_in_use_is_refused(tmp_path):
    import fcntl

    data = Data(tmp_path / "demo")
    prepare(data)
    with data.lock.open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        with pytest.raises(DemoError, match="a demo runs in"):
            prepare(data)


def test_a_file_is_no_folder(tmp_path):
    (tmp_path / "demo").write_text("x")
    with pytest.raises(DemoError, match="no directory"):
        prepare(Data(tmp_path / "demo"))
