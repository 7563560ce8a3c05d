"""Four-handed rules now and at another revision, in one run: ``python -m bench --against REV``.

Processes of both take turns, so both meet the same machine; a shared one's speed changes from one
minute to the next, a ratio of medians of turns does so little. 2192ddd brought the auctions and
écarté, so ``--against 2192ddd^`` is against the engine that knew only games with a card turned up.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path
from statistics import median
from typing import NamedTuple

from bench.presets import Found

ROOT = Path(__file__).parents[1]
SOURCES = "sdk/src"
PRESETS = ("standard", "stick", "hoyle", "british", "canadian")


class Ratio(NamedTuple):
    """A preset at both revisions."""

    preset: str
    now: float
    then: float
    """Hands a second, medians."""
    same: bool
    """Both played the same hands to the same points."""

    @property
    def value(self) -> float:
        """How much faster it is now."""
        return self.now / self.then


class RevisionError(ValueError):
    """There is no such revision, or it has no rules; the message says what git said."""


def ratios(revision: str, hands: int, turns: int) -> list[Ratio]:
    """Measure both in turns. RevisionError."""
    with tempfile.TemporaryDirectory(prefix="euchre-bench-") as folder:
        _fetch(revision, folder)
        now, then = [], []
        for _ in range(turns):
            now.append(_measured(ROOT / SOURCES, hands))
            then.append(_measured(Path(folder) / SOURCES, hands))
    return [
        Ratio(
            preset,
            median(turn[preset].hands_s for turn in now),
            median(turn[preset].hands_s for turn in then),
            now[0][preset][1:] == then[0][preset][1:],
        )
        for preset in PRESETS
    ]


def _fetch(revision: str, folder: str) -> None:
    """The SDK's sources of a revision into a folder; the working tree stays as it is."""
    words = ["git", "archive", "--format=tar", f"{revision}^{{commit}}", SOURCES]
    packed = subprocess.run(words, cwd=ROOT, capture_output=True, check=False)
    if packed.returncode:
        raise RevisionError(f"{revision}: {packed.stderr.decode(errors='replace').strip()}")
    subprocess.run(["tar", "-x", "-C", folder], input=packed.stdout, check=True)


def _measured(sources: Path, hands: int) -> Mapping[str, Found]:
    """One process with these sources before all others."""
    done = subprocess.run(
        [sys.executable, "-m", "bench.presets", *PRESETS, "--hands", str(hands)],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(sources)},
        stdout=subprocess.PIPE,
        check=True,
    )
    return {name: Found(**each) for name, each in json.loads(done.stdout).items()}
