"""``euchre-arena show``: hands drawn, held to golden texts; the small cards; what cannot be shown.

A drawing changed on purpose: ``SHOW_GOLDEN=1 pytest tests/sdk/test_cli_show.py``, then read them.
"""

from __future__ import annotations

import json
import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from euchre_arena.cli import main
from euchre_arena.cli.drawing.markers import marker
from euchre_arena.cli.drawing.round import rows
from euchre_arena.cli.drawing.style import ASCII, UNICODE

from tests.match.driving import Play, a_match
from tests.match.records import forfeited, revoked

RECORDS = Path(__file__).resolve().parents[1] / "conformance" / "records"
GOLDEN = Path(__file__).parent / "golden"


def show(record: Path, *args: object, color: bool = False) -> Result:
    return CliRunner().invoke(main, ["show", str(record), *map(str, args)], color=color)


def same(name: str, text: str) -> None:
    path = GOLDEN / f"{name}.txt"
    if "SHOW_GOLDEN" in os.environ:
        path.write_text(text, encoding="utf-8")
    assert text == path.read_text("utf-8")


@pytest.mark.parametrize(
    ("preset", "hand", "args"),
    [
        ("standard", 0, []),
        ("standard", 8, ["--ascii"]),
        ("hoyle", 2, []),
        ("british", 1, []),
        ("two", 3, []),
        ("three", 4, ["--game", "1"]),
        ("six", 1, ["--ascii"]),
        ("auction", 2, []),
        ("bid-six", 5, []),
        ("ecarte", 1, []),
    ],
)
def test_the_shared_records(preset: str, hand: int, args: list[str]):
    shown = show(RECORDS / f"good-{preset}.jsonl", "--hand", hand, *args)
    assert shown.exit_code == 0, shown.output
    assert shown.output.isascii() == ("--ascii" in args)
    assert max(map(len, shown.output.splitlines())) <= 100
    assert all(line == line.rstrip() for line in shown.output.splitlines())
    same(f"{preset}-{hand}", shown.output)


@pytest.mark.parametrize(("preset", "seats"), [("five", 5), ("seven", 7)])
def test_five_and_seven_round_a_table(preset: str, seats: int, tmp_path: Path):
    match = a_match({"games": 1}, preset, entrants=tuple("abcdefg"[:seats]), max_deals=2)
    lines = Play(match).start().finish(choice=lambda ask, count: min(1, count - 1)).lines
    record = tmp_path / "m.jsonl"
    record.write_text("\n".join(lines) + "\n")
    shown = show(record, "--hand", 0)
    assert shown.exit_code == 0, shown.output
    same(preset, shown.output)


def test_every_hand_of_a_record_is_drawn():
    record = RECORDS / "good-bid-six.jsonl"
    for hand in range(44):
        shown = show(record, "--hand", hand)
        assert shown.exit_code == 0
        assert f"game 0, hand {hand}, score" in shown.output


@pytest.mark.parametrize(
    ("seats", "drawn"),
    [
        (2, [(1,), (0,)]),
        (3, [(1, 2), (0,)]),
        (4, [(2,), (1, 3), (0,)]),
        (5, [(2, 3), (1, 4), (0,)]),
        (6, [(3,), (2, 4), (1, 5), (0,)]),
        (7, [(3, 4), (2, 5), (1, 6), (0,)]),
    ],
)
def test_seats_go_clockwise_from_the_nearest(seats: int, drawn: list[tuple[int, ...]]):
    """Up the left side from seat 0, down the right one."""
    assert rows(seats) == drawn


def test_the_three_and_the_four_of_foster():
    """[F] Counters: under and over, a card face down shows its back."""
    assert [marker(n, 5, 1, ASCII) for n in range(6)] == [
        ("##", "##"), ("3s", "##"), ("4s", "##"), ("##", "3s"), ("##", "4s"), None,
    ]  # fmt: skip  # a table


def test_the_six_and_the_four():
    """[W]: the pips of the six are uncovered one by one, then those of the four are added."""
    for points in range(10):
        cards = marker(points, 10, 0, UNICODE)
        assert cards is not None
        assert (cards.under + cards.over).count("♥") == points
        assert ("░" in cards.over) == (points <= 6)
    assert marker(10, 10, 0, UNICODE) is None
    assert marker(7, 11, 0, UNICODE) is None, "the cards reach to ten"
    assert marker(-1, 5, 0, UNICODE) is None


def test_red_suits_on_a_terminal_alone():
    record = RECORDS / "good-standard.jsonl"
    plain = show(record)
    assert "\x1b" not in plain.output
    coloured = show(record, color=True).output
    assert "\x1b[31m" in coloured
    assert "♣\x1b" not in coloured
    ours, theirs = pty.openpty()
    command = [sys.executable, "-m", "euchre_arena.cli", "show", str(record), "--ascii"]
    for environment, red in (({}, True), ({"NO_COLOR": "1"}, False)):
        without = {key: value for key, value in os.environ.items() if key != "NO_COLOR"}
        subprocess.run(command, stdout=theirs, env={**without, **environment}, check=True)
        assert (b"\x1b[31m" in os.read(ours, 1 << 16)) == red
    os.close(ours)
    os.close(theirs)


@pytest.mark.parametrize(
    ("name", "args", "status", "said"),
    [
        ("good-standard", ["--hand", "9"], 2, "game 0 has no hand 9"),
        ("good-standard", ["--game", "1"], 2, "there is no game 1: the record has 1, from 0 to 0"),
        ("nothing", [], 2, "No such file"),
        ("bad-points", ["--hand", "1"], 1, "line 3: points"),
        ("bad-revoke", ["--hand", "0"], 1, "line 3: action"),
        ("good-standard", ["--hand", "-1"], 2, "-1 is not in the range"),
    ],
)
def test_what_cannot_be_shown(name: str, args: list[str], status: int, said: str):
    shown = show(RECORDS / f"{name}.jsonl", *args)
    assert shown.exit_code == status
    assert said in shown.output
    assert "Traceback" not in shown.output


def test_a_broken_hand_before_is_told_and_one_after_does_not_matter():
    assert show(RECORDS / "bad-not-in-hand.jsonl", "--hand", 0).exit_code == 0
    assert show(RECORDS / "bad-not-in-hand.jsonl", "--hand", 5).exit_code == 1


def test_junk_is_no_record(tmp_path: Path):
    record = tmp_path / "m.jsonl"
    for text, said in (("", "no game"), ("{}", "line 1"), ("\x00\n", "line 1: not JSON")):
        record.write_text(text)
        shown = show(record)
        assert shown.exit_code in (1, 2)
        assert said in shown.output
        assert "Traceback" not in shown.output


def test_a_hand_broken_off_says_why(tmp_path: Path):
    record = tmp_path / "m.jsonl"
    for lines, why in ((forfeited(), "broken off: forfeit of seat"), (revoked(), "revoke of seat")):
        record.write_text("\n".join(lines) + "\n")
        for hand in range(sum('"line": "hand"' in line for line in lines)):
            shown = show(record, "--hand", hand)
            assert shown.exit_code == 0, shown.output
            if hand == 0:
                assert why in shown.output


def test_names_that_are_no_ascii(tmp_path: Path):
    lines = (RECORDS / "good-two.jsonl").read_text().splitlines()
    match = json.loads(lines[0])
    match["entrants"] = ["Zoë\n\x1b[2J", "b" * 50]
    record = tmp_path / "m.jsonl"
    record.write_text("\n".join([json.dumps(match), *lines[1:]]))
    shown = show(record, "--ascii").output
    assert shown.isascii()
    assert "\x1b" not in shown
    assert "Zoë??[2J (" in show(record).output
