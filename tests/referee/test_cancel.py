"""A tournament cancelled while it plays: its games end, no other match notices."""

from __future__ import annotations

import logging

import pytest
from euchre_arena.match import Ask

from arena.store.types import MatchState
from tests.referee.rig import Bold, Neighbours, Rig, until


async def under_way(rig: Rig, match: str) -> None:
    await until(lambda: match in rig.referee.engine.hosted, "the match is under way")
    await until(lambda: rig.referee.engine.hosted[match].decisions > 20, "it plays")


@pytest.mark.usefixtures("neighbours")
async def test_cancelled_matches_disturb_no_other(
    rig: Rig, caplog: pytest.LogCaptureFixture
) -> None:
    """The fixture checks that the neighbours' match goes on."""
    seen = [rig.play("ada", Bold(), capacity=64), rig.play("bob", Bold(), capacity=64)]
    for _ in range(4):
        (match,) = rig.order("ada", "bob", match_format={"games": 5_000})
        await rig.place(match)
        await under_way(rig, match)
        rig.store.tournaments.cancel(f"cup{rig.tournaments}")
        await until(lambda match=match: match not in rig.referee.engine.hosted, "it is dropped")
        assert rig.info(match).state is MatchState.CANCELLED
    errors = [record for record in caplog.records if record.levelno >= logging.ERROR]
    assert not errors
    # An answer that was on its way is nobody's fault, and no author is told of it.
    assert [each.stats.rejections for each in seen] == [0, 0]


async def test_effects_of_a_dropped_match_reach_nobody(rig: Rig, neighbours: Neighbours) -> None:
    """Dropped between an answer and the end of the loop turn, which tells of both matches."""
    rig.play("ada", Bold())
    rig.play("bob", Bold())
    (match,) = rig.order("ada", "bob", match_format={"games": 5_000})
    await rig.place(match)
    await under_way(rig, match)
    engine = rig.referee.engine
    hosted, other = engine.hosted[match], engine.hosted[neighbours.match]
    engine.feed(hosted, [Ask(game, seat, turn) for game, seat, turn in hosted.match.open_turns()])
    engine.feed(other, [Ask(game, seat, turn) for game, seat, turn in other.match.open_turns()])
    engine.drop(hosted)
    await neighbours.go_on()


async def test_a_match_that_breaks_the_referee_is_given_up_alone(
    rig: Rig, neighbours: Neighbours, caplog: pytest.LogCaptureFixture
) -> None:
    rig.play("ada", Bold())
    rig.play("bob", Bold())
    (match,) = rig.order("ada", "bob", match_format={"games": 5_000})
    await rig.place(match)
    await under_way(rig, match)
    engine = rig.referee.engine
    engine.feed(engine.hosted[match], [Ask(999_999, 0, 1)])
    await until(lambda: rig.store.matches.attempts(match), "the attempt is voided")
    assert rig.store.matches.attempts(match)[0]["reason"] == "the referee failed"
    assert "the referee failed" in caplog.text
    await neighbours.go_on()
