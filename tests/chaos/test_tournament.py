"""A tournament in the worst of circumstances (issue 4): nothing lost, nobody wrongly charged."""

from __future__ import annotations

from pathlib import Path

import click
import pytest

from tests.chaos.cup import Scale, cup
from tests.chaos.judging import judge
from tests.chaos.trouble import Trouble

CI = Scale(cycles=8, faults=105, think_s=0.02)
SOAK = Scale(cycles=60, faults=1_000, think_s=0.06)


def play(folder: Path, seed: int, scale: Scale, capsys: pytest.CaptureFixture[str]) -> None:
    with cup(folder, seed, scale) as running:
        trouble = Trouble(running)
        trouble.run()
        running.finished(240)
        verdict = judge(running, trouble.charges)
        running.end()
    with capsys.disabled():
        click.echo(
            f"\nseed {seed}: {trouble.done} faults injected, {verdict.matches} matches, "
            f"lost {len(verdict.lost)}, doubled {len(verdict.doubled)}, "
            f"wrongly charged {len(verdict.wronged)}"
        )
        kinds = ", ".join(f"{times} {name}" for name, times in trouble.counts.most_common())
        charged = ", ".join(f"{times} {kind}" for kind, times in verdict.charged.items()) or "none"
        click.echo(
            f"  {kinds}; charged by right: {charged}; {verdict.voided} attempts voided; "
            f"{verdict.decisions} decisions shown and compared with the records"
        )
    assert verdict.sound, verdict
    assert trouble.done >= scale.faults


@pytest.mark.chaos
@pytest.mark.timeout(1100)
def test_nothing_is_lost_and_nobody_wrongly_charged(
    tmp_path: Path, seed: int, capsys: pytest.CaptureFixture[str]
) -> None:
    play(tmp_path, seed, CI, capsys)


@pytest.mark.soak
@pytest.mark.timeout(4 * 3600)
def test_the_same_for_long(tmp_path: Path, seed: int, capsys: pytest.CaptureFixture[str]) -> None:
    play(tmp_path, seed, SOAK, capsys)
