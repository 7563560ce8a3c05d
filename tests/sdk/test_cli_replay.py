"""``euchre-arena replay``: records and EGN games from the command line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from euchre_arena.cli import main
from euchre_arena.local import play_local

TESTS = Path(__file__).resolve().parents[1]
RECORDS = TESTS / "conformance" / "records"
EGN = TESTS / "egn"


def replay(*args: object, stdin: bytes | None = None) -> Result:
    return CliRunner().invoke(main, ["replay", *map(str, args)], input=stdin)


def test_a_good_record_prints_its_hands_and_the_final_score():
    result = replay(RECORDS / "good-standard.jsonl")
    assert result.exit_code == 0
    lines = result.stdout.splitlines()
    assert lines[0] == (
        "game 0 hand 0: dealer 1, seat 3 makes s alone, played, tricks 3–2, points 2–0, score 2–0"
    )
    assert "games 1, hands 9" in lines
    assert "final score 6–10" in lines
    assert "r1: games won 1, points 10, winner" in lines
    assert lines[-1] == "deals verified (nonces from 4 seats)"


def test_trumps_that_nobody_makes_are_told_where_they_were_turned_up(tmp_path: Path):
    path = tmp_path / "ec.jsonl"
    play_local(["regle", "first"], "ecarte", match_format={"games": 1}, seed=1, record=path)
    hands = [json.loads(line) for line in path.read_text().splitlines()]
    turned = [line["up_card"][-1] for line in hands if line["line"] == "hand"]
    lines = replay(path).stdout.splitlines()
    for suit, line in zip(turned, lines, strict=False):
        assert f", trumps {suit} turned up, " in line
    assert len(turned) > 1
    # Trumps that could have been made and were not are none.
    play_local(["first"], "three", {"max_deals": 3}, {"games": 1}, seed=1, record=path)
    assert ", no trumps made, thrown-in, " in replay(path).stdout


def test_of_several_games_the_last_ones_score_is_told_as_such(tmp_path: Path):
    path = tmp_path / "m.jsonl"
    played = play_local(
        ["book", "first"],
        match_format={"games": 12, "duplicate": True, "skunk": True},
        seed=1,
        record=path,
    )
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    ends = [line for line in lines if line["line"] == "game_result"]
    shown = replay("-q", path).stdout.splitlines()
    assert f"score of the last game {'–'.join(map(str, ends[-1]['score']))}" in shown
    assert not any("final" in line for line in shown)
    (skunks,) = (line for line in shown if line.startswith("skunks: "))
    # With duplicates the entrants change sides from game to game: book is side 0 in even ones.
    named = {
        game: ("book", "first")[line["winners"][0] ^ game % 2]
        for game, line in enumerate(ends)
        if line.get("skunk")
    }
    told = ", ".join(f"game {game} won by {name}" for game, name in named.items())
    assert skunks == f"skunks: {told}"
    assert played.result.skunks == tuple(
        list(named.values()).count(name) for name in ("book", "first")
    )


def test_a_broken_record_names_its_line_first_of_all():
    result = replay("-q", RECORDS / "bad-points.jsonl")
    assert result.exit_code == 1
    assert result.stdout == "line 3: points: [1, 0] is right, not [2, 0]\n"


@pytest.mark.parametrize("name", ["good-british", "bad-winners", "bad-truncated"])
def test_json_is_one_object(name: str):
    expected = json.loads((RECORDS / "expected.json").read_text())[f"{name}.jsonl"]
    result = replay("--json", RECORDS / f"{name}.jsonl")
    data = json.loads(result.stdout)
    assert result.exit_code == (0 if expected["ok"] else 1)
    for key in ("ok", "line", "games", "hands", "score"):
        if key in expected:
            assert data[key] == expected[key]


def test_several_files_are_told_apart_and_the_worst_counts():
    good, bad = RECORDS / "good-hoyle.jsonl", RECORDS / "bad-revoke.jsonl"
    result = replay("-q", good, bad)
    assert result.exit_code == 1
    assert f"{good}: final score 1–6" in result.stdout
    assert f"{bad}: line 3: " in result.stdout
    objects = [json.loads(line) for line in replay("--json", good, bad).stdout.splitlines()]
    assert [data["file"] for data in objects] == [str(good), str(bad)]


def test_what_happened_by_fault_is_told(tmp_path: Path):
    from euchre_arena import Bot, Turn

    class Rude(Bot):
        def act(self, turn: Turn) -> str:
            return "play B"

    path = tmp_path / "m.jsonl"
    play_local([Rude, "first"], match_format={"games": 1}, seed=1, record=path)
    result = replay(path)
    assert "fault: illegal, game 0, hand 0" in result.stdout
    assert "play B: wrong-phase" in result.stdout
    assert "seeded" in result.stdout.splitlines()[-1]


def test_a_record_may_come_from_standard_input():
    data = (RECORDS / "good-standard.jsonl").read_bytes()
    assert replay("-q", "-", stdin=data).exit_code == 0


@pytest.mark.parametrize("name", sorted(path.name for path in EGN.glob("*.egn")))
def test_games_in_euchre_game_notation(name: str):
    expected = json.loads((EGN / "expected.json").read_text())[name]
    result = replay("--json", EGN / name)
    assert json.loads(result.stdout)["score"] == expected["score"]
    assert result.exit_code == (1 if expected["faults"] else 0)
    text = replay(EGN / name).stdout
    assert text.splitlines()[-1] == f"score {expected['score'][0]}–{expected['score'][1]}"


def test_files_that_cannot_be_read(tmp_path: Path):
    result = replay(tmp_path / "no.jsonl", tmp_path)
    assert result.exit_code == 2
    assert "no.jsonl: No such file or directory" in result.stderr
    assert "Is a directory" in result.stderr
    junk = tmp_path / "junk.egn"
    junk.write_bytes(b"\xff\x00{")
    result = replay(junk)
    assert result.exit_code == 2
    assert result.stderr
    assert "Traceback" not in result.stderr


@pytest.mark.parametrize("data", [b"", b"\n", b"\x00" * 100, b'{"line": "match"}\n', b"[]"])
def test_junk_is_refused_with_a_line(data: bytes, tmp_path: Path):
    path = tmp_path / "junk.jsonl"
    path.write_bytes(data)
    result = replay(path)
    assert result.exit_code == 1
    assert result.stdout.startswith("line 1: ")
    assert result.stdout.count("\n") == 1
