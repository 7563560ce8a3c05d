from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from arena import lifeline
from arena.config import Address, Data
from arena.up import Plan, UpError
from tests.support.tournaments import wait_for


@pytest.mark.parametrize(
    ("text", "address"),
    [("127.0.0.1:0", ("127.0.0.1", 0)), ("[::1]:7600", ("[::1]", 7600)), ("h:65535", ("h", 65535))],
)
def test_an_address_is_read_and_written(text, address):
    assert Address.parse(text) == address
    assert str(Address.parse(text)) == text


@pytest.mark.parametrize("text", ["", "7600", ":7600", "host:", "host:70000", "host:-1", "host:x"])
def test_what_is_no_address_is_refused(text):
    with pytest.raises(ValueError, match="host:port"):
        Address.parse(text)


def test_the_data_directory_is_found(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("ARENA_DATA", raising=False)
    assert Data.find().path == tmp_path / "arena-data"
    monkeypatch.setenv("ARENA_DATA", str(tmp_path / "a place"))
    assert Data.find().path == tmp_path / "a place"
    assert Data.find("other").path == tmp_path / "other"


def test_a_part_says_where_it_runs(tmp_path):
    data = Data(tmp_path)
    assert data.announced("referee") == {}
    data.announce("referee", referee="127.0.0.1:1")
    assert data.announced("referee") == {"pid": os.getpid(), "referee": "127.0.0.1:1"}
    data.running("referee").write_text("{torn")
    assert data.announced("referee") == {}
    data.withdraw("referee")
    data.withdraw("referee")
    assert not data.running("referee").exists()


CHILD = "from arena import lifeline; lifeline.follow(); print('on', flush=True); input()"
PARENT = f"""
import os, subprocess, sys
from arena import lifeline
child = subprocess.Popen(
    [sys.executable, "-c", {CHILD!r}],
    env={{**os.environ, **lifeline.variables()}}, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
)
child.stdout.readline()
print(child.pid, flush=True)
input()
"""


@pytest.mark.skipif(sys.platform != "linux", reason="the kernel's help is Linux's")
def test_a_child_ends_when_its_parent_is_killed():
    parent = subprocess.Popen(
        [sys.executable, "-c", PARENT], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    assert parent.stdin is not None
    assert parent.stdout is not None
    with parent:
        child = int(parent.stdout.readline())
        assert Path(f"/proc/{child}").exists()
        parent.send_signal(signal.SIGKILL)
        parent.wait()

    def ended():
        try:
            return "Z" in Path(f"/proc/{child}/stat").read_text().rpartition(")")[2].split()[0]
        except OSError:
            return True

    wait_for(ended, about="the child ends")


def test_without_being_asked_a_process_follows_nobody(monkeypatch):
    monkeypatch.delenv(lifeline.VARIABLE, raising=False)
    lifeline.follow()
    assert lifeline.VARIABLE not in os.environ


def test_a_port_that_is_taken_is_known_before_anything_starts():
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        assert Address("127.0.0.1", port).blocked() == "Address already in use"
    assert Address("127.0.0.1", port).blocked() == ""
    assert Address("127.0.0.1", 0).blocked() == ""


def test_two_parts_do_not_share_an_address(tmp_path):
    with socket.create_server(("127.0.0.1", 0)) as server:
        free = Address("127.0.0.1", server.getsockname()[1])
    plan = Plan(Data(tmp_path), free, free, None)
    with pytest.raises(UpError, match="--listen and --admin are both"):
        plan.check()
