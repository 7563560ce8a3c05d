"""The demo with its only referee killed three times on the way (issue 4): the same standings."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
from pathlib import Path

import pytest

from arena import lifeline
from tests.e2e.halls import BIN, environment, gone, holders, until

WORDS = (
    "--seed",
    "7",
    "--bots",
    "random,first,book,book?order=3",
    "--games",
    "40",
    "--cycles",
    "1",
)
KILLS = 3


def demo(data: Path, out: Path) -> subprocess.Popen[bytes]:
    with out.open("wb") as output, out.with_suffix(".log").open("wb") as log:
        return subprocess.Popen(
            [BIN / "arena", "demo", "--data", str(data), *WORDS],
            env=environment(data) | lifeline.variables(),
            cwd=data.parent,
            stdout=output,
            stderr=log,
        )


def referee(data: Path) -> int:
    """Its process."""
    found = (pid for pid, command in holders(data).items() if "arena.cli referee" in command)
    return next(found, 0)


def written(data: Path) -> int:
    """Bytes of records so far, of matches under way too."""
    sizes = 0
    for path in (data / "records").glob("demo/*.jsonl*"):
        with contextlib.suppress(FileNotFoundError):  # a part has just become its record
            sizes += path.stat().st_size
    return sizes


@pytest.mark.chaos
@pytest.mark.timeout(1000)
def test_killed_three_times_the_standings_are_the_same(tmp_path: Path) -> None:
    data, calm, killed = tmp_path / "demo", tmp_path / "calm", tmp_path / "killed"
    process = demo(data, calm)
    assert process.wait(400) == 0, calm.with_suffix(".log").read_text()
    whole = written(data)
    gone(data)

    process = demo(data, killed)
    said = killed.with_suffix(".log")
    dead = 0

    def at(share: float) -> int:
        """The referee, another than was killed before, when so much has been played."""
        assert process.poll() is None, said.read_text()
        pid = referee(data)
        # Before, the records of the undisturbed demo lie there.
        played = "demo running" in said.read_text() and written(data) > share * whole
        return pid if played and pid != dead else 0

    try:
        for kill in range(KILLS):
            dead = until(lambda kill=kill: at(0.15 + 0.2 * kill), "a referee plays", 200)
            os.kill(dead, signal.SIGKILL)
        assert process.wait(400) == 0, said.read_text()
    finally:
        process.kill()
        process.wait()
    assert (data / "logs" / "up.log").read_text().count("referee died (SIGKILL)") == KILLS
    assert killed.read_text() == calm.read_text()
    gone(data)
