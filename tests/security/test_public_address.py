"""No address other machines reach is listened on in the clear, unless told so in so many words."""

from __future__ import annotations

import socket
from pathlib import Path

import pytest
from click.testing import CliRunner

from arena.cli import cli
from arena.tls import is_loopback
from tests.e2e.halls import hall
from tests.support.certificates import Authority


@pytest.mark.parametrize("host", ["127.0.0.1", "127.8.8.8", "::1", "[::1]", "localhost"])
def test_what_only_this_machine_reaches(host: str) -> None:
    assert is_loopback(host)


@pytest.mark.parametrize(
    "host", ["0.0.0.0", "::", "[::]", "192.0.2.7", "10.0.0.5", "nowhere.invalid"]
)
def test_what_others_reach(host: str) -> None:
    assert not is_loopback(host)


@pytest.mark.parametrize("command", ["up", "referee"])
@pytest.mark.parametrize("option", ["--listen", "--admin"])
def test_a_public_address_without_tls_is_refused(
    command: str, option: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ARENA_DATA", str(tmp_path / "data"))
    result = CliRunner().invoke(cli, [command, option, "0.0.0.0:0"])
    assert result.exit_code == 1
    words = f"Error: {option} would listen on 0.0.0.0, which other machines reach, without TLS"
    assert words in result.stderr
    assert "--insecure-public" in result.stderr
    assert not (tmp_path / "data" / "valkey").exists()


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (["--tls-cert", "a.pem"], "--tls-cert and --tls-key belong together"),
        (["--bots-ca", "a.pem"], "--bots-ca and --admin-ca need --tls-cert and --tls-key"),
        (["--tls-cert", "a.pem", "--tls-key", "a.key"], "a.pem"),
    ],
)
def test_options_that_make_no_sense_are_refused(
    words: list[str], why: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    result = CliRunner().invoke(cli, ["up", *words])
    assert result.exit_code == 1
    assert why in result.stderr


@pytest.mark.slow
def test_everything_over_tls_on_every_address_of_the_machine(
    tmp_path: Path, ours: Authority
) -> None:
    """`arena up` with the real certificates; commands and bots find it over TLS alone."""
    pair = ours.issue("server")
    words = ["--tls-cert", str(pair.certificate), "--tls-key", str(pair.key)]
    mine = ours.issue("organizer")
    words += ["--listen", "0.0.0.0:0", "--admin", "0.0.0.0:0"]
    words += ["--admin-ca", str(ours.certificate)]
    with hall(tmp_path / "data", *words) as running:
        port = running.at["admin"].rpartition(":")[2]
        said = running.said()
        assert f"bots connect to {running.at['referee']} (TLS)\n" in said
        assert f"organizers call {running.at['admin']} (TLS), token in " in said
        server = f"127.0.0.1:{port}"
        trust = ["--server", server, "--ca", str(ours.certificate)]
        shown = ["--cert", str(mine.certificate), "--key", str(mine.key)]
        running.arena("bot", "list", "--server", server, status=5)
        running.arena("bot", "list", *trust, status=5)
        assert running.arena("bot", "list", *trust, *shown, "--json") == "[]\n"
        with socket.create_connection(("127.0.0.1", int(port))) as plain:
            plain.sendall(b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\4\0\0\0\0\0")
            plain.settimeout(60)
            assert b"\0\0" not in plain.recv(64)[:2]  # no settings frame: an alert, or the end


@pytest.mark.slow
def test_in_the_clear_where_it_is_asked_for_in_so_many_words(tmp_path: Path) -> None:
    with hall(tmp_path / "data", "--listen", "0.0.0.0:0", "--insecure-public") as running:
        assert running.at["referee"].startswith("0.0.0.0:")
        assert "TLS" not in running.said()
