"""A match from the inbox to its result."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

from euchre_arena.rules import action_text
from euchre_arena.rules.turn import Table, Turn

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
    # Each plays two seats of every game, which is one game for all that.
    assert ada.stats.games_started == ada.stats.games_ended == bob.stats.games_ended == 10
    assert ada.stats.games_won + bob.stats.games_won == 10
    await until(lambda: ada.stats.matches_ended == 1, "the end is heard of")


class Lingering(Bold):
    """Plays the first two games; decides nothing in the others until told to."""

    def __init__(self) -> None:
        self.late: set[int] = set()
        self.go_on = asyncio.Event()

    def game_started(self, table: Table) -> None:
        if table.game_number >= 2:
            self.late.add(table.game)

    async def act(self, turn: Turn) -> str:  # type: ignore[override]  # authors may do either
        if turn.game in self.late:
            await self.go_on.wait()
        return super().act(turn)


async def test_games_are_counted_as_they_end(rig: Rig) -> None:
    await rig.start()
    bot = Lingering()
    rig.play("ada", bot)
    rig.play("bob", Bold())
    (match,) = rig.order("ada", "bob", match_format={"games": 4})
    await rig.place(match)

    def games() -> int:
        return rig.store.tournaments.get("cup1").progress.games

    await until(lambda: games() == 2, "two games of the match under way are counted")
    assert rig.store.tournaments.get("cup1").progress.finished == 0
    bot.go_on.set()
    await rig.finished(match)
    assert games() == 4


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
