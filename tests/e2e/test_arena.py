"""A tournament through real processes: Valkey, referee, worker, beat, four bots, and commands."""

from __future__ import annotations

import json
import os
import signal
import socket
import stat
import urllib.request
from pathlib import Path

import pytest

from arena.store import Embedded
from tests.e2e.halls import gone, hall, holders, until

pytestmark = pytest.mark.timeout(400)

BOTS = {"ada": "book", "bob": "first", "cyd": "random", "dee": "book?order=3"}
SPEC = """\
name = "Friday night"
seed = "s"
[match]
games = {games}
duplicate = true
[clock]
move_time_ms = 60000
disconnect_grace_ms = 60000
[format]
cycles = {cycles}
[entrants]
bots = ["ada", "bob", "cyd", "dee"]
"""


def spec(folder: Path, games: int = 4, cycles: int = 1) -> str:
    file = folder / "friday.toml"
    file.write_text(SPEC.format(games=games, cycles=cycles))
    return str(file)


def test_a_tournament_from_its_spec_to_verified_records(tmp_path):
    data = tmp_path / "arena data"
    with hall(data) as arena:
        for token in (arena.data.organizer_token, arena.data.operator_token):
            assert stat.S_IMODE(token.stat().st_mode) == 0o600
        assert str(arena.data.organizer_token) in arena.said()
        for name, bot in BOTS.items():
            arena.bot(name, bot)
        arena.arena("tournament", "create", spec(tmp_path), "--start")
        watched = arena.arena("tournament", "watch", "friday-night")
        assert "rank  entrant" in watched
        with urllib.request.urlopen(f"http://{arena.at['metrics']}/metrics") as answer:
            metrics = answer.read().decode()
        assert "euchre_arena_store_up 1.0" in metrics

        table = json.loads(arena.arena("tournament", "standings", "friday-night", "--json"))
        assert table["final"] is True
        assert table["results"] == table["total"] == 6
        assert [row["games"] for row in table["rows"]] == [12] * 4
        assert sum(row["won"] for row in table["rows"]) == 24
        assert sum(row["rating"] for row in table["rows"]) == pytest.approx(4 * 1500, abs=0.1)
        assert all(row["interval"] > 0 for row in table["rows"])
        assert all(row["faults"] == {} for row in table["rows"])
        assert table["rows"][0]["entrant"] in ("ada", "dee")  # the house plays better than chance

        arena.arena("tournament", "export", "friday-night", cwd=tmp_path)
        records = sorted((tmp_path / "friday-night" / "records").iterdir())
        assert len(records) == 6
        replayed = arena.run("euchre-arena", "replay", "--json", *map(str, records))
        for report in map(json.loads, replayed.splitlines()):
            assert report["ok"]
            assert report["finished"]
            assert report["deals_verified"]
            assert report["nonces"] > 0
        assert arena.stop() == 0
    gone(data)


def listens(address: str) -> bool:
    host, _, port = address.rpartition(":")
    try:
        socket.create_connection((host, int(port)), 1).close()
    except OSError:
        return False
    return True


@pytest.mark.slow
def test_dead_parts_are_started_again_and_the_tournament_finishes(tmp_path):
    data = tmp_path / "data"
    with hall(data) as arena:
        for name, bot in BOTS.items():
            arena.bot(name, bot)
        arena.arena("tournament", "create", spec(tmp_path, games=10, cycles=3), "--start")
        for part in ("referee", "worker", "beat", "valkey"):
            before = until(lambda part=part: arena.child(part), f"{part} runs")
            os.kill(before, signal.SIGKILL)
            until(
                lambda part=part, before=before: arena.child(part) not in (0, before),
                f"{part} runs again: {arena.said()}",
            )
        assert "referee died (SIGKILL)" in arena.said()
        until(lambda: listens(arena.at["admin"]), "the service answers again")
        arena.arena("tournament", "watch", "friday-night")
        table = json.loads(arena.arena("tournament", "standings", "friday-night", "--json"))
        assert table["results"] == table["total"] == 18
        assert all(row["faults"] == {} for row in table["rows"]), "nobody is charged with it"
        assert arena.stop() == 0
    gone(data)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_stops_everything(tmp_path, number):
    data = tmp_path / "data"
    with hall(data, "--referees", "2") as arena:
        assert "referee-2 bots connect to" in arena.said()
        assert arena.stop(number) == 0
        gone(data)
        assert arena.said().rstrip().endswith("stopped")
        assert arena.at == {}


@pytest.mark.slow
def test_when_up_is_killed_its_parts_end_too(tmp_path):
    data = tmp_path / "data"
    with hall(data) as arena:
        arena.process.kill()
        until(
            lambda: not any(arena.child(part) for part in ("referee", "worker", "beat", "valkey")),
            "the parts end",
        )
    with hall(data) as arena:
        assert arena.stop() == 0
    gone(data)


@pytest.mark.slow
def test_two_on_one_directory_are_refused_and_a_second_run_keeps_everything(tmp_path):
    data = tmp_path / "data"
    with hall(data) as arena:
        arena.arena("bot", "register", "ada")
        refused = arena.run("sh", "-c", "arena up 2>&1; test $? -eq 1")
        assert f"is in use by another `arena up`, process {arena.process.pid}" in refused
        token = arena.data.organizer_token.read_text()
        assert arena.stop() == 0
    with hall(data) as arena:
        assert arena.data.organizer_token.read_text() == token
        (bot,) = json.loads(arena.arena("bot", "list", "--json"))
        assert bot["name"] == "ada"


@pytest.mark.slow
def test_a_port_that_is_taken_is_named_and_nothing_stays(tmp_path):
    data = tmp_path / "data"
    with hall(tmp_path / "first") as first:
        port = first.at["referee"].rpartition(":")[2]
        said = first.run(
            "sh",
            "-c",
            f"arena up --data '{data}' --listen 127.0.0.1:{port} --admin 127.0.0.1:0 "
            "--metrics none 2>&1; test $? -eq 1",
        )
        assert f"nothing can listen on 127.0.0.1:{port}: Address already in use" in said
        assert "--listen HOST:PORT" in said
        gone(data)


@pytest.mark.slow
def test_a_server_of_ones_own_takes_the_place_of_the_embedded_one(tmp_path):
    data = tmp_path / "data"
    with Embedded(tmp_path / "elsewhere") as valkey:
        with hall(data, ARENA_REDIS_URL=valkey.settings.url) as arena:
            assert "ARENA_REDIS_URL" in arena.said()
            assert valkey.settings.password not in arena.said()
            arena.arena("bot", "register", "ada")
            assert not (data / "valkey").exists()
            assert arena.stop() == 0
        gone(data)
        assert valkey.alive()
        # No command line of ours has its password.
        assert not any(valkey.settings.password in line for line in holders(tmp_path).values())
