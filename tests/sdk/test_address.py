"""Addresses, certificates and token files."""

from __future__ import annotations

import asyncio
from itertools import islice
from pathlib import Path

import grpc
import pytest
from euchre_arena.client import AddressError, UnreachableError, connect, read_token
from euchre_arena.client.address import parse_server
from euchre_arena.client.link import FIRST_WAIT_S, LONGEST_WAIT_S, waits

from tests.sdk.playing import DEADLINE_S, First, Log, until
from tests.sdk.stub import Stub

CERTIFICATES = Path(__file__).parent / "certificates"


@pytest.mark.parametrize(
    ("address", "target", "tls"),
    [
        ("127.0.0.1:7600", "127.0.0.1:7600", False),
        ("127.0.0.1", "127.0.0.1:7600", False),
        ("localhost:9", "localhost:9", False),
        ("[::1]:7601", "[::1]:7601", False),
        ("::1", "[::1]:7600", False),
        ("arena.example.org:7600", "arena.example.org:7600", True),
        ("192.0.2.7", "192.0.2.7:7600", True),
        ("unix:/tmp/arena.sock", "unix:/tmp/arena.sock", False),
    ],
)
def test_addresses(address: str, target: str, tls: bool) -> None:
    server = parse_server(address)
    assert (server.target, server.tls) == (target, tls)


def test_another_machine_in_the_clear_only_when_told_so() -> None:
    assert not parse_server("arena.example.org:7600", insecure=True).tls


@pytest.mark.parametrize(
    ("address", "cause"),
    [
        ("", "is no address: write HOST:PORT"),
        ("host:", None),
        (":7600", "is no address"),
        ("host:http", "'http' is no port"),
        ("host:70000", "'70000' is no port"),
        ("http://host:7600", "is no address"),
        ("token@host", "is no address"),
    ],
)
def test_what_is_no_address(address: str, cause: str | None) -> None:
    if cause is None:
        assert parse_server(address).target == "host:7600"
        return
    with pytest.raises(AddressError, match=cause):
        parse_server(address)


def test_certificates_that_are_not_there() -> None:
    with pytest.raises(AddressError, match=r"nowhere\.pem: the certificates cannot be read"):
        parse_server("host", ca="nowhere.pem")
    with pytest.raises(AddressError, match="contradict"):
        parse_server("host", ca="nowhere.pem", insecure=True)


@pytest.mark.parametrize(
    "content", [b"", b"no certificate\n", (CERTIFICATES / "server.key").read_bytes()]
)
def test_files_that_hold_no_certificate(content: bytes, tmp_path: Path) -> None:
    file = tmp_path / "ca.pem"
    file.write_bytes(content)
    with pytest.raises(AddressError, match="there is no certificate in it"):
        parse_server("host", ca=str(file))


async def test_plays_over_tls() -> None:
    key, certificate = (CERTIFICATES / name for name in ("server.key", "server.pem"))
    credentials = grpc.ssl_server_credentials([(key.read_bytes(), certificate.read_bytes())])
    stub = Stub(games=3)
    await stub.start(credentials)
    try:
        stop = asyncio.Event()
        playing = asyncio.create_task(
            connect(
                *(First(), stub.address, "token"),
                ca=str(certificate),
                reporter=Log(),
                stop=stop,
            )
        )
        await until(stub.done.is_set)
        stop.set()
        await asyncio.wait_for(playing, DEADLINE_S)
        # In the clear the same port is of no use.
        with pytest.raises(UnreachableError):
            await connect(First(), stub.address, "token", give_up_s=0.2, reporter=Log())
    finally:
        await stub.stop()


def test_tokens(tmp_path: Path) -> None:
    file = tmp_path / "bot.token"
    file.write_text("  abc-DEF\n")
    file.chmod(0o600)
    assert read_token(file) == ("abc-DEF", None)
    file.chmod(0o640)
    token, warning = read_token(file)
    assert token == "abc-DEF"
    assert "can be read by others" in str(warning)
    assert "abc-DEF" not in str(warning)


@pytest.mark.parametrize(
    ("content", "cause"),
    [(b"", "holds one word"), (b"two words", "holds one word"), (b"\xff\xfe", "not plain text")],
)
def test_files_that_hold_no_token(content: bytes, cause: str, tmp_path: Path) -> None:
    file = tmp_path / "bot.token"
    file.write_bytes(content)
    with pytest.raises(AddressError, match=cause):
        read_token(file)


def test_attempts_come_less_often_but_within_a_servers_grace() -> None:
    pauses = list(islice(waits(), 20))
    assert FIRST_WAIT_S / 2 <= pauses[0] <= FIRST_WAIT_S
    assert LONGEST_WAIT_S / 2 <= pauses[-1] <= LONGEST_WAIT_S
    assert len(set(pauses)) == 20
