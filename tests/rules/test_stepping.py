"""`step` does what `apply` and `legal` do in turn, in every preset."""

from __future__ import annotations

import random

import pytest
from euchre_arena.conformance.position import attributes
from euchre_arena.rules import PRESETS, Hand, Rules
from euchre_arena.rules.stepping import step
from hypothesis import given, settings

from tests.rules.tables import any_rules, choose, random_hand, seeds


def state(hand: Hand) -> dict[str, object]:
    """All there is of a hand, but what is its rules'."""
    kept = {name: getattr(hand, name) for name in attributes(hand)}
    shared = ("rules", "low", "high", "bits", "_trumps")
    return {name: value for name, value in kept.items() if name not in shared}


def check(seed: int, preset: str | None) -> None:
    """Of two like hands play one by steps, the other action by action."""
    rules = any_rules(random.Random(seed), preset) if preset else JOKER_LEADS
    stepped, applied = (random_hand(random.Random(seed), rules) for _ in range(2))
    rng = random.Random(seed)
    while not applied.over:
        action = choose(rng, applied)
        found = step(stepped, action)
        while True:
            applied.apply(action)
            legal = applied.legal()
            if len(legal) != 1:
                break
            (action,) = legal
        assert found == legal
        assert state(stepped) == state(applied)
    assert stepped.over


JOKER_LEADS = Rules.of("standard", {"benny": True, "no_trump": "second-round"})
"""At no trump the suit of a joker led is named in the middle of the play."""


@pytest.mark.parametrize("preset", PRESETS)
@settings(max_examples=25, deadline=None)
@given(seed=seeds)
def test_a_step_is_every_action_that_is_not_chosen(preset: str, seed: int) -> None:
    check(seed, preset)


@settings(max_examples=400, deadline=None)
@given(seed=seeds)
def test_so_it_is_where_a_joker_leads_at_no_trump(seed: int) -> None:
    check(seed, None)
