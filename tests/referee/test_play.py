"""A match from the inbox to its result."""

from __future__ import annotations

import json
from pathlib import Path

from euchre_arena.rules import action_text

from tests.referee.rig import Bold, Rig, until


async def test_a_match_of_two_bots_is_played_recorded_and_its_result_written(
    rig: Rig, tmp_path: Path
) -> None:
    await rig.start()
    ada, bob = rig.play("ada", Bold()), rig.play("bob", Bold())
    (match,) = rig.order("ada", "bob", match_format={"games": 10, "duplicate": True})
    await rig.place(match)
    await rig.finished(match)
    result = rig.result(match)
    assert result["games"] == 10
    assert sum(result["units"]) == 5  # duplicate pairs
    assert sum(result["won"]) == 10
    assert result["faults"] == [{}, {}]
    assert rig.info(match).record == f"cup1/{match}.jsonl"
    lines = [
        json.loads(line)
        for line in (tmp_path / "records" / "cup1" / f"{match}.jsonl").read_text().splitlines()
    ]
    assert lines[0]["match"] == match
    assert lines[-1]["result"]["winners"] == result["winners"]
    assert lines[0]["commitment"] == rig.info(match).commitment
    # Each plays two seats of every game.
    assert ada.stats.games_ended == bob.stats.games_ended == 20
    await until(lambda: ada.stats.matches_ended == 2, "both seats heard of the end")


async def test_a_bot_that_asks_for_updates_sees_every_public_action(rig: Rig) -> None:
    await rig.start()
    mia = await rig.bot("mia", updates=True)
    rig.play("bob", Bold())
    (match,) = rig.order("mia", "bob")
    await rig.place(match)
    await mia.play_on(lambda frame: frame.matches_ended)
    await rig.finished(match)
    record = (rig.data / "records" / rig.info(match).record).read_text().splitlines()
    hands = [line for line in map(json.loads, record) if line["line"] == "hand"]
    handles = {each.game: each.seat for frame in mia.seen for each in frame.games_started}
    assert sorted(handles.values()) == [0, 2]
    for handle in handles:
        told: dict[int, list[str]] = {}
        for frame in mia.seen:
            for update in frame.updates:
                if update.game == handle:
                    told.setdefault(update.hand_number, []).extend(
                        action_text(entry & 0xFFFF) for entry in update.actions
                    )
        for hand in hands:
            shown = [text if "discard" not in text else "discard" for text in hand["actions"]]
            seen = [text if "discard" not in text else "discard" for text in told[hand["hand"]]]
            assert seen == shown
