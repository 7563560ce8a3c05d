"""`step` does what `apply` and `legal` do in turn, in every preset."""

from __future__ import annotations

import copy
import random

import pytest
from euchre_arena.rules import PRESETS, Hand, Rules
from euchre_arena.rules.stepping import step
from hypothesis import given, settings

from tests.rules.tables import any_rules, choose, random_hand, seeds


def state(hand: Hand) -> dict[str, object]:
    """All there is of a hand, but what is its rules'."""
    kept = {name: getattr(hand, name) for name in Hand.__slots__}
    return {name: value for name, value in kept.items() if name not in ("rules", "low", "high")}


def check(stepped: Hand, rng: random.Random) -> None:
    # Rules, deal and tables are shared, and never change.
    shared = {id(stepped.rules): stepped.rules, id(stepped.low): stepped.low}
    shared |= {id(stepped.high): stepped.high, id(stepped.bits): stepped.bits}
    applied = copy.deepcopy(stepped, shared)
    legal = applied.legal()
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


@pytest.mark.parametrize("preset", PRESETS)
@settings(max_examples=25, deadline=None)
@given(seed=seeds)
def test_a_step_is_every_action_that_is_not_chosen(preset: str, seed: int) -> None:
    rng = random.Random(seed)
    check(random_hand(rng, any_rules(rng, preset)), rng)


@settings(max_examples=400, deadline=None)
@given(seed=seeds)
def test_so_it_is_where_a_joker_leads_at_no_trump(seed: int) -> None:
    """And its suit is named in the middle of the play."""
    rng = random.Random(seed)
    rules = Rules.of("standard", {"benny": True, "no_trump": "second-round"})
    check(random_hand(rng, rules), rng)
