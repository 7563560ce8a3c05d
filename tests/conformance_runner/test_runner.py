"""The scenario runner: it must find what does not hold, and say it in one line."""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from euchre_arena.cli.conformance import conformance
from euchre_arena.conformance import facts, run
from euchre_arena.conformance.position import attributes, set_up, snapshot
from euchre_arena.conformance.suite import Scenario, find
from euchre_arena.rules import Rules, parse_action

GOOD: dict[str, Any] = {
    "id": "lone-hand-stops-the-pick-up",
    "source": "[F] Playing alone",
    "preset": "standard",
    "options": {},
    "score": [0, 0],
    "dealer": 0,
    "hands": {
        "0": "Kc 9d Ac Qc Qs",
        "1": "Jc Th Tc Kh Kd",
        "2": "Qd Qh Ad 9s Ts",
        "3": "Ah Ks 9c Js Jd",
    },
    "up_card": "9h",
    "kitty": "Td As Jh",
    "steps": [
        "pass",
        {"illegal": "call h", "reason": "wrong-phase"},
        "order alone",
        {
            "expect": {
                "to_act": 1,
                "phase": "play",
                "maker": 2,
                "makers": [2],
                "sitting_out": [0],
                "trump": "h",
                "up_card_state": "face-up",
                "hand": "Kd Kh Jc Th Tc",
                "legal": ["play Jc", "play Th", "play Tc", "play Kh", "play Kd"],
                "score": [0, 0],
                "tricks": [0, 0],
                "trick_winner": None,
                "next_dealer": 1,
                "tokens": [0, 0],
            }
        },
        {"illegal": "play Jc", "reason": "not-your-turn", "seat": 3},
        {"illegal": "play Jo", "reason": "malformed"},
    ],
    "final": {
        "hand_over": False,
        "points": [0, 0],
        "game_over": False,
        "winners": [],
        "result": None,
    },
}


def changed(path: str, value: Any) -> dict[str, Any]:
    """The good scenario with one member changed; ``steps.3.expect.trump`` names one inside."""
    scenario = copy.deepcopy(GOOD)
    *inner, last = path.split(".")
    node: Any = scenario
    for name in inner:
        node = node[int(name)] if isinstance(node, list) else node[name]
    if isinstance(node, list):
        node[int(last)] = value
    else:
        node[last] = value
    return scenario


def write(folder: Path, *scenarios: Any) -> Path:
    path = folder / "some.json"
    path.write_text(json.dumps(list(scenarios)))
    return path


def failures(tmp_path: Path, scenario: dict[str, Any]) -> list[str]:
    report = run([write(tmp_path, scenario)])
    assert report.unreadable == []
    assert report.total == 1
    return [str(failed) for failed in report.failed]


def test_what_holds_passes(tmp_path):
    report = run([write(tmp_path, GOOD)])
    assert (report.summary, report.exit_code) == ("1 case: 1 passed, 0 failed", 0)


@pytest.mark.parametrize(
    ("path", "value", "line"),
    [
        ("steps.3.expect.to_act", 2, "step 4: expected to_act 2, got 1"),
        ("steps.3.expect.to_act", None, "step 4: expected to_act null, got 1"),
        ("steps.3.expect.to_act", True, "step 4: expected to_act true, got 1"),
        ("steps.3.expect.phase", "call", 'step 4: expected phase "call", got "play"'),
        ("steps.3.expect.trump", "n", 'step 4: expected trump "n", got "h"'),
        ("steps.3.expect.maker", 0, "step 4: expected maker 0, got 2"),
        ("steps.3.expect.makers", [0, 2], "step 4: expected makers [0, 2], got [2]"),
        ("steps.3.expect.sitting_out", [], "step 4: expected sitting_out [], got [0]"),
        ("steps.3.expect.up_card_state", "taken", "up_card_state \"taken\", got \"face-up\""),
        ("steps.3.expect.hand", "Jc Th Tc Kh", 'got "Tc Jc Kd Th Kh"'),
        ("steps.3.expect.hand", "Jc Th Tc Kh Zz", "'Zz' is no card"),
        ("steps.3.expect.legal", ["play Jc"], 'step 4: expected legal ["play Jc"], got ["play Tc"'),
        ("steps.3.expect.score", [1, 0], "step 4: expected score [1, 0], got [0, 0]"),
        ("steps.3.expect.tricks", [1, 0], "step 4: expected tricks [1, 0], got [0, 0]"),
        ("steps.3.expect.trick_winner", 1, "step 4: expected trick_winner 1, got null"),
        ("steps.3.expect.next_dealer", 0, "step 4: expected next_dealer 0, got 1"),
        ("steps.3.expect.tokens", [1, 0], "step 4: expected tokens [1, 0], got [0, 0]"),
        ("steps.1.reason", "not-allowed", "as not-allowed, got wrong-phase"),
        ("steps.1.illegal", "pass", "expected 'pass' to be refused as wrong-phase, got legal"),
        ("steps.0", "call h", "step 1: expected 'call h' to be legal, got refused as wrong-phase"),
        ("steps.0", "fold", "step 1: expected 'fold' to be legal, got refused as malformed"),
        ("final.hand_over", True, "final: expected hand_over true, got false"),
        ("final.points", [1, 0], "final: expected points [1, 0], got [0, 0]"),
        ("final.winners", [0], "final: expected winners [0], got []"),
        ("final.result", "played", 'final: expected result "played", got null'),
        ("preset", "two", "position: expected 2 hands, got 4"),
        ("preset", "standrad", "did you mean 'standard'?"),
        ("options", {"targt": 5}, "did you mean 'target'?"),
        ("dealer", 4, "position: expected a dealer from 0 to 3, got 4"),
        ("score", [0], "position: expected 'score' of 2 sides, got [0]"),
        ("hands.0", "Kc 9d Ac Qc", "position: expected 5 cards in the hand of seat 0, got 4"),
        ("hands.0", "Kc 9d Ac Qc Ts", "expected the pack of 24 cards, got too many of Ts"),
        ("kitty", "Td As", "position: expected the pack of 24 cards, got none of Jh"),
        ("kitty", "Td As 2h", "position: expected the pack of 24 cards, got too many of 2h"),
        ("up_card", "", "position: expected a card turned up"),
        ("up_card", "9x", "position: expected cards, got '9x' is no card"),
    ],
)  # fmt: skip  # one line a case reads as a table
def test_what_does_not_hold_is_one_line(tmp_path, path, value, line):
    found = failures(tmp_path, changed(path, value))
    assert len(found) == 1
    assert found[0].startswith("lone-hand-stops-the-pick-up: ")
    assert line in found[0]
    assert "\n" not in found[0]


@pytest.mark.parametrize(
    ("question", "line"),
    [
        ({"question": "winner", "trump": "h", "led": "s", "trick": ["9h"], "answer": 1}, "got 0"),
        ({"question": "order", "trump": "h", "answer": ["Jh", "Ah"]}, '"Jh", "Jd", "Ah"'),
        (
            {"question": "follow", "trump": "h", "led": "d", "hand": ["Jd", "9s"], "answer": []},
            'got ["Jd", "9s"]',
        ),
        ({"question": "refused", "answer": ["target", "num_deals"]}, "got rules that are played"),
        (
            {"question": "refused", "options": {"num_deals": 2, "target": 5}, "answer": ["benny"]},
            "contradict",
        ),
    ],
)  # fmt: skip  # one line a case reads as a table
def test_wrong_answers_are_found(tmp_path, question, line):
    found = failures(tmp_path, {"id": "q", "preset": "standard", **question})
    assert len(found) == 1
    assert line in found[0]


def test_a_refusal_is_compared_value_by_value(tmp_path):
    """Whatever a rule might change on its way to a refusal would be seen."""
    (scenario,) = find([write(tmp_path, GOOD)])
    assert isinstance(scenario, Scenario)
    table = set_up(scenario, Rules.of("standard"))
    hand = table[1]
    for action in ("pass", "order", "discard 9h", "play Jc"):
        hand.apply(parse_action(action))
    before = snapshot(table)
    assert snapshot(table) == before
    names = attributes(hand)
    assert {"masks", "trump", "log", "tricks", "_left"} < set(names)
    for name in names:
        if name in ("rules", "_claimed"):
            continue
        kept = getattr(hand, name)
        other = (
            [*kept, 99] if isinstance(kept, list) else kept + 1 if type(kept) is int else object()
        )
        try:
            setattr(hand, name, other)
        except (TypeError, AttributeError):
            continue  # compiled: an attribute keeps its type, and a property looks like one
        assert snapshot(table) != before, name
        setattr(hand, name, kept)
    hand.masks[0] ^= 1
    assert snapshot(table) != before


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        (b'[{"id": "a"', "it is not JSON: Expecting ',' delimiter at line 1, column 12"),
        (b"\xff\xfe", "it is not UTF-8 text at byte 0"),
        (b"[" * 100_000, "it is nested too deep"),
        (b"[3]", "scenario 1: it is no object"),
        (b'{"preset": "standard"}', "scenario 1: 'id' is missing"),
    ],
)
def test_an_unreadable_file_is_named_with_its_cause(tmp_path, text, cause):
    path = tmp_path / "broken.json"
    path.write_bytes(text)
    good = write(tmp_path, GOOD)
    report = run([path, good])
    assert [str(error) for error in report.unreadable] == [f"{path}: {cause}"]
    assert (report.exit_code, report.passed) == (2, 1)


@pytest.mark.parametrize(
    ("path", "value", "cause"),
    [
        ("dealer", "0", "'dealer' is '0', which is no whole number"),
        ("dealer", True, "'dealer' is True, which is no whole number"),
        ("score", [0, "0"], "'score' is [0, '0'], which is no list of whole numbers"),
        ("steps.0", 7, "step 1: it is no object"),
        ("steps.1.reason", "because", "step 2: there is no reason 'because'"),
        ("steps.3.expect.colour", "red", "'expect' knows no 'colour'"),
        ("final.colour", "red", "'final' knows no 'colour'"),
        ("hands.5", "9c", "'hands' names the seats 0, 1, 2, 3, 5, not 0, 1, 2 …"),
        ("colour", "red", "there is no 'colour' here"),
    ],
)
def test_a_file_of_another_shape_is_unreadable(tmp_path, path, value, cause):
    report = run([write(tmp_path, GOOD | {"id": "first"}, changed(path, value))])
    assert len(report.unreadable) == 1
    assert "scenario 2 (lone-hand-stops-the-pick-up)" in report.unreadable[0].cause
    assert cause in report.unreadable[0].cause


def test_notes_for_the_reader_are_no_error(tmp_path):
    report = run([write(tmp_path, GOOD | {"note": "why", "comment": ["any", 3]})])
    assert report.passed == 1


def test_a_rule_that_breaks_down_fails_its_scenario_alone(tmp_path, monkeypatch):
    """A bug in the rules must not end the run; here one is made on purpose."""
    monkeypatch.setitem(facts.EXPECT_FACTS, "tokens", lambda hand: 1 // 0)
    broken = changed("id", "broken")
    good = copy.deepcopy(GOOD)
    del good["steps"][3]["expect"]["tokens"]
    report = run([write(tmp_path, broken, good)])
    assert report.passed == 1
    assert [str(failed) for failed in report.failed] == [
        "broken: the rules: expected no breakdown, got ZeroDivisionError: integer division or "
        "modulo by zero"
    ]


def test_a_record_alone_is_not_run(tmp_path):
    path = tmp_path / "lonely.jsonl"
    path.write_bytes(b"{}")
    (error,) = run([path]).unreadable
    assert "no expected.json beside it" in error.cause


def test_folders_are_searched_to_the_bottom_and_filtered(tmp_path):
    deep = tmp_path / "a" / "b"
    deep.mkdir(parents=True)
    write(deep, GOOD)
    write(tmp_path / "a", GOOD | {"preset": "hoyle", "id": "hoyle"})
    (deep / "notes.txt").write_text("no scenario")
    assert run([tmp_path]).total == 2
    assert run([tmp_path], ["standard"]).passed == 1
    assert [failed.case.id for failed in run([tmp_path], ["hoyle"]).failed] == ["hoyle"]
    assert run([tmp_path], ["british"]).total == 0


EGN = Path(__file__).resolve().parents[1] / "egn"
RECORDS = Path(__file__).resolve().parents[1] / "conformance" / "records"


def recorded(folder: Path, expected: dict[str, Any], *sources: Path) -> Path:
    for source in sources:
        (folder / source.name).write_bytes(source.read_bytes())
    (folder / "expected.json").write_text(json.dumps(expected))
    return folder


def test_a_record_is_compared_with_what_is_expected_of_it(tmp_path):
    name = "good-standard.jsonl"
    folder = recorded(tmp_path, {name: {"ok": True, "hands": 8}}, RECORDS / name)
    report = run([folder])
    assert [str(f) for f in report.failed] == [
        f"{tmp_path.name}/{name}: replay: expected hands 8, got 9"
    ]


def test_a_broken_record_must_break_where_it_is_said_to(tmp_path):
    name = "bad-points.jsonl"
    recorded(tmp_path, {name: {"ok": False, "line": 4}}, RECORDS / name)
    (failed,) = run([tmp_path]).failed
    assert "replay: expected line 4, got 3 (line 3: " in str(failed)
    recorded(tmp_path, {name: {"ok": True}})
    (failed,) = run([tmp_path]).failed
    assert "replay: expected a record that holds, got line 3: " in str(failed)


def test_an_egn_game_is_compared_with_what_is_expected_of_it(tmp_path):
    expected = json.loads((EGN / "expected.json").read_text())["game-14.egn"]
    folder = recorded(tmp_path, {"game-14.egn": expected}, EGN / "game-14.egn")
    assert run([folder]).passed == 1
    assert run([folder / "game-14.egn"]).passed == 1
    assert run([folder], ["stick"]).passed == run([folder], ["standard"]).passed == 1
    assert run([folder], ["hoyle"]).total == 0
    expected["faults"].pop()
    recorded(tmp_path, {"game-14.egn": expected})
    (failed,) = run([folder]).failed
    assert '{"deal": 1, "kind": "revoke", "trick": 4}' in str(failed)


def test_files_and_expectations_must_match(tmp_path):
    recorded(tmp_path, {"absent.egn": {"score": [0, 0]}}, EGN / "game-01.egn")
    report = run([tmp_path])
    assert [failed.failure.expected for failed in report.failed] == ["an entry in expected.json"]
    assert [error.path.name for error in report.unreadable] == ["absent.egn"]


def invoke(*arguments: object) -> Any:
    return CliRunner().invoke(conformance, [str(argument) for argument in arguments])


def test_the_command_prints_failures_and_a_total(tmp_path):
    path = write(tmp_path, GOOD, changed("dealer", 9) | {"id": "ninth"})
    result = invoke(path)
    assert result.exit_code == 1
    assert result.stdout.splitlines() == [
        "ninth: position: expected a dealer from 0 to 3, got 9",
        "2 cases: 1 passed, 1 failed",
    ]
    result = invoke(path, "--json")
    assert json.loads(result.stdout) == {
        "total": 2,
        "passed": 1,
        "failed": 1,
        "failures": [
            {
                "id": "ninth",
                "file": str(path),
                "where": "position",
                "expected": "a dealer from 0 to 3",
                "got": "9",
            }
        ],
        "unreadable": [],
    }


def test_the_command_names_what_it_cannot_read(tmp_path):
    result = invoke(tmp_path / "nowhere", "--json")
    assert result.exit_code == 2
    assert result.stderr == f"{tmp_path / 'nowhere'}: there is no such file or folder\n"
    assert json.loads(result.stdout)["unreadable"][0]["cause"] == "there is no such file or folder"


def test_the_command_knows_its_presets(tmp_path):
    result = invoke(write(tmp_path, GOOD), "--preset", "whist")
    assert result.exit_code == 2
    assert "there is no preset 'whist'" in result.stderr
    assert invoke(write(tmp_path, GOOD), "--preset", "stick", "--preset", "standard").exit_code == 0
