"""`arena demo`: small, seeded, twice, interrupted."""

from __future__ import annotations

import re
import signal
import subprocess

import pytest

from arena import lifeline
from tests.e2e.halls import BIN, environment, gone, until

pytestmark = pytest.mark.timeout(400)

SMALL = ("--bots", "random,first,book,book?order=3", "--games", "4", "--cycles", "1")


def demo(data, *words, **streams):
    return subprocess.Popen(
        [BIN / "arena", "demo", "--data", str(data), *SMALL, *words],
        env=environment(data) | lifeline.variables(),
        cwd=data.parent,
        text=True,
        **streams,
    )


def test_a_seed_gives_the_same_standings_to_the_byte(tmp_path):
    data = tmp_path / "demo data"
    out = []
    for _ in range(2):
        process = demo(data, "--seed", "7", stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        text, said = process.communicate(timeout=300)
        assert process.returncode == 0, said
        gone(data)
        assert "finished: 24 of 24 games" in said
        assert "games/s" in said
        out.append(text)
    assert out[0] == out[1]
    text = out[0]
    assert "book-order-3" in text
    assert len(re.findall(r"^ +\d+  \S+ +\d+ +± \d+ ", text, re.MULTILINE)) == 4
    assert "Crosstable" in text
    assert "all 6 records replayed from the first card, 24 games" in text
    assert "deals verified" in text
    # The line it prints is one that works.
    line = text.splitlines()[-1].removeprefix("Verify one yourself: ")
    done = subprocess.run(
        ["sh", "-c", line], cwd=tmp_path, env=environment(data), capture_output=True, check=True
    )
    assert b"deals verified" in done.stdout


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_interrupted_it_leaves_nothing_running(tmp_path, number):
    data = tmp_path / "demo"
    log = tmp_path / "log"
    with log.open("w") as out:
        process = demo(data, "--games", "1000", stdout=out, stderr=out)

    def playing():
        assert process.poll() is None, log.read_text()
        return "demo running" in log.read_text()

    until(playing, "the tournament runs", 200)
    process.send_signal(number)
    assert process.wait(120) == 130
    assert "everything is stopped" in log.read_text()
    gone(data)


def test_a_directory_that_is_no_demos_is_left_alone(tmp_path):
    data = tmp_path / "precious"
    data.mkdir()
    (data / "letter").write_text("dear")
    process = demo(data, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    _, said = process.communicate(timeout=100)
    assert process.returncode == 1
    assert "is not empty and no demo's" in said
    assert (data / "letter").read_text() == "dear"


@pytest.mark.parametrize(
    ("words", "cause"),
    [
        (("--games", "5"), "an even number"),
        (("--bots", "book"), "two bots"),
        (("--bots", "book,book"), "same name"),
        (("--bots", "book,nobody"), "'nobody' is no house bot"),
    ],
)
def test_what_cannot_be_played_is_refused(tmp_path, words, cause):
    data = tmp_path / "demo"
    process = demo(data, *words, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    _, said = process.communicate(timeout=200)
    assert process.returncode in (1, 2)
    assert cause in said
    gone(data)
