"""When checkpoints are made, and of what moment."""

from __future__ import annotations

import json

import pytest

from arena.referee import keeping
from arena.referee.keeping import packed
from arena.referee.recovery import counts_of, lines_of
from arena.tournament import GameScore
from tests.referee.rig import Rig, until
from tests.referee.test_capacity import match_of, play_until


async def test_what_is_counted_is_of_one_moment(rig: Rig) -> None:
    """It is written in a thread, while games go on ending."""
    mia, match = await match_of(rig, 30)
    hosted = rig.referee.engine.hosted[match]
    await play_until(mia, rig, match, 4)
    counted = hosted.counted()
    games = len(counted["games"])
    await play_until(mia, rig, match, games + 4)
    assert len(counted["games"]) == games


async def test_a_match_that_is_forfeited_piles_up_no_lines(
    rig: Rig, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No decision is made in it: they alone would never have a checkpoint made."""
    monkeypatch.setattr(keeping, "LINES", 100)
    mia, match = await match_of(rig, 12_000, disconnect_grace_ms=100)
    hosted = rig.referee.engine.hosted[match]
    await mia.close()
    await until(lambda: hosted.match.unsaved > 100, "games are forfeited")
    before, chunks = hosted.decisions, hosted.chunks
    await until(lambda: hosted.chunks > chunks or hosted.match.over, "a checkpoint is made")
    assert not hosted.match.over
    assert hosted.decisions == before
    await rig.finished(match)
    assert hosted.match.unsaved == 0
    await until(lambda: not hosted.games_over, "nothing of it is kept")


async def test_each_checkpoint_has_the_games_since_the_last(rig: Rig) -> None:
    """A match of a hundred thousand would write all of them again and again."""
    mia, match = await match_of(rig, 30)
    hosted = rig.referee.engine.hosted[match]
    found: list[GameScore] = []
    for games in (4, 8, 12):
        await play_until(mia, rig, match, games)
        found += hosted.counted()["games"]
    assert found == hosted.games_over


def test_a_checkpoint_of_an_earlier_release_is_read() -> None:
    """It had the games of all checkpoints in one place, and one of this release came after it."""
    before, since = [[0, [1], [3, 10]], [1, [0], [10, 2]]], [[2, [0, 1], [10, 10]]]
    fields = {"lines1": packed([]), "lines2": packed([])}
    state = {"chunks": 1, "games": before}
    assert counts_of(fields, state) == {"chunks": 1, "games": before, "counted": 0}
    fields["games2"] = packed([*before, *since])
    fields["waiting3"] = packed([[0, '{"line": "game"}'], [1, "00ff"]])
    fields["lines2"] = packed([[0, '{"line": "hand"}']])
    lines = [(0, '{"line": "hand"}'), (0, '{"line": "game"}'), (1, b"\x00\xff")]
    assert lines_of(fields, 3) == lines
    later = counts_of(fields, {"chunks": 2})
    assert later == {"chunks": 2, "games": [*before, *since], "counted": 3}


async def test_how_long_a_bot_was_away_goes_with_the_match(rig: Rig) -> None:
    """To another referee: else a bot could be away anew after each."""
    mia, match = await match_of(rig, 30)
    hosted = rig.referee.engine.hosted[match]
    await mia.close()
    await until(lambda: not rig.referee.roster.connected("mia"), "the loss is noticed")
    await rig.bot("mia", resume_token=mia.welcome.resume_token)
    game, seats = next(iter(hosted.games.items()))
    expected = [(seat.absences, seat.away_ns) for seat in seats]
    assert sorted(absences for absences, _ in expected) == [0, 0, 1, 1]
    assert all((away_ns > 0) == (absences > 0) for absences, away_ns in expected)

    said = json.loads(json.dumps(hosted.counted()))
    assert len(said["away"]) == 2 * len(hosted.games)
    del hosted.games[game]  # as at a referee that has no table of it yet
    hosted.count_on({**said, "decisions": hosted.decisions, "counted": 0})
    again = hosted.deal_in(game, hosted.entrants_in(game))
    assert [(seat.absences, seat.away_ns) for seat in again] == expected
    del said["away"]  # a checkpoint of an earlier release
    hosted.count_on({**said, "decisions": hosted.decisions, "counted": 0})
