"""A store lost for good under a real arena: restored from its records, as the guide says."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from tests.e2e.halls import Hall, hall, until
from tests.support.tournaments import spec_text

BOTS = {"ada": "first", "bob": "random"}
HOLDS = """
import asyncio
from pathlib import Path
from euchre_arena import Bot

class Holds(Bot):
    "When it has played a match it answers nothing more until it may."

    folder, over = Path(__file__).parent, False

    async def act(self, turn):
        if self.over and not (self.folder / "may").exists():
            (self.folder / "held").touch()
            while not (self.folder / "may").exists():
                await asyncio.sleep(0.02)
        return turn.legal[-1]

    def match_ended(self, outcome):
        self.over = True
"""
pytestmark = [pytest.mark.slow, pytest.mark.timeout(600)]


def files(folder: Path) -> dict[str, bytes]:
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file()
    }


def finished(running: Hall) -> bool:
    (found,) = json.loads(running.arena("tournament", "list", "--json"))
    return bool(found["state"] == "TOURNAMENT_STATE_FINISHED")


def audited(running: Hall) -> None:
    assert json.loads(running.arena("audit", "--json"))["differences"] == []


def test_a_store_is_lost_and_restored_to_the_byte(tmp_path: Path) -> None:
    """While it plays the audit finds nothing either: what is under way is no difference."""
    data = tmp_path / "data"
    spec = tmp_path / "cup.toml"
    spec.write_text(spec_text([*BOTS, "cyd"], cycles=3, games=10, patient=True))
    holds = tmp_path / "holds.py"
    holds.write_text(HOLDS)
    with hall(data) as running:
        for name, bot in {**BOTS, "cyd": f"{holds}:Holds"}.items():
            running.bot(name, bot)
        running.arena("tournament", "create", str(spec), "--id", "cup", "--start")
        # A match is over, and another waits for cyd in the middle, for as long as it takes.
        until((tmp_path / "held").exists, "cyd holds a match up")
        audited(running)
        assert not finished(running)
        (tmp_path / "may").touch()
        while not finished(running):
            audited(running)
        before = running.arena("tournament", "standings", "cup", "--json")
        running.arena("tournament", "export", "cup", "-o", str(tmp_path / "before"))
        assert "0 differences" in running.arena("audit")
        kept = data / "records" / "cup" / "tournament.json"
        until(
            lambda: '"state": "finished"' in kept.read_text(), "the tournament's file has its end"
        )
    shutil.rmtree(data / "valkey")
    with hall(data) as running:
        assert json.loads(running.arena("tournament", "list", "--json")) == []
        said = running.arena("restore", "--from", str(data / "records"))
        assert said == "cup: finished, 9 of 9 results\n"
        assert running.arena("tournament", "standings", "cup", "--json") == before
        running.arena("tournament", "export", "cup", "-o", str(tmp_path / "after"))
        assert files(tmp_path / "after") == files(tmp_path / "before")
        assert "9 results, 9 records refereed again: 0 differences" in running.arena("audit")
