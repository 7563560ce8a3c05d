"""A wall clock that jumps: the referee's time is the monotonic one."""

from __future__ import annotations

import time

import pytest

from tests.referee.rig import Calm, Rig, until

DAY_S = 86_400.0


@pytest.mark.chaos
async def test_the_wall_clock_jumps(rig: Rig, monkeypatch: pytest.MonkeyPatch) -> None:
    """A day ahead, two back, and so on at every look: no bot is late, no lease lapses."""
    looks = 0
    now, now_ns = time.time, time.time_ns

    def jump() -> float:
        nonlocal looks
        looks += 1
        return DAY_S if looks % 2 else -DAY_S

    await rig.start(lease_ms=30_000)
    seen = [rig.play(name, Calm()) for name in ("ada", "bob")]
    clock = {"move_time_ms": 20_000, "bank_ms": 10_000, "disconnect_grace_ms": 50_000}
    (match,) = rig.order("ada", "bob", match_format={"games": 4}, clock=clock)
    await rig.place(match)
    await until(lambda: all(each.stats.decisions > 20 for each in seen), "they play")
    monkeypatch.setattr(time, "time", lambda: now() + jump())
    monkeypatch.setattr(time, "time_ns", lambda: now_ns() + int(jump() * 1e9))
    third = rig.play("cyd", Calm())  # who comes meanwhile is told a wild time, and plays
    await rig.finished(match)
    await until(lambda: third.stats.connections, "another bot comes in")
    assert looks > 0
    (other,) = rig.order("ada", "cyd", match_format={"games": 2}, clock=clock)
    await rig.place(other)
    await rig.finished(other)
    assert rig.info(match).attempts == rig.info(other).attempts == 1
    assert rig.result(match)["faults"] == rig.result(other)["faults"] == [{}, {}]
    assert [each.losses for each in (*seen, third)] == [[], [], []]
