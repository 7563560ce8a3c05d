"""The `arena` commands that show what was played: records, files, a match under way."""

from __future__ import annotations

import csv
import json
import os
import subprocess
import sys
from pathlib import Path

from arena import lifeline
from tests.admin.rig import BOTS
from tests.support.tournaments import RESULT, FakeReferee, dispatch
from workers.scheduling import schedule

PLAYED = Path(__file__).parents[1] / "conformance" / "records" / "good-standard.jsonl"


def test_export_writes_everything(arena, served, over):
    assert "3 results and 3 records" in arena("tournament", "export", over).stdout
    folder = Path(over)
    assert (folder / "spec.toml").read_text().startswith('name = "Friday night"')
    assert json.loads((folder / "tournament.json").read_text())["progress"]["finished"] == 3
    with (folder / "results.csv").open() as file:
        results = list(csv.DictReader(file))
    assert [row["match"] for row in results] == [f"{over}-m{n}" for n in range(3)]
    assert {row["won_0"] for row in results} == {"1"}
    with (folder / "standings.csv").open() as file:
        standings = list(csv.DictReader(file))
    assert {row["entrant"] for row in standings} == set(BOTS)
    assert sum(int(row["faults_timeout"]) for row in standings) == 3
    with (folder / "crosstable.csv").open() as file:
        crosstable = list(csv.reader(file))
    assert crosstable[1][1] == ""
    assert crosstable[1][2] == "1"
    lines = (folder / "results.jsonl").read_text().splitlines()
    assert [json.loads(line)["outcome"]["units"] for line in lines] == [RESULT["units"]] * 3
    for record in (folder / "records").iterdir():
        assert record.read_bytes() == (served.records / over / record.name).read_bytes()
    assert len(list((folder / "records").iterdir())) == 3
    # Nothing that is there is written over.
    assert "not empty" in arena("tournament", "export", over, status=1).stderr


def test_export_without_records(arena, over, tmp_path):
    out = tmp_path / "a folder"
    arena("tournament", "export", over, "-o", str(out), "--no-records")
    assert not (out / "records").exists()


def test_matches_are_listed_and_records_had(arena, over, tmp_path):
    text = arena("record", "list", over).stdout
    assert f"{over}-m0" in text
    lines = arena("record", "list", over, "--finished", "--json").stdout.splitlines()
    assert [json.loads(line)["match_id"] for line in lines] == [f"{over}-m{n}" for n in range(3)]
    assert arena("record", "get", f"{over}-m1").stdout == f'{{"match": "{over}-m1"}}\n'
    out = tmp_path / "m1.jsonl"
    arena("record", "get", f"{over}-m1", "-o", str(out))
    assert json.loads(out.read_text()) == {"match": f"{over}-m1"}


def test_a_match_is_watched_in_words(arena, served, friday):
    for bot in BOTS:
        arena("bot", "register", bot)
    arena("tournament", "create", friday, "--start")
    schedule(served.store, "friday-night")
    referee = FakeReferee(served.store, dict.fromkeys(BOTS, 8))
    dispatch(served.store)
    match = referee.orders()[0].match_id
    lease = referee.lease(match)
    name = f"friday-night/{match}.jsonl"
    part = served.records / f"{name}.{lease.fence}.part"
    part.parent.mkdir(exist_ok=True)
    part.write_bytes(PLAYED.read_bytes())
    watching = subprocess.Popen(
        lifeline.command([sys.executable, "-m", "arena.cli", "record", "watch", match]),
        env={**os.environ, **lifeline.variables()},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    with watching:
        shown = [watching.stdout.readline().rstrip()]
        part.rename(served.records / name)
        served.store.matches.finish(lease, RESULT, record=name)
        shown += watching.stdout.read().splitlines()  # to its end, which comes with the match's
        err = watching.stderr.read()
    assert watching.returncode == 0, err
    one, other = (entrant.name for entrant in served.store.matches.get(match).entrants)
    seats = f"0 {one}, 1 {other}, 2 {one}, 3 {other}"  # as the record has it
    assert shown[0] == f"game 0, attempt 1: in seats {seats}"
    assert shown[1].startswith("game 0 hand 0: dealer ")
    assert any(line.startswith("  ") and "discard (1 card)" in line for line in shown)
    assert any(line.startswith("  ") and line.count(" | ") == 4 for line in shown), "five tricks"
    assert shown[-1].startswith("game 0 is over, ")
    assert f"{match} is over; `arena record get {match}` shows all of it" in err
    assert "is over; `arena record get" in arena("record", "watch", match, status=4).stderr


def test_a_record_that_cannot_be_had_leaves_no_file(arena, over, tmp_path):
    out = tmp_path / "m9.jsonl"
    assert "m9" in arena("record", "get", f"{over}-m9", "-o", str(out), status=4).stderr
    assert list(tmp_path.glob("*m9*")) == []
