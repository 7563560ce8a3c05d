"""A bot on a server, over real gRPC."""

from __future__ import annotations

import asyncio
from collections import Counter
from itertools import takewhile

import pytest
from euchre_arena import GameOutcome, MatchOutcome, Table, Turn
from euchre_arena.wire import pb

from tests.sdk.playing import First, Log, Slow, play, serving
from tests.sdk.stub import Stub


@pytest.mark.parametrize("bot", [First(), Slow()], ids=["plain", "async"])
async def test_plays_every_seat_of_every_game(bot: First) -> None:
    async with serving(Stub(games=40)) as stub:
        log = Log()
        stats = await play(stub, bot, log, lambda: len(bot.ended) == 160)
    assert len(bot.started) == 160
    assert bot.started[0].players == ("tester",) * 4
    assert sum(outcome.won for outcome in bot.ended) == 80
    assert stats.games_ended == stats.games_won == 40, "a game counts once"
    assert set(bot.asked.values()) == {1}
    assert stats.decisions == len(stub.answered) == len(bot.asked)
    assert (stats.crashes, stats.rejections, stats.connections) == (0, 0, 1)
    assert "connected to 127.0.0.1" in log.text


async def test_the_first_frame_says_who_it_is() -> None:
    class Choosy(First):
        capacity = 77
        presets = ("standard", "stick")

    async with serving(Stub(games=1)) as stub:
        await play(stub, Choosy(), log := Log())
    (hello,) = stub.hellos
    assert (hello.protocol, hello.token, hello.capacity) == (1, "token", 77)
    assert list(hello.presets) == ["standard", "stick"]
    assert hello.sdk.startswith("euchre-arena-python/")
    assert "asked for 77 games at once, granted 64" in log.text


async def test_frames_are_counted_and_acknowledged() -> None:
    async with serving(Stub(games=20)) as stub:
        await play(stub, Slow(), Log())
    numbers = [frame.frame for frame in stub.frames]
    assert numbers == list(range(2, len(numbers) + 2))
    acks = [frame.ack for frame in stub.frames]
    assert acks == sorted(acks)
    assert acks[0] >= 1


async def test_a_plain_act_answers_whole_batches() -> None:
    async with serving(Stub(games=64)) as stub:
        await play(stub, First(), Log())
    # The first frame asks all 64 games, and one frame answers them unless the machine is held up:
    # then what is decided goes out. One by one would be one a frame.
    sizes = [len(frame.answers) for frame in stub.frames if frame.answers]
    assert sum(sizes) / len(sizes) > 8, sizes


async def test_thoughts_that_end_apart_travel_together() -> None:
    class Scattered(First):
        async def act(self, turn: Turn) -> str:  # type: ignore[override]  # async is allowed
            for _ in range(turn.table.game_number % 64):
                await asyncio.sleep(0)
            return turn.legal[0]

    async with serving(Stub(games=64)) as stub:
        await play(stub, Scattered(), Log())
    # Sent one by one, 64 thoughts that end a turn of the loop apart would make as many frames.
    first = [len(frame.answers) for frame in stub.frames[:8]]
    assert sum(first) / len(first) > 4, first


async def test_slow_plain_acts_let_answers_go() -> None:
    class Heavy(First):
        def act(self, turn: Turn) -> str:
            until = asyncio.get_running_loop().time() + 0.003
            while asyncio.get_running_loop().time() < until:
                pass
            return super().act(turn)

    async with serving(Stub(games=8)) as stub:
        await play(stub, Heavy(), Log())
    assert len(stub.frames[0].answers) < 8
    # Not acknowledged before all of it was decided: what came then would wait for the bot.
    unacknowledged = list(takewhile(lambda frame: not frame.ack, stub.frames))
    first = stub.frames[: len(unacknowledged) + 1]
    assert len(unacknowledged) >= 1
    assert sum(len(frame.answers) for frame in first) == 8


async def test_randomness_is_given_when_asked_for() -> None:
    wanted = [pb.EntropyWanted(game=n, commitment=b"c" * 32, wait_ms=100) for n in (5, 6)]
    ask = lambda stub, frame: pb.PlayResponse(entropy_wanted=wanted) if frame == 1 else None
    async with serving(Stub(games=2, extra=ask)) as stub:
        await play(stub, First(), Log())
    given = [entropy for frame in stub.frames for entropy in frame.entropy]
    assert [entropy.game for entropy in given] == [5, 6]
    assert {len(entropy.nonce) for entropy in given} == {32}
    assert given[0].nonce != given[1].nonce


async def test_pings_are_answered() -> None:
    ping = lambda stub, frame: pb.PlayResponse(ping=41 + frame) if frame < 4 else None
    async with serving(Stub(games=2, extra=ping)) as stub:
        await play(stub, First(), Log())
    pongs = [frame.pong for frame in stub.frames if frame.pong]
    assert pongs == [42, 43, 44]


async def test_a_match_that_ends_is_told() -> None:
    end = pb.PlayResponse(
        matches_ended=[pb.MatchEnded(match=3, match_id="m-1", winners=["tester"], secret=b"s" * 32)]
    )
    bot = First()
    tell = lambda stub, frame: end if frame == 2 else None
    async with serving(Stub(games=3, extra=tell)) as stub:
        stats = await play(stub, bot, log := Log(), lambda: bool(bot.matches))
    assert bot.matches == [MatchOutcome(3, "m-1", ("tester",), b"s" * 32)]
    assert stats.matches_ended == 1
    assert "match m-1 is over, won by tester" in log.text


@pytest.mark.parametrize("aside", [False, True])
async def test_a_bot_that_fails_loses_that_game_alone(aside: bool) -> None:
    class Fragile(First):
        def act(self, turn: Turn) -> str:
            if turn.table.game_number == 3 and turn.phase == "play":
                raise ZeroDivisionError("no cards to divide")
            return super().act(turn)

    class FragileAside(Fragile):
        async def act(self, turn: Turn) -> str:  # type: ignore[override]  # async is allowed
            await asyncio.sleep(0)
            return super().act(turn)

    bot = FragileAside() if aside else Fragile()
    async with serving(Stub(games=12)) as stub:
        stats = await play(stub, bot, log := Log(), lambda: len(bot.ended) == 48)
    (crash,) = stub.crashed
    assert stub.by_handle[crash.game][0].number == 3
    assert "ZeroDivisionError: no cards to divide" in crash.detail
    assert "test_client.py" in crash.detail
    assert stats.crashes == 1
    assert Counter(outcome.fault for outcome in bot.ended) == {None: 44, "crashed": 4}
    assert "this game is forfeited, the others go on" in log.text
    assert 'raise ZeroDivisionError("no cards to divide")' in log.text
    assert "phase play" in log.text
    assert "legal    play" in log.text


async def test_many_failures_of_one_kind_are_shown_once_in_full() -> None:
    class Broken(First):
        def act(self, turn: Turn) -> str:
            raise KeyError("Jh")

    async with serving(Stub(games=30)) as stub:
        stats = await play(stub, Broken(), log := Log())
    assert stats.crashes == len(stub.crashed) == 30
    assert log.text.count("Traceback") == 1
    assert log.text.count("act failed again: KeyError: 'Jh'") == 29


async def test_what_is_no_answer_is_the_authors_to_mend() -> None:
    class Forgetful(First):
        def act(self, turn: Turn) -> str:
            return None  # type: ignore[return-value]  # what happens when an author does

    async with serving(Stub(games=1)) as stub:
        await play(stub, Forgetful(), log := Log())
    assert "act returned None; it returns one of turn.legal" in stub.crashed[0].detail
    assert "act returned None" in log.text


async def test_hooks_that_fail_cost_nothing() -> None:
    class Careless(First):
        def game_ended(self, table: Table, outcome: GameOutcome) -> None:
            super().game_ended(table, outcome)
            raise RuntimeError("no disk")

    bot = Careless()
    async with serving(Stub(games=4)) as stub:
        stats = await play(stub, bot, log := Log(), lambda: len(bot.ended) == 16)
    assert stats.crashes == 0
    assert stub.crashed == []
    assert "game_ended failed; the game goes on" in log.text


async def test_an_answer_refused_is_shown_and_asked_again() -> None:
    class Stubborn(First):
        def __init__(self) -> None:
            super().__init__()
            self.refusals: list[str | None] = []

        def act(self, turn: Turn) -> str:
            if turn.refusal is not None:
                self.refusals.append(turn.refusal)
            return super().act(turn)

    refused: set[int] = set()

    def reject(game: object, answer: pb.Answer) -> str | None:
        if answer.turn == 1 and answer.game not in refused:
            refused.add(answer.game)
            return "must-follow-suit"
        return None

    bot = Stubborn()
    async with serving(Stub(games=5, reject=reject)) as stub:
        stats = await play(stub, bot, log := Log())
    assert stub.rejected == stats.rejections == len(bot.refusals) > 0
    assert set(bot.refusals) == {"must-follow-suit"}
    assert "refused (illegal: must-follow-suit). The turn was:" in log.text
    assert "legal    pass" in log.text
