"""The command as a person uses it: connect, presets, new, and the table of commands."""

from __future__ import annotations

import asyncio
import io
import json
import os
import pty
import signal
import subprocess
import sys
import time
from importlib import import_module
from pathlib import Path

import pytest
from click.testing import CliRunner
from euchre_arena.bot import MatchOutcome
from euchre_arena.cli import COMMANDS, main
from euchre_arena.cli.connect import JsonReporter, LiveReporter, _farewell
from euchre_arena.client import Reporter, Stats
from euchre_arena.rules import PRESETS

from tests.sdk.playing import DEADLINE_S, serving, until
from tests.sdk.stub import Stub

COMMAND = (sys.executable, "-m", "euchre_arena.cli")


def run(*args: str, status: int = 0) -> str:
    """What the command prints, everything together."""
    done = CliRunner().invoke(main, args)
    assert done.exit_code == status, done.output
    return done.output


def test_help_lists_every_command_and_teaches() -> None:
    text = run("--help")
    for name, entry in COMMANDS.items():
        assert f"  {name} " in text
        assert entry.summary in text
    assert "euchre-arena play mybot.py:MyBot book --games 1000" in text


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_is_there_and_explains_itself(name: str) -> None:
    text = run(name, "--help")
    assert text.startswith("Usage: euchre-arena " + name)
    assert len(text) > 200


def test_help_imports_no_command_and_no_grpc() -> None:
    code = (
        "import sys; from euchre_arena.cli import main\n"
        "try: main.main(['--help'])\n"
        "except SystemExit: pass\n"
        "heavy = {'grpc', 'google.protobuf', 'redis', 'celery', 'asyncio'} & set(sys.modules)\n"
        "assert not heavy, heavy"
    )
    subprocess.run([sys.executable, "-c", code], check=True, capture_output=True)


def test_the_sdk_needs_nothing_heavy() -> None:
    code = (
        "import sys, euchre_arena.client, euchre_arena.local, euchre_arena.cli.connect\n"
        "heavy = {'redis', 'celery', 'arena', 'rich', 'prometheus_client'} & set(sys.modules)\n"
        "assert not heavy, heavy"
    )
    subprocess.run([sys.executable, "-c", code], check=True, capture_output=True)


def test_a_command_that_is_none() -> None:
    assert "there is no command 'conect'; did you mean connect?" in run("conect", status=2)


def test_version() -> None:
    assert run("--version").startswith("euchre-arena, version ")


def test_presets() -> None:
    assert run("presets", "--names").split() == list(PRESETS)
    text = run("presets")
    assert all(f"{name} " in text for name in PRESETS)
    assert json.loads(run("presets", "--json")).keys() == PRESETS.keys()


def test_one_preset() -> None:
    text = run("presets", "british")
    assert "25 cards, 5 each" in text
    assert "(0 and 2 against 1 and 3)" in text
    described = json.loads(run("presets", "british", "--json"))["british"]
    assert described["options"]["target"]["default"] == 11
    assert described["options"]["benny"]["default"] is True
    assert described["pack"] == "25"
    assert "there is no preset 'bridge'" in run("presets", "bridge", status=2)


def test_a_new_bot_plays_and_its_test_passes(tmp_path: Path) -> None:
    made = subprocess.run(
        [*COMMAND, "new", "my-bot"], cwd=tmp_path, check=True, capture_output=True, text=True
    )
    folder = tmp_path / "my-bot"
    assert "euchre-arena play my_bot.py:MyBot book --games 100" in made.stdout
    # The test of the project is run as its author would run it.
    tested = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider"],
        cwd=folder,
        capture_output=True,
        text=True,
    )
    assert tested.returncode == 0, tested.stdout
    assert "2 passed" in tested.stdout or "1 passed" in tested.stdout
    again = subprocess.run(
        [*COMMAND, "new", "my-bot"], cwd=tmp_path, capture_output=True, text=True
    )
    assert again.returncode == 2
    assert "my-bot is there already" in again.stderr


@pytest.mark.parametrize("name", ["9lives", "class", "euchre-arena", "a b"])
def test_names_that_no_module_can_have(name: str, tmp_path: Path) -> None:
    assert "cannot be a Python module" in run("new", str(tmp_path / name), status=2)
    assert list(tmp_path.iterdir()) == []


BOTS = """
import time
from euchre_arena import Bot

class Middle(Bot):
    def act(self, turn):
        return turn.legal[len(turn.legal) // 2]

class Stuck(Bot):
    def act(self, turn):
        while True:
            print(time.monotonic(), flush=True)
            time.sleep(0.01)  # the fault is an act that never ends; not to take a core for it
"""


async def start(
    folder: Path, stub: Stub, *args: str, stderr: int = asyncio.subprocess.PIPE
) -> asyncio.subprocess.Process:
    """``euchre-arena connect`` as a process, with a token file of its own."""
    (folder / "bots.py").write_text(BOTS)
    token = folder / "bot.token"
    token.write_text("secret-word\n")
    token.chmod(0o600)
    return await asyncio.create_subprocess_exec(
        *(*COMMAND, "connect", "--server", stub.address, "--token-file", str(token), *args),
        cwd=folder,
        stdout=asyncio.subprocess.PIPE,
        stderr=stderr,
    )


async def test_connect_plays_until_it_is_told_to_stop(tmp_path: Path) -> None:
    async with serving(Stub(games=10)) as stub:
        process = await start(tmp_path, stub, "bots.py:Middle", "--capacity", "64")
        await until(stub.done.is_set)
        process.send_signal(signal.SIGINT)
        out, err = await asyncio.wait_for(process.communicate(), DEADLINE_S)
    assert process.returncode == 0, err
    assert stub.hellos[0].token == "secret-word"
    assert out == b""
    text = err.decode()
    assert "as tester, up to 64 games at once" in text
    assert "10 games, 10 won; 0 matches; " in text
    assert "0 crashes, 0 answers refused" in text
    assert "\x1b" not in text  # no live line where nobody looks
    assert "secret-word" not in text


def test_one_is_said_in_the_singular(capsys: pytest.CaptureFixture[str]) -> None:
    ones = Stats(games_ended=1, games_won=1, matches_ended=1, decisions=1, crashes=1, rejections=1)
    _farewell(ones, Reporter())
    assert capsys.readouterr().err == (
        "1 game, 1 won; 1 match; 1 decision; 1 crash, 1 answer refused\n"
    )


@pytest.mark.parametrize("kind", [LiveReporter, JsonReporter])
def test_the_end_of_a_match_is_counted_once_in_words_and_in_json(
    kind: type[LiveReporter | JsonReporter],
) -> None:
    out = io.StringIO()
    reporter = kind(out)
    for handle in (7, 8):  # one a seat
        reporter.match_ended(MatchOutcome(handle, "m-1", ("tester",), b"s" * 32))
    reporter.close()
    assert reporter.stats.matches_ended == 1
    assert out.getvalue().count("m-1") == (1 if kind is LiveReporter else 2)


async def test_connect_in_json(tmp_path: Path) -> None:
    async with serving(Stub(games=3)) as stub:
        process = await start(tmp_path, stub, "bots.py:Middle", "--json")
        await until(stub.done.is_set)
        process.send_signal(signal.SIGTERM)
        out, err = await asyncio.wait_for(process.communicate(), DEADLINE_S)
    assert process.returncode == 0, err
    events = [json.loads(line) for line in out.splitlines()]
    names = [event["event"] for event in events]
    assert names[0] == "connected"
    assert names.count("game_started") == names.count("game_ended") == 12
    assert names[-1] == "summary"
    assert events[-1]["games_started"] == events[-1]["games_ended"] == 3


async def test_on_a_terminal_a_line_is_kept_up_to_date(tmp_path: Path) -> None:
    ours, theirs = pty.openpty()
    shown = b""

    def read() -> None:
        nonlocal shown
        shown += os.read(ours, 65536)

    asyncio.get_running_loop().add_reader(ours, read)
    try:
        async with serving(Stub(games=3)) as stub:
            process = await start(tmp_path, stub, "bots.py:Middle", stderr=theirs)
            await until(stub.done.is_set)
            await until(lambda: b"3 of 3 won" in shown)
            process.send_signal(signal.SIGINT)
            await asyncio.wait_for(process.wait(), DEADLINE_S)
            await until(lambda: b"3 games, 3 won" in shown)
    finally:
        asyncio.get_running_loop().remove_reader(ours)
        os.close(ours)
        os.close(theirs)
    text = shown.decode()
    assert "tester at 127.0.0.1" in text
    assert "0 games under way" in text
    # The line is wiped before anything else is said.
    assert "\r\x1b[K3 games, 3 won" in text


async def test_events_that_nobody_reads_end_it_quietly(tmp_path: Path) -> None:
    async with serving(Stub(games=200)) as stub:
        process = await start(tmp_path, stub, "bots.py:Middle", "--json")
        assert process.stdout is not None
        await asyncio.wait_for(process.stdout.readline(), DEADLINE_S)
        process._transport.get_pipe_transport(1).close()  # type: ignore[attr-defined]  # no other way
        await asyncio.wait_for(process.wait(), DEADLINE_S)
        assert process.stderr is not None
        err = (await process.stderr.read()).decode()
    assert process.returncode == 1
    assert "Traceback" not in err


async def test_a_second_signal_ends_a_bot_that_is_stuck(tmp_path: Path) -> None:
    async with serving(Stub(games=3)) as stub:
        process = await start(tmp_path, stub, "bots.py:Stuck")
        assert process.stdout is not None
        await asyncio.wait_for(process.stdout.readline(), DEADLINE_S)
        process.send_signal(signal.SIGINT)
        # Two that come before it has looked for the first would be one.
        sent, turns = time.monotonic(), 0
        while turns < 3:
            line = await asyncio.wait_for(process.stdout.readline(), DEADLINE_S)
            turns += float(line) > sent
        process.send_signal(signal.SIGINT)
        await asyncio.wait_for(process.wait(), DEADLINE_S)
    assert process.returncode == 130


async def test_connect_says_what_is_wrong(tmp_path: Path) -> None:
    import grpc

    refused = grpc.StatusCode.UNAUTHENTICATED, "unknown token"
    async with serving(Stub(refuse=lambda hello: refused)) as stub:
        process = await start(tmp_path, stub, "first")
        _, err = await asyncio.wait_for(process.communicate(), DEADLINE_S)
    assert process.returncode == 3
    assert "unknown token" in err.decode()
    assert "Traceback" not in err.decode()


@pytest.mark.parametrize(
    ("args", "status", "cause"),
    [
        (("nobody",), 2, "'nobody' is no house bot"),
        (("first",), 2, "no token: hand one over (--token-file FILE), or set EUCHRE_ARENA_TOKEN"),
        (("first", "--token-file", "nowhere"), 2, "nowhere: the token cannot be read"),
        (("first", "--server", "host:port"), 2, "'port' is no port"),
        (("first", "--ca", "nowhere.pem", "--server", "x:1"), 2, "certificates cannot be read"),
        (("first", "--server", "127.0.0.1:1", "--give-up", "0.1"), 5, "did not answer for 0.1 s"),
    ],
)
def test_connect_refuses(
    args: tuple[str, ...], status: int, cause: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    if "--server" in args:
        monkeypatch.setenv("EUCHRE_ARENA_TOKEN", "t")
    else:
        monkeypatch.delenv("EUCHRE_ARENA_TOKEN", raising=False)
    assert cause in run("connect", *args, status=status)


def test_the_certificates_to_trust_may_stand_in_the_environment(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("EUCHRE_ARENA_TOKEN", "t")
    monkeypatch.setenv("ARENA_CA", "ours.pem")
    words = ("connect", "first", "--server", "127.0.0.1:1", "--give-up", "0")
    assert "ours.pem: the certificates cannot be read" in run(*words, status=2)
    assert "named.pem: the certificates cannot be read" in run(
        *words, "--ca", "named.pem", status=2
    )
    assert "did not answer for 0 s" in run(*words, "--insecure", status=5)
    assert "ARENA_CA" in run("connect", "--help")
    monkeypatch.setenv("ARENA_CA", "")
    assert "did not answer for 0 s" in run(*words, status=5)


def test_every_entry_of_the_table_names_a_file_of_its_own() -> None:
    modules = [entry.target.partition(":")[0] for entry in COMMANDS.values()]
    assert len(set(modules)) == len(modules)
    for entry in COMMANDS.values():
        module, _, name = entry.target.partition(":")
        assert getattr(import_module(module), name).name == name


def test_a_token_file_that_others_can_read_is_pointed_out(tmp_path: Path) -> None:
    token = tmp_path / "bot.token"
    token.write_text("t")
    token.chmod(0o644)
    text = run(
        *("connect", "first", "--server", "127.0.0.1:1", "--give-up", "0"),
        *("--token-file", str(token)),
        status=5,
    )
    assert f"chmod 600 {token}" in text
