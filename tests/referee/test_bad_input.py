"""Bad input (issue 2): a clear error that names the cause; nothing changes, nobody is disturbed.

`neighbours` are two bots in a match of their own on the same referee; it checks after every test
that they went on without a fault and without a broken connection.
"""

from __future__ import annotations

import asyncio
from typing import Any

import grpc
import pytest
from euchre_arena.rules.actions import Kind
from euchre_arena.wire import pb

from arena.referee.service import DOMAIN
from arena.store.types import Role
from tests.referee.rig import Neighbours, RawBot, Rig, until

pytestmark = pytest.mark.usefixtures("neighbours")

Code = grpc.StatusCode


@pytest.fixture
async def bots(rig: Rig, neighbours: Neighbours) -> tuple[RawBot, RawBot]:
    """Two bots of raw frames in a match of one game."""
    mia, max_ = await rig.bot("mia"), await rig.bot("max")
    (match,) = rig.order("mia", "max", match_format={"games": 1})
    await rig.place(match)
    return mia, max_


async def to_move(bots: tuple[RawBot, RawBot]) -> tuple[RawBot, RawBot, pb.Turn]:
    """Who is asked first, the other one, and the turn."""
    asked = {asyncio.ensure_future(bot.turn()): bot for bot in bots}
    done, waiting = await asyncio.wait(asked, return_when=asyncio.FIRST_COMPLETED)
    for task in waiting:
        task.cancel()
    await asyncio.gather(*waiting, return_exceptions=True)
    first = done.pop()
    other = next(bot for task, bot in asked.items() if task is not first)
    return asked[first], other, first.result()


def rejection(frame: pb.PlayResponse) -> pb.TurnRejected:
    assert len(frame.rejections) == 1
    return frame.rejections[0]


def told(frame: pb.PlayResponse) -> bool:
    return bool(frame.rejections)


async def test_a_malformed_frame_ends_the_stream_with_its_name(rig: Rig) -> None:
    bot = await rig.bot("mia")
    await bot.send()
    await bot.call.write(b"\xff\xff not a frame")
    code, text, info = await bot.status()
    assert code is Code.INVALID_ARGUMENT
    assert text.startswith("frame 3 of this stream (14 bytes) is no PlayRequest")
    assert (info.reason, info.domain) == ("MALFORMED_FRAME", DOMAIN)


async def test_a_malformed_first_frame(rig: Rig) -> None:
    bot = RawBot(rig.referee.address, "")
    await bot.call.write(b"\xff\xff not a frame")
    code, text, _ = await bot.status()
    assert (code, text[:22]) == (Code.INVALID_ARGUMENT, "frame 1 of this stream")
    await bot.close()


@pytest.mark.parametrize(
    ("hello", "code", "reason", "names"),
    [
        ({"protocol": 2}, Code.INVALID_ARGUMENT, "PROTOCOL", "Hello.protocol 2"),
        ({"capacity": 0}, Code.INVALID_ARGUMENT, "MALFORMED_FRAME", "Hello.capacity"),
        ({"token": "wrong"}, Code.UNAUTHENTICATED, "TOKEN", "not known"),
        ({"token": ""}, Code.UNAUTHENTICATED, "TOKEN", "not known"),
        ({"token": "x" * 10_000}, Code.UNAUTHENTICATED, "TOKEN", "not known"),
    ],
)
async def test_a_hello_that_is_no_good(
    rig: Rig, hello: dict[str, Any], code: grpc.StatusCode, reason: str, names: str
) -> None:
    bot = RawBot(rig.referee.address, rig.token("mia"))
    await bot.hello(**hello)
    got, text, info = await bot.status()
    assert (got, info.reason) == (code, reason)
    assert names in text
    assert "x" * 100 not in text
    await bot.close()


async def test_the_first_frame_must_carry_hello(rig: Rig) -> None:
    bot = RawBot(rig.referee.address, rig.token("mia"))
    await bot.send(answers=[pb.Answer(game=1, turn=1)])
    code, text, _ = await bot.status()
    assert code is Code.INVALID_ARGUMENT
    assert "the first frame must carry Hello" in text
    await bot.close()


async def test_a_second_hello(rig: Rig) -> None:
    bot = await rig.bot("mia")
    await bot.hello()
    code, text, _ = await bot.status()
    assert (code, text) == (
        Code.INVALID_ARGUMENT,
        "frame 2: Hello belongs into the first frame only",
    )


async def test_an_organizers_token_does_not_play(rig: Rig) -> None:
    token = rig.store.tokens.issue(Role.ORGANIZER, "olga")
    bot = RawBot(rig.referee.address, token)
    await bot.hello()
    code, text, info = await bot.status()
    assert (code, info.reason) == (Code.PERMISSION_DENIED, "NOT_A_BOT")
    assert "a bot's token is needed" in text
    await bot.close()


async def test_a_revoked_token_ends_the_stream(rig: Rig) -> None:
    bot = await rig.bot("mia")
    await asyncio.to_thread(rig.store.bots.revoke, "mia")
    code, text, _ = await bot.status()
    assert (code, text) == (Code.UNAUTHENTICATED, "the token of mia is void now")


async def test_a_stream_beyond_the_bots_limit(rig: Rig) -> None:
    streams = [await rig.bot("mia") for _ in range(rig.referee.config.streams_per_bot)]
    beyond = RawBot(rig.referee.address, rig.token("mia"))
    await beyond.hello()
    code, text, info = await beyond.status()
    assert (code, info.reason) == (Code.RESOURCE_EXHAUSTED, "LIMIT")
    assert dict(info.metadata) == {"limit": "streams_per_bot", "value": "4"}
    assert "bot mia has as many streams as it may" in text
    await beyond.close()
    # The others are still good, and one that ends makes room.
    await streams[0].close()
    await until(lambda: len(rig.referee.roster.of("mia")) == 3, "the ended stream is forgotten")
    await rig.bot("mia")


async def test_a_message_of_ten_megabytes(rig: Rig, bots: tuple[RawBot, RawBot]) -> None:
    bot, _other, turn = await to_move(bots)
    await bot.call.write(b"\0" * 10_000_000)
    code, text, _ = await bot.status()
    assert code is Code.RESOURCE_EXHAUSTED
    assert "larger than max" in text
    # The bot may come back to its game, which has not changed.
    again = await rig.bot("mia" if bot.token == rig.token("mia") else "max")
    assert (await again.turn()).SerializeToString() == turn.SerializeToString()


async def test_an_unknown_game(bots: tuple[RawBot, RawBot]) -> None:
    bot, _, turn = await to_move(bots)
    await bot.send(answers=[pb.Answer(game=turn.game ^ 1, turn=turn.turn)])
    said = rejection(await bot.until(told))
    assert (said.game, said.reason) == (turn.game ^ 1, pb.REJECT_REASON_UNKNOWN_GAME)
    assert f"{turn.game ^ 1:#x}" in said.detail


async def test_another_bots_game_is_unknown(bots: tuple[RawBot, RawBot]) -> None:
    _, other, turn = await to_move(bots)
    await other.send(answers=[pb.Answer(game=turn.game, turn=turn.turn)])
    said = rejection(await other.until(told))
    assert said.reason == pb.REJECT_REASON_UNKNOWN_GAME


async def test_a_stale_answer_names_the_turn_that_is_open(bots: tuple[RawBot, RawBot]) -> None:
    bot, _, turn = await to_move(bots)
    await bot.answer(turn, turn=turn.turn + 7)
    said = rejection(await bot.until(told))
    assert (said.reason, said.turn) == (pb.REJECT_REASON_STALE, turn.turn + 7)
    assert said.current_turn == turn.turn


async def test_a_repeated_answer_is_ignored(rig: Rig, bots: tuple[RawBot, RawBot]) -> None:
    bot, other, turn = await to_move(bots)
    answer = pb.Answer(game=turn.game, turn=turn.turn, choice=0)
    changed = pb.Answer(game=turn.game, turn=turn.turn, choice=1)
    await bot.send(answers=[answer, changed])
    following = await other.turn()
    # The first counts: it passed.
    assert list(following.history) == [turn.seat << 16 | Kind.PASS << 10]
    assert not any(map(told, bot.seen))
    counted = rig.metrics.registry.get_sample_value(
        "euchre_arena_answers_rejected_total", {"reason": "duplicate"}
    )
    assert counted == 1


@pytest.mark.parametrize(
    ("answer", "reason", "detail"),
    [
        ({"action": pb.Answer().action}, pb.REJECT_REASON_MALFORMED, "no action"),
        ({"choice": 99}, pb.REJECT_REASON_MALFORMED, "choice 99 of 3"),
        ({"action": {"kind": 3, "suit": 3}}, pb.REJECT_REASON_ILLEGAL, "wrong-phase"),
        ({"action": {"kind": 13, "cards": [1]}}, pb.REJECT_REASON_ILLEGAL, "wrong-phase"),
    ],
)
async def test_an_illegal_action_changes_nothing(
    bots: tuple[RawBot, RawBot], answer: dict[str, Any], reason: int, detail: str
) -> None:
    bot, other, turn = await to_move(bots)
    await bot.send(answers=[pb.Answer(game=turn.game, turn=turn.turn, **answer)])
    said = rejection(await bot.until(told))
    assert (said.reason, said.detail) == (reason, detail)
    assert said.current_turn == turn.turn
    # The same turn may still be answered, and nobody else heard of it.
    await bot.answer(turn)
    following = await other.turn()
    assert list(following.history) == [turn.seat << 16 | Kind.PASS << 10]
    assert not any(map(told, other.seen))


async def test_the_fourth_illegal_action_forfeits_that_game_only(
    rig: Rig, bots: tuple[RawBot, RawBot]
) -> None:
    bot, other, turn = await to_move(bots)
    for _ in range(4):
        await bot.answer(turn, choice=99)
    ended = await bot.until(lambda frame: frame.games_ended)
    assert {(game.won, game.fault) for game in ended.games_ended} == {(False, "forfeit")}
    ended = await other.until(lambda frame: frame.games_ended)
    assert {(game.won, game.fault) for game in ended.games_ended} == {(True, "forfeit")}


async def test_a_flood_of_answers_ends_the_stream(rig: Rig, bots: tuple[RawBot, RawBot]) -> None:
    bot, _other, _ = await to_move(bots)
    flood = [pb.Answer(game=1, turn=1)] * 12_000
    await bot.send(answers=flood)
    code, text, info = await bot.status()
    assert code is Code.RESOURCE_EXHAUSTED
    assert info.metadata["limit"] == "unmatched_answers"
    assert "too many answers" in text


@pytest.mark.parametrize("settings", [{"handshake_ms": 2_000}])
async def test_a_handshake_that_takes_too_long(rig: Rig) -> None:
    bot = RawBot(rig.referee.address, rig.token("mia"))
    await bot.call.wait_for_connection()
    code, _, info = await bot.status()
    assert code is Code.RESOURCE_EXHAUSTED
    assert info.metadata["limit"] == "handshake_ms"
    await bot.close()


async def test_too_many_handshakes(rig: Rig) -> None:
    silent = [RawBot(rig.referee.address, "") for _ in range(rig.referee.config.handshakes)]
    for bot in silent:
        await bot.call.wait_for_connection()
    await until(
        lambda: rig.referee.admission.handshakes == len(silent), "all are at their handshakes"
    )
    beyond = RawBot(rig.referee.address, rig.token("mia"))
    await beyond.hello()
    code, _, info = await beyond.status()
    assert (code, info.metadata["limit"]) == (Code.RESOURCE_EXHAUSTED, "handshakes")
    for bot in [*silent, beyond]:
        await bot.close()
    await until(lambda: rig.referee.admission.handshakes == 0, "they are forgotten")
    await rig.bot("mia")
