"""Matches on the compiled modules beside the same on those as written; CI runs it on both.

Run on the sources as they are it says that two processes agree.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

from tests.deploy import played

ROOT = Path(__file__).resolve().parents[2]


def test_compiled_and_interpreted_give_the_same_bytes() -> None:
    """Every frame, record, journal row and checkpoint of the same matches, faults among them."""
    env = {**os.environ, "PYTHONSAFEPATH": "1", "PYTHONPATH": f"{ROOT / 'sdk/src'}:{ROOT}"}
    run = [sys.executable, "-m", "tests.deploy.played"]
    done = subprocess.run(run, cwd=ROOT, env=env, check=True, capture_output=True, timeout=240)
    written = json.loads(done.stdout)
    assert written.pop("from") == str(ROOT / "sdk/src/euchre_arena/rules/hand.py")
    assert played.digests() == written
