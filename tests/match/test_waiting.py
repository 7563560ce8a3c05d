"""Hands that wait for their lines: the record is the same to the byte as one written at once."""

from __future__ import annotations

import random
from typing import Any

import pytest
from euchre_arena.match import Match, Record
from euchre_arena.match.saving import SavedError, restored, saved
from euchre_arena.match.waiting import waiting
from euchre_arena.rules import PRESETS

from tests.match.driving import SECRET, a_match


def played(preset: str, *, saves: bool, steps: int = 10**9) -> tuple[Match, list[str]]:
    """A random match, or its first steps, and its record."""
    entrants = tuple(f"e{side}" for side in range(PRESETS[preset].sides))
    match = a_match({"games": 5}, preset, entrants=entrants, parallel=4, max_deals=5)
    if saves:
        match.keep_lines()
    rng, lines = random.Random(preset), []
    effects = match.start(0)
    while True:
        lines += [line for effect in effects if isinstance(effect, Record) for line in effect.lines]
        if match.over or not steps:
            return match, lines
        steps -= 1
        game, seat, turn = rng.choice(match.open_turns())
        choices = len(match.open_turn(game).legal)
        # Now and then one that forfeits the game, so that a hand begun is written.
        choice = rng.randrange(choices) if rng.random() < 0.99 else 1 << 40
        effects = match.choose(game, seat, turn, choice, 0)


@pytest.mark.parametrize("preset", sorted(PRESETS))
def test_the_record_does_not_depend_on_what_waited(preset: str):
    assert played(preset, saves=True)[1] == played(preset, saves=False)[1]


@pytest.mark.parametrize("preset", ["standard", "bid-six", "three"])
def test_hands_wait_in_few_bytes(preset: str):
    match, _ = played(preset, saves=True, steps=150)
    hands = [line for _, line in match.fresh_lines() if not isinstance(line, str)]
    assert len(hands) > 3
    assert max(map(len, hands)) <= 150


def test_a_hand_with_an_action_of_many_cards_waits_as_its_line():
    told: Any = ([3, 2], [1, 0], [4, -20_000])
    assert waiting(0, 3, bytes(24), [0xFFFF], *told)
    assert waiting(0, 3, bytes(24), [1 << 16], *told) is None


def test_lines_of_a_checkpoint_may_be_as_earlier_releases_wrote_them():
    """As text, and later without the order of the cards."""
    match, lines = played("standard", saves=True, steps=150)
    state, waits = saved(match), match.fresh_lines()
    texts = [(game, match.written(game, [line])[0]) for game, line in waits]
    assert any(isinstance(line, bytes) for _, line in waits)
    size = match.rules.pack.size
    unordered = [(game, each if isinstance(each, str) else each[:-size]) for game, each in waits]
    for kept in (waits, texts, unordered):
        found = restored(match.spec, SECRET, (), 4, False, state, kept)
        assert found.released == lines
        assert saved(found.match) == state


def test_a_hand_that_cannot_be_read_is_refused():
    match, _ = played("standard", saves=True, steps=150)
    state = saved(match)
    cut = [
        (game, line if isinstance(line, str) else line[:9]) for game, line in match.fresh_lines()
    ]
    with pytest.raises(SavedError):
        restored(match.spec, SECRET, (), 4, False, state, cut)
