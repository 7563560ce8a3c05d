"""Every record of a tournament refereed again, by the command anyone would use."""

from __future__ import annotations

import json
import os
import shlex
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple


class Verified(NamedTuple):
    """What refereeing the records again found."""

    records: int
    hands: int
    games: int
    wrong: tuple[str, ...]
    """For each record that is not as it should be, its name and why."""


def verify(records: Sequence[Path]) -> Verified:
    """Replay records on all processors."""
    parts = max(1, min(os.cpu_count() or 1, len(records)))
    running = [
        subprocess.Popen(
            [sys.executable, "-m", "euchre_arena.cli", "replay", "--json", *map(str, share)],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        for share in (records[part::parts] for part in range(parts))
        if share
    ]
    try:
        said = [process.communicate()[0] for process in running]
    except BaseException:
        for process in running:
            process.kill()
            process.wait()
        raise
    reports = [line for text in said for line in text.splitlines()]
    hands = games = 0
    wrong = []
    for line in reports:
        try:
            report = json.loads(line)
            bad = _wrong(report)
            hands += report["hands"]
            games += report["games"]
        except (ValueError, KeyError):
            bad = line
        if bad:
            wrong.append(bad)
    if len(reports) != len(records):
        wrong.append(f"{len(records)} records, {len(reports)} reports")
    return Verified(len(reports), hands, games, tuple(wrong))


def _wrong(report: dict[str, object]) -> str:
    if not report["ok"]:
        return f"{report['match']}: line {report['line']}: {report['error']}"
    if not report["finished"]:
        return f"{report['match']}: unfinished"
    return "" if report["deals_verified"] else f"{report['match']}: deals not verified"


def command(record: Path) -> str:
    """The line a reader types to referee a record again."""
    program = shutil.which("euchre-arena") or str(Path(sys.executable).with_name("euchre-arena"))
    if shutil.which("euchre-arena"):
        program = "euchre-arena"
    return f"{shlex.quote(short(Path(program)))} replay {shlex.quote(short(record))}"


def short(path: Path) -> str:
    """A path as seen from here, where it lies below."""
    if not path.is_absolute():
        return str(path)
    try:
        return str(path.relative_to(Path.cwd()))
    except ValueError:
        return str(path)
