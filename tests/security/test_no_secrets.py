"""No secret in logs, records, process lists or error texts: all of them searched after a
tournament that was logged as fully as can be."""

from __future__ import annotations

import asyncio
import re
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from arena.admin.server import AdminConfig
from arena.store import Embedded, StoreSettings
from arena.store.settings import url_file
from tests.admin.rig import in_a_loop
from tests.e2e.halls import BIN, Hall, environment, hall
from tests.referee.rig import Rig
from tests.support.certificates import Authority
from tests.support.tournaments import spec_text, wait_for

PRIVATE = ("*.token", "valkey/url")
"""Files whose purpose a secret is; they are for their owner alone."""


class ProcessList(threading.Thread):
    """What every command line said while the block lasted, as any user of the machine sees it."""

    def __init__(self) -> None:
        super().__init__(daemon=True)
        self.seen: set[bytes] = set()
        self._over = threading.Event()

    def run(self) -> None:
        while not self._over.wait(0.05):  # no command is over sooner than it has imported itself
            for process in Path("/proc").glob("[0-9]*"):
                try:
                    self.seen.add((process / "cmdline").read_bytes())
                except OSError:
                    continue  # it has ended

    def __enter__(self) -> ProcessList:
        self.start()
        return self

    def __exit__(self, *error: object) -> None:
        self._over.set()
        self.join()


def private(data: Path) -> set[Path]:
    return {path for pattern in PRIVATE for path in data.glob(pattern)}


def secrets_of(data: Path, key: Path, said: list[str]) -> dict[str, str]:
    """Everything that must be nowhere else, by what it is."""
    found = {path.name: path.read_text().strip() for path in data.glob("*.token")}
    found["the store's password"] = StoreSettings(url_file(data).read_text()).password or ""
    found["the private key"] = key.read_text().splitlines()[1]
    for number, text in enumerate(said):
        found[f"a token that was replaced ({number})"] = text
    assert all(len(text) >= 32 for text in found.values()), found.keys()
    return found


def play(running: Hall, ca: str, folder: Path) -> list[str]:
    """A tournament from registration to export, with a rotated and a revoked token on the way."""
    trust = ["--ca", ca]
    replaced = []
    for name in ("ada", "bob", "cyd"):
        token = running.data.path / f"{name}.token"
        running.arena("bot", "register", name, "-o", str(token), *trust)
    replaced.append(running.arena("bot", "register", "dan", *trust).strip())
    replaced.append(running.arena("bot", "rotate", "dan", *trust).strip())
    running.arena("bot", "revoke", "dan", *trust)
    replaced.append(running.arena("token", "issue", "organizer", "olga").strip())
    for name in ("ada", "bob", "cyd"):
        with (folder / f"{name}.log").open("wb") as log:
            words = ["connect", "first", "--server", running.at["referee"], *trust]
            words += ["--token-file", str(running.data.path / f"{name}.token")]
            running.bots.append(
                subprocess.Popen(
                    [BIN / "euchre-arena", *words],
                    env=environment(running.data.path),
                    stdout=log,
                    stderr=log,
                )
            )
    spec = folder / "cup.toml"
    spec.write_text(spec_text(["ada", "bob", "cyd"]))
    running.arena("tournament", "create", str(spec), "--start", *trust)
    running.arena("tournament", "watch", "test", *trust)
    running.arena("tournament", "export", "test", "-o", str(folder / "export"), *trust)
    return replaced


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_after_a_tournament_no_secret_is_anywhere(tmp_path: Path, ours: Authority) -> None:
    pair = ours.issue("server")
    words = ["--tls-cert", str(pair.certificate), "--tls-key", str(pair.key)]
    data, folder = tmp_path / "data", tmp_path / "seen"
    folder.mkdir()
    # A token on a command line would be the caller's own doing; ours go by files.
    with ProcessList() as processes, hall(data, *words, "--log-level", "debug") as running:
        said = play(running, str(ours.certificate), folder)
        metrics = subprocess.run(
            [sys.executable, "-c", METRICS, running.at["metrics"]], capture_output=True, check=True
        ).stdout
    secrets = secrets_of(data, pair.key, said)
    places = {
        str(path): path.read_bytes()
        for root in (data, folder, tmp_path)
        for path in (root.rglob("*") if root != tmp_path else tmp_path.glob("*.log"))
        if path.is_file() and path not in private(data)
    }
    places["process list"] = b"\n".join(processes.seen)
    places["metrics"] = metrics
    # Three records, as written and as exported, and the results.
    assert len([place for place in places if place.endswith(".jsonl")]) == 7
    assert b"arena.cli\0referee" in places["process list"]
    assert b"DEBUG" in places[str(data / "logs" / "worker.log")]
    leaks = {
        (place, what)
        for place, content in places.items()
        for what, secret in secrets.items()
        if secret.encode() in content
    }
    assert leaks == set()
    # The search does find what is there.
    kept = b"".join(path.read_bytes() for path in [*private(data), pair.key])
    assert [what for what, secret in secrets.items() if secret.encode() in kept] == [
        what for what in secrets if "replaced" not in what
    ]
    # In the store's own file tokens are hashed, and there is nothing else to be had.
    assert any("appendonlydir" in place for place in places)
    for path in private(data):
        assert path.stat().st_mode & 0o077 == 0, f"{path} can be read by others"


METRICS = """
import sys, urllib.request
sys.stdout.buffer.write(urllib.request.urlopen(f"http://{sys.argv[1]}/metrics").read())
"""

COMMANDS = {
    "referee": [
        "referee",
        "--listen",
        "127.0.0.1:0",
        "--admin",
        "127.0.0.1:0",
        "--metrics",
        "none",
    ],
    "worker": ["worker", "--concurrency", "1"],
    "beat": ["beat"],
    "audit": ["audit"],
    "token": ["token", "list"],
}


@pytest.mark.slow
@pytest.mark.parametrize("words", COMMANDS.values(), ids=COMMANDS)
@pytest.mark.parametrize("trouble", ["refused", "wrong"])
def test_a_store_that_cannot_be_had_is_named_without_its_password(
    words: list[str], trouble: str, valkey: Embedded, tmp_path: Path
) -> None:
    """Nobody there, or a password that is no good: whatever a part says of it."""
    at = "127.0.0.1:1" if trouble == "refused" else f"127.0.0.1:{valkey.settings.hosts[0][1]}"
    password = "correct-horse-battery"
    if words[0] in ("referee", "worker", "beat"):
        words = [*words, "--log-level", "debug"]
    env = environment(tmp_path, ARENA_REDIS_URL=f"redis://:{password}@{at}/0")
    log = tmp_path / "log"
    with log.open("wb") as out:
        process = subprocess.Popen([BIN / "arena", *words], env=env, stdout=out, stderr=out)
    # Parts wait for a store that is away: what they say while they do is what is read.
    trouble_told = re.compile(rb"refused|invalid username-password|WRONGPASS", re.IGNORECASE)
    try:
        wait_for(
            lambda: trouble_told.search(log.read_bytes()) or process.poll() is not None,
            120,
            about="it says nothing of its trouble",
        )
    finally:
        process.kill()
        process.wait()
    said = log.read_bytes()
    assert trouble_told.search(said), said
    assert password.encode() not in said


async def test_a_token_that_is_refused_is_not_repeated(rig: Rig, tmp_path: Path) -> None:
    """A mistyped token is nearly a token: neither side says it again."""
    await rig.start()
    mistyped = rig.token("ada")[:-1] + "!"
    token = tmp_path / "my.token"
    token.write_text(mistyped)
    token.chmod(0o600)
    with in_a_loop(AdminConfig(tmp_path / "records", port=0), rig.store) as admin:
        for command in (
            ["arena", "bot", "list", "--server", admin],
            ["euchre-arena", "connect", "first", "--server", rig.referee.address],
        ):
            done = await asyncio.to_thread(
                subprocess.run,
                [BIN / command[0], *command[1:], "--token-file", token],
                env=environment(tmp_path),
                capture_output=True,
                timeout=120,
                check=False,
            )
            assert done.returncode == 3, done
            assert b"token" in done.stderr
            assert mistyped[:-1].encode() not in done.stdout + done.stderr
