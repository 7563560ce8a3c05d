"""A bot on a server that goes away, refuses, or talks nonsense, over real gRPC."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import grpc
import pytest
from euchre_arena import Turn
from euchre_arena.client import (
    AddressError,
    AuthError,
    ClientError,
    RefusedError,
    UnreachableError,
    connect,
)
from euchre_arena.client.errors import LostError, verdict
from euchre_arena.wire import pb

from tests.sdk.playing import DEADLINE_S, First, Log, Slow, play, serving, until
from tests.sdk.stub import Refusal, Stub

CERTIFICATES = Path(__file__).parent / "certificates"


async def test_goes_on_where_it_was_when_the_server_comes_back() -> None:
    read = 0

    def break_off(stub: Stub) -> bool:
        nonlocal read
        read += 1
        return read in (2, 5)

    bot = Slow()
    async with serving(Stub(games=20, batch=7, break_off=break_off)) as stub:
        stats = await play(stub, bot, log := Log(), lambda: len(bot.ended) == 80)
    assert [hello.resume_token for hello in stub.hellos] == ["", "again", "again"]
    assert stats.connections == 3
    # A frame that was read and not dealt with is answered again from memory, not thought about.
    assert set(bot.asked.values()) == {1}
    lost = (
        rf"lost {stub.address} \(UNAVAILABLE: gone\); trying again, games go on when it is back\n"
    )
    back = rf"back at {stub.address} after \d+\.\d s \(session s1\)\n"
    assert re.fullmatch(rf"connected to .*\nwarning: asked for .*\n({lost}{back}){{2}}", log.text)
    assert len(bot.started) == 80


async def test_waits_for_a_server_that_went_away() -> None:
    bot = Slow()
    log = Log()
    stop = asyncio.Event()
    stub = Stub(games=60)
    await stub.start()
    playing = asyncio.create_task(connect(bot, stub.address, "token", reporter=log, stop=stop))
    await until(lambda: len(stub.answered) > 30)
    await stub.stop()
    await until(lambda: f"lost {stub.address}" in log.text)
    await stub.start()
    await until(stub.done.is_set)
    stop.set()
    await asyncio.wait_for(playing, DEADLINE_S)
    await stub.stop()
    assert stub.streams == 2
    assert set(bot.asked.values()) == {1}


@pytest.mark.parametrize(
    ("code", "kind", "cure"),
    [
        (grpc.StatusCode.UNAUTHENTICATED, AuthError, "--token-file"),
        (grpc.StatusCode.UNAUTHENTICATED, AuthError, "`arena bot register NAME` where the bot is"),
        (grpc.StatusCode.PERMISSION_DENIED, AuthError, "arena bot register"),
        (grpc.StatusCode.RESOURCE_EXHAUSTED, RefusedError, "end the other process"),
        (grpc.StatusCode.INVALID_ARGUMENT, RefusedError, "pip install --upgrade"),
    ],
)
async def test_a_refusal_ends_it_with_the_cure(
    code: grpc.StatusCode, kind: type[ClientError], cure: str
) -> None:
    async with serving(Stub(refuse=lambda hello: (code, "because"))) as stub:
        with pytest.raises(kind, match="because") as caught:
            await connect(First(), stub.address, "token", reporter=Log())
    assert cure in str(caught.value)
    assert len(stub.hellos) == 1


@asynccontextmanager
async def tls(host: str) -> AsyncIterator[str]:
    """A server with the tests' certificate, which is for localhost and 127.0.0.1; its address."""
    key, certificate = (CERTIFICATES / name for name in ("server.key", "server.pem"))
    credentials = grpc.ssl_server_credentials([(key.read_bytes(), certificate.read_bytes())])
    server = grpc.aio.server()
    port = server.add_secure_port(f"{host}:0", credentials)
    await server.start()
    yield f"{host}:{port}"
    await server.stop(None)


async def refused(address: str, ca: str) -> str:
    """What a bot that would try for ever ends with."""
    with pytest.raises(AddressError) as caught:
        async with asyncio.timeout(DEADLINE_S):
            await connect(First(), address, "token", ca=str(CERTIFICATES / ca), reporter=Log())
    return str(caught.value)


async def test_a_certificate_that_is_not_trusted_ends_it() -> None:
    async with tls("127.0.0.1") as address:
        said = await refused(address, "other.pem")
    assert "not trusted (self signed certificate)" in said
    assert "--ca FILE" in said


async def test_a_certificate_for_another_name_ends_it() -> None:
    async with tls("127.0.0.2") as address:
        said = await refused(address, "server.pem")
    assert "for another name" in said
    assert "--server" in said


async def test_a_server_without_tls_ends_it_where_tls_was_asked_for() -> None:
    async with serving(Stub()) as stub:
        said = await refused(stub.address, "server.pem")
    assert "does not speak TLS" in said
    assert "--insecure" in said


async def test_a_server_of_something_else_ends_it() -> None:
    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read(1)
        writer.write(b"HTTP/1.1 400 Bad Request\r\n\r\n")
        await writer.drain()
        writer.close()

    server = await asyncio.start_server(answer, "127.0.0.1", 0)
    async with server, asyncio.timeout(DEADLINE_S):
        address = f"127.0.0.1:{server.sockets[0].getsockname()[1]}"
        with pytest.raises(RefusedError, match="no gRPC: is this the referee's address"):
            await connect(First(), address, "token", reporter=Log())


@pytest.mark.parametrize(
    ("details", "said"),
    [
        (
            "errors resolving nosuch.invalid:7600: [field:hostname lookup error:address lookup "
            "failed for nosuch.invalid:7600: Domain name not found]",
            "no server there, is it running? Domain name not found; is the name right, and is "
            "there a network?",
        ),
        (
            "failed to connect to all addresses; last error: UNAVAILABLE: ipv4:127.0.0.1:1: Socket "
            "closed",
            "a server is there and hangs up: most likely it speaks TLS. Leave out --insecure, and "
            "name its certificate with --ca FILE unless the system trusts it (Socket closed)",
        ),
        (
            "failed to connect to all addresses; last error: UNKNOWN: ipv4:127.0.0.1:1: Failed to "
            "connect to remote host: Connection refused",
            "no server there, is it running? Connection refused",
        ),
    ],
)
def test_what_may_pass_is_tried_again_with_the_likely_cause(details: str, said: str) -> None:
    found = verdict(grpc.StatusCode.UNAVAILABLE, details, had_session=False)
    assert isinstance(found, LostError)
    assert str(found) == said


async def test_a_server_with_tls_is_tried_again_in_the_clear_and_tls_named_at_once() -> None:
    log = Log()
    async with tls("127.0.0.1") as address:
        with pytest.raises(UnreachableError):
            await connect(First(), address, "t", insecure=True, give_up_s=4, reporter=log)
    first, *_ = log.text.splitlines()
    assert first.startswith(
        f"not connected to {address} (a server is there and hangs up: most likely it speaks TLS."
    )
    assert len(log.causes) > 1


async def test_a_limit_met_by_our_own_old_stream_is_waited_for() -> None:
    def refuse(hello: pb.Hello) -> tuple[grpc.StatusCode, str] | None:
        return (grpc.StatusCode.RESOURCE_EXHAUSTED, "1 stream") if len(stub.hellos) == 2 else None

    stub = Stub(games=4, refuse=refuse, break_off=lambda stub: stub.streams == 1)
    async with serving(stub):
        await play(stub, First(), log := Log())
    assert len(stub.hellos) == 3
    assert log.causes[1:] == ["RESOURCE_EXHAUSTED: 1 stream"]


async def test_a_session_another_process_took_is_not_fought_for() -> None:
    def refuse(hello: pb.Hello) -> tuple[grpc.StatusCode, str] | None:
        taken = hello.resume_token and len(stub.hellos) == 2
        return (grpc.StatusCode.ABORTED, "taken over") if taken else None

    stub = Stub(games=4, refuse=refuse, break_off=lambda stub: stub.streams == 1)
    async with serving(stub):
        await play(stub, First(), Log())
    assert [hello.resume_token for hello in stub.hellos] == ["", "again", ""]


async def test_gives_up_when_told_to() -> None:
    with pytest.raises(UnreachableError, match=r"127\.0\.0\.1:1 did not answer for 0\.2 s"):
        await connect(First(), "127.0.0.1:1", "token", give_up_s=0.2, reporter=Log())


async def test_a_frame_that_is_none_breaks_the_stream_only() -> None:
    class Mumbling(Stub):
        async def _play(self, requests: object, context: object) -> None:
            if not self.hellos:
                self.hellos.append(pb.Hello())
                await context.read()  # type: ignore[attr-defined]  # grpc's context
                await context.write(b"\xff\xff\xff\xff")  # type: ignore[attr-defined]  # likewise
                return
            await super()._play(requests, context)

    async with serving(Mumbling(games=2)) as stub:
        await play(stub, First(), log := Log())
    assert "what is no frame" in log.text


async def test_what_the_server_says_is_passed_on() -> None:
    def say(stub: Stub, frame: int) -> pb.PlayResponse | None:
        notices = {2: pb.Notice(warning="clocks are short"), 3: pb.Notice(draining=True)}
        return pb.PlayResponse(notice=notices[frame]) if frame in notices else None

    async with serving(Stub(games=4, extra=say)) as stub:
        await play(stub, First(), log := Log())
    assert "warning: from the server: clocks are short" in log.text
    assert "about to stop; this bot will reconnect" in log.text


async def test_answers_summons() -> None:
    async with serving(Stub(games=6)) as other:

        def summon(stub: Stub, frame: int) -> pb.PlayResponse | None:
            summons = pb.Summons(address=other.address, ticket="ticket-7")
            return pb.PlayResponse(notice=pb.Notice(summons=summons)) if frame in (1, 2) else None

        async with serving(Stub(games=6, extra=summon)) as home:
            await play(home, First(), Log(), other.done.is_set)
    (hello,) = other.hellos
    assert (hello.token, hello.resume_token) == ("ticket-7", "")


async def test_comes_back_to_another_referee_with_the_newest_ticket() -> None:
    """It was started again meanwhile, and knows no tickets of before."""
    known = ["ticket-1"]

    def refuse(hello: pb.Hello) -> Refusal | None:
        return None if hello.token in known else (grpc.StatusCode.UNAUTHENTICATED, "not known")

    async with serving(Stub(games=40, batch=1, refuse=refuse)) as other:
        to_say = [pb.Summons(address=other.address, ticket="ticket-1")]

        def say(stub: Stub, frame: int) -> pb.PlayResponse | None:
            return pb.PlayResponse(notice=pb.Notice(summons=to_say.pop())) if to_say else None

        async with serving(Stub(games=4000, batch=1, extra=say)) as home:
            playing = asyncio.create_task(play(home, First(), Log(), over=other.done.is_set))
            await until(lambda: other.streams)
            await other.stop()
            known[:] = ["ticket-2"]
            to_say.append(pb.Summons(address=other.address, ticket="ticket-2"))
            await until(lambda: not to_say)
            frames = len(home.frames)
            await until(lambda: len(home.frames) > frames + 2)
            await other.start()
            await playing
    assert (other.hellos[0].token, other.hellos[-1].token) == ("ticket-1", "ticket-2")


async def test_frames_stay_within_the_servers_limit() -> None:
    class Together(First):
        """Answers nothing until everything was asked, then all of it at once."""

        def __init__(self) -> None:
            super().__init__()
            self.gate = asyncio.Event()

        async def act(self, turn: Turn) -> str:  # type: ignore[override]  # async is allowed
            self.asked[turn.game, turn.turn] += 1
            if len(self.asked) == 1500:
                self.gate.set()
            await self.gate.wait()
            return turn.legal[len(turn.legal) // 2]

    stub = Stub(games=1500, batch=1500, frame_bytes=16384)
    async with serving(stub):
        await play(stub, Together(), Log(), over=lambda: len(stub.answered) > 1500)
    assert max(stub.sizes) <= 16384
    assert max(len(frame.answers) for frame in stub.frames) > 600


async def test_games_of_rules_it_does_not_know_are_given_up_alone() -> None:
    def start(stub: Stub, frame: int) -> pb.PlayResponse | None:
        if frame != 1:
            return None
        game = pb.GameStarted(game=stub.table[0].handles[0], preset="hearts")
        return pb.PlayResponse(games_started=[game])

    # Announced again with a preset of the future, game 0 cannot be played; the rest can.
    stub = Stub(games=3, extra=start)
    async with serving(stub):
        await play(stub, First(), log := Log())
    assert "a game this library cannot play (there is no preset 'hearts'" in log.text


async def test_a_capacity_of_nothing_is_refused() -> None:
    with pytest.raises(ClientError, match="at least 1"):
        await connect(First(), "127.0.0.1:1", "token", capacity=0, reporter=Log())
