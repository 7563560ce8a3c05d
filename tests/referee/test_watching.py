"""A match of a real referee, watched over the admin services beside it."""

from __future__ import annotations

import asyncio
import json

from arena.admin.client import Admin, Told
from arena.admin.server import AdminConfig, running
from arena.store.types import Role
from tests.referee.rig import DEADLINE_S, Bold, Calm, Rig


async def test_all_hands_are_told(rig: Rig) -> None:
    await rig.start()
    rig.play("ada", Calm())
    rig.play("bob", Bold())
    (match,) = rig.order("ada", "bob", match_format={"games": 6})
    await rig.place(match)
    told: list[Told] = []
    config = AdminConfig(rig.data / "records", port=0)
    token = rig.store.tokens.issue(Role.OPERATOR, "ops")
    async with running(config, rig.store) as server:

        def watch() -> None:
            with Admin(server.address, token) as admin:
                told.extend(admin.watch_match(match, from_start=True))

        watching = asyncio.create_task(asyncio.to_thread(watch))
        await rig.finished(match)
        async with asyncio.timeout(DEADLINE_S):
            await watching
    record = (rig.data / "records" / rig.info(match).record).read_text().splitlines()
    lines = [json.loads(line) for line in record]
    hands = [line for line in lines if line["line"] == "hand"]
    ends = [line for line in lines if line["line"] == "game_result"]
    assert [list(each.score) for each in told if not each.game_over] == [h["score"] for h in hands]
    assert [each.game_number for each in told if each.game_over] == list(range(6))
    assert [list(each.winners) for each in told if each.game_over] == [e["winners"] for e in ends]
