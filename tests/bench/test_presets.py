"""The bench of presets plays what it says, and beside another revision the same hands."""

from __future__ import annotations

import json
import random

import pytest
from euchre_arena.rules import PRESETS, Hand, Rules, deal_cards

from bench import against, presets


@pytest.mark.parametrize("preset", PRESETS)
def test_every_script_is_a_whole_hand(preset: str) -> None:
    rules = Rules.of(preset)
    for seed in range(5):
        made, points = presets.script(random.Random(seed), rules)
        hand = Hand(rules, made.dealer, deal_cards(rules, made.dealer, made.order))
        for action in made.actions:
            assert action in hand.legal()
            hand.apply(action)
        assert hand.over
        assert sum(hand.points) == points
        presets.play(rules, [made])


def test_it_prints_what_it_measures(capsys: pytest.CaptureFixture[str]) -> None:
    presets.main(["two", "bid-four", "--hands", "3", "--rounds", "1"])
    found = json.loads(capsys.readouterr().out)
    assert list(found) == ["two", "bid-four"]
    made, points = presets.script(random.Random("two"), Rules.of("two"))
    first = presets.measure("two", 1, 1)
    assert (first.decisions, first.points) == (len(made.actions), points)
    assert found["two"]["hands_s"] > 0


def test_another_revision_is_measured_beside_this_one() -> None:
    found = against.ratios("HEAD", hands=2, turns=1)
    assert [each.preset for each in found] == list(against.PRESETS)
    for each in found:
        assert each.value == pytest.approx(each.now / each.then)


def test_every_process_plays_the_same_hands(tmp_path) -> None:
    against._fetch("HEAD", str(tmp_path))
    one, other = (against._measured(tmp_path / against.SOURCES, 2) for _ in range(2))
    for preset in against.PRESETS:
        assert one[preset][1:] == other[preset][1:]
        assert one[preset].decisions > 2 * 5


def test_the_other_revision_is_the_one_that_is_measured(tmp_path) -> None:
    against._fetch("HEAD", str(tmp_path))
    rules = tmp_path / against.SOURCES / "euchre_arena" / "rules"
    (rules / "__init__.py").write_text("raise SystemExit('these rules, not those')\n")
    with pytest.raises(against.subprocess.CalledProcessError):
        against._measured(tmp_path / against.SOURCES, 1)


def test_a_revision_that_is_not_there_is_named() -> None:
    with pytest.raises(against.RevisionError, match=r"no-such-revision: .*not a valid"):
        against.ratios("no-such-revision", 1, 1)
