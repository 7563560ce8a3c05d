"""The bench compares like with like: both engines play the same hands to the same end."""

from __future__ import annotations

import random

import pyspiel
import pytest
from euchre_arena.rules import Hand, Rules, deal_cards

from bench.rules import script
from bench.table import Row, show


def test_both_engines_play_the_same_hands() -> None:
    rules = Rules.of("standard")
    game = pyspiel.load_game("euchre")
    rng = random.Random(5)
    for _ in range(200):
        made = script(rng, rules)
        state = game.new_initial_state()
        for action in (*made.dealt, *made.theirs):
            assert action in state.legal_actions()
            state.apply_action(action)
        hand = Hand(rules, made.dealer, deal_cards(rules, made.dealer, made.order))
        for code in made.ours:
            hand.apply(code)
        assert hand.over
        assert state.is_terminal()
        won = hand.points[0] - hand.points[1]
        assert state.returns() == [won, -won, won, -won]


def test_the_table_stands_in_columns(capsys: pytest.CaptureFixture[str]) -> None:
    show([Row("hands/s", "16,893", "40,000"), Row("  ours : theirs", "1.16")])
    lines = capsys.readouterr().out.splitlines()
    assert lines == [
        "                 measured  asked for",
        "hands/s            16,893     40,000",
        "  ours : theirs      1.16",
    ]
