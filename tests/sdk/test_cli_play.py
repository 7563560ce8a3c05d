"""``euchre-arena play`` as a person runs it: a process, its output and its exit status."""

from __future__ import annotations

import json
import os
import pty
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from euchre_arena.cli import main
from euchre_arena.match.replay import replay_record

from arena import lifeline

BOTS = """
from euchre_arena import Bot

class Crash(Bot):
    def act(self, turn):
        raise RuntimeError("oops")

class Illegal(Bot):
    def act(self, turn):
        return "play B"

class Hang(Bot):
    def act(self, turn):
        print("hanging", flush=True)
        while True:
            pass

class Slow(Bot):
    async def act(self, turn):
        import asyncio
        print("hanging", flush=True)
        await asyncio.sleep(3600)

class Pass(Bot):
    def act(self, turn):
        return turn.legal[0]  # never makes trumps, so that nobody ever scores

class Fair(Bot):
    def act(self, turn):
        if turn.turn == 1:
            print("playing", flush=True)
        return turn.legal[0]
"""


@pytest.fixture
def bots(tmp_path: Path) -> Path:
    path = tmp_path / "somebots.py"
    path.write_text(BOTS)
    return path


def play(*args: object) -> Result:
    return CliRunner().invoke(main, ["play", *map(str, args)])


def test_the_same_seed_gives_the_same_bytes():
    one, other = (play("book", "random", "--games", 10, "--seed", 1, "--json") for _ in range(2))
    assert one.exit_code == 0, one.output
    assert one.stdout_bytes == other.stdout_bytes
    data = json.loads(one.stdout)
    assert data["entrants"] == ["book", "random"]
    assert data["played"] == 10
    assert data["units"] == 5
    assert data["seeded"] is True
    assert data["result"]["games"][0] + data["result"]["games"][1] == 10


def test_the_result_is_a_table_with_intervals(tmp_path: Path):
    record = tmp_path / "m.jsonl"
    result = play("first", "random", "--games", 6, "--seed", 1, "--record", record)
    assert result.exit_code == 0
    assert "standard, 6 games, in 3 duplicate sets" in result.stdout
    assert "of games, 95 %" in result.stdout
    assert "winner: " in result.stdout
    assert f"euchre-arena replay {record}" in result.stdout
    assert result.stderr == "", "no bar where there is no terminal"
    report = replay_record(record.read_bytes().splitlines())
    assert report.ok
    assert report.finished


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (("--games", 1), "1 game, in 0 whole duplicate sets, and 1 game left over, which the "),
        (("--games", 2), "2 games, in 1 duplicate set"),
        (("--games", 3), "3 games, in 1 whole duplicate set, and 1 game left over, which the "),
        (("--deals", 5), "5 deals, in 2 whole duplicate sets, and 1 deal left over, which the "),
        (
            ("--games", 5, "--preset", "three"),
            "5 games, in 1 whole duplicate set, and 2 games left",
        ),
        (("--games", 1, "--no-duplicate"), "1 game"),
    ],
)
def test_what_the_percentages_are_of_is_told(args: tuple[object, ...], said: str):
    options = [] if "--deals" in args else ["-o", "max_deals=2"]
    first, *_ = play("first", *args, *options, "--seed", 1).stdout.splitlines()
    _, _, told = first.partition(", ")
    assert told.startswith(said)
    assert told.endswith("left over, which the percentages leave out") == ("left" in said)
    assert told == said or "left" in said


@pytest.mark.parametrize(
    ("args", "match_format"),
    [
        ((), {"games": 100, "duplicate": True}),
        (("--games", 3), {"games": 3, "duplicate": True}),
        (("--games", 3, "--no-duplicate"), {"games": 3}),
        (("--deals", 4), {"deals": 4, "duplicate": True}),
        (("--best-of", 3), {"best_of": 3}),
        (("--best-of", 3, "--duplicate"), {"best_of": 3, "duplicate": True}),
        (("--rubber",), {"rubber": True}),
        (
            ("--rubber", "--duplicate", "--stake-per-point", 5, "--skunk"),
            {"rubber": True, "duplicate": True, "stake_per_point": 5, "skunk": True},
        ),
        (
            ("--games", 2, "--stake-per-trick", 1),
            {"games": 2, "duplicate": True, "stake_per_trick": 1},
        ),
    ],
)
def test_the_length_of_a_match(args: tuple[object, ...], match_format: dict[str, object]):
    options = [] if "--deals" in args else ["-o", "max_deals=1"]
    result = play("first", *args, *options, "--json")
    assert json.loads(result.stdout)["match_format"] == match_format


def test_a_rubber_with_its_stakes_is_shown_and_replays(tmp_path: Path):
    record = tmp_path / "m.jsonl"
    args = ("book", "first", "--preset", "hoyle", "--rubber", "--stake-per-point", 5, "--skunk",
            "--seed", 4, "--record", record)  # fmt: skip
    shown = play(*args)
    assert shown.exit_code == 0, shown.output
    data = json.loads(play(*args, "--json").stdout)
    rubber, stakes = data["result"]["rubber"], data["result"]["stakes"]
    assert f"rubber points: book {rubber[0]}, first {rubber[1]}" in shown.stdout
    assert f"stakes: book {stakes[0]:+}, first {stakes[1]:+}" in shown.stdout
    assert stakes == [5 * (rubber[0] - rubber[1]), 5 * (rubber[1] - rubber[0])]
    assert f"skunks: book {data['skunks'][0]}, first {data['skunks'][1]}" in shown.stdout
    replayed = CliRunner().invoke(main, ["replay", "--quiet", str(record)])
    assert replayed.exit_code == 0
    assert f"rubber points {rubber[0]}, stakes {stakes[0]:+}" in replayed.stdout


@pytest.mark.parametrize(
    ("length", "words"),
    [
        (("--games", 4, "-o", "max_deals=3"), "4 games level after 3 deals (max_deals)"),
        (("--games", 4, "-o", "num_deals=2"), "4 games level after 2 deals (num_deals)"),
        (("--deals", 4), "4 deals level"),
    ],
)
def test_games_won_by_both_are_told(bots: Path, length: tuple[object, ...], words: str):
    args = (f"{bots}:Pass", f"{bots}:Pass", *length, "--seed", 1)
    shown = play(*args).stdout
    assert f"shared: {words}, and so won by both sides\n" in shown
    heading, first, second = shown.splitlines()[1:4]
    assert heading.split()[:2] == ["won", "shared"]
    assert first.split()[:4] == ["Pass", "4", "4", "50.0%"]
    assert second.split()[:4] == ["Pass-2", "4", "4", "50.0%"]
    data = json.loads(play(*args, "--json").stdout)
    assert data["result"]["games"] == [4, 4], "as the record has it"
    assert data["shared"] == [4, 4]


def test_where_no_game_is_shared_there_is_no_word_of_it():
    args = ("book", "random", "--games", 4, "--seed", 1)
    assert "shared" not in play(*args).stdout
    assert json.loads(play(*args, "--json").stdout)["shared"] == [0, 0]


def test_several_winners_of_three_share_a_game(bots: Path):
    args = (f"{bots}:Pass", "--preset", "three", "-o", "max_deals=1", "--games", 3, "--seed", 1)
    assert "shared: 3 games won by several sides at once\n" in play(*args).stdout
    assert json.loads(play(*args, "--json").stdout)["shared"] == [3, 3, 3]


def test_options_and_presets_are_set():
    result = play("first", "--games", 2, "--preset", "british", "-o", "target=3",
                  "--option", "farmers_hand=swap", "--json")  # fmt: skip
    data = json.loads(result.stdout)
    assert (data["preset"], data["options"]) == ("british", {"farmers_hand": "swap", "target": 3})


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (("bok",), "did you mean 'book'"),
        (("first", "--preset", "brittish"), "did you mean 'british'"),
        (("first", "-o", "targt=3"), "targt"),
        (("first", "-o", "target"), "write target=VALUE"),
        (("first", "-o", "target=3", "-o", "target=4"), "option 'target' is given twice"),
        (("first", "-o", "target=3", "-o", "num_deals=4"), "contradict each other"),
        (("first", "--games", 3, "--deals", 4), "--games and --deals exclude each other"),
        (("first", "--deals", 4, "-o", "target=3"), "'deals' and option 'target'"),
        (("first", "--games", 0), "0 is not in the range"),
        (("first", "--games", 3, "--rubber"), "--games and --rubber exclude each other"),
        (("first", "--rubber", "--stake-per-trick", 2), "'rubber' and 'stake_per_trick'"),
        (("first", "--rubber", "--preset", "three"), "'rubber' and preset 'three'"),
        (("first", "--stake-per-point", 0), "stake_per_point must be a whole number from 1"),
        (("first", "--clock", "1s"), "MOVE[+BANK[+INCREMENT]]"),
        (("first", "--clock", "0"), "no time to decide"),
        (("a", "b", "c"), "takes up to 2 or 4, not 3"),
        ((), "Missing argument"),
    ],
)
def test_what_makes_no_sense_is_refused_with_status_2(args: tuple[object, ...], said: str):
    result = play(*args)
    assert result.exit_code == 2
    assert said in result.stderr
    assert "Traceback" not in result.stderr


def test_a_bot_that_fails_is_told_with_its_turn_and_status_1(bots: Path):
    result = play(f"{bots}:Crash", "first", "--games", 3, "--json")
    assert result.exit_code == 1
    assert "Crash failed in game 0, on this turn:" in result.stderr
    assert "legal" in result.stderr
    assert f'File "{bots}"' in result.stderr
    assert "RuntimeError: oops" in result.stderr
    assert json.loads(result.stdout)["faults"][0] == {"crashed": 3}


def test_a_bot_that_breaks_the_rules_is_told_and_status_1(bots: Path):
    result = play(f"{bots}:Illegal", "first", "--games", 2)
    assert result.exit_code == 1
    assert "fault: Illegal: illegal, 8 in all" in result.stdout
    assert "play B: wrong-phase" in result.stdout
    assert "fault: Illegal: forfeit, 2 in all" in result.stdout
    head, *turn = result.stderr.splitlines()
    said = (
        "Illegal answered 'play B' in game 0 and was refused (play B: wrong-phase), on this turn:"
    )
    assert head == said
    assert any(line.startswith("  ") and "legal" in line and "order" in line for line in turn)
    assert result.stderr.count("refused") == 1, "the first is enough"


def test_a_full_disk_is_named():
    result = play("first", "--games", 50, "--record", "/dev/full")
    assert result.exit_code == 1
    assert result.stderr == "Error: record /dev/full: No space left on device\n"


def test_a_record_in_no_folder_is_named(tmp_path: Path):
    result = play("first", "--record", tmp_path / "no" / "m.jsonl")
    assert result.exit_code == 1
    assert "m.jsonl: No such file or directory" in result.stderr


def started(*args: object) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "euchre_arena.cli", "play", *map(str, args)]
    return subprocess.Popen(
        lifeline.command(command),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, **lifeline.variables()},
    )


@pytest.mark.parametrize("bot", ["Fair", "Hang", "Slow"])
def test_ctrl_c_closes_the_record_and_ends_with_130(bot: str, bots: Path, tmp_path: Path):
    record = tmp_path / "m.jsonl"
    process = started(f"{bots}:{bot}", "first", "--games", 10_000_000, "--record", record)
    assert process.stdout is not None
    assert process.stdout.readline() in ("playing\n", "hanging\n")
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert process.returncode == 130, err
    assert "Traceback" not in err
    assert "stopped: standard, " in out
    report = replay_record(record.read_bytes().splitlines())
    assert report.ok, report.message
    assert not report.finished
    assert report.deals_verified


def test_a_terminal_gets_a_bar_on_stderr(tmp_path: Path):
    ours, theirs = pty.openpty()
    command = [sys.executable, "-m", "euchre_arena.cli", "play", "first", "random"]
    process = subprocess.Popen(
        [*command, "--games", "40", "--seed", "1"], stdout=subprocess.PIPE, stderr=theirs, text=True
    )
    os.close(theirs)
    bar = b""
    until = time.monotonic() + 60
    while time.monotonic() < until:
        try:
            piece = os.read(ours, 4096)
        except OSError:  # Linux says so when the other end is closed
            break
        if not piece:
            break
        bar += piece
    out, _ = process.communicate(timeout=60)
    os.close(ours)
    assert process.returncode == 0
    assert b"games" in bar
    assert b"40/40" in bar
    assert "winner" in out
