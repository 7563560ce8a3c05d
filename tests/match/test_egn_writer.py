"""Games of ours written in the notation: read back they score the same; the rest is refused."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from euchre_arena.cli import main
from euchre_arena.match.egn import EgnError, egn_text, replay_egn, write_egn
from euchre_arena.match.egn.writer import ruleset_of
from euchre_arena.match.reading import RecordError
from euchre_arena.rules import PRESETS, Rules

from tests.match.driving import Play, a_match
from tests.match.records import aborted, broken, forfeited, revoked
from tests.rules.tables import OPTION_VALUES

SAYS = ("standard", "stick", "hoyle", "british", "canadian")
OPTIONS = {
    "target": (3, 11),
    "num_deals": (4,),
    "stick_the_dealer": (True, False),
    "no_trump": ("second-round", False),
    "benny": (True, False),
    "farmers_hand": ("swap", False),
    "canadian": (True, False),
    "fast_break": (True,),
    "four_trick_tokens": (True,),
    "partners_best": (True,),
    "defend_alone": (True,),
    "loner_lead": ("eldest", "left-of-maker"),
    "lone_march": (3, 5),
    "lone_euchred": (0, 4),
}
"""What the notation has words for."""
CANNOT: dict[str, tuple[Any, ...]] = {
    **{name: values for name, values in OPTION_VALUES.items() if name not in OPTIONS},
    "farmers_hand": ("redeal",),
    "defend_alone": ("any",),
}
BESIDE = ("max_deals",)


def sayable(rng: random.Random) -> dict[str, Any]:
    """Options over a preset, all of which the notation can say."""
    options = {name: rng.choice(v) for name, v in OPTIONS.items() if rng.random() < 0.25}
    if "num_deals" in options:
        options.pop("target", None)
    return options


def played(preset: str, seed: int, games: int = 1, **options: Any) -> list[str]:
    return Play(a_match({"games": games}, preset, **options)).start().finish(seed).lines


def points(lines: list[str], game: int) -> list[list[int]]:
    """Of each hand of a game, as recorded."""
    found: list[list[int]] = []
    number = -1
    for line in map(json.loads, lines):
        if line["line"] == "game":
            number = line["game"]
        elif line["line"] == "hand" and number == game:
            found.append(line["points"])
    return found


def round_trip(lines: list[str], game: int) -> None:
    report = replay_egn(egn_text(write_egn(lines, game)))
    assert report.faults == []
    assert [list(scored or ()) for scored in report.points] == points(lines, game)
    result = next(line for line in map(json.loads, lines) if line.get("game_result", -1) == game)
    assert list(report.score) == result["score"]


@pytest.mark.parametrize("preset", SAYS)
def test_games_read_back_score_the_same(preset: str):
    for seed in range(2):
        lines = played(preset, seed, games=5)
        for game in range(5):
            round_trip(lines, game)


@pytest.mark.parametrize("preset", SAYS)
def test_games_with_house_rules_read_back_score_the_same(preset: str):
    rng = random.Random(preset)
    for seed in range(15):
        round_trip(played(preset, seed, **sayable(rng)), 0)


@pytest.mark.slow
@pytest.mark.timeout(600)  # a minute with a processor to itself
@pytest.mark.parametrize("preset", SAYS)
def test_a_thousand_games_read_back_score_the_same(preset: str):
    rng = random.Random(f"{preset} slow")
    for seed in range(1000):
        round_trip(played(preset, seed, **(sayable(rng) if seed % 2 else {})), 0)


@pytest.mark.parametrize("preset", PRESETS)
def test_presets_the_notation_can_say_and_those_it_cannot(preset: str):
    if preset in SAYS:
        assert ruleset_of(Rules.of(preset))["winning_score"] == Rules.of(preset).target
        return
    with pytest.raises(EgnError, match=f"preset '{preset}'"):
        ruleset_of(Rules.of(preset))


def test_a_preset_without_what_cannot_be_said_can_be_said():
    assert ruleset_of(Rules.of("robson", {"robson": False, "blind_loner": False}))


@pytest.mark.parametrize(
    ("name", "value"),
    [
        (name, value)
        for name, values in CANNOT.items()
        for value in values
        if name not in BESIDE and value is not False
    ],
)
def test_an_option_that_cannot_be_said_is_named(name: str, value: Any):
    with pytest.raises(EgnError, match=f"option '{name}' = "):
        ruleset_of(Rules.of("standard", {name: value}))


def test_competition_options_do_not_matter():
    for options in ({"max_deals": 9}, {"on_illegal": "forfeit"}, {"ask_forced": True}):
        assert ruleset_of(Rules.of("stick", options)) == ruleset_of(Rules.of("stick"))


def test_a_hand_ended_by_a_revoke_is_refused():
    with pytest.raises(EgnError, match="deal 0 ended by a revoke"):
        write_egn(revoked())


def test_a_game_broken_off_is_written_as_far_as_it_went():
    report = replay_egn(write_egn(forfeited()))
    assert report.points == [None]
    assert report.faults == []
    assert replay_egn(write_egn(aborted(), 0)).score


def test_which_game():
    lines = played("standard", 1, games=2, target=1)
    with pytest.raises(EgnError, match=r"has 2 games .*: choose from 0 to 1"):
        write_egn(lines)
    with pytest.raises(EgnError, match="there is no game 2: the record has 2"):
        write_egn(lines, 2)
    assert write_egn(lines, 1)["metadata"]["title"] == "m-test, game 1"
    with pytest.raises(EgnError, match="there is no game 0"):
        write_egn([])


def test_a_broken_record_is_refused_on_its_line():
    lines = played("standard", 1, target=1)
    with pytest.raises(RecordError, match="line 3: points"):
        write_egn(broken(lines, 2, lambda d: d.update(points=[9, 9])))
    with pytest.raises(RecordError, match="line 1: the match line must come first"):
        write_egn(lines[1:])
    with pytest.raises(RecordError, match="line 3: hands: 4 of 5 cards"):
        write_egn(broken(lines, 2, lambda d: d["hands"].pop()))
    with pytest.raises(RecordError, match="line 3: this hand is not the next"):
        write_egn(broken(lines, 2, lambda d: d.update(hand=3)))
    with pytest.raises(RecordError, match="line 2: not JSON"):
        write_egn([lines[0], "{"])


def test_the_command(tmp_path: Path):
    record, file = tmp_path / "m.jsonl", tmp_path / "g.egn"
    record.write_text("\n".join(played("british", 4)) + "\n")
    run = CliRunner().invoke

    done = run(main, ["export", "--egn", str(record), "-o", str(file)])
    assert (done.exit_code, done.output) == (0, "")
    shown = run(main, ["export", "--egn", str(record)])
    assert shown.stdout == file.read_text()
    replayed = run(main, ["replay", str(file), "--json"])
    assert replayed.exit_code == 0
    assert json.loads(replayed.stdout)["points"] == points(record.read_text().splitlines(), 0)

    assert "say in which notation" in run(main, ["export", str(record)]).output
    absent = run(main, ["export", "--egn", str(tmp_path / "no.jsonl")])
    assert (absent.exit_code, "No such file" in absent.output) == (2, True)
    record.write_text("\n".join(played("two", 4)) + "\n")
    refused = run(main, ["export", "--egn", str(record)])
    assert (refused.exit_code, "preset 'two'" in refused.output) == (2, True)
    record.write_text("{}\n")
    assert run(main, ["export", "--egn", str(record)]).exit_code == 1
