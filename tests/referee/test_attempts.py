"""Attempts that end without a result: voided, published, played again; and nobody charged."""

from __future__ import annotations

import json

import pytest
from euchre_arena.rules.dealing import commitment
from euchre_arena.wire import pb

from arena.referee.hosted import VoidedError
from arena.store.types import MatchState
from tests.referee.rig import Bold, Neighbours, Rig, until
from tests.support.disk import full_disk


async def place_again(rig: Rig, match: str) -> None:
    """What `sweep` and `dispatch` do with a match that waits."""
    await until(lambda: rig.info(match).state is MatchState.SCHEDULED, "it waits again")
    await rig.place(match)


async def test_a_full_disk_voids_the_attempt_and_charges_nobody(
    rig: Rig, caplog: pytest.LogCaptureFixture
) -> None:
    await rig.start(record_retry_s=0.2)
    rig.play("ada", Bold())
    rig.play("bob", Bold())
    (match,) = rig.order("ada", "bob", match_format={"games": 20})
    with full_disk(2_000):
        await rig.place(match)
        await until(lambda: rig.store.matches.attempts(match), "the attempt is voided")
    (attempt,) = rig.store.matches.attempts(match)
    assert f"{match}.jsonl" in attempt["reason"]
    assert "File too large" in attempt["reason"]
    assert rig.store.matches.result(match) is None
    assert not list((rig.data / "records").glob("*/*"))
    errors = rig.metrics.registry.get_sample_value("euchre_arena_record_errors_total")
    assert errors == 1
    assert "File too large" in caplog.text
    # There is space again, and the match is played as if nothing had been.
    await place_again(rig, match)
    await rig.finished(match)
    assert rig.result(match)["faults"] == [{}, {}]
    assert rig.info(match).attempts == 2


@pytest.mark.usefixtures("neighbours")
async def test_a_record_that_cannot_be_written_disturbs_no_other_match(rig: Rig) -> None:
    folder = rig.data / "records" / "cup2"
    folder.parent.mkdir(exist_ok=True)
    folder.write_text("a file where the folder should be")
    rig.play("ada", Bold())
    rig.play("bob", Bold())
    (match,) = rig.order("ada", "bob")
    await rig.place(match)
    await until(lambda: rig.store.matches.attempts(match), "the attempt is voided")
    assert "File exists" in rig.store.matches.attempts(match)[0]["reason"]


async def test_every_seat_is_asked_for_a_nonce_and_the_record_holds_them(rig: Rig) -> None:
    await rig.start(entropy_ms=60_000)
    bots = [await rig.bot("mia"), await rig.bot("max")]
    (match,) = rig.order("mia", "max")
    await rig.place(match)
    nonces = {}
    for number, bot in enumerate(bots):
        frame = await bot.until(lambda frame: frame.entropy_wanted)
        assert len(frame.entropy_wanted) == 2
        for wanted in frame.entropy_wanted:
            assert wanted.wait_ms == 60_000
            assert wanted.commitment.hex() == rig.info(match).commitment
            nonces[wanted.game] = bytes([number, wanted.game & 255]) * 16
        short = pb.Entropy(game=frame.entropy_wanted[0].game, nonce=b"short")
        await bot.send(entropy=[short])
        warned = await bot.until(lambda frame: frame.notice.warning)
        assert "5 bytes, 32 are needed" in warned.notice.warning
        sent = [pb.Entropy(game=w.game, nonce=nonces[w.game]) for w in frame.entropy_wanted]
        await bot.send(entropy=sent)
    seats = {}
    for bot in bots:
        frame = await bot.until(lambda frame: frame.games_started)
        seats.update({each.seat: each.game for each in frame.games_started})
    # The handles it sent for are those of the seats in the first game.
    for bot in bots:
        await bot.close()
    hosted = rig.referee.engine.hosted[match]
    assert hosted.match._nonces == tuple(nonces[seats[seat]] for seat in range(4))
    assert commitment(hosted.secret) == hosted.match.commitment


async def test_play_begins_without_the_nonces_that_do_not_come(rig: Rig) -> None:
    await rig.start(entropy_ms=2_000)
    mia = await rig.bot("mia")
    rig.play("bob", Bold())
    (match,) = rig.order("mia", "bob")
    await rig.place(match)
    await mia.play_on(lambda frame: frame.matches_ended)
    await rig.finished(match)
    first = (rig.data / "records" / rig.info(match).record).read_text().splitlines()[0]
    nonces = json.loads(first)["nonces"]
    assert [len(nonce) for nonce in nonces] == [0, 64, 0, 64]
    # One that comes too late is told so.
    wanted = next(w for frame in mia.seen for w in frame.entropy_wanted)
    await mia.send(entropy=[pb.Entropy(game=wanted.game, nonce=b"x" * 32)])
    warned = await mia.until(lambda frame: frame.notice.warning)
    assert "no match waits for it" in warned.notice.warning


async def test_a_bot_that_does_not_come_forfeits_the_pairing(rig: Rig) -> None:
    await rig.start()
    rig.play("bob", Bold())
    await until(lambda: rig.store.referees.homes("bob"), "bob is there")
    (match,) = rig.order("ada", "bob", match_format={"games": 4}, no_show_grace_s=0)
    await rig.place(match)
    await rig.finished(match)
    result = rig.result(match)
    assert result["winners"] == [1]
    assert result["won"] == [0, 4]
    assert result["faults"] == [{"disconnected": 4}, {}]
    record = (rig.data / "records" / rig.info(match).record).read_text()
    assert "ada did not come" in record


async def test_a_pairing_nobody_comes_to_has_no_winner(rig: Rig) -> None:
    await rig.start()
    (match,) = rig.order("ada", "bob", match_format={"games": 4}, no_show_grace_s=0)
    await rig.place(match)
    await rig.finished(match)
    assert rig.result(match)["winners"] == []
    assert rig.result(match)["won"] == [0, 0]


async def test_a_lost_lease_voids_the_attempt_at_once(rig: Rig) -> None:
    await rig.start(lease_ms=3_000)
    mia = await rig.bot("mia")
    rig.play("bob", Bold())
    (match,) = rig.order("mia", "bob")
    await rig.place(match)
    await mia.turn()
    hosted = rig.referee.engine.hosted[match]
    # As `sweep` does to a match whose referee does not move.
    assert rig.store.matches.release(hosted.lease, "taken away by the test")
    ended = await mia.until(lambda frame: frame.matches_ended)
    assert all(each.voided for each in ended.matches_ended)
    assert match not in rig.referee.engine.hosted
    (attempt,) = rig.store.matches.attempts(match)
    assert attempt["reason"] == "taken away by the test"


async def test_a_cancelled_tournament_ends_its_matches(rig: Rig, neighbours: Neighbours) -> None:
    mia = await rig.bot("mia")
    rig.play("bob", Bold())
    (match,) = rig.order("mia", "bob")
    await rig.place(match)
    await mia.turn()
    rig.store.tournaments.cancel("cup2")
    ended = await mia.until(lambda frame: frame.matches_ended)
    assert all(each.voided for each in ended.matches_ended)
    (session,) = rig.referee.roster.of("mia")
    assert (session.reserved, session.seats, session.matches) == (0, {}, {})


async def test_an_older_record_in_the_way_is_replaced_when_no_result_stands(rig: Rig) -> None:
    """A referee may die between its record and its result; the next attempt's record counts."""
    await rig.start()
    left = rig.data / "records" / "cup1" / "cup1-m0.jsonl"
    left.parent.mkdir(parents=True)
    left.write_text("of an attempt whose referee died\n")
    rig.play("ada", Bold())
    rig.play("bob", Bold())
    (match,) = rig.order("ada", "bob")
    await rig.place(match)
    await rig.finished(match)
    assert json.loads(left.read_text().splitlines()[0])["match"] == match


async def test_a_seeded_match_asks_for_no_nonce_and_deals_the_same_again(rig: Rig) -> None:
    await rig.start(entropy_ms=60_000)
    rig.play("ada", Bold())
    rig.play("bob", Bold())
    records = []
    for _ in range(2):
        (match,) = rig.order("ada", "bob", secret_seed="seven")
        await rig.place(match)
        await rig.finished(match)
        lines = (rig.data / "records" / rig.info(match).record).read_text().splitlines()
        records.append([json.loads(line) for line in lines])
    assert records[0][0]["seeded"] is True
    # The secret comes from the seed and the match's name.
    assert records[0][-1]["secret"] != records[1][-1]["secret"]


async def test_a_match_handed_over_is_gone_on_with_however_long_it_waits(
    rig: Rig, neighbours: Neighbours
) -> None:
    """Its old referee plays on and trims its journal, but not what the match still needs."""
    mia = await rig.bot("mia")
    rig.play("bob", Bold())
    (match,) = rig.order("mia", "bob", match_format={"games": 3})
    await rig.place(match)
    hosted = await until(lambda: rig.referee.engine.hosted.get(match), "it is hosted")
    await mia.play_on(lambda frame: hosted.decisions >= 10)
    hosted.void(VoidedError("as the test likes", handed_back=True))
    await until(lambda: rig.info(match).state is MatchState.SCHEDULED, "it waits")
    # A checkpoint of the neighbours' match, and long beyond it.
    there = rig.referee.engine.hosted[neighbours.match]
    mark = there.at + 200
    await until(lambda: there.at > mark, "the journal could be trimmed")
    await rig.place(match)
    await mia.play_on(lambda frame: frame.matches_ended)
    await rig.finished(match)
    assert rig.info(match).attempts == 1
    assert rig.store.matches.attempts(match) == []
    # Now it may.
    keeping = rig.referee.engine.keeping
    await until(lambda: keeping.oldest() > mark, "nothing holds the journal any more")
