"""Every example of the SDK plays."""

from __future__ import annotations

import asyncio
import os
import sys
from pathlib import Path

import pytest
from euchre_arena import play_local
from euchre_arena.bots import HOUSE

from tests.referee.conftest import rig  # noqa: F401 - a fixture, by name
from tests.referee.rig import Rig
from tests.support.valkey import store, valkey  # noqa: F401 - fixtures, by name

EXAMPLES = Path(__file__).parents[2] / "sdk" / "examples"
BOTS = {"first": "MyBot", "counting": "Counting", "aside": "Aside", "diary": "Diary"}


def test_every_example_is_known_here() -> None:
    assert {path.stem for path in EXAMPLES.glob("*.py")} == {*BOTS, "plain_protocol"}


@pytest.mark.parametrize("name", BOTS)
def test_an_example_plays_without_a_fault(name: str) -> None:
    bot = f"{EXAMPLES / name}.py:{BOTS[name]}"
    result = play_local([bot, "random"], match_format={"games": 6}, seed="examples")
    assert not result.faults, result.errors or result.faults
    assert sum(result.games) == 6


def test_counting_is_worth_it() -> None:
    bot = f"{EXAMPLES / 'counting.py'}:Counting"
    result = play_local([bot, "random"], match_format={"games": 40}, seed="examples")
    assert result.games[0] >= 30


async def test_the_protocol_without_the_sdk(rig: Rig) -> None:  # noqa: F811 - the fixture
    await rig.start()
    rig.play("bob", HOUSE["random"]())
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, str(EXAMPLES / "plain_protocol.py"), rig.referee.address),
        env={**os.environ, "EUCHRE_ARENA_TOKEN": rig.token("ada")},
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    (match,) = rig.order("ada", "bob", match_format={"games": 4})
    await rig.place(match)
    await rig.finished(match)
    out, err = await asyncio.wait_for(process.communicate(), 120)
    assert process.returncode == 0, err.decode()
    text = out.decode()
    assert "connected as ada" in text
    assert f"match {match} won by " in text
    assert "refused" not in text
    assert rig.result(match)["faults"] == [{}, {}]
