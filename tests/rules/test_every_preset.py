"""What holds for every hand of every preset: legality, cards, points and views."""

from __future__ import annotations

import random

import pytest
from euchre_arena.rules import PRESETS, Hand
from hypothesis import given, settings

from tests.rules import checks
from tests.rules.tables import any_rules, choose, play_on, random_hand, seeds

few = settings(max_examples=15, deadline=None)


def any_hand(rng: random.Random, preset: str) -> Hand:
    return random_hand(rng, any_rules(rng, preset))


@pytest.mark.parametrize("preset", PRESETS)
@few
@given(seed=seeds)
def test_legal_actions_are_those_not_refused(preset, seed):
    """§12 and conformance.md; asking changes nothing; cards are conserved; the hand ends."""
    rng = random.Random(seed)
    hand = any_hand(rng, preset)
    timid = rng.choice((0.3, 0.9))
    said: list[tuple[int, int]] = []
    while not hand.over:
        checks.check_conserved(hand, said)
        checks.check_legal(hand)
        if rng.random() < 0.3:
            checks.check_refusals(hand, rng)
        action = choose(rng, hand, timid)
        said.append((hand.to_act, action))
        hand.apply(action)
        assert len(said) < checks.MOST_ACTIONS
    checks.check_conserved(hand, said)
    checks.check_ended(hand, said)


@pytest.mark.parametrize("preset", PRESETS)
@few
@given(seed=seeds)
def test_plays_and_points_are_those_of_a_naive_referee(preset, seed):
    """§5, §7, §8: what may be played, who wins a trick, what a hand scores."""
    rng = random.Random(seed)
    hand = any_hand(rng, preset)
    tokens = tuple(hand.tokens)
    said: list[tuple[int, int]] = []
    for seat, action in play_on(rng, hand):
        checks.check_plays(hand)
        said.append((seat, action))
    checks.check_points(hand, said, tokens)
    checks.check_replays(hand, tokens)


@pytest.mark.parametrize("preset", PRESETS)
@few
@given(seed=seeds)
def test_moving_hidden_cards_about_in_place_changes_no_view(preset, seed):
    """§10, for every seat, at any moment."""
    rng = random.Random(seed)
    hand = any_hand(rng, preset)
    said: list[tuple[int, int]] = []
    stop = rng.randrange(40)
    for speaker, action in play_on(rng, hand):
        if len(said) == stop:
            break
        said.append((speaker, action))
    for seat in range(hand.rules.seats):
        checks.check_view_hides(hand, said, seat, rng)


@pytest.mark.parametrize("preset", PRESETS)
@settings(max_examples=3, deadline=None)
@given(seed=seeds)
def test_the_record_of_a_match_replays_as_verified(preset, seed):
    """§9, conformance.md: under any rules, in any format."""
    rng = random.Random(seed)
    checks.check_match(any_rules(rng, preset), rng)
