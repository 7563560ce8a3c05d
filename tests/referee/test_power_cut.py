"""What a power cut may take under ``appendfsync everysec``, shown on a copy of the append-only file
cut at its last fsync: attempts are voided and played again, no result that was told is lost."""

from __future__ import annotations

import shutil
import threading
from pathlib import Path

import pytest

from arena.store import Embedded, Store, journal
from arena.store.types import MatchState
from tests.referee.halls import sweeping
from tests.referee.rig import Bold, Rig, until


class Disk:
    """Knows how much of the append-only file was on the disk at the last fsync known of.

    An fsync is known of when the server says so (WAITAOF): then all that stood in the file before
    the question is there.
    """

    def __init__(self, folder: Path, store: Store) -> None:
        self.folder = folder
        self.synced = 0
        self._ask = store.durable
        self._lock = threading.Lock()

    def file(self) -> Path:
        (found,) = self.folder.glob("appendonlydir/*.incr.aof")
        return found

    def durable(self) -> bool:
        """As `Store.durable`, and remembers."""
        before = self.file().stat().st_size
        done = self._ask()
        assert done
        with self._lock:
            self.synced = max(self.synced, before)
        return done


@pytest.mark.slow
async def test_a_power_cut_takes_attempts_and_no_result(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Embedded(tmp_path / "before") as embedded:
        store = Store.connect(embedded.settings)
        disk = Disk(tmp_path / "before" / "valkey", store)
        monkeypatch.setattr(store, "durable", disk.durable)
        rig = Rig(store, tmp_path / "records")
        await rig.start(lease_ms=3000)
        players = [rig.play(name, Bold()) for name in ("ada", "bob")]
        (long,) = rig.order("ada", "bob", match_format={"games": 1000})
        async with sweeping(store):
            await until(lambda: players[0].stats.decisions > 100, "it is at play")
            short = rig.order("ada", "bob", matches=3)
            await rig.finished(*short)
            mark = players[0].stats.decisions + 400
            await until(lambda: players[0].stats.decisions > mark, "it goes on")
            assert rig.info(long).state is MatchState.PLAYING
        told = {match: rig.result(match) for match in short}
        assert disk.file().stat().st_size > disk.synced > 0
        shutil.copytree(tmp_path / "before" / "valkey", tmp_path / "after" / "valkey")
        cut = tmp_path / "after" / "valkey" / disk.file().relative_to(disk.folder)
        with cut.open("r+b") as file:
            file.truncate(disk.synced)
        await rig.close()
        store.close()

    # The machine is started again.
    other_boot = tmp_path / "boot_id"
    other_boot.write_text("after the power cut\n")
    monkeypatch.setattr(journal, "BOOT_ID", other_boot)
    with Embedded(tmp_path / "after") as embedded:
        store = Store.connect(embedded.settings)
        again = Rig(store, tmp_path / "records")
        again.tokens = rig.tokens
        try:
            for match in short:
                assert again.result(match) == told[match]
            await again.start(lease_ms=3000)
            for name in ("ada", "bob"):
                again.play(name, Bold())
            assert again.info(long).state is MatchState.PLAYING
            async with sweeping(store):
                await until(lambda: store.matches.attempts(long), "it is voided")
                (attempt,) = store.matches.attempts(long)
                assert "forgotten" in attempt["reason"]
                assert attempt["secret"]
                await until(lambda: again.info(long).attempts == 2, "it is played again")
            for match in short:
                assert again.result(match) == told[match]
                assert len(store.matches.attempts(match)) == 0
        finally:
            await again.close()
            store.close()
